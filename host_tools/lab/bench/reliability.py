"""Holds the analysis against games that it never saw: whether its chances come true, and whether it finds blunders."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from cardtable.engine.state import State
from cardtable.games import durak
from host_tools.minds.analysis.chances import Bearing
from host_tools.minds.analysis.decisions import Step, check, walk
from host_tools.minds.analysis.judge import GUESSES, enact_of, judge, percent
from host_tools.minds.arena.plan import header_of, read_game
from host_tools.minds.intervals import SURE, Share, measure
from host_tools.sight.recorded import Recorded
from host_tools.minds.players import find_player, list_players
from host_tools.minds.players.exact import OpenEnd, is_end
from host_tools.minds.players.match import Match
from host_tools.minds.players.rollouts import Judged, compare
from host_tools.minds.players.search import solve_open_end
from host_tools.minds.players.worlds import make_memory, make_worlds
from host_tools.base.random_play import Random

BINS = 10
SALTS = 3  # seeds by which a decision is judged, to see whether they agree
KINDS = "kinds"  # in the place of a player's name: any that follows advice, by lot
# Who may sit at a table: each pair of commas another seat, taken in turn.
POPULATIONS = ("beginner", KINDS, "search:8", f"search:8,{KINDS}")
_NO_KINDS = ("random", "novice", "search", "sound")
BLUNDER = 20.0  # points
_FIRST = 160  # guesses that look for a bad move
_SURELY = 1000  # others that say how bad it is
_LIMIT = 3000  # events
LONGEST = 12_000_000  # positions of one end: some 2 s
NODES = 240_000  # positions of one end, the quarter of which one question gets


@dataclass(frozen=True)
class Task:
    """Some decisions of one game."""

    line: str
    seats: int
    players: tuple[str, ...]
    seed: int
    decisions: int


@dataclass(frozen=True)
class Said:
    """One chance that the analysis gave, and what came of it, both in percent. is_exact: of an end that was solved, so
    that it comes true between players who make no mistake there. weight: how many decisions of its game it stands
    for."""

    game: int
    chance: float
    came: float
    is_exact: bool = False
    weight: float = 1.0


@dataclass(frozen=True)
class Planted:
    """A move that was put in the place of the one that was played: what it costs by many guesses, what the analysis
    says that it costs, and whether it is a blunder or the best move."""

    is_blunder: bool
    loss: float
    found: float
    kind: str


def list_kinds(game: Any) -> list[str]:
    """Who may come for KINDS. Where the beginner is the only one that follows advice, the novice comes, too: else such
    games would be the beginners' again."""
    kinds = [name for name in list_players(game) if name not in _NO_KINDS]
    return kinds if len(kinds) > 1 else [*kinds, "novice"]


def play_game(task: Task) -> Recorded | None:
    """A whole game; its players take turns at the seats, where KINDS stands for any kind of player by lot. None if it
    grew too long."""
    game, draw = read_game(task.line), Random(task.seed)
    kinds = list_kinds(game)
    names = [task.players[(task.seed + seat) % len(task.players)] for seat in range(task.seats)]
    players = [find_player(kinds[draw.below(len(kinds))] if name == KINDS else name) for name in names]
    match = Match(game, header_of(task.line, task.seats, task.seed), players, task.seed, _LIMIT)
    return Recorded("game.rec", match.record().encode()) if match.play() else None


def pick(record: Recorded, seed: int, count: int) -> tuple[list[tuple[Step, State]], State]:
    """So many decisions by lot, each with the state before it; and the last state of all."""
    check(record)
    found = []
    before: State | None = None
    for step in walk(record):
        if step.seen is not None and before is not None:
            found.append((step, before))
        before = step.state
    assert before is not None
    Random(seed).shuffle(found)
    return found[:count], before


@dataclass(frozen=True)
class Ended:
    """How a game's open end was solved from the position in which it opens: positions looked at, seconds of the
    processor."""

    is_solved: bool
    positions: int
    processor_s: float
    cards: int


def solve_end(task: Task) -> list[Ended]:
    """The open end of a game of Durak, if it has one: as the analysis meets it, with LONGEST positions at most."""
    record = play_game(task)
    if record is None:
        return []
    check(record)
    for step in walk(record):
        if is_end(step.state):
            end = OpenEnd(4 * LONGEST)  # one question gets a quarter
            begun = time.process_time()
            value = end.value(step.state)
            took_s = time.process_time() - begun
            return [Ended(value is not None, 4 * LONGEST - end.left, took_s, len(end.cards))]
    return []


