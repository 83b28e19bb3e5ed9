"""Finds the tap of a recorded game whose verdict takes longest: inside MicroPython, which runs what a device runs.

From a tap to its verdict the engine is asked twice: what the card can mean (`meanings`), and whether that may happen
(`judge`). Both change nothing, so each tap of a record is asked again and again in its own position.
"""

from cardtable.engine.session import Session
from host_tools.lab.bench.calibration import calibrate
from host_tools.lab.bench.workload import read_recorded

ASKED = 8  # times in a row, because one is too short for the clock
FIRST_TRIES = 3  # of every tap
TRIES = 15  # of those that seem to take longest; the quickest try counts, because others only slow it down
CANDIDATES = 6
TURNS = 400
LOOPS = 50


def time_tap(session: Session, event, out: list, now) -> int:
    """Microseconds of ASKED verdicts on the event where the session stands."""
    game = session.game
    state = session.state
    has_card = event.card < game.CARDS and state.where[event.card] > 0
    begun = now()
    for _ in range(ASKED):
        out.clear()
        if has_card and event.seat:
            game.meanings(state, event.seat, event.card, out)
        session.judge(event)
    return now() - begun


def time_turns(now) -> int:
    """Microseconds of TURNS of the calibration loop, about as many as one try takes."""
    begun = now()
    calibrate(TURNS)
    return now() - begun


def find_worst(path: str, now) -> list:
    """[turns of the calibration loop, microseconds, number of the event from 0] of the record's slowest verdict."""
    recorded = read_recorded(path)
    times = time_all(recorded, [True] * len(recorded.events), FIRST_TRIES, now)
    candidates = sorted(range(len(times)), key=lambda index: -times[index])[:CANDIDATES]
    loop_us = min([time_turns(now) for _ in range(LOOPS)])
    times = time_all(recorded, [index in candidates for index in range(len(times))], TRIES, now)
    loop_us = min(loop_us, min([time_turns(now) for _ in range(LOOPS)]))
    worst = max(candidates, key=lambda index: times[index])
    us = times[worst] / ASKED
    return [us * TURNS / loop_us, us, worst]


def time_all(recorded, wanted: list, tries: int, now) -> list:
    """For each event that is wanted the quickest of the tries, as the game goes on."""
    session = Session(recorded.game, recorded.header)
    out: list = []
    times = []
    for index in range(len(recorded.events)):
        event = recorded.events[index]
        quickest = 0
        if wanted[index]:
            quickest = min([time_tap(session, event, out, now) for _ in range(tries)])
        times.append(quickest)
        session.play(event)
    return times
