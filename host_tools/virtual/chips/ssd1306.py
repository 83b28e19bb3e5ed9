"""An SSD1306 on an I2C bus with the usual 128 x 64 panel.

Written from the SSD1306 data sheet (Solomon Systech, rev. 1.1; section numbers are its own) and its
application note on the charge pump. The panel is mounted and wired as the common modules are: seen upright,
segment 127 is the left column and COM63 the top row, and the rows take their COM pins in turn from the two
sides of the chip (10.1.18).
"""

WIDTH = 128
HEIGHT = 64
PAGES = 8

_HORIZONTAL = 0
_VERTICAL = 1
_PAGE = 2

# Section 9, command table: how many bytes follow a command that takes any.
_ARGUMENTS = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x81: 1, 0x8D: 1,
    0xA3: 2, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}
# What each byte of the RAM shows in one of its eight rows, upright and then inverted.
_DOTS = [bytes([b".#"[(byte >> bit & 1) != inverse] for byte in range(256)]) for inverse in (0, 1) for bit in range(8)]


class Ssd1306:
    """The chip with its module. It gets power when it is made, with what the RAM happens to hold."""

    columns = WIDTH
    arguments = _ARGUMENTS
    high_bits = 0x07  # of a column address, that 10.1.2 sets

    def __init__(self, address: int = 0x3C) -> None:
        self.address = address
        self.errors: list[str] = []  # a sentence for each thing the data sheet does not allow
        self.bytes_taken = 0
        self.plug()

    def plug(self) -> None:
        """Power comes up: section 8.5, the reset circuit sets every register; the RAM holds anything."""
        self.powered = True
        self._ram = bytearray(self.columns * PAGES)
        snow = 1
        for index in range(len(self._ram)):
            snow = snow * 75 % 65537
            self._ram[index] = snow & 0xFF
        self.display_on = self.all_on = self.inverse = self.scrolling = False
        self.contrast = 0x7F
        self.multiplex = HEIGHT
        self.offset = self.start_line = 0
        self.segment_remap = self.scan_remap = False
        self.com_alternative, self.com_swap = True, False
        self._pump_wanted = self._pump = False
        self._mode = _PAGE
        self._column = self._page = self._page_mode_start = 0
        self._first_column, self._last_column = 0, WIDTH - 1
        self._first_page, self._last_page = 0, PAGES - 1
        self._command = -1
        self._waiting = 0
        self._given: list[int] = []

    def unplug(self) -> None:
        """Power is gone: nothing acknowledges, nothing shines."""
        self.powered = False

    # The bus, section 8.1.5.

    def write(self, data: bytes, now_us: int = 0) -> bool:
        """One message after the address, from control byte to stop; True where the chip acknowledged it."""
        if not self.powered:
            return False
        self.bytes_taken += len(data)
        at = 0
        while at < len(data):
            control = data[at]
            if control & 0x3F:
                self.errors.append("8.1.5.2: control byte %02x has bits below Co and D/C#" % control)
            # 8.1.5.2: with Co set one byte follows and a control byte again; without, bytes up to the stop.
            end = min(at + 2, len(data)) if control & 0x80 else len(data)
            for index in range(at + 1, end):
                if control & 0x40:
                    self._store(data[index])
                else:
                    self._decode(data[index])
            at = end
        return True

    def read(self, n: int, now_us: int = 0):
        """Section 9.1: the status register, bit 6 set where the display is off; None without power."""
        if not self.powered:
            return None
        return bytes([0 if self.display_on else 0x40]) * n

    # The glass.

    def pixel(self, x: int, y: int) -> bool:
        """Whether the dot shines, x from the left and y from the top of the upright module."""
        row = self._row_at(y)
        if row < 0 or self.all_on:
            return row >= 0
        lit = self._ram[row // 8 * self.columns + self._column_at(x)] >> row % 8 & 1
        return bool(lit) != self.inverse

    def _row_at(self, y: int) -> int:
        """The row of the RAM that a line of the module shows; -1 where nothing can shine."""
        if not (self.powered and self.display_on and self._pump):
            return -1
        com = self._com_of(HEIGHT - 1 - y)
        # 10.1.14 and 10.1.15, tables 10-1 and 10-2: an output's row; beyond the multiplex ratio none is.
        row = ((self.multiplex - 1 - com if self.scan_remap else com) + self.offset) % HEIGHT
        return (row + self.start_line) % HEIGHT if row < self.multiplex else -1

    def _column_at(self, x: int) -> int:
        """Of the RAM: segment 127 is on the left."""
        return WIDTH - 1 - x

    def rows(self) -> list[str]:
        """The glass from the top, a string a row: # shines, . does not. The same as `pixel`, a row at a time."""
        columns = [self._column_at(x) for x in range(WIDTH)]
        pages = [bytes([self._ram[page * self.columns + column] for column in columns]) for page in range(PAGES)]
        found = []
        for row in map(self._row_at, range(HEIGHT)):
            if row < 0 or self.all_on:
                found.append(WIDTH * ("." if row < 0 else "#"))
            else:
                dots = _DOTS[8 * self.inverse + row % 8]
                found.append(bytes([dots[byte] for byte in pages[row // 8]]).decode())
        return found

    def _com_of(self, line: int) -> int:
        """10.1.18, table 10-3: the output at a line of the panel; even lines on pins 0-31, odd on 32-63."""
        if self.com_alternative:
            return line ^ 1 if self.com_swap else line
        pin = line // 2 + line % 2 * (HEIGHT // 2)
        return (pin + HEIGHT // 2) % HEIGHT if self.com_swap else pin

    # Section 8.7 and 10.1.3: where a byte of data goes and what comes next.

    def _store(self, value: int) -> None:
        if self.scrolling:
            self.errors.append("10.2.1: RAM written while scrolling is on")
        # 10.1.8: the re-mapping counts when a byte is written; what lies in RAM stays where it is.
        segment = WIDTH - 1 - self._column if self.segment_remap else self._column
        self._ram[self._page * WIDTH + segment] = value
        if self._mode == _PAGE:
            self._column = self._page_mode_start if self._column == WIDTH - 1 else self._column + 1
        elif self._mode == _HORIZONTAL:
            if self._next_column():
                self._next_page()
        elif self._next_page():
            self._next_column()

    def _next_column(self) -> bool:
        """One on, or back to the first column: True."""
        back = self._column == self._last_column
        self._column = self._first_column if back else (self._column + 1) % WIDTH
        return back

    def _next_page(self) -> bool:
        """One on, or back to the first page: True."""
        back = self._page == self._last_page
        self._page = self._first_page if back else (self._page + 1) % PAGES
        return back

    # Sections 9 and 10: commands. What a command still waits for is kept from one message to the next.

    def _decode(self, value: int) -> None:
        if self._waiting:
            self._given.append(value)
            self._waiting -= 1
            if not self._waiting:
                self._obey_long(self._command, self._given)
        elif value in self.arguments:
            self._command, self._waiting, self._given = value, self.arguments[value], []
        elif not (self._obey_address(value) or self._obey_switch(value)):
            self.errors.append("9: no command %02x" % value)

    def _obey_address(self, value: int) -> bool:
        """10.1.1, 10.1.2, 10.1.13: start addresses of page mode; 10.1.6: the line shown first."""
        if value < 0x20:
            if value < 0x10:
                self._page_mode_start = self._page_mode_start & 0xF0 | value
            else:
                self._page_mode_start = self._page_mode_start & 0x0F | (value & self.high_bits) << 4
            self._only_in_page_mode(value)
            self._column = self._page_mode_start
        elif 0x40 <= value < 0x80:
            self.start_line = value & 0x3F
        elif 0xB0 <= value < 0xB8:
            self._only_in_page_mode(value)
            self._page = value & 0x07
        else:
            return False
        return True

    def _only_in_page_mode(self, value: int) -> None:
        if self._mode != _PAGE:
            self.errors.append("10.1.3: command %02x belongs to page addressing mode" % value)

    def _obey_switch(self, value: int) -> bool:
        """Commands of one byte that turn something on or off."""
        if value in (0xA0, 0xA1):
            self.segment_remap = value == 0xA1
        elif value in (0xA4, 0xA5):
            self.all_on = value == 0xA5
        elif value in (0xA6, 0xA7):
            self.inverse = value == 0xA7
        elif value in (0xAE, 0xAF):
            self.display_on = value == 0xAF
            # Application note, charge pump: 8Dh and 14h come before AFh.
            self._pump = self._pump_wanted and self.display_on
        elif 0xC0 <= value < 0xD0:
            self.scan_remap = value >= 0xC8
        elif value in (0x2E, 0x2F):
            self.scrolling = value == 0x2F
        else:
            return value == 0xE3  # 10.1.20: no operation
        return True

    def _obey_long(self, command: int, given: list) -> None:
        """Commands with bytes behind them; of clock and voltages (D5h, D9h, DBh) nothing is seen."""
        value = given[0]
        if command == 0x20:
            if value & 0x03 == 0x03:
                self.errors.append("10.1.3: addressing mode 3")
            else:
                self._mode = value & 0x03
        elif command == 0x21:
            self._first_column = self._column = value & 0x7F
            self._last_column = given[1] & 0x7F
        elif command == 0x22:
            self._first_page = self._page = value & 0x07
            self._last_page = given[1] & 0x07
        elif command == 0x81:
            self.contrast = value
        elif command == 0x8D:
            self._pump_wanted = bool(value & 0x04)
        elif command == 0xA8:
            if value & 0x3F < 15:
                self.errors.append("10.1.11: multiplex ratio %d" % ((value & 0x3F) + 1))
            else:
                self.multiplex = (value & 0x3F) + 1
        elif command == 0xD3:
            self.offset = value & 0x3F
        elif command == 0xDA:
            self.com_alternative = bool(value & 0x10)
            self.com_swap = bool(value & 0x20)
