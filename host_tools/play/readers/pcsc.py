"""Readers of PC/SC: which are there, which tag lies on each, what stands on it.

PC/SC part 3 has commands for contactless readers: `FF CA 00 00 00` tells a tag's number, `FF B0 00 PAGE 10` reads
sixteen bytes, `FF D6 00 PAGE 04` writes four. The ACR122U and its relatives answer them. A tag with a number of four
bytes has no pages that anybody may read without a key: only its number is told.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.extras import need
from host_tools.play.readers.readers import UID_SIZES

GET_UID = [0xFF, 0xCA, 0x00, 0x00, 0x00]
READ_PAGES, WRITE_PAGE = [0xFF, 0xB0, 0x00], [0xFF, 0xD6, 0x00]
DONE = b"\x90\x00"
PAGE, FIRST_PAGE = 4, 4  # bytes; the first page of what everybody may write
HELD = 48  # bytes of that which are looked at: a text record of ours, and what may stand before it
TRIES = 3  # a tag that is just being laid down answers the second time
LOOK_S = 0.5  # how long one wait for a change takes at most: so often a source says that it lives
AGAIN_S = 1.0  # between two looks for a daemon that is gone
USB = Path("/sys/bus/usb/devices")  # where Linux tells what stands at which place
COUNT = 0xFFFF0000  # of a reader's state: how many tags have come and gone
ON_USB = 0x0020  # PC/SC part 3, 4.6.3: the upper half of a channel's number, above bus and device


def load() -> Any:
    """pyscard's part that speaks to the daemon. UnusableInput where it is not installed, or no daemon runs."""
    scard = need("smartcard.scard", "--readers")
    code, context = scard.SCardEstablishContext(scard.SCARD_SCOPE_USER)
    if code != 0:
        raise UnusableInput("no PC/SC daemon answers: install and start pcscd")
    scard.SCardReleaseContext(context)
    return scard


