"""Numbers the acts of a game: each has one number, whatever the set-up, the seat and the position."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from cardtable.engine.deck import RANKS, SUITS
from cardtable.engine.event import AGREE, LEAD, NO_CARD, OWN_VERB, Event, pack, unpack, verb_arguments
from cardtable.engine.record import write_event
from host_tools.base.errors import UnusableInput

SEATS = 7  # at most, in any game
WAIT = 0  # the number of doing nothing now
NUMBERS = 32  # a whole number that is said alone is below this
PILES = 8  # one that is said of a card


class Acts:
    """`numbers[packed]` is the number of an act of that game, `packed[number]` the act; number 0 is WAIT.

    numbering: the same by arithmetic, four bytes for each verb: the number of its first act, the lower byte first, and
    how much the card and the target count (`steps.number_in`).

    packed: as `cardtable.engine.event.pack` makes it. Cards that come by chance are no acts.
    """

    def __init__(self, game: Any) -> None:
        self.game = game
        self.packed: list[int] = [0, pack(AGREE)]
        self.packed += [pack(LEAD, NO_CARD, seat) for seat in range(1, SEATS + 1)]
        numbering = {AGREE: (1, 0, 0), LEAD: (1, 0, 1)}
        for verb in range(OWN_VERB, OWN_VERB + len(game.VERBS)):
            if verb not in game.CHANCE.values():
                cards, targets = self._arguments(verb_arguments(game, verb))
                numbering[verb] = (len(self.packed), targets if len(cards) > 1 else 0, 1)
                self.packed += [pack(verb, card, target) for card in cards for target in range(targets)]
        self.numbers = {packed: number for number, packed in enumerate(self.packed)}
        rows = [numbering.get(verb, (0, 0, 0)) for verb in range(OWN_VERB + len(game.VERBS))]
        self.numbering = b"".join(struct.pack("<HBB", *row) for row in rows)

    @classmethod
    def of(cls, game: Any) -> Acts:
        """The acts of that game, numbered once for all who ask."""
        if game.NAME not in _KNOWN:
            _KNOWN[game.NAME] = cls(game)
        return _KNOWN[game.NAME]

    def __len__(self) -> int:
        return len(self.packed)

    def _arguments(self, kinds: str) -> tuple[Sequence[int], int]:
        """The cards that a verb can be said of, and below which number its other argument is: 1 where it has none."""
        cards: Sequence[int] = range(self.game.CARDS) if kinds[:1] == "C" else [NO_CARD]
        places = max(first + count for _, first, count in self.game.PLACES)
        most = {"C": self.game.CARDS, "R": len(RANKS), "U": len(SUITS), "P": places, "S": SEATS + 1,
                "N": PILES if len(cards) > 1 else NUMBERS}
        other = kinds[1:] if len(cards) > 1 else kinds
        return cards, most[other] if other else 1

    def describe(self, number: int) -> str:
        """The act in words of the record, such as `beat 7H 6H`. UnusableInput where no act has that number."""
        if not 0 <= number < len(self):
            raise UnusableInput(f"no act has the number {number}: there are 0 to {len(self) - 1}")
        if number == WAIT:
            return "wait"
        return write_event(self.game, unpack(self.packed[number], 1, 0, Event())).split(" ", 2)[2]


_KNOWN: dict[str, Acts] = {}
