"""A strip of WS2812B lights, after the WorldSemi data sheet.

Times are absolute microseconds, handed in: when the first bit begins.
"""

# "Data transfer time": a bit is 1.25 us; a line that is low for 50 us or more is the reset code.
LIGHT_US = 30
RESET_US = 50


class Strip:
    """`n` lights behind one data line; dark when they get power ("Features": power-on reset)."""

    def __init__(self, n: int) -> None:
        self._colours = [(0, 0, 0)] * n
        self._passed = 0
        self._quiet_from_us = -RESET_US
        self._deaf_from = n
        self.writes = 0

    def __len__(self) -> int:
        return len(self._colours)

    def write(self, grb: bytes, now_us: int) -> None:
        """Bytes on the line, green, red, blue of the first light first, each from its highest bit on.

        "Cascade method": a light keeps the first 24 bits after a reset code and passes on the rest; what
        comes sooner than a reset code belongs to the same frame and goes on where that one ended.
        """
        if now_us - self._quiet_from_us >= RESET_US:
            self._passed = 0
        for start in range(0, len(grb) // 3 * 3, 3):
            if self._passed < self._deaf_from:
                self._colours[self._passed] = (grb[start + 1], grb[start], grb[start + 2])
            self._passed += 1
        self._quiet_from_us = now_us + len(grb) * LIGHT_US // 3
        self.writes += 1

    def colour(self, i: int) -> tuple:
        """(red, green, blue) of a light, 0-255 each."""
        return self._colours[i]

    def kill(self, i: int) -> None:
        """This light dies: it is dark, and those behind it hear nothing more and stay as they are."""
        self._colours[i] = (0, 0, 0)
        self._deaf_from = min(self._deaf_from, i)
