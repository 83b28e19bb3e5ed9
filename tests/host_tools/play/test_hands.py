"""Hands at the live table, whose game may end or be another one before they have done what they began."""

import itertools
from types import SimpleNamespace

import pytest

from cardtable.engine.deck import card_name
from cardtable.engine.event import find_verb, pack
from cardtable.engine.reading import read_header
from cardtable.engine.session import Session
from cardtable.games import bailiff, durak
from host_tools.base.bugs import BugLog
from host_tools.play.hands import SeatHands
from host_tools.play.tags import LiveFingers

PLACE = 1


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


def table_with(game, bugs=None):
    """What hands look at of a table at which that game is played. `put`: every card that was laid on a reader."""
    table = SimpleNamespace(world=Buttons(), game=game, session=session_of(game), header=SimpleNamespace(places=[1, 2]),
                            follower=SimpleNamespace(course=object()), bugs=bugs, now_us=0, now_ms=0, laid=[],
                            answers=lambda seat: 0, seat_at=lambda place: place, light=lambda place: (0, 0, 0),
                            may_choose=lambda place: False,
                            name_of=card_name)
    table.tags = SimpleNamespace(lying={PLACE: []}, on_their_way=set(), gone_in_us=lambda place, card: 50_000,
                                 put=lambda place, card: table.laid.append(card) or True, take=lambda place, card: None)
    table.fingers = LiveFingers(table)
    return table


class Asked(SeatHands):
    """Hands that do nothing but what they are asked for."""

    def _due_draw(self):
        return None

    def _own_act(self):
        return None


ACTS = {
    "done": lambda hands: hands.play(pack(find_verb(durak, "done"))),
    "tap": lambda hands: hands.tap("7S"),
    "draw": lambda hands: hands._draw(3),
}


def act_for(moments, name):
    """A table and its hands after that many waits of an act, and what goes on with it."""
    table = table_with(durak)
    hands = Asked(table, PLACE)
    hands.ask(lambda: ACTS[name](hands))

    def go_on():
        for wish in hands.run():
            table.now_us = table.world.now_us = table.now_us + wish
            yield hands.is_busy

    steps = go_on()
    for _ in range(moments):
        next(steps)
    return table, hands, steps


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("other", (None, bailiff))
def test_an_act_ends_with_its_game(name, other):
    """At whatever moment the table is given another game, or none: nothing is said in that one, no button stays held,
    and the hands are ready for the next act. A draw of the game before, laid in the next one's deal, made a first game
    stand still."""
    _, _, steps = act_for(0, name)
    waits = sum(1 for _ in itertools.takewhile(bool, steps))
    assert waits > 2
    for moment in range(1, waits + 1):
        table, hands, steps = act_for(moment, name)
        laid = list(table.laid)
        table.game, table.session, table.follower.course = other, other and session_of(other), other and object()
        while next(steps):
            pass
        assert hands.gave_up == "the game has gone" and table.laid == laid
        assert not table.world.held and not table.tags.on_their_way


def test_a_play_leaves_a_choice_that_is_open_first():
    """Its OK would have been a yes to that. NO alone would say something if the choice has just been left."""
    table, pressed = table_with(durak), []
    table.may_choose = lambda place: not pressed
    table.world.press = lambda place, key: pressed.append(key)
    for wish in SeatHands(table, PLACE).play(pack(find_verb(durak, "done"))):
        table.now_us = table.world.now_us = table.now_us + wish
    assert pressed[:2] == ["MENU", "NO"] and len(pressed) > 2


def test_a_bug_in_an_act_costs_the_act_and_not_the_table(tmp_path, capsys):
    table, done = table_with(durak, BugLog(tmp_path)), []
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
