"""Bailiff: which play gets a seat out by force, whatever the other one plays. Two hands are left and no stock, so that
nothing is hidden; suits mean nothing, so a hand is a count of each rank.

What cannot be forced within DEEPEST plays of one's own is no answer, and neither is a play beside which another one
gets out within EXTRA plays more.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardtable.engine.deck import ACE, RANK
from cardtable.engine.event import Event, unpack
from cardtable.engine.state import HAND, OUTCOME, SEATS, STOCK, State, find_place
from cardtable.games import bailiff
from host_tools.judge.facts.bailiff import (
    BEGUN, BEGUN_RANK, DEALING, DRAWING, FRONT, FRONT_RANK, FRONTS, PHASE, TO_LAY, TO_TAKE, TURN,
)
from host_tools.minds.puzzles.proof import LONGEST, Act, Proof, option
from host_tools.sight.seen import Seen

DEEPEST = 5  # plays of who wants to be out
EXTRA = 4
POSITIONS = 40_000  # of one question
NEVER = 99
_BITS = 3  # of a packed hand, for each rank
_WHOLE = 4  # cards of a rank
_COVERED = find_place(bailiff, "covered")

# mine, theirs, beneath the front, rank of the front (-1: none), its cards; all from the eyes of who wants to be out
Position = tuple[int, int, int, int, int]


class TooLong(Exception):
    """More positions than are worth it."""


def count(hand: int, rank: int) -> int:
    """Cards of that rank in a packed hand."""
    return hand >> _BITS * rank & 7


def pile_of(rank: int, cards: int) -> int:
    """So many cards of a rank, packed."""
    return cards << _BITS * rank


def plays_of(hand: int, rank: int, cards: int) -> Iterator[tuple[int, int, int]]:
    """B4 to B10: (rank, cards that are laid, cards of the front behind it) of each play but a take."""
    for own in range(max(rank, 0), ACE + 1):
        held = count(hand, own)
        if not held:
            continue
        if rank < 0 or own == ACE and cards < _WHOLE:
            yield own, 1, 1
        elif own == rank and cards < _WHOLE:
            yield own, 1, cards + 1
        elif own > rank and held >= cards:
            yield own, cards, cards


class Race:
    """Whether one of two hands is out by force; its positions are kept for all questions about one game."""

    def __init__(self) -> None:
        self.left = POSITIONS
        self.won: dict[Position, int] = {}  # the fewest plays of one's own that are enough
        self.open: dict[Position, int] = {}  # the most that are not

    def own(self, at: Position, plays: int) -> bool:
        """Whether the hand that moves is out within so many plays. TooLong."""
        if plays <= 0 or plays <= self.open.get(at, 0):
            return False
        if plays >= self.won.get(at, NEVER):
            return True
        self.left -= 1
        if self.left < 0:
            raise TooLong
        found = any(self.holds(following, is_own, plays - 1) for following, is_own in self.follow(at, True))
        if found:
            self.won[at] = plays
        else:
            self.open[at] = plays
        return found

    def holds(self, at: Position, is_own: bool, plays: int) -> bool:
        """The same behind a play; is_own: whose turn it is."""
        if not at[0] or not at[1]:
            return not at[0]
        if is_own:
            return self.own(at, plays)
        if not plays:
            return False  # the other one always has a play
        return all(self.holds(following, turn, plays) for following, turn in self.follow(at, False))

    def follow(self, at: Position, is_own: bool) -> Iterator[tuple[Position, bool]]:
        """Each position that can follow, and whose turn it is there."""
        mine, theirs, beneath, rank, cards = at
        hand = mine if is_own else theirs
        for own, laid, front in plays_of(hand, rank, cards):
            rest = hand - pile_of(own, laid)
            under = beneath if own == rank or rank < 0 else beneath + pile_of(rank, cards)
            clears = own == ACE
            both = (rest, theirs) if is_own else (mine, rest)
            place = (0, -1, 0) if clears else (under, own, front)
            yield (*both, *place), is_own == clears
        if rank >= 0:
            taken = hand + beneath + pile_of(rank, cards)
            yield ((taken, theirs) if is_own else (mine, taken)) + (0, -1, 0), not is_own

    def distance(self, state: State, seat: int, deepest: int) -> int:
        """In how many of its plays the seat is out by force; NEVER: in more, or not at all. TooLong."""
        if state.register[OUTCOME]:
            return NEVER if bailiff.losers(state) >> seat & 1 else 0
        at, is_own = read(state, seat)
        return next((plays for plays in range(deepest + 1) if self.holds(at, is_own, plays)), NEVER)


def read(state: State, seat: int) -> tuple[Position, bool]:
    """The position from the eyes of that seat, and whether it is its turn. A raise that was begun is completed."""
    register, where = state.register, state.where
    mine = theirs = beneath = 0
    for card in range(bailiff.CARDS):
        place = where[card]
        if place == HAND + seat:
            mine += pile_of(RANK[card], 1)
        elif place > HAND:
            theirs += pile_of(RANK[card], 1)
        elif place == _COVERED:
            beneath += pile_of(RANK[card], 1)
    rank, cards, is_own = register[FRONT_RANK] - 1, register[FRONTS], register[TURN] == seat
    if register[BEGUN]:
        raised = register[BEGUN_RANK] - 1
        rest = pile_of(raised, cards - register[BEGUN])
        mine, theirs = (mine - rest, theirs) if is_own else (mine, theirs - rest)
        beneath += pile_of(rank, cards)
        rank, is_own = raised, not is_own
        if raised == ACE:
            beneath, rank, cards, is_own = 0, -1, 0, not is_own
    return (mine, theirs, beneath, rank, cards), is_own


class BailiffProof(Proof):
    """Two hands, no stock, and a way out."""

    game = bailiff
    shows_loss = True
    most_own = 6  # cards of who wants to be out

    def may_be(self, state: State, seat: int) -> bool:
        register, where = state.register, state.where
        if register[OUTCOME] or register[PHASE] in (DEALING, DRAWING) or register[TURN] != seat or register[BEGUN]:
            return False
        if register[option(bailiff, "raise_and_extend")] or register[option(bailiff, "move_limit")]:
            return False
        hands = [where.count(HAND + one) for one in range(1, register[SEATS] + 1)]
        own = hands[seat - 1]
        return (not where.count(STOCK) and sum(held > 0 for held in hands) == 2 and 1 < own <= self.most_own)

    def choices(self, seen: Seen) -> list[int]:
        """One play of each rank, whole raises alone, and a take."""
        moves = [move for move in super().choices(seen) if move >> 16 in (TO_LAY, TO_TAKE)]
        front = [card for card in range(bailiff.CARDS) if seen.view[card] == FRONT]
        fits = {own for own, _, _ in plays_of(sum(pile_of(RANK[card], 1) for card in seen.hand),
                                              RANK[front[0]] if front else -1, len(front))}
        return one_of_each(moves, fits)

    def chosen(self, packed: int, moves: list[int]) -> int | None:
        """Another card of the same rank is the same play."""
        return next((move for move in moves if of_rank(move) == of_rank(packed)), None)

    def values(self, state: State, seat: int, moves: list[int]) -> dict[int, int] | None:
        race = Race()
        try:
            shortest = min(race.distance(self.after(state, seat, move), seat, DEEPEST - 1) for move in moves)
            if shortest == NEVER:
                return dict.fromkeys(moves, -1)
            return {move: 1 if race.distance(self.after(state, seat, move), seat, shortest + EXTRA) != NEVER else -1
                    for move in moves}
        except TooLong:
            return None

    def answer(self, state: State, seat: int, moves: list[int]) -> int | None:
        """Not one after which the next play ends it: that is no riddle."""
        found = super().answer(state, seat, moves)
        if found is None or Race().distance(self.after(state, seat, found), seat, 1) != NEVER:
            return None
        return found

    def plays(self, state: State, seat: int, packed: int) -> int:
        """In how many of its plays the seat is out after that one, which counts."""
        return 1 + Race().distance(self.after(state, seat, packed), seat, DEEPEST)

    def turn(self, state: State) -> tuple[int, list[int]]:
        register = state.register
        if register[OUTCOME]:
            return 0, []
        seat = register[TURN]
        moves: list[int] = []
        bailiff.moves(state, seat, 0, moves)
        if register[BEGUN]:
            rank = register[BEGUN_RANK] - 1
            return seat, [move for move in moves if move >> 16 == TO_LAY and RANK[move >> 8 & 255] == rank][:1]
        hand = sum(pile_of(RANK[card], 1) for card in range(bailiff.CARDS) if state.where[card] == HAND + seat)
        fits = {own for own, _, _ in plays_of(hand, register[FRONT_RANK] - 1, register[FRONTS])}
        return seat, one_of_each(moves, fits)

    def play_out(self, state: State, seat: int, packed: int) -> Iterator[Act]:
        """Who wants to be out goes the shortest way, the other one holds on as long as it can. After a wrong play its
        answer is the last."""
        race, own = Race(), seat
        for _ in range(LONGEST):
            yield Act(seat, packed, state)
            state = self.after(state, seat, packed)
            seat, moves = self.turn(state)
            if not moves:
                break
            try:
                far = {move: race.distance(self.after(state, seat, move), own, DEEPEST) for move in moves}
            except TooLong:
                break
            packed = (min if seat == own else max)(moves, key=lambda move: far[move])
            if seat == own and far[packed] == NEVER:
                break
        yield Act(0, 0, state)


def one_of_each(moves: list[int], fits: set[int]) -> list[int]:
    """One lay of each of these ranks, and what else there is."""
    found: dict[int, int] = {}
    for move in moves:
        if move >> 16 == TO_TAKE or move >> 16 == TO_LAY and RANK[move >> 8 & 255] in fits:
            found.setdefault(of_rank(move), move)
    return list(found.values())


def of_rank(packed: int) -> int:
    """A number for the play without its suit."""
    event = unpack(packed, 1, 0, Event())
    return event.verb << 8 | (RANK[event.card] if event.card < bailiff.CARDS else 255)
