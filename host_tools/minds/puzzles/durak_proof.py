"""Durak: what a play is worth once two hands are left and the stock is gone, or is down to the turned trump alone,
which both see. Ends without a stock have a solver of their own (players/exact.py); the last draw is played through the
engine.
"""

from __future__ import annotations

from cardtable.engine.event import DRAW, find_verb, pack
from cardtable.engine.state import HAND, OUTCOME, State
from cardtable.games import durak
from host_tools.judge.facts import durak as durak_facts
from host_tools.minds.players import exact
from host_tools.minds.puzzles.proof import Proof

NODES = 60_000  # positions of one question
NODES_AHEAD = 1_000_000  # of all ends that can follow the last draw
BOUTS = 1_500  # positions before the last draw
_DONE, _TAKE = find_verb(durak, "done"), find_verb(durak, "take")


class TooLong(Exception):
    """More positions than are worth it."""


def is_last_draw(state: State) -> bool:
    """Whether two hands are left and one card of the stock, the trump that both see, so that nothing is hidden."""
    if state.register[durak_facts.LEFT] != 1 or state.where.find(durak_facts.TURNED) < 0:
        return False
    found = State(durak.CARDS, durak.REGISTERS)
    found.copy(state)
    found.register[durak_facts.LEFT] = 0
    return exact.is_end(found)


class DurakProof(Proof):
    """Two hands, and no stock or its last card."""

    game = durak
    shows_loss = True
    most_cards = 16

    def may_be(self, state: State, seat: int) -> bool:
        is_open = exact.is_end(state) or is_last_draw(state)
        return is_open and sum(place > HAND for place in state.where) <= self.most_cards

    def fewest_for(self, answer: int) -> int:
        """To take or to beat is a question of two."""
        return 2 if answer >> 16 == _TAKE else self.fewest

    def values(self, state: State, seat: int, moves: list[int]) -> dict[int, int] | None:
        if exact.is_end(state):
            return exact.solve(state, seat, moves, NODES)
        if not is_last_draw(state):
            return None
        ahead = LastDraw(self, state, seat)
        try:
            return {move: ahead.value(self.after(state, seat, move)) for move in moves}
        except TooLong:
            return None

    def shows_all(self, state: State, seat: int, moves: list[int], answer: int) -> bool:
        """Each other play loses, so its line has to end: some take too long, and in some the winner goes round."""
        lines = (list(self.play_out(state, seat, move)) for move in moves if move != answer)
        return all(line[-1].state.register[OUTCOME] for line in lines)

    def turn(self, state: State) -> tuple[int, list[int]]:
        """The attacker adds until it says done, or in `simple` waits; then the defender answers."""
        register = state.register
        if register[OUTCOME]:
            return 0, []
        if register[durak_facts.PHASE] == durak_facts.DRAWING:
            return register[durak_facts.DRAWER], [pack(DRAW, state.where.find(durak_facts.TURNED))]
        attacker, defender = register[durak_facts.ATTACKER], register[durak_facts.DEFENDER]
        is_simple = register[durak.PRESET] == durak_facts.SIMPLE
        has_done = register[durak_facts.ACTED] if is_simple else register[durak_facts.SAID_DONE] >> attacker & 1
        answers = (register[durak_facts.UNBEATEN] and not register[durak_facts.TAKEN]
                   and (has_done or not register[durak_facts.HELD + attacker]))
        seat = defender if answers else attacker
        moves: list[int] = []
        durak.moves(state, seat, 0, moves)
        if seat == attacker and register[durak_facts.ATTACKS] and not register[durak_facts.TAKEN] and (
                register[durak_facts.UNBEATEN] and (is_simple or not moves)):
            moves.append(_DONE << 16 | 254 << 8)
        return seat, moves

    def after(self, state: State, seat: int, packed: int) -> State:
        """In `simple` the attacker says nothing when it adds nothing (D13)."""
        register = state.register
        is_silent = packed >> 16 == _DONE and register[durak.PRESET] == durak_facts.SIMPLE
        if not is_silent:
            return super().after(state, seat, packed)
        found = State(durak.CARDS, durak.REGISTERS)
        found.copy(state)
        found.register[durak_facts.ACTED] = 1
        return found


class LastDraw:
    """What positions before the last draw are worth for a seat: the bout through the engine, what follows solved."""

    def __init__(self, proof: DurakProof, state: State, seat: int) -> None:
        self.proof, self.seat = proof, seat
        self.known: dict[bytes, int] = {}
        self.end = exact.OpenEnd(NODES_AHEAD)
        found = State(durak.CARDS, durak.REGISTERS)
        found.copy(state)
        found.where[found.where.find(durak_facts.TURNED)] = HAND + seat
        self.end.cards = tuple(exact.End(found).cards)  # all that can be in any end behind the draw

    def value(self, state: State) -> int:
        """1, 0 or -1. TooLong."""
        if state.register[OUTCOME]:
            losers = durak.losers(state)
            return 0 if not losers else -1 if losers >> self.seat & 1 else 1
        key = bytes(state.save())
        if key not in self.known:
            if len(self.known) > BOUTS:
                raise TooLong
            self.known[key] = 0  # what comes back to itself goes round for ever
            self.known[key] = self.look_ahead(state)
        return self.known[key]

    def look_ahead(self, state: State) -> int:
        """The same, of a position that is not known yet."""
        who, moves = self.proof.turn(state)
        sign = 1 if who == self.seat else -1
        if exact.is_end(state):
            values = self.end.solve(state, who, moves)
            if values is None:
                raise TooLong
            return max(values.values()) * sign
        is_drawing = state.register[durak_facts.PHASE] == durak_facts.DRAWING
        if not moves or not is_drawing and not is_last_draw(state):
            raise TooLong
        best = -1
        for move in moves:
            best = max(best, self.value(self.proof.after(state, who, move)) * sign)
            if best == 1:
                break
        return best * sign
