"""Judges each decision by what its seat knew, and splits the result into luck and play.

A chance is the share of guesses in which the seat is not the fool, or wins, corrected so that it comes true
(chances.py). The best move is chosen in some guesses and measured in others, so that it gains nothing from being the
luckiest of many. Chances with open cards and those of the split are not corrected; the split's are in millionths and
whole, so its parts add up to the result exactly.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cardtable.engine.state import DEAL, HAND, OUTCOME, STOCK, State
from cardtable.games import cals_bs, durak, malice
from host_tools.judge.facts import durak as durak_facts
from host_tools.judge.facts import malice as malice_facts
from host_tools.minds.analysis.chances import bend
from host_tools.minds.analysis.decisions import Step, check, walk
from host_tools.sight.recorded import Recorded
from host_tools.minds.players.rollouts import Judged, compare
from host_tools.minds.players.search import solve_open_end
from host_tools.sight.seen import Seen
from host_tools.minds.players.worlds import World, Worlds, make_memory, make_worlds, scorer_of
from host_tools.base.random_play import Random
from host_tools.minds.thinking.durak_playout import order_cards

GUESSES = 96
WHOLE = 1_000_000  # a chance of one
CLASSES = ((15, "blunder"), (10, "mistake"), (5, "inaccuracy"))  # from so many points on
_SURE = 1.96
_LOOKS = 8  # guesses in which a play has to end the game
_CLEARLY = 1.0  # standard errors by which the best must be ahead of what was played


@dataclass
class Decision:
    """One decision, its chances in percent."""

    number: int
    seat: int
    seen: Seen
    played: Any
    best: Any
    chance: float
    chance_half: float
    best_chance: float
    best_half: float
    open_chance: float
    open_best: float
    is_exact: bool
    kind: str = ""  # inaccuracy, mistake, blunder, or nothing
    lie: float = -1.0  # Cal's BS: how likely the last set was false, by the odds
    choices: int = 0  # how many there were

    @property
    def loss(self) -> float:
        """How many points it cost."""
        return max(0.0, self.best_chance - self.chance)


@dataclass
class Part:
    """A part of the split: from which chance to which it brought each seat."""

    kind: str  # deal, draws, play; table: what nobody at it decided
    seat: int
    number: int
    changes: list[int]


@dataclass
class Analysis:
    """All that was found. curve: (line, the chances of all seats, open cards) in millionths."""

    record: Recorded
    decisions: list[Decision] = field(default_factory=list)
    curve: list[tuple[int, list[int]]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    outcome: list[int] = field(default_factory=list)

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.record.header.seats)

    def split(self, seat: int) -> dict[str, int]:
        """The result of a seat in millionths: a fair share, the deal, the draws, and what each seat's play brought."""
        found = {"fair": fair_share(self.record.game, self.seats), "deal": 0, "draws": 0, "table": 0}
        for other in range(1, self.seats + 1):
            found[f"play {other}"] = 0
        for part in self.parts:
            key = f"play {part.seat}" if part.kind == "play" else part.kind
            found[key] += part.changes[seat - 1]
        return found


def fair_share(game: Any, seats: int) -> int:
    """The chance of a seat before the deal, in millionths: one wins in Cal's BS, elsewhere all but one."""
    if game is cals_bs:
        return WHOLE // seats
    return WHOLE // 2 if seats == 2 else WHOLE - WHOLE // seats


def analyse(
    record: Recorded, guesses: int = GUESSES, tell: Callable[[int, int], None] = lambda done, of: None
) -> Analysis:
    """Judge a finished game; tell(done, of) while it goes on. UnusableInput for any other."""
    check(record)
    found = Analysis(record)
    game, seats = record.game, found.seats
    memories = [make_memory(game) for _ in range(8)]
    before: State | None = None  # the state before the step; none while cards are dealt
    chances = [fair_share(game, seats)] * seats
    for done, step in enumerate(walk(record)):
        tell(done, record.count)
        if step.seen is not None and before is not None:
            found.decisions.append(judge(step, before, memories[step.seat], guesses))
        is_chance = step.verb in game.CHANCE.values()
        is_last = step.state.register[OUTCOME] > 0
        if is_chance and not step.is_settled and not is_last:
            continue
        kind = (
            "play" if step.seat and not is_chance else "deal" if before is None else "draws" if is_chance else "table"
        )
        now = value_all(game, step.state, seats, 2 * guesses, is_last)
        found.parts.append(Part(kind, step.seat, step.number, difference(chances, now)))
        found.curve.append((step.number, now))
        chances, before = now, step.state
    found.outcome = chances
    return found


def difference(old: list[int], new: list[int]) -> list[int]:
    """Seat by seat."""
    return [after - was for was, after in zip(old, new, strict=True)]


