"""The SSD1306 does what the sections of its data sheet say."""

import pytest

from host_tools.virtual.chips.ssd1306 import HEIGHT, WIDTH, Ssd1306

UPRIGHT = bytes([0x00, 0x8D, 0x14, 0xA1, 0xC8, 0xAF])


def lit_chip(setup=UPRIGHT):
    """A module that is on, with an empty RAM."""
    chip = Ssd1306()
    assert chip.write(setup)
    for page in range(8):
        chip.write(bytes([0x80, 0xB0 + page, 0x80, 0x00, 0x80, 0x10, 0x40]) + bytes(WIDTH))
    assert lights(chip) == [] or setup != UPRIGHT
    return chip


def lights(chip):
    return [(x, y) for y, row in enumerate(chip.rows()) for x, dot in enumerate(row) if dot == "#"]


def put(chip, page, column, data):
    chip.write(bytes([0x00, 0xB0 + page, column & 0x0F, 0x10 | column >> 4]))
    chip.write(b"\x40" + data)


def test_8_1_5_without_power_nothing_acknowledges():
    chip = Ssd1306()
    chip.unplug()
    assert not chip.write(UPRIGHT)
    chip.plug()
    assert chip.write(UPRIGHT)


def test_8_1_5_2_co_set_one_byte_then_a_control_byte_again():
    chip = lit_chip()
    chip.write(bytes([0x80, 0xB2, 0x80, 0x05, 0x80, 0x10, 0xC0, 0x01, 0x40, 0x01, 0x01]))
    assert lights(chip) == [(5, 16), (6, 16), (7, 16)]


def test_8_1_5_2_co_clear_everything_up_to_the_stop():
    chip = lit_chip()
    chip.write(bytes([0x00, 0x81, 0x12, 0xA7]))
    assert chip.contrast == 0x12 and chip.inverse


def test_8_1_5_2_six_zeros_below_co_and_dc():
    chip = lit_chip()
    chip.write(bytes([0x41, 0x00]))
    assert chip.errors == ["8.1.5.2: control byte 41 has bits below Co and D/C#"]


def test_8_5_reset_values():
    chip = Ssd1306()
    chip.write(bytes([0, 0x81, 1, 0xA1, 0xC8, 0xA7, 0xA8, 0x1F, 0xD3, 5, 0x45, 0xDA, 0x22, 0xAF, 0x21]))
    chip.unplug()
    chip.plug()
    assert (chip.contrast, chip.multiplex, chip.offset, chip.start_line) == (0x7F, 64, 0, 0)
    assert (chip.segment_remap, chip.scan_remap, chip.inverse) == (False, False, False)
    assert (chip.com_alternative, chip.com_swap, chip.display_on) == (True, False, False)
    chip.write(bytes([0x00, 0xA7]))
    assert chip.inverse, "the argument 21h waited for is forgotten"


def test_8_5_ram_holds_anything_after_power_up():
    chip = Ssd1306()
    chip.write(UPRIGHT)
    assert 1000 < len(lights(chip)) < WIDTH * HEIGHT - 1000


def test_8_7_d0_is_the_top_dot_of_a_page():
    chip = lit_chip()
    put(chip, 3, 10, b"\x01\x80")
    assert lights(chip) == [(10, 24), (11, 31)]


def test_9_1_status_bit_6_tells_that_the_display_is_off():
    chip = Ssd1306()
    assert chip.read(1) == b"\x40"
    chip.write(bytes([0x00, 0xAF]))
    assert chip.read(1) == b"\x00"
    chip.unplug()
    assert chip.read(1) is None


def test_9_unknown_command_is_noted():
    chip = lit_chip()
    chip.write(bytes([0x00, 0xB9, 0xE3]))
    assert chip.errors == ["9: no command b9"]


@pytest.mark.parametrize("command, count", [
    (0x20, 1), (0x21, 2), (0x22, 2), (0x26, 6), (0x27, 6), (0x29, 5), (0x2A, 5), (0x81, 1), (0x8D, 1),
    (0xA3, 2), (0xA8, 1), (0xD3, 1), (0xD5, 1), (0xD9, 1), (0xDA, 1), (0xDB, 1), (0xE3, 0),
])
def test_9_command_table_how_many_bytes_follow(command, count):
    chip = Ssd1306()
    chip.write(bytes([0x00, command] + [0x12] * (count - 1) + [0xA6] * (count > 0)))
    assert not chip.inverse
    chip.write(bytes([0x00, 0xA7]))
    assert chip.inverse and chip.errors == []


def test_9_arguments_are_awaited_beyond_the_stop():
    chip = lit_chip()
    for value in (0x81, 0x33):
        chip.write(bytes([0x80, value]))
    assert chip.contrast == 0x33


def test_10_1_1_start_column_in_two_nibbles_and_10_1_13_page():
    chip = lit_chip()
    put(chip, 7, 0x7E, b"\x01")
    assert lights(chip) == [(0x7E, 56)]


def test_10_1_3_page_mode_stays_in_its_page():
    chip = lit_chip()
    put(chip, 1, 126, b"\x01\x01\x02")
    assert lights(chip) == [(127, 8), (126, 9)], "the third byte is where the first one was"


def test_10_1_3_horizontal_mode_goes_on_in_the_next_page():
    chip = lit_chip()
    chip.write(bytes([0x00, 0x20, 0x00, 0x21, 10, 11, 0x22, 2, 3]))
    chip.write(b"\x40\x01\x02\x04\x08\x10")
    assert sorted(lights(chip)) == [(10, 20), (10, 26), (11, 17), (11, 27)]


