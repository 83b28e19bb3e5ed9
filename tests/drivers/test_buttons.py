"""The buttons' driver on a model of the 74HC165 chain: presses, ties, bounce, broken chains."""

import micropython

from boards import virtual
from cardtable.drivers.buttons import Buttons
from host_tools.virtual.chips.hc165 import Hc165Chain

SCAN_US = 5000
OK_1, NO_1, CALL_1, MENU_1, OK_2 = range(5)
LAST = 27


class Rig:
    """The driver's pins and bus on a chain, scanned every 5 ms; it is SPI bus and latch pin at once."""

    def __init__(self, chips=4, first_us=0):
        self.chain = Hc165Chain(8 * chips)
        self.chain.tie_last(4, virtual.BUTTONS["sentinel"])
        self.now_us = self.next_us = first_us
        self.reads = 0
        self.buttons = Buttons(self, self, chips, virtual.BUTTONS["sentinel"])

    def value(self, level):
        self.chain.latch_pin(level, self.now_us)

    def readinto(self, buf, write=0):
        buf[:] = self.chain.exchange(bytes([write] * len(buf)), self.now_us)
        self.reads += 1

    def scan(self, at_us):
        self.now_us = at_us
        self.buttons.scan(at_us // 1000)

    def run(self, until_us, every_us=SCAN_US):
        while self.next_us <= until_us:
            self.scan(self.next_us)
            self.next_us += every_us

    def presses(self):
        found = []
        button = self.buttons.next_press()
        while button >= 0:
            found.append((button, self.buttons.press_ms))
            button = self.buttons.next_press()
        return found


def test_a_press_carries_the_first_scan_that_saw_it():
    rig = Rig()
    rig.chain.press(NO_1, 11_000)
    rig.run(15_000)
    assert rig.presses() == []
    rig.run(20_000)
    assert rig.presses() == [(NO_1, 15)]
    rig.run(500_000)
    assert rig.presses() == []


def test_every_button_has_its_own_number():
    rig = Rig()
    rig.run(0)
    for button in range(28):
        rig.chain.press(button, 20_000 * button + 1)
        rig.chain.release(button, 20_000 * button + 15_001)
        rig.run(20_000 * (button + 1))
        assert [press[0] for press in rig.presses()] == [button]
    assert rig.buttons.count == 28


def test_the_sentinel_is_no_button():
    rig = Rig()
    rig.run(100_000)
    assert rig.presses() == [] and rig.buttons.chain_ok and rig.buttons.stuck == 0


def test_two_that_one_scan_saw_first_are_a_tie():
    rig = Rig()
    rig.chain.press(MENU_1, 10_001)
    rig.chain.press(OK_2, 14_999)
    rig.chain.press(LAST, 15_001)
    rig.run(30_000)
    assert rig.presses() == [(MENU_1, 15), (OK_2, 15), (LAST, 20)]


def test_bounce_of_5_ms_is_one_press_at_every_phase():
    for phase_us in range(0, SCAN_US, 250):
        for bounce_us in ((500, 4900), (2500, 4999), (100, 900, 2000, 3000, 4000, 4800), (4000, 5000)):
            rig = Rig()
            rig.run(50_000)
            closed_us = 60_000 + phase_us
            rig.chain.press(OK_1, closed_us, bounce_us)
            rig.run(closed_us + 100_000)
            rig.chain.release(OK_1, closed_us + 100_000, bounce_us)
            rig.run(closed_us + 200_000)
            presses = rig.presses()
            assert len(presses) == 1, (phase_us, bounce_us, presses)
            late_ms = presses[0][1] - closed_us // 1000
            assert 0 <= late_ms <= 11, (phase_us, bounce_us, presses)


def test_press_of_20_ms_is_never_lost_at_every_phase_with_bounce():
    for phase_us in range(0, SCAN_US, 250):
        for bounce_us in ((), (300, 4900), (4000, 5000)):
            rig = Rig()
            rig.run(50_000)
            for turn in range(3):
                closed_us = 60_000 + 60_000 * turn + phase_us
                rig.chain.press(OK_1, closed_us, bounce_us)
                rig.run(closed_us + 20_000)
                rig.chain.release(OK_1, closed_us + 20_000, bounce_us)
                rig.run(closed_us + 50_000)
            assert len(rig.presses()) == 3, (phase_us, bounce_us)


def test_a_single_disturbed_scan_is_no_press():
    rig = Rig()
    rig.chain.press(OK_1, 9_000)
    rig.chain.release(OK_1, 11_000)
    rig.run(100_000)
    assert rig.presses() == []


def test_a_single_disturbed_scan_does_not_end_a_press():
    rig = Rig()
    rig.chain.press(OK_1, 8_000)
    rig.run(50_000)
    rig.chain.release(OK_1, 54_000)
    rig.run(56_000)
    rig.chain.press(OK_1, 56_001)
    rig.run(100_000)
    assert rig.presses() == [(OK_1, 10)]


def test_two_calls_pushed_together_by_a_stall_are_one_look():
    """Both read: a stall behind a press that nobody may notice takes no time from the second (D43)."""
    rig = Rig()
    rig.run(0)
    rig.chain.press(OK_1, 40_000, (1_500, 6_000))
    for at_us in (41_000, 41_200, 45_000):
        rig.scan(at_us)
    assert rig.reads == 4 and rig.presses() == []


def test_held_counts_from_the_press_and_ends_with_the_release():
    rig = Rig()
    rig.chain.press(MENU_1, 9_000)
    rig.run(10_000)
    assert rig.buttons.held(MENU_1, 10) == 0
    rig.run(15_000)
    assert rig.buttons.held(MENU_1, 15) == 5
    rig.run(800_000)
    assert rig.buttons.held(MENU_1, 800) == 790
    rig.chain.release(MENU_1, 801_000)
    rig.run(805_000)
    assert rig.buttons.held(MENU_1, 805) == 795
    rig.run(810_000)
    assert rig.buttons.held(MENU_1, 810) == 0 and rig.buttons.held(OK_1, 810) == 0


def test_ticks_wrap_at_two_to_the_30th():
    rig = Rig()
    rig.chain.press(MENU_1, 12_000)
    wrap = 1 << 30
    for ms in (0, 5, 10, 15, 20):
        rig.now_us = ms * 1000
        rig.buttons.scan((wrap - 20 + ms) % wrap)
    assert rig.presses() == [(MENU_1, wrap - 5)]
    assert rig.buttons.held(MENU_1, 10) == 15


def test_what_is_closed_at_power_up_is_down_but_was_not_pressed():
    rig = Rig()
    rig.chain.press(MENU_1, 0)
    rig.run(0)
    assert rig.buttons.held(MENU_1, 0) == 1
    rig.run(100_000)
    assert rig.presses() == [] and rig.buttons.held(MENU_1, 100) == 100
    rig.chain.release(MENU_1, 101_000)
    rig.run(150_000)
    rig.chain.press(MENU_1, 151_000)
    rig.run(200_000)
    assert rig.presses() == [(MENU_1, 155)]


def test_t13_a_button_closed_longer_than_1_9_s_is_stuck_and_gave_one_press():
    rig = Rig()
    rig.chain.press(LAST, 1_000)
    rig.chain.press(NO_1, 1_000)
    rig.run(1_900_000)
    rig.chain.release(NO_1, 1_901_000)
    rig.run(1_905_000)
    assert rig.buttons.stuck == 0
    rig.run(1_910_000)
    assert rig.buttons.stuck == 1 << LAST
    rig.chain.release(LAST, 5_000_000)
    rig.run(5_010_000)
    assert rig.buttons.stuck == 0
    assert rig.presses() == [(NO_1, 5), (LAST, 5)]


def test_a_broken_chain_is_seen_within_three_scans_wherever_it_breaks():
    for bits in range(0, 32):
        for level in (0, 1):
            rig = Rig()
            rig.run(20_000)
            rig.chain.cut_after(bits, level)
            if bits == 31 and level == 0:
                continue  # the last wire itself is tied low
            rig.run(30_000)
            assert rig.buttons.chain_ok, (bits, level)
            rig.run(35_000)
            assert not rig.buttons.chain_ok, (bits, level)
            assert rig.buttons.bad_scans == 3
            rig.run(100_000)
            assert rig.presses() == [], (bits, level)


def test_a_chain_that_was_never_there_is_seen():
    for level in (0, 1):
        rig = Rig()
        rig.chain.cut_after(0, level)
        rig.run(10_000)
        assert not rig.buttons.chain_ok and rig.presses() == []


def test_a_mended_chain_counts_after_three_good_scans_and_presses_nothing_by_itself():
    rig = Rig()
    rig.run(20_000)
    rig.chain.cut_after(3)
    rig.run(60_000)
    rig.chain.press(OK_2, 61_000)
    rig.chain.cut_after(32)
    rig.run(70_000)
    assert not rig.buttons.chain_ok
    rig.run(100_000)
    assert rig.buttons.chain_ok and rig.presses() == [] and rig.buttons.held(OK_2, 100) == 25
    rig.chain.press(OK_1, 101_000)
    rig.run(120_000)
    assert rig.presses() == [(OK_1, 105)]


def test_one_bad_scan_costs_no_press():
    rig = Rig()
    rig.run(20_000)
    rig.chain.press(OK_1, 21_000)
    rig.run(25_000)
    rig.chain.cut_after(0)
    rig.run(30_000)
    rig.chain.cut_after(32)
    rig.run(40_000)
    assert rig.presses() == [(OK_1, 25)]
    assert rig.buttons.chain_ok and rig.buttons.bad_scans == 1


def test_a_full_ring_counts_what_it_loses_and_keeps_the_oldest():
    rig = Rig()
    rig.run(0)
    for button in range(20):
        rig.chain.press(button, 1_000)
    rig.run(20_000)
    assert rig.buttons.lost == 5
    assert rig.presses() == [(button, 5) for button in range(15)]
    for button in range(20, 24):
        rig.chain.press(button, 21_000)
    rig.run(40_000)
    assert rig.presses() == [(button, 25) for button in range(20, 24)] and rig.buttons.lost == 5


def test_one_chip_has_four_buttons():
    rig = Rig(1)
    rig.chain.press(MENU_1, 1_000)
    rig.run(20_000)
    assert rig.buttons.count == 4 and rig.presses() == [(MENU_1, 5)]


class Wire:
    """A bus that gives the same levels again and again, and allocates nothing."""

    def __init__(self):
        self.levels = bytearray((0xFF, 0xFF, 0xFF, 0xFA))
        self.pulses = 0

    def value(self, level):
        self.pulses += level

    def readinto(self, buf, write=0):
        for index in range(4):
            buf[index] = self.levels[index]


def test_scan_with_presses_allocates_nothing():
    wire = Wire()
    buttons = Buttons(wire, wire, 4)
    buttons.scan(0)
    lock = getattr(micropython, "heap_lock", int)
    unlock = getattr(micropython, "heap_unlock", int)
    lock()
    try:
        for scan in range(1, 200):
            wire.levels[0] = 0x0F if scan % 20 < 10 else 0xFF
            buttons.scan(5 * scan)
            buttons.next_press()
    finally:
        unlock()
    # The latch is high from the beginning and goes up once a scan.
    assert wire.pulses == 201 and buttons.lost == 0 and buttons.held(0, 1000) == 0
