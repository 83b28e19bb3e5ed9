"""Prints what a replay found, a line a record, and counts it."""

import sys
import time
from collections.abc import Sequence

from host_tools import foreign
from host_tools.replay.core import FAILED, INVALID, PASSED
from host_tools.replay.run import Found, Run, Runtime, find_records, make_runtime, replay_file, say

BAR_AFTER_S = 1.0


def show_events(run: Run, record: bytes) -> None:
    """Each line that was judged, with its verdict."""
    lines = record.split(b"\n")
    for event in run.events:
        text = lines[event[0] - 1].decode("utf-8", "replace").rstrip()
        foreign.say(f"  {event[0]:5} {foreign.printable(text):40} -> {say(event)}")


def show_outcome(path: str, run: Run) -> None:
    """The record's line; under a failure the state; an unusable file goes to standard error."""
    outcome = run.outcome
    if outcome.kind == PASSED:
        foreign.say(f"{path}: ok")
        return
    place = f"{path}:{outcome.line}" if outcome.line else path
    if outcome.kind == INVALID:
        foreign.say(f"{place}: {outcome.cause}", err=True)
        return
    foreign.say(f"{place}: {outcome.cause}")
    for line in outcome.state:
        foreign.say(f"    {line}")


class Bar:
    """A progress bar on standard error: only on a terminal, and only if the work takes long."""

    def __init__(self, total: int):
        self._total = total
        self._begun_s = time.monotonic()
        self._progress = None
        self._task = None

    def step(self, done: int) -> None:
        """`done` records are through."""
        if self._progress is not None:
            self._progress.update(self._task, completed=done)
        elif sys.stderr.isatty() and done < self._total and time.monotonic() - self._begun_s > BAR_AFTER_S:
            self._show(done)

    def _show(self, done: int) -> None:
        from rich.console import Console
        from rich.progress import Progress

        # Where both streams are the same terminal, lines have to be printed above the bar.
        self._progress = Progress(
            console=Console(stderr=True), transient=True, redirect_stdout=sys.stdout.isatty()
        )
        self._task = self._progress.add_task("replay", total=self._total, completed=done)
        self._progress.start()

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()


def replay_all(runtime: Runtime, found: list[Found], verbose: bool) -> dict[str, int]:
    """Replay every file and print its line; how many of each kind."""
    counts = {PASSED: 0, FAILED: 0, INVALID: 0}
    bar = Bar(len(found))
    try:
        for done, one in enumerate(found):
            bar.step(done)
            run, record = replay_file(runtime, one)
            counts[run.outcome.kind] += 1
            if verbose:
                show_events(run, record)
            show_outcome(one.path, run)
    finally:
        bar.close()
    return counts


def replay(runtime_name: str, verbose: bool, paths: Sequence[str]) -> int:
    """Replay all; the exit code: 0 all passed, 1 some failed, 2 some could not be used."""
    runtime = make_runtime(runtime_name)
    try:
        counts = replay_all(runtime, list(find_records(paths)), verbose)
    finally:
        runtime.close()
    if counts[INVALID]:
        foreign.say(f"{counts[INVALID]} unusable")
    foreign.say(f"{counts[PASSED]} passed, {counts[FAILED]} failed")
    return 2 if counts[INVALID] else 1 if counts[FAILED] else 0
