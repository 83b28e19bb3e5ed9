"""A second solver for each game: slow, simple, through the engine alone, and by none of the first one's thoughts. What
it does not confirm is not kept.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from cardtable.engine.deck import JOKER, RANK, SUIT
from cardtable.engine.event import Event, find_verb, pack, unpack
from cardtable.engine.state import HAND, OUTCOME, State
from cardtable.games import bailiff, cals_bs, durak, malice
from host_tools.judge.facts import bailiff as bailiff_facts
from host_tools.judge.facts import cals_bs as cals_bs_facts
from host_tools.judge.facts import durak as durak_facts
from host_tools.judge.facts import malice as malice_facts
from host_tools.minds.puzzles.bailiff_proof import DEEPEST
from host_tools.minds.puzzles.cals_bs_proof import BLUFFS, BLUFFS_LATE, FALSELY, LATE
from host_tools.minds.puzzles.proofs import find_proof
from host_tools.minds.puzzles.puzzle import Puzzle
from host_tools.sight.seen import look

LIMIT = 40_000  # positions of one proof
DEEP = 300  # and so many one behind the other: Python's own stack has room for a thousand calls
_DOUBT = pack(find_verb(cals_bs, "doubt"))


class TooLarge(Exception):
    """The proof would take too long."""


def confirms(puzzle: Puzzle) -> bool:
    """Whether the answer is right and every other choice is not; False, too, where that takes too long."""
    session, at_ms = puzzle.load()
    game, answer = session.game, puzzle.packed(session.game)
    proof = find_proof(game)
    moves = proof.choices(look(session, puzzle.seat, at_ms)) if proof else []
    if proof is None or answer not in moves or len(moves) < proof.fewest_for(answer):
        return False
    try:
        return all(_RIGHT[game](session.state, puzzle.seat, move) == (move == answer) for move in moves)
    except TooLarge:
        return False


# --- Durak ---


class Prover:
    """Whether a seat of Durak is the fool for sure, by trying everything, cheap cards first. What comes back to itself
    is no loss: it goes round for ever."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.known: dict[bytes, bool] = {}
        self.on_way: set[bytes] = set()

    def loses(self, state: State) -> bool:
        """TooLarge."""
        if state.register[OUTCOME]:
            return bool(durak.losers(state) >> self.seat & 1)
        key = fold(state)
        if key in self.known:
            return self.known[key]
        if key in self.on_way:
            return False
        if len(self.known) > LIMIT or len(self.on_way) > DEEP:
            raise TooLarge
        self.on_way.add(key)
        proof = find_proof(durak)
        assert proof is not None
        seat, moves = proof.turn(state)
        children = (self.loses(proof.after(state, seat, move))
                    for move in sorted(moves, key=lambda move: cost(state, move)))
        found = (all if seat == self.seat else any)(children)
        self.on_way.discard(key)
        self.known[key] = found
        return found


def fold(state: State) -> bytes:
    """One for all orders of laying the same cards: of those on the table only the ones count that are to be beaten."""
    where, register = bytearray(state.where), state.register
    covered = {place - durak_facts.COVER for place in where if place >= durak_facts.COVER}
    for card, place in enumerate(where):
        if place >= durak_facts.ATTACK:
            is_open = place < durak_facts.COVER and place - durak_facts.ATTACK not in covered
            where[card] = durak_facts.ATTACK if is_open else durak_facts.COVER
    return bytes(where) + bytes(register[:durak_facts.LIES]) + bytes(register[durak_facts.OPENER:])


def cost(state: State, packed: int) -> tuple[bool, bool, int]:
    """In which order plays are tried: plain cards from the lowest, trumps, and what is said."""
    card = packed >> 8 & 255
    if card >= durak.CARDS:
        return True, False, 0
    return False, SUIT[card] == state.register[durak_facts.TRUMP], RANK[card]


def keeps_from_loss(state: State, seat: int, packed: int) -> bool:
    """Durak: whether the seat is not the fool for sure after that play."""
    proof = find_proof(durak)
    assert proof is not None
    return not Prover(seat).loses(proof.after(state, seat, packed))


# --- Malice and Bailiff: a win by force ---


def play(game: Any, state: State, seat: int, packed: int) -> State:
    """The state behind that event."""
    found = State(game.CARDS, game.REGISTERS)
    found.copy(state)
    game.enact(found, unpack(packed, seat, 0, Event()))
    return found


def list_all(game: Any, state: State, seat: int) -> list[int]:
    """Every event that the engine accepts from the seat, but of two cards of one rank from one place one alone."""
    moves: list[int] = []
    game.moves(state, seat, 0, moves)
    found: dict[tuple[int, ...], int] = {}
    for move in moves:
        card = move >> 8 & 255
        what = (RANK[card], state.where[card]) if card < game.CARDS else (255, 0)
        found.setdefault((move >> 16, *what, move & 255), move)
    return list(found.values())