def test_10_1_3_vertical_mode_goes_down_first():
    chip = lit_chip()
    chip.write(bytes([0x00, 0x20, 0x01, 0x21, 10, 11, 0x22, 2, 3]))
    chip.write(b"\x40\x01\x02\x04\x08\x10")
    assert sorted(lights(chip)) == [(10, 20), (10, 25), (11, 18), (11, 27)]


@pytest.mark.parametrize("command", [0xB0, 0x05, 0x12])
def test_10_1_3_page_mode_commands_are_for_page_mode(command):
    chip = lit_chip()
    chip.write(bytes([0x00, 0x20, 0x00, command]))
    assert chip.errors == ["10.1.3: command %02x belongs to page addressing mode" % command]


def test_10_1_3_there_is_no_fourth_mode():
    chip = lit_chip()
    chip.write(bytes([0x00, 0x20, 0x03]))
    assert chip.errors == ["10.1.3: addressing mode 3"]


def test_10_1_6_start_line_scrolls_the_picture_up():
    chip = lit_chip()
    put(chip, 1, 0, b"\x01")
    chip.write(bytes([0x00, 0x43]))
    assert lights(chip) == [(0, 5)]


def test_10_1_8_remapping_counts_for_what_is_written_afterwards():
    chip = lit_chip()
    put(chip, 0, 0, b"\x01")
    chip.write(bytes([0x00, 0xA0]))
    assert lights(chip) == [(0, 0)]
    put(chip, 0, 1, b"\x01")
    assert lights(chip) == [(0, 0), (126, 0)]


def test_10_1_9_and_10_1_10_all_on_and_inverse():
    chip = lit_chip()
    put(chip, 0, 0, b"\x01")
    chip.write(bytes([0x00, 0xA7]))
    assert len(lights(chip)) == WIDTH * HEIGHT - 1
    chip.write(bytes([0x00, 0xA5]))
    assert len(lights(chip)) == WIDTH * HEIGHT
    chip.write(bytes([0x00, 0xA4, 0xA6]))
    assert lights(chip) == [(0, 0)]


def test_10_1_11_beyond_the_multiplex_ratio_nothing_shines():
    chip = lit_chip()
    chip.write(bytes([0x00, 0xA5, 0xA8, 31]))
    assert {y for _, y in lights(chip)} == set(range(32, 64))
    chip.write(bytes([0x00, 0xA8, 14]))
    assert chip.errors == ["10.1.11: multiplex ratio 15"] and chip.multiplex == 32


def test_10_1_12_display_off_is_dark_and_keeps_the_ram():
    chip = lit_chip()
    put(chip, 0, 0, b"\x01")
    chip.write(bytes([0x00, 0xAE]))
    assert lights(chip) == []
    chip.write(bytes([0x00, 0xAF]))
    assert lights(chip) == [(0, 0)]


def test_10_1_14_scan_direction_turns_the_picture_at_once():
    chip = lit_chip()
    put(chip, 0, 0, b"\x01")
    chip.write(bytes([0x00, 0xC0]))
    assert lights(chip) == [(0, 63)]


def test_10_1_15_offset_shifts_and_wraps():
    chip = lit_chip()
    put(chip, 0, 0, b"\x01")
    chip.write(bytes([0x00, 0xD3, 0x10]))
    assert lights(chip) == [(0, 48)]


def test_table_10_2_offset_with_a_smaller_multiplex_ratio():
    chip = lit_chip(UPRIGHT + bytes([0xA8, 47, 0xD3, 8]))
    for page in range(8):
        put(chip, page, 0, b"\xff")
    lit = {y for _, y in lights(chip)}
    assert lit == {63 - com for com in range(8, 56)}, "COM0 to COM7 and from COM56 on are not driven"


def test_10_1_18_sequential_pins_tear_the_rows_apart():
    chip = lit_chip()
    put(chip, 7, 0, b"\xc0")
    assert lights(chip) == [(0, 62), (0, 63)]
    chip.write(bytes([0x00, 0xDA, 0x02]))
    assert lights(chip) == [(0, 61), (0, 63)]
    chip.write(bytes([0x00, 0xDA, 0x22]))
    assert lights(chip) == [(0, 60), (0, 62)]
    chip.write(bytes([0x00, 0xDA, 0x32]))
    assert lights(chip) == [(0, 62), (0, 63)]
    put(chip, 7, 0, b"\x80")
    assert lights(chip) == [(0, 62)]


def test_10_2_1_ram_is_not_written_while_scrolling():
    chip = lit_chip()
    chip.write(bytes([0x00, 0x26, 0, 0, 0, 7, 0, 0xFF, 0x2F]))
    put(chip, 0, 0, b"\x00")
    assert chip.errors == ["10.2.1: RAM written while scrolling is on"]
    chip.write(bytes([0x00, 0x2E]))
    put(chip, 0, 0, b"\x00")
    assert len(chip.errors) == 1


@pytest.mark.parametrize("commands, shines", [
    ((0xAF,), False), ((0x8D, 0x14, 0xAF), True), ((0xAF, 0x8D, 0x14), False), ((0x8D, 0x10, 0xAF), False),
])
def test_application_note_charge_pump_before_display_on(commands, shines):
    chip = Ssd1306()
    chip.write(bytes((0x00, 0xA5) + commands))
    assert chip.pixel(0, 0) is shines
