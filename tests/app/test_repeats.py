"""One refusal or many (T6): the same event of the same seat without a pause is one."""

from cardtable.engine.deck import card_number
from cardtable.engine.event import Event, find_verb, pack, unpack
from cardtable.games import durak
from cardtable.play.repeats import QUIET_MS, Repeats

DONE = pack(find_verb(durak, "done"))
ATTACK = pack(find_verb(durak, "attack"), card_number("6S"))


def refuse(repeats, seat, packed, at_ms):
    """A refusal as the controller has it: None for a repeat, else the comment on what came before."""
    event = unpack(packed, seat, at_ms, Event())
    return None if repeats.take_repeat(event, packed) else repeats.begin(event, packed)


def test_t6_a_series_is_one_refusal_however_long_it_goes_on():
    """Each repetition puts the end off."""
    repeats = Repeats(durak)
    assert refuse(repeats, 1, DONE, 1000) == ""
    for index in range(100):
        assert refuse(repeats, 1, DONE, 1000 + (index + 1) * (QUIET_MS - 1)) is None
    last_ms = 1000 + 100 * (QUIET_MS - 1)
    assert repeats.end_quiet(last_ms + QUIET_MS - 1) == ""
    assert repeats.end_quiet(last_ms + QUIET_MS) == "; 100 more of: 1 done"
    assert repeats.end_quiet(last_ms + QUIET_MS) == ""


def test_t6_after_a_pause_it_is_a_refusal_of_its_own():
    """A player who tries again is recorded again."""
    repeats = Repeats(durak)
    assert refuse(repeats, 1, DONE, 0) == "" and refuse(repeats, 1, DONE, QUIET_MS) == ""
    assert repeats.end_quiet(10 * QUIET_MS) == ""


def test_t6_another_event_or_another_seat_is_another_refusal():
    """And ends the series of that seat alone."""
    repeats = Repeats(durak)
    refuse(repeats, 1, ATTACK, 0)
    refuse(repeats, 2, DONE, 0)
    assert refuse(repeats, 1, ATTACK, 10) is None and refuse(repeats, 2, DONE, 10) is None
    assert refuse(repeats, 1, DONE, 20) == "; 1 more of: 1 attack 6S"
    assert refuse(repeats, 2, DONE, 20) is None


def test_t6_what_is_accepted_ends_every_series():
    """The table stands otherwise now."""
    repeats = Repeats(durak)
    for seat in (1, 3, 7):
        refuse(repeats, seat, DONE, 0)
    refuse(repeats, 3, DONE, 10)
    refuse(repeats, 7, DONE, 10)
    assert repeats.end_all() == ["; 1 more of: 3 done", "; 1 more of: 7 done"]
    assert refuse(repeats, 1, DONE, 20) == "" and repeats.end_all() == []
