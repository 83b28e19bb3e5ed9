"""The engine under CPython: replay, parsing, random play, memory, and where the time goes."""

import cProfile
import os
import pstats
import subprocess
import sys
import tracemalloc
from pathlib import Path

from cardtable.engine.session import Session
from host_tools.lab.bench import workload
from host_tools.lab.bench.results import Row
from host_tools.lab.bench.timing import (
    QUICK_REPEATS, REPEATS, Found, Room, now, rate, repeat, time_calibration
)
from host_tools.base.fast.sources import is_compiled
from host_tools.base.project import ROOT

ROOM = "engine, CPython"
RECORDS = ROOT / "tests" / "records" / "durak"
SIX_SEATS = RECORDS / "throw-in-0000.rec"
PLAIN = "durak throw-in"
MIXES = (
    "durak transfer",
    "durak throw-in cheating=2",
    "durak throw-in deck=54 jokers=any",
    "durak transfer cheating=2 deck=54 jokers=colour",
)
# Rates that other engines in Python had on one core of an older machine; peers.py has ratios.
JUDGED_AIM = 100_000
GAMES_AIM = 1_000


def find_records() -> list[str]:
    """The records that are replayed."""
    return [str(path) for path in sorted(RECORDS.glob("throw-in*.rec"))]


def measure(is_quick: bool) -> list[Row]:
    """All rows of the room. The calibration loop is the first."""
    room = Room(ROOM)
    repeats = QUICK_REPEATS if is_quick else REPEATS
    room.calibration([time_calibration() for _ in range(3 * repeats)])
    measure_replay(room, repeats)
    measure_random_play(room, repeats, is_quick)
    measure_memory(room)
    return room.rows


def measure_replay(room: Room, repeats: int) -> None:
    """All events, the accepted ones alone, the refused ones alone, and reading their lines."""
    games = [workload.read_recorded(path) for path in find_records()]
    plays = [workload.accepted(one) for one in games]
    every = sum(len(one.events) for one in games)
    refused = sum(sum(one.is_refused) for one in games)

    def replay() -> float:
        return rate(every, sum(workload.time_replay(one, one.events, now) for one in games))

    def replay_accepted() -> float:
        us = sum(workload.time_replay(one, events, now) for one, events in zip(games, plays, strict=True))
        return rate(every - refused, us)

    def refuse() -> float:
        return rate(refused * workload.REFUSED_TURNS, sum(workload.time_refusals(one, now) for one in games))

    room.rate("replay: all events", repeat(repeats, replay), "events/s", JUDGED_AIM)
    room.rate("replay: accepted events", repeat(repeats, replay_accepted), "events/s")
    room.rate("replay: refused events", repeat(repeats, refuse), "events/s")
    game = games[0].game
    lines = [line for path in find_records() for line in workload.event_lines(path)]
    room.rate(
        "parsing records",
        repeat(repeats, lambda: rate(len(lines), workload.time_parsing(game, lines, now))), "lines/s",
    )


def measure_random_play(room: Room, repeats: int, is_quick: bool) -> None:
    """Games of two, four and six seats, and what options cost."""
    games = 5 if is_quick else 40
    for seats in (2, 4, 6):
        turns, found = [], []
        for _ in range(repeats):
            turns.append(time_calibration())
            found.append(workload.play_random(PLAIN, seats, games, now))
        title = f"random play, {seats} seats: "
        for what, unit, at_least in (
            ("games", "games/s", GAMES_AIM if seats == 2 else None),
            ("decisions", "decisions/s", None),
            ("events", "events/s", None),
        ):
            rates = [rate(getattr(played, what), played.us) for played in found]
            room.rate(title + what, Found(rates, turns), unit, at_least)
        played = found[0]  # the same games in every repeat
        room.count(title + "decisions in a game", played.decisions / played.games, "decisions")
        room.count(title + "deals and draws in a game", (played.events - played.decisions) / played.games, "events")
    for mix in MIXES:
        room.count(f"what options cost: {mix}", compare_options(mix, games, repeats), "x plain event")


def compare_options(mix: str, games: int, repeats: int) -> float:
    """The time of one event of random play between two with these options, as a multiple of that without."""
    best: dict[str, float] = {}
    for _ in range(repeats):
        for one in (mix, PLAIN):  # in turns, lest one of them has the machine for itself
            played = workload.play_random(one, 2, games, now)
            best[one] = min(best.get(one, float("inf")), played.us / played.events)
    return best[mix] / best[PLAIN]


def measure_memory(room: Room) -> None:
    """The memory of a session of six seats, and its peak while a whole game is replayed."""
    recorded = workload.read_recorded(str(SIX_SEATS))
    Session(recorded.game, recorded.header)  # everything that is made once is made now
    tracemalloc.start()
    try:
        begun, _ = tracemalloc.get_traced_memory()
        session = Session(recorded.game, recorded.header)
        held, _ = tracemalloc.get_traced_memory()
        for event in recorded.events:
            session.play(event)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    room.count("memory: session of 6 seats", held - begun, "bytes")
    room.count("memory: its peak in a whole game", peak - begun, "bytes")
    room.count("memory: one saved State", len(session.state.save()), "bytes")


def profile(lines: int = 6) -> list[str]:
    """Where replay and random play spend their time: a heading and `lines` functions for each. A profiler sees into
    the source only, so where the engine is compiled a process of its own runs the source.
    """
    if not is_compiled():
        return profile_source(lines)
    script = f"from host_tools.base import on_host; on_host.prepare(); from {__name__} import profile_source;" \
             f"print(*profile_source({lines}), sep='\\n')"
    environment = {**os.environ, "CARDTABLE_PURE": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True,
                          cwd=ROOT)
    return done.stdout.splitlines()


def profile_source(lines: int) -> list[str]:
    """The same of what runs in this process."""
    recorded = workload.read_recorded(str(SIX_SEATS))
    text = []
    for title, deed in (
        ("replay", lambda: [workload.time_replay(recorded, recorded.events, now) for _ in range(10)]),
        ("random play, 2 seats", lambda: workload.play_random(PLAIN, 2, 20, now)),
    ):
        profiler = cProfile.Profile()
        profiler.runcall(deed)
        text += [f"{title}: share of the time, calls, function"] + top_lines(profiler, lines)
    return text


def top_lines(profiler: cProfile.Profile, lines: int) -> list[str]:
    """The functions in which most time is spent, without those that they call."""
    stats = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    total = sum(row[2] for row in stats.values()) or 1
    rows = sorted(stats.items(), key=lambda item: -item[1][2])[:lines]
    return [
        f"  {100 * spent / total:4.1f} %  {calls:7d}  {name_function(*function)}"
        for function, (_, calls, spent, _, _) in rows
    ]


def name_function(path: str, line: int, name: str) -> str:
    """`games/durak.py judge_attack`; a built-in function by its name alone."""
    return name if path == "~" else "/".join(Path(path).parts[-2:]) + " " + name
