"""One language: its templates by key, read from LANGUAGE.txt, and the plural that a number takes.

A line is `KEY = TEMPLATE`; `#` begins a comment. Behind a key may stand `#one`, `#few` or `#many` (the plural), and
`?PLACE` or `!PLACE` (the template for a table where cards lie there, or none; `PLACE#` is the seat's own).
"""

from __future__ import annotations

import functools
from pathlib import Path

from host_tools.errors import UnusableInput

FOLDER = Path(__file__).parent


def languages() -> list[str]:
    """The languages that there are."""
    return sorted(file.stem for file in FOLDER.glob("*.txt"))


@functools.cache
def read_language(name: str) -> dict[str, str]:
    """Its templates by key. UnusableInput if there is no such language."""
    if name not in languages():
        raise UnusableInput(f"there is no language {name}; there is: {' '.join(languages())}")
    return parse((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))


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


def plural(has_few: bool, number: int) -> str:
    """`one`, `few` or `many`; Slavic languages, which have `few`, look at the last digits (CLDR)."""
    if not has_few:
        return "one" if number == 1 else "many"
    last, tens = number % 10, number % 100
    if last == 1 and tens != 11:
        return "one"
    return "few" if 2 <= last <= 4 and not 12 <= tens <= 14 else "many"
