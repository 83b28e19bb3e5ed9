"""Hands at the live table, whose game may end or be another one before they have done what they began."""

from types import SimpleNamespace

import pytest

from cardtable.engine.event import Event, find_verb
from cardtable.engine.reading import read_header
from cardtable.engine.session import Session
from cardtable.games import bailiff, durak
from host_tools.base.bugs import BugLog
from host_tools.play.hands import SeatHands
from host_tools.play.table import LiveFingers
from host_tools.virtual.fingers import HandsError

PLACE = 1
DONE = Event(1, find_verb(durak, "done"), 0, 0, 0)


class Buttons:
    """A world of which only the buttons are there."""

    now_us = 0

    def __init__(self):
        self.held = set()

    def press(self, place, key):
        self.held.add((place, key))

    def release(self, place, key):
        self.held.discard((place, key))


def session_of(game):
    """A game of two that has just begun."""
    text = "cardtable 1\ngame: {}\nseats: Anna; Boris\ndealer: 2\n\n".format(game.__name__.rpartition(".")[2])
    return Session(game, read_header(iter(text.splitlines(keepends=True)))[0])


def table_with(game):
    """What hands look at of a table at which that game is played."""
    return SimpleNamespace(world=Buttons(), game=game, session=session_of(game), header=SimpleNamespace(places=[1, 2]),
                           answers=lambda seat: 0, seat_at=lambda place: place, lying={PLACE: []})


def steps_of(acting, world):
    """What the act does, step by step, while the time passes that it waits for."""
    for wish in acting:
        world.now_us += wish
        yield


def count_steps():
    """How often the act that is tried waits."""
    table = table_with(durak)
    return sum(1 for _ in steps_of(LiveFingers(table).act(DONE), table.world))


@pytest.mark.parametrize("other", (None, bailiff))
def test_an_act_ends_with_its_game(other):
    """At whatever moment the table is given another game, or none: one error that hands know, and no button held."""
    moments = count_steps()
    assert moments > 10
    for moment in range(1, moments):
        table = table_with(durak)
        steps = steps_of(LiveFingers(table).act(DONE), table.world)
        for _ in range(moment):
            next(steps)
        table.game, table.session = other, other and session_of(other)
        with pytest.raises(HandsError, match="the game has gone"):
            next(steps)
        assert not table.world.held


class Asked(SeatHands):
    """Hands that do nothing but what they are asked for."""

    def _due_draw(self):
        return None

    def _own_act(self):
        return None


def test_a_bug_in_an_act_costs_the_act_and_not_the_table(tmp_path, capsys):
    table, done = table_with(durak), []
    table.bugs, table.now_us = BugLog(tmp_path), 0
    table.fingers = LiveFingers(table)
    hands = Asked(table, PLACE)

    def broken():
        yield 1
        raise KeyError("planted")

    def whole():
        done.append(True)
        yield 1

    hands.ask(broken)
    hands.ask(whole)
    acting = hands.run()
    for _ in range(4):
        next(acting)
    assert done and hands.gave_up == "this did not work: it is bug 1 of this server"
    assert "planted" in (tmp_path / "bugs.txt").read_text() and "bug 1: KeyError" in capsys.readouterr().err
