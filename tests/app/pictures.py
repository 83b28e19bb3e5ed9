"""Draws screens as a picture: each glass dot by dot as its driver would, above it what was pressed; as a PNG."""

import struct
import zlib

from cardtable.drivers.font6x8 import CELL_HEIGHT, CELL_WIDTH, GLYPH_WIDTH, GLYPHS, glyph_of

WIDTH, HEIGHT, SCALE, GAP = 128, 64, 2, 10
COLUMNS = 4
CAPTION = CELL_HEIGHT + 4


def draw_text(dots, left, top, text):
    """Light the dots of a line of text; dots: a set of (x, y)."""
    for at, letter in enumerate(text):
        glyph = glyph_of(ord(letter)) * GLYPH_WIDTH
        for column in range(GLYPH_WIDTH):
            for row in range(CELL_HEIGHT):
                if GLYPHS[glyph + column] >> row & 1:
                    dots.add((left + at * CELL_WIDTH + column, top + row))


def draw_sheet(screens):
    """PNG of (what was pressed, the rows of the glass) in order, from left to right."""
    lines = -(-len(screens) // COLUMNS)
    wide = COLUMNS * (WIDTH + GAP) + GAP
    high = lines * (HEIGHT + CAPTION + GAP) + GAP
    lit, ink, glass = set(), set(), set()
    for index, (pressed, rows) in enumerate(screens):
        left = GAP + index % COLUMNS * (WIDTH + GAP)
        top = GAP + index // COLUMNS * (HEIGHT + CAPTION + GAP)
        draw_text(ink, left, top, pressed)
        glass.update((left + x, top + CAPTION + y) for x in range(-3, WIDTH + 3) for y in range(-3, HEIGHT + 3))
        for row, text in enumerate(rows):
            draw_text(lit, left + 1, top + CAPTION + CELL_HEIGHT * row, text)
    picture = bytearray()
    for y in range(high):
        line = bytes(2 if (x, y) in lit else 1 if (x, y) in glass or (x, y) in ink else 0 for x in range(wide))
        whole = b"\0" + b"".join(bytes([dot]) * SCALE for dot in line)
        picture += whole * SCALE
    return encode_png(wide * SCALE, high * SCALE, bytes(picture), ((255, 255, 255), (16, 24, 40), (150, 220, 255)))


def dots_of(picture):
    """What is before the dots of such a PNG, and the dots: how they are packed differs between versions of zlib."""
    head, _, rest = picture.partition(b"IDAT")
    return head[:-4], zlib.decompress(rest[:-16])


def encode_png(width, height, lines, palette):
    """A PNG of lines that each begin with the filter's 0, a byte of the palette for each dot."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    colours = b"".join(bytes(colour) for colour in palette)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"PLTE", colours)
            + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))
