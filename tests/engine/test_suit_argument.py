"""An argument of kind suit: in a record, on the glass, from the menu of a seat, and in sentences."""

from cardtable.engine.event import NO_CARD, OWN_VERB, Event
from cardtable.engine.reading import read_event
from cardtable.engine.record import RecordError, write_event
from cardtable.play.seats import Seat
from cardtable.table.words import Words, argument_text


class Game:
    """A game in which a seat names a suit, alone or behind a card."""

    NAME = "wishes"
    VERBS = (("wish", "U", "MENU"), ("eight", "CU", "TAP"))
    PLACES = ()

    @staticmethod
    def choices(state, seat, verb, out):
        """It offers hearts first."""
        out.append(1)


class Session:
    """What a seat asks of it."""

    game = Game
    state = None


def test_a_suit_is_written_and_read():
    """RECORD: S H D C; anything else is no record."""
    event = Event()
    for line in ("1.0 1 wish S", "2.0 2 wish C", "3.5 1 eight 8S D"):
        assert read_event(Game, line, 1, event) == "" and write_event(Game, event) == line
    assert event.target == 2
    for wrong in ("4.0 1 wish X", "4.0 1 wish 2", "4.0 1 wish SH"):
        try:
            read_event(Game, wrong, 1, event)
        except RecordError as refused:
            assert "is no suit" in refused.cause
        else:
            raise AssertionError(wrong)


def test_a_suit_is_a_pip_on_the_glass():
    """As on the cards, in every language."""
    for language in ("en", "ru"):
        assert [argument_text(Words("durak", language), suit) for suit in "SHDC"] == ["♠", "♥", "♦", "♣"]


def test_a_seat_steps_through_the_four_suits():
    """From the menu all there are, what the game offers first; OK says the one that is shown."""
    seat = Seat(1, Session, lambda number, packed: 1)
    assert seat.choose_verb(OWN_VERB, 0, True) == 0 and seat.choices == [1, 0, 2, 3]
    assert seat.prompt() == ("wish", "H")
    assert seat.press_in_list(0, 1) & 0xFFFFFF == OWN_VERB << 16 | NO_CARD << 8 | 1
