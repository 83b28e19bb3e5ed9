"""Readers of PC/SC in the place of modelled ones: each is found by its name, and asked which tag lies there.

PC/SC part 3 has a command by which contactless readers tell a tag's number, `FF CA 00 00 00`; the ACR122U and its
relatives answer it. Which reader stands where is learned by one tap at each seat, and kept by name.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.extras import need
from host_tools.play.readers.readers import UID_SIZES, Reader

GET_UID = [0xFF, 0xCA, 0x00, 0x00, 0x00]
LOOK_S = 0.5  # how long one wait for a change takes at most: so often a source says that it lives
AGAIN_S = 1.0  # between two looks for a daemon that is gone
KEPT = "pcsc.json"  # in the table's folder: the seat of each reader, by its name


def load() -> Any:
    """pyscard's part that speaks to the daemon. UnusableInput where it is not installed, or no daemon runs."""
    scard = need("smartcard.scard", "--readers")
    code, _ = scard.SCardEstablishContext(scard.SCARD_SCOPE_USER)
    if code != 0:
        raise UnusableInput("no PC/SC daemon answers: install and start pcscd")
    return scard


def ask_uid(scard: Any, context: Any, name: str) -> bytes:
    """The number of the tag that lies there; empty if it does not tell one."""
    code, card, protocol = scard.SCardConnect(context, name, scard.SCARD_SHARE_SHARED,
                                              scard.SCARD_PROTOCOL_T0 | scard.SCARD_PROTOCOL_T1)
    if code != 0:
        return b""
    try:
        code, answer = scard.SCardTransmit(card, protocol, GET_UID)
    finally:
        scard.SCardDisconnect(card, scard.SCARD_LEAVE_CARD)
    told = bytes(byte & 0xFF for byte in answer)
    return told[:-2] if code == 0 and told[-2:] == b"\x90\x00" and len(told) - 2 in UID_SIZES else b""


class Watch:
    """All readers of PC/SC. `run()` looks at them, in a thread of its own, until `end()`; `told(name, what, uid)` hears
    of each change: what is `there`, `gone`, `came`, `went`, `unreadable` or `beat`."""

    def __init__(self, scard: Any, told: Callable[[str, str, bytes], None]) -> None:
        self.scard, self.told = scard, told
        self._ended = threading.Event()
        self._events: dict[str, int] = {}  # by reader: PC/SC's state and count of insertions, as seen last
        self._lies: dict[str, bytes] = {}

    def end(self) -> None:
        """Look no more."""
        self._ended.set()

    def run(self) -> None:
        """A daemon that goes takes its readers along; when it is back, they are."""
        while not self._ended.is_set():
            code, context = self.scard.SCardEstablishContext(self.scard.SCARD_SCOPE_USER)
            if code == 0:
                try:
                    while not self._ended.is_set() and self._look(context):
                        pass
                finally:
                    self.scard.SCardReleaseContext(context)
            self._keep([])
            self._ended.wait(AGAIN_S)

    def _look(self, context: Any) -> bool:
        """Wait for a change, at most LOOK_S, and tell it; False if the daemon is gone."""
        scard = self.scard
        code, names = scard.SCardListReaders(context, [])
        if code not in (0, scard.SCARD_E_NO_READERS_AVAILABLE):
            return False
        names = list(names) if code == 0 else []
        self._keep(names)
        known = [(name, self._events.get(name, scard.SCARD_STATE_UNAWARE)) for name in names]
        if not known:
            return not self._ended.wait(LOOK_S)
        code, states = scard.SCardGetStatusChange(context, int(1000 * LOOK_S), known)
        if code not in (0, scard.SCARD_E_TIMEOUT, scard.SCARD_E_UNKNOWN_READER):
            return False
        for name, event, _ in states:
            self._take(context, name, event)
        return True

    def _keep(self, names: list[str]) -> None:
        for name in [name for name in self._events if name not in names]:
            del self._events[name]
            self._lies.pop(name, None)
            self.told(name, "gone", b"")
        for name in names:
            if name not in self._events:
                self._events[name] = 0
                self.told(name, "there", b"")

    def _take(self, context: Any, name: str, event: int) -> None:
        """The state of one reader. Its upper half counts insertions and removals: a tag that was exchanged between two
        looks is another one, too."""
        scard = self.scard
        self.told(name, "beat", b"")
        if not event & scard.SCARD_STATE_CHANGED and self._events.get(name) == event:
            return
        self._events[name] = event & ~scard.SCARD_STATE_CHANGED
        if self._lies.pop(name, None) is not None:
            self.told(name, "went", b"")
        if event & scard.SCARD_STATE_PRESENT and not event & scard.SCARD_STATE_MUTE:
            uid = ask_uid(scard, context, name)
            if uid:
                self._lies[name] = uid
            self.told(name, "came" if uid else "unreadable", uid)


class UsbReaders:
    """The readers of PC/SC at a RealTable: one that is not known yet takes the first free seat once it is tapped."""

    def __init__(self, table: Any, scard: Any) -> None:
        self.table = table
        self.watch = Watch(scard, lambda name, what, uid: table.post(lambda: self.hear(name, what, uid)))
        self.here: dict[str, Reader | None] = {}
        self._path: Path = table.folder / KEPT
        try:
            self.seats: dict[str, int] = foreign.read_json(self._path, {str: int})
        except UnusableInput:
            self.seats = {}
        threading.Thread(target=self.watch.run, name="PC/SC", daemon=True).start()

    def close(self) -> None:
        """Look no more."""
        self.watch.end()

    def hear(self, name: str, what: str, uid: bytes) -> None:
        """In the table's thread: something has changed at a reader."""
        reader = self.here.get(name)
        if what == "there":
            self.here[name] = None
            if name in self.seats:
                self.sit(name, self.seats[name])
        elif what == "gone":
            if self.here.pop(name, None) is not None and reader is not None:
                reader.lost()
        elif reader is None:
            if what == "came":  # the first tap at a new reader tells the seat at which it stands: the next without one
                self.learn(name)
        elif what == "came":
            reader.came(uid)
        elif what == "unreadable":
            reader.complain("unreadable")
        elif what == "went":
            reader.went()
        else:
            reader.beat()

    def sit(self, name: str, seat: int) -> None:
        """This reader stands at that seat, unless somebody reads there."""
        with contextlib.suppress(UnusableInput):
            self.here[name] = self.table.readers.admit(seat, "usb", name, stays=True, beats=True)

    def learn(self, name: str) -> None:
        """It takes the first seat that has no reader; kept for the next time."""
        taken = {one.seat for one in self.table.readers.all if not one.is_over}
        taken.update(seat for other, seat in self.seats.items() if other in self.here)
        seat = next((seat for seat in range(1, len(self.table.hands) + 1) if seat not in taken), 0)
        if seat:
            self.seats[name] = seat
            self.sit(name, seat)
            self._path.write_text(json.dumps(self.seats), encoding="utf-8")
