"""The table of a hall: the firmware runs inside this Python, between the turns of the server's loop.

A process for MicroPython beside each server takes half as much again of the processor, and 9 MB more
(docs/benchmarks.md). Here the same firmware lives for some milliseconds at a time, as it does in a browser's page
(host_tools/play/browser/table.py).
"""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from host_tools.play.browser.table import FOREVER, LOOK_S, SteppedMachine, SteppedTable

PATIENCE_S = 60.0  # how long its end waits for a turn of the loop


class HallMachine(SteppedMachine):
    """It is made and started in the thread of a running loop, and lives there."""

    def __init__(self, *facts: Any, **named: Any) -> None:
        super().__init__(*facts, **named)
        self._loop = asyncio.get_running_loop()
        self._next: asyncio.TimerHandle | None = None
        self.on_post = self._call

    def start(self) -> None:
        """Power up with the next turn."""
        super().start()
        self._hurry()

    def close(self) -> None:
        """Cut the power, from another thread; comes back when it is off."""
        ended = threading.Event()

        def end() -> None:
            self._is_closing = True
            if self._next is not None:
                self._next.cancel()
            SteppedMachine.close(self)
            ended.set()

        self._loop.call_soon_threadsafe(end)
        ended.wait(PATIENCE_S)

    def _call(self) -> None:
        """There is work; from any thread."""
        self._loop.call_soon_threadsafe(self._hurry)

    def _hurry(self) -> None:
        if self._next is not None:
            self._next.cancel()
        if not self._is_closing:
            self._next = self._loop.call_later(0.0, self._live)

    def _live(self) -> None:
        wait_s = self.live()
        self._next = self._loop.call_later(LOOK_S if wait_s == FOREVER else wait_s, self._live)


class HallTable(SteppedTable):
    """A table whose server's loop lets it live."""

    make_machine = HallMachine
