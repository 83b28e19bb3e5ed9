"""The rules of the house, each tried on something that breaks it."""

import ast
import re

import pytest

from tests.conftest import ROOT
from tests.tidy import house

GAME_FILES = [
    "firmware/cardtable/games/two_fools.py",
    "docs/rules/two_fools.md",
    "docs/rules/ru/two_fools.md",
    "tests/games/test_two_fools_bout.py",
    "tests/records/two-fools/game-0000.rec",
    "firmware/cardtable/words/two_fools.en",
    "firmware/cardtable/words/two_fools.ru",
]


def texts(found):
    return [finding.text for finding in found]


@pytest.mark.parametrize("source", ["", "x = 1", '""""""', '"""A room\n\nand more."""', '"""No sentence"""'])
def test_a_file_that_does_not_open_with_a_sentence(source):
    assert len(house.check_docstring("a.py", source)) == 1


@pytest.mark.parametrize("source", [
    '"""One room."""', '"""One\nroom.\n\nMore"""', '"""A command:\n\n  x\n"""',
])
def test_a_file_that_opens_with_a_sentence(source):
    assert house.check_docstring("a.py", source) == []


def test_an_empty_package_needs_no_sentence_and_one_with_code_does():
    assert house.check_docstring("a/__init__.py", "") == []
    assert len(house.check_docstring("a/__init__.py", "x = 1")) == 1


def test_a_function_is_at_most_seventy_lines_long():
    fits = "def f():\n" + "    pass\n" * 69
    assert house.check_function_length("a.py", fits) == []
    assert texts(house.check_function_length("a.py", fits + "    pass\n")) == ["f has 71 lines, more than 70"]


def test_a_method_and_an_async_function_are_measured_too():
    long = "class A:\n    async def f():\n" + "        pass\n" * 80
    assert len(house.check_function_length("a.py", long)) == 1


@pytest.mark.parametrize("source", ['RUNS_ON = "cpython"', 'x = 1\nRUNS_ON = "cpython"'])
def test_a_test_file_that_avoids_an_interpreter_without_a_reason(source):
    assert len(house.check_reason_for_one_runtime("a.py", source)) == 1


@pytest.mark.parametrize("source", ['RUNS_ON = "cpython"  # fixtures', '# Fixtures.\nRUNS_ON = "cpython"'])
def test_a_test_file_that_avoids_an_interpreter_for_a_reason(source):
    assert house.check_reason_for_one_runtime("a.py", source) == []


@pytest.mark.parametrize("folder", ["work", "root", "home", "tmp"])
def test_a_path_of_one_machine(folder):
    assert len(house.check_text("a.md", f"see\n/{folder}/x for it")) == 1


@pytest.mark.parametrize("text", ["docs/" + "work/x", "./" + "tmp/x", "home" + "/x", "/usr/bin/env"])
def test_a_path_inside_the_project_is_none_of_one_machine(text):
    assert house.check_text("a.md", text) == []


@pytest.mark.parametrize("word", ["TO" + "DO", "FIX" + "ME"])
def test_something_unfinished(word):
    assert texts(house.check_text("a.py", f"# {word}: more")) == [f"is unfinished: # {word}: more"]


@pytest.mark.parametrize("word", ["pytest.mark.sk" + "ipif", "pytest.sk" + "ip()", "pytest.mark.xf" + "ail",
                                  "pytest.importorsk" + "ip('x')"])
def test_a_test_that_is_left_out(word):
    assert len(house.check_text("tests/a.py", word)) == 1


def test_a_game_with_everything():
    assert house.check_games(GAME_FILES) == []


@pytest.mark.parametrize("missing", GAME_FILES[1:])
def test_a_game_that_lacks_something(missing):
    found = house.check_games([name for name in GAME_FILES if name != missing])
    assert len(found) == 1 and found[0].path == GAME_FILES[0]


def test_what_a_game_lacks_is_named():
    found = house.check_games(GAME_FILES[:1])
    assert texts(found) == [
        "has no rulebook page: docs/rules/two_fools.md",
        "has no Russian rulebook page: docs/rules/ru/two_fools.md",
        "has no tests: tests/games/test_two_fools*.py",
        "has no records: tests/records/two-fools/*.rec",
        "has no English words: firmware/cardtable/words/two_fools.en",
        "has no Russian words: firmware/cardtable/words/two_fools.ru",
    ]


def test_the_package_of_the_games_is_no_game():
    assert house.check_games(["firmware/cardtable/games/__init__.py"]) == []


@pytest.mark.parametrize("text", ["Type `make rum`.", "```\nmake rum\n```", "    make rum", "$ make rum"])
def test_a_target_that_does_not_exist(text):
    assert texts(house.check_make_targets("a.md", text, "run: x\n")) == ["there is no `make rum`"]


