"""Lays out the screens: eight lines of 21 characters, and the place of each text.

A table has one screen for all, or one for each seat. The lines that all may see are the same on every screen; a
seat's own screen adds nothing but the line in which the seat chooses.
"""

from micropython import const

COLUMNS = 21
_STATUS = const(0)  # trump, stock, hands
_WAITS = const(1)  # which seats the table waits for, and for what: two lines
_EVENT = const(3)  # the last event that all may see
_VERDICT = const(4)  # why it was refused: three lines
_BOTTOM = const(7)  # the seat that chooses, or what is broken
_LARGE_STATUS = const(4)  # with large letters: below the four rows of two lines
FAILS_TO_FAULT = 3  # in a row
_RETRY_TURNS = const(128)  # of `refresh`, about a second: how often a silent screen is tried
SLOW_FREQ = const(100_000)  # Hz of an I2C bus, which long cables carry
LOST_TO_SLOW = 16  # lines that a screen did not take between two reminders: the bus is too fast for its cables
REMIND_TURNS = 512  # of `refresh`, four seconds: in that time all is sent again, for a screen that lost its power,
_ROW_TURNS = const(9)  # a row so often, of several screens: seven have 56, and a row at each look makes a tap wait
_ROWS = const(8)


def find_cut(text: str, rows_left: int) -> int:
    """How much of it one line takes: up to a blank, as long as there are lines behind it."""
    if len(text) <= COLUMNS:
        return len(text)
    cut = text.rfind(" ", 0, COLUMNS + 1)
    return cut if cut > 0 and rows_left else COLUMNS


class Screen:
    """Text goes to the glass line by line; the driver sends only the lines that changed."""

    def __init__(self, glasses: list, has_large: bool = False, freq: int = 0, set_clock=None) -> None:
        """glasses: drivers with line(row, text), refresh(), remind(), power_up() and `answers`; one, or one a place.
        has_large: a game has large letters on it. freq: Hz of their bus, as its board has it; set_clock(freq,
        is_lost) gives it another, and is told if that is because lines are lost, once."""
        self.glasses = glasses
        self.has_large = has_large
        self._below: list = []  # with large letters: what stands where a refusal comes, table and last event
        self._refuses = False  # and it is there now
        self.is_shared = len(glasses) == 1
        self._fails = bytearray(len(glasses))
        self._turn = 0
        self._turns = 0
        self.freq = freq
        self.set_clock = set_clock
        self._lost = 0

    def power_up(self) -> None:
        """Light every screen; one that does not answer is a fault, not the end (T13)."""
        for glass in self.glasses:
            glass.power_up()

    def refresh(self) -> None:
        """Bring a line that changed onto one of the screens, each in its turn; a silent one is tried now and then."""
        self._turns = (self._turns + 1) % REMIND_TURNS
        if not self._turns:
            self._lost = 0
        turns = 1 if self.is_shared else _ROW_TURNS
        row = self._turns // turns
        if self._turns % turns == 0 and row < _ROWS * len(self.glasses):
            self.glasses[row // _ROWS].remind(row % _ROWS)
        for _ in self.glasses:
            index = self._turn
            glass = self.glasses[index]
            self._turn = (index + 1) % len(self.glasses)
            if self._fails[index] == FAILS_TO_FAULT and self._turns % _RETRY_TURNS:
                continue
            has_more = glass.refresh()
            if glass.answers:
                self._fails[index] = 0
            else:
                self._fails[index] = min(FAILS_TO_FAULT, self._fails[index] + 1)
                self._lost += 1  # a silent screen is tried too seldom to count for much
                if self._lost == LOST_TO_SLOW and self.set_clock and self.freq > SLOW_FREQ:
                    self.set_clock(SLOW_FREQ, True)
                    self.set_clock = None
            if has_more:
                return

    def silent(self) -> int:
        """A bit for each screen that does not take what it is sent, bit 0 for the first (T13)."""
        mask = 0
        for index in range(len(self._fails)):
            if self._fails[index] == FAILS_TO_FAULT:
                mask |= 1 << index
        return mask

    def line(self, row: int, text: str) -> None:
        """One line of every screen; the rest is cut."""
        for glass in self.glasses:
            glass.line(row, text[:COLUMNS])

    def paragraph(self, row: int, rows: int, text: str) -> None:
        """Fill `rows` lines from `row` on, broken between words; the rest is cut."""
        for index in range(rows):
            cut = find_cut(text, rows - 1 - index)
            self.line(row + index, text[:cut])
            text = text[cut:].lstrip()

    def enlarge(self) -> None:
        """A game begins: whom the table waits for, and for what, stands on top in letters twice as high, if this screen
        is read from every chair. Table and last event come below, and give way to a refusal."""
        if self.has_large:
            self._below = ["", ""]
            for row in range(8):
                self.line(row, "")
            for glass in self.glasses:
                glass.enlarge(2)

    def status(self, text: str) -> None:
        """Show the table in one line."""
        if self._below:
            self.tell_below(0, text)
        else:
            self.line(_STATUS, text)

    def tell_below(self, index: int, text: str) -> None:
        """Show one of the lines that give way to a refusal."""
        self._below[index] = text
        if not self._refuses:
            self.line(_LARGE_STATUS + index, text)

    def waits(self, text: str) -> None:
        """Show whom the table waits for."""
        if not self._below:
            self.paragraph(_WAITS, 2, text)
            return
        cut = find_cut(text, 1)
        for row in range(4):
            self.line(row, text[:cut] if row < 2 else text[cut:].lstrip())

    def event(self, text: str) -> None:
        """Show the last event."""
        if self._below:
            self.tell_below(1, text)
        else:
            self.line(_EVENT, text)

    def verdict(self, text: str) -> None:
        """Show the words of a refusal, or nothing."""
        if not self._below:
            self.paragraph(_VERDICT, 3, text)
            return
        self._refuses = text != ""
        self.paragraph(_LARGE_STATUS, 3, text)
        if not text:
            self.tell_below(0, self._below[0])
            self.tell_below(1, self._below[1])

    def bottom(self, text: str) -> None:
        """Show the line of the seat that chooses, or of a fault."""
        self.line(_BOTTOM, text)

    def own(self, place: int, text: str) -> None:
        """Show that line on the screen of one place alone."""
        self.glasses[place - 1].line(_BOTTOM, text[:COLUMNS])