def judge(step: Step, before: State, memory: Any, guesses: int) -> Decision:
    """One decision: what was played and the best, by what the seat knew; and with open cards."""
    seen = step.seen
    assert seen is not None
    worlds = make_worlds(seen, memory)
    lie = worlds.lie if seen.game is cals_bs else -1.0
    solved = solve_open_end(seen, worlds, list(step.choices)) if seen.game is durak else None
    if solved:
        # D40: a draw leaves nobody the fool.
        points_of = {one: 100.0 if value >= 0 else 0.0 for one, value in solved.items()}
        move = step.played
        if points_of[move] < max(points_of.values()):
            move = next(one for one in step.choices if solved[one] == max(solved.values()))
        own, other = points_of[step.played], points_of[move]
        decision = Decision(step.number, step.seat, seen, step.played, move, own, 0, other, 0, own, other, True)
    else:
        decision = judge_by_guesses(step, before, worlds, guesses, lie)
    decision.choices = len(step.choices)
    decision.kind = next((kind for points, kind in CLASSES if decision.loss >= points), "")
    return decision


def judge_by_guesses(step: Step, before: State, worlds: Any, guesses: int, lie: float) -> Decision:
    """Where cards are hidden."""
    seen = worlds.seen
    enact = enact_of(worlds)
    seed = zlib.crc32(repr((step.number, seen.view)).encode())
    best = compare(worlds, step.choices, enact, seed, guesses)[0].move
    both = [step.played] if best == step.played else [step.played, best]
    told = {id(one.move): one for one in compare(worlds, both, enact, seed + 1, 2 * guesses, is_racing=False)}
    own, other = told[id(both[0])], told[id(both[-1])]
    if best != step.played and not own.is_clearly_worse(other, _CLEARLY):
        best, other = step.played, own
    opened = OpenWorlds(worlds, before)
    judged = compare(opened, both, enact, seed + 2, guesses, is_racing=False)
    open_own = next(one for one in judged if one.move is both[0])
    chance, half = percent(worlds, own, enact)
    best_chance, best_half = percent(worlds, other, enact)
    return Decision(
        step.number, step.seat, seen, step.played, best, chance, half, best_chance, best_half,
        100 * open_own.mean, 100 * judged[0].mean, False, lie=lie,
    )  # fmt: skip


def enact_of(worlds: Any) -> Callable[[Any, Any], None]:
    """What makes a choice in a guess: a move, or in Cal's BS a whole plan."""
    if worlds.game is cals_bs:
        return lambda world, plan: worlds.enact_plan(world, plan.cards, plan.word)
    enact: Callable[[Any, Any], None] = worlds.enact
    return enact


def percent(worlds: Any, judged: Judged, enact: Callable[[Any, Any], None]) -> tuple[float, float]:
    """The corrected chance and half of its 95 % interval, in percent. What ends the game is no guess."""
    if ends_game(worlds, judged.move, enact):
        return 100 * judged.mean, 100 * _SURE * judged.error
    chance, half = bend(worlds, judged.mean, _SURE * judged.error, len(judged.scores))
    return 100 * chance, 100 * half


def ends_game(worlds: Any, move: Any, enact: Callable[[Any, Any], None]) -> bool:
    """Whether the game is over with that play, in every guess that is tried."""
    draw = Random(0)
    for _ in range(_LOOKS):
        world = worlds.deal(draw)
        enact(world, move)
        if not world.state.register[OUTCOME]:
            return False
    return True


class OpenWorlds(Worlds):
    """Guesses in which all hands are as they were; only what is still to be drawn is shuffled."""

    def __init__(self, worlds: Worlds, state: State) -> None:
        self.worlds, self.state = worlds, state
        self.seen = worlds.seen

    def deal(self, draw: Random) -> World:
        """The truth, with the stock shuffled."""
        return true_world(self.seen.game, self.state, draw)

    def play_out(self, world: World, draw: Random) -> bool:
        """As in any guess."""
        return self.worlds.play_out(world, draw)

    def score(self, world: World, is_over: bool, seat: int) -> float:
        """As in any guess."""
        return self.worlds.score(world, is_over, seat)


def true_world(game: Any, state: State, draw: Random) -> World:
    """A copy of the state, what is face down to be drawn in another order."""
    copy = State(game.CARDS, game.REGISTERS)
    copy.copy(state)
    copy.register[DEAL] = 0
    if game is durak:
        copy.register[durak_facts.CHEATING] = 0
    stock = [card for card in range(game.CARDS) if copy.where[card] == STOCK]
    payoffs = [card for card in range(game.CARDS) if copy.where[card] == malice_facts.PAYOFF] if game is malice else []
    draw.shuffle(stock)
    draw.shuffle(payoffs)
    assert HAND > STOCK
    return World(copy, stock, payoffs)


def value_all(game: Any, state: State, seats: int, guesses: int, is_over: bool) -> list[int]:
    """The chance of each seat in millionths, all cards open; at the end the outcome itself."""
    valuer = scorer_of(game)
    if is_over:
        world = World(state, [])
        return [round(WHOLE * valuer.score(world, True, seat)) for seat in range(1, seats + 1)]
    if game is durak:
        order_cards(state)
    draw = Random(zlib.crc32(state.save()))
    sums = [0.0] * seats
    for _ in range(guesses):
        world = true_world(game, state, draw)
        ended = valuer.play_out(world, draw)
        for seat in range(seats):
            sums[seat] += valuer.score(world, ended, seat + 1)
    return [math.floor(WHOLE * total / guesses + 0.5) for total in sums]
