"""Counts what a table of the site costs while nothing happens: the page's worker in this Python, by a clock of its own.

    .venv/bin/python -m tests.host_tools.published.idle_table [SECONDS]

A line for the lobby, for a game that waits for its person with lights that shine, and for one whose light blinks: how
often it was called, how many seconds of its time it lived, frames to its readers, messages to the page, and processor
seconds, of SECONDS (20) from the moment at which nothing is left to do. The processor time counts on a busy machine,
too, but is longer there; a browser's Python takes several times as long.
"""

import json
import sys
import tempfile
import time

import tests.conftest  # noqa: F401 - makes the firmware's modules known

from host_tools.look.published.worker import Worker
from host_tools.play import machine
from host_tools.play.browser.table import FOREVER, SteppedMachine

CALM_US = 500_000
MOST_S = 200.0  # until a game waits for its person
TABLES = {"lobby": (0, 0), "steady": (7, 1), "blinking": (7, 2)}  # seed, virtual players


class Clock:
    """A computer's, which stands still while the table lives: it never falls behind."""

    now_s = 100.0

    def monotonic(self) -> float:
        return self.now_s


class Idle:
    """A table of a page, as its worker calls it."""

    def __init__(self, folder: str, seed: int, bots: int, clock: Clock) -> None:
        self.said: list[str] = []
        self.calls = 0
        self.clock = clock
        self.counter = Worker(folder, "en", seed, self.said.append, lambda: None).counter
        self.table = self.counter.table
        self.counter.open()
        self.counter.hear(json.dumps({"type": "hello", "client": "abcdefgh", "secret": ""}))
        self.live(MOST_S, lambda: self.table.phase == "lobby")
        if bots:
            seats = [{"name": "You", "who": "here"}]
            seats += [{"name": name, "who": "bot:beginner"} for name in ("Ann", "Bob")[:bots]]
            self.counter.hear(json.dumps({"type": "act", "n": 1, "do": "start", "game": "durak throw-in",
                                          "dealer": len(seats), "seats": seats}))
            self.live(MOST_S, self.waits)
            assert self.waits()

    def waits(self) -> bool:
        """Whether the game waits for its person, and nothing is left to do."""
        table = self.table
        has_plans = any(hands.has_plans for hands in table.hands.values())
        return (table.phase == "play" and not has_plans and bool(table.waits[1])
                and table.now_us - table.machine._stirred_us > CALM_US)

    def live(self, most_s: float, until) -> None:
        """Let it live until that is so, for so long at most."""
        end_s = self.clock.now_s + most_s
        while self.clock.now_s < end_s and not until():
            self.calls += 1
            wait_s = self.counter.live()
            self.clock.now_s = end_s if wait_s == FOREVER else min(end_s, self.clock.now_s + wait_s)

    @property
    def figures(self) -> tuple[float, ...]:
        """What has been so far."""
        frames = sum(reader.frames for reader in self.table.world.readers)
        return self.calls, self.table.now_us / 1e6, frames, len(self.said), time.process_time()


def measure(name: str, seconds: float) -> str:
    """The line of a table."""
    clock = Clock()
    machine.time = SteppedMachine.clock = clock  # type: ignore[assignment]
    with tempfile.TemporaryDirectory() as folder:
        idle = Idle(folder, *TABLES[name], clock)
        before = idle.figures
        idle.live(seconds, lambda: False)
        calls, lived_s, frames, messages, spent_s = (new - old for new, old in zip(idle.figures, before, strict=True))
        idle.counter.close()
    return (f"{name}: {calls} calls, lived {lived_s:.1f} s, {frames} frames, {messages} messages, {spent_s:.3f} s of "
            f"processor time: {100 * spent_s / seconds:.2f} % of a core")


if __name__ == "__main__":
    for name in TABLES:
        print(measure(name, float(sys.argv[1]) if len(sys.argv) > 1 else 20.0), flush=True)
