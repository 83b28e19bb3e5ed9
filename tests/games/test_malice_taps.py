"""Malice at a seat: what a tap and the four buttons come to, by the app's own seat (play/seats.py)."""

from cardtable.engine.deck import card_number
from cardtable.engine.event import MENU_KEY, NO_KEY, OK_KEY, PACKED, SEAT_BITS, Event, unpack
from cardtable.engine.record import write_event
from cardtable.engine.verdict import rule_id
from cardtable.play.seats import Seat
from tests.games.malice_table import deal


class Hands:
    """Seat 1 of a table; `said` is what it has said so far, as in a record, without times."""

    def __init__(self, table):
        """table: a dealt one."""
        self.table = table
        self.said = []
        self.seat = Seat(1, table.session, self.ask)

    def ask(self, number: int, packed: int) -> int:
        return self.table.session.judge(unpack(packed, number, 0, Event()))

    def hear(self, said: int) -> None:
        """As the controller does it."""
        if said:
            event = unpack(said & PACKED, said >> SEAT_BITS, 0, Event())
            verdict = self.table.session.judge(event)
            rule = rule_id(self.table.game, verdict) if verdict else ""
            self.said.append(write_event(self.table.game, event, rule).split(" ", 2)[2])
            if not verdict:
                self.table.session.enact(event)

    def tap(self, name: str) -> str:
        """The card comes and goes; what is offered then, else what was said."""
        self.hear(self.seat.tap(card_number(name), 0))
        self.seat.left()
        return self.offered() or self.said[-1]

    def press(self, *keys) -> str:
        """Buttons; what is offered then, else what was said."""
        for key in keys:
            self.hear(self.seat.press(key, 0))
        return self.offered() or (self.said[-1] if self.said else "")

    def offered(self) -> str:
        """The bottom line without its words: `side 2?`."""
        if not self.seat.is_choosing():
            return ""
        verb, target = self.seat.prompt()
        return (verb + " " + target).strip() + "?"


def test_m9_a_tap_offers_side_piles_in_order():
    """M9: the first that fits; MENU steps through those that fit, OK takes it."""
    hands = Hands(deal("8S2", "QH2", sides="1.1 KC2, 1.3 9C2"))
    assert hands.tap("8S2") == "side 2?"
    assert hands.press(MENU_KEY) == "side 3?"
    assert hands.press(MENU_KEY) == "side 4?"
    assert hands.press(MENU_KEY, MENU_KEY, OK_KEY) == "side 8S2 3"
    assert hands.said == ["side 8S2 3"]


def test_m6_a_card_that_follows_is_offered_the_centre_first():
    """M6: then the side piles."""
    hands = Hands(deal("4S2", "QH2", centre="0 3 2 3"))
    assert hands.tap("4S2") == "centre 2?"
    assert hands.press(MENU_KEY) == "centre 4?"
    assert hands.press(MENU_KEY) == "side 1?"
    hands.press(NO_KEY)
    assert hands.said == []


def test_m7_the_only_pile_for_a_payoff_card_needs_no_ok():
    """M6, M7: and the next tap is the flip that is due."""
    hands = Hands(deal("9S2", "QH2", turned="KS QS", centre="5 12 0 0"))
    assert hands.tap("KS") == "centre KS 2"
    assert hands.tap("9S2") == "side 9S2 1 ! M7"
    assert hands.tap("4C") == "flip 4C"
    assert hands.tap("4C") == "centre 4C 1 ! M5"


def test_m8_a_forced_ace_is_explained_when_a_side_pile_or_end_is_refused():
    """M8, M17: never before: a tap of the ace only offers it the centre."""
    hands = Hands(deal("AH2 9S2", "QH2", centre="3 0 3 0"))
    assert hands.tap("9S2") == "side 9S2 1 ! M8"
    assert hands.press(OK_KEY) == "end ! M8"
    assert hands.tap("AH2") == "centre 2?"
    assert hands.press(MENU_KEY) == "centre 4?"
    assert hands.press(OK_KEY) == "centre AH2 4"
    assert hands.tap("9S2") == "side 1?"
    hands.press(NO_KEY)
    assert hands.press(OK_KEY) == "end"


def test_m13_a_joker_may_go_anywhere():
    """M13: eight places, in order."""
    hands = Hands(deal("XB", "QH2", centre="1 2 3 4"))
    offers = [hands.tap("XB")] + [hands.press(MENU_KEY) for _ in range(8)]
    assert offers == ["%s %d?" % (verb, pile) for verb in ("centre", "side") for pile in (1, 2, 3, 4)] + ["centre 1?"]


def test_m12_out_of_turn_and_while_cards_are_due():
    """M12, M4: said at once, and why it is refused."""
    hands = Hands(deal("9S2", "QH2", turned="QS KS"))
    assert hands.tap("9S2") == "side 9S2 1 ! M12"
    assert hands.tap("3S2") == "draw 3S2 ! M12"
    assert hands.tap("4C") == "flip 4C ! M12"
    hands = Hands(deal("9S2", "QH2"))
    assert hands.tap("3S2") == "draw 3S2 ! M4"


def test_m5_a_player_can_insist_through_the_menu():
    """M5, T6: the verb, the card, then any pile: refused, with its rule."""
    hands = Hands(deal("9S2", "QH2", centre="3 3 0 0"))
    hands.press(MENU_KEY, MENU_KEY)
    assert hands.press(OK_KEY) == "centre?"
    assert hands.tap("9S2") == "centre 1?"
    assert hands.press(MENU_KEY) == "centre 2?"
    assert hands.press(OK_KEY) == "centre 9S2 2 ! M5"


def test_m10_is_told_where_it_is_what_bars_the_card():
    """M9, M10: of four piles that take no card the one tells why that would take it once the centre stands."""
    hands = Hands(deal("2S2", "QH2", sides="1.1 9C2, 1.2 3D2, 1.3 9S2, 1.4 KH2"))
    assert hands.tap("2S2") == "side 2S2 2 ! M10"
    hands = Hands(deal("2S2", "QH2", sides="1.1 9C2, 1.2 8D2, 1.3 9S2, 1.4 KH2"))
    assert hands.tap("2S2") == "side 2S2 1 ! M9"
