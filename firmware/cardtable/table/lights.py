"""Turns the meaning of each seat's light into a colour, steady or blinking."""

from micropython import const

# The meanings of a seat's light, the more urgent the higher.
OFF = const(0)
WAITED_FOR = const(1)  # the table waits for this seat
ACCEPTED = const(2)
CHOOSING = const(3)  # the seat chooses: MENU steps, OK takes, NO drops
REFUSED = const(4)
FAULT = const(5)
# As urgent as WAITED_FOR, with an amount.
FILLING = const(6)  # a handicap runs: the light fills up in eighths, and is full when it is over (C11)
COUNTING = const(7)  # a play is begun: the light blinks once for each card that is still missing, then rests
MAY = const(8)  # the seat may play, and the table waits for another one

# Blue (dim where the seat may, but need not), bluish green, amber, red, purple. Those that shine steadily are far apart
# also for eyes that see no red, no green or no blue (tests/app/test_lights_seen.py); the others show themselves by how
# they blink.
_BLUE = (0, 0, 56)
_COLOURS = ((0, 0, 0), _BLUE, (0, 60, 36), (56, 34, 0), (80, 0, 0), (48, 0, 48), (0, 28, 72), _BLUE, (0, 0, 24))
# A bit for each eighth of a second, the lowest first: choosing blinks evenly, a fault gives two short flashes a second,
# and who may play breathes: dark for a quarter of it.
_STEADY = const(0b11111111)
_RHYTHMS = (_STEADY, _STEADY, _STEADY, 0b00110011, _STEADY, 0b00001001, _STEADY, _STEADY, 0b00111111)
_BEAT_MS = const(125)
BLINK_MS = 250
FULL = const(8)  # eighths
_REST = const(3)  # dark halves of a blink between two rows of blinks


def colour_of(meaning: int) -> tuple:
    """(red, green, blue), each 0..255, while the light is not in the dark half of a blink."""
    return _COLOURS[meaning]


class Lights:
    """Shows a meaning for each place; asks the strip only for what changed."""

    def __init__(self, strip, count: int, sounds=None) -> None:
        """strip: a driver with set(index, r, g, b) and show(); sounds: an table.sounds.Sounds, or None."""
        self.strip = strip
        self.sounds = sounds
        self.means = bytearray(count)
        self.amounts = bytearray(count)  # of FILLING and COUNTING
        self._shown = bytearray(count)  # the meanings that the strip shows
        self._beat = -1  # at which it began to; -1: they move on by themselves

    def show(self, now_ms: int) -> None:
        """Bring the strip up to what `means` says at this time."""
        beat = now_ms // _BEAT_MS
        if beat != self._beat or self.means != self._shown:
            self._beat = beat
            self.light(now_ms, beat & 7)
        if self.sounds:
            self.sounds.follow(self.means, now_ms)

    def light(self, now_ms: int, beat: int) -> None:
        """Give each light its colour in that eighth of a second, and send what changed; in the first of them, all."""
        for index in range(len(self.means)):
            meaning = self._shown[index] = self.means[index]
            colour = _COLOURS[meaning if _RHYTHMS[meaning] >> beat & 1 else OFF]
            if meaning == FILLING or meaning == COUNTING:
                self._beat = -1
            if meaning == FILLING:
                red, green, blue = colour
                amount = self.amounts[index]
                self.strip.set(index, red * amount // FULL, green * amount // FULL, blue * amount // FULL)
                continue
            if meaning == COUNTING:
                half = now_ms // BLINK_MS % (2 * self.amounts[index] + _REST)
                if half & 1 or half >= 2 * self.amounts[index]:
                    colour = _COLOURS[OFF]
            self.strip.set(index, colour[0], colour[1], colour[2])
        self.strip.show(beat == 0)  # once a second anyway: a strip that lost its power shows nothing
