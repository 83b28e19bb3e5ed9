"""Replays records by the thousand under CPython: in chunks, over all cores or a cluster, in constant memory."""

import io
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from host_tools.base import foreign
from host_tools.base.files import path_as_text
from host_tools.judge.replay.core import FAILED, INVALID, PASSED, Outcome, replay
from host_tools.judge.replay.quick import Judge
from host_tools.judge.replay.sources import Found, lowered
from host_tools.base.workers.mark import Mark
from host_tools.base.workers.pool import spread

CHUNK = 64  # records
CHUNK_BYTES = 1 << 20
SOON_S = 1.0  # a run that ends within it gains nothing by processes
FIRST_FAILURES = 100  # that the summary lists

_JUDGES: dict[str, Judge] = {}


@dataclass
class Ended:
    """One record: how it ended, and how many events were judged."""

    path: str
    outcome: Outcome
    events: int


@dataclass
class Tally:
    """What all records came to."""

    kinds: dict[str, int] = field(default_factory=lambda: {PASSED: 0, FAILED: 0, INVALID: 0})
    events: int = 0
    failures: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0  # that earlier runs have taken, where one goes on
    begun_s: float = field(default_factory=time.monotonic)

    def add(self, ended: Ended) -> None:
        """One more."""
        self.kinds[ended.outcome.kind] += 1
        self.events += ended.events
        if ended.outcome.kind != PASSED and len(self.failures) < FIRST_FAILURES:
            outcome = ended.outcome
            self.failures.append({"record": path_as_text(ended.path), "kind": outcome.kind, "line": outcome.line,
                                  "cause": outcome.cause})

    def as_json(self) -> dict[str, Any]:
        """For a file, and for a mark."""
        return {
            "passed": self.kinds[PASSED], "failed": self.kinds[FAILED], "unusable": self.kinds[INVALID],
            "events": self.events, "failures": self.failures,
            "seconds": round(self.seconds + time.monotonic() - self.begun_s, 3),
        }

    @classmethod
    def from_json(cls, said: dict[str, Any]) -> "Tally":
        """What `as_json` gave."""
        kinds = {PASSED: int(said["passed"]), FAILED: int(said["failed"]), INVALID: int(said["unusable"])}
        return cls(kinds, int(said["events"]), list(said["failures"]), float(said.get("seconds", 0)))


def replay_record(record: bytes, audit: str) -> tuple[Outcome, int]:
    """How one record ends, and how many of its events were judged."""
    judge = _JUDGES.get(audit)
    if judge is None:
        judge = _JUDGES[audit] = Judge(audit)
    count = judge.replay(record)
    if count >= 0:
        return Outcome(PASSED), count
    lines: list[int] = []
    outcome = replay(io.BytesIO(record), lambda line, verdict, rule: lines.append(line))
    return outcome, len(lines)


def replay_chunk(task: tuple[str, list[Found]]) -> list[tuple[Any, ...]]:
    """What came of each record of the chunk, in numbers and texts."""
    audit, chunk = task
    ended: list[tuple[Any, ...]] = []
    for found in chunk:
        trouble = found.trouble
        record = found.record
        if record is None and not trouble:
            try:
                record = foreign.read_bytes(found.path)
            except foreign.Unreadable as unreadable:
                trouble = lowered(unreadable.cause)
        if record is None:
            ended.append((INVALID, 0, trouble, [], 0))
            continue
        outcome, count = replay_record(record, audit)
        ended.append((outcome.kind, outcome.line, outcome.cause, outcome.state, count))
    return ended


def cut(records: Iterator[Found], mark: Mark, is_far: bool) -> Iterator[list[Found]]:
    """The records that are still to be done, in chunks. is_far: they go to other machines, so with their bytes."""
    chunk: list[Found] = []
    size = 0
    for found in records:
        if mark.passes(found.path):
            continue
        if is_far and found.record is None and not found.trouble:
            try:
                found.record = foreign.read_bytes(found.path)
            except foreign.Unreadable as unreadable:
                found.trouble = lowered(unreadable.cause)
        chunk.append(found)
        size += len(found.record or b"")
        if len(chunk) >= CHUNK or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    mark.check_passed()
    if chunk:
        yield chunk


def replay_chunks(
    tasks: Iterator[tuple[str, list[Found]]], jobs: int, cluster: str
) -> Iterator[list[tuple[Any, ...]]]:
    """`replay_chunk` of each, here as long as the run is short, then by processes; or all by the cluster."""
    until_s = time.monotonic() + SOON_S
    while not cluster and time.monotonic() < until_s:
        task = next(tasks, None)
        if task is None:
            return
        yield replay_chunk(task)
    yield from spread(replay_chunk, tasks, jobs, cluster)


def replay_many(
    records: Iterator[Found], audit: str, mark: Mark, jobs: int = 0, cluster: str = ""
) -> Iterator[Ended]:
    """What came of each record, in their order, those left out that the mark passes."""
    paths: deque[list[str]] = deque()

    def tasks() -> Iterator[tuple[str, list[Found]]]:
        for chunk in cut(records, mark, bool(cluster)):
            paths.append([found.path for found in chunk])
            yield audit, chunk

    for ended in replay_chunks(tasks(), jobs, cluster):
        for path, (kind, line, cause, state, count) in zip(paths.popleft(), ended, strict=True):
            yield Ended(path, Outcome(kind, line, cause, state), count)
