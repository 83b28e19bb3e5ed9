"""Plays random games of every mix, and judges each again from its record: `cardtable fuzz --rules`.

Any preset, options, seats; acts that nobody waits for, and attempts that are refused. The replay asks after each event
whether the state can be (`audit`), under CPython, compiled or from source (CARDTABLE_PURE=1), under MicroPython with
the heap of the smallest board, or under both. Seeds are numbers, so a run can be stopped and taken up at any of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from cardtable.catalogue import find_game
from host_tools.judge import situations
from host_tools.judge.replay.core import PASSED
from host_tools.judge.replay.run import make_runtime
from host_tools.maker.new_record import write_play

TOLD_AFTER = 1000  # games


@dataclass
class Judged:
    """What came of a run. `broken`: a sentence for each game that did not pass."""

    games: int = 0
    unfinished: int = 0
    events: int = 0
    refused: int = 0
    broken: list[str] = field(default_factory=list)

    def line(self, first: int, last: int, seconds: float) -> str:
        """The counts in one line, with the seconds of a processor."""
        return (
            f"seeds {first} to {last}: {self.games} games, {self.unfinished} of them unfinished, {self.events} events,"
            f" {self.refused} of them refused, {len(self.broken)} games broken, {seconds:.0f} s of a processor"
        )


def judge_games(first: int, games: int, names: list[str], runtime: str, folder: Path,
                say: Callable[[str], object]) -> Judged:
    """Play so many games from that seed on, one of each name a seed. Broken ones are said at once and kept in `folder`.

    runtime: as in `cardtable replay`. Seconds are those of this process: MicroPython's are its own.
    """
    judged = Judged()
    judge = make_runtime(runtime)
    begun = time.process_time()
    seed = first
    try:
        for number in range(games):
            seed, name = first + number // len(names), names[number % len(names)]
            play = situations.start_game(find_game(name), seed)
            record = write_play(play, seed).encode()
            judge.begin(record)
            run = judge.end()
            judged.games += 1
            judged.unfinished += not play.session.is_over()
            judged.events += len(run.events)
            judged.refused += sum(verdict > 0 for _, verdict, _ in run.events)
            if run.outcome.kind != PASSED:
                folder.mkdir(parents=True, exist_ok=True)
                kept = folder / f"{name}-{seed}.rec"
                kept.write_bytes(record)
                judged.broken.append(f"{kept}:{run.outcome.line}: {run.outcome.cause}")
                say(judged.broken[-1])
            if judged.games % TOLD_AFTER == 0 and judged.games < games:
                say(judged.line(first, seed, time.process_time() - begun))
    finally:
        judge.close()
    say(judged.line(first, seed, time.process_time() - begun))
    return judged
