"""What the doctor makes of readers that only their reset line wakes (F12), and of the line that they share (F1)."""

import asyncio
from types import SimpleNamespace

from cardtable.answers import OPEN, READ_BACK, SILENT
from cardtable.between import reader_care
from cardtable.between.doctor import HELD, UP, Doctor

RUNS_ON = "cpython"  # a type of its own, and time that stands still


class Chip:
    """A reader that starts, or does not."""

    fault = SILENT
    version = 0x92
    gain = 6

    def __init__(self, starts, line=UP):
        self.starts, self.line = starts, line

    def start(self):
        return self.starts

    def field(self, on):
        assert not on

    def idle(self):
        return self.line

    def self_test(self):
        return True

    async def poll(self, known):
        return 0


def examine(chips, reset=None):
    """What is said of these readers."""
    said = []
    readers = SimpleNamespace(chips=chips, halvings=0, reset=reset)
    parts = SimpleNamespace(readers=readers, buttons=None, strip=None, screen=None, language="en", say=said.append,
                            lights=SimpleNamespace(sounds=None), feed_watchdog=lambda: None)
    kept, reader_care.time = reader_care.time, SimpleNamespace(sleep_us=lambda us: None)
    try:
        asyncio.run(Doctor(parts, ["pin 4"] * len(chips)).look_at_readers())
    finally:
        reader_care.time = kept
    return [line.partition(":")[0] for line in said if line.startswith("! ")]


def test_f12_a_reader_that_its_reset_line_wakes_hung():
    chips = [Chip(True), Chip(False), Chip(False)]

    def reset(level):
        chips[1].starts = level

    assert examine(chips, reset) == ["! Reader 2 hung until its reset line woke it", "! Reader 3 does not answer"]


def test_f12_nobody_is_reset_while_all_answer():
    levels = []
    assert examine([Chip(True)] * 3, levels.append) == levels == []


def test_t13_a_reader_that_says_anything_is_dead_also_if_two_versions_were_equal():
    """A line that floats: by chance its version is the same twice, and a setting is what does not read back."""
    versions = iter(range(1, 100))
    chips = [Chip(True), Chip(False)]
    chips[1].fault = READ_BACK

    def start():
        chips[1].version = next(versions)
        return False

    chips[1].start = start
    assert examine(chips) == ["! Reader 2 does not answer"]
    chips[1].start = lambda: False
    assert examine(chips) == ["! Reader 2 does not keep what is written to it"]


def test_f1_a_reader_that_works_is_asked_what_the_line_does():
    for line, told in ((UP, []), (OPEN, ["! Nothing pulls MISO up while no reader is selected"]),
                       (HELD, ["! Reader 2 holds MISO while it is not selected, so no other reader is heard"])):
        found = examine([Chip(False, HELD), Chip(True, line)])
        assert found[:1] == told or (not told and found == ["! Reader 1 does not answer"]), (line, found)
