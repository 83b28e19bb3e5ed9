"""Replays a record under one interpreter or both, each line with its verdict."""

import io
import json
from dataclasses import dataclass, field
from typing import Protocol

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.interpreters import WITHOUT_MICROPYTHON, MicroPythonMissing, find_micropython
from host_tools.judge.replay.core import FAILED, INVALID, Outcome, replay
from host_tools.judge.replay.process import Ended, ReplayProcess
from host_tools.judge.replay.sources import Found, lowered

RUNTIMES = ("cpython", "micropython", "both")


@dataclass
class Run:
    """One record under one interpreter: (line from 1, verdict, rule id or nothing) of each event; its end."""

    outcome: Outcome
    events: list[tuple[int, int, str]] = field(default_factory=list)


class Runtime(Protocol):
    """An interpreter that replays one record at a time: `begin`, then `end` for what came of it."""

    def begin(self, record: bytes) -> None: ...

    def end(self) -> Run: ...

    def close(self) -> None: ...


class CPython:
    """The interpreter that runs this file."""

    def begin(self, record: bytes) -> None:
        self._record = record

    def end(self) -> Run:
        events: list[tuple[int, int, str]] = []
        outcome = replay(io.BytesIO(self._record), lambda *event: events.append(event))
        return Run(outcome, events)

    def close(self) -> None:
        pass


class MicroPython:
    """A MicroPython process with the heap of the smallest board; after a crash comes another."""

    def __init__(self, silent_s: float = 60) -> None:
        """silent_s: how long it may say nothing. Raises UnusableInput where MicroPython cannot be had."""
        try:
            program = find_micropython()
        except MicroPythonMissing as missing:
            raise UnusableInput(str(missing)) from missing
        if program is None:
            raise UnusableInput(WITHOUT_MICROPYTHON)
        self._process = ReplayProcess(program, silent_s)

    def begin(self, record: bytes) -> None:
        self._process.send(record)

    def end(self) -> Run:
        events: list[tuple[int, int, str]] = []
        line = ""
        try:
            while True:
                line = self._process.receive()
                word, _, rest = line.partition(" ")
                if word == "event":
                    number, verdict, rule = rest.split(" ")
                    events.append((int(number), int(verdict), rule))
                elif word == "end":
                    return Run(Outcome(*json.loads(rest)), events)
        except Ended as ended:
            # What it printed last, if it was no answer, is the end of a traceback.
            said = "" if line.startswith(("event ", "end ")) or not line else f": {line}"
            return Run(Outcome(FAILED, events[-1][0] if events else 1, f"{ended}{said}"), events)

    def close(self) -> None:
        self._process.close()


class Both:
    """The two at once: what differs between them is a failure, whatever the record says."""

    def __init__(self, here: Runtime, there: Runtime) -> None:
        self._here = here
        self._there = there

    def begin(self, record: bytes) -> None:
        self._there.begin(record)
        self._here.begin(record)

    def end(self) -> Run:
        here = self._here.end()
        return compare(here, self._there.end())

    def close(self) -> None:
        self._here.close()
        self._there.close()


def make_runtime(name: str) -> Runtime:
    """One of RUNTIMES, ready. Raises UnusableInput."""
    if name == "cpython":
        return CPython()
    return MicroPython() if name == "micropython" else Both(CPython(), MicroPython())


def compare(here: Run, there: Run) -> Run:
    """What CPython said, if MicroPython said the same of every line; else the first line where they part."""
    for mine, its in zip(here.events, there.events, strict=False):
        if mine[:2] != its[:2]:
            line = min(mine[0], its[0])
            cause = f"CPython says {say(mine)}, MicroPython {say(its)}"
            return Run(Outcome(FAILED, line, cause, state_at(line, here, there)), here.events)
    mine_end, its_end = here.outcome, there.outcome
    if (mine_end.kind, mine_end.line, mine_end.state) == (its_end.kind, its_end.line, its_end.state):
        return here
    # One of the two may have passed, and then it has no line.
    line = min([end.line for end in (mine_end, its_end) if end.line], default=1)
    cause = f"CPython: {mine_end.cause or mine_end.kind}; MicroPython: {its_end.cause or its_end.kind}"
    if mine_end.cause and mine_end.cause == its_end.cause:
        cause = f"CPython and MicroPython show different states: {mine_end.cause}"
    return Run(Outcome(FAILED, line, cause, state_at(line, here, there)), here.events)


def say(event: tuple[int, int, str]) -> str:
    """`accepted (0)`, `refused D14 (112)`."""
    _, verdict, rule = event
    return f"refused {rule} ({verdict})" if verdict else "accepted (0)"


def state_at(line: int, *runs: Run) -> list[str]:
    """The state of the first run that ended at that line."""
    for run in runs:
        if run.outcome.line == line and run.outcome.state:
            return run.outcome.state
    return []


def replay_file(runtime: Runtime, found: Found) -> tuple[Run, bytes]:
    """Replay one file; also its bytes. A file that cannot be read is INVALID at line 0."""
    if found.trouble:
        return Run(Outcome(INVALID, 0, found.trouble)), b""
    try:
        record = found.record if found.record is not None else foreign.read_bytes(found.path)
    except foreign.Unreadable as unreadable:
        return Run(Outcome(INVALID, 0, lowered(unreadable.cause))), b""
    runtime.begin(record)
    return runtime.end(), record
