"""Decisions of whole games: what a correction of the chances may use of each, and what came of it.

Playing and guessing cost hours, fitting a line costs seconds. So the decisions of each game are kept in build/samples,
by the source that made them: `fit-value`, `table` and `forms` play no game twice, and go on where they were stopped.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import zlib
from dataclasses import dataclass
from typing import Any

from cardtable.engine.setup import set_up
from cardtable.engine.state import HAND, SEATS, STOCK
from cardtable.games import durak
from host_tools.base import foreign
from host_tools.base.files import write_file
from host_tools.base.project import BUILD, FIRMWARE, HOST
from host_tools.lab.bench.reliability import NODES, Said, Task, pick, play_game
from host_tools.minds.analysis.chances import USUAL, Bearing, Lines, bend, find_alike, find_lines
from host_tools.minds.analysis.judge import GUESSES, OpenWorlds, ends_game, enact_of, solve
from host_tools.minds.arena.plan import header_of, read_game
from host_tools.minds.players.exact import OpenEnd
from host_tools.minds.players.rollouts import compare
from host_tools.minds.players.worlds import World, make_memory, make_worlds, scorer_of

GUESSED, ENDING, SOLVED = range(3)  # ENDING: the play ends the game, so its chance is no guess
_ALL = 1_000_000  # decisions of a game
# Whose source says what a sample is; not the line, which is laid over it.
_MAKERS = (
    FIRMWARE / "cardtable" / "engine", FIRMWARE / "cardtable" / "games", HOST / "judge" / "facts",
    HOST / "minds" / "players", HOST / "minds" / "thinking", HOST / "minds" / "analysis" / "decisions.py",
    HOST / "minds" / "analysis" / "judge.py", HOST / "minds" / "analysis" / "shown.py",
    HOST / "base" / "random_play.py", HOST / "lab" / "bench" / "samples.py", HOST / "lab" / "bench" / "reliability.py",
)  # fmt: skip


@dataclass(frozen=True)
class Sample:
    """One decision. mean, draws: of the guesses of what was played, or what a solved end is worth; opened: of others
    with open cards; came: of 1. own, others, stock: cards before it, which all can count. whole, theirs: how alike that
    seat, and the others on average, are to the advice by the whole game, which nobody knew then. weight: for how many
    decisions of its game it stands. near, nearest, shown: as `find_near` and `find_shown` have them."""

    game: int
    kind: int
    mean: float
    count: int
    draws: float
    alike: float
    opened: float
    came: float
    line: int
    choices: int
    own: int
    others: int
    stock: int
    whole: float
    theirs: float
    weight: float
    near: float
    nearest: float
    shown: tuple[float, ...]

    @property
    def bearing(self) -> Bearing:
        """As the line takes it."""
        return Bearing(self.draws, self.alike, (self.near, self.nearest), self.shown)

    def row(self) -> list[float]:
        """As a file keeps it."""
        *numbers, shown = dataclasses.astuple(self)
        return [*map(float, numbers), *shown]

    @classmethod
    def of(cls, row: list[float]) -> Sample:
        """Of such a row. ValueError."""
        *fields, _ = dataclasses.fields(cls)
        numbers: list[Any] = [int(value) if field.type == "int" else value
                              for field, value in zip(fields, row[: len(fields)], strict=True)]
        return cls(*[*numbers, tuple(row[len(fields):])])


_SHAPE = [[float]]


def take(task: Task) -> list[Sample]:
    """Some decisions of a game, by lot."""
    record = play_game(task)
    if record is None:
        return []
    every, last = pick(record, task.seed, _ALL)
    whole = {step.seat: step.alike for step, _ in sorted(every, key=lambda one: one[0].number)}
    score, over, found = scorer_of(record.game).score, World(last, []), []
    for step, before in every[: task.decisions]:
        seen = step.seen
        assert seen is not None
        worlds = make_worlds(seen, make_memory(record.game))
        solved = solve(step, worlds, OpenEnd(NODES)) if record.game is durak else None
        bearing = Bearing()
        if solved:
            kind, mean, count = SOLVED, 0.5 + solved[step.played] / 2, 1
            opened = mean
        else:
            enact, seed = enact_of(worlds), zlib.crc32(repr((step.number, seen.view)).encode())
            told = compare(worlds, [step.played], enact, seed + 1, 2 * GUESSES, is_racing=False)[0]
            bearing = Bearing.of(told.scores, worlds)
            kind = ENDING if ends_game(worlds, step.played, enact) else GUESSED
            mean, count = told.mean, len(told.scores)
            opened = compare(OpenWorlds(worlds, before), [step.played], enact, seed + 2, GUESSES,
                             is_racing=False)[0].mean
        held = [before.where.count(HAND + seat) for seat in range(1, before.register[SEATS] + 1)]
        own = held[step.seat - 1]
        theirs = [whole.get(seat, USUAL) for seat in range(1, task.seats + 1) if seat != step.seat]
        came = score(over, True, step.seat)
        found.append(Sample(task.seed, kind, mean, count, bearing.draws, step.alike, opened, came, step.number,
                            len(step.choices), own, sum(held) - own, before.where.count(STOCK),
                            whole[step.seat], sum(theirs) / len(theirs), len(every) / min(len(every), task.decisions),
                            *bearing.near, bearing.shown))
    return found


@functools.cache
def find_makers() -> str:
    """A digest of the source by which samples are made: by another they are others."""
    digest = hashlib.sha256(repr((find_alike(0, 0), find_alike(0, 1))).encode())
    for maker in _MAKERS:
        for path in sorted(maker.glob("*.py")) if maker.is_dir() else [maker]:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def keep(task: Task) -> list[Sample]:
    """The same, which is made but once."""
    asked = hashlib.sha256(repr((task.line, task.seats, task.players, task.decisions)).encode()).hexdigest()[:12]
    path = BUILD / "samples" / find_makers() / asked / f"{task.seed}.json"
    try:
        return [Sample.of(row) for row in foreign.read_json(path, _SHAPE)]
    except (foreign.Unreadable, ValueError):
        made = take(task)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, json.dumps([one.row() for one in made]).encode())
    return made


def tell_open(task: Task) -> list[Said]:
    """The same with open cards."""
    line = lines_of(task).opened
    return [say(one, bend(line, one.opened, 0.0, GUESSES, one.bearing)[0], one.opened) for one in keep(task)]


def tell(task: Task) -> list[Said]:
    """What the analysis says of some decisions of a game, and what came."""
    line = lines_of(task).closed
    return [say(one, bend(line, one.mean, 0.0, one.count, one.bearing)[0], one.mean) for one in keep(task)]


def lines_of(task: Task) -> Lines:
    """Those of the table at which the game was played."""
    game = read_game(task.line)
    return find_lines(game, task.seats, set_up(game, header_of(task.line, task.seats, task.seed)).register)


def say(one: Sample, bent: float, known: float) -> Said:
    """A guess is bent, a solved end and what ends the game are not."""
    chance = bent if one.kind == GUESSED else known
    return Said(one.game, 100 * chance, 100 * one.came, one.kind == SOLVED, one.weight)


def gather(task: Task) -> list[Sample]:
    """The guessed decisions of a game, to which a line is fitted."""
    return [one for one in keep(task) if one.kind == GUESSED]