def flag(task: Task) -> list[tuple[str, ...]]:
    """The class of each decision of a game that is guessed, by so many seeds of the guesses."""
    record = play_game(task)
    if record is None:
        return []
    found = []
    for step, before in pick(record, task.seed, task.decisions)[0]:
        every = [judge(step, before, make_memory(record.game), GUESSES, OpenEnd(NODES), salt) for salt in range(SALTS)]
        if not every[0].is_exact:
            found.append(tuple(one.kind for one in every))
    return found


def plant(task: Task) -> list[Planted]:
    """Blunders and best moves in some positions of a game; what the analysis solves is left out, for there it does not
    ask guesses, and those that size a blunder may be wrong."""
    record = play_game(task)
    if record is None:
        return []
    found = []
    for step, before in pick(record, task.seed, task.decisions)[0]:
        for number, (move, loss) in enumerate(find_extremes(step)):
            if number == 0 or loss >= BLUNDER:
                decision = judge(replace(step, played=move), before, make_memory(record.game), GUESSES)
                if decision.is_exact:
                    continue
                found.append(Planted(number > 0, loss, decision.loss, decision.kind))
    return found


def find_extremes(step: Step) -> list[tuple[Any, float]]:
    """The best move and the worst, with what each costs by guesses that chose neither; none where the end is solved."""
    seen = step.seen
    assert seen is not None
    worlds = make_worlds(seen, make_memory(seen.game))
    if seen.game is durak and solve_open_end(seen, worlds, list(step.choices)):
        return []
    enact = enact_of(worlds)
    ordered = compare(worlds, step.choices, enact, step.number, _FIRST, is_racing=False)
    best, worst = ordered[0].move, ordered[-1].move
    if 100 * (ordered[0].mean - ordered[-1].mean) < BLUNDER:
        return [(best, 0.0)]
    told: list[Judged] = compare(worlds, [best, worst], enact, step.number + 1_000_003, _SURELY, is_racing=False)
    bearing = Bearing.of([score for one in told for score in one.scores], worlds, step.alike)
    means = {id(one.move): percent(worlds, one, enact, bearing)[0] for one in told}
    return [(best, 0.0), (worst, means[id(best)] - means[id(worst)])]


# --- what the findings say ---


@dataclass(frozen=True)
class Bin:
    """Chances of about one size: how many, for how many decisions they stand, their mean, and how often it came true,
    with an interval by games."""

    count: int
    weight: float
    chance: float
    came: Share


def mean_of(said: list[Said], worth: Callable[[Said], float]) -> Share:
    """The mean of that over all decisions. Its interval is by games, for the decisions of one have one outcome between
    them. The mean of each game's mean would be wrong: a game is long or short by how it went, so it finds 2 to 4 points
    where every chance is right (a random walk, stopped at 0 and 100)."""
    weight = sum(one.weight for one in said)
    mean = sum(one.weight * worth(one) for one in said) / weight
    strays: dict[int, float] = {}
    for one in said:
        strays[one.game] = strays.get(one.game, 0.0) + one.weight * (worth(one) - mean)
    share = measure([len(strays) * stray / weight for stray in strays.values()])
    return replace(share, mean=mean, low=mean - share.half, high=mean + share.half)


def fill_bins(said: list[Said]) -> list[Bin]:
    """Chances in steps of ten."""
    bins = []
    for low in range(BINS):
        own = [one for one in said if min(BINS - 1, int(one.chance // (100 / BINS))) == low]
        if own:
            bins.append(Bin(len(own), sum(one.weight for one in own), mean_of(own, lambda one: one.chance).mean,
                            mean_of(own, lambda one: one.came)))
    return bins


def mean_gap(said: list[Said]) -> Share:
    """By how many points what came is above what was said, on average."""
    return mean_of(said, lambda one: one.came - one.chance)


def calibration_error(bins: list[Bin]) -> float:
    """The mean distance of chance and outcome over the steps, each by its weight: points. Luck alone makes some."""
    return sum(one.weight * abs(one.came.mean - one.chance) for one in bins) / sum(one.weight for one in bins)


def luck_alone(bins: list[Bin]) -> float:
    """How large that mean distance would be if every chance were right: of each step the mean size of a normal
    error."""
    whole = sum(one.weight for one in bins)
    return sum(one.weight * one.came.half / SURE * math.sqrt(2 / math.pi) for one in bins if one.came.is_known) / whole
