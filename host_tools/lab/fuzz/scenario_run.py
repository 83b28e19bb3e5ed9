"""Plays a scenario for hours of table time, and counts what went wrong by what it comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from host_tools.lab.fuzz import run
from host_tools.lab.fuzz.scenario import HOUR_US, Sentence, read_scenario

TOGETHER, WITHOUT = "several of them together", "none of them"
GIVES_UP = 20  # games in a row that go wrong


@dataclass
class Figures:
    """The totals of one scenario; `wrong` has the failures by kind, `causes` by the sentence and kind."""

    name: str
    games: int = 0
    table_us: int = 0
    acts: int = 0
    events: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)
    answers_us: list[int] = field(default_factory=list)
    gave_up: bool = False

    @property
    def an_hour(self) -> float:
        """Wrong events an hour of table time."""
        return self.wrong.total() * HOUR_US / self.table_us if self.table_us else 0.0

    def lines(self) -> list[str]:
        """All of it."""
        told = [f"{self.name}: {self.games} games, {self.acts:,} acts, {self.events:,} events in"
                f" {self.table_us / HOUR_US:.2f} h of table time"]
        answers = sorted(self.answers_us)
        if answers:
            told.append(f"tap to light: {answers[len(answers) // 2] / 1e6:.2f} s in the middle,"
                        f" {answers[-1] / 1e6:.2f} s at worst, {len(answers):,} taps")
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.wrong.items()))
        told.append(f"wrong events an hour: {self.an_hour:.2f}" + (f" ({kinds})" if kinds else ""))
        told += [f"  {cause}: {kind} {count}" for (cause, kind), count in sorted(self.causes.items())]
        if self.gave_up:
            told.append(f"{GIVES_UP} games in a row went wrong: no more were played")
        return told


def find_cause(seed: int, kind: str, sentences: list[Sentence], begun_us: int, names: list[str] | None) -> str:
    """The one sentence without which the same game does not fail in the same way."""
    def fails(rest: list[Sentence]) -> bool:
        return run.play(seed, names=names, scenario=rest, begun_us=begun_us,
                        least=run.most_seat(sentences)).kind == kind

    if fails([]):
        return WITHOUT
    needed = [one for one in sentences if not fails([other for other in sentences if other is not one])]
    return needed[0].text if len(needed) == 1 else TOGETHER


def play_hours(path: Path, seed: int, hours: float, names: list[str] | None, folder: Path,
               say: Callable[[str], None]) -> Figures:
    """Play game after game, until so many hours of table time have passed. A failure is kept as a record."""
    sentences = read_scenario(path)
    figures = Figures(path.stem)
    in_a_row = 0
    while figures.table_us < hours * HOUR_US and not figures.gave_up:
        begun_us = figures.table_us
        played = run.play(seed, names=names, scenario=sentences, begun_us=begun_us)
        figures.games += 1
        figures.table_us += played.table_us
        figures.acts += played.acts
        figures.events += played.events
        figures.answers_us += played.answers_us
        in_a_row = in_a_row + 1 if played.wrong else 0
        figures.gave_up = in_a_row == GIVES_UP
        if played.wrong:
            cause = find_cause(seed, played.kind, sentences, begun_us, names)
            figures.wrong[played.kind] += 1
            figures.causes[cause, played.kind] += 1
            kept = run.write_record(folder, played, tuple(one.text for one in sentences))
            say(f"seed {seed}, {played.game}: {played.wrong}: {kept}")
        seed += 1
    return figures
