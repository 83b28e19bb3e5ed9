"""A live table whose cards are real: people hold them, real readers read them, and nobody here knows a hand better than
the record does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from cardtable.between.decks import DECKS_LIMIT, deck_file
from cardtable.engine.deck import card_number
from cardtable.engine.state import HAND
from cardtable.table.readers import AWAY_MS
from host_tools.base import foreign
from host_tools.play.readers import deeds
from host_tools.play.readers.enrolment import read_deck
from host_tools.play.readers.readers import COMMON, Readers
from host_tools.play.readers.shared import why_not
from host_tools.play.table import LiveTable
from host_tools.play.tags import ARBITER, Tags, uid_of_key
from host_tools.sight.scene import Scene

COMMON_LINE = "reader: common"  # in the header of a record whose players shared one reader


class RegisteredTags(Tags):
    """The decks on the flash are those that were registered: none is made up; keys and players of wood stay."""

    def write_deck(self) -> None:
        """Nothing."""

    def write_keys(self) -> None:
        """Register the key with which pages open the table's list."""
        path = self.table.flash / "tags.txt"
        line = f"{uid_of_key(ARBITER).hex().upper()} arbiter"
        lines = [line.strip() for line in foreign.read_lines(path)] if path.exists() else []
        if line not in lines:
            path.write_text("\n".join([line, *lines]) + "\n", encoding="utf-8")


class RealTable(LiveTable):
    """A LiveTable with `readers`. Its decks are those that were registered here."""

    is_real = True
    is_alone = False  # its host's page is its reader for all, too (play/browser/real.py)
    KEY = ARBITER
    away_ms = AWAY_MS  # as at a table of wood: a real reader misses a card at the edge of its field now and then (T5)

    def __init__(self, *words: Any, **wishes: Any) -> None:
        super().__init__(*words, **wishes)
        self.tags = RegisteredTags(self)
        self.hands.by_themselves = False  # people deal, and draw
        self.readers = Readers(self)
        self.usb: Any = None  # its readers of PC/SC, if it looks for any
        self._common: bool | None = None  # whether one reader for all is wanted; None: as the game that goes on says

    @property
    def has_common(self) -> bool:
        """Whether one reader is for all."""
        return self.says_common if self._common is None else self._common

    def share(self, is_common: bool) -> None:
        """From the next game on one reader is for all, or not; a link to the page for all that was is worth nothing."""
        if not is_common:
            self.seating.renew_common()  # first: where that cannot be written down the old link is still right
            self.readers.close(COMMON)
        self._common = is_common

    def why_no_common(self) -> str:
        """Why the reader for all reads nothing in the game that goes on: a key for pages; empty if it does."""
        if not self.is_playing or self.says_common:
            return ""
        return why_not(self.game.NAME, len(self.header.seats)) or "began"

    def acts_for(self, role: str) -> dict[str, Callable[[Any, dict[str, Any]], Any]]:
        """What pages may do with readers."""
        return deeds.FOR_ROLE.get(role, {})

    def note_setup(self, setup: str) -> str:
        """Where one reader is for all, the record says so."""
        return setup.rstrip("\n") + f"\n{COMMON_LINE}\n\n" if self.has_common else setup

    def awaited(self) -> list[int]:
        """Where one reader is for all, nobody needs a phone."""
        return [] if self.says_common else super().awaited()

    def note_pages(self, pages: frozenset[object]) -> None:
        """A reader whose page has gone is lost."""
        self.readers.keep_owners(pages)

    @property
    def phase(self) -> str:
        """As at every table; a deck that is complete leaves all lights dark, and nothing has stopped."""
        found = super().phase
        return "lobby" if found == "stopped" and self.readers.enrolment is not None else found

    @property
    def says_common(self) -> bool:
        """Whether the header of the game that goes on says that one reader is for all."""
        return self.header is not None and ("reader", "common") in [tuple(pair) for pair in self.header.keys]

    def lines(self) -> list[str]:
        """What its screen says, row by row."""
        text = self.watch.glass(0)["text"]
        rows = [row.strip() for row in (text.split("\n") if isinstance(text, str) else text)]
        return rows + [""] * (8 - len(rows))

    def card_of(self, uid: bytes) -> int:
        """The card of that tag in the registered decks; -1: none."""
        for number in range(1, DECKS_LIMIT + 1):
            name = read_deck(self.flash / deck_file(number)).get(uid.hex().upper())
            if name is not None:
                return card_number(name)
        return -1

    def is_dealt(self, seat: int) -> bool:
        """Whether cards are being dealt, and that seat still gets some."""
        return self.phase == "deal" and self.waits[seat] in self.game.CHANCE

    def owner_of(self, uid: bytes) -> int:
        """Whose a card at a reader for all is: the seat in whose hand the table knows it, else the only seat that is
        waited for, to draw or for anything; 0: the tag does not tell."""
        session, card = self.session, self.card_of(uid)
        seats = range(1, len(self.header.seats) + 1)
        if 0 <= card < len(session.state.where) and session.state.where[card] in range(HAND + 1, HAND + 8):
            return int(session.state.where[card]) - HAND
        drawing = [seat for seat in seats if self.waits[seat] in self.game.CHANCE]
        waited = drawing or [seat for seat in seats if self.waits[seat]]
        return waited[0] if len(waited) == 1 else 0

    def scene(self) -> Scene:
        """As a table has it, but for hands that nobody knows, and with those who read."""
        enrolment = self.readers.enrolment
        real = {
            "readers": self.readers.tell(), "barred": sorted(self.readers.barred), "common": self.has_common,
            "whose": self.readers.asks_whose, "enrolment": enrolment.tell() if enrolment else None,
            "touched": self.readers.touched, "asks": self.usb.asks if self.usb else None,
            "usb": len(self.usb.here) if self.usb else None,
            "cannot": self.why_no_common(), "alone": self.is_alone,
        }
        return replace(super().scene(), held={}, real=real)

    def more_to_tell(self) -> str:
        """What those who look see of the readers."""
        return str((self.readers.tell(), self.readers.barred, self.has_common, self.readers.asks_whose,
                    self.readers.touched, self.readers.enrolment and self.readers.enrolment.tell(),
                    self.usb and (self.usb.asks, len(self.usb.here))))
