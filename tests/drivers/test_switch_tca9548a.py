"""Screens with one address behind the I2C switch, on the models of all of them."""

from cardtable.drivers.screen_ssd1306 import Screen
from cardtable.drivers.switch_tca9548a import Switch
from host_tools.virtual.chips.ssd1306 import Ssd1306
from host_tools.virtual.chips.tca9548a import Tca9548a

ADDRESS = 0x3C


class Bus:
    """The I2C bus with the switch on it, as machine.I2C shows it."""

    def __init__(self, count):
        self.switch = Tca9548a()
        self.chips = [Ssd1306(ADDRESS) for _ in range(count)]
        for channel in range(count):
            self.switch.channels[channel][ADDRESS] = self.chips[channel]
        self.writes = []

    def writeto(self, address, buf):
        self.writes.append((address, len(buf)))
        chips = [self.switch] if address == self.switch.address else self.switch.at(address)
        took = [chip.write(bytes(buf)) for chip in chips]
        if not took or not took[0]:
            raise OSError(19)
        return len(buf)


def rig(count=7):
    bus = Bus(count)
    switch = Switch(bus, bus.switch.address)
    return bus, [Screen(switch.branch(channel), ADDRESS, 128, 64) for channel in range(count)]


def settle(screens):
    for screen in screens:
        while screen.refresh():
            pass


def row(chip, number):
    return ["".join(["#" if chip.pixel(x, 8 * number + y) else "." for x in range(128)]) for y in range(8)]


def test_each_screen_shows_its_own():
    bus, screens = rig()
    for index in range(7):
        assert screens[index].power_up()
        screens[index].line(0, "seat %d" % (index + 1))
        screens[index].line(1, "all")
    settle(screens)
    assert len({"".join(row(chip, 0)) for chip in bus.chips}) == 7
    assert len({"".join(row(chip, 1)) for chip in bus.chips}) == 1
    assert [chip.errors for chip in bus.chips] == [[]] * 7


def test_the_channel_is_chosen_only_when_it_is_another():
    bus, screens = rig(2)
    settle(screens)
    bus.writes.clear()
    for text in ("a", "b"):
        screens[0].line(0, text)
        screens[0].line(1, text)
        settle(screens[:1])
    assert [address for address, _ in bus.writes] == [0x70] + [ADDRESS] * 4
    screens[1].line(0, "c")
    settle(screens[1:])
    assert [address for address, _ in bus.writes][5:] == [0x70, ADDRESS]


def test_a_switch_that_lost_its_power_is_told_again():
    bus, screens = rig(2)
    settle(screens)
    bus.switch.unplug()
    bus.switch.plug()
    screens[1].line(2, "again")
    screens[1].refresh()
    assert screens[1].fault == 1 and not screens[1].answers
    settle(screens)
    assert screens[1].answers and "#" in "".join(row(bus.chips[1], 2)) and screens[0].fault == 0


def test_one_silent_screen_does_not_silence_the_others():
    bus, screens = rig(3)
    bus.chips[1].unplug()
    assert [screen.power_up() for screen in screens] == [True, False, True]
    screens[2].line(0, "x")
    screens[1].refresh()
    settle(screens[2:])
    assert "#" in "".join(row(bus.chips[2], 0))


def test_a_channel_that_there_is_not_is_a_bug():
    for channel in (-1, 8):
        try:
            Switch(None, 0x70).branch(channel)
        except AssertionError:
            continue
        raise RuntimeError("channel %d was made" % channel)
