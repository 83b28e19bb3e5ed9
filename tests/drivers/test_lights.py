"""The lights' driver on a model of the WS2812 strip."""

import sys

from boards import virtual
from host_tools.virtual.chips.ws2812 import Strip



class Neopixel:
    """Stands for the module that is built into the firmware while the driver is imported; see `lit_up`."""

    NeoPixel = None


def load_driver():
    """The driver with no lights behind it, as a module of these tests alone."""
    kept = {}
    for name in ("neopixel", "cardtable.drivers.lights"):
        if name in sys.modules:
            kept[name] = sys.modules[name]
            del sys.modules[name]
    sys.modules["neopixel"] = Neopixel
    try:
        return __import__("cardtable.drivers.lights").drivers.lights
    finally:
        del sys.modules["neopixel"], sys.modules["cardtable.drivers.lights"]
        for name in kept:
            sys.modules[name] = kept[name]


driver = load_driver()
COUNT = virtual.LIGHTS["count"]


class Pixels:
    """What MicroPython's neopixel.NeoPixel does, the pin being a strip: colours in, green first out."""

    def __init__(self, pin, n):
        self.strip = pin
        self.grb = bytearray(3 * n)
        self.now_us = 0

    def __setitem__(self, index, colour):
        red, green, blue = colour
        self.grb[3 * index] = green
        self.grb[3 * index + 1] = red
        self.grb[3 * index + 2] = blue

    def write(self):
        self.now_us += 1000
        self.strip.write(bytes(self.grb), self.now_us)


def lit_up(strip):
    """The driver on a strip."""
    before = driver.NeoPixel
    driver.NeoPixel = Pixels
    try:
        return driver.Lights(strip, COUNT)
    finally:
        driver.NeoPixel = before


def colours(strip):
    return [strip.colour(index) for index in range(len(strip))]


def test_each_light_shows_its_colour():
    strip = Strip(COUNT)
    lights = lit_up(strip)
    for index in range(COUNT):
        lights.set(index, index, 10 + index, 20 + index)
    assert colours(strip) == [(0, 0, 0)] * COUNT, "set alone sends nothing"
    assert lights.show()
    assert colours(strip) == [(index, 10 + index, 20 + index) for index in range(COUNT)]
    assert lights.count == COUNT


def test_the_first_show_makes_a_strip_dark_that_kept_its_colours():
    strip = Strip(COUNT)
    strip.write(bytes([9]) * 3 * COUNT, 0)
    assert lit_up(strip).show()
    assert colours(strip) == [(0, 0, 0)] * COUNT


def test_show_writes_only_what_changed():
    strip = Strip(COUNT)
    lights = lit_up(strip)
    lights.show()
    lights.set(2, 0, 0, 0)
    assert not lights.show() and strip.writes == 1
    for part in range(3):
        colour = [0, 0, 0]
        colour[part] = 5
        lights.set(2, colour[0], colour[1], colour[2])
        assert lights.show() and strip.colour(2) == tuple(colour)
    assert not lights.show() and strip.writes == 4


def test_a_strip_that_lost_power_gets_its_colours_back():
    lights = lit_up(Strip(COUNT))
    lights.set(6, 1, 2, 3)
    lights.show()
    fresh = Strip(COUNT)
    lights._strip.strip = fresh
    assert not lights.show() and fresh.writes == 0
    assert lights.show(True) and fresh.colour(6) == (1, 2, 3)
