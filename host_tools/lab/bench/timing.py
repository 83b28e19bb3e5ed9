"""Measures rates: repeatedly, and each beside the calibration loop."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from host_tools.lab.bench.calibration import TURNS, calibrate
from host_tools.lab.bench.results import Row


REPEATS, QUICK_REPEATS = 9, 3  # of every rate, the best of which counts


@dataclass
class Found:
    """The findings of the repeats: rates, and in turns a second what the calibration loop reached between them."""

    rates: list[float]
    turns: list[float]

    @property
    def best(self) -> float:
        """The highest."""
        return max(self.rates)

    @property
    def median(self) -> float:
        """The one in the middle."""
        return statistics.median(self.rates)

    @property
    def per_calibration(self) -> float:
        """How many for each thousand turns, at best."""
        return self.best * 1000 / max(self.turns)


def now() -> int:
    """Microseconds that this process has had of a processor: what others do on the machine counts less."""
    return time.process_time_ns() // 1000


def rate(count: float, us: float) -> float:
    """How many a second."""
    return count * 1e6 / max(us, 1)


def time_calibration() -> float:
    """Turns of the calibration loop a second."""
    begun = now()
    calibrate(TURNS)
    return rate(TURNS, now() - begun)


def repeat(repeats: int, measure: Callable[[], float]) -> Found:
    """Measure a rate again and again, with the calibration loop in between: a machine's pace changes."""
    found = Found([], [])
    for _ in range(repeats):
        found.turns.append(time_calibration())
        found.rates.append(measure())
    return found


@dataclass
class Room:
    """Makes the rows of one room."""

    name: str
    rows: list[Row] = field(default_factory=list)

    def calibration(self, turns: list[float]) -> None:
        """The row of the calibration loop itself."""
        self.rows.append(Row(self.name, "calibration loop", max(turns), "turns/s", statistics.median(turns)))

    def rate(self, name: str, found: Found, unit: str, at_least: float | None = None) -> None:
        """A row for the best of some rates."""
        row = Row(self.name, name, found.best, unit, found.median, found.per_calibration, at_least)
        self.rows.append(row)

    def count(self, name: str, value: float, unit: str, at_most: float | None = None) -> None:
        """A row for what is the same in every run."""
        self.rows.append(Row(self.name, name, value, unit, at_most=at_most))
