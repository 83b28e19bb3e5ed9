"""What the doctor makes of readers that only their reset line wakes (F12), of the line that they share (F1), and of a
card that is left lying."""

import asyncio
from types import SimpleNamespace

from cardtable.answers import EMPTY, OPEN, PRESENT, READ_BACK, SILENT
from cardtable.between import doctor as doctor_module
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


def test_h1_one_silent_poll_makes_no_reader_a_copy():
    """A wrong byte in its answer is enough for it; of a copy that cannot be used each poll is silent."""
    found = []
    for silent in (0, 1, 2, 3):
        chip, answers = Chip(True), [SILENT] * silent

        async def poll(known, answers=answers):
            return answers.pop() if answers else EMPTY

        chip.poll = poll
        found.append(examine([chip, Chip(True)]))
    assert found[:3] == [[]] * 3
    assert found[3] == ["! Reader 1 is a copy that answers one register at a time"]


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


LOOK_MS = 8  # at one reader


class Shelf:
    """Four readers and one card, which goes to the seat that is asked for 2.5 s after the question; `leaves`: it stays
    where it is until then, else it goes when the screen says so. wires: the seat on whose coil each reader looks."""

    def __init__(self, leaves, wires=(1, 2, 3, 4), lies_at=0):
        self.leaves, self.wires, self.lies_at = leaves, wires, lies_at
        self.now_ms = self.asked_ms = 0
        self.wanted = 0
        self.said, self.lights, self.findings = [], {}, []

    def say(self, line):
        self.said.append(line)
        seat = line.rpartition("seat ")[2][:1]
        if line.startswith("? Hold any card"):
            self.wanted, self.asked_ms = int(seat), self.now_ms
        elif line.startswith("? Take") and not self.leaves:
            self.wanted = self.lies_at = 0

    def look(self, index):
        self.now_ms += LOOK_MS
        if self.wanted and self.now_ms - self.asked_ms > 2500:
            self.lies_at = self.wanted
        return PRESENT if self.lies_at == self.wires[index] else EMPTY

    def reader(self, index):
        chip = Chip(True)

        async def poll(known):
            return self.look(index)

        chip.poll = poll
        return chip

    def examine(self):
        """The findings when it is asked for cards alone."""
        nothing = SimpleNamespace
        readers = nothing(chips=[self.reader(index) for index in range(4)], halvings=0, reset=None)
        strip = nothing(count=4, set=lambda index, *colour: self.lights.update({index: colour}), show=lambda now: None)
        screen = nothing(glasses=[None], paragraph=lambda *text: None, refresh=lambda: None)
        parts = nothing(readers=readers, buttons=nothing(next_press=lambda: -1), strip=strip, screen=screen,
                        language="en", say=self.say, lights=nothing(sounds=None), feed_watchdog=lambda: None)
        kept = doctor_module.time
        clock = nothing(ticks_ms=lambda: self.now_ms, ticks_diff=lambda end, begin: end - begin)
        try:
            doctor_module.time = clock
            doctor = Doctor(parts, ["pin 4", "pin 5", "pin 6", "pin 7"])
            doctor.works = 0b1111
            asyncio.run(doctor.ask_cards())
        finally:
            doctor_module.time = kept
        return [finding.partition(":")[0] for finding in doctor.findings]


def test_a_card_that_is_left_until_the_next_question_is_no_answer_to_it():
    for leaves in (False, True):
        shelf = Shelf(leaves)
        assert shelf.examine() == [], leaves
        assert [line for line in shelf.said if line.startswith("? Take")] == [
            "? Take the card away from seat %d." % seat for seat in (1, 2, 3, 4)]
        assert shelf.lights[3][1] > 0 == shelf.lights[3][2], "done, and green says so"
        assert sum(line.endswith("sees the card, in 100 of 100 looks.") for line in shelf.said) == 4


def test_swapped_wires_are_found_and_each_reader_is_looked_at_also_if_the_card_is_left():
    for leaves in (False, True):
        shelf = Shelf(leaves, wires=(1, 3, 2, 4))
        assert shelf.examine() == ["The card on seat 2 is seen by the reader of seat 3"], leaves
        for reader in (1, 2, 3, 4):
            assert "Reader %d sees the card, in 100 of 100 looks." % reader in shelf.said


def test_a_forgotten_card_answers_for_no_other_seat():
    shelf = Shelf(True, lies_at=3)
    assert shelf.examine() == []
