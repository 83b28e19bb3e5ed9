"""The light strip does what the WS2812B data sheet says."""

from host_tools.virtual.chips.ws2812 import Strip

FRAME = bytes([1, 2, 3, 4, 5, 6, 7, 8, 9])


def colours(strip):
    return [strip.colour(i) for i in range(len(strip))]


def test_features_power_on_reset_leaves_all_dark():
    assert colours(Strip(3)) == [(0, 0, 0)] * 3


def test_composition_of_24bit_data_green_red_blue():
    strip = Strip(1)
    strip.write(b"\x10\x20\x30", 0)
    assert strip.colour(0) == (0x20, 0x10, 0x30)


def test_cascade_method_each_light_keeps_24_bits_and_passes_on_the_rest():
    strip = Strip(3)
    strip.write(FRAME, 0)
    assert colours(strip) == [(2, 1, 3), (5, 4, 6), (8, 7, 9)]


def test_cascade_method_more_than_the_strip_holds_falls_off_its_end():
    strip = Strip(2)
    strip.write(FRAME, 0)
    assert colours(strip) == [(2, 1, 3), (5, 4, 6)]


def test_cascade_method_a_short_frame_leaves_the_others():
    strip = Strip(3)
    strip.write(FRAME, 0)
    strip.write(b"\x0a\x0b\x0c\x0d", 1000)
    assert colours(strip) == [(11, 10, 12), (5, 4, 6), (8, 7, 9)]


def test_data_transfer_time_without_50_us_of_low_the_frame_goes_on():
    strip = Strip(3)
    strip.write(FRAME[:3], 0)
    strip.write(FRAME[3:6], 30 + 49)
    assert colours(strip) == [(2, 1, 3), (5, 4, 6), (0, 0, 0)]
    strip.write(FRAME[6:], 30 + 49 + 30 + 50)
    assert colours(strip) == [(8, 7, 9), (5, 4, 6), (0, 0, 0)]


def test_cascade_method_behind_a_dead_light_nothing_changes():
    strip = Strip(3)
    strip.write(FRAME, 0)
    strip.kill(1)
    strip.write(bytes(9), 1000)
    assert colours(strip) == [(0, 0, 0), (0, 0, 0), (8, 7, 9)]
