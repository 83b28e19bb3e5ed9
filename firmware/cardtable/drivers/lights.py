"""A strip of WS2812 lights: positions and colours."""

from neopixel import NeoPixel


class Lights:
    """`set` says what a light shall show, `show` sends it to the strip if anything changed."""

    def __init__(self, pin, count: int) -> None:
        """`pin` is a machine.Pin; nothing is sent yet, and the strip shows what it happens to show."""
        self.count = count
        self._strip = NeoPixel(pin, count)
        self._wanted = bytearray(3 * count)
        self._changed = True

    def set(self, index: int, red: int, green: int, blue: int) -> None:
        """Light `index` from the strip's beginning, 0-255 a colour; sends nothing."""
        assert 0 <= index < self.count
        at = 3 * index
        wanted = self._wanted
        if wanted[at] == red and wanted[at + 1] == green and wanted[at + 2] == blue:
            return
        wanted[at] = red
        wanted[at + 1] = green
        wanted[at + 2] = blue
        self._strip[index] = (red, green, blue)
        self._changed = True

    def show(self, anyway: bool = False) -> bool:
        """Send if anything changed, 30 us a light, or `anyway`, for a strip that lost power. True if sent."""
        if not (self._changed or anyway):
            return False
        self._changed = False
        self._strip.write()
        return True
