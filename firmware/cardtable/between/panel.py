"""The base of every screen outside of a game: it takes in presses and taps, and shows lights.

`chooser` is the place whose MENU steps while it is held.
"""

import time

from cardtable.engine.event import MENU_KEY
from cardtable.table.keypad import HOLD_MS, REPEAT_MS, button_at, key_of, place_of
from cardtable.table.lights import ACCEPTED, OFF, REFUSED
from cardtable.table.readers import CAME, CLEARED, CROWDED, LEFT, LIFTED
from cardtable.table.running import Running
from cardtable.table.tags import ARBITER_KEY

SHOWN_MS = 1500  # how long green or red stays


class Panel(Running):
    """Places with readers and buttons, and the one screen."""

    def __init__(self, parts) -> None:
        """parts: readers, buttons, lights, screen, tags, words."""
        self.parts = parts
        self.places = len(parts.lights.means)
        self.lying = 0  # a bit for each place at which a tag lies, eight bits above them for one with several tags
        self._repeat_ms = HOLD_MS
        self._shown = bytearray(self.places + 1)
        self._until_ms = [time.ticks_ms()] * (self.places + 1)

    def step(self) -> None:
        """Take in what readers and buttons found, and show it."""
        readers = self.parts.readers
        buttons = self.parts.buttons
        now_ms = time.ticks_ms()
        while readers.next():
            if readers.what == CAME:
                self.lying |= 1 << readers.place
            elif readers.what == LEFT or readers.what == LIFTED:
                self.lying &= ~(1 << readers.place)
            elif readers.what == CROWDED:
                self.lying |= 256 << readers.place
            elif readers.what == CLEARED:
                self.lying &= ~(256 << readers.place)
            if readers.what == CAME and not self.wants:
                if self.keeps_secrets and readers.card == ARBITER_KEY:
                    self.keeps_secrets = False
                    self.is_opened = True
                    self.answer(readers.place, True)
                self.tap(readers.place, readers.card)
        index = buttons.next_press()
        while index >= 0:
            if place_of(index) <= self.places and not self.wants:
                self._repeat_ms = HOLD_MS
                self.press(place_of(index), key_of(index))
            index = buttons.next_press()
        if self.chooser and not self.wants:
            held_ms = buttons.held(button_at(self.chooser, MENU_KEY), time.ticks_ms())
            if held_ms >= self._repeat_ms:
                is_first = self._repeat_ms == HOLD_MS
                self._repeat_ms += REPEAT_MS
                self.hold(is_first)
        means = self.parts.lights.means
        for place in range(1, self.places + 1):
            if self._shown[place] and time.ticks_diff(now_ms, self._until_ms[place]) >= 0:
                self._shown[place] = OFF
            means[place - 1] = self._shown[place] or self.light(place)
        self.parts.lights.show(now_ms)

    def answer(self, place: int, is_right: bool) -> None:
        """Green or red for a moment at that place."""
        self._shown[place] = ACCEPTED if is_right else REFUSED
        self._until_ms[place] = time.ticks_add(time.ticks_ms(), SHOWN_MS)

    def say(self, row: int, key: str, more: str = "") -> None:
        """The words of that key on one line, with `more` behind them."""
        self.parts.screen.line(row, self.parts.words.find(key) + (" " + more if more else ""))

    def tap(self, place: int, card: int) -> None:
        """A tag came onto the reader of that place."""

    def press(self, place: int, key: int) -> None:
        """A button of that place was pressed."""

    def hold(self, is_first: bool) -> None:
        """The chooser still holds MENU, whose press was told already; is_first: for the first time since then."""
        self.press(self.chooser, MENU_KEY)

    def light(self, place: int) -> int:
        """The meaning of that place's light when nothing was just answered."""
        return OFF
