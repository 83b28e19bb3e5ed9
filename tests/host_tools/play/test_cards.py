"""Which paper cards lie in hands that the table only counts (T4): after an undo, and after the process was killed."""

import json
from types import SimpleNamespace

import pytest

from cardtable.catalogue import find_game
from cardtable.engine.deck import SUIT
from cardtable.engine.event import AGREE, LEAD, NO_CARD, OWN_VERB, UNDO, Event, find_verb, unpack
from cardtable.engine.reading import close_header, read_key
from cardtable.engine.record import Header
from cardtable.engine.session import Session
from cardtable.engine.state import STOCK, UNSEEN
from cardtable.games import durak
from host_tools.base.random_play import make_header
from host_tools.judge.facts.durak import TRUMP
from host_tools.play.cards import FILE, Cards
from host_tools.play.known import Known
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
        self.folder, self.game, self.header, self.at_ms = folder, find_game(game), header, 0
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
        event = self.find_play()
        hand = self.cards.hand(event.seat)
        assert self.do(event.seat, event.verb, event.card, event.target)
        return event.seat, hand

    def find_play(self):
        """That play."""
        for seat in SEATS:
            for packed in look(self.session, seat, self.at_ms, self.cards.hand(seat)).moves:
                event = unpack(packed, seat, self.at_ms, Event())
                if event.verb >= OWN_VERB and event.card in self.cards.held:
                    return event
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


@pytest.mark.parametrize(("line", "seats"), [
    ("durak", 6), ("durak japanese-spades", 2), ("durak japanese-diamonds", 2)])
def test_d5_who_holds_the_lowest_trump_says_that_it_begins(line, seats, tmp_path):
    """D4, D10, D11: also where no card lies turned, or one whose suit is no trump."""
    turn = find_verb(durak, "turn")
    for seed in "abcdefgh":
        session = Session(durak, make_header(f"{line} deal=counted", seats, seats))
        cards = Cards(session, seed, seed, tmp_path)
        turned = cards.next_card(seats, turn, 0)
        if turned is not None:
            assert not session.play(Event(seats, turn, turned, 0, 0))
            cards.settle([turned])
        state = session.state
        worth = {(SUIT[card] != state.register[TRUMP], durak.power(state, card), seat): seat
                 for seat in range(1, seats + 1) for card in cards.hand(seat)}
        assert cards.find_lead(0) == worth[min(worth)], seed


def test_t7_of_two_events_in_one_look_the_last_one_can_be_taken_back(tmp_path):
    """Hands followed both at once: who took a beat back had another card of the stock in its place."""
    table = Counted("durak", tmp_path)
    known = Known(SimpleNamespace(flash=tmp_path, folder=tmp_path, language="en", lesson=None), seed=1, library=None,
                  on_line=str)
    course = SimpleNamespace(game=table.game, session=table.session, header=table.header, enact=table.session.enact)
    known.cards, known.follower.course, known.follower.on_said = table.cards, course, lambda said, refusal: None

    def happen(event):
        assert not table.session.judge(event)
        known.follower.happen(course, event, 0)

    first = table.find_play()
    happen(first)
    hands = {seat: [card for card in table.cards.hand(seat) if card != first.card] for seat in SEATS}
    second = table.find_play()
    happen(second)
    known.take_in()
    assert second.card not in table.cards.hand(second.seat) and second.card in hands[second.seat]
    for seat, verb in ((second.seat, UNDO), (3 - second.seat, AGREE)):
        known.follower.fresh.clear()  # as each look begins
        happen(Event(seat, verb, NO_CARD, 0, table.at_ms))
        known.take_in()
    assert {seat: sorted(table.cards.hand(seat)) for seat in SEATS} == hands


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
