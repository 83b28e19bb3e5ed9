"""Exact play in Durak once the stock is gone and two hands are left: turns a state of the engine into an end to solve.

A player that remembers what was laid knows the other hand then, so nothing is left to guess.
"""

from __future__ import annotations

from collections.abc import Callable

from cardtable.engine.deck import JOKER, RANK, SUIT
from cardtable.engine.event import find_verb
from cardtable.engine.state import HAND, OUTCOME, SEATS, State
from cardtable.games import durak
from host_tools.judge.facts import durak as durak_facts
from host_tools.minds.thinking import durak_end
from host_tools.minds.thinking.durak_end import HOLD, UNKNOWN, WIN

_ATTACK, _BEAT, _TRANSFER, _DONE, _TAKE = (
    find_verb(durak, name) for name in ("attack", "beat", "transfer", "done", "take")
)
# The options whose rules are played here, or are refused by `is_end`. One that is not listed may change what a play is
# worth: then nothing is solved until somebody has looked at it.
OPTIONS = frozenset(
    "deck next_lead jokers lead throwers throw_order late_limit first_bout draw_order short_stock transfer "
    "first_transfer trump_blocks_transfer shown_trump late_transfer teams epaulettes round cheating draws "
    "hand start".split()
)
UNKNOWN_OPTIONS = [name for name, _, _ in durak.OPTIONS if name not in OPTIONS]
_ROW = 32
_DEEPER = (6, 12, 24, 48)  # bouts, one limit after another, where a game can go round for ever
_DEEPEST = (250,)  # more than any other end has
NODES = 400_000  # positions of one decision; about a second when compiled


def is_end(state: State) -> bool:
    """Whether the rest of the game is one that can be solved: no stock, two hands, and no rule that it leaves out."""
    if UNKNOWN_OPTIONS:
        return False
    register = state.register
    if register[OUTCOME] or register[durak_facts.PHASE] != durak_facts.BOUT or register[durak_facts.LEFT]:
        return False
    if register[durak_facts.ROUND] or register[durak_facts.TEAMS_ARE] or register[durak_facts.LEAD_IS] > 1:
        return False
    if register[durak.PRESET] == durak_facts.SIMPLE and register[durak_facts.TRANSFER_ALLOWED]:
        return False
    if register[durak_facts.NO_DRAWS]:  # D40: two empty hands are no draw then, and the search knows no other
        return False
    if register[durak_facts.CHEATING] or register[durak_facts.SHOWN_TRUMP] or register[durak_facts.LATE_TRANSFER]:
        return False
    both = (register[durak_facts.ATTACKER], register[durak_facts.DEFENDER])
    held = sum(register[durak_facts.HELD + seat] for seat in range(1, register[SEATS] + 1) if seat not in both)
    return not held and bool(register[durak_facts.THROWERS] >> both[0] & 1)


def is_asked(state: State) -> bool:
    """Whether the defender has something to answer."""
    return state.register[durak_facts.UNBEATEN] > 0 and not state.register[durak_facts.TAKEN]


def list_turn(state: State, is_passed: bool) -> tuple[int, list[int]]:
    """Who of two acts, and its moves: the attacker until it adds nothing (0), then the defender."""
    register = state.register
    attacker, defender = register[durak_facts.ATTACKER], register[durak_facts.DEFENDER]
    seat = defender if is_asked(state) and (is_passed or not register[durak_facts.HELD + attacker]) else attacker
    moves: list[int] = []
    durak.moves(state, seat, 0, moves)
    if is_asked(state) and seat == attacker:
        return seat, [move for move in moves if move >> 16 == _ATTACK] + [0]
    return seat, moves


def known_card(state: State, card: int) -> bool:
    """Whether the card is still in play: in a hand or on the table."""
    return state.where[card] > HAND


