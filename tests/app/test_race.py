"""Seven seats press within one scan: from the contacts to the order in which they are judged, none is lost (C5)."""

import sys

from cardtable.drivers.buttons import Buttons
from cardtable.play.controller import order_presses

from host_tools.base.random_play import Random

ROUNDS = 300 if sys.implementation.name == "micropython" else 10_000
SEATS = 7
SCAN_MS = 5
SENTINEL = 0b1010


class Chain:
    """The SPI bus and the latch pin of four 74HC165: `closed` are the buttons that are down, 4 * seat + key."""

    def __init__(self):
        self.closed = set()

    def value(self, level: int) -> None:
        pass

    def readinto(self, levels) -> None:
        for chip in range(4):
            levels[chip] = 0xFF
        levels[3] = 0xF0 | SENTINEL
        for button in self.closed:
            levels[button >> 3] &= ~(0x80 >> (button & 7)) & 0xFF


def collect(buttons: Buttons) -> list:
    """What the controller takes out in one step: (time, seat, key)."""
    presses = []
    index = buttons.next_press()
    while index >= 0:
        presses.append((buttons.press_ms, index // 4 + 1, index % 4))
        index = buttons.next_press()
    return presses


def test_c5_seven_presses_within_one_scan_are_a_tie_and_none_is_lost():
    """C5: in every round each seat presses one key; some within one scan, some a scan or two later."""
    random = Random(7)
    chain = Chain()
    buttons = Buttons(chain, chain, 4, SENTINEL)
    now_ms = 0
    buttons.scan(now_ms)
    for _ in range(ROUNDS):
        late = [random.below(3) if random.below(2) else 0 for _ in range(SEATS)]
        keys = [random.below(4) for _ in range(SEATS)]
        found_ms = [0] * SEATS
        for scan in range(6):
            now_ms += SCAN_MS
            for seat in range(SEATS):
                if late[seat] == scan:
                    chain.closed.add(4 * seat + keys[seat])
                    found_ms[seat] = now_ms
            buttons.scan(now_ms)
        presses = collect(buttons)
        first = 1 + random.below(SEATS)
        order_presses(presses, first, SEATS)
        wanted = sorted([(found_ms[seat], (seat + 1 - first) % SEATS, seat) for seat in range(SEATS)])
        assert presses == [(at_ms, seat + 1, keys[seat]) for at_ms, _, seat in wanted], (late, keys, first)
        assert not buttons.lost
        chain.closed.clear()
        for _ in range(4):
            now_ms += SCAN_MS
            buttons.scan(now_ms)
        assert not collect(buttons)
