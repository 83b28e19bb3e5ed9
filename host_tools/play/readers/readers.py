"""Tags that come and go at real readers, laid on the modelled readers of a virtual table.

A source (a phone's page, a reader of PC/SC, whatever else tells a UID) gets a `Reader` and says `came` and `went`, in a
thread of its own. From there on everything is as always: the firmware's driver reads the modelled tag, debounces it and
judges it. A source that dies, hangs or floods costs its own reader alone.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Generator
from typing import Any

from host_tools.base.errors import UnusableInput
from host_tools.play.tags import uid_of_key
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.virtual.chips.ntag21x import Ntag, text_on
from host_tools.virtual.fingers import AMBER, GREEN, READ_US, RED

RATE, BURST = 6.0, 12  # tags of one reader, a second and at once; more are dropped
CALM_S = 2.0  # a reader that flooded is heard again after so long without a tag
QUEUE = 8  # tags that wait for one place; more are dropped
SILENT_S = 10.0  # a source that promises to beat and has not for so long hangs
NO_TEXT = "?"  # what a phone says of a tag that holds something else
TEXT_LIMIT = 64  # characters, or bytes, of what stands on a tag
USER_AT = 16  # where they begin in its memory
TAGS = 400  # models of tags that are kept; the oldest are forgotten
COMMON = 0  # the seat of a reader that all seats share
POLL_US = 20_000
VERDICT_US = 1_200_000  # how long a tag lies at most, if the table says nothing to it
HOLD_US, WRITE_US = 150_000, 400_000  # how long it lies on after a verdict; between two games it may be written
TOUCH_US = 15_000_000  # how long a name that was touched counts for the next tap at a reader for all

READS, FLOODS, SILENT, LOST, BARRED = "reads", "floods", "silent", "lost", "barred"
UID_SIZES = (4, 7, 10)


def read_uid(text: str) -> bytes:
    """The bytes of `04:a1:...` or `04A1...`. UnusableInput."""
    try:
        uid = bytes.fromhex(text.replace(":", "").replace("-", "").strip())
    except ValueError:
        uid = b""
    if len(uid) not in UID_SIZES or len(uid) == 4 and uid[0] == 0x88:
        raise UnusableInput("a tag has a number of 4, 7 or 10 bytes")
    return uid


def memory_of(tag: Tag) -> bytes:
    """What a modelled tag holds; empty without a memory."""
    return bytes(getattr(tag, "memory", b""))


class Reader:
    """One real reader. Its source says `came(uid, text)`, `went()`, `beat()`, and at its end `lost(why)`; all may come
    from any thread, none waits.

    seat: whose taps it reads; COMMON: everybody's. kind: phone, usb or keys. name: for people. owner: the open page
    that it belongs to, or None. write: told (uid, text) when the table has written a tag. stays: it says `went`.
    """

    def __init__(self, readers: Readers, seat: int, kind: str, name: str, owner: object = None, stays: bool = False,
                 beats: bool = False, write: Callable[[bytes, str], object] | None = None) -> None:
        self.readers, self.seat, self.kind, self.name, self.owner = readers, seat, kind, name, owner
        self.stays, self.beats, self.write = stays, beats, write
        self.state, self.why = READS, ""
        self.taps = self.dropped = 0
        self.lies = b""  # the UID that lies there now, where the source says so
        self._tokens, self._told_s = float(BURST), readers.clock()
        self._beat_s = self._told_s

    @property
    def is_over(self) -> bool:
        """Whether nothing more is heard of it."""
        return self.state in (LOST, BARRED)

    def came(self, uid: bytes, holds: str | bytes = "") -> None:
        """A tag has come; `holds` is the text on it, or its memory from page 4 on. UnusableInput if it cannot be one.
        """
        if len(uid) not in UID_SIZES:
            raise UnusableInput("a tag has a number of 4, 7 or 10 bytes")
        now_s = self.readers.clock()
        calm_s = now_s - self._told_s
        self._tokens = min(BURST, self._tokens + calm_s * RATE)
        self._told_s = self._beat_s = now_s
        if self.is_over:
            return
        if self._tokens < 1 or self.state == FLOODS and calm_s < CALM_S:
            self.dropped += 1
            self._become(FLOODS)
            return
        self._tokens -= 1
        self.taps += 1
        self.lies = uid
        self._become(READS)
        self.readers.table.post(lambda: self.readers.take(self, bytes(uid), holds[:TEXT_LIMIT]))

    def went(self) -> None:
        """No tag lies there any more."""
        self.lies = b""
        self._beat_s = self.readers.clock()

    def beat(self) -> None:
        """The source lives."""
        self._beat_s = self.readers.clock()
        if self.state == SILENT:
            self._become(READS)

    def complain(self, why: str) -> None:
        """A tag was there and could not be read: a sentence for the page, until the next tag."""
        if self.why != why:
            self.why = why
            self.readers.changed()

    def lost(self, why: str = "") -> None:
        """It is over: unplugged, closed, crashed."""
        if not self.is_over:
            self._become(LOST, why)

    def look(self) -> None:
        """Whether it hangs."""
        if self.beats and self.state == READS and self.readers.clock() - self._beat_s > SILENT_S:
            self._become(SILENT)

    def _become(self, state: str, why: str = "") -> None:
        if (state, why) != (self.state, self.why):
            self.state, self.why = state, why
            self.readers.changed()


class Readers:
    """All real readers of one table. `admit` makes one, `run` one whose source is a function in a thread of its own."""

    def __init__(self, table: Any, clock: Callable[[], float] = time.monotonic) -> None:
        """table: the RealTable that makes them; its file imports this one."""
        self.table, self.clock = table, clock
        self.all: list[Reader] = []
        self.barred: set[int] = set()  # seats whose pages may not read: the host threw a reader out
        self.enrolment: Any = None  # the deck that one of them registers
        self._touched = (0, 0, False)  # at a reader for all: whose name was touched, when, whether a tap was counted so
        self.asks_whose = False  # it could not tell whose the last tag was
        self.laid = 0  # tags that were laid on modelled readers, and taken away
        self._tags: OrderedDict[bytes, Tag] = OrderedDict()
        self._queues: dict[int, deque[tuple[Reader, bytes, str | bytes]]] = {}
        self._at_work: set[int] = set()  # places where a tag is being laid

    def admit(self, seat: int, kind: str, name: str, **more: Any) -> Reader:
        """A reader for that seat from now on. One that is over there is forgotten; UnusableInput if another reads."""
        if seat in self.barred:
            raise UnusableInput("the host lets nobody read at this seat")
        for other in [other for other in self.all if other.seat == seat]:
            if not other.is_over:
                raise UnusableInput("another reader reads for this seat")
            self.all.remove(other)
        reader = Reader(self, seat, kind, name, **more)
        self.all.append(reader)
        self.changed()
        return reader

    def run(self, reader: Reader, source: Callable[[Reader], None]) -> threading.Thread:
        """Let a source tell that reader its tags until it returns or raises: then the reader is lost."""
        def work() -> None:
            try:
                source(reader)
                reader.lost()
            except Exception as bug:  # noqa: BLE001 - a source's bug ends that source alone
                reader.lost(str(bug) if isinstance(bug, UnusableInput) else self.table.bugs.note(bug))

        thread = threading.Thread(target=work, name=f"reader {reader.name}", daemon=True)
        thread.start()
        return thread

    def find(self, seat: int) -> Reader | None:
        """The reader that reads for that seat now."""
        return next((one for one in self.all if one.seat == seat and not one.is_over), None)

    def changed(self) -> None:
        """Something of them is otherwise: whoever looks at the table is told soon."""
        self.table.post(lambda: None)

    # --- in the table's thread ---

    def keep_owners(self, owners: frozenset[object]) -> None:
        """The pages that are open now: the readers of all others are lost."""
        for one in self.all:
            if one.owner is not None and one.owner not in owners:
                one.lost()

    def close(self, seat: int) -> None:
        """The reader of a seat ends: its page says so, and a source of its own is heard no more."""
        for one in self.all:
            if one.seat == seat:
                one.lost()
        self.all = [one for one in self.all if one.seat != seat]
        if self.enrolment is not None and self.enrolment.seat == seat:
            self.enrolment = None

    def bar(self, seat: int, is_barred: bool) -> None:
        """The host throws out who reads at a seat, and lets nobody read there until it is allowed again."""
        if not is_barred:
            self.barred.discard(seat)
            self.all = [one for one in self.all if one.seat != seat or one.state != BARRED]
            return
        self.barred.add(seat)
        for one in self.all:
            if one.seat == seat:
                one.state, one.why = BARRED, ""

    def tell(self) -> list[dict[str, Any]]:
        """Who reads where, for pages: no UID."""
        for one in self.all:
            one.look()
        return [{"seat": one.seat, "kind": one.kind, "name": one.name, "state": one.state, "why": one.why,
                 "taps": one.taps} for one in sorted(self.all, key=lambda one: one.seat)]

    def take(self, reader: Reader, uid: bytes, holds: str | bytes) -> None:
        """A tag has come to a reader: it is laid on the modelled reader of its place, after those that wait there."""
        if reader.is_over or not self.table.machine.has_power:
            return
        if uid == uid_of_key(self.table.KEY):
            return  # with that tag the table opens its own list: no person has it, and its number is no secret
        place = self.choose_place(reader, uid)
        self.asks_whose = not place
        if not place:
            return
        queue = self._queues.setdefault(place, deque())
        if len(queue) >= QUEUE:
            reader.dropped += 1
            return
        queue.append((reader, uid, holds))
        if place not in self._at_work:
            self._at_work.add(place)
            self.table.world.people.add(self._serve(place))

    def choose_place(self, reader: Reader, uid: bytes) -> int:
        """Where on the table a tag is laid; 0: nobody knows."""
        table = self.table
        if self.enrolment is not None and self.enrolment.seat == reader.seat:
            return int(self.enrolment.next_place())
        if reader.seat != COMMON:
            return int(table.place_of(reader.seat))
        return int(table.place_of(self.take_seat_of(uid)))

    def touch(self, seat: int) -> None:
        """At a reader for all: the next tap is of that seat."""
        self._touched = (seat, self.table.now_us, False)
        self.asks_whose = False

    @property
    def touched(self) -> int:
        """The seat for which the next tap at a reader for all counts; 0: none was touched. In the deal one touch counts
        for all cards that the seat still draws."""
        seat, at_us, is_used = self._touched
        is_fresh = self.table.now_us < at_us + TOUCH_US
        return seat if seat and is_fresh and (not is_used or self.table.is_dealt(seat)) else 0

    def take_seat_of(self, uid: bytes) -> int:
        """Whose a tag at a reader for all is: of the name that was touched, which counts once, and in the deal until
        another is touched; of the hand that it lies in, of the only seat that may draw or that is waited for; 0: nobody
        knows."""
        table, seat = self.table, self.touched
        self._touched = (seat, table.now_us, True) if seat and table.is_dealt(seat) else (0, 0, False)
        if seat:
            return seat
        if not table.is_playing:
            return 1
        return int(table.owner_of(uid))

    def _serve(self, place: int) -> Generator[Any, None, None]:
        queue = self._queues[place]
        while queue:
            yield from self.table.bugs.guard(self._lay(place, *queue.popleft()), f"a tag at place {place}")
        self._at_work.discard(place)

    def _lay(self, place: int, reader: Reader, uid: bytes, holds: str | bytes) -> Generator[Any, None, None]:
        """One tag: it lies until the table has said something to it, and where the source tells, until it is taken
        away. One that comes back too soon was never away (T5), as at a table of wood."""
        table = self.table
        tag = self.model(uid, holds)
        if any(tag in other.field.tags for other in table.world.readers):
            return
        held = memory_of(tag)
        answered, laid_us = table.answers(table.seat_at(place)), table.now_us
        table.world.put(place, tag)
        table.machine.stir()
        while table.now_us < laid_us + VERDICT_US:
            yield POLL_US
            is_read = table.now_us > laid_us + READ_US
            colours = (AMBER,) if table.is_playing else (AMBER, GREEN, RED)
            if table.answers(table.seat_at(place)) != answered or is_read and table.light(place) in colours:
                break
        yield HOLD_US if table.is_playing else WRITE_US
        if memory_of(tag) != held and reader.write is not None:
            reader.write(uid, text_on(tag))
        while reader.stays and reader.lies == uid and not reader.is_over and not self._queues[place]:
            yield POLL_US
        table.world.take(place, tag)
        table.machine.stir()
        self.laid += 1

    def model(self, uid: bytes, holds: str | bytes = "") -> Tag:
        """The modelled tag of that number, which holds that text or that memory; the same as long as it is remembered.
        """
        tag = self._tags.pop(uid, None) or (Ntag(uid) if len(uid) == 7 else Tag(uid))
        self._tags[uid] = tag
        if isinstance(tag, Ntag) and isinstance(holds, bytes):
            tag.memory[USER_AT:USER_AT + len(holds)] = holds
        elif isinstance(tag, Ntag) and holds and holds != text_on(tag):
            try:
                tag.hold_text(str(holds))
            except ValueError:  # the real tag has more room
                tag.hold_text(NO_TEXT)
        while len(self._tags) > TAGS:
            self._tags.popitem(last=False)
        return tag
