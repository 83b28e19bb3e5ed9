"""Reads the mistakes of a game out of its analysis, and tells each to those who may hear of it: the player and
those who see all hands. A mistake is judged by what its seat knew, so it tells that seat of nobody else's cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardtable.engine.deck import card_name
from cardtable.engine.event import NO_CARD, Event
from host_tools.minds.analysis.decisions import check
from host_tools.minds.analysis.sentences import percent, read_moves
from host_tools.base.errors import UnusableInput
from host_tools.sight.recorded import Reader, Recorded
from host_tools.look.wording import Wording
from host_tools.judge.sentences import Sentences

KINDS = ("mistake", "blunder")
PERHAPS = "perhaps"  # what either is called where chances are rough
_OLDER = {"inaccuracy": "mistake"}  # of an analysis that was written when there were three


@dataclass(frozen=True)
class Mistake:
    """A play that cost five points or more: the chances, in percent, and the better play."""

    seat: int
    kind: str
    chance: float
    best_chance: float
    is_exact: bool
    better: tuple[Event, ...]
    is_rough: bool = False  # nobody has checked chances at such a table: none is told

    def may_hear(self, reader: Reader) -> bool:
        """Whether it tells this reader nothing but what the reader sees anyway."""
        return reader.seat in (-1, self.seat)

    def better_cards(self) -> list[str]:
        """The cards of the better play, as a page names them; none for a play without a card."""
        return [card_name(one.card) for one in self.better if one.card != NO_CARD]

    def tell(self, sentences: Sentences, state: Any) -> str:
        """One sentence; state: the table before the play."""
        words = Wording(sentences.language)
        moves = [sentences.move(one.verb, one.card, one.target, state, self.seat) for one in self.better]
        chances = [percent(words, chance, self.is_exact) for chance in (self.best_chance, self.chance)]
        return words.say(self.kind, move="; ".join(moves), best=chances[0], chance=chances[1])


def can_have_mistakes(record: Recorded) -> bool:
    """Whether the game can be analysed."""
    try:
        check(record)
    except UnusableInput:
        return False
    return True


def kind_of(decision: dict[str, Any]) -> str:
    """The class of a decision in the figures of an analysis: one of KINDS, or nothing."""
    kind = _OLDER.get(decision["class"], decision["class"])
    return kind if kind in KINDS else ""


def read_mistakes(record: Recorded, told: dict[str, Any]) -> dict[int, Mistake]:
    """The mistakes by the lines of the record, from the figures of an analysis."""
    found = {}
    for one in told["decisions"]:
        if kind := kind_of(one):
            better = read_moves(record, one["seat"], one["best_as_recorded"])
            chances = min(100.0, max(0.0, float(one["chance"]))), min(100.0, max(0.0, float(one["best_chance"])))
            is_rough = one.get("is_rough") is True
            found[int(one["line"])] = Mistake(int(one["seat"]), PERHAPS if is_rough else kind, *chances,
                                              one["is_exact"] is True, better, is_rough)
    return found
