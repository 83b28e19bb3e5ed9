"""Chip selects through the decoder, on its model: one at a time, none by accident, and as cheap as a pin."""

from cardtable.drivers.select_74hc138 import Select
from host_tools.virtual.chips.hc138 import Hc138


class Pin:
    """A pin of the device at an input of the decoder."""

    def __init__(self, drive, log):
        self.drive = drive
        self.log = log
        self.level = -1

    def value(self, level):
        self.log.append(level)
        if level != self.level:
            self.level = level
            self.drive(level, 0)


def rig():
    """The driver, what its outputs did, and the writes to its pins."""
    chip, heard, writes = Hc138(), [], []
    for output in range(8):
        chip.listeners[output].append(lambda level, now_us, output=output: heard.append((output, level)))
    select = Select([Pin(chip.address_pin(bit), writes) for bit in range(3)], Pin(chip.enable_pin, writes))
    writes.clear()
    return select, heard, writes


def test_each_output_is_selected_alone():
    select, heard, _ = rig()
    for number in (0, 7, 3, 4, 1, 6, 2, 5):
        line = select.output(number)
        heard.clear()
        line.value(1)
        line.value(0)
        line.value(1)
        assert heard == [(number, 0), (number, 1)], "no other output moved, however the address changed"


def test_a_frame_more_to_the_same_chip_costs_two_writes_as_with_a_pin():
    select, _, writes = rig()
    line = select.output(5)
    line.value(0)
    line.value(1)
    writes.clear()
    line.value(0)
    line.value(1)
    assert writes == [0, 1]


def test_two_lines_that_are_used_in_turn():
    select, heard, _ = rig()
    one, other = select.output(1), select.output(2)
    heard.clear()
    for _ in range(3):
        for line in (one, other):
            line.value(0)
            line.value(1)
    assert heard == [(1, 0), (1, 1), (2, 0), (2, 1)] * 3


def test_an_output_that_the_address_does_not_reach_is_a_bug():
    select, _, _ = rig()
    for number in (-1, 8):
        try:
            select.output(number)
        except AssertionError:
            continue
        raise RuntimeError("output %d was made" % number)
