"""The rulebook in other languages: it says what the English one says, and a rule that it lacks is told in English."""

import json
import re
import shutil

import pytest

from host_tools import cli
from host_tools.look.frames import describe_rule
from host_tools.judge.rulebook import book, pages, translated
from host_tools.play.web import choices
from tests.host_tools.look.made import SPADES

CYRILLIC = re.compile("[а-яё]")
NOTE = "Этого правила по-русски ещё нет."


@pytest.fixture
def spoil(monkeypatch, tmp_path):
    """A copy of the rulebook, to be spoilt. `change(page, old, new)` changes a Russian page, English with `en`."""
    folder = tmp_path / "rules"
    shutil.copytree(pages.PAGES, folder)
    monkeypatch.setattr(pages, "PAGES", folder)
    choices.rules.cache_clear()

    def change(page, old, new, language="ru"):
        path = pages.pages_in(language) / f"{page}.md"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        pages.read_sources.cache_clear()

    yield change
    choices.rules.cache_clear()
    pages.read_sources.cache_clear()


def shown(capsys, *words):
    assert cli.run(["rules", *words]) == 0
    return capsys.readouterr().out


def test_every_language_says_every_rule_with_the_same_options_and_sources():
    """If this fails, translate the rules that it names in docs/rules/LANGUAGE; until then they are told in English."""
    wrong = translated.check()
    assert not wrong, "\n".join(["the pages of the rulebook differ:", *wrong])
    assert book.languages() == ["en", "ru"]


def test_every_rule_reading_and_source_is_written_in_russian():
    english, russian = book.read_rules("en"), book.read_rules("ru")
    assert list(english) == list(russian)
    for name, rule in russian.items():
        assert rule.language == "ru" and (rule.page, rule.name) == (english[name].page, name)
        for text in (rule.text, *rule.details, *rule.sources):
            assert CYRILLIC.search(text), (name, text)
        assert (len(rule.details), len(rule.sources)) == (len(english[name].details), len(english[name].sources)), name


def test_the_editions_are_the_same():
    (english,), (russian,) = (re.findall(pattern, (pages.pages_in(language) / "README.md").read_text())
                              for language, pattern in (("en", r"Edition (\d+)"), ("ru", r"Издание (\d+)")))
    assert english == russian


SPOILT = {
    "a rule is missing": (
        ("durak", "- **D7** Карту", "Карту", "ru"), "D7 is missing", "D7"),
    "an option is new": (
        ("durak", "`52` (2..A)", "`52` (2..A), `48` (3..A)", "en"), "D1 quotes no 48; says no 3", "D1"),
    "a number is another one": (
        ("durak", "2 to 6 seats", "2 to 7 seats", "en"), "D2 says no 7", "D2"),
    "a value is another one": (
        ("durak", "`first_bout=6`", "`first_bout=7`", "ru"),
        "D19 quotes no first_bout=6; quotes first_bout=7, as the English page does not", "D19"),
    "a source is another one": (
        ("malice", "(m:14) Двойку", "(m:15) Двойку", "ru"),
        "M8 cites no malice:14; cites malice:15, as the English page does not", "M8"),
    "a reading is missing": (
        ("bailiff", "- **B8 туз на четыре карты**: ", "", "ru"), "a reading of B8 is missing", "B8"),
    "a reading has another value": (
        ("cals_bs", "`deck=standard` — это", "`deck=five` — это", "ru"), "a reading of C16 quotes no deck=standard",
        "C16"),
    "a source is not told": (
        ("sources", "| 25 | Бьют", "| 24 | Бьют", "ru"), "sources.md does not tell durak:25, which D7 cites", "D7"),
}  # fmt: skip


@pytest.mark.parametrize("change, sentence, name", SPOILT.values(), ids=SPOILT)
def test_a_rule_that_is_not_the_same_is_named_and_told_in_english(spoil, capsys, change, sentence, name):
    """That one alone, with the line that says so; nothing is told half in one language."""
    before = book.read_rules("ru")
    spoil(*change)
    assert [line for line in translated.check() if line.endswith(sentence)], translated.check()
    assert translated.check()[0] in book.check()
    after = book.read_rules("ru")
    assert [rule for rule in after if after[rule].language == "en"] == [name]
    assert after[name] == book.read_rules("en")[name] and after["D8"] == before["D8"]
    assert NOTE in shown(capsys, "--lang", "ru", name) and NOTE not in shown(capsys, "--lang", "ru", "D8")
    assert choices.tell_rule(name, "ru")["language"] == "en" and choices.tell_rule("D8", "ru")["language"] == "ru"


def test_the_command_shows_rules_in_the_asked_language(capsys):
    """Its readings, sources and what the table says too; in English nothing else."""
    russian, english = shown(capsys, "--lang", "ru", "D18", "B8"), shown(capsys, "D18", "B8")
    assert "< durak:187: Не больше шести карт в атаке." in russian and "! Больше шести карт не подкидывают" in russian
    assert "Six attack cards" not in russian and not CYRILLIC.search(english)
    assert cli.run(["rules", "--lang", "xx", "D18"]) == 2
    assert "there is no language xx" in capsys.readouterr().err


def test_words_of_either_language_find_the_same_rules_and_show_them_as_asked(capsys):
    names = [re.findall(r"^[A-Z]\d+", shown(capsys, "--lang", language, word), re.MULTILINE)
             for word in ("проездной", "shown_trump") for language in ("en", "ru")]
    assert "D30" in names[0] and names[0] == names[1] and "D30" in names[2] and names[2] == names[3]


def test_a_page_gets_the_rule_in_its_language():
    """The table's page and the viewer; a title too."""
    for told in (choices.tell_rule("D16", "ru"), describe_rule("D16", "ru")):
        assert told["title"] == "Дурак" and "очередь идёт по часовой стрелке" in told["text"]
        assert all(map(CYRILLIC.search, (told["source"], *told["readings"]))) and told["language"] == "ru"
        assert "`" not in told["text"] and "*" not in " ".join(told["readings"])
    assert choices.tell_rule("T2", "ru")["title"] == "Стол" and choices.tell_rule("T2", "en")["title"] == "The table"
    assert choices.tell_rule("D16", "en")["language"] == "en"


def test_a_dispute_is_answered_in_russian_as_text_json_and_sheet(spoil, capsys, tmp_path):
    """Down to the rule and its source; and of a rule that is in English only, each says so."""
    def told():
        sheet = tmp_path / "sheet.html"
        texts = []
        for kind in ((), ("--json",), ("--html", str(sheet))):
            assert cli.run(["show", str(SPADES), "--at", "76", "--language", "ru", *kind]) == 0
            texts.append(capsys.readouterr().out)
        return texts[0], json.loads(texts[1])["rules"][0], sheet.read_text()

    from host_tools.look import answer

    for is_russian in (True, False):
        if not is_russian:
            spoil("durak", "- **D8** ", "")
        answer.read_rules.cache_clear()
        text, rule, sheet = told()
        for said in (text, f"{rule['text']} {rule['note']} {' '.join(rule['sources'])}", sheet):
            assert ("Джокера не бьёт ничто" in said, "Что может джокер" in said) == (is_russian, is_russian)
            assert (NOTE in said, "Nothing beats a joker" in said) == (not is_russian, not is_russian)
        assert rule["language"] == ("ru" if is_russian else "en") and f'<span lang="{rule["language"]}">' in sheet
    answer.read_rules.cache_clear()
