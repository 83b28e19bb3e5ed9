"""Registers a deck with one reader: each tap is laid at the place whose turn it is, so that the cards come in order.

It presses what a person would press in the table's own list (between/enrol.py), where every place asks for a card: the
first place for the first card, the second for the second, and so on round the table. So one reader that serves the
places in turn gets the cards in the order of the deck.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

from cardtable.between.decks import DECKS_LIMIT, deck_file
from cardtable.between.enrol import SIZES, deck_cards
from cardtable.engine.deck import card_name
from cardtable.table.words import Words
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput

STEPS = 40  # presses of MENU until the list must have shown what is wanted
STEP_US = 250_000
OPEN_US = 12_000_000  # how long the list may take to open


def read_deck(path: Path) -> dict[str, str]:
    """The tag of each card of a deck file, {} without one: card by UID, as written there."""
    if not path.exists():
        return {}
    rows = [line.split(";")[0].split() for line in foreign.read_lines(path)]
    return {row[0]: row[1] for row in rows if len(row) == 2}


def find_deck(flash: Path, size: int) -> tuple[int, bool]:
    """(number, whether it was begun before) of the deck that a registration fills: one of that size that lacks cards,
    else a new one. UnusableInput if there are too many."""
    for number in range(1, DECKS_LIMIT + 1):
        path = flash / deck_file(number)
        if not path.exists():
            return number, False
        if foreign.read_text(path).startswith(f"; {size} cards") and len(read_deck(path)) < size:
            return number, True
    raise UnusableInput(f"the table has {DECKS_LIMIT} decks: it takes no more")


class Enrolment:
    """A deck of that size which the reader of a seat registers. `begin()` is the actor that brings the table's list to
    it; `tell()` is what pages show."""

    def __init__(self, table: Any, seat: int, size: int) -> None:
        """table: a RealTable in its lobby; its file imports this one. UnusableInput."""
        if size not in SIZES:
            raise UnusableInput(f"a deck has {', '.join(str(one) for one in SIZES)} cards")
        self.table, self.seat, self.size = table, seat, size
        self.number, self.goes_on = find_deck(table.flash, size)
        self.cards = [card_name(card) for card in deck_cards(size)]
        self.is_open = False
        self.failed = False
        self._order: list[str] = []  # the cards that were to come when it was opened

    @property
    def registered(self) -> dict[str, str]:
        """The card of each tag, by UID."""
        return read_deck(self.table.flash / deck_file(self.number))

    def missing(self) -> list[str]:
        """The cards that are still to come, in the order in which they are asked for."""
        there = set(self.registered.values())
        return [card for card in self.cards if card not in there]

    def next_place(self) -> int:
        """The place that asks for the next card; 0 until the table's list is open, and when all are there."""
        missing = self.missing()
        if not self.is_open or not missing:
            return 0
        return self._order.index(missing[0]) % len(self.table.hands) + 1

    def begin(self) -> Generator[Any, None, None]:
        """Lay the arbiter's key, step to the deck, press OK: what a person does."""
        table = self.table
        words = Words("table", table.language)
        key, value = ("E.more", self.number) if self.goes_on else ("E.new", self.size)
        wanted = f"{words.find(key)} {value}"
        late_us = table.now_us + OPEN_US
        title = words.find("E.what")
        while table.lines()[0] != title and table.now_us < late_us:
            if table.tags.put(1, table.KEY):
                yield STEP_US * 2
                table.tags.take(1, table.KEY)
            yield STEP_US * 8
        for _ in range(STEPS):
            if table.lines()[7] == wanted:
                break
            yield from table.fingers.press(1, "MENU")
            yield STEP_US
        self.failed = table.lines()[7] != wanted
        if not self.failed:
            self._order = self.missing()
            yield from table.fingers.press(1, "OK")
            yield STEP_US * 2
            self.is_open = True
        table.machine.stir()

    def undo(self) -> None:
        """Take the last card back: NO at the place that had it. UnusableInput."""
        missing = self.missing()
        at = self._order.index(missing[0]) if missing else len(self._order)
        if not self.is_open or at < 1:
            raise UnusableInput("there is no card to take back")
        place = (at - 1) % len(self.table.hands) + 1
        self.table.world.people.add(self.table.bugs.guard(self.table.fingers.press(place, "NO")))

    def close(self) -> None:
        """Leave the table's list: OK if all are there, else CALL: what is registered stays."""
        self.table.world.people.add(self.table.bugs.guard(
            self.table.fingers.press(1, "CALL" if self.missing() else "OK")))

    def tell(self) -> dict[str, Any]:
        """For pages: no UID."""
        missing = self.missing()
        return {"seat": self.seat, "size": self.size, "left": len(missing), "next": missing[:4],
                "open": self.is_open, "failed": self.failed, "undo": self.is_open and len(missing) < len(self._order)}
