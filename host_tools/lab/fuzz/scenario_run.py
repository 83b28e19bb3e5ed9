"""Plays scenarios for hours of table time, hour by hour, and counts what went wrong by what it comes from."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host_tools.base.workers import pool
from host_tools.base.workers.mark import Mark
from host_tools.lab.fuzz import run
from host_tools.lab.fuzz.scenario import HOUR_US, Sentence, read_scenario

TOGETHER, WITHOUT = "several of them together", "none of them"
GIVES_UP = 20  # games in a row that go wrong
SEEDS_AN_HOUR = 1000  # an hour has some twenty games
ANSWER_US = 10_000  # how exactly the time from tap to light is kept


@dataclass(frozen=True)
class Task:
    """An hour of table time, or less, of one scenario; `folder` gets the records of failures."""

    path: str
    seed: int
    hours: float
    names: list[str] | None
    folder: str


@dataclass
class Figures:
    """The totals of one scenario; `wrong` has the failures by cause and kind, `answers` how many taps had their light
    after so many ANSWER_US, `told` a line for each failure."""

    name: str
    games: int = 0
    table_us: int = 0
    acts: int = 0
    events: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    answers: Counter[int] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)
    gave_up: bool = False

    @property
    def an_hour(self) -> float:
        """Wrong events an hour of table time."""
        return self.wrong.total() * HOUR_US / self.table_us if self.table_us else 0.0

    def add(self, other: Figures) -> None:
        """What another hour brought."""
        self.games += other.games
        self.table_us += other.table_us
        self.acts += other.acts
        self.events += other.events
        self.wrong += other.wrong
        self.answers += other.answers
        self.gave_up |= other.gave_up

    def as_json(self) -> list[Any]:
        """All but name and `told`, as a mark keeps it."""
        return [self.games, self.table_us, self.acts, self.events, dict(self.wrong), dict(self.answers), self.gave_up]

    def take(self, said: list[Any]) -> None:
        """What `as_json` gave."""
        self.games, self.table_us, self.acts, self.events, wrong, answers, self.gave_up = said
        self.wrong = Counter(wrong)
        self.answers = Counter({int(taken): count for taken, count in answers.items()})

    def lines(self) -> list[str]:
        """All of it."""
        told = [f"{self.name}: {self.games} games, {self.acts:,} acts, {self.events:,} events in"
                f" {self.table_us / HOUR_US:.2f} h of table time"]
        if self.answers:
            middle, worst = (taken * ANSWER_US / 1e6 for taken in (find_middle(self.answers), max(self.answers)))
            told.append(f"tap to light: {middle:.2f} s in the middle, {worst:.2f} s at worst,"
                        f" {self.answers.total():,} taps")
        told.append(f"wrong events an hour: {self.an_hour:.2f}")
        told += [f"  {what} {count}" for what, count in sorted(self.wrong.items())]
        if self.gave_up:
            told.append(f"{GIVES_UP} games in a row went wrong: no more were played of that hour")
        return told


def find_middle(counts: Counter[int]) -> int:
    """The middle one of so many of each."""
    return next(itertools.islice((value for value in sorted(counts) for _ in range(counts[value])),
                                 counts.total() // 2, None))


def find_cause(seed: int, kind: str, sentences: list[Sentence], begun_us: int, names: list[str] | None) -> str:
    """The one sentence without which the same game does not fail in the same way."""
    def fails(rest: list[Sentence]) -> bool:
        return run.play(seed, names=names, scenario=rest, begun_us=begun_us,
                        least=run.most_seat(sentences)).kind == kind

    if fails([]):
        return WITHOUT
    needed = [one for one in sentences if not fails([other for other in sentences if other is not one])]
    return needed[0].text if len(needed) == 1 else TOGETHER


def play_hour(task: Task) -> Figures:
    """Play game after game, until the task's table time has passed. A failure is kept as a record."""
    sentences = read_scenario(Path(task.path))
    figures = Figures(Path(task.path).stem)
    seed, in_a_row = task.seed, 0
    while figures.table_us < task.hours * HOUR_US and not figures.gave_up:
        begun_us = figures.table_us
        played = run.play(seed, names=task.names, scenario=sentences, begun_us=begun_us)
        figures.games += 1
        figures.table_us += played.table_us
        figures.acts += played.acts
        figures.events += played.events
        figures.answers.update(taken_us // ANSWER_US for taken_us in played.answers_us)
        in_a_row = in_a_row + 1 if played.wrong else 0
        figures.gave_up = in_a_row == GIVES_UP
        if played.wrong:
            cause = find_cause(seed, played.kind, sentences, begun_us, task.names)
            figures.wrong[f"{cause}: {played.kind}"] += 1
            kept = run.write_record(Path(task.folder), played, tuple(one.text for one in sentences), figures.name)
            figures.told.append(f"{figures.name}, seed {seed}, {played.game}: {played.wrong}: {kept}")
        seed += 1
    return figures


def list_tasks(paths: list[Path], seed: int, hours: float, names: list[str] | None, folder: Path) -> dict[str, Task]:
    """Each hour of each scenario by its name, in which the sentences stand: it is another one when they change. First
    the first hours of all, so that a night that is cut off has as many of each."""
    texts = {path: "; ".join(one.text for one in read_scenario(path)) for path in paths}
    return {f"{path.stem}, hour {hour}: {text}": Task(
                str(path), seed + hour * SEEDS_AN_HOUR, min(1.0, hours - hour), names, str(folder))
            for hour in range(math.ceil(hours)) for path, text in texts.items()}


def play_all(paths: list[Path], seed: int, hours: float, names: list[str] | None, folder: Path, jobs: int,
             resume: Path | None, say: Callable[[str], None]) -> list[Figures]:
    """Play so many hours of each scenario over all cores, and tell the figures, also where it is cut off. resume: the
    mark from which such a run goes on. UnusableInput."""
    tasks = list_tasks(paths, seed, hours, names, folder)
    mark = Mark(resume, f"fuzz --scenario --seed {seed} --hours {hours}{' --game '.join(['', *(names or [])])}")
    all_figures = {path.stem: Figures(path.stem) for path in paths}
    for name, said in mark.kept.items():
        if name in all_figures:
            all_figures[name].take(said)
    mark.keep = lambda: {name: figures.as_json() for name, figures in all_figures.items()}
    left = {name: task for name, task in tasks.items() if not mark.passes(name)}
    mark.check_passed()
    try:
        for name, figures in zip(left, pool.spread(play_hour, left.values(), jobs), strict=True):
            for line in figures.told:
                say(line)
            all_figures[figures.name].add(figures)
            mark.add(name)
        mark.remove()
    except KeyboardInterrupt:
        mark.write()
        raise
    finally:
        for figures in all_figures.values():
            for line in figures.lines():
                say(line)
    return list(all_figures.values())
