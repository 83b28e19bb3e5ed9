"""The words of a terminal in one language: its sentences (`say`) and its commands (`means`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from host_tools.base.languages import ENGLISH
from host_tools.base.wording import Templates, read_words

FOLDER = Path(__file__).parent
COMMANDS = (
    "hand", "hint", "table", "moves", "glass", "rules", "page", "undo", "start", "seats", "seat", "sit", "deal", "draw",
    "speed", "next", "lobby", "help", "quit", "play", "OK", "NO", "CALL", "MENU", "hold",
)  # fmt: skip


def read_wording(language: str) -> dict[str, str]:
    """The templates of terminal.LANGUAGE.txt by key."""
    return read_words(FOLDER, "terminal", language)


def plain(word: str) -> str:
    """A typed word as it is compared: small letters, one kind of Russian e, no sentence's end."""
    return word.lower().replace("ё", "е").strip(".,;:!«»\"'")


class Wording(Templates):
    """Sentences and commands in `language`; English commands are always understood."""

    def __init__(self, language: str) -> None:
        super().__init__(read_wording(language), language)
        self._typed: dict[str, set[str]] = {}
        for source in (read_wording(ENGLISH), self._said):
            for key, words in source.items():
                if key.startswith(("type.", "also.", "filler")):
                    self._typed.setdefault(key, set()).update(plain(word) for word in words.split())
        self.filler = self._typed["filler"]
        self._games = [(re.compile(rf"(?<!\S){re.escape(typed)}(?!\S)", re.IGNORECASE), key.partition(".")[2])
                       for source in (read_wording(ENGLISH), self._said) for key, names in source.items()
                       if key.startswith("game.") for typed in names.split(", ")]

    def has(self, key: str) -> bool:
        """Whether there is such a sentence."""
        return key in self._said

    def cards(self, number: int) -> str:
        """So many cards."""
        return self.count("cards", number)

    def helps(self) -> list[str]:
        """The commands, a sentence each."""
        return [text for key, text in self._said.items() if key.startswith("help.")]

    def means(self, word: str, *names: str) -> str:
        """Which of those commands (without any: of all) the word is; empty: none."""
        return next((name for name in names or COMMANDS if plain(word) in self._typed[f"type.{name}"]), "")

    def game_line(self, words: Sequence[str]) -> str:
        """The words of a game and its house rules, with the names that a record has."""
        line = " ".join(words)
        for typed, name in self._games:
            line = typed.sub(name, line)
        return line

    def aliases(self, verb: str) -> set[str]:
        """The texts that a person may type for a verb of the record besides its own words."""
        return self._typed.get(f"also.{verb}", set())
