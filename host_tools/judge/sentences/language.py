"""One language of the sentences: its templates by key, read from LANGUAGE.txt.

What can be chosen about a game is asked by the table too: those words are the firmware's, words/ask_GAME.LANGUAGE.

Its lines are those of host_tools/base/wording.py. Behind a key may also stand `?PLACE` or `!PLACE`: the
template for a table where cards lie there, or none; `PLACE#` is the seat's own.
"""

from __future__ import annotations

import functools
from pathlib import Path

from host_tools.base.errors import UnusableInput
from host_tools.base.languages import WORDS
from host_tools.base.wording import parse

FOLDER = Path(__file__).parent


@functools.cache
def languages() -> tuple[str, ...]:
    """The languages that there are, by name."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.txt")))


@functools.cache
def read_language(name: str) -> dict[str, str]:
    """Its templates by key. UnusableInput if there is no such language."""
    if name not in languages():
        raise UnusableInput(f"there is no language {name}; there is: {' '.join(languages())}")
    words = parse((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    for path in WORDS.glob(f"ask_*.{name}"):
        game = path.stem.removeprefix("ask_").replace("_", "-")
        for key, template in parse(path.read_text(encoding="utf-8")).items():
            kind, dot, rest = key.partition(".")
            if game != "table":
                words[f"{kind}.{game}{dot}{rest}"] = template
            elif kind in ("ask", "say"):
                words[key] = template
    return words
