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
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.play.readers.pcsc import FIRST_PAGE, HELD, PAGE, Watch, write_tag
from host_tools.play.readers.readers import COMMON, Reader

KEPT = "pcsc.json"  # in the table's folder: the seat of each reader, by its key
NUMBER = re.compile(r" [0-9A-F]{2}( [0-9A-F]{2})$")  # pcscd numbers readers as it finds them; the second is the slot


def key_of(name: str, place: str) -> str:
    """By what a reader is known again: its name, and its place where that is known instead of pcscd's number."""
    return NUMBER.sub(r"\1", name) + f" at {place}" if place else name


class UsbReaders:
    """The readers of PC/SC at a table. `asks` is the seat whose reader shall be tapped next, None if all are known."""

    def __init__(self, table: Any, scard: Any) -> None:
        self.table, self.scard = table, scard
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
        elif what == "came":
            reader.came(uid, held)
        elif what == "unreadable":
            reader.complain("unreadable")
        elif what == "went":
            reader.went()
        else:
            reader.beat()

    @property
    def asks(self) -> int | None:
        """The seat at whose reader a tag shall be laid now; COMMON: at the one in the middle; None: none is new."""
        if all(self.keys[name] in self.seats for name in self.here):
            return None
        taken = {one.seat for one in self.table.readers.all if not one.is_over}
        taken.update(self.seats[self.keys[name]] for name in self.here if self.keys[name] in self.seats)
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

    def _sit(self, name: str) -> bool:
        """It reads where it stands, unless somebody else does or the host does not let it; False if that is unknown."""
        seat = self.seats.get(self.keys[name])
        if seat is None or seat == COMMON and not self.table.has_common:
            return seat is not None
        with contextlib.suppress(UnusableInput):
            self.here[name] = self.table.readers.admit(
                seat, "usb", name, stays=True, beats=True, write=lambda uid, text: self._write(name, uid))
        return True

    def _learn(self, name: str) -> None:
        """It stands at the seat that was asked for; this tap has told that, and plays nothing."""
        seat = self.asks
        if seat is not None:
            self.seats[self.keys[name]] = seat
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
