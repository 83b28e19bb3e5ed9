"""Malice: which play wins within the own turn, where the last payoff card is all that is left of the pile."""

from __future__ import annotations

from cardtable.engine.deck import RANK
from cardtable.engine.state import OUTCOME, State
from cardtable.games import malice
from host_tools.judge.facts import malice as malice_facts
from host_tools.minds.puzzles.proof import Proof
from host_tools.sight.seen import Seen


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
