"""Proves what a play is worth where nothing is hidden any more, and plays such an end out, each side as well as it can.

A value is that of who plays: 1 it wins, 0 nobody loses, -1 it loses. Durak has a solver of its own (players/exact.py);
in Malice, whose stock stays hidden, only a win within the own turn is proved. Ends of Bailiff are too large: two hands
share some 25 cards there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cardtable.engine.deck import RANK
from cardtable.engine.event import OWN_VERB, Event, find_verb, unpack
from cardtable.engine.state import HAND, OUTCOME, State
from cardtable.games import durak, malice
from host_tools.judge.facts import durak as durak_facts
from host_tools.judge.facts import malice as malice_facts
from host_tools.minds.players import exact
from host_tools.minds.players.search import list_moves, list_waiting
from host_tools.sight.seen import Seen

NODES = 60_000  # positions of one question
LONGEST = 120  # acts that are played out
_DONE = find_verb(durak, "done")
_FLIP = find_verb(malice, "flip")


@dataclass(frozen=True)
class Act:
    """One act of a line that is played out: who does what. `state`: before it."""

    seat: int
    packed: int
    state: State


class Proof(ABC):
    """What can be proved in one game."""

    game: Any

    @abstractmethod
    def may_be(self, state: State, seat: int) -> bool:
        """Whether it is worth asking what that seat's plays are worth here: a quick look."""

    def choices(self, seen: Seen) -> list[int]:
        """What the seat can choose from; empty where it may also do nothing, or answers an undo."""
        is_asked = any(move >> 16 < OWN_VERB for move in seen.moves)
        return [] if is_asked or list_waiting(seen) else list_moves(seen)

    @abstractmethod
    def values(self, state: State, seat: int, moves: list[int]) -> dict[int, int] | None:
        """What each play is worth for the seat; None if that cannot be said."""

    @abstractmethod
    def turn(self, state: State) -> tuple[int, list[int]]:
        """Who acts now, and what it can do; seat 0: nobody."""

    def answer(self, state: State, seat: int, moves: list[int]) -> int | None:
        """The only play that does not lose, where each other one does for sure; None where there is no such play."""
        values = self.values(state, seat, moves)
        if values is None:
            return None
        right = [move for move in moves if values[move] >= 0]
        if len(right) != 1 or self.after(state, seat, right[0]).register[OUTCOME]:
            return None  # a last card that ends the game is no riddle
        return right[0]

    def after(self, state: State, seat: int, packed: int) -> State:
        """The state behind that play."""
        found = State(self.game.CARDS, self.game.REGISTERS)
        found.copy(state)
        self.game.enact(found, unpack(packed, seat, 0, Event()))
        return found

    def play_out(self, state: State, seat: int, packed: int) -> Iterator[Act]:
        """That play and what follows, until the game is over, or LONGEST acts; then a last Act of seat 0."""
        for _ in range(LONGEST):
            yield Act(seat, packed, state)
            state = self.after(state, seat, packed)
            seat, moves = self.turn(state)
            if not seat or not moves:
                break
            values = self.values(state, seat, moves) if len(moves) > 1 else {moves[0]: 0}
            if values is None:
                break
            packed = max(moves, key=lambda move: values[move])
        yield Act(0, 0, state)


class DurakProof(Proof):
    """Two hands, no stock."""

    game = durak
    most_cards = 16

    def may_be(self, state: State, seat: int) -> bool:
        return exact.is_end(state) and sum(place > HAND for place in state.where) <= self.most_cards

    def values(self, state: State, seat: int, moves: list[int]) -> dict[int, int] | None:
        return exact.solve(state, seat, moves, NODES) if exact.is_end(state) else None

    def turn(self, state: State) -> tuple[int, list[int]]:
        """The attacker adds until it says done, or in `simple` waits; then the defender answers."""
        register = state.register
        if register[OUTCOME]:
            return 0, []
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


class MaliceProof(Proof):
    """The last payoff card: which play wins the game within this turn. No card may have to be drawn for it."""

    game = malice
    most_positions = 4_000

    def may_be(self, state: State, seat: int) -> bool:
        register = state.register
        return (not register[OUTCOME] and register[malice_facts.PHASE] == malice_facts.PLAY
                and register[malice_facts.TURN] == seat and register[malice_facts.LEFT + seat] == 1
                and not register[malice_facts.DRAWING])

    def turn(self, state: State) -> tuple[int, list[int]]:
        register = state.register
        if register[OUTCOME]:
            return 0, []
        seat = register[malice_facts.TURN]
        moves: list[int] = []
        malice.moves(state, seat, 0, moves)
        by_chance = set(malice.CHANCE.values())
        return (0, []) if any(move >> 16 in by_chance for move in moves) else (seat, moves)

    def choices(self, seen: Seen) -> list[int]:
        """One play of each rank and place."""
        found: dict[tuple[int, int, int], int] = {}
        for move in super().choices(seen):
            card = move >> 8 & 255
            # The same rank in the hand and on a side pile are two plays; two aces in the hand are one.
            where = seen.view[card] if card < malice.CARDS else 0
            found.setdefault((move >> 16, where << 8 | (RANK[card] if where else 0), move & 255), move)
        return list(found.values())

    def values(self, state: State, seat: int, moves: list[int]) -> dict[int, int] | None:
        budget = [self.most_positions]
        found = {}
        for move in moves:
            following = self.after(state, seat, move)
            value = 1 if self.wins(following, seat, budget, set()) else -1
            if budget[0] <= 0:
                return None
            found[move] = value
        return found

    def wins(self, state: State, seat: int, budget: list[int], tried: set[bytes]) -> bool:
        """Whether the seat can win before its turn ends."""
        if state.register[OUTCOME]:
            return not malice.losers(state) >> seat & 1
        key = state.save()
        budget[0] -= 1
        if budget[0] <= 0 or bytes(key) in tried:
            return False
        tried.add(bytes(key))
        turn, moves = self.turn(state)
        if not turn and state.register[malice_facts.TURN] == seat:
            budget[0] = 0  # a card would be drawn
        return turn == seat and any(self.wins(self.after(state, seat, move), seat, budget, tried) for move in moves)


_PROOFS: dict[Any, Proof] = {durak: DurakProof(), malice: MaliceProof()}


def find_proof(game: Any) -> Proof | None:
    """What can be proved in that game; None: nothing."""
    return _PROOFS.get(game)

