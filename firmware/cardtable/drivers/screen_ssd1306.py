"""Text on an SSD1306 over I2C: the chip's commands and the font's cells.

Section numbers are those of the SSD1306 data sheet. Kept is one byte for each cell, the number of its
drawing, instead of the dots; which rows the glass does not show yet is a bit mask. After the bus has failed
the driver sets the chip up and writes every row again: a module that lost its power comes back with nothing.
"""

from micropython import const

from cardtable.drivers.font6x8 import CELL_HEIGHT, CELL_WIDTH, GLYPH_WIDTH, GLYPHS, glyph_of

# 8.1.5.2: one command byte follows / commands up to the stop / RAM bytes up to the stop.
_ONE_COMMAND = const(0x80)
_COMMANDS = const(0x00)
_DATA = const(0x40)
_PAGE_START = const(0xB0)  # 10.1.13
_HEAD_SIZE = const(7)
_CONTRAST = const(0x8F)  # a little above the reset value of 7Fh: brighter, and still easy on the organic dots

# Four dots of a column, each twice.
_DOUBLED = bytes((0, 3, 12, 15, 48, 51, 60, 63, 192, 195, 204, 207, 240, 243, 252, 255))
_LIGHT_UP = bytes((_COMMANDS, 0xAF))
# 10.1.20: no operation. A reset can come while the chip waits for up to six bytes of a command. 10.1.12: off until the
# RAM is written.
_QUIET = bytes((_COMMANDS, 0xE3, 0xE3, 0xE3, 0xE3, 0xE3, 0xE3, 0xAE))


def _setup(height: int) -> bytes:
    """Every register the picture hangs on, whatever they held before; a display that is on shows no change."""
    return bytes((
        _COMMANDS,
        0x2E,                                       # 10.2.3: no scrolling
        0x20, 0x02,                                 # 10.1.3: page addressing
        0xA8, height - 1, 0xD3, 0, 0x40,            # 10.1.11, 10.1.15, 10.1.6: all rows, from the top
        0xA1, 0xC8,                                 # 10.1.8, 10.1.14: upright, the connector at the top
        0xDA, 0x12 if height == 64 else 0x02,       # 10.1.18: how the two usual panels are wired
        0xD5, 0x80, 0xD9, 0xF1, 0xDB, 0x20,         # 10.1.16, 10.1.17, 10.1.19: clock; charging from the pump
        0x81, _CONTRAST, 0xA4, 0xA6,                # 10.1.7, 10.1.9, 10.1.10: what is 1 in RAM shines
        0x8D, 0x14,                                 # application note: charge pump on, before the display
    ))


class Screen:
    """Rows of text. `line` says what a row shall show, `refresh` brings one row at a time onto the glass.

    `rows` and `columns` count cells. `fault` counts the times the bus failed; `answers` says whether the last
    message was taken.
    """

    def __init__(self, i2c, address: int, width: int, height: int) -> None:
        """`i2c` is a machine.I2C, `width` and `height` the panel's dots; nothing is sent yet."""
        self.columns = width // CELL_WIDTH
        self.rows = height // CELL_HEIGHT
        self.fault = 0
        self.answers = False
        self._i2c = i2c
        self._address = address
        self._quiet = _QUIET
        self._setup = _setup(height)
        self._cells = bytearray(self.columns * self.rows)
        # One message holds a row: page and column as single commands, then the dots, the cells in the middle.
        self._message = bytearray(_HEAD_SIZE + width)
        self._message[0] = self._message[2] = self._message[4] = _ONE_COMMAND
        self._message[5] = 0x10  # 10.1.2, and 10.1.1 at [3]: from column 0 on
        self._message[6] = _DATA
        self._first = _HEAD_SIZE + (width - self.columns * CELL_WIDTH) // 2
        self._all = (1 << self.rows) - 1
        self._dirty = self._unknown = self._all
        self._row = 0
        self._lit = False
        self._upper = self._lower = 0  # a bit for each row with the upper or the lower half of letters twice as high

    def enlarge(self, lines: int) -> None:
        """From now on the rows from the top hold so many lines of letters twice as high: both rows of a line get the
        same text."""
        self._upper = self._lower = 0
        for line in range(lines):
            self._upper |= 1 << 2 * line
            self._lower |= 2 << 2 * line
        self._dirty = self._all

    def power_up(self) -> bool:
        """Set the chip up, write every row and light it, about 27 ms; False if the chip does not answer."""
        self.answers = False
        self.refresh()
        while self.answers and self.refresh():
            pass
        return self.answers

    def line(self, row: int, text: "str | bytes") -> None:
        """Row `row` from the top shall show `text`, str or UTF-8 bytes, cut or filled up; sends nothing."""
        assert 0 <= row < self.rows
        data = text.encode() if isinstance(text, str) else text
        size = len(data)
        at = 0
        for cell in range(row * self.columns, (row + 1) * self.columns):
            glyph = 0
            if at < size:
                code = data[at]
                at += 1
                if code >= 0xC0:
                    # UTF-8: of two bytes the first holds five bits of the code, of three four; others six.
                    code &= 0x1F
                    while at < size and data[at] & 0xC0 == 0x80:
                        code = code << 6 | data[at] & 0x3F
                        at += 1
                glyph = glyph_of(code)
            if self._cells[cell] != glyph:
                self._cells[cell] = glyph
                self._dirty |= 1 << row

    def refresh(self) -> bool:
        """Send one row that changed, in turn: 3.1 ms of bus at 400 kHz. True while there is more to send.

        Never raises: an OSError of the bus is counted in `fault`, and the next call begins with the set-up.
        """
        if not self.answers:
            self._lit = False
            self._dirty = self._unknown = self._all
            self.answers = True
            if self._send(self._quiet):
                self._send(self._setup)
            return True
        if not self._dirty:
            return False
        while not self._dirty >> self._row & 1:
            self._row = (self._row + 1) % self.rows
        row = self._row
        self._draw(row)
        if self._send(self._message):
            self._row = (row + 1) % self.rows
            self._dirty &= ~(1 << row)
            self._unknown &= ~(1 << row)
            # Only now does no row show what the RAM held by chance.
            if not self._unknown and not self._lit:
                self._lit = self._send(_LIGHT_UP)
        return self._dirty != 0 or not self.answers

    def remind(self, row: int) -> None:
        """Tell the chip that row again, before the first one its set-up: one that lost its power for a moment is dark,
        and answers."""
        if self._lit and (row or self._send(self._setup) and self._send(_LIGHT_UP)):
            self._dirty |= 1 << row

    def _draw(self, row: int) -> None:
        message = self._message
        message[1] = _PAGE_START + row
        at = self._first
        is_half = (self._upper | self._lower) >> row & 1
        shift = 4 if self._lower >> row & 1 else 0
        for cell in range(row * self.columns, (row + 1) * self.columns):
            glyph = self._cells[cell] * GLYPH_WIDTH
            for column in range(GLYPH_WIDTH):
                dots = GLYPHS[glyph + column]
                message[at + column] = _DOUBLED[dots >> shift & 15] if is_half else dots
            at += CELL_WIDTH

    def _send(self, message: "bytes | bytearray") -> bool:
        try:
            self._i2c.writeto(self._address, message)
        except OSError:
            self.fault += 1
            self.answers = False
        return self.answers
