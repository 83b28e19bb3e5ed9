"""The SH1106's driver on a model of its chip: the glass shows, dot for dot, what an SSD1306 with its driver shows."""

from cardtable.drivers import screen_sh1106, screen_ssd1306
from host_tools.chips.sh1106 import Sh1106
from host_tools.chips.ssd1306 import Ssd1306

ADDRESS = 0x3C


class Bus:
    """An I2C bus with a chip on it, as machine.I2C shows it."""

    def __init__(self, chip):
        self.chip = chip
        self.sent = 0
        self.fails_at = 0

    def writeto(self, address, buf):
        self.sent += 1
        if self.sent == self.fails_at or address != ADDRESS or not self.chip.write(bytes(buf)):
            raise OSError(19)
        return len(buf)


def rig(chip=None):
    chip = chip or Sh1106(ADDRESS)
    driver = screen_sh1106 if isinstance(chip, Sh1106) else screen_ssd1306
    return chip, driver.Screen(Bus(chip), ADDRESS, 128, 64)


def dark(chip):
    return all("#" not in row for row in chip.rows())


def test_the_glass_is_that_of_an_ssd1306():
    glasses = []
    for chip in (Sh1106(ADDRESS), Ssd1306(ADDRESS)):
        chip, screen = rig(chip)
        for row in range(8):
            screen.line(row, "%d Ход №%d: ♠Т — да, qpj" % (row, row))
        assert screen.power_up() and chip.errors == []
        glasses.append(chip.rows())
    assert glasses[0] == glasses[1] and not dark(chip)


def test_power_up_never_shows_what_the_ram_held():
    chip, screen = rig()
    screen.line(0, "A")
    while screen.refresh():
        assert dark(chip)
    assert not dark(chip)


def test_power_up_from_whatever_state_the_device_was_reset_in():
    states = (
        (0x81,), (0xA8,), (0xD3,), (0xAD,), (0xE0,), (0xA7, 0xA5), (0xD3, 0x20, 0x55), (0xA8, 0x1F, 0xDA, 0x02),
        (0xAD, 0x8A), (0xAF, 0xC0, 0xA0), (0xAD, 0x8B, 0xAF),
    )
    _, fresh = rig()
    for state in states:
        chip, screen = rig()
        chip.write(bytes((0x00,) + state))
        chip.errors.clear()
        screen.line(6, "Готово")
        screen.refresh()
        assert dark(chip) and screen.power_up(), state
        other, reference = rig()
        reference.line(6, "Готово")
        reference.power_up()
        assert chip.rows() == other.rows(), state


def test_whichever_message_is_disturbed_the_glass_shows_everything_in_the_end():
    for message in range(1, 11):
        chip, screen = rig()
        screen._i2c.fails_at = message
        screen.line(4, "x")
        while screen.refresh():
            pass
        assert not dark(chip) and screen.fault == 1 and screen.answers, message
