"""Readers of PC/SC at a RealTable: each at the seat at which it stands, which one tap tells.

A reader that is not known yet is asked for by seat: the first tap at one of them says that it stands there. That is
kept by the reader's name and its place on USB, so that it holds for the next evening, in whatever order the readers are
found then.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.play.readers.pcsc import FIRST_PAGE, HELD, PAGE, Watch, write_tag
from host_tools.play.readers.readers import COMMON, Reader
from host_tools.play.wording import Wording

MIDDLE = ", in the middle"
KEPT = "pcsc.json"  # in the table's folder: the seat of each reader, by its key
NUMBER = re.compile(r" [0-9A-F]{2}( [0-9A-F]{2})$")  # pcscd numbers readers as it finds them; the second is the slot


def key_of(name: str, place: str) -> str:
    """By what a reader is known again: its name, and its place where that is known instead of pcscd's number."""
    return NUMBER.sub(r"\1", name) + f" at {place}" if place else name


class UsbReaders:
    """The readers of PC/SC at a table. `asks` is the seat whose reader shall be tapped next, None if all are known."""

    def __init__(self, table: Any, scard: Any, say: Callable[[str], object] = lambda line: None) -> None:
        """say: tells the host in the terminal which reader shall be tapped."""
        self.table, self.scard, self.say = table, scard, say
        self._said: int | None = None
        self.here: dict[str, Reader | None] = {}  # by name
        self.keys: dict[str, str] = {}
        self._path: Path = table.folder / KEPT
        try:
            self.seats: dict[str, int] = foreign.read_json(self._path, {str: int})
        except UnusableInput:
            self.seats = {}
        self.watch = Watch(scard, lambda *told: table.post(lambda: self.hear(*told)), lambda: not table.is_playing)
        table.usb = self

    def begin(self) -> None:
        """Look at them from now on, in a thread of its own."""
        threading.Thread(target=self.watch.run, name="PC/SC", daemon=True).start()

    def close(self) -> None:
        """Look no more."""
        self.watch.end()

    # --- in the table's thread ---

    def hear(self, name: str, what: str, uid: bytes, held: bytes) -> None:
        """Something has changed at a reader."""
        reader = self.here.get(name)
        if reader is not None and reader.is_over:
            reader = self.here[name] = None  # it was closed, or thrown out; its next tap asks again
        if what == "there":
            self.keys[name], self.here[name] = key_of(name, held.decode()), None
            self._sit(name)
        elif what == "gone":
            self.here.pop(name, None)
            if reader is not None:
                reader.lost()
            self.table.readers.changed()
        elif reader is None:
            if what == "came" and not self._sit(name):
                self._learn(name)
            elif what == "came" and (reader := self.here[name]):
                reader.came(uid, held)
        elif what == "came":
            reader.came(uid, held)
        elif what == "unreadable":
            reader.complain("unreadable")
        elif what == "went":
            reader.went()
        else:
            reader.beat()
        if self.asks != self._said:
            self._said = self.asks
            self._ask()

    def _ask(self) -> None:
        """Say in the terminal at which seat the new reader shall be tapped."""
        words = Wording(self.table.language)
        if self._said is None:
            self.say(words.say("usb.known"))
        elif self._said == COMMON:
            self.say(words.say("usb.middle"))
        else:
            self.say(words.say("usb.tap", seat=self._said))

    @property
    def asks(self) -> int | None:
        """The seat at whose reader a tag shall be laid now; COMMON: at the one in the middle; None: none is new."""
        known = [self._seat_of(name) for name in self.here]
        if None not in known:
            return None
        taken = {one.seat for one in self.table.readers.all if not one.is_over}.union(known)
        first = [COMMON] if self.table.has_common else list(range(1, len(self.table.hands) + 1))
        return next((seat for seat in first if seat not in taken), None)

    def forget(self) -> None:
        """Learn anew where each stands."""
        for name, reader in self.here.items():
            if reader is not None:
                self.table.readers.close(reader.seat)
            self.here[name] = None
        self.seats = {}
        self._keep()

    def _seat_of(self, name: str) -> int | None:
        """Where a reader stands; None: nobody has told. One that lies in the middle may stand at a seat another day."""
        if self.table.has_common and self.keys[name] + MIDDLE in self.seats:
            return COMMON
        return self.seats.get(self.keys[name])

    def _sit(self, name: str) -> bool:
        """It reads where it stands, unless somebody else does or the host does not let it; False if that is unknown."""
        seat = self._seat_of(name)
        if seat is None:
            return False
        with contextlib.suppress(UnusableInput):
            self.here[name] = self.table.readers.admit(
                seat, "usb", name, stays=True, beats=True, write=lambda uid, text: self._write(name, uid))
        return True

    def _learn(self, name: str) -> None:
        """It stands at the seat that was asked for; this tap has told that, and plays nothing."""
        seat = self.asks
        if seat is not None:
            self.seats[self.keys[name] + (MIDDLE if seat == COMMON else "")] = seat
            self._sit(name)
            self._keep()

    def _keep(self) -> None:
        self._path.write_text(json.dumps(self.seats), encoding="utf-8")
        self.table.readers.changed()

    def _write(self, name: str, uid: bytes) -> None:
        """The table has written the model of a tag: the real one shall hold the same."""
        table, reader = self.table, self.here.get(name)
        memory = bytes(table.readers.model(uid).memory[FIRST_PAGE * PAGE:FIRST_PAGE * PAGE + HELD])

        def work() -> None:
            is_done = write_tag(self.scard, name, uid, memory)
            if not is_done and reader is not None:
                table.post(lambda: reader.complain("unwritten"))

        threading.Thread(target=work, name="PC/SC writes", daemon=True).start()
