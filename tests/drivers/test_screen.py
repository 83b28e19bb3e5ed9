"""The screen's driver and its font on a model of the SSD1306: what it sends is what the glass shows."""

from boards import virtual
from cardtable.drivers import font6x8
from cardtable.drivers.screen_ssd1306 import Screen
from host_tools.virtual.chips.ssd1306 import Ssd1306

ADDRESS = virtual.SCREEN["address"]
FREQ = virtual.I2C["screen"]["freq"]
SIGNS = "Ёё№«»—…♠♥♦♣●○▶✓✗★"
LETTERS = list(range(0x20, 0x7F)) + list(range(0x410, 0x450))
EVERY = "".join([chr(code) for code in LETTERS]) + SIGNS


class Bus:
    """An I2C bus with a chip on it, as machine.I2C shows it."""

    def __init__(self, chip):
        self.chip = chip
        self.writes = []
        self.fails_at = 0  # which message from the beginning

    def writeto(self, address, buf):
        self.writes.append(len(buf) + 1)
        if len(self.writes) == self.fails_at:
            raise OSError(110)
        if address != self.chip.address or not self.chip.write(bytes(buf)):
            raise OSError(19)
        return len(buf)


def rig():
    chip = Ssd1306(ADDRESS)
    bus = Bus(chip)
    return chip, bus, Screen(bus, ADDRESS, virtual.SCREEN["width"], virtual.SCREEN["height"])


def powered():
    chip, bus, screen = rig()
    assert screen.power_up()
    bus.writes.clear()
    return chip, bus, screen


def settle(screen):
    calls = 1
    while screen.refresh():
        calls += 1
    return calls


def drawing(sign):
    start = font6x8.glyph_of(ord(sign)) * font6x8.GLYPH_WIDTH
    return font6x8.GLYPHS[start:start + font6x8.GLYPH_WIDTH]


def shows(chip, row, text):
    """Whether a row of the glass shows exactly this: one dark column, 21 cells, one dark column."""
    columns = bytearray(1)
    for sign in text + " " * (21 - len(text)):
        columns.extend(drawing(sign))
        columns.append(0)
    columns.append(0)
    for x in range(128):
        for y in range(8):
            if chip.pixel(x, 8 * row + y) != bool(columns[x] >> y & 1):
                return False
    return True


def dark(chip):
    return all("#" not in row for row in chip.rows())


def test_power_up_shows_an_empty_glass_from_a_ram_full_of_chance():
    chip, bus, screen = rig()
    assert screen.power_up()
    assert chip.display_on and dark(chip) and chip.errors == []
    assert screen.fault == 0 and screen.answers and (screen.columns, screen.rows) == (21, 8)
    assert sum(bus.writes) * 9_000_000 // FREQ < 27_000


def test_power_up_never_shows_what_the_ram_held():
    chip, bus, screen = rig()
    screen.line(0, "A")
    while screen.refresh():
        assert dark(chip)
    assert shows(chip, 0, "A")


def test_line_shows_upright_letters_from_the_top_left():
    chip, bus, screen = powered()
    screen.line(0, "F")
    settle(screen)
    rows = chip.rows()
    assert [row[:8] for row in rows[:8]] == [
        ".#####..", ".#......", ".#......", ".####...", ".#......", ".#......", ".#......", "........",
    ]
    assert dark(chip) is False and all("#" not in row for row in rows[8:])


def test_every_sign_of_the_font_arrives_as_drawn():
    chip, bus, screen = powered()
    for start in range(0, len(EVERY), 168):
        for row in range(8):
            screen.line(row, EVERY[start + 21 * row:start + 21 * row + 21])
        settle(screen)
        for row in range(8):
            assert shows(chip, row, EVERY[start + 21 * row:start + 21 * row + 21]), row
    assert chip.errors == []


