"""The TCA9548A does what the sections of its data sheet say."""

from host_tools.virtual.chips.tca9548a import CHANNELS, Tca9548a


def loaded():
    """A switch with a chip of one address on each channel."""
    switch = Tca9548a()
    for number in range(CHANNELS):
        switch.channels[number][0x3C] = f"chip {number}"
    return switch


def test_8_3_2_after_power_up_no_channel_is_connected():
    switch = loaded()
    assert switch.read(1) == b"\0" and switch.at(0x3C) == []
    switch.write(b"\x04")
    switch.unplug()
    assert not switch.write(b"\x04") and switch.read(1) is None and switch.at(0x3C) == []
    switch.plug()
    assert switch.at(0x3C) == []


def test_8_6_2_a_bit_for_each_channel_and_the_last_byte_stays():
    switch = loaded()
    assert switch.write(b"\x10") and switch.at(0x3C) == ["chip 4"] and switch.at(0x3D) == []
    assert switch.write(b"\xff\x81") and switch.at(0x3C) == ["chip 0", "chip 7"] and switch.read(2) == b"\x81\x81"
    assert switch.write(b"") and switch.at(0x3C) == ["chip 0", "chip 7"]
