"""Numbers the acts of a game: each has one number, whatever the set-up, the seat and the position."""

from __future__ import annotations

import struct
from typing import Any

from cardtable.engine.deck import RANKS
from cardtable.engine.event import AGREE, LEAD, NO_CARD, OWN_VERB, Event, pack, unpack, verb_arguments
from cardtable.engine.record import write_event

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
                strides = {"CC": (game.CARDS, 1), "CN": (PILES, 1), "C": (1, 0)}
                numbering[verb] = (len(self.packed), *strides.get(verb_arguments(game, verb), (0, 1)))
                self.packed += [pack(verb, card, target) for card, target in self._arguments(verb)]
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

    def _arguments(self, verb: int) -> list[tuple[int, int]]:
        cards, kinds = range(self.game.CARDS), verb_arguments(self.game, verb)
        if kinds == "CC":
            return [(card, other) for card in cards for other in cards]
        if kinds == "CN":
            return [(card, pile) for card in cards for pile in range(PILES)]
        if kinds == "C":
            return [(card, 0) for card in cards]
        return [(NO_CARD, value) for value in range({"R": len(RANKS), "N": NUMBERS}.get(kinds, 1))]

    def describe(self, number: int) -> str:
        """The act in words of the record, such as `beat 7H 6H`."""
        if number == WAIT:
            return "wait"
        return write_event(self.game, unpack(self.packed[number], 1, 0, Event())).split(" ", 2)[2]


_KNOWN: dict[str, Acts] = {}
