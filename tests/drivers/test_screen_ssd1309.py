"""The SSD1309's driver on a model of its chip, and letters twice as high on any of the screens."""

from cardtable.drivers import font6x8, screen_ssd1306, screen_ssd1309
from cardtable.table.screen import Screen
from host_tools.virtual.chips.ssd1306 import Ssd1306
from host_tools.virtual.chips.ssd1309 import Ssd1309
from tests.drivers.screen_rig import check_glass_is_that_of_an_ssd1306, check_power_up, rig


def test_the_glass_is_that_of_an_ssd1306():
    check_glass_is_that_of_an_ssd1306(screen_ssd1309, Ssd1309)


def test_power_up_from_whatever_state_the_device_was_reset_in():
    """FDh: the lock that disturbed bytes have closed is opened too; no command is the pump's."""
    states = ((0x81,), (0xA8,), (0xD3,), (0xFD, 0x16), (0xFD,), (0xA7, 0xA5), (0xD3, 0x20, 0x55), (0xAF, 0xC0, 0xA0))
    check_power_up(screen_ssd1309, Ssd1309, states, ((0xFD,),))


def test_a_letter_twice_as_high_has_each_dot_twice():
    """Both rows of a line get its text; below them rows are as ever."""
    for driver, model in ((screen_ssd1306, Ssd1306), (screen_ssd1309, Ssd1309)):
        chip, screen = rig(driver, model)
        screen.power_up()
        screen.line(2, "qЖ")
        while screen.refresh():
            pass
        small = chip.rows()[16:24]
        screen.line(2, "")
        screen.line(0, "qЖ")
        screen.line(1, "qЖ")
        screen.line(4, "qЖ")
        screen.enlarge(2)
        while screen.refresh():
            pass
        assert chip.rows()[:16] == [row for row in small for _ in range(2)]
        assert chip.rows()[32:40] == small


def test_a_game_is_read_from_every_chair():
    """Whom the table waits for is large; a refusal covers table and last event, which come back."""
    _, glass = rig(screen_ssd1309, Ssd1309)
    screen = Screen([glass], True)
    screen.line(0, "lobby")
    screen.enlarge()
    screen.status("♠ 24: 6 6")
    screen.waits("2 Boris: beat or transfer; NO takes")
    screen.event("1 lays 6♠")
    assert [glass._cells[21 * row] == font6x8.glyph_of(ord("2")) for row in range(3)] == [True, True, False]
    rows = Rows()
    screen.glasses = [rows]
    screen.verdict("2 D14 That rank is not on the table")
    screen.event("1 lays 7♠")
    assert rows.lines == {4: "2 D14 That rank is", 5: "not on the table", 6: ""}
    screen.verdict("")
    assert rows.lines == {4: "♠ 24: 6 6", 5: "1 lays 7♠", 6: ""}
    screen.waits("2 Boris: beat or transfer; NO takes")
    assert [rows.lines[row] for row in range(4)] == ["2 Boris: beat or"] * 2 + ["transfer; NO takes"] * 2


class Rows:
    """Remembers lines."""

    def __init__(self):
        self.lines = {}

    def line(self, row, text):
        self.lines[row] = text
