"""`cardtable perft`: what it counts is what the judge accepts, and docs/perft.md says the same.

    python -c "import tests.conftest; from tests.host_tools import test_perft as t; t.print_table()"  # its table anew
"""

import re

import pytest

from cardtable.catalogue import find_game
from cardtable.engine.event import DRAW, NO_CARD, OWN_VERB, Event, verb_arguments
from cardtable.engine.session import is_said_by_table
from cardtable.engine.deck import card_number
from cardtable.engine.state import SEATS, State, find_place
from host_tools.base.errors import UnusableInput
from host_tools.cli import RIGHT, UNUSABLE, run
from host_tools.judge.perft import count_sequences, make_room
from host_tools.judge.presses import count_presses
from host_tools.judge.replay.position import play_to
from tests.conftest import ROOT
from tests.games.cals_bs_table import deal
from tests.games.random_games import Refused, start_game

RECORDS = ROOT / "tests" / "records"
PAGE = ROOT / "docs" / "perft.md"
ROW = re.compile(r"^\| ([\w/-]+): `[^`]*` \| (\d+) \|([\d, |]+)\|$", re.MULTILINE)
CHEAP = 3000  # sequences that a test counts for one figure of the page
MOST = 400_000  # that the page has
DEEPEST = 5
# What the arguments of a verb can be, and a little more; a card comes first, any other is the event's target.
RANGES = {"R": range(15), "N": range(14), "S": range(9)}


def every_event(game, seats, now_ms):
    """Each event that can be written down for the seats: the game's verbs and `draw`, with all arguments."""
    verbs = [OWN_VERB + index for index in range(len(game.VERBS))]
    for verb in [DRAW, *(verb for verb in verbs if not is_said_by_table(game, verb))]:
        kinds = verb_arguments(game, verb)
        cards = range(game.CARDS) if kinds[:1] == "C" else [NO_CARD]
        rest = kinds[1:] if kinds[:1] == "C" else kinds
        targets = range(game.CARDS) if rest == "C" else RANGES[rest] if rest else [0]
        for seat in range(1, seats + 1):
            for card in cards:
                for target in targets:
                    yield Event(seat, verb, card, target, now_ms)


def count_by_force(session, depth, now_ms):
    """The same number without `moves`: every event that can be written down is judged."""
    state = session.state
    kept = State(len(state.where), len(state.register))
    kept.copy(state)
    total = 0
    for event in every_event(session.game, state.register[SEATS], now_ms):
        if session.judge(event):
            continue
        if depth == 1:
            total += 1
            continue
        session.enact(event)
        total += count_by_force(session, depth - 1, now_ms)
        state.copy(kept)
    return total


@pytest.mark.parametrize("name", ["durak", "cals-bs", "bailiff", "malice"])
def test_what_is_counted_is_what_the_judge_accepts(name):
    """In random games of any options: in some states of each one event, in one of them two."""
    game = find_game(name)
    checked = deeper = 0
    for seed in range(40, 46):
        play = start_game(game, seed, Refused())
        for step in range(160):
            if step % 40 == seed % 40:
                now_ms = play.event.at_ms
                rooms = make_room(play.session.state, 2)
                assert count_sequences(game, rooms, 0, 1, now_ms) == count_by_force(play.session, 1, now_ms), play.title
                checked += 1
                two = count_sequences(game, rooms, 0, 2, now_ms)
                if not deeper and 4 < count_sequences(game, rooms, 0, 1, now_ms) < 80:
                    assert two == count_by_force(play.session, 2, now_ms), play.title
                    deeper += 1
            if not play.step():
                break
    assert checked > 8 and deeper == 1


def count_all(session, now_ms, most, deepest=DEEPEST):
    """The numbers of 1, 2, ... events, as long as they stay below `most`."""
    found = []
    rooms = make_room(session.state, deepest)
    while len(found) < deepest:
        count = count_sequences(session.game, rooms, 0, len(found) + 1, now_ms)
        if count > most:
            break
        found.append(count)
    return found


def rows():
    """(record, line, numbers) of the page."""
    for name, line, numbers in ROW.findall(PAGE.read_text(encoding="utf-8")):
        yield name, int(line), [int(number.replace(",", "")) for number in numbers.split("|") if number.strip()]


def test_the_page_has_a_position_of_every_record():
    """Of the games that it has: a new game is whole without a row there."""
    names = {str(path.relative_to(RECORDS).with_suffix("")) for path in RECORDS.rglob("*.rec")}
    told = {name for name, _, _ in rows()}
    games = {name.partition("/")[0] for name in told}
    assert told == {name for name in names if name.partition("/")[0] in games}
    assert {"bailiff", "cals-bs", "durak", "malice"} <= games


def test_the_records_have_every_value_of_every_option():
    """So the page's positions have them, as words of the `game:` line; the first value of each is the default."""
    said = {}
    for path in RECORDS.rglob("*.rec"):
        words = path.read_text().split("game: ", 1)[1].split("\n")[0].split()
        said.setdefault(words[0], set()).update(words[1:])
    for name, words in said.items():
        game = find_game(name)
        assert {preset[0] for preset in game.PRESETS[1:]} <= words
        for option, _, values in [row[:3] for row in game.OPTIONS]:
            if isinstance(values, str):
                assert {f"{option}={value}" for value in values.split()[1:]} <= words, option


def test_the_numbers_of_the_page_are_right():
    """Those that are quickly counted, two at least."""
    for name, line, numbers in rows():
        session, now_ms = play_to(str(RECORDS / f"{name}.rec"), line)
        cheap = [number for number in numbers if number <= CHEAP]
        assert numbers and cheap == count_all(session, now_ms, CHEAP, len(cheap)), name


