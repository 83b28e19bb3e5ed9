"""The words of `cardtable arena` in one language, from arena.LANGUAGE.txt."""

from __future__ import annotations

from pathlib import Path

from host_tools.base.wording import Templates, read_words

FOLDER = Path(__file__).parent


class Wording(Templates):
    """What is said in `language`."""

    def __init__(self, language: str) -> None:
        super().__init__(read_words(FOLDER, "arena", language), language)
