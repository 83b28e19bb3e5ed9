"""`neopixel`: a strip's bytes in the order of the wire, green first.

It stands for ports/esp32/machine_bitstream.c, which sends them through an RMT channel.
"""

import port
import virtual_clock

from micropython import const

# WS2812 datasheet: 24 bits of 1.25 us a light, then the line is held low for 50 us so that the lights take
# their bytes.
_LIGHT_US = const(30)
_LATCH_US = const(50)


class NeoPixel:
    """`n` lights on `pin`: index gives and takes (r, g, b), `write()` sends; `buf` holds the bytes."""

    ORDER = (1, 0, 2, 3)

    def __init__(self, pin, n: int, bpp: int = 3, timing: int = 1) -> None:
        self.pin = pin
        self.n = n
        self.bpp = bpp
        self.buf = bytearray(n * bpp)
        self.timing = timing
        pin.init(pin.OUT)

    def __len__(self) -> int:
        return self.n

    def __setitem__(self, index: int, colour) -> None:
        start = index * self.bpp
        for part in range(self.bpp):
            self.buf[start + self.ORDER[part]] = colour[part]

    def __getitem__(self, index: int):
        start = index * self.bpp
        return tuple([self.buf[start + self.ORDER[part]] for part in range(self.bpp)])

    def fill(self, colour) -> None:
        for index in range(self.n):
            self[index] = colour

    def write(self) -> None:
        # The lights take their bytes as they come, so this operation happens at the beginning of its time.
        port.strip_write(self.pin.id, self.buf)
        virtual_clock.now_us += _LIGHT_US * self.n + _LATCH_US
        if virtual_clock.now_us >= virtual_clock.due_us:
            virtual_clock.catch_up()
