"""Words by key, in each language that lies there as a file: the one loader for every room that speaks to people.

A room has a file NAME.LANGUAGE.txt for each language. A line is `KEY = TEMPLATE`; `#` begins a comment. Behind a key
may stand `#one`, `#few` or `#many`, the plural that a number takes. What a language leaves out is said in English.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import ClassVar

from cardtable.between.options import plural
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.languages import ENGLISH


@functools.cache
def read_words(folder: Path, name: str, language: str) -> dict[str, str]:
    """The templates of a room by key, English where the language has none."""
    english = {} if language == ENGLISH else read_words(folder, name, ENGLISH)
    path = folder / f"{name}.{language}.txt"
    own = parse(foreign.read_text(path)) if path.is_file() or not english else {}
    # A language that counts otherwise has its own plurals of a sentence, and not those of English.
    counted = {key.partition("#")[0] for key in own if "#" in key}
    return {key: text for key, text in english.items() if key.partition("#")[0] not in counted} | own


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


class Refusal(UnusableInput):
    """What cannot be, as a key and its facts: its text is English, and `tell` says it in the language of who reads.

    A fact that can be told is told in that language, too: a Refusal, or the outcome of a game. Each
    room has a class of its own, which says where its words lie.
    """

    folder: ClassVar[Path]
    name: ClassVar[str]
    prefix: ClassVar[str] = ""

    def __init__(self, key: str, /, **facts: object) -> None:
        self.key, self.facts = key, facts
        super().__init__(self.tell(ENGLISH))

    def tell(self, language: str) -> str:
        """The sentence."""
        facts = {name: fact.tell(language) if hasattr(fact, "tell") else fact for name, fact in self.facts.items()}
        return read_words(self.folder, self.name, language)[self.prefix + self.key].format(**facts)