class End:
    """One position that `is_end` lets through, as rows of bits."""

    def __init__(self, state: State, of: tuple[int, ...] = ()) -> None:
        """of: the cards of the end in which this position lies, in their order, if they are not its own alone."""
        register = state.register
        self.state = state
        self.keeps = bool(of)
        self.attacker = register[durak_facts.ATTACKER]
        self.defender = register[durak_facts.DEFENDER]
        cards = [card for card in range(durak.CARDS) if known_card(state, card)]
        cards.sort(key=lambda card: (self.is_trump(card), durak.power(state, card), card))
        cards = list(of) if of and set(cards) <= set(of) else cards
        self.cards = cards
        self.bit = {card: 1 << index for index, card in enumerate(cards) if known_card(state, card)}
        self.is_small = len(cards) <= durak_end.MOST
        self.table = sum(bit for card, bit in self.bit.items() if state.where[card] >= durak_facts.ATTACK)
        self.unbeaten = sum(bit for card, bit in self.bit.items() if durak.is_unbeaten(state, card))
        self.hands = {seat: self.hand(seat) for seat in (self.attacker, self.defender)}
        self.attacks = register[durak_facts.ATTACKS]
        self.taken = int(register[durak_facts.TAKEN] > 0)

    def is_trump(self, card: int) -> bool:
        """Whether it is a trump or a joker."""
        return SUIT[card] == self.state.register[durak_facts.TRUMP] or RANK[card] == JOKER

    def hand(self, seat: int) -> int:
        """The cards of a hand."""
        return sum(bit for card, bit in self.bit.items() if self.state.where[card] == HAND + seat)

    def load(self) -> None:
        """Hand the cards and rules of this end to the solver."""
        state, register = self.state, self.state.register
        fits = bytearray(_ROW * _ROW)
        for row, target in enumerate(self.cards):
            for column, card in enumerate(self.cards):
                fits[_ROW * row + column] = card != target and not durak.judge_fit(state, card, target)
        trump = register[durak_facts.TRUMP]
        later = durak_facts.SLOTS if register[durak_facts.LATE_BY_HAND] else 6
        first = 5 if register[durak_facts.FIRST_BOUT] and not register[durak_facts.FIRST_BOUT_OF_SIX] else later
        limits = bytes([first, 6 if first == 5 else later, later])
        is_simple = register[durak.PRESET] == durak_facts.SIMPLE
        if is_simple:  # D12; a lead of any number is bounded by the cards of its rank
            limits = bytes([6 if register[durak_facts.LEAD_IS] else 2] * 3)
        rules = bytes([
            len(self.cards), register[durak_facts.TRANSFER_ALLOWED] > 0, not register[durak_facts.TRUMP_MAY_TRANSFER],
            not durak.is_first_bout_closed(register), is_simple,
        ])  # fmt: skip
        ranks = bytes(RANK[card] for card in self.cards)
        trumps = bytes(SUIT[card] == trump for card in self.cards)
        plain = sorted({SUIT[card] for card in self.cards if not self.is_trump(card)})
        suits = bytes(3 if self.is_trump(card) else plain.index(SUIT[card]) for card in self.cards)
        powers = sorted({durak.power(state, card) for card in self.cards})
        orders = bytes(powers.index(durak.power(state, card)) for card in self.cards)
        durak_end.prepare(bytes(fits), ranks, trumps, suits, orders, limits, rules, self.keeps)

    def value(self) -> int:
        """The value of the position for the attacker of this bout, who may lead, add or say done: 1, 0, -1, UNKNOWN."""
        own, other = self.hands[self.attacker], self.hands[self.defender]
        if self.attacks:
            bout = own, other, self.table, self.unbeaten, self.attacks
            if self.taken:
                return value_by(durak_end.taking_reaches, *bout, 1, 0)
            register = self.state.register
            is_simple = register[durak.PRESET] == durak_facts.SIMPLE
            has_done = register[durak_facts.SAID_DONE] >> self.attacker & 1
            if self.unbeaten and (register[durak_facts.ACTED] if is_simple else has_done):
                return value_by(durak_end.defence_reaches, *bout, 1)
            return value_by(durak_end.attack_reaches, *bout, 0, 1, 0)
        for goal in (WIN, HOLD):  # of each lead before the next question: one that wins is enough
            answer = self.leads_reach(goal)
            if answer:
                return UNKNOWN if answer == UNKNOWN else goal
            if durak_end.is_sharp():
                return -1
        return -1

    def leads_reach(self, goal: int) -> int:
        """Whether some lead brings the attacker of a bout that begins so much: 1, 0 or UNKNOWN."""
        own, other = self.hands[self.attacker], self.hands[self.defender]
        return durak_end.leads_reach(own, other, 1, goal)

    def value_after(self, packed: int) -> int:
        """The value of that move for the attacker of this bout: 1, 0, -1, or UNKNOWN. In `simple`, `done`: it waits."""
        verb, card, target = packed >> 16, packed >> 8 & 255, packed & 255
        own, other = self.hands[self.attacker], self.hands[self.defender]
        bout = own, other, self.table, self.unbeaten, self.attacks
        bit = self.bit.get(card, 0)
        if verb == _ATTACK and not self.attacks:
            return value_by(durak_end.attack_reaches, own ^ bit, other, bit, bit, 1, 0, 1, 0)
        if verb == _ATTACK:
            return value_by(durak_end.adding_reaches, *bout, self.taken, 1, bit, 0)
        if verb == _DONE:
            return value_by(durak_end.done_reaches, *bout, self.taken, 1)
        if verb == _BEAT:
            return value_by(durak_end.beating_reaches, *bout, 1, bit, self.bit[target])
        if verb == _TRANSFER:
            return value_by(durak_end.transfer_reaches, *bout, 1, bit)
        assert verb == _TAKE
        return value_by(durak_end.taking_reaches, *bout, 1, 0)


