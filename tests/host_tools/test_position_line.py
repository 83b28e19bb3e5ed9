"""A position as one line (docs/perft.md): round trip over random states, what is refused, `perft --divide`."""

import pytest

from cardtable.catalogue import find_game
from host_tools.cli import RIGHT, UNUSABLE, run
from host_tools.base.errors import UnusableInput
from host_tools.judge.perft import count_sequences, divide, make_room
from host_tools.judge.position_line import read_position, write_position
from tests.conftest import ROOT
from tests.games.random_games import Refused, start_game

RECORD = str(ROOT / "tests" / "records" / "durak" / "scenario-60_cheat_caught.rec")
GAMES = 12


@pytest.mark.parametrize("name", ["durak", "cals-bs", "bailiff", "malice"])
def test_every_state_of_random_games_is_written_and_read_again(name):
    """Every byte comes back, and the same events are accepted."""
    game = find_game(name)
    written = set()
    for seed in range(70, 70 + GAMES):
        play = start_game(game, seed, Refused())
        while play.step():
            if play.events % 29 == seed % 29 or play.session.is_over():
                line = write_position(play.session, play.header, play.event.at_ms)
                session, at_ms = read_position(line)
                assert session.state.is_equal(play.session.state), line
                assert at_ms == play.event.at_ms and session.game is game
                assert write_position(session, play.header, at_ms) == line and "\n" not in line
                written.add(line)
    assert len(written) > 3 * GAMES


@pytest.mark.parametrize("line", [
    "", "durak", "durak throw-in; 2 seats, dealer 2; ; ", "chess; 2 seats, dealer 2; ; ; 0.0 s",
    "durak throw-in; 9 seats, dealer 2; ; ; 0.0 s",
    "durak throw-in; 99999999999 seats, dealer 2; ; ; 0.0 s", "durak throw-in; 0 seats, dealer 2; ; ; 0.0 s",
    "durak throw-in; 2 seats; ; ; 0.0 s",
    "durak throw-in; 2 seats, dealer 2; hand1 6X; ; 0.0 s", "durak throw-in; 2 seats, dealer 2; pocket 6S; ; 0.0 s",
    "durak throw-in; 2 seats, dealer 2; ; mood 3; 0.0 s", "durak throw-in; 2 seats, dealer 2; ; phase 900; 0.0 s",
    "durak throw-in; 2 seats, dealer 2; hand1 6S, hand2 6S; ; 0.0 s",
    "durak throw-in; 2 seats, dealer 2; ; log 00; 0.0 s",
    "durak throw-in; 2 seats, dealer 2; ; ; soon",
    f"durak throw-in; 2 seats, dealer {10**300}; ; ; 0.0 s", f"durak throw-in; 2 seats, dealer {'1' * 5001}; ; ; 0.0 s",
])
def test_what_is_no_position_is_one_sentence(line):
    with pytest.raises(UnusableInput, match=r"^This is no position: (?!Exceeds).*\.$"):
        read_position(line)


def test_a_position_that_cannot_be_is_refused():
    """T1: in a bout without an attacker."""
    with pytest.raises(UnusableInput, match="impossible roles"):
        read_position("durak throw-in; 2 seats, dealer 2; ; phase 1; 0.0 s")


@pytest.mark.parametrize("line", [
    "bailiff move_limit=8; 2 seats, dealer 2; hand1 6S, hand2 7S; phase 1, turn 35; 0.0 s",
    "durak throw-in; 2 seats, dealer 2; hand1 6S, hand2 7S; phase 1, attacker 1, defender 193; 0.0 s",
    "bailiff bailiff; 5 seats, dealer 4; hand1 6S; phase 1, turn 2, unseen 00ff000000000000; 0.0 s",
])
def test_a_position_of_a_seat_that_is_not_there_is_refused(line):
    with pytest.raises(UnusableInput, match="^This position cannot be: "):
        read_position(line)


def test_perft_counts_the_same_from_a_line_as_from_its_record(capsys):
    """`--write`, then `--position`: the same numbers; `--divide` adds up to them."""
    assert run(["perft", RECORD, "--write"]) == RIGHT
    line = capsys.readouterr().out.strip()
    counts = []
    for source in ([RECORD], ["--position", line]):
        assert run(["perft", *source, "--depth", "3"]) == RIGHT
        counts.append([row for row in capsys.readouterr().out.splitlines() if "nodes/s" not in row])
    assert counts[0] == counts[1]
    assert run(["perft", RECORD, "--depth", "3", "--divide"]) == RIGHT
    rows = [int(row.split()[0].replace(",", "")) for row in capsys.readouterr().out.splitlines()]
    assert sum(rows[:-1]) == rows[-1] == int(counts[0][2].split()[1].replace(",", "")) and len(rows) > 2
    assert run(["perft"]) == UNUSABLE and run(["perft", RECORD, "--position", line]) == UNUSABLE


def test_what_begins_with_each_event_is_what_is_counted_from_there():
    session, now_ms = read_position("bailiff; 2 seats, dealer 2; hand1 6S 7S AC, hand2 6H 8H; phase 1, turn 1; 1.0 s")
    rooms = make_room(session.state, 3)
    found = divide(session.game, rooms, 3, now_ms)
    assert len(found) == 3 and sum(count for _, _, count in found) == count_sequences(session.game, rooms, 0, 3, now_ms)
