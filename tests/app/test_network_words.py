"""The network's words: the same in every language, all of them used, each in one line of the glass."""

import re
from pathlib import Path

from cardtable.table.screen import COLUMNS
from cardtable.table.words import list_languages

RUNS_ON = "cpython"  # reads the sources

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware" / "cardtable"


def test_every_language_has_the_words_that_are_used_and_they_fit():
    used = set(re.findall(r'"(N\.\w+)', (FIRMWARE / "net" / "party.py").read_text(encoding="utf-8")))
    for language in list_languages():
        lines = (FIRMWARE / "words" / f"net.{language}").read_text(encoding="utf-8").splitlines()
        words = dict(line.split("=", 1) for line in lines)
        assert set(words) == used and len(words) == len(lines)
        assert all(len(text.replace("#", "9999")) <= COLUMNS for text in words.values()), language
