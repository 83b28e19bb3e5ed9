"""The rulebook on the command line, and that every rule that is kept has a test."""

import re
import ast

import pytest

from cardtable.catalogue import find_game
from cardtable.games import durak
from host_tools import cli
from host_tools.judge import rule_options
from host_tools.judge.rulebook import book, pages


def test_every_rule_that_is_kept_has_a_test_and_every_test_a_rule():
    """`cardtable rules --check` of the project itself."""
    assert book.check() == []


def test_a_rule_with_its_source_its_readings_and_its_tests(capsys):
    """`cardtable rules durak D19`."""
    assert cli.run(["rules", "durak", "D19"]) == 0
    shown = capsys.readouterr().out
    assert "durak:15" in shown and "late_limit" in shown and "test_d19_" in shown


def test_a_rule_shows_what_its_sources_say(capsys):
    """A player sees the sentence that a rule comes from, in our words; a range shows each of its lines."""
    assert cli.run(["rules", "D18", "M9"]) == 0
    shown = capsys.readouterr().out
    assert "< durak:187: No more than six attack cards in all." in shown
    assert "< malice:20-24: Four side piles each" in shown


def test_every_citation_leads_to_a_sentence(monkeypatch):
    """In the pages and in the tests of the games; and each row of a text is below the one before it."""
    assert book.lost_citations() == []
    texts = pages.read_sources(pages.PAGES)
    assert sorted(texts) == ["bailiff", "cals_bs", "cals_bs_translated", "durak", "malice"]
    for rows in texts.values():
        assert all(first <= last for first, last, _ in rows)
        assert all(before[1] < after[0] for before, after in zip(rows, rows[1:], strict=False))
    assert book.said_at("durak", 31, 33)[1].startswith("durak:33: ")
    few = dict(texts, durak=[row for row in texts["durak"] if row[0] != 187])
    monkeypatch.setattr(pages, "read_sources", lambda pages: few)
    lost = book.lost_citations()
    assert "durak.md cites durak:187, which docs/rules/sources.md does not explain" in lost
    assert "test_durak_throw_in.py cites durak:187, which docs/rules/sources.md does not explain" in lost


def test_citations_are_read_as_the_pages_write_them():
    """A list, a range, the short names of the games' pages; other words with a colon are none."""
    assert book.citations("(durak:31, 92-93; b:8) T3: 5 m:2-4") == [
        ("durak", 31, 31), ("durak", 92, 93), ("bailiff", 8, 8), ("malice", 2, 4),
    ]


def test_pages_for_players_hold_no_lists_of_tests():
    """`cardtable rules` shows them."""
    for page in book.page_names():
        assert "test_" not in (pages.PAGES / f"{page}.md").read_text(encoding="utf-8"), page


def test_a_page_alone_shows_all_of_its_rules(capsys):
    """`cardtable rules table`."""
    assert cli.run(["rules", "table"]) == 0
    shown = capsys.readouterr().out
    assert all(f"T{number}  (table)" in shown for number in range(1, 15))


