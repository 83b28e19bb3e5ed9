"""The measurements inside MicroPython, in a process of its own.

A job comes as a line of JSON on standard input, and its answer is printed as one line. MicroPython alone has the counts
of the heap that are needed here.
"""

import gc
import json
import sys

# Tidied up only when it is full, the heap would be in crumbs, and no long row would fit any more.
TIDY_BYTES = 16384
GAMES = 4  # of random play in each repeat


def measure_kept(prepare: str, steps: list) -> list:
    """Bytes of the heap that each step, a line of Python, keeps after everything was tidied up."""
    scope = {}
    exec(prepare, scope)
    kept = [0] * len(steps)
    for index in range(len(steps)):
        gc.collect()
        before = gc.mem_alloc()
        exec(steps[index], scope)
        gc.collect()
        kept[index] = gc.mem_alloc() - before
    return kept


def measure_allocation(path: str) -> dict:
    """Bytes that playing one event of a record takes from the heap, nothing being tidied up: sum, most, and how many
    events, each for the accepted and for the refused ones."""
    from cardtable.engine.session import Session
    from host_tools.lab.bench.workload import read_recorded

    sums, most, counts = [0, 0], [0, 0], [0, 0]
    recorded = read_recorded(path)
    session = Session(recorded.game, recorded.header)
    for index in range(len(recorded.events)):
        event = recorded.events[index]
        gc.collect()
        gc.disable()
        before = gc.mem_alloc()
        session.play(event)
        taken = gc.mem_alloc() - before
        gc.enable()
        kind = recorded.is_refused[index]
        sums[kind] += taken
        most[kind] = max(most[kind], taken)
        counts[kind] += 1
    return {"sums": sums, "most": most, "counts": counts}


def measure_replay(path: str, repeats: int) -> dict:
    """Microseconds of each repeat, and how many events a record has: all, the accepted ones, the refused ones; and
    microseconds of the calibration loop between the repeats."""
    from time import ticks_us

    from host_tools.lab.bench.workload import REFUSED_TURNS, accepted, read_recorded, time_refusals, time_replay

    recorded = read_recorded(path)
    events = accepted(recorded)
    every, plays, refusals, loops = [], [], [], []
    for _ in range(repeats):
        gc.collect()
        loops.append(time_calibration())
        every.append(time_replay(recorded, recorded.events, ticks_us))
        plays.append(time_replay(recorded, events, ticks_us))
        refusals.append(time_refusals(recorded, ticks_us))
    counts = [len(recorded.events), len(events), sum(recorded.is_refused) * REFUSED_TURNS]
    return {"us": [every, plays, refusals], "counts": counts, "loops": loops}


def measure_random(mix: str, seats: int, repeats: int) -> list:
    """[games, decisions, events, microseconds, microseconds of the calibration loop] of each repeat."""
    from time import ticks_us

    from host_tools.lab.bench.workload import play_random

    found = []
    for _ in range(repeats):
        gc.collect()
        loop = time_calibration()
        played = play_random(mix, seats, GAMES, ticks_us)
        found.append([played.games, played.decisions, played.events, played.us, loop])
    return found


def measure_worst(path: str) -> list:
    """[turns of the calibration loop, microseconds, number of the event] of the slowest verdict in the record."""
    from time import ticks_us

    from host_tools.lab.bench.worst import find_worst

    return find_worst(path, ticks_us)


def measure_calibration(repeats: int) -> list:
    """Microseconds of each repeat of the calibration loop."""
    return [time_calibration() for _ in range(repeats)]


def time_calibration() -> int:
    """Microseconds of the calibration loop, once."""
    from time import ticks_us

    from host_tools.lab.bench.calibration import TURNS, calibrate

    begun = ticks_us()
    calibrate(TURNS)
    return ticks_us() - begun


JOBS = {
    "kept": measure_kept,
    "allocation": measure_allocation,
    "replay": measure_replay,
    "random": measure_random,
    "worst": measure_worst,
    "calibration": measure_calibration,
}


def run(text: str) -> None:
    """Do one job: a JSON list of its name and its arguments."""
    gc.threshold(TIDY_BYTES)
    job = json.loads(text)
    print("bench " + json.dumps(JOBS[job[0]](*job[1:])))


if __name__ == "__main__":
    run(sys.stdin.readline())  # an argument of more than 255 bytes ends MicroPython before anything runs
