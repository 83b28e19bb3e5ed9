"""The SH1106 does what the commands of its data sheet say, where it differs from the SSD1306."""

from host_tools.virtual.chips.sh1106 import COLUMNS, Sh1106

UPRIGHT = bytes([0x00, 0xAD, 0x8B, 0xA1, 0xC8, 0xAF])


def lit_chip(setup=UPRIGHT):
    """A module that is on, with an empty RAM."""
    chip = Sh1106()
    for page in range(8):
        put(chip, page, 0, bytes(COLUMNS))
    assert chip.write(setup) and chip.errors == []
    return chip


def put(chip, page, column, data):
    chip.write(bytes([0x00, 0xB0 + page, column & 0x0F, 0x10 | column >> 4]))
    chip.write(b"\x40" + data)


def lights(chip):
    return [(x, y) for y, row in enumerate(chip.rows()) for x, dot in enumerate(row) if dot == "#"]


def test_1_2_the_panel_shows_the_middle_128_of_132_columns():
    for column, shown in ((0, []), (1, []), (2, [(0, 0)]), (129, [(127, 0)]), (130, []), (131, [])):
        chip = lit_chip()
        put(chip, 0, column, b"\x01")
        assert lights(chip) == shown, column


def test_the_column_address_counts_up_to_the_last_and_stays_there():
    chip = lit_chip()
    put(chip, 3, 128, b"\x01\x01\x01\x01\x01")
    assert lights(chip) == [(126, 24), (127, 24)] and chip.errors == []
    put(chip, 3, 140, b"\x01")
    assert chip.errors == ["2: column 140"]


def test_6_the_segments_are_mapped_when_the_ram_is_shown():
    """An SSD1306 maps them when it is written: data sheet 10.1.8 of that one."""
    chip = lit_chip()
    put(chip, 0, 2, b"\x01")
    chip.write(b"\x00\xa0")
    assert lights(chip) == [(127, 0)]


def test_there_is_no_other_addressing_than_by_pages():
    for command in (0x20, 0x21, 0x22, 0x2E, 0x2F, 0x8D):
        chip = Sh1106()
        chip.write(bytes([0x00, command]))
        assert chip.errors == ["9: no command %02x" % command]


def test_3_10_pump():
    chip = lit_chip(bytes([0x00, 0x32, 0xAD, 0x8A, 0xA1, 0xC8, 0xAF]))
    put(chip, 0, 2, b"\x01")
    assert lights(chip) == [], "without its pump nothing shines"
    chip.write(bytes([0x00, 0xAD, 0x8B]))
    assert chip.errors == ["10: the pump switched while the display is on"]
    chip.write(bytes([0x00, 0xAE, 0xAD, 0x14]))
    assert chip.errors[1:] == ["10: no pump mode 14"]