def value_by(reaches: Callable[..., int], *place: int) -> int:
    """1, 0, -1 or UNKNOWN for the attacker, from the answers of the solver there."""
    wins = reaches(*place, WIN)
    if wins:  # or UNKNOWN
        return wins
    if durak_end.is_sharp():
        return -1
    holds = reaches(*place, HOLD)
    return holds if holds == UNKNOWN else holds - 1


def value_of_opening(state: State, nodes: int = NODES) -> int | None:
    """The value for the attacker where a bout of such an end begins; None if that takes too long."""
    end = End(state)
    if not end.is_small:
        return None
    end.load()
    durak_end.allow(nodes, _DEEPEST[0])
    value = end.value()
    return None if value == UNKNOWN else value


class OpenEnd:
    """The whole open end of one game, for who looks at all of it: positions that were solved stay solved, and all
    questions share one limit of positions, of which one question gets a quarter at most."""

    def __init__(self, nodes: int) -> None:
        self.left = nodes
        self.each = nodes // 4
        self.cards: tuple[int, ...] = ()

    def enter(self, state: State) -> bool:
        """Whether this position, whose cards are all known, is an end that can be looked at; the first one says which
        cards the end has."""
        if self.left <= 0 or not is_end(state):
            return False
        in_play = {card for card in range(durak.CARDS) if known_card(state, card)}
        if not self.cards or not in_play <= set(self.cards):
            self.cards = tuple(End(state).cards)
        return True

    def solve(self, state: State, seat: int, moves: list[int]) -> dict[int, int] | None:
        """As `solve`; None where it is no end or takes too long."""
        if not self.enter(state):
            return None
        values = solve(state, seat, moves, min(self.left, self.each), self.cards)
        self.left -= durak_end.count_nodes()
        return values

    def value(self, state: State) -> int | None:
        """The value for the attacker of the bout: 1 the defender is the fool, 0 a draw, -1 it is the fool itself; None
        as above."""
        return self.ask(state, End.value)

    def reaches(self, state: State, goal: int) -> int | None:
        """Whether the attacker of a bout that begins reaches so much, which is one question where a value is two."""
        return self.ask(state, lambda end: end.leads_reach(goal))

    def ask(self, state: State, question: Callable[[End], int]) -> int | None:
        """What that says of the end; None as above."""
        if not self.enter(state):
            return None
        end = End(state, self.cards)
        if not end.is_small:
            return None
        end.load()
        for bouts in _DEEPER if state.register[durak_facts.TRANSFER_ALLOWED] else _DEEPEST:
            if self.left <= 0:
                return None
            durak_end.allow(min(self.left, self.each), bouts)
            value = question(end)
            self.left -= durak_end.count_nodes()
            if value == UNKNOWN:
                return None
            if not durak_end.is_cut():
                break
        return value


def solve(
    state: State, seat: int, moves: list[int], nodes: int = NODES, of: tuple[int, ...] = ()
) -> dict[int, int] | None:
    """The value of each move for that seat: 1 it is not the fool, 0 a draw, -1 it is; None if that takes too long.
    of: the cards of the whole end, whose solved positions are kept."""
    end = End(state, of)
    if not end.is_small or seat not in end.hands:
        return None
    end.load()
    sign = 1 if seat == end.attacker else -1
    values: dict[int, int] = {}
    for bouts in _DEEPER if state.register[durak_facts.TRANSFER_ALLOWED] else _DEEPEST:
        durak_end.allow(nodes, bouts)
        for packed in moves:
            value = end.value_after(packed)
            if value == UNKNOWN:
                return None
            values[packed] = sign * value
        if not durak_end.is_cut():
            break
    return values
