"""The SH1106's driver on a model of its chip: the glass shows, dot for dot, what an SSD1306 with its driver shows."""

from cardtable.drivers import screen_sh1106
from host_tools.virtual.chips.sh1106 import Sh1106
from tests.drivers.screen_rig import check_glass_is_that_of_an_ssd1306, check_power_up, dark, rig


def test_the_glass_is_that_of_an_ssd1306():
    check_glass_is_that_of_an_ssd1306(screen_sh1106, Sh1106)


def test_power_up_never_shows_what_the_ram_held():
    chip, screen = rig(screen_sh1106, Sh1106)
    screen.line(0, "A")
    while screen.refresh():
        assert dark(chip)
    assert not dark(chip)


def test_power_up_from_whatever_state_the_device_was_reset_in():
    states = (
        (0x81,), (0xA8,), (0xD3,), (0xAD,), (0xE0,), (0xA7, 0xA5), (0xD3, 0x20, 0x55), (0xA8, 0x1F, 0xDA, 0x02),
        (0xAD, 0x8A), (0xAF, 0xC0, 0xA0), (0xAD, 0x8B, 0xAF),
    )
    check_power_up(screen_sh1106, Sh1106, states, states)


def test_whichever_message_is_disturbed_the_glass_shows_everything_in_the_end():
    for message in range(1, 11):
        chip, screen = rig(screen_sh1106, Sh1106)
        screen._i2c.fails_at = message
        screen.line(4, "x")
        while screen.refresh():
            pass
        assert not dark(chip) and screen.fault == 1 and screen.answers, message