def test_text_may_be_utf_8_bytes_as_well():
    chip, bus, screen = powered()
    screen.line(3, "Ход №2: ♠Т — да".encode())
    settle(screen)
    assert shows(chip, 3, "Ход №2: ♠Т — да")


def test_text_is_cut_at_21_columns_and_filled_with_blanks():
    chip, bus, screen = powered()
    screen.line(7, "Длинная строка, которая не помещается")
    settle(screen)
    assert shows(chip, 7, "Длинная строка, котор")
    screen.line(7, "Да")
    settle(screen)
    assert shows(chip, 7, "Да")


def test_what_has_no_drawing_shows_the_box():
    chip, bus, screen = powered()
    for unknown in ("\n", "\x7f", "é", "Ѐ", "ѐ", "あ", "\U0001F0A1"):
        screen.line(0, "a" + unknown + "b")
        settle(screen)
        for x, sign in ((1, "a"), (13, "b")):
            last = drawing(sign)[4]
            assert [chip.pixel(x + 4, y) for y in range(8)] == [bool(last >> y & 1) for y in range(8)]
        box = [[chip.pixel(x, y) for x in range(7, 12)] for y in range(8)]
        assert box == [[True] * 5] + [[True, False, False, False, True]] * 5 + [[True] * 5, [False] * 5]
    for broken in (b"\xd0", b"\xff\xff", b"\x80", b"\xe2\x99"):
        screen.line(1, broken)
        settle(screen)
        assert [chip.pixel(1, y) for y in range(8, 16)] == [True] * 7 + [False], broken


def test_refresh_sends_one_changed_row_in_one_message():
    chip, bus, screen = powered()
    for row in (1, 4, 6):
        screen.line(row, "row")
    assert bus.writes == []
    assert screen.refresh() and len(bus.writes) == 1
    assert screen.refresh() and len(bus.writes) == 2
    assert not screen.refresh() and len(bus.writes) == 3
    assert not screen.refresh() and len(bus.writes) == 3
    assert max(bus.writes) * 9_000_000 // FREQ < 3_100, "microseconds of bus a row"
    assert shows(chip, 1, "row") and shows(chip, 4, "row") and shows(chip, 6, "row")


def test_the_same_text_again_sends_nothing():
    chip, bus, screen = powered()
    screen.line(2, "Ваш ход")
    settle(screen)
    bus.writes.clear()
    screen.line(2, "Ваш ход  ")
    assert not screen.refresh() and bus.writes == []


def test_a_row_that_always_changes_does_not_starve_the_others():
    chip, bus, screen = powered()
    screen.line(5, "waits")
    for turn in range(3):
        screen.line(0, str(turn))
        screen.refresh()
    assert shows(chip, 5, "waits")


def test_empty_lines_empty_the_glass():
    chip, bus, screen = powered()
    screen.line(2, "x")
    settle(screen)
    for row in range(screen.rows):
        screen.line(row, b"")
    assert not dark(chip)
    settle(screen)
    assert dark(chip)


def test_a_screen_that_is_not_there_is_counted_and_nothing_raised():
    chip, bus, screen = rig()
    chip.unplug()
    assert not screen.power_up()
    assert screen.fault == 1 and not screen.answers
    screen.line(0, "x")
    assert screen.refresh() and screen.fault == 2
    assert len(bus.writes) == 2


def test_a_lost_screen_comes_back_with_everything():
    chip, bus, screen = powered()
    screen.line(0, "before")
    settle(screen)
    chip.unplug()
    screen.line(1, "while")
    for _ in range(5):
        assert screen.refresh()
    assert screen.fault == 5
    chip.plug()
    while screen.refresh():
        assert dark(chip), "nothing of what the RAM holds by chance"
    assert shows(chip, 0, "before") and shows(chip, 1, "while") and screen.fault == 5
    assert chip.errors == []