def test_d1_words_find_rules_a_line_each_and_more_shows_them_whole(capsys):
    """`cardtable rules lowest trump` is read in the middle of a dispute."""
    assert cli.run(["rules", "lowest", "trump"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert 1 <= len(lines) <= 15 and all(re.match(r"[A-Z]\d+  \(\w+\)  \S", line) and len(line) < 190 for line in lines)
    said = "D5  (durak)  First game: the holder of the lowest trump attacks first"
    assert any(line.startswith(said) for line in lines)
    assert cli.run(["rules", "--more", "lowest", "trump"]) == 0
    assert "  < durak:" in capsys.readouterr().out


def test_a_rule_is_found_as_somebody_types_what_the_screen_shows():
    """A Russian keyboard has no `T`, but a letter that looks like it."""
    for typed, name in (("d16", "D16"), ("T2.", "T2"), ("(C11)", "C11"), ("Т2", "T2"), ("с11", "C11"), ("М14", "M14"),
                        ("в3", "B3"), ("Д16", "D16")):
        assert book.rule_name(typed) == name and [rule.name for rule in book.select((typed,))] == [name], typed


def test_what_is_no_rule_is_unusable(capsys):
    """Exit code 2 and one sentence."""
    assert cli.run(["rules", "D99"]) == 2
    assert "D99 is neither a rule nor a page" in capsys.readouterr().err


def parse(source: str) -> list[str]:
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    return pages.named_in(function)


def test_a_test_names_rules_in_its_name_or_at_the_head_of_its_docstring():
    """Nowhere else: a rule that is only mentioned is not proved."""
    assert parse("def test_d19_sixth_card_only_after_take():\n    pass") == ["D19"]
    assert parse('def test_order():\n    "D24, D25: who draws first."') == ["D24", "D25"]
    assert parse('def test_order():\n    "Who draws first, see D24."') == []
    assert parse("def test_d2d_wire():\n    pass") == []


def test_a_page_is_found_by_being_there(monkeypatch, tmp_path):
    """A new game edits nothing: its page gives its letter."""
    for name, text in (("README", ""), ("table", "- **T1** One."), ("toy", "- **Y1** Two.\n- **Y1/T1 both**: three.")):
        (tmp_path / f"{name}.md").write_text(text + "\n")
    monkeypatch.setattr(pages, "PAGES", tmp_path)
    rules = book.read_rules()
    assert book.page_names() == ["table", "toy"]
    assert list(rules) == ["T1", "Y1"] and rules["T1"].details == rules["Y1"].details != []
    assert parse('def test_y1_t1_d1():\n    "Y2: and no other letter, D3."') == ["Y1", "T1", "Y2"]


def test_a_missing_test_and_a_stranger_are_found(monkeypatch):
    """A test of the test."""
    monkeypatch.setattr(book, "find_tests", lambda: [("tests/x.py::test_d99_x", ["D99"])])
    wrong = book.check()
    assert "tests/x.py::test_d99_x names D99, which is no rule" in wrong
    assert "D19 (durak) has no test that names it" in wrong


@pytest.mark.parametrize("language, said", [
    ("en", "throwers (D15): Who may throw in?"), ("ru", "throwers (D15): Кто может подкидывать?"),
])
def test_options_are_listed_with_rule_and_sentence(language, said, capsys):
    """Every option and value of every game; one that needs another says so, with the rule."""
    assert cli.run(["rules", "--options", "--lang", language]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert said in lines and "    jokers needs deck=54 (D8)" in lines
    for page in ("durak", "cals-bs", "bailiff", "malice"):
        game = find_game(page)
        for name, rule, values, *_ in game.OPTIONS:
            assert [line for line in lines if line.startswith(f"{name} ({rule}): ")], name
            for value in values.split() if isinstance(values, str) else ():
                assert [line for line in lines if line.startswith(f"  {value}: ")], value


def test_options_of_no_game_are_one_sentence(capsys):
    assert cli.run(["rules", "--options", "chess"]) == 2
    assert "no game chess on this table" in capsys.readouterr().err


@pytest.mark.parametrize("language", ["en", "ru"])
def test_an_option_has_a_rule_that_describes_it(language, monkeypatch):
    """Its name, and each value that has to be said; one that a game only lists is found."""
    assert rule_options.find_undescribed(language) == []
    monkeypatch.setattr(durak, "OPTIONS", (*durak.OPTIONS, ("kind_take", "D20", "no yes"), ("deck", "D1", "36 32")))
    assert rule_options.find_undescribed(language) == [
        f"durak, {language}: no rule quotes `kind_take=yes`, as D20 should",
        f"durak, {language}: no rule quotes `deck=32`, as D1 should",
    ]


def test_every_reading_of_a_source_that_is_not_played_stands_with_its_reason():
    """The list of `cardtable rules --readings`: the same readings in both languages, each with its decision."""
    cited = []
    for language, decided in (("en", "Decided: "), ("ru", "Решено: ")):
        readings = list(pages.other_readings(language))
        assert all(decided in reading for _, reading in readings)
        cited.append([(page, book.citations(pages.head_of("- " + reading))) for page, reading in readings])
    assert cited[0] == cited[1]
    assert len(cited[0]) == 7 and all(lines for _, lines in cited[0])
