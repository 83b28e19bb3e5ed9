"""Reads the dots of a screen: as a picture for a page, and as text, by a font.

It sees the glass alone, dot by dot; it knows neither the chip's registers nor what was sent to it.
"""

import base64
import functools
from typing import Any

_UNREADABLE = "?"
_WIDTH = 128
_HEIGHT = 64
_LIT = bytes(byte == ord("#") for byte in range(256))  # of a row's characters: 1 shines, 0 does not


def draw_glass(chip, font) -> dict[str, Any]:
    """A screen as its message has it: dots as base64, rows from the top, the left dot highest; and its text."""
    picture = chip.rows()
    bits = "".join(picture).replace("#", "1").replace(".", "0")
    dots = int(bits, 2).to_bytes(len(bits) // 8, "big")
    return {"width": len(picture[0]), "height": len(picture), "dots": base64.b64encode(dots).decode(),
            "text": _read(picture, font)}


def read_text(chip, font) -> list[str]:
    """The rows of text on the glass, without blanks at their ends; "?" where a cell is no drawing of `font`. Letters
    twice as high are read in the first of their two rows.

    `chip` has `rows()`, `font` what font6x8 has. Letters that look the same in both alphabets are read
    in that of their word, else of the nearest word of their row that tells, else of the glass.
    """
    return _read(chip.rows(), font)


def _read(picture: list[str], font) -> list[str]:
    letters = _letters(font)
    columns = _WIDTH // font.CELL_WIDTH
    left = (_WIDTH - columns * font.CELL_WIDTH) // 2
    rows = []
    tops = list(range(0, _HEIGHT, font.CELL_HEIGHT))
    while tops:
        top = tops.pop(0)
        height = 1
        if tops and _is_doubled(picture[top:top + 2 * font.CELL_HEIGHT]):
            height = 2
        drawn = _columns(picture[top:top + height * font.CELL_HEIGHT:height])
        cells = []
        for at in range(left, left + columns * font.CELL_WIDTH, font.CELL_WIDTH):
            cells.append(letters.get(drawn[at:at + font.CELL_WIDTH], _UNREADABLE))
        rows.append(cells)
        if height == 2:
            tops.pop(0)
            rows.append([" "] * columns)
    told = [_alphabet([cell]) for cells in rows for cell in cells]
    whole = "cyrillic" if told.count("cyrillic") > told.count("latin") else "latin"
    return [_read_row(cells, whole).rstrip() for cells in rows]


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


def _is_doubled(rows: list[str]) -> bool:
    """Whether letters twice as high stand there: each dot has its double below it, and something is lit."""
    return rows[::2] == rows[1::2] and any("#" in row for row in rows)


def _columns(rows: list[str]) -> bytes:
    """Eight rows of dots as a byte for each column, the top dot lowest: as the font has them."""
    whole = 0
    for bit, row in enumerate(rows):
        whole |= int.from_bytes(row.encode().translate(_LIT), "little") << bit
    return whole.to_bytes(_WIDTH, "little")


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
