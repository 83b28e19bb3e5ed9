"""Tells from a Durak's public log which of the source's four kinds a seat plays like, and where it is weak (D48).

A kind is named only after enough plays of that seat; before, and where nothing stands out, it is an empty text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from cardtable.engine.deck import JOKER, RANK, SUIT
from cardtable.engine.event import DRAW, NO_CARD, find_verb
from cardtable.games import durak
from host_tools.sight.seen import Heard

TRUMPS, HIGHS, SMALL, PAIRS = "trump-collector", "high-collector", "small-attacker", "pair-collector"
_ATTACK, _BEAT, _TRANSFER, _TAKE, _DONE = (
    find_verb(durak, name) for name in ("attack", "beat", "transfer", "take", "done"))
_NINE, _QUEEN = 7, 10
_ENOUGH = 5  # plays of a seat


@dataclass
class Habits:
    """What one seat has done so far."""

    leads: list[int] = field(default_factory=list)  # cards that it laid as attacker
    runs: int = 0  # attacks with a card of the same rank as its own last one, before any answer
    beats: list[int] = field(default_factory=list)
    takes: list[int] = field(default_factory=list)  # the attack cards that lay unbeaten
    trumps: int = 0  # among all that it laid
    highs: int = 0  # plain cards from the queen up among them

    @property
    def plays(self) -> int:
        """Cards that it laid, and bouts that it took."""
        return len(self.leads) + len(self.beats) + len(self.takes)

    def weak_suit(self) -> int:
        """The plain suit in which it could not answer most often; -1: none."""
        suits = [SUIT[card] for card in self.takes]
        return max(sorted(set(suits)), key=suits.count, default=-1)

    def kind(self) -> str:
        """Which of the four kinds it plays like."""
        if self.plays < _ENOUGH:
            return ""
        laid = len(self.leads) + len(self.beats)
        small = sum(RANK[card] <= _NINE for card in self.leads)
        if self.runs >= 2 and small >= 2 * (len(self.leads) - small) and len(self.leads) > len(self.beats):
            return SMALL
        if self.runs >= 2:
            return PAIRS
        if not self.trumps and len(self.takes) >= 2 and self.highs:
            return TRUMPS
        if not self.highs and len(self.takes) >= 2 and laid >= 3:
            return HIGHS
        return ""


def read_habits(log: Iterable[Heard], trump: int) -> dict[int, Habits]:
    """The habits of each seat, from what everybody heard while there was a stock or not."""
    found: dict[int, Habits] = {}
    bout = Bout()
    last: tuple[int, int] = (0, -1)  # who laid the last attack card, and its rank
    for line in log:
        bout.follow(line)
        if line.verb not in (_ATTACK, _BEAT, _TRANSFER, _TAKE):
            continue
        habits = found.setdefault(line.seat, Habits())
        if line.verb == _TAKE:
            habits.takes += [card for card in bout.unbeaten if SUIT[card] != trump]
            last = (0, -1)
            continue
        if line.card == NO_CARD:
            continue
        is_trump = SUIT[line.card] == trump or RANK[line.card] == JOKER
        habits.trumps += is_trump
        habits.highs += not is_trump and RANK[line.card] >= _QUEEN
        if line.verb == _BEAT:
            habits.beats.append(line.card)
            last = (0, -1)
        else:
            habits.leads.append(line.card)
            habits.runs += last == (line.seat, RANK[line.card])
            last = line.seat, RANK[line.card]
    return found


@dataclass
class Bout:
    """What lies there, as far as it can be heard: no line says where a bout ends."""

    unbeaten: list[int] = field(default_factory=list)
    ranks: set[int] = field(default_factory=set)  # of all that was laid
    done: set[int] = field(default_factory=set)  # who has said so since the last card
    is_taken: bool = False

    def follow(self, line: Heard) -> None:
        """One more event. Behind a `take`, its cards are those that lay there; what is thrown in later (D22) goes into
        the same hand, and is not laid before the next one."""
        if line.verb == _DONE:
            self.done.add(line.seat)
        elif line.verb == _TAKE:
            self.is_taken = True
            self.done = set()
        elif line.verb == DRAW:
            self.begin()
        elif line.card != NO_CARD and line.verb in (_ATTACK, _BEAT, _TRANSFER):
            rank = RANK[line.card]
            is_over = self.is_taken and (line.verb != _ATTACK or rank not in self.ranks or line.seat in self.done)
            if is_over or line.verb == _ATTACK and not self.unbeaten and rank not in self.ranks:
                self.begin()
            self.ranks.add(rank)
            self.done = set()
            if line.verb == _BEAT:
                self.unbeaten = [card for card in self.unbeaten if card != line.target]
            elif not self.is_taken:
                self.unbeaten.append(line.card)

    def begin(self) -> None:
        """Another bout."""
        self.unbeaten, self.ranks, self.done, self.is_taken = [], set(), set(), False


_read: list[tuple[tuple[Heard, ...], int, dict[int, Habits]]] = []  # the log that was read last, and what it said


def habits_of(log: tuple[Heard, ...], trump: int) -> dict[int, Habits]:
    """The same, read once where several ask about one moment: each kind at each seat that it thinks of."""
    if not _read or _read[0][0] is not log or _read[0][1] != trump:
        _read[:] = [(log, trump, read_habits(log, trump))]
    return _read[0][2]
