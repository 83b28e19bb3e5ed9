"""Says what each play of Durak for two is worth where at most one card of the stock is hidden.

While the turned card alone is left, who counts cards sees all of them; with one card more there are as many deals as
cards that it may be. Each deal is solved for perfect play with all cards open. The mean counts only where one play is
the best in every deal: then it hangs on no card that the seat could not know. Else guesses have to say it.
"""

from __future__ import annotations

from typing import Any

from cardtable.engine.event import Event, find_verb, unpack
from cardtable.engine.state import HAND, OUTCOME, STOCK, State
from cardtable.games import durak
from host_tools.judge.facts import durak as durak_facts
from host_tools.minds.players.exact import End, OpenEnd, is_asked, is_end, list_turn
from host_tools.minds.thinking.durak_end import HOLD, WIN
from host_tools.minds.thinking.durak_playout import draw_card

_DONE = find_verb(durak, "done")
_FEWER = 50  # times fewer positions may be looked at by the engine than by the solver, which is so much quicker


class TooLong(Exception):
    """It was not solved within its limit, or goes round."""


class Perfect:
    """What perfect play brings seat 1 where all cards are known, also those of the stock. Down to the last draw by the
    engine, then by the solver of open ends, whose questions it asks: does seat 1 win, does it at least hold?"""

    def __init__(self, positions: int, state: State) -> None:
        self.end = OpenEnd(positions)
        self.left = positions // _FEWER
        held = copy_of(state)
        for card, place in enumerate(state.where):
            if place in (STOCK, durak_facts.TURNED):
                held.where[card] = HAND + 1
        self.end.cards = tuple(End(held).cards)  # of all ends: one table holds for them
        self.place = {card: at for at, card in enumerate(self.end.cards)}  # cheap cards first, trumps last
        self.known: dict[tuple[bytes, bytes, bool, int], bool | None] = {}

    def value(self, state: State, stock: list[int], is_passed: bool) -> int:
        """1, 0 for a draw, -1. stock: what is drawn before the turned card, the next one last. is_passed: the attacker
        adds nothing now. TooLong."""
        if self.reaches(state, stock, is_passed, WIN):
            return 1
        return self.reaches(state, stock, is_passed, HOLD) - 1

    def reaches(self, state: State, stock: list[int], is_passed: bool, goal: int) -> bool:
        """Whether seat 1 reaches so much. TooLong."""
        key = state.save(), bytes(stock), is_passed
        if (*key, goal) not in self.known:
            self.known[(*key, goal)] = None
            answer = self.known[(*key, goal)] = self.find(state, stock, is_passed, goal)
            if answer == (goal == WIN):  # who wins holds, and who does not hold does not win
                self.known[(*key, HOLD + WIN - goal)] = answer
        known = self.known[(*key, goal)]
        if known is None:  # transfers and takes led here again
            raise TooLong
        return known

    def find(self, state: State, stock: list[int], is_passed: bool, goal: int) -> bool:
        """The same of a position that is new. TooLong."""
        register = state.register
        self.left -= 1
        if self.left < 0:
            raise TooLong
        if register[OUTCOME]:
            is_lost = register[OUTCOME] == durak_facts.LOST_BY_ONE
            return register[durak_facts.FOOL] == 2 if is_lost else goal == HOLD
        if is_end(state) and not register[durak_facts.ATTACKS]:
            is_own = register[durak_facts.ATTACKER] == 1
            answer = self.end.reaches(state, goal if is_own else HOLD + WIN - goal)
            if answer is None:
                raise TooLong
            return (answer > 0) == is_own
        if register[durak_facts.PHASE] == durak_facts.DRAWING:
            after, rest = copy_of(state), list(stock)
            draw_card(after, rest)
            return self.reaches(after, rest, False, goal)
        seat, moves = list_turn(state, is_passed)
        if not moves:
            raise TooLong
        is_own = seat == 1  # one good move of its own is enough, and one of the other's
        return any(self.reaches_after(state, stock, seat, move, goal) == is_own
                   for move in sorted(moves, key=self.price)) == is_own

    def price(self, move: int) -> int:
        """Sorts moves: cheap cards first, what lays none last. So a third fewer positions are looked at."""
        return self.place.get(move >> 8 & 255, len(self.place)) if move else len(self.place)

    def reaches_after(self, state: State, stock: list[int], seat: int, move: int, goal: int) -> bool:
        """Whether seat 1 reaches so much behind that move of the seat; 0, or `done` while the defender has to answer,
        adds nothing now."""
        if not move or move >> 16 == _DONE and is_asked(state):
            return self.reaches(state, stock, True, goal)
        after = copy_of(state)
        durak.enact(after, unpack(move, seat, 0, Event()))
        return self.reaches(after, stock, False, goal)

    def after(self, state: State, stock: list[int], seat: int, move: int) -> int:
        """What that move of the seat brings seat 1: 1, 0, -1. TooLong."""
        if self.reaches_after(state, stock, seat, move, WIN):
            return 1
        return self.reaches_after(state, stock, seat, move, HOLD) - 1


def copy_of(state: State) -> State:
    """The same once more."""
    copy = State(durak.CARDS, durak.REGISTERS)
    copy.copy(state)
    return copy


def list_deals(worlds: Any) -> list[Any]:
    """The deals that the seat takes for possible in such a position; none in any other."""
    drawn = worlds.slots.count(STOCK)
    register = worlds.template.register
    if worlds.seen.seats != 2 or worlds.memory.is_lost or worlds.cheating or drawn > 1 \
            or len(set(worlds.slots) - {STOCK}) > 1 or register[durak.PRESET] == durak_facts.SIMPLE:
        return []
    orders = [list(worlds.loose)]
    if drawn:
        at = worlds.slots.index(STOCK)
        orders = [[*others[:at], card, *others[at:]] for card in worlds.loose
                  for others in [[other for other in worlds.loose if other != card]]]
    deals = [worlds.fill_slots(order) for order in orders]
    opened = copy_of(deals[0].state)
    opened.register[durak_facts.LEFT] = 0
    return deals if is_end(opened) else []


def weigh(worlds: Any, seat: int, moves: list[int], positions: int) -> tuple[list[Any], dict[int, list[int]]]:
    """The deals, and what each move brings the seat in each of them: 1, 0 for a draw, -1; nothing in other positions,
    or where that takes too long."""
    deals = list_deals(worlds)
    if not deals:
        return [], {}
    perfect, sign = Perfect(positions, deals[0].state), 1 if seat == 1 else -1
    try:
        return deals, {move: [sign * perfect.after(deal.state, deal.stock, seat, move) for deal in deals]
                       for move in moves}
    except TooLong:
        return [], {}


def list_best(found: dict[int, list[Any]]) -> list[int]:
    """The moves of which no other is better in any deal."""
    top = [max(column) for column in zip(*found.values(), strict=True)]
    return [move for move, row in found.items() if row == top]


def solve_last(worlds: Any, seat: int, moves: list[int], positions: int) -> dict[int, float] | None:
    """The mean of each move, as `weigh` has it, where one of them is the best in every deal; else None."""
    _, found = weigh(worlds, seat, moves, positions)
    return {move: sum(row) / len(row) for move, row in found.items()} if found and list_best(found) else None
