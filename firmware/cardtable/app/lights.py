"""What the light of each seat says, as a colour now and in a moment; it knows the meanings, not the strip."""

from micropython import const

# What a seat's light can say, the more urgent the higher.
OFF = const(0)
WAITED_FOR = const(1)  # the table waits for this seat
ACCEPTED = const(2)
CHOOSING = const(3)  # the seat chooses: MENU steps, OK takes, NO drops
REFUSED = const(4)
FAULT = const(5)

_COLOURS = ((0, 0, 0), (0, 0, 40), (0, 60, 0), (50, 35, 0), (70, 0, 0), (40, 0, 40))
_BLINKS = (False, False, False, True, False, True)  # told apart without colours too
BLINK_MS = 250


def colour_of(meaning: int) -> tuple:
    """(red, green, blue), each 0..255, while the light is not in the dark half of a blink."""
    return _COLOURS[meaning]


class Lights:
    """Shows a meaning for each place; asks the strip only for what changed."""

    def __init__(self, strip, count: int) -> None:
        """strip: a driver with set(index, r, g, b) and show()."""
        self.strip = strip
        self.means = bytearray(count)

    def show(self, now_ms: int) -> None:
        """Bring the strip up to what `means` says at this time."""
        is_dark = now_ms // BLINK_MS & 1
        for index in range(len(self.means)):
            meaning = self.means[index]
            colour = _COLOURS[OFF if is_dark and _BLINKS[meaning] else meaning]
            self.strip.set(index, colour[0], colour[1], colour[2])
        self.strip.show()
