"""One language: its templates by key, read from LANGUAGE.txt, and the plural that a number takes.

What can be chosen about a game is asked by the table too: those words are the firmware's, words/ask_GAME.LANGUAGE.

A line is `KEY = TEMPLATE`; `#` begins a comment. Behind a key may stand `#one`, `#few` or `#many` (the plural), and
`?PLACE` or `!PLACE` (the template for a table where cards lie there, or none; `PLACE#` is the seat's own).
"""

from __future__ import annotations

import functools
from pathlib import Path

from cardtable.between.options import plural
from host_tools.base.errors import UnusableInput
from host_tools.base.project import ROOT

FOLDER = Path(__file__).parent
ASKED = ROOT / "firmware" / "cardtable" / "words"


def languages() -> list[str]:
    """The languages that there are."""
    return sorted(file.stem for file in FOLDER.glob("*.txt"))


@functools.cache
def read_language(name: str) -> dict[str, str]:
    """Its templates by key. UnusableInput if there is no such language."""
    if name not in languages():
        raise UnusableInput(f"there is no language {name}; there is: {' '.join(languages())}")
    words = parse((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    for path in ASKED.glob(f"ask_*.{name}"):
        game = path.stem.removeprefix("ask_").replace("_", "-")
        for key, template in parse(path.read_text(encoding="utf-8")).items():
            kind, dot, rest = key.partition(".")
            if game != "table":
                words[f"{kind}.{game}{dot}{rest}"] = template
            elif kind in ("ask", "say"):
                words[key] = template
    return words


def parse(text: str) -> dict[str, str]:
    """The templates of a file. ValueError names a line that is none, or a key that is there twice."""
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        key, equals, template = line.partition("=")
        key = key.strip()
        if not equals or not key or key in found:
            raise ValueError(f"line {number}: {'twice' if key in found else 'no KEY = TEMPLATE'}: {line}")
        found[key] = template.strip()
    return found


class Templates:
    """What one file of templates says; the rooms that have a file of their own say it through this."""

    def __init__(self, said: dict[str, str], language: str) -> None:
        self.language = language
        self._said = said

    def say(self, key: str, /, **facts: object) -> str:
        """One sentence, or a word."""
        return self._said[key].format(**facts)

    def count(self, key: str, number: int) -> str:
        """The sentence in the number's plural."""
        return self.say(f"{key}#{plural(f'{key}#few' in self._said, number)}", number=number)
