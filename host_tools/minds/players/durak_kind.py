"""The ground that the source's kinds of Durak players share (D48): the worth of a card, and the answers to each kind.

A kind says what it hoards, what it leads, and when it would rather take. Each answers the others as the source says:
it attacks the trump collector in its weak suit, knocks the big cards out of their collector, beats the attacker with
small cards by big ones, and plays pairs against the collector of pairs.
"""

from __future__ import annotations

from typing import Any

from cardtable.engine.deck import RANK, SUIT
from cardtable.engine.event import find_verb
from cardtable.games import durak
from host_tools.minds.players.advised import Advised
from host_tools.minds.players.beginner_durak import catch, cover_falsely, find_beat, plan_beats
from host_tools.minds.players.habits import HIGHS, PAIRS, SMALL, TRUMPS, Habits, habits_of
from host_tools.minds.players.pace import HARD, NORMAL, TAP, Pace
from host_tools.judge.facts.durak import DurakTable
from host_tools.sight.seen import Seen

_ATTACK, _BEAT, _TRANSFER, _SHOW, _DONE, _TAKE = (
    find_verb(durak, name) for name in ("attack", "beat", "transfer", "show", "done", "take")
)
TEN, QUEEN, KING = 8, 10, 11
TRUMP_COST = 20  # see DurakTable.cost
_MIDDLE = 10  # cards of the stock that are left in the middle of a game


def card_of(move: int) -> int:
    """The card of a packed move."""
    return move >> 8 & 255


class DurakKind(Advised):
    """A kind of player; the classes below it, each in its file, say what is special."""

    hoards_early = True  # while there is a stock it takes rather than give what it hoards

    @classmethod
    def plays(cls, game: Any) -> bool:
        return game is durak

    # --- what a kind says ---

    def hoards(self, card: int, table: DurakTable) -> bool:
        """Whether it keeps such cards as long as there is a stock."""
        return table.is_trump(card) and RANK[card] > TEN

    def lead_worth(self, card: int, seen: Seen, table: DurakTable) -> float:
        """The lower the sooner it leads the card."""
        return table.cost(card) - 0.5 * count_rank(card, seen)

    def throws(self, card: int, table: DurakTable) -> bool:
        """Whether it would throw the card in."""
        return table.cost(card) <= (TEN if table.stock else TRUMP_COST - 1)

    def cover_cost(self, card: int, seen: Seen, table: DurakTable) -> float:
        """What beating with the card costs it."""
        return table.cost(card)

    # --- how all of them play ---

    def advise(self, seen: Seen) -> tuple[int, Pace] | None:
        table = DurakTable(seen)
        caught = catch(self, seen, table)
        if caught or not seen.is_waited_for:
            return caught
        if seen.seat == table.defender:
            return self.defend(seen, table)
        if not table.attacks:
            return self.lead(seen, table), NORMAL
        return self.throw_in(seen, table)

    def rival(self, seen: Seen, table: DurakTable, seat: int) -> Habits:
        """What that seat has done so far."""
        return habits_of(seen.log, table.trump).get(seat, Habits())

    def lead(self, seen: Seen, table: DurakTable) -> int:
        """Lead what answers the defender's kind, else as this kind leads."""
        moves = seen.named(_ATTACK)
        rival = self.rival(seen, table, table.defender)
        kind = rival.kind()
        plain = [move for move in moves if not table.is_trump(card_of(move)) and not self.hoards(card_of(move), table)]
        if kind == TRUMPS and rival.weak_suit() >= 0:
            weak = [move for move in plain if SUIT[card_of(move)] == rival.weak_suit()]
            if weak:
                return min(weak, key=lambda move: table.cost(card_of(move)))
        if kind == HIGHS and plain:
            # The dearest card below the big ones: only a big one beats it.
            return max(plain, key=lambda move: (RANK[card_of(move)] < QUEEN, table.cost(card_of(move))))
        if kind == SMALL and plain and table.stock <= _MIDDLE:
            return min(plain, key=lambda move: table.cost(card_of(move)))
        if kind == PAIRS:
            pairs = [move for move in plain if count_rank(card_of(move), seen) > 1]
            if pairs:
                return min(pairs, key=lambda move: table.cost(card_of(move)))
        return min(moves, key=lambda move: (self.lead_worth(card_of(move), seen, table), move))

    def throw_in(self, seen: Seen, table: DurakTable) -> tuple[int, Pace] | None:
        """Its cheap cards; then it has done, but first it looks what the defender does."""
        throws = [move for move in seen.named(_ATTACK) if self.throws(card_of(move), table)]
        throws = [move for move in throws if not (table.stock and self.hoards(card_of(move), table))]
        if throws:
            return min(throws, key=lambda move: table.cost(card_of(move))), NORMAL
        done = seen.named(_DONE)
        if not done or (table.unbeaten and not table.is_taken and seen.waits[table.defender]):
            return None
        return done[0], NORMAL

    def defend(self, seen: Seen, table: DurakTable) -> tuple[int, Pace] | None:
        """Show or transfer, beat with what it does not hoard, else take."""
        shows = seen.named(_SHOW)
        if shows:
            return shows[0], NORMAL
        beats = seen.named(_BEAT)
        if any(not table.fits(card_of(move), move & 255) for move in beats):
            return cover_falsely(beats, table)
        transfers = [move for move in seen.named(_TRANSFER) if not self.hoards(card_of(move), table)]
        if transfers:
            return min(transfers, key=lambda move: table.cost(card_of(move))), NORMAL
        plan = self.plan_cover(seen, table)
        if plan and not self.rather_takes([card for card, _ in plan], table):
            card, target = plan[0]
            return find_beat(beats, card, target), TAP if len(plan) < len(table.attacks) else NORMAL
        take = seen.named(_TAKE)
        return (take[0], HARD) if take else None

    def plan_cover(self, seen: Seen, table: DurakTable) -> list[tuple[int, int]] | None:
        """A card for each card to beat. Against an attacker with small cards the big plain ones go first: of their
        ranks it has little to throw in."""
        if self.rival(seen, table, table.attacker).kind() == SMALL:
            return self.choose_covers(
                seen, table, lambda card: table.cost(card) if table.is_trump(card) else -RANK[card]
            )
        return self.choose_covers(seen, table, lambda card: self.cover_cost(card, seen, table))

    def choose_covers(self, seen: Seen, table: DurakTable, worth: Any) -> list[tuple[int, int]] | None:
        """The cover of least worth for each target, the dearest target first; None if they cannot all be beaten."""
        free = sorted(seen.hand, key=worth)
        plan = []
        for target in sorted(table.unbeaten, key=table.cost, reverse=True):
            card = next((card for card in free if table.fits(card, target)), None)
            if card is None:
                return plan_beats(seen, table)
            free.remove(card)
            plan.append((card, target))
        return plan

    def rather_takes(self, covers: list[int], table: DurakTable) -> bool:
        """Whether it would rather take than give one of these."""
        return table.stock > 0 and self.hoards_early and any(self.hoards(card, table) for card in covers)


def count_rank(card: int, seen: Seen) -> int:
    """How many cards of the card's rank are in the hand."""
    return sum(RANK[other] == RANK[card] for other in seen.hand)