def test_the_command_prints_each_depth(capsys):
    name, line, numbers = next(row for row in rows() if len(row[2]) > 2 and row[2][2] < CHEAP)
    assert run(["perft", str(RECORDS / f"{name}.rec"), "--line", str(line), "--depth", "3"]) == RIGHT
    out = capsys.readouterr().out.splitlines()
    assert [[int(word.replace(",", "")) for word in row.split()] for row in out[:3]] == [
        [depth + 1, numbers[depth]] for depth in range(3)]


def test_a_game_that_is_over_allows_nothing(capsys):
    assert run(["perft", str(RECORDS / "durak" / "throw-in-0001.rec"), "--depth", "2"]) == RIGHT
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [["1", "0"], ["2", "0"]]


def test_what_cannot_be_used_is_one_sentence(capsys, tmp_path):
    whole = (RECORDS / "durak" / "throw-in-0001.rec").read_text()
    (tmp_path / "wrong.rec").write_text(whole.replace("18.3 2 take\n", ""))
    (tmp_path / "none.rec").write_text("cardtable 1\n")
    (tmp_path / "setup.rec").write_text(whole.replace("throw-in", "throw-out"))
    (tmp_path / "whole.rec").write_text(whole)
    for name, line, cause in (("wrong", 60, ":39: the engine judges otherwise"), ("none", 1, ":1: the header does not"),
                              ("setup", 60, ": "), ("whole", 3, ":6: events are the lines 7 to "),
                              ("whole", 9999, ":6: events are the lines 7 to ")):
        assert run(["perft", str(tmp_path / f"{name}.rec"), "--line", str(line)]) == UNUSABLE
        said = capsys.readouterr().err
        assert said.startswith(f"{tmp_path}/{name}.rec{cause}") and said.count("\n") == 1, said


def find_line(path):
    """The middle of the record's events, or the nearest line behind it from which more than one event goes on."""
    lines = path.read_text().splitlines()
    first = lines.index("") + 1
    events = [number for number in range(first, len(lines)) if lines[number][:1].isdigit()]
    middle = len(events) // 2
    for number in [*events[middle:], *reversed(events[:middle])]:
        session, now_ms = play_to(str(path), number + 1)
        if sum(count_all(session, now_ms, MOST, 2)) > 4:
            return number + 1
    return events[middle] + 1


def print_table():
    """The rows of the page."""
    for path in sorted(RECORDS.rglob("*.rec")):
        line = find_line(path)
        session, now_ms = play_to(str(path), line)
        numbers = [f"{number:,}" for number in count_all(session, now_ms, MOST)]
        numbers += [""] * (DEEPEST - len(numbers))
        name = path.relative_to(RECORDS).with_suffix("")
        mix = path.read_text().split("game: ", 1)[1].split("\n")[0]
        print(f"| {name}: `{mix}` | {line} | {' | '.join(numbers)} |")


def few_cards():
    """Cal's BS of two: three cards against two, all others out of the game; seat 1 leads."""
    table = deal("cals-bs", "7S 7H 8S", "9S TS")
    for name in table.cards("stock") + table.cards("hand1") + table.cards("hand2"):
        if name not in "7S 7H 8S 9S TS".split():
            table.game.put(table.state, card_number(name), find_place(table.game, "discard"))
    for seat, names in ((1, "7S 7H 8S"), (2, "9S TS")):
        for name in names.split():
            table.game.put(table.state, card_number(name), find_place(table.game, f"hand{seat}"))
    assert not table.game.audit(table.state)
    return table


def test_presses_count_a_set_once_in_whatever_order_it_was_tapped():
    """One: 7 sets of 13 ranks, or going out. Two: each of 6 sets is asked for, passed, doubted or followed by 3 sets;
    the whole hand is false, and the other leads 3 sets of 13 ranks or goes out; behind going out come 91 claims."""
    table = few_cards()
    assert count_presses(table.game, table.state, 1, 1000) == 7 * 13 + 1
    assert count_presses(table.game, table.state, 2, 1000) == 6 * 13 * (1 + 1 + 1 + 3) + 13 * (3 * 13 + 1) + 7 * 13


def test_presses_do_not_depend_on_what_is_laid_ready():
    """Cards that lie ready may be taken back first: the same presses."""
    table = few_cards()
    table.talk("1 lay 8S / 1 lay 7S")
    assert count_presses(table.game, table.state, 1, 1000) == 7 * 13 + 1


def test_presses_are_for_games_that_lay_ready(capsys):
    """In the other games each tap is a word of its own."""
    assert run(["perft", str(RECORDS / "bailiff" / "game-0000.rec"), "--presses"]) == UNUSABLE
    assert "leave --presses out" in capsys.readouterr().err


def test_a_record_is_played_as_the_engine_judges_and_nothing_behind_its_end(tmp_path):
    """As `cardtable replay` has it: another rule of a refusal, and whatever stands behind the result, are told."""
    text = (RECORDS / "durak" / "throw-in-0001.rec").read_text()
    path = tmp_path / "one.rec"
    path.write_text(text + "; a comment\n")
    assert play_to(str(path))[0].is_over()
    for changed, told in ((text.replace(" ! D3 T3", " ! D1", 1), "the engine judges otherwise"),
                          (text + "result: fool 1\n", "something stands behind the result")):
        path.write_text(changed)
        with pytest.raises(UnusableInput, match=told):
            play_to(str(path))
