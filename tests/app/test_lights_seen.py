"""Lights as eyes see them that lack one kind of cone: what a light means is told apart by colour or by its rhythm."""

import itertools

from cardtable.table import lights
from cardtable.table.lights import ACCEPTED, BLINK_MS, CHOOSING, FAULT, OFF, REFUSED, WAITED_FOR, Lights

RUNS_ON = "cpython"  # what the firmware shows is the same in both, and seeing takes floats

# Machado, Oliveira and Fernandes 2009, severity 1, for linear RGB, which is what a light's bytes are.
EYES = {
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}
WHITE = 80  # what counts as bright beside these lights
FAR = 40  # of CIE 1976 L*a*b*: 2 can just be seen side by side, 10 at a glance
SECOND = range(0, 1000, 5)


class Strip:
    def set(self, index, red, green, blue):
        self.colour = (red, green, blue)

    def show(self, anyway=False):
        pass


def rhythm(meaning):
    """The colours of one second."""
    strip = Strip()
    one = Lights(strip, 1)
    one.means[0] = meaning
    shown = []
    for now_ms in SECOND:
        one.show(now_ms)
        shown.append(strip.colour)
    return shown


def lab(colour, eye):
    """As that eye sees it, in L*a*b*."""
    red, green, blue = (
        max(0.0, sum(part * share for part, share in zip(colour, row, strict=True))) / WHITE for row in EYES[eye]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one, other, eye):
    return sum((a - b) ** 2 for a, b in zip(lab(one, eye), lab(other, eye), strict=True)) ** 0.5


def test_what_shines_steadily_differs_for_every_eye():
    steady = [meaning for meaning in (OFF, WAITED_FOR, ACCEPTED, REFUSED) if len(set(rhythm(meaning))) == 1]
    assert steady == [OFF, WAITED_FOR, ACCEPTED, REFUSED]
    for eye in EYES:
        for one, other in itertools.combinations(steady, 2):
            seen = distance(lights.colour_of(one), lights.colour_of(other), eye)
            assert seen >= FAR, f"{eye}: {one} and {other}: {seen:.0f}"


def test_the_others_have_a_rhythm_of_their_own():
    """Choosing is dark half the time, evenly; a fault gives two short flashes."""
    bright = {meaning: [colour != (0, 0, 0) for colour in rhythm(meaning)] for meaning in (CHOOSING, FAULT)}
    flashes = {
        meaning: sum(now and not before for before, now in zip([shown[-1], *shown], shown, strict=False))
        for meaning, shown in bright.items()
    }
    assert flashes == {CHOOSING: 2, FAULT: 2}
    assert bright[CHOOSING].count(True) == 2 * bright[FAULT].count(True) == len(SECOND) // 2
    half = BLINK_MS // SECOND.step
    assert bright[CHOOSING] == ([True] * half + [False] * half) * 2
    assert bright[FAULT][: half // 2] == [True] * (half // 2) and not any(bright[FAULT][half // 2 : half])
