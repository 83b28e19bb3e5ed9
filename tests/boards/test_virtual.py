"""The virtual board's pins are legal for an ESP32 WROOM and none has two uses."""

from boards import virtual

FLASH = set(range(6, 12))
CONSOLE = {1, 3}
INPUT_ONLY = {34, 35, 36, 39}
# An ESP32 has no GPIO 20, 24 and 28 to 31 (data sheet, pin list), a WROOM no 37 and 38.
PINS = set(range(34)) - {20, 24, 28, 29, 30, 31} | INPUT_ONLY


def outputs():
    pins = [bus[wire] for bus in virtual.SPI.values() for wire in ("sck", "mosi")]
    pins += [bus[wire] for bus in virtual.I2C.values() for wire in ("scl", "sda")]
    pins += [reader["select"] for reader in virtual.READERS]
    pins += [part["pin"] for part in (virtual.LIGHTS, virtual.BUZZER)]
    return pins + [virtual.READER_RESET, virtual.BUTTONS["latch"]]


def inputs():
    return [bus["miso"] for bus in virtual.SPI.values()]


def test_no_pin_has_two_uses():
    pins = outputs() + inputs()
    assert len(pins) == len(set(pins))


def test_pins_exist_and_leave_flash_and_console_alone():
    assert set(outputs() + inputs()) <= PINS - FLASH - CONSOLE


def test_outputs_can_drive():
    assert not set(outputs()) & INPUT_ONLY


def test_straps_that_decide_about_starting_are_free():
    assert not {0, 12} & set(outputs() + inputs())


def test_seven_seats_have_what_a_seat_needs():
    assert virtual.SEATS == len(virtual.READERS) == virtual.LIGHTS["count"] == 7
    assert 8 * virtual.BUTTONS["chips"] == 4 * virtual.SEATS + 4
    assert all(reader["spi"] in virtual.SPI for reader in virtual.READERS)
    assert virtual.BUTTONS["spi"] in virtual.SPI and virtual.SCREEN["i2c"] in virtual.I2C
