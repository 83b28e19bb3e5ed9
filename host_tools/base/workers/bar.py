"""A progress bar on standard error: only on a terminal, and only if the work takes long."""

import sys
import time
from typing import Any

BAR_AFTER_S = 1.0


class Bar:
    """Shows how much of `total` is done; a total of 0 is not known, and a count stands instead."""

    def __init__(self, what: str, total: int = 0):
        self._what = what
        self._total = total
        self._begun_s = time.monotonic()
        self._progress: Any = None
        self._task: Any = None

    @staticmethod
    def is_wanted() -> bool:
        """Whether there is a terminal that can show it: only then it pays to count what has to be done."""
        return sys.stderr.isatty()

    def step(self, done: int) -> None:
        """So much is done."""
        if self._progress is not None:
            self._progress.update(self._task, completed=done, count=f"{done:,}")
        elif self.is_wanted() and done != self._total and time.monotonic() - self._begun_s > BAR_AFTER_S:
            self._show(done)

    def _show(self, done: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        # Where both streams are the same terminal, lines have to be printed above the bar.
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[count]}"),
            TimeRemainingColumn(), console=Console(stderr=True), transient=True,
            redirect_stdout=sys.stdout.isatty(),
        )
        self._task = self._progress.add_task(
            self._what, total=self._total or None, completed=done, count=f"{done:,}"
        )
        self._progress.start()

    def close(self) -> None:
        """Take it away."""
        if self._progress is not None:
            self._progress.stop()