def wins_in_turn(state: State, seat: int, packed: int) -> bool:
    """Malice: whether the seat can empty its payoff pile before its turn ends, by trying everything. TooLarge."""
    budget = itertools.count()

    def wins(now: State) -> bool:
        if next(budget) > LIMIT:
            raise TooLarge
        if now.register[OUTCOME]:
            return not malice.losers(now) >> seat & 1
        if now.register[malice_facts.TURN] != seat:
            return False
        by_chance = set(malice.CHANCE.values())
        return any(wins(play(malice, now, seat, move)) for move in list_all(malice, now, seat)
                   if move >> 16 not in by_chance)

    return wins(play(malice, state, seat, packed))


def gets_out(state: State, seat: int, packed: int) -> bool:
    """Bailiff: whether the seat is out by force within DEEPEST plays, that one counted. TooLarge."""
    known: dict[tuple[bytes, int], bool] = {}

    def forces(now: State, plays: int) -> bool:
        register = now.register
        if register[OUTCOME]:
            return not bailiff.losers(now) >> seat & 1
        key = bytes(now.save()), plays
        if key not in known:
            if len(known) > LIMIT:
                raise TooLarge
            turn = register[bailiff_facts.TURN]
            begun = register[bailiff_facts.BEGUN]
            moves = [move for move in list_all(bailiff, now, turn) if is_whole(now, turn, move)]
            spent = 1 if turn == seat and not begun else 0
            known[key] = (plays >= spent) and (any if turn == seat else all)(
                forces(play(bailiff, now, turn, move), plays - spent) for move in moves)
        return known[key]

    return forces(play(bailiff, state, seat, packed), DEEPEST - 1)


def is_whole(state: State, seat: int, packed: int) -> bool:
    """Bailiff: no card taken back, and no raise that the hand cannot finish (B5)."""
    register, card = state.register, packed >> 8 & 255
    if packed >> 16 == bailiff_facts.TO_UNLAY:
        return False
    if register[bailiff_facts.BEGUN]:
        return packed >> 16 == bailiff_facts.TO_LAY
    following = play(bailiff, state, seat, packed)
    while following.register[bailiff_facts.BEGUN] and following.register[bailiff_facts.TURN] == seat:
        lays = [move for move in list_all(bailiff, following, seat)
                if move >> 16 == bailiff_facts.TO_LAY and RANK[move >> 8 & 255] == RANK[card]]
        if not lays:
            return False
        following = play(bailiff, following, seat, lays[0])
    return True


# --- Cal's BS: the odds ---


def is_right_price(state: State, seat: int, packed: int) -> bool:
    """Cal's BS: whether the set is false (of a doubt) or true (of letting it stand) more often than not at every corner
    of the bounds. The hand is drawn card by card, in fractions, and nothing is rounded."""
    register, last = state.register, state.register[cals_bs_facts.LAST]
    own = (HAND + seat, cals_bs_facts.STAGED + seat)
    hidden = [card for card in range(cals_bs.CARDS) if state.where[card] and state.where[card] not in own]
    of_other = (HAND + last, cals_bs_facts.STAGED + last, cals_bs_facts.SET)
    held = sum(state.where[card] in of_other for card in range(cals_bs.CARDS))
    laid = sum(state.where[card] == cals_bs_facts.SET for card in range(cals_bs.CARDS))
    fitting = sum(RANK[card] in (register[cals_bs_facts.CLAIM], JOKER) for card in hidden)
    drawn = {0: Fraction(1)}  # how likely so many of the cards drawn so far fit
    for at in range(held):
        following: dict[int, Fraction] = {}
        for fits, chance in drawn.items():
            rest = len(hidden) - at
            following[fits + 1] = following.get(fits + 1, Fraction(0)) + chance * Fraction(max(0, fitting - fits), rest)
            following[fits] = following.get(fits, Fraction(0)) + chance * Fraction(rest - max(0, fitting - fits), rest)
        drawn = following
    could = sum((chance for fits, chance in drawn.items() if fits >= laid), Fraction(0))
    chances = []
    for bluffs in BLUFFS_LATE if held <= LATE else BLUFFS:
        for falsely in FALSELY:
            true = could * (1 - Fraction(bluffs))
            false = could * Fraction(bluffs) + (1 - could) * Fraction(falsely)
            chances.append(false / (false + true))
    half = Fraction(1, 2)
    return all(chance > half for chance in chances) if packed == _DOUBT else all(chance < half for chance in chances)


_RIGHT: dict[Any, Callable[[State, int, int], bool]] = {
    durak: keeps_from_loss, malice: wins_in_turn, bailiff: gets_out, cals_bs: is_right_price,
}
