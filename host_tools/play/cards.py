"""The places of the paper cards. The people around a table hold them; the table knows only the taps.

With a scanned deal the table knows every card, and this only keeps the order of the stock. With a counted deal (T4) the
table counts hands, and which cards they are is known here alone. It is kept on this computer's disk, so that a hand is
still the same hand after this process was killed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cardtable.engine.event import LEAD, NO_CARD, Event
from cardtable.engine.state import HAND, NOWHERE, SEATS, STOCK, UNSEEN, State
from cardtable.games import durak
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.files import write_file

FILE = "cards.json"
LIE = {"order": [int], "held": [[int]]}
KEPT = {"nonce": str, **LIE, "dealt?": {str: [int]}, "told?": [int], "before?": {**LIE, "told": [int]}}


class Cards:
    """The cards of one game. `hand(seat)` is what the seat holds, `next_card` what it would draw."""

    def __init__(self, session: Any, seed: str, nonce: str, folder: Path | None = None, played: Sequence[int] = ()
                 ) -> None:
        """seed: of the shuffle, and of it alone. nonce: the game's own. folder: where the order is kept; what was kept
        there for another nonce is dropped. played: in the game so far, in order; what was kept may be of a moment
        before the last of them, if the process was killed between the record and this."""
        self.session = session
        self.nonce = nonce
        self._path = folder / FILE if folder else None
        self._chance = random.Random(seed)
        where = session.state.where
        self.order = [card for card in range(len(where)) if where[card] != NOWHERE]
        self._chance.shuffle(self.order)  # the last one is the next to come
        self.dealt: dict[int, list[int]] = {}  # of a stacked deck: the cards that come to each seat, before all others
        self.held: dict[int, int] = {}  # card that the table has not seen: the seat that holds it
        self._told: list[int] = []  # all that the table knew of them when they were settled last
        self._before: tuple[list[int], list[int], dict[int, int]] = ([], [], {})  # told, order, held: before that
        self._load()
        self.settle(played)

    def hand(self, seat: int) -> list[int]:
        """The cards that the seat holds, in the order of their numbers."""
        where = self.session.state.where
        return [card for card in range(len(where)) if where[card] == HAND + seat or self.held.get(card) == seat]

    def next_card(self, seat: int, verb: int, at_ms: int, besides: frozenset[int] = frozenset()) -> int | None:
        """The first card of the stock that may come here by that verb; None if none may. besides: on their way."""
        event = Event(seat, verb, 0, 0, at_ms)
        mine = [card for card in self.held if self.held[card] == seat]  # D4: the dealer may turn its own last card
        for card in [*self.dealt.get(seat, ()), *[*mine, *self.order][::-1]]:
            if card in besides or self.held.get(card, seat) != seat:
                continue
            event.card = card
            if not self.session.judge(event):
                return card
        return None

    def find_lead(self, at_ms: int) -> int:
        """T4: the seat that says it begins, in Durak by its cards (D5); 0 if the table has not asked."""
        session = self.session
        seats = range(1, session.state.register[SEATS] + 1)
        asked = [seat for seat in seats if not session.judge(Event(0, LEAD, NO_CARD, seat, at_ms))]
        if not asked or session.game is not durak:
            return next(iter(asked), 0)
        dealt = State(durak.CARDS, durak.REGISTERS)
        dealt.copy(session.state)
        for card, seat in self.held.items():
            dealt.where[card] = HAND + seat
        return durak.find_first_attacker(dealt)

    def settle(self, played: Sequence[int] = ()) -> None:
        """After events with those cards: unseen hands are filled up or given back as the table counts. Where it knows
        what it knew before the last of them, that was undone (T7): each hand has its own cards again."""
        state = self.session.state
        told = [*state.where, *state.register[UNSEEN : UNSEEN + 8]]
        if told == self._told:
            return
        was = (self._told, list(self.order), dict(self.held))
        if told == self._before[0]:
            self.order, self.held = list(self._before[1]), dict(self._before[2])
        else:
            self._fill(played)
        self._told, self._before = told, was
        if was[1:] != (self.order, self.held) or list(was[2]) != list(self.held):
            self._save()

    def _fill(self, played: Sequence[int]) -> None:
        """Hands as the table counts them. A card that was played out of one, and went into the stock at once (M14), has
        left it all the same."""
        where, register = self.session.state.where, self.session.state.register
        last = {card: at for at, card in enumerate(played)}
        for card in [card for card in self.held if where[card] != STOCK]:
            del self.held[card]
        for seat in range(1, 8):
            mine = [card for card, owner in self.held.items() if owner == seat]
            mine.sort(key=lambda card: last.get(card, -1))  # cards that were played are given back first
            for card in mine[register[UNSEEN + seat] :]:
                del self.held[card]
                self.order.append(card)
            for _ in range(register[UNSEEN + seat] - len(mine)):
                self._draw(seat)

    def _draw(self, seat: int) -> None:
        """T4: the next card of the stock comes into a hand, and the table only counts it."""
        where = self.session.state.where
        for index in range(len(self.order) - 1, -1, -1):
            card = self.order[index]
            if where[card] == STOCK and card not in self.held:
                self.held[card] = seat
                del self.order[index]
                self.order.insert(0, card)  # where it goes, should it ever come back
                return

    def _load(self) -> None:
        if self._path is None:
            return
        try:
            kept = foreign.read_json(self._path, KEPT)
        except UnusableInput:
            return  # nothing was kept: the cards are shuffled
        cards = set(self.order)
        if kept["nonce"] == self.nonce and can_lie(cards, kept):
            self.order, self.held, self._told = kept["order"], dict(kept["held"]), kept.get("told", [])
            if "before" in kept and can_lie(cards, kept["before"]):
                before = kept["before"]
                self._before = before["told"], before["order"], dict(before["held"])
            self.dealt = {int(seat): stacked for seat, stacked in kept.get("dealt", {}).items()
                          if seat in "1234567" and cards.issuperset(stacked)}

    def _save(self) -> None:
        if self._path is not None:
            told, order, held = self._before
            write_order(self._path.parent, self.nonce, self.order, self.held, self.dealt, told=self._told,
                        before={"told": told, "order": order, "held": list(held.items())})


def can_lie(cards: set[int], kept: dict[str, Any]) -> bool:
    """Whether these cards can lie as it was kept."""
    pairs = [pair for pair in kept["held"] if len(pair) == 2 and pair[0] in cards and 1 <= pair[1] <= 7]
    return sorted(kept["order"]) == sorted(cards) and len(pairs) == len(kept["held"])


def write_order(folder: Path, nonce: str, order: list[int], held: dict[int, int], dealt: dict[int, list[int]],
                **more: Any) -> None:
    """Keep in a table's folder how the cards of the game with that nonce lie, as Cards has them."""
    kept = {"nonce": nonce, "order": order, "held": list(held.items()), "dealt": dealt, **more}
    write_file(folder / FILE, json.dumps(kept).encode())
