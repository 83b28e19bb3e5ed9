"""Prints what a replay found, a line a record, and counts it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.judge.replay.core import FAILED, INVALID, PASSED, Outcome
from host_tools.judge.replay.many import Ended, Tally, replay_many
from host_tools.judge.replay.run import Run, Runtime, make_runtime, replay_file, say
from host_tools.judge.replay.sources import count_records, find_records
from host_tools.base.workers.bar import Bar
from host_tools.base.workers.mark import Mark


@dataclass
class Wishes:
    """What the caller wants."""

    runtime: str = "cpython"
    verbose: bool = False
    quiet: bool = False
    audit: str = "moved"
    jobs: int = 0  # 0: one on each core
    cluster: str = ""
    resume: Path | None = None
    summary: Path | None = None


def show_events(run: Run, record: bytes) -> None:
    """Each line that was judged, with its verdict."""
    lines = record.split(b"\n")
    for event in run.events:
        text = lines[event[0] - 1].decode("utf-8", "replace").rstrip()
        foreign.say(f"  {event[0]:5} {foreign.printable(text):40} -> {say(event)}")


def show_outcome(path: str, outcome: Outcome, is_quiet: bool = False) -> None:
    """The record's line; under a failure the state; an unusable file goes to standard error."""
    if outcome.kind == PASSED:
        if not is_quiet:
            foreign.say(f"{path}: ok")
        return
    place = f"{path}:{outcome.line}" if outcome.line else path
    if outcome.kind == INVALID:
        foreign.say(f"{place}: {outcome.cause}", err=True)
        return
    foreign.say(f"{place}: {outcome.cause}")
    for line in outcome.state:
        foreign.say(f"    {line}")


def replay_slowly(runtime: Runtime, paths: Sequence[str], wishes: Wishes) -> Tally:
    """Replay every record and print its lines, one after the other, each line with its verdict."""
    tally = Tally()
    bar = Bar("replay", count_records(paths) if Bar.is_wanted() else 0)
    try:
        for done, one in enumerate(find_records(paths)):
            bar.step(done)
            run, record = replay_file(runtime, one)
            tally.add(Ended(one.path, run.outcome, len(run.events)))
            if wishes.verbose:
                show_events(run, record)
            show_outcome(one.path, run.outcome, wishes.quiet)
    finally:
        bar.close()
    return tally


def replay_fast(paths: Sequence[str], wishes: Wishes) -> Tally:
    """The same under CPython by all cores, and from where an earlier run has stopped."""
    mark = Mark(wishes.resume, "replay --audit " + wishes.audit)
    tally = Tally.from_json(mark.kept) if mark.kept else Tally()
    mark.keep = tally.as_json
    bar = Bar("replay", count_records(paths) if Bar.is_wanted() else 0)
    is_done = False
    try:
        for ended in replay_many(find_records(paths), wishes.audit, mark, wishes.jobs, wishes.cluster):
            bar.step(mark.done)
            show_outcome(ended.path, ended.outcome, wishes.quiet)
            tally.add(ended)
            mark.add(ended.path)
        is_done = True
    finally:
        bar.close()
        if is_done:
            mark.remove()
        else:
            mark.write()
    return tally


def replay(wishes: Wishes, paths: Sequence[str]) -> int:
    """Replay all; the exit code: 0 all passed, 1 some failed, 2 some could not be used."""
    if wishes.runtime == "cpython" and not wishes.verbose:
        tally = replay_fast(paths, wishes)
    else:
        if wishes.cluster or wishes.resume or wishes.jobs > 1:
            raise UnusableInput("--jobs, --cluster and --resume are for CPython, without -v")
        runtime = make_runtime(wishes.runtime)
        try:
            tally = replay_slowly(runtime, paths, wishes)
        finally:
            runtime.close()
    if wishes.summary is not None:
        wishes.summary.write_text(json.dumps(tally.as_json(), indent=2) + "\n", encoding="utf-8")
    counts = tally.kinds
    if counts[INVALID]:
        foreign.say(f"{counts[INVALID]} unusable")
    foreign.say(f"{counts[PASSED]} passed, {counts[FAILED]} failed")
    return 2 if counts[INVALID] else 1 if counts[FAILED] else 0
