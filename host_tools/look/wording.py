"""The words of sheets and lists in one language, from look.LANGUAGE.txt."""

from __future__ import annotations

import functools
from pathlib import Path

from host_tools.base import foreign
from host_tools.judge.sentences.language import Templates, parse

FOLDER = Path(__file__).parent
LANGUAGES = ("en", "ru")


@functools.cache
def read_wording(language: str) -> dict[str, str]:
    """The templates by key."""
    return parse(foreign.read_text(FOLDER / f"look.{language}.txt"))


class Wording(Templates):
    """What is said in `language`."""

    def __init__(self, language: str) -> None:
        super().__init__(read_wording(language), language)
