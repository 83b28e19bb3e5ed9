"""Buttons on a chain of 74HC165: bits, bounce and time.

A closed button pulls its input low. Bit 0 is the one the chain puts out first; the last four are no buttons
but wired to fixed levels, which shows whether all bits arrived. Times are ticks of time.ticks_ms().
"""

import time

from micropython import const

_SENTINEL_BITS = const(4)
# Bad scans count up to this, good ones down to 0: up there the chain is broken, down there it is whole again.
_BAD_SCANS = const(3)
# Two timer calls that a stall has pushed together look at one and the same bounce: the second is left out.
_CLOSEST_MS = const(3)
_STUCK_MS = const(1_900)  # T13: noticed within two seconds, the app's way to the screen included
_RING = const(16)
# time.ticks_ms() of the ESP32 wraps at 2^30; so does this, and elsewhere it is right for as long.
_TICKS = const(0x3FFFFFFF)


class Buttons:
    """Presses in the order of their time, each with the time of the first scan that saw it.

    A button is down once two scans in a row saw it closed and up once two saw it open: with a scan every 5 ms
    bounce of up to 5 ms makes one press of one, none of 20 ms or more is missed, and one disturbed scan makes
    none. Two buttons that the same scan saw first have the same time. What is closed when the first good scan
    is made, or when the chain comes back, is down but was not pressed.

    `chain_ok` is False while the chain is broken, `bad_scans` counts what did not arrive whole; `lost` counts
    presses for which the ring had no room.
    """

    def __init__(self, spi, latch_pin, chips: int, sentinel: int = 0b1010) -> None:
        """`spi` is a machine.SPI of mode 0, `latch_pin` an output; `sentinel` are the last four levels."""
        self.count = 8 * chips - _SENTINEL_BITS
        self.chain_ok = True
        self.bad_scans = 0
        self.lost = 0
        self.press_ms = 0
        self._spi = spi
        self._latch = latch_pin
        self._sentinel = sentinel
        self._levels = bytearray(chips)
        self._closed = bytearray(chips)  # what the scan before saw, 1 is closed
        self._down = bytearray(chips)
        self._down_ms = [0] * self.count
        self._ring = bytearray(_RING)
        self._ring_ms = [0] * _RING
        self._put = 0
        self._got = 0
        self._bad = 0
        self._anew = True
        self._scan_ms = 0
        latch_pin.value(1)

    def scan(self, now_ms: int) -> None:
        """Look at all buttons once; called every 5 ms, allocates nothing."""
        levels = self._levels
        self._latch.value(0)
        self._latch.value(1)
        self._spi.readinto(levels)
        if not self._anew and (now_ms - self._scan_ms) & _TICKS < _CLOSEST_MS:
            return  # it has taken its time: that it came late behind a hidden press does not show (D43)
        if not self._is_whole():
            return
        last = len(levels) - 1
        for chip in range(last + 1):
            closed = levels[chip] ^ 0xFF
            if chip == last:
                closed &= 0xF0
            if self._anew:
                self._settle(chip, closed, now_ms)
            else:
                before = self._closed[chip]
                down = self._down[chip]
                pressed = closed & before & ~down
                if pressed:
                    self._press(chip, pressed)
                self._down[chip] = closed & before | down & (closed | before)
            self._closed[chip] = closed
        self._anew = False
        self._scan_ms = now_ms

    def scan_now(self, timer: object) -> None:
        """`scan` as a machine.Timer calls it."""
        self.scan(time.ticks_ms())  # type: ignore[arg-type]

    def next_press(self) -> int:
        """The button of the oldest press not yet given, its time in `press_ms`; -1 where there is none."""
        if self._got == self._put:
            return -1
        button = self._ring[self._got]
        self.press_ms = self._ring_ms[self._got]
        self._got = (self._got + 1) % _RING
        return button

    def held(self, index: int, now_ms: int) -> int:
        """For how many ms button `index` is down, at least 1; 0 where it is up."""
        if not self._down[index >> 3] & 0x80 >> (index & 7):
            return 0
        held_ms = (now_ms - self._down_ms[index]) & _TICKS
        return held_ms if held_ms else 1

    @property
    def stuck(self) -> int:
        """A bit for each button that had been down for more than 1.9 s at the last scan."""
        mask = 0
        for index in range(self.count):
            if self.held(index, self._scan_ms) > _STUCK_MS:
                mask |= 1 << index
        return mask

    def _is_whole(self) -> bool:
        """Whether this scan counts: its sentinel is right and the chain is not broken."""
        if self._levels[-1] & 0x0F == self._sentinel:
            if self._bad > 0:
                self._bad -= 1
                if self._bad == 0:
                    self.chain_ok = True
            return self.chain_ok
        self.bad_scans += 1
        if self._bad < _BAD_SCANS:
            self._bad += 1
            if self._bad == _BAD_SCANS:
                self.chain_ok = False
                self._anew = True
        return False

    def _settle(self, chip: int, closed: int, now_ms: int) -> None:
        """Take what is closed as down, without a press."""
        self._down[chip] = closed
        for bit in range(8):
            if closed & 0x80 >> bit:
                self._down_ms[8 * chip + bit] = now_ms

    def _press(self, chip: int, pressed: int) -> None:
        """Post what is pressed, with the time of the scan before: that one saw it first."""
        for bit in range(8):
            if pressed & 0x80 >> bit:
                self._down_ms[8 * chip + bit] = self._scan_ms
                following = (self._put + 1) % _RING
                if following == self._got:
                    self.lost += 1
                else:
                    self._ring[self._put] = 8 * chip + bit
                    self._ring_ms[self._put] = self._scan_ms
                    self._put = following
