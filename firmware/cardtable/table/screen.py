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
FAILS_TO_FAULT = 3  # in a row
REMIND_TURNS = 256  # of `refresh`, four seconds: then all is sent again, for a screen that lost its power


class Screen:
    """Text goes to the glass line by line; the driver sends only the lines that changed."""

    def __init__(self, glasses: list) -> None:
        """glasses: drivers with line(row, text), refresh(), remind(), power_up() and `answers`; one, or one a place."""
        self.glasses = glasses
        self.is_shared = len(glasses) == 1
        self._fails = bytearray(len(glasses))
        self._turn = 0
        self._turns = 0

    def power_up(self) -> None:
        """Light every screen; one that does not answer is a fault, not the end (T13)."""
        for glass in self.glasses:
            glass.power_up()

    def refresh(self) -> None:
        """Bring a line that changed onto one of the screens, each in its turn."""
        self._turns = (self._turns + 1) % REMIND_TURNS
        if self._turns < len(self.glasses):
            self.glasses[self._turns].remind()
        for _ in self.glasses:
            index = self._turn
            glass = self.glasses[index]
            self._turn = (index + 1) % len(self.glasses)
            has_more = glass.refresh()
            self._fails[index] = 0 if glass.answers else min(FAILS_TO_FAULT, self._fails[index] + 1)
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
            cut = len(text)
            if cut > COLUMNS:
                cut = text.rfind(" ", 0, COLUMNS + 1)
                if cut <= 0 or index == rows - 1:
                    cut = COLUMNS
            self.line(row + index, text[:cut])
            text = text[cut:].lstrip()

    def status(self, text: str) -> None:
        """Show the table in one line."""
        self.line(_STATUS, text)

    def waits(self, text: str) -> None:
        """Show whom the table waits for."""
        self.paragraph(_WAITS, 2, text)

    def event(self, text: str) -> None:
        """Show the last event."""
        self.line(_EVENT, text)

    def verdict(self, text: str) -> None:
        """Show the words of a refusal, or nothing."""
        self.paragraph(_VERDICT, 3, text)

    def bottom(self, text: str) -> None:
        """Show the line of the seat that chooses, or of a fault."""
        self.line(_BOTTOM, text)

    def own(self, place: int, text: str) -> None:
        """Show that line on the screen of one place alone."""
        self.glasses[place - 1].line(_BOTTOM, text[:COLUMNS])
