"""Proves what a play is worth, game by game, and plays its position out, each side as well as it can.

A value is that of who plays: 1 it wins, 0 nobody loses, -1 it loses, or, where a play has to win by force, it does not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cardtable.engine.event import OWN_VERB, Event, unpack
from cardtable.engine.state import OPTION, OUTCOME, State
from host_tools.minds.players.search import list_moves, list_waiting
from host_tools.sight.seen import Seen

LONGEST = 120  # acts that are played out


@dataclass(frozen=True)
class Act:
    """One act of a line that is played out: who does what. `state`: before it."""

    seat: int
    packed: int
    state: State


def option(game: Any, name: str) -> int:
    """The register that keeps an option of the game; its words are numbered from 0, the usual one first."""
    return OPTION + 2 * [row[0] for row in game.OPTIONS].index(name)


class Proof(ABC):
    """What can be proved in one game."""

    game: Any
    fewest = 3  # acts to choose from
    shows_loss = False  # whether a wrong play is played out, too

    @abstractmethod
    def may_be(self, state: State, seat: int) -> bool:
        """Whether it is worth asking what that seat's plays are worth here: a quick look."""

    def choices(self, seen: Seen) -> list[int]:
        """What the seat can choose from; empty where it may also do nothing, or answers an undo."""
        is_asked = any(move >> 16 < OWN_VERB for move in seen.moves)
        return [] if is_asked or list_waiting(seen) else list_moves(seen)

    def chosen(self, packed: int, moves: list[int]) -> int | None:
        """Which of the choices an act is; None: none of them. packed: 0 for who waits."""
        return packed if packed in moves else None

    def fewest_for(self, answer: int) -> int:
        """Acts to choose from, where that one is right."""
        return self.fewest

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

    def shows_all(self, state: State, seat: int, moves: list[int], answer: int) -> bool:
        """Whether what is said of each other play is seen in its line."""
        return True

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
