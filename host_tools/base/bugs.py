"""Keeps bugs of a server: each gets a number and one sentence, its traceback goes into a file beside the games."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
import traceback
from collections.abc import Generator
from pathlib import Path
from typing import Any

from host_tools.base import foreign

FILE = "bugs.txt"
FILE_LIMIT = 1024 * 1024  # bytes; then the file begins again, and the one before stays as bugs.txt.1
SAID = 5  # bugs of one cause that are said on the terminal; each is counted


class BugLog:
    """`note(error)` from any thread: the sentence. `folder`: where the file lies; None: nowhere. `count`: how many."""

    def __init__(self, folder: Path | None) -> None:
        self.path = folder / FILE if folder else None
        self.count = 0
        self._lock = threading.Lock()
        self._said: dict[str, int] = {}

    def note(self, error: BaseException | None, where: str = "") -> str:
        """Write down an unexpected error. The sentence for whom it stopped; it is also said on standard error, the
        first SAID times for one cause."""
        told = "".join(traceback.format_exception(error)) if error else ""
        cause = f"{type(error).__name__} {find_place(error)}" if error else where
        with self._lock:
            self.count += 1
            sentence = f"this did not work: it is bug {self.count} of this server"
            times = self._said[cause] = self._said.get(cause, 0) + 1
            if len(self._said) > 1000:
                self._said.clear()
            self._write(f"bug {self.count}, {time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {where}\n{told}\n")
        if times <= SAID:
            file = f"; {self.path} has its cause" if self.path else ""
            last = "; it is not said again" if times == SAID else ""
            foreign.log("ERROR", f"bug {self.count}: {foreign.shorten(cause, 120)}{file}{last}")
        return sentence

    def guard(self, act: Generator[Any, Any, Any], where: str = "") -> Generator[Any, Any, Any]:
        """What somebody does at a table; an error is noted, costs this act, and not the table."""
        try:
            yield from act
        except Exception as bug:  # noqa: BLE001 - whatever it is
            self.note(bug, where)

    def _write(self, text: str) -> None:
        if self.path is None:
            return
        with contextlib.suppress(OSError):  # a full disk: the sentence is said all the same
            if self.path.exists() and self.path.stat().st_size > FILE_LIMIT:
                self.path.replace(self.path.with_suffix(".txt.1"))
            with open(self.path, "a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)

    def handle(self, loop: asyncio.AbstractEventLoop, facts: dict[str, Any]) -> None:
        """The exception handler of a loop: what nobody waits for is noted, too."""
        error = facts.get("exception")
        if error is not None and not isinstance(error, ConnectionError):  # of a client that has gone
            self.note(error, str(facts.get("message", "")))

    def logger(self, name: str) -> logging.Logger:
        """A logger for a library that would print tracebacks: they come here; what is less than an error is dropped."""
        logger = logging.Logger(name, logging.ERROR)
        logger.addHandler(_Handler(self))
        return logger


class _Handler(logging.Handler):
    def __init__(self, bugs: BugLog) -> None:
        super().__init__()
        self._bugs = bugs

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, ConnectionError):
            self._bugs.note(error, foreign.shorten(record.getMessage(), 200))


def find_place(error: BaseException) -> str:
    """FILE:LINE in which the error was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
