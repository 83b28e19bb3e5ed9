"""A game on one page in plain words: every game and language has one, and no option of a table is missing from it."""

import re

import pytest

from cardtable.catalogue import find_game
from cardtable.engine.setup import TABLE_OPTIONS, is_for_seats
from host_tools import cli
from host_tools.base.errors import UnusableInput
from host_tools.judge.rulebook import summary
from host_tools.judge.rulebook.book import page_names, read_rules
from host_tools.judge.rulebook.summary import read_lines, summarise
from host_tools.judge.sentences.language import languages

GAMES = [find_game(page.replace("_", "-")) for page in page_names() if page != "table"]
LINES = [f"{game.NAME} {preset}" for game in GAMES for preset, _ in game.PRESETS]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.NAME)
def test_each_sentence_of_a_page_names_its_rules_and_asks_only_for_what_there_is(game, language):
    """A condition that names no option, or no value of it, would hide its sentence for ever."""
    rules = read_rules()
    values = {"preset": [name for name, _ in game.PRESETS]}
    for name, _, said, *_ in (*game.OPTIONS, *TABLE_OPTIONS):
        values[name] = said.split(" ") if isinstance(said, str) else ["0"]
    page = game.NAME.replace("-", "_")
    lines = read_lines(page, language)
    assert (summary.FOLDER / f"{page}.{language}.txt").is_file() and lines
    for line in lines:
        assert line.is_goal or line.rules and line.part, line
        assert all(rules[name].page in (page, "table") for name in line.rules), line
        assert all(set(wanted) <= set(values[name]) for name, _, wanted in line.when), line
        assert set(re.findall(r"{(\w+)}", line.text)) <= set(values), line


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.NAME)
def test_the_pages_of_all_languages_tell_the_same_rules_under_the_same_conditions(game):
    told = [[(line.when, line.rules, line.is_goal) for line in read_lines(game.NAME.replace("-", "_"), language)]
            for language in languages()]
    assert all(one == told[0] for one in told)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("line", LINES)
def test_a_page_is_short_and_has_a_goal_of_one_line(line, language):
    page = summarise(line, language)
    words = sum(len(text.split()) for _, sentences in page.parts for text, _ in sentences)
    assert 100 <= words <= 300, words
    assert 20 <= len(page.goal) <= 100 and "{" not in page.goal
    assert not page.house and page.usual  # a preset by itself is as usual
    assert len({text for _, sentences in page.parts for text, _ in sentences}) == sum(len(one) for _, one in page.parts)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.NAME)
def test_every_option_that_is_otherwise_than_usual_stands_on_the_page(game):
    """By its own words, so that a new option is there by itself; what its mix needs is set, too."""
    for name, _, values, *_ in (*game.OPTIONS, *TABLE_OPTIONS):
        needs = [need for need in game.NEEDS if name in re.findall(r"(\w+)(?:=\S+)?", need[0])]
        needed = [f"{key}={allowed.split()[0]}" for _, key, allowed, _ in needs if key not in ("seats", "preset")]
        presets = [allowed.split()[0] for _, key, allowed, _ in needs if key == "preset"]
        number = "2:2" if is_for_seats(values) else "" if isinstance(values, str) else str(values[1] - 1)
        others = [number] if number else values.split(" ")
        found = 0
        for value in others:
            line = " ".join([game.NAME, *presets[:1], *needed, f"{name}={value}"])
            try:
                page = summarise(line)
            except UnusableInput:
                continue  # this value needs another mix; others of the option do not
            mine = [one for one in page.house if one.name == name]
            found += bool(mine) and mine[0].answer != mine[0].usual
        assert found, name


# Values of which a page has nothing to say where it says something of another value: what is not there.
UNSAID = {
    "durak": "deck=36 deck=52 deck=24 transfer=no first_transfer=yes round=no cheating=0 epaulettes=no preset=throw-in "
             "preset=transfer",
    "cals-bs": "deck=52 deck=36 belief=no extras=no", "bailiff": "raise_and_extend=no",
    "malice": "jokers=none centre_cards=any kings=high refill=no",
}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.NAME)
def test_a_page_that_tells_one_value_of_an_option_tells_the_others(game):
    """Two options in one condition hide what a third value does; what may go unsaid is said here."""
    values = {name: said.split(" ") for name, _, said, *_ in (*game.OPTIONS, *TABLE_OPTIONS) if isinstance(said, str)}
    lines = [line for line in read_lines(game.NAME.replace("-", "_"), "en") if not line.is_goal]
    missing = []
    for name in {name for line in lines for name, _, _ in line.when} & set(values):
        told = {value for line in lines for one, is_equal, wanted in line.when if one == name
                for value in values[name] if (value in wanted) == is_equal}
        missing += [f"{name}={value}" for value in values[name] if value not in told]
    assert not set(missing) - set(UNSAID.get(game.NAME, "").split(" "))


@pytest.mark.parametrize(("line", "rule", "told", "not_told"), [
    ("cals-bs cals-bs-54", "C12", "sets of five", "sets of four"), ("cals-bs", "C12", "sets of four", "sets of five"),
    ("cals-bs extras=no ranks=rising", "C8", "leads again; the pile", "any rank"),
    ("cals-bs extras=no ranks=beside", "C8", "with any rank", "again;"),
    ("durak teams=2x2 draws=no", "D40", "team has lost", "is the fool"),
    ("durak late_limit=always", "D19", "five, and a sixth", "strict"),
    ("durak transfer first_transfer=first-game", "D28", "match's first game", "In the first bout nobody"),
    ("durak epaulettes=yes", "D41", "sixes alone", "Sixes in"), ("durak epaulettes=any", "D41", "Sixes in", "alone"),
    ("cals-bs cals-bs-54 extras=no ranks=rising", "C19", "after tens come aces", "kings"),
    ("malice kings-wild", "M5", "up to the queen", "up to the king"), ("malice", "M5", "up to the king", "queen"),
])
def test_what_two_options_make_together_stands_on_the_page(line, rule, told, not_told):
    said = " ".join(text for _, sentences in summarise(line).parts for text, rules in sentences if rule in rules)
    assert told in said and not_told not in said


def test_a_house_rule_is_filled_into_the_sentences():
    assert "Each player gets four cards." in str(summarise("durak transfer hand=4").parts)
    assert "pile of 12 cards" in summarise("malice payoff=12").goal and "cards" not in summarise("malice").goal
    assert "ace to queen" in summarise("malice kings-wild").goal and "ace to king" in summarise("malice").goal
    assert "team" in summarise("durak teams=2x2").goal and "Partners" not in str(summarise("durak").parts)
    told = summarise("durak own_clock=2:60", names=("Anna", "Boris")).house
    assert [(one.name, one.answer, one.usual) for one in told] == [("own_clock", "Boris, 60 s", "nobody")]


def test_the_command_tells_a_page_and_refuses_what_is_none(capsys):
    assert cli.run(["rules", "--page", "--lang", "ru", "durak", "transfer", "hand=4"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Дурак переводной\nИзбавьтесь от карт")
    assert "За этим столом\n  Сколько карт в руке? четыре" in said
    assert cli.run(["rules", "--page", "durak", "bad=4"]) == 2
    assert "durak has no option bad" in capsys.readouterr().err
