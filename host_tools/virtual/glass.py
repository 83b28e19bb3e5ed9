"""Shows the dots of a screen in a terminal: text read back with a font, or characters drawn from dots.

It sees the glass alone, dot by dot; it knows neither the chip's registers nor what was sent to it.
"""

import base64
import functools
from typing import Any

_UNREADABLE = "?"
_WIDTH = 128
_HEIGHT = 64
# The dots of a braille character as bits of its code beyond U+2800, from the top, left and right.
_BRAILLE = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


def draw_glass(chip, font) -> dict[str, Any]:
    """A screen as its message has it: dots as base64, rows from the top, the left dot highest; and its text."""
    glass = _Still(chip.rows())
    bits = "".join(glass.rows).replace("#", "1").replace(".", "0")
    dots = int(bits, 2).to_bytes(len(bits) // 8, "big")
    return {"width": len(glass.rows[0]), "height": len(glass.rows), "dots": base64.b64encode(dots).decode(),
            "text": read_text(glass, font)}


class _Still:
    """The picture of a screen at one moment."""

    def __init__(self, rows: list[str]) -> None:
        self.rows = rows

    def pixel(self, x: int, y: int) -> bool:
        """Whether a dot shines."""
        return self.rows[y][x] == "#"


def read_text(chip, font) -> list[str]:
    """The rows of text on the glass, without blanks at their ends; "?" where a cell is no drawing of `font`. Letters
    twice as high are read in the first of their two rows.

    `chip` has `pixel(x, y)`, `font` what font6x8 has. Letters that look the same in both alphabets are read
    in that of their word, else of the nearest word of their row that tells, else of the glass.
    """
    letters = _letters(font)
    columns = _WIDTH // font.CELL_WIDTH
    left = (_WIDTH - columns * font.CELL_WIDTH) // 2
    rows = []
    tops = list(range(0, _HEIGHT, font.CELL_HEIGHT))
    while tops:
        top = tops.pop(0)
        height = 1
        if tops and _is_doubled(chip, top, 2 * font.CELL_HEIGHT):
            height = 2
        cells = []
        for column in range(columns):
            cell = _cell(chip, font, left + column * font.CELL_WIDTH, top, height)
            cells.append(letters.get(cell, _UNREADABLE))
        rows.append(cells)
        if height == 2:
            tops.pop(0)
            rows.append([" "] * columns)
    told = [_alphabet([cell]) for cells in rows for cell in cells]
    whole = "cyrillic" if told.count("cyrillic") > told.count("latin") else "latin"
    return [_read_row(cells, whole).rstrip() for cells in rows]


def half_blocks(chip) -> list[str]:
    """The glass in 32 lines of 128 characters, two dots above one another in each."""
    lines = []
    for y in range(0, _HEIGHT, 2):
        lines.append("".join(" ▀▄█"[chip.pixel(x, y) + 2 * chip.pixel(x, y + 1)] for x in range(_WIDTH)))
    return lines


def braille(chip) -> list[str]:
    """The glass in 16 lines of 64 characters, two by four dots in each."""
    lines = []
    for top in range(0, _HEIGHT, 4):
        line = ""
        for left in range(0, _WIDTH, 2):
            dots = 0
            for y, bits in enumerate(_BRAILLE):
                for x, bit in enumerate(bits):
                    dots |= bit * chip.pixel(left + x, top + y)
            line += chr(0x2800 + dots)
        lines.append(line)
    return lines


@functools.cache
def _letters(font) -> dict[bytes, str]:
    """What each drawing can stand for: one letter, or a Latin and a Cyrillic one that look the same."""
    box = font.glyph_of(0)
    letters: dict[bytes, str] = {}
    for code in range(0x20, 0x2800):
        glyph = font.glyph_of(code)
        if glyph != box:
            drawing = font.GLYPHS[glyph * font.GLYPH_WIDTH:(glyph + 1) * font.GLYPH_WIDTH]
            padded = drawing + bytes(font.CELL_WIDTH - font.GLYPH_WIDTH)
            letters[padded] = letters.get(padded, "") + chr(code)
    return letters


def _is_doubled(chip, top: int, height: int) -> bool:
    """Whether letters twice as high stand there: each dot has its double below it, and something is lit."""
    is_lit = False
    for y in range(top, top + height, 2):
        for x in range(_WIDTH):
            lit = chip.pixel(x, y)
            if lit != chip.pixel(x, y + 1):
                return False
            is_lit = is_lit or lit
    return is_lit


def _cell(chip, font, left: int, top: int, height: int) -> bytes:
    """A cell's columns as the font has them; height: 2 for letters twice as high."""
    columns = bytearray()
    for x in range(left, left + font.CELL_WIDTH):
        columns.append(sum(chip.pixel(x, top + height * y) << y for y in range(font.CELL_HEIGHT)))
    return bytes(columns)


def _alphabet(cells: list[str]) -> str:
    """Which alphabet letters tell that are in one only; "" where none is."""
    for cell in cells:
        if len(cell) == 1 and cell.isalpha():
            return "latin" if cell < "\u0400" else "cyrillic"
    return ""


def _read_row(cells: list[str], otherwise: str) -> str:
    """One row, word by word."""
    words: list[list[str]] = [[]]
    for cell in cells:
        if cell[0].isalpha() != bool(words[-1] and words[-1][-1][0].isalpha()):
            words.append([])
        words[-1].append(cell)
    told = [(index, _alphabet(word)) for index, word in enumerate(words) if _alphabet(word)]
    text = ""
    for index, word in enumerate(words):
        alphabet = min(told, key=lambda known: abs(known[0] - index), default=(0, otherwise))[1]
        text += "".join(cell[-1] if alphabet == "cyrillic" else cell[0] for cell in word)
    return text
