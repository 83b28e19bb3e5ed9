"""The doctor's words: the same in every language, all of them used, and on the screen as far as it reaches."""

import re
import textwrap
from pathlib import Path

from cardtable.table.words import list_languages

RUNS_ON = "cpython"  # reads the sources

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware" / "cardtable"
COLUMNS, ROWS = 21, 8
KEY = re.compile(r"(?:self|doctor)\.(?:tell|report|ask|find)\(\s*(.+?)(?:, \(|\)$|, place)", re.MULTILINE)
HOLES = re.compile(r"%0?\d*[ds x]|%0\dx|%s|%d")


def read_words(language):
    lines = (FIRMWARE / "words" / f"doctor.{language}").read_text(encoding="utf-8").splitlines()
    words = dict(line.split("=", 1) for line in lines)
    assert len(words) == len(lines), "a key comes twice"
    return words


def test_every_language_says_the_same_with_the_same_values():
    english = read_words("en")
    for language in list_languages():
        words = read_words(language)
        assert list(words) == list(english)
        for key, text in words.items():
            assert HOLES.findall(text) == HOLES.findall(english[key]), (language, key)


def test_every_word_is_used_and_every_used_one_is_there():
    source = "".join((FIRMWARE / "between" / f"{name}.py").read_text(encoding="utf-8") for name in ("doctor", "learn"))
    used = {key for match in KEY.finditer(source) for key in re.findall(r'"(\w+)"', match[1])}
    assert {"D." + key for key in used} == set(read_words("en"))


def test_what_the_screen_shows_fits_it():
    """A finding comes behind its number; what stands for a wire is short."""
    for language in list_languages():
        for key, text in read_words(language).items():
            values = [{"s": "output 7", "d": 7, "x": 0xB2}[hole[-1]] for hole in HOLES.findall(text)]
            shown = "7. " + (text % tuple(values) if values else text)
            rows = textwrap.wrap(shown, COLUMNS)
            assert len(rows) <= ROWS, (language, key, len(rows), shown)
