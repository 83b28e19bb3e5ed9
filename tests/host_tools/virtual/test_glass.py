"""What is read from the glass is what was written to it; the driver writes, the model shows."""

import pytest

from cardtable.drivers import font6x8
from cardtable.drivers.screen_ssd1306 import Screen
from host_tools.virtual.chips.ssd1306 import Ssd1306
from host_tools.virtual.glass import read_text


class Bus:
    def __init__(self, chip):
        self.chip = chip

    def writeto(self, address, buf):
        assert self.chip.write(bytes(buf))


def show(*lines):
    chip = Ssd1306()
    screen = Screen(Bus(chip), chip.address, 128, 64)
    for row, text in enumerate(lines):
        screen.line(row, text)
    screen.power_up()
    return chip


@pytest.mark.parametrize("text", [
    "The quick brown fox",
    "Съешь ещё булок, да",
    "3 Анна: ход ♠Т ✓",
    "НЕТ, ТАК НЕ ХОДЯТ",
    "D17 ТУЗ КОЗЫРЬ",
    "Boris BEAT ♥K by ♥A",
    "«Дурак» — 36 карт…",
    "2 бьёт 10♠ картой Т♦",
    "1 кладёт К♣ ★ч ★к",
    "2 beats 10♠ with K♦",
    "1 lays ★b",
    "№1 ● ○ ▶ {x|y}~[z]\\",
])
def test_read_text_reads_a_row_as_it_was_written(text):
    rows = read_text(show("", text), font6x8)
    assert len(rows) == 8
    assert rows[1] == text and rows[0] == rows[7] == ""


def test_read_text_letters_of_both_alphabets_follow_their_word_then_their_row_then_the_glass():
    assert read_text(show("AX Boris", "ТОР", "Жук ТОР"), font6x8)[:3] == ["AX Boris", "TOP", "Жук ТОР"]
    assert read_text(show("Дамка", "ТОР", "TOP Bo i"), font6x8)[:3] == ["Дамка", "ТОР", "TOP Bo i"]


def test_read_text_unreadable_cells_are_question_marks():
    chip = show("abc")
    chip.write(bytes([0x80, 0xB0, 0x80, 0x07, 0x80, 0x10, 0x40, 0x55]))
    assert read_text(chip, font6x8)[0] == "a?c"


def test_read_text_of_a_dark_glass_is_empty():
    chip = show("abc")
    chip.unplug()
    assert read_text(chip, font6x8) == [""] * 8
