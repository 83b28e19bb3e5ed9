"""The facts of Durak: its places, registers and their values by name, and what a seat sees of it."""

from __future__ import annotations

from typing import Any

from cardtable.engine.deck import JOKER, RANK, SUIT
from cardtable.games import durak

# Places of cards.
from cardtable.games.durak import (
    _STOCK as STOCK, _DISCARD as DISCARD, _TURNED as TURNED, _ATTACK as ATTACK, _COVER as COVER,
)

# Registers: options.
from cardtable.games.durak import (
    _LEAD_IS as LEAD_IS, _THROW_FREELY as THROW_FREELY, _LATE_BY_HAND as LATE_BY_HAND,
    _FIRST_BOUT_OF_SIX as FIRST_BOUT_OF_SIX, _TRANSFER_ALLOWED as TRANSFER_ALLOWED,
    _TRUMP_MAY_TRANSFER as TRUMP_MAY_TRANSFER, _SHOWN_TRUMP as SHOWN_TRUMP, _LATE_TRANSFER as LATE_TRANSFER,
    _TEAMS_ARE as TEAMS_ARE, _ROUND as ROUND, _CHEATING as CHEATING, _HAND_SIZE as HAND_SIZE, _HAND_SIZES as HAND_SIZES,
    _NO_DRAWS as NO_DRAWS,
)

# Registers: the game as it stands.
from cardtable.games.durak import (
    _PHASE as PHASE, _ATTACKER as ATTACKER, _DEFENDER as DEFENDER, _TURN_TO_THROW as TURN_TO_THROW,
    _SAID_DONE as SAID_DONE, _THROWERS as THROWERS, _TAKEN as TAKEN, _ACTED as ACTED, _FIRST_BOUT as FIRST_BOUT,
    _TRUMP as TRUMP, _DRAWER as DRAWER, _FOOL as FOOL, _PRESSED as PRESSED, _OUT_AT as OUT_AT, _LIES as LIES,
    _LIES_COVER as LIES_COVER, _OPENER as OPENER, _SITS as SITS, _HELD as HELD, _LEFT as LEFT, _ATTACKS as ATTACKS,
    _UNBEATEN as UNBEATEN, _RANKS as RANKS,
)

# Values of registers, and numbers of the rules.
from cardtable.games.durak import (
    _SIMPLE as SIMPLE, _SLOTS as SLOTS, _BOUT as BOUT, _DRAWING as DRAWING, _ASKING as ASKING, _NOTHING as NOTHING,
    _LOST_BY_ONE as LOST_BY_ONE,
)
from host_tools.judge.facts.view import Table

COUNTS = 10  # of a view: what lies in each hand (1 to 6), what can be drawn (8), the discard (9)


class DurakTable(Table):
    """A bout of Durak."""

    def __init__(self, seen: Any) -> None:
        super().__init__(seen, COUNTS)
        register = self.register
        self.held = [self.counts[seat] for seat in range(8)]  # cards of each seat
        self.stock = self.counts[8]  # cards that can still be drawn
        self.trump = register[TRUMP]
        self.attacker = register[ATTACKER]
        self.defender = register[DEFENDER]
        self.is_taken = register[TAKEN] > 0
        self.is_cheating_allowed = register[CHEATING] > 0
        attacks: dict[int, int] = {}
        covers: dict[int, int] = {}
        for card, place in enumerate(self.state.where):
            if place >= COVER:
                covers[place - COVER] = card
            elif place >= ATTACK:
                attacks[place - ATTACK] = card
        self.attacks = [attacks[slot] for slot in sorted(attacks)]  # in the order of laying
        self.beaten = {attacks[slot]: covers[slot] for slot in covers if slot in attacks}  # attack card: what covers it
        self.unbeaten = [card for card in self.attacks if card not in self.beaten]

    def is_trump(self, card: int) -> bool:
        """Whether it is a trump, or a joker, which is as good."""
        return SUIT[card] == self.trump or RANK[card] == JOKER

    def cost(self, card: int) -> int:
        """The cost of giving the card away: its height, trumps above all plain cards."""
        return durak.power(self.state, card) + (20 if self.is_trump(card) else 0)

    def fits(self, card: int, target: int) -> bool:
        """Whether the card beats the target without cheating."""
        return not durak.judge_fit(self.state, card, target)

    def is_partner(self, seat: int) -> bool:
        """D34: whether that other seat plays in this one's team."""
        return seat != self.seen.seat and durak.are_partners(self.state, seat, self.seen.seat)


def has_beaten_all(state: Any, seat: int) -> bool:
    """Whether that seat defends, has beaten every card that lies, and takes nothing."""
    register = state.register
    if seat != register[DEFENDER] or register[TAKEN]:
        return False
    return register[ATTACKS] > 0 and not register[UNBEATEN]


def ranks_to_add(state: Any, wait: int) -> list[int]:
    """The ranks of which a card may be laid: those on the table; while a lead is unanswered, that of its last card."""
    register = state.register
    if wait == durak.WAIT_ADD:  # D12: behind a pair of another rank, too
        return [RANK[register[LIES + register[ATTACKS] - 1]]]
    return [rank for rank in range(JOKER + 1) if register[RANKS + rank]]
