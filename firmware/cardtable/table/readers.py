"""Believes or doubts what the readers say, and posts cards that came and went; it knows no game.

A tag is believed after two equal reads and has left after five clean misses; a garbled answer is neither (HARDWARE: a
parity error is evidence of presence). One field is on at a time: readers are looked at one after the other.
"""

import asyncio

from micropython import const

from cardtable.engine.deck import STRANGER

# What a driver's poll answers: the promise of drivers/mfrc522.py, kept by every reader driver.
EMPTY = const(0)
PRESENT = const(1)
GARBLED = const(2)
MANY = const(3)
SILENT = const(4)

# What is posted.
CAME = const(1)
LEFT = const(2)
CROWDED = const(3)  # more than one tag at once
CLEARED = const(4)  # not any more

READS_TO_BELIEVE = 2
MISSES_TO_LEAVE = 5
SILENCES_TO_FAULT = 3
SWEEPS_TO_RETRY = 8  # how often a faulty reader is started anew
SWEEPS_TO_RECOUNT = 8  # how often a reader looks for a second tag on the one it knows
SWEEPS_TO_RENEW = 32  # how often a reader with nothing on it is started anew: one wrong byte can have made it deaf
_FAULT_MS = const(5)  # what a faulty reader costs of a sweep: as much as one that waits for its field
_LET_GO = const(0xFF)  # what the data line carries while nobody is selected: it is pulled up
RING = 32


class Readers:
    """Looks at one reader after the other; what happened is taken out with `next`, oldest first."""

    def __init__(self, chips: list, tags) -> None:
        """chips: a driver for each place of the table; tags: an table.tags.Tags."""
        count = len(chips)
        self.chips = chips
        self.tags = tags
        self.faulty = 0  # a bit for each silent reader, bit 0 for place 1 (T13)
        self.jammer = 0  # the place of a reader that drives the data line all the time, so that no other is heard
        self.sweeps = 0
        self.lost = 0  # posts that found the ring full: a fault that is shown
        self._uid = [bytearray(10) for _ in chips]  # what is believed, or about to be
        self._reads = bytearray(count)  # equal reads so far, up to READS_TO_BELIEVE
        self._misses = bytearray(count)
        self._silences = bytearray(count)
        self._crowded = bytearray(count)
        self._ring = bytearray(3 * RING)  # rows of what, place, card
        self._first = 0
        self._held = 0
        self.what = 0
        self.place = 0
        self.card = 0

    def start(self) -> None:
        """Start every reader; one that does not answer rightly is a fault, not the end (T13)."""
        heard = 0
        place = 0
        for index in range(len(self.chips)):
            if self.chips[index].start():
                heard += 1
                place = index + 1
            else:
                self.faulty |= 1 << index
        # Copies are common that never let go of the line (HARDWARE): such a one is heard, and nobody else.
        if self.faulty and heard == 1 and self.chips[0].idle() != _LET_GO:
            self.jammer = place

    async def look(self, index: int) -> None:
        """Poll the reader at `index` (from 0) once and draw the conclusions."""
        chip = self.chips[index]
        if self.faulty >> index & 1:
            if (self.sweeps + index) % SWEEPS_TO_RETRY or not chip.start():
                await asyncio.sleep_ms(_FAULT_MS)
                return
        elif not self._reads[index] and (self.sweeps + index) % SWEEPS_TO_RENEW == 0 and not chip.start():
            self.faulty |= 1 << index
            return
        answer = await chip.poll(self.expected(index))
        if answer != SILENT and self.faulty:
            self.faulty &= ~(1 << index)
            if not self.faulty:
                self.jammer = 0
        self.conclude(index, answer, chip.uid)

    def expected(self, index: int) -> "bytearray | None":
        """The tag that lies here: a driver that knows it looks for no second one, so now and then it is not told."""
        if not self._reads[index] or self._crowded[index]:
            return None
        return self._uid[index] if (self.sweeps + index) % SWEEPS_TO_RECOUNT else None

    def conclude(self, index: int, answer: int, uid) -> None:
        """What one poll means. `uid`: ten bytes, zero padded, good only with PRESENT."""
        if answer == SILENT:
            self._silences[index] = min(SILENCES_TO_FAULT, self._silences[index] + 1)
            if self._silences[index] == SILENCES_TO_FAULT:
                self.faulty |= 1 << index
            return
        self._silences[index] = 0
        if answer == EMPTY:
            self.miss(index)
            return
        self._misses[index] = 0
        if answer == PRESENT:
            self.clear(index)
            self.hit(index, uid)
        elif answer == MANY and not self._crowded[index]:
            self._crowded[index] = 1
            self.post(CROWDED, index, STRANGER)

    def clear(self, index: int) -> None:
        """One tag, or none."""
        if self._crowded[index]:
            self._crowded[index] = 0
            self.post(CLEARED, index, STRANGER)

    def hit(self, index: int, uid) -> None:
        """A tag was read; the second equal read is believed. Another tag means that the first has left."""
        if self._reads[index] and self._uid[index] == uid:
            if self._reads[index] < READS_TO_BELIEVE:
                self._reads[index] += 1
                if self._reads[index] == READS_TO_BELIEVE:
                    self.post(CAME, index, self.tags.find(uid))
            return
        if self._reads[index] >= READS_TO_BELIEVE:
            self.post(LEFT, index, self.tags.find(self._uid[index]))
        self._uid[index][:] = uid
        self._reads[index] = 1

    def miss(self, index: int) -> None:
        """A clean miss; the fifth in a row means that the tag has left."""
        if not self._reads[index] and not self._crowded[index]:
            return
        self._misses[index] += 1
        if self._misses[index] >= MISSES_TO_LEAVE:
            self.clear(index)
            if self._reads[index] >= READS_TO_BELIEVE:
                self.post(LEFT, index, self.tags.find(self._uid[index]))
            self._reads[index] = 0
            self._misses[index] = 0

    def uid(self, place: int) -> bytearray:
        """The tag that lies, or lay last, on the reader of that place: ten bytes, zero padded."""
        return self._uid[place - 1]

    def post(self, what: int, index: int, card: int) -> None:
        """Into the ring; if it is full the post is lost and counted."""
        if self._held == RING:
            self.lost += 1
            return
        at = 3 * ((self._first + self._held) % RING)
        self._ring[at] = what
        self._ring[at + 1] = index + 1
        self._ring[at + 2] = card
        self._held += 1

    def next(self) -> bool:
        """Take the oldest post out into `what`, `place` (1..7) and `card`; False if there is none."""
        if not self._held:
            return False
        at = 3 * self._first
        self.what = self._ring[at]
        self.place = self._ring[at + 1]
        self.card = self._ring[at + 2]
        self._first = (self._first + 1) % RING
        self._held -= 1
        return True