def test_a_screen_that_lost_its_power_unnoticed_is_set_up_and_has_its_rows_again():
    """With the first row comes the set-up, with each its own dots, and nothing else."""
    chip, bus, screen = powered()
    for row in range(8):
        screen.line(row, "row %d" % row)
    settle(screen)
    chip.unplug()
    chip.plug()
    assert dark(chip) and not screen.refresh()
    for row in range(8):
        bus.writes.clear()
        screen.remind(row)
        settle(screen)
        assert len(bus.writes) == (3 if row == 0 else 1) and shows(chip, row, "row %d" % row), row
    assert chip.errors == []
    dim, _, silent = rig()
    silent.remind(0)  # it was never lit: its power-up sends all
    assert dark(dim)


def test_a_single_disturbed_message_is_sent_again():
    chip, bus, screen = powered()
    screen.line(3, "again")
    bus.fails_at = len(bus.writes) + 1
    assert screen.refresh() and screen.fault == 1
    settle(screen)
    assert shows(chip, 3, "again") and screen.answers


def test_whichever_message_is_disturbed_the_glass_shows_everything_in_the_end():
    for message in range(1, 11):
        chip, bus, screen = rig()
        bus.fails_at = message
        screen.line(4, "x")
        while screen.refresh():
            pass
        assert shows(chip, 4, "x") and chip.display_on and screen.fault == 1, message


def test_power_up_from_whatever_state_the_device_was_reset_in():
    states = (
        (0x21,), (0x21, 0x05), (0x22, 0x01), (0x26, 0x00), (0x29,), (0x81,), (0x8D,), (0xA8,), (0xA3, 0x10),
        (0x20, 0x00, 0x26), (0x20, 0x00, 0x21, 30, 40), (0x20, 0x01), (0xA7, 0xA5), (0xD3, 0x20, 0x55),
        (0xA8, 0x1F, 0xDA, 0x02), (0x8D, 0x14, 0xAF, 0x26),
        (0x26, 0, 0, 0, 7, 0, 0xFF, 0x2F), (0x8D, 0x14, 0xAF, 0xC0, 0xA0),
    )
    for state in states:
        chip, bus, screen = rig()
        chip.write(bytes((0x00,) + state))
        screen.line(6, "Готово")
        screen.refresh()
        assert dark(chip), state
        assert screen.power_up()
        assert shows(chip, 6, "Готово") and shows(chip, 0, "") and shows(chip, 7, ""), state
        assert chip.errors == [], state


def test_a_panel_of_32_rows_has_four_lines():
    chip, bus, _ = rig()
    screen = Screen(bus, ADDRESS, 128, 32)
    assert screen.rows == 4 and screen.power_up()
    assert chip.multiplex == 32 and not chip.com_alternative and chip.errors == []


def test_rows_beyond_the_glass_are_a_bug():
    _, _, screen = rig()
    for row in (-1, 8):
        try:
            screen.line(row, "x")
        except AssertionError:
            continue
        raise RuntimeError("row %d was taken" % row)


def test_font_every_sign_has_a_drawing_of_its_own():
    alike = "ABCEHKMOPTXaceopxy"
    assert len(font6x8.GLYPHS) == 5 * (len(EVERY) + 1)
    seen = {}
    for sign in EVERY:
        assert font6x8.glyph_of(ord(sign)) != font6x8.glyph_of(0), sign
        seen[drawing(sign)] = seen.get(drawing(sign), "") + sign
    twice = sorted([signs for signs in seen.values() if len(signs) > 1])
    assert "".join([signs[0] for signs in twice]) == alike, "these alone look the same in both alphabets"
    assert "".join([signs[1] for signs in twice]) == "АВСЕНКМОРТХасеорху"


def test_font_capital_and_small_letters_differ():
    for code in list(range(ord("A"), ord("Z") + 1)):
        assert drawing(chr(code)) != drawing(chr(code + 32)), chr(code)
    for code in range(0x410, 0x430):
        assert drawing(chr(code)) != drawing(chr(code + 32)), chr(code)
    assert drawing("Ё") != drawing("ё")
