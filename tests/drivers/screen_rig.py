"""What the tests of several screens share: a bus with the model of a chip on it, and what any such screen has to do."""

from cardtable.drivers import screen_ssd1306
from host_tools.virtual.chips.ssd1306 import Ssd1306

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


def rig(driver, model):
    """A chip with power, and the driver's screen on a bus with it."""
    chip = model(ADDRESS)
    return chip, driver.Screen(Bus(chip), ADDRESS, 128, 64)


def dark(chip):
    return all("#" not in row for row in chip.rows())


def check_glass_is_that_of_an_ssd1306(driver, model):
    """Dot for dot."""
    glasses = []
    for chip, screen in (rig(driver, model), rig(screen_ssd1306, Ssd1306)):
        for row in range(8):
            screen.line(row, "%d Ход №%d: ♠Т — да, qpj" % (row, row))
        assert screen.power_up() and chip.errors == []
        glasses.append(chip.rows())
    assert glasses[0] == glasses[1] and not dark(chip)


def check_power_up(driver, model, states, may_complain=()):
    """Whatever bytes the chip was left with when the device was reset: the same picture as from the start, and nothing
    before it. may_complain: states whose first bytes the chip takes for a command that it has not."""
    for state in states:
        chip, screen = rig(driver, model)
        chip.write(bytes((0x00,) + state))
        chip.errors.clear()
        screen.line(6, "Готово")
        screen.refresh()
        assert dark(chip) and screen.power_up(), state
        other, reference = rig(driver, model)
        reference.line(6, "Готово")
        reference.power_up()
        assert chip.rows() == other.rows(), state
        assert chip.errors == [] or state in may_complain, (state, chip.errors)
