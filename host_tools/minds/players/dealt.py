"""Which cards come by chance, and who holds those that the table has only counted (deal=counted, T4).

Cards that come by tap (deal, draw, turned trump) come from the shuffled deck of random_play.py. With deal=counted
nobody taps them: the deck then goes into hands that only their owners see, as at a real table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardtable.engine.hands import count_hand
from cardtable.engine.state import DEAL, NOWHERE, STOCK, UNSEEN, State
from host_tools.base.random_play import RandomGame


class DeckTooShort(AssertionError):
    """The deck has no card for a hand that the table has filled: a bug of a game or of this file."""


def mark_hidden(game: Any, where: bytearray) -> bytes:
    """Where cards lie from which they come, by where they lie at first: for `bytes.translate`, 1 for each such place.

    Places of one name go together: a payoff card that was shown and went back lies in its pile again (M2).
    """
    at_first = game.NAME, bytes(where)
    if at_first not in _HIDDEN:
        rows = {place: name for name, first, count in game.PLACES for place in range(first, first + count)}
        names = {rows[place] for place in set(where) if place != NOWHERE}
        _HIDDEN[at_first] = bytes(rows.get(place) in names for place in range(256))
    return _HIDDEN[at_first]


_NONE_UNSEEN: list[list[int]] = [[] for _ in range(8)]  # of every game in which no card is counted
_HIDDEN: dict[tuple[str, bytes], bytes] = {}  # of each game and the places of its cards at first


class Dealt:
    """The deck and the untapped hands of one game; `follow` is told of each event once it has happened.

    `unseen[seat]`: the cards of that hand that nobody has tapped. `before`: the state before the last event.
    """

    def __init__(self, played: RandomGame, follows: bool = True) -> None:
        """follows: whether `follow` will be told of the events. Where it is not every card is tapped (T4)."""
        self.played = played
        self.game = played.game
        state = played.session.state
        self.hidden = mark_hidden(self.game, state.where)
        self.unseen, self.before = _NONE_UNSEEN, state
        if follows:
            self.unseen = [[] for _ in range(8)]
            self.before = State(self.game.CARDS, self.game.REGISTERS)
            self.before.copy(state)
            self._fill_hands()

    def take(self, seat: int, verb: int) -> bool:
        """Fill the game's event with the next card of the deck that can come here; False if none can."""
        if self.has_returned():
            self._find_returned(seat, verb)
        elif RandomGame.take_from_deck(self.played, seat, verb):
            return True
        else:  # D4: a card that lies open may come, too
            self._find_returned(seat, verb)
        if RandomGame.take_from_deck(self.played, seat, verb):
            return True
        # D4: with the whole deck dealt the dealer turns its own last card, which nobody has tapped.
        own = self.unseen[seat][-1:]
        self.played.deck += own
        return bool(own) and RandomGame.take_from_deck(self.played, seat, verb)

    def has_returned(self) -> bool:
        """Whether a card that came lies again where cards come from (M2), and is not in the deck yet."""
        lying = self.played.session.state.where.translate(self.hidden).count(1)
        return lying != len(self.played.deck) + sum(map(len, self.unseen))

    def follow(self) -> None:
        """After an event: cards tapped are known, cards that went back are in the deck, draws have come."""
        state = self.played.session.state
        for hand in self.unseen:
            # M14: a card that completes a pile goes from the hand straight into the stock.
            hand[:] = [card for card in hand if state.where[card] == STOCK and card != self.played.event.card]
        if self.game.is_dealing(state) and not self.game.is_dealing(self.before):
            for hand in self.unseen:  # D49: dealt again
                hand.clear()
        if self.before.where.count(STOCK) < state.where.count(STOCK):
            self.take_in_stock()
        self._fill_hands()

    def take_in_stock(self) -> None:
        """Cards went back into the stock: they may come again."""
        where = self.played.session.state.where
        self.shuffle_in([card for card, place in enumerate(where) if place == STOCK])

    def shuffle_in(self, cards: Sequence[int]) -> None:
        """Those of the cards that are neither in the deck nor in an untapped hand go into the deck at random."""
        deck, elsewhere = self.played.deck, {*self.played.deck}.union(*self.unseen)
        for card in cards:
            if card not in elsewhere:
                deck.insert(self.played.random.below(len(deck) + 1), card)

    def _find_returned(self, seat: int, verb: int) -> None:
        """Put each card that can come by chance and is in no hand into the deck, even one that came before (M2, D4)."""
        options: list[int] = []
        self.game.moves(self.played.session.state, seat, self.played.event.at_ms, options)
        self.shuffle_in([packed >> 8 & 255 for packed in options if packed >> 16 == verb])

    def _fill_hands(self) -> None:
        """Each hand gets from the deck what the table counts there; where hands go round (D42) they do after that."""
        state = self.played.session.state
        if not state.register[DEAL]:
            return
        receivers = self._find_receivers()
        for seat in range(1, self.played.seats + 1):
            while len(self.unseen[seat]) < state.register[UNSEEN + receivers[seat]]:
                self.unseen[seat].append(self._draw_unseen(state))
        given = [list(hand) for hand in self.unseen]
        for seat in range(1, self.played.seats + 1):
            self.unseen[receivers[seat]] = given[seat]

    def _draw_unseen(self, state: State) -> int:
        """The next card of the deck that comes from the stock."""
        deck = self.played.deck
        for index in range(len(deck) - 1, -1, -1):
            if state.where[deck[index]] == STOCK:
                return deck.pop(index)
        raise DeckTooShort(f"{self.game.NAME}: {len(deck)} cards are left")

    def _find_receivers(self) -> list[int]:
        """To which seat each hand has gone by the last event: to its own, or where all pass hands on, to the next."""
        state = self.played.session.state
        receivers = list(range(8))
        waits = bytearray(8)
        before = bytearray(8)
        self.game.waiting(state, waits)
        self.game.waiting(self.before, before)
        passes_on = getattr(self.game, "WAIT_HANDS_THEN_OPEN", -1)
        if waits[0] != passes_on or before[0] == passes_on:
            return receivers
        holders = [seat for seat in range(1, self.played.seats + 1) if count_hand(state, seat)]
        for giver, receiver in zip(holders, holders[1:] + holders[:1], strict=True):
            receivers[giver] = receiver
        return receivers
