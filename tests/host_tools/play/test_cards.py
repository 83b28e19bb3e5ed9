"""Which paper cards lie in hands that the table only counts (T4): after an undo, and after the process was killed."""

import json

import pytest

from cardtable.catalogue import find_game
from cardtable.engine.event import AGREE, LEAD, NO_CARD, OWN_VERB, UNDO, Event, unpack
from cardtable.engine.reading import close_header, read_key
from cardtable.engine.record import Header
from cardtable.engine.session import Session
from cardtable.engine.state import STOCK, UNSEEN
from host_tools.play.cards import FILE, Cards
from host_tools.sight.seen import look

SEATS = (1, 2)
STEP_MS = 2000


class Counted:
    """A game of two whose hands are only counted, dealt, and its cards, kept in a folder."""

    def __init__(self, game, folder):
        header = Header()
        for line in (f"game: {game} deal=counted", "seats: Anna; Boris", "dealer: 2", f"nonce: {'ab' * 16}"):
            read_key(header, line, 0)
        close_header(header, 0)
        self.folder, self.game, self.at_ms = folder, find_game(game), 0
        self.session = Session(self.game, header)
        self.cards = Cards(self.session, "seed", "nonce", folder)
        while self.deal():
            pass

    def do(self, seat, verb, card=NO_CARD, target=0):
        """Let it happen; False if the table refuses it."""
        self.at_ms += STEP_MS
        event = Event(seat, verb, card, target, self.at_ms)
        if self.session.judge(event):
            return False
        self.session.enact(event)
        self.cards.settle([card])
        return True

    def deal(self):
        """One card that comes by chance, or the answer to who begins; False: all are dealt."""
        waits = bytearray(8)
        self.game.waiting(self.session.state, waits)
        for seat in SEATS:
            verb = self.game.CHANCE.get(waits[seat], 0)
            card = self.cards.next_card(seat, verb, self.at_ms) if verb else None
            if card is not None:
                return self.do(seat, verb, card)
        lead = self.cards.find_lead(self.at_ms)
        return bool(lead) and self.do(0, LEAD, NO_CARD, lead)

    def play(self):
        """(seat, hand before it) of the first play of a card that the table has not seen."""
        for seat in SEATS:
            hand = self.cards.hand(seat)
            for packed in look(self.session, seat, self.at_ms, hand).moves:
                event = unpack(packed, seat, 0, Event())
                if event.verb >= OWN_VERB and event.card in self.cards.held:
                    assert self.do(seat, event.verb, event.card, event.target)
                    return seat, hand
        raise AssertionError("nobody can play a card")

    def restart(self):
        """The process was killed, and comes back with what is on the disk."""
        self.cards = Cards(self.session, "another", "nonce", self.folder)


@pytest.mark.parametrize("is_killed", [False, True])
@pytest.mark.parametrize("game", ["durak", "malice", "bailiff"])
def test_t7_who_takes_a_play_back_has_the_same_card_again(game, is_killed, tmp_path):
    """Another card came from the stock: the undo of a bad card was a good one."""
    table = Counted(game, tmp_path)
    hands = {seat: table.cards.hand(seat) for seat in SEATS}
    seat, hand = table.play()
    order = list(table.cards.order)
    assert table.cards.hand(seat) != hand
    if is_killed:
        table.restart()
    assert table.do(seat, UNDO) and table.do(3 - seat, AGREE)
    if is_killed:
        table.restart()
    assert {seat: table.cards.hand(seat) for seat in SEATS} == hands
    assert sorted(table.cards.order) == sorted(order)
    assert table.play()[0] == seat and table.cards.order == order, "and what comes next is the same"


def test_m14_a_card_that_went_into_the_stock_at_once_has_left_the_hand_also_if_that_was_not_kept(tmp_path):
    """The record had the play; the process was killed before the hand without the card was on the disk."""
    table = Counted("malice", tmp_path)
    kept = (tmp_path / FILE).read_text()
    hand = table.cards.hand(1)
    state = table.session.state
    state.register[UNSEEN + 1] -= 1  # as the table counts it behind a play that completes a pile
    assert state.where[hand[1]] == STOCK
    (tmp_path / FILE).write_text(kept)
    table.cards = Cards(table.session, "another", "nonce", tmp_path, [hand[0], 255, hand[1]])
    assert table.cards.hand(1) == [card for card in hand if card != hand[1]]


@pytest.mark.parametrize("name, value", [("told", []), ("before", {"told": [], "order": [], "held": []})])
def test_r11_what_an_older_program_kept_is_read_without_the_moment_before(name, value, tmp_path):
    table = Counted("durak", tmp_path)
    kept = json.loads((tmp_path / FILE).read_text())
    (tmp_path / FILE).write_text(json.dumps({**kept, name: value}))
    hands = [table.cards.hand(seat) for seat in SEATS]
    table.restart()
    assert [table.cards.hand(seat) for seat in SEATS] == hands
