"""How long four buttons take to say "transfer, 52 cards, 2x2, neighbours, no draws": a model of people, not a timing.

The keystroke-level model: S. K. Card, T. P. Moran, A. Newell, "The keystroke-level model for user performance time with
interactive systems", Communications of the ACM 23(7), 1980, 396-410. A press takes K, an act of the mind M, the table
R. Each press has an M here: every glass is read, also one that only shows another answer. R is measured at the real
firmware on the models of its chips, which compute in no time, from the push of a finger to the last byte of the glass.
"""

import re

from tests.app.walker import Walker
from tests.conftest import ROOT
from tests.host_tools.at_table import SECOND, AtTable

K_S, M_S = 0.2, 1.35
COMPUTING_S = 8  # of an ESP32: the walk costs 91 ms of MicroPython on a computer, which is at most 87 times as fast
MINUTE_S = 60
LIFT_US = 100_000
PAGE = ROOT / "docs" / "table.md"


def answer_time(table, key, rows, heard):
    """The time from the push of that button until the glass shows these rows, in us; for `yield from`."""
    pushed_us = table.world.now_us
    table.world.press(1, key)
    yield from table.until(lambda: table.screen() == rows)
    table.world.release(1, key)
    yield LIFT_US
    return heard[-1] - pushed_us


def measure(table, screens, waits):
    """An actor: presses the keys of (key, the glass after it); `waits` gets the time of each answer, in us."""
    glass = table.world.screen
    write, heard = glass.write, []

    def hear(data, now_us=0):
        heard.append(now_us)
        return write(data, now_us)

    glass.write = hear
    yield SECOND
    for key, rows in screens:
        heard.clear()
        waits.append((yield from answer_time(table, key, [row.rstrip() for row in rows], heard)))


def test_house_rules_are_chosen_within_a_minute_of_the_keystroke_level_model():
    """And docs/table.md says the same numbers. The last press brings the game, which nobody waits for."""
    walker = Walker()
    walker.records = True
    walker.walk_to_2x2()
    waits = []
    table = AtTable(setup=None)
    table.play(measure(table, walker.screens[:-1], waits))
    answers_s = sum(waits) / SECOND
    modelled_s = walker.presses * (K_S + M_S) + answers_s
    assert modelled_s + COMPUTING_S < MINUTE_S, f"{walker.presses} presses, {answers_s} s of answers"
    page = PAGE.read_text(encoding="utf-8").replace("\n", " ")
    told = re.search(r"takes (\d+) presses.* takes (\d+) s:.*no more than (\d\.\d) s to", page)
    most_s = (MINUTE_S - COMPUTING_S - answers_s) / walker.presses - K_S
    assert told.groups() == (str(walker.presses), f"{modelled_s:.0f}", f"{int(10 * most_s) / 10}")