class Line:
    """A connection to the tag that lies on a reader: `with Line(...) as line`. OSError if none answers."""

    def __init__(self, scard: Any, context: Any, name: str) -> None:
        self.scard, self.context, self.name = scard, context, name

    def __enter__(self) -> Line:
        scard = self.scard
        code, self.card, self.protocol = scard.SCardConnect(
            self.context, self.name, scard.SCARD_SHARE_SHARED, scard.SCARD_PROTOCOL_T0 | scard.SCARD_PROTOCOL_T1)
        if code != 0:
            raise OSError("no tag answers")
        return self

    def __exit__(self, *_: object) -> None:
        self.scard.SCardDisconnect(self.card, self.scard.SCARD_LEAVE_CARD)

    def ask(self, command: list[int]) -> bytes | None:
        """What the reader answers to that command; None if it refuses or the tag is gone."""
        code, answer = self.scard.SCardTransmit(self.card, self.protocol, command)
        told = bytes(byte & 0xFF for byte in answer) if code == 0 else b""
        return told[:-2] if told[-2:] == DONE else None

    def uid(self) -> bytes:
        """The tag's number; empty if it does not tell one."""
        told = self.ask(GET_UID) or b""
        return told if len(told) in UID_SIZES else b""

    def read(self) -> bytes:
        """The first HELD bytes that everybody may write; empty if the tag has no such memory."""
        held = b""
        for page in range(FIRST_PAGE, FIRST_PAGE + HELD // PAGE, 4):
            part = self.ask([*READ_PAGES, page, 4 * PAGE])
            if part is None or len(part) != 4 * PAGE:
                return b""
            held += part
        return held

    def write(self, wanted: bytes) -> bool:
        """Have the tag hold that, page by page where it differs; whether it reads back so."""
        held = self.read()
        for at in range(0, len(held), PAGE):
            part = wanted[at:at + PAGE]
            if part != held[at:at + PAGE] and self.ask([*WRITE_PAGE, FIRST_PAGE + at // PAGE, PAGE, *part]) is None:
                return False
        return bool(held) and self.read() == wanted


def ask_tag(scard: Any, context: Any, name: str, reads: bool = False) -> tuple[bytes, bytes]:
    """The number of the tag that lies there, empty if none tells one; and, where `reads`, what it holds."""
    for _ in range(TRIES):
        try:
            with Line(scard, context, name) as line:
                if uid := line.uid():
                    return uid, line.read() if reads and len(uid) == 7 else b""
        except OSError:
            pass
    return b"", b""


def write_tag(scard: Any, name: str, uid: bytes, wanted: bytes) -> bool:
    """Have the tag of that number hold that; False if another lies there, or it does not take it. In any thread."""
    code, context = scard.SCardEstablishContext(scard.SCARD_SCOPE_USER)
    if code != 0:
        return False
    try:
        with Line(scard, context, name) as line:
            return line.uid() == uid and line.write(wanted)
    except OSError:
        return False
    finally:
        scard.SCardReleaseContext(context)


def find_place(scard: Any, context: Any, name: str, usb: Path = USB) -> str:
    """Where on USB a reader is plugged in, as Linux writes it (`1-2.3`); empty where nobody tells."""
    code, card, _ = scard.SCardConnect(context, name, scard.SCARD_SHARE_DIRECT, 0)
    if code != 0:
        return ""
    try:
        code, told = scard.SCardGetAttrib(card, scard.SCARD_ATTR_CHANNEL_ID)
    finally:
        scard.SCardDisconnect(card, scard.SCARD_LEAVE_CARD)
    number = int.from_bytes(bytes(byte & 0xFF for byte in told), "little") if code == 0 else 0
    if number >> 16 != ON_USB:
        return ""
    wanted = (str(number >> 8 & 0xFF), str(number & 0xFF))
    for device in sorted(usb.glob("*")):
        try:
            found = tuple(foreign.read_text(device / file).strip() for file in ("busnum", "devnum"))
        except UnusableInput:
            continue
        if found == wanted:
            return device.name
    return ""


class Watch:
    """All readers of PC/SC. `run()` looks at them, in a thread of its own, until `end()`; `told(name, what, uid, held)`
    hears of each change: what is `there`, `gone`, `came`, `went`, `unreadable` or `beat`. With `there` the place of the
    reader on USB stands in for held; `reads()` says whether what a tag holds is wanted."""

    def __init__(self, scard: Any, told: Callable[[str, str, bytes, bytes], object],
                 reads: Callable[[], bool] = lambda: False) -> None:
        self.scard, self.told, self.reads = scard, told, reads
        self._ended = threading.Event()
        self._known: dict[str, int] = {}  # by reader: PC/SC's state and count of insertions, as seen last
        self._lies: dict[str, bytes] = {}
        self._left: dict[str, bytes] = {}  # what lay on a reader that is gone
        self._again: dict[str, int] = {}  # looks that are left for a tag that could not be read

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
            self._keep(None, [])
            self._ended.wait(AGAIN_S)

    def _look(self, context: Any) -> bool:
        """Wait for a change, at most LOOK_S, and tell it; False if the daemon is gone."""
        scard = self.scard
        code, names = scard.SCardListReaders(context, [])
        if code not in (0, scard.SCARD_E_NO_READERS_AVAILABLE):
            return False
        self._keep(context, list(names) if code == 0 else [])
        if not self._known:
            return not self._ended.wait(LOOK_S)
        code, states = scard.SCardGetStatusChange(context, int(1000 * LOOK_S), list(self._known.items()))
        if code not in (0, scard.SCARD_E_TIMEOUT, scard.SCARD_E_UNKNOWN_READER):
            return False
        for name, event, _ in states:
            self._take(context, name, event)
        return True

    def _keep(self, context: Any, names: list[str]) -> None:
        for name in [name for name in self._known if name not in names]:
            del self._known[name]
            self._again.pop(name, None)
            self._left[name] = self._lies.pop(name, b"")
            self.told(name, "gone", b"", b"")
        for name in names:
            if name not in self._known:
                self._known[name] = self.scard.SCARD_STATE_UNAWARE
                self.told(name, "there", b"", find_place(self.scard, context, name).encode())

    def _take(self, context: Any, name: str, event: int) -> None:
        """The state of one reader. Its upper half counts insertions and removals: a tag that was exchanged between two
        looks is another one, too. That somebody speaks with a tag, that it loses its power, or goes mute once it was
        read, changes the state, but is no tap."""
        scard, before = self.scard, self._known[name]
        self.told(name, "beat", b"", b"")
        self._known[name] = event & ~scard.SCARD_STATE_CHANGED
        matters = COUNT | scard.SCARD_STATE_PRESENT | (0 if name in self._lies else scard.SCARD_STATE_MUTE)
        is_new, tries = (event ^ before) & matters != 0, self._again.pop(name, 0)
        if not is_new and not tries:
            return
        if is_new and self._lies.pop(name, None) is not None:
            self.told(name, "went", b"", b"")
        left = self._left.pop(name, b"")
        if not event & scard.SCARD_STATE_PRESENT:
            return
        uid, held = b"", b""
        if not event & scard.SCARD_STATE_MUTE:
            uid, held = ask_tag(scard, context, name, self.reads())
        if uid:
            self._lies[name] = uid
            if uid != left:  # one that lay there all the while, as its reader was away, is no tap
                self.told(name, "came", uid, held)
        else:
            self._again[name] = TRIES if is_new else tries - 1
            self.told(name, "unreadable", b"", b"")
