"""The words of the pages: files by key and language, of which their modules are made."""

import re

import pytest

from host_tools.base.languages import list_languages
from host_tools.base.project import PAGE
from host_tools.base.wording import parse
from host_tools.look.published.build import OWN
from host_tools.play.web.page_words import WORDS, list_made, make_module

RUNS_ON = "cpython"  # host tools
SCRIPTS = "\n".join(path.read_text(encoding="utf-8") for path in sorted([*PAGE.glob("*.js"), *OWN.glob("*.js")]))
FILES = sorted([*WORDS.glob("*.txt"), *OWN.parent.glob("site.*.txt")])
SAID = re.compile(r"""\b(?:say|rows|everywhere)\(\s*["']([\w.]+)["']""")
BEGUN = re.compile(r"\b(?:say|wordOr)\(`([\w.]+)\$\{")  # a key that is put together: its beginning


def words_of(language: str) -> dict[str, dict[str, str]]:
    return {path.name.split(".")[0]: parse(path.read_text(encoding="utf-8")) for path in FILES
            if path.name.endswith(f".{language}.txt")}


def keys() -> list[str]:
    return [key for words in words_of("en").values() for key in words]


@pytest.mark.parametrize("language", list_languages())
def test_each_language_has_all_words(language):
    own, english = words_of(language), words_of("en")
    assert {name: set(words) for name, words in own.items()} == {name: set(words) for name, words in english.items()}
    # What is filled in can be filled in everywhere.
    assert [(name, key, hole) for name, words in own.items() for key, text in words.items() for hole in "#$"
            if hole in text and hole not in english[name][key]] == []


def test_no_key_stands_for_two_things():
    assert sorted(keys()) == sorted(set(keys()))


def test_what_the_pages_say_has_words_and_no_word_is_left_over():
    said = set(SAID.findall(SCRIPTS))
    assert said - set(keys()) == set() and len(said) > 200
    begun = tuple(BEGUN.findall(SCRIPTS))
    never = [key for key in keys()
             if not key.startswith(begun) and not re.search(rf"""["'`]{re.escape(key)}["'`]""", SCRIPTS)]
    # What the table tells by its own name: a light, a part in the bout; and each language's name for itself.
    assert sorted(never) == ["attacker", "defender", "fault", "filling", "languageName"]


def test_no_page_lists_languages_or_speaks_by_itself():
    assert not re.search(r"""["']ru["']|\bru: [{"]""", SCRIPTS)
    assert not re.findall("[а-яё]{2,}", re.sub("//.*|/\\*.*?\\*/", "", SCRIPTS, flags=re.IGNORECASE), re.IGNORECASE)
    spoken = re.findall(r"""(?:text|title|placeholder|"aria-label"): ["']([A-Z][a-z]+[^"']*)["']""", SCRIPTS)
    assert spoken == []


def test_a_module_holds_every_language_and_fills_up_from_english(tmp_path, monkeypatch):
    (tmp_path / "some.en.txt").write_text('# Some.\nhello = Hello "you", #\ncolumn.date = Date\n', encoding="utf-8")
    (tmp_path / "some.ru.txt").write_text("hello = Привет, #\n", encoding="utf-8")
    assert list_made(tmp_path) == ["some_words.js"]
    assert make_module("some_words.js", tmp_path) == (
        'import {addWords} from "./words.js";\naddWords(["en", "ru"], {hello:["Hello \\"you\\", #", "Привет, #"], '
        '"column.date":["Date", "Date"]});\n')