def test_a_target_of_two_words_is_not_taken_for_its_first():
    assert house.check_make_targets("a.md", "`make test-all`", "test: x\ntest-all: y\n") == []
    assert texts(house.check_make_targets("a.md", "`make test-al`", "test: x\n")) == ["there is no `make test-al`"]


def test_a_target_that_exists_and_a_word_that_is_none():
    text = "Type `make run`, or `make replay RECORDS=x`; they make sense."
    assert house.check_make_targets("a.md", text, "run: x\nreplay: y\n") == []


@pytest.mark.parametrize("text", ["[a](b.md)", "[a](../b.md)", "![a](b.svg)", "[a](b.md#part)"])
def test_a_link_to_nothing(text):
    assert len(house.check_links("docs/a.md", text, ["docs/a.md", "docs/c.md"])) == 1


@pytest.mark.parametrize(
    "text",
    ["[a](c.md)", "[a](../README.md#part)", "[a](rules)", "[a](#part)", "[a](https://x.y/z)", "`x[0](y)`"],
)
def test_a_link_that_leads_somewhere(text):
    files = ["docs/a.md", "docs/c.md", "docs/rules/b.md", "README.md"]
    assert house.check_links("docs/a.md", text, files) == []


PARTS = {"docs/a.md": "# A toy\n", "README.md": "## Who it's `for`, by [name](b.md)\n```\n# none\n```\n"}


@pytest.mark.parametrize("text", ["[a](#toy)", "[a](../README.md#a-toy)", "[a](../README.md#none)"])
def test_a_link_into_a_page_to_no_heading(text):
    assert len(house.check_parts("docs/a.md", text, PARTS)) == 1


@pytest.mark.parametrize("text", ["[a](#a-toy)", "[a](../README.md#who-its-for-by-name)", "[a](https://x.y/#z)",
                                  "`[a](#toy)`", "[a](c.py#toy)"])
def test_a_link_into_a_page_that_leads_to_a_heading(text):
    assert house.check_parts("docs/a.md", text, PARTS) == []


def test_the_first_screen_with_everything():
    text = "# Toy\n![It runs](docs/table.svg)\n`make run` and `make test`\n"
    assert house.check_first_screen("README.md", text, ["docs/table.svg"]) == []


def test_the_first_screen_without_anything():
    text = "# Toy\n" * 40 + "`make run` `make test` ![](a.svg)"
    found = house.check_first_screen("README.md", text, ["a.svg"])
    assert texts(found) == [
        "its first 40 lines do not say `make run`",
        "its first 40 lines do not say `make test`",
        "its first 40 lines show no picture that exists",
    ]


def test_a_picture_that_is_not_there():
    text = 'make run, make test, <img alt="x" src="docs/table.svg">'
    assert len(house.check_first_screen("README.md", text, [])) == 1
    assert house.check_first_screen("README.md", text, ["docs/table.svg"]) == []


@pytest.mark.parametrize("source", [
    "x = Path(__file__).parents[1]", "x = Path(__file__).parent.parent / 'docs'", "x = Path(__file__) / '..' / 'docs'",
])
def test_only_one_file_goes_up_from_where_it_lies(source):
    assert len(house.check_way_up("host_tools/look/toy.py", source)) == 1
    assert house.check_way_up("host_tools/base/project.py", source) == house.check_way_up("tests/toy.py", source) == []
    assert house.check_way_up("host_tools/look/toy.py", "x = Path(__file__).parent / 'page'") == []


def test_no_file_that_vanishes_when_it_is_closed_is_handed_on():
    for name in ("NamedTemporaryFile", "tempfile.NamedTemporaryFile"):
        (found,) = house.check_passing_files("host_tools/toy.py", f"with {name}(suffix='.py') as file:\n    pass")
        assert found.line == 1
    assert house.check_passing_files("host_tools/toy.py", "tempfile.NamedTemporaryFile('w', delete=False)") == []


@pytest.mark.parametrize("line", [
    "# --- for players and tests:", "#--- for players and tests ---", "# -- for set-up alone",
    "    # --- for set-up alone", "# --- For players and tests ---", "# --- for setup alone",
])
def test_a_line_that_nearly_begins_a_section_is_found(line):
    assert len(house.check_sections("firmware/toy.py", line)) == 1
    assert house.check_sections("tests/toy.py", line) == []


def test_what_begins_a_section_and_other_words_are_left_alone():
    source = "# --- for players and tests ---\n# --- for set-up alone: options\n# a place for players and tests\n"
    assert house.check_sections("firmware/toy.py", source) == []


def test_the_map_of_what_is_between_games_names_each_file_once():
    folder = ROOT / "firmware" / "cardtable" / "between"
    trades = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))).partition("\n\n")[2]
    named = [name for trade in re.findall(r": ([a-z_,\s]+)\.", trades) for name in trade.replace(",", " ").split()]
    assert sorted(named) == sorted({path.stem for path in folder.glob("*.py")} - {"__init__"})
