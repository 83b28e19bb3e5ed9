"""Measures the table's own wires and readers, with a card on each in turn, and keeps what it found on the flash.

The doctor does it if it is asked to; in memory only meanwhile. Wrong bytes by clock, reads of a hundred by gain, how
long a card that lies there is missed, which neighbours see it.
"""

import asyncio
import time

from cardtable.answers import MANY, PRESENT
from cardtable.between.doctor import READ_LOOKS, WEAK
from cardtable.between.learned import MOST_GAIN, Learned, write
from cardtable.between.reader_care import MOST_HALVINGS, set_clock
from cardtable.rooms import load
from cardtable.table.readers import AWAY_MS, MOST_AWAY_MS

PARTS, FRAMES = 8, 8  # frames of settings, for each reader and clock: seven readers give 2,688 bytes
BYTES = 6  # settings in a frame
MOST_WRONG = 10  # bytes in ten thousand, at which a bus is good
WATCH_LOOKS = 160  # for how long a card is missed; eight seconds
WATCH_MS = 50  # between two
LONG_MS = 400  # cards are missed for less now and then
MARGIN = 8  # times the longest that was seen
BLEED_LOOKS = 16
CLEARLY = 2  # reads more in a hundred
LOW_GAIN = 4  # of an MFRC522: below it nobody reads through wood


class Learner:
    """What one examination learns; `doctor` says it."""

    def __init__(self, doctor, date: str) -> None:
        """date: of today, in words, from the computer that asks: a table has no clock."""
        self.doctor = doctor
        self.readers = doctor.readers
        self.chips = doctor.readers.chips
        self.found = Learned(len(self.chips))
        self.found.date = date
        for index in range(len(self.chips)):
            self.found.gains[index] = self.chips[index].gain
        self._longest_ms = 0

    def measure_bus(self) -> None:
        """Wrong bytes at each clock, and the fastest one that is good."""
        working = [chip for index, chip in enumerate(self.chips) if self.doctor.works >> index & 1]
        if not self.readers.buses or not working:
            return
        chosen = -1
        first = kept = 0
        full_khz = self.readers.buses[0][1] // 1000
        for halvings in range(MOST_HALVINGS + 1):
            set_clock(self.readers, halvings)
            wrong = asked = 0
            for chip in working:
                self.doctor.feed_watchdog()
                for _ in range(PARTS):
                    chip.start()  # a wrong bit may turn a question into a write
                    wrong += chip.read_back(FRAMES)
                    asked += BYTES * FRAMES
            share = 10000 * wrong // asked
            self.doctor.tell("learn_clock", (full_khz >> halvings, share))
            if not halvings:
                first = share
            if chosen < 0 and share <= MOST_WRONG:
                chosen, kept = halvings, share
        if chosen < 0:
            chosen = MOST_HALVINGS
        set_clock(self.readers, chosen)
        for chip in working:
            chip.start()
        self.found.halvings = chosen
        if chosen:
            self.doctor.report("learn_slow", (first, full_khz, full_khz >> chosen, kept))

    async def measure_reader(self, index: int) -> None:
        """Everything of the reader on which the card lies; says nothing before the end, for then the card goes."""
        chip = self.chips[index]
        place = index + 1
        gain = chip.gain
        count = most = await self.count(chip)
        missed_ms, misses = await self.find_misses(chip)
        hovers = missed_ms > LONG_MS and misses < WATCH_LOOKS // 20  # it is missed for long, and for long alone
        if count < WEAK and not hovers:
            most = await self.raise_gain(chip, count)
        bleeds = await self.find_bleed(index)
        self.found.gains[index] = chip.gain
        self.found.reads[index] = most
        if hovers:
            self._longest_ms = max(self._longest_ms, missed_ms)
            self.doctor.report("learn_misses", (place, missed_ms), place)
        elif most < WEAK:
            self.doctor.report("reader_weak", (place, most), place)
        elif chip.gain != gain:
            self.doctor.report("learn_gain", (place, count, gain, most, chip.gain), place)
        else:
            self.doctor.tell("card_seen", (place, most))
        for other, reads in bleeds:
            self.doctor.report("learn_bleed", (place, other + 1, reads, BLEED_LOOKS), place)

    async def raise_gain(self, chip, most: int) -> int:
        """Give it the gain at which it reads most, and clearly more than `most`; how many of a hundred that are."""
        best = chip.gain
        for gain in range(MOST_GAIN, LOW_GAIN - 1, -1):
            chip.gain = gain
            chip.start()
            reads = await self.count(chip)
            if reads > most + CLEARLY:
                best, most = gain, reads
        chip.gain = best
        chip.start()
        return most

    async def count(self, chip) -> int:
        """How many of a hundred looks read the card."""
        count = 0
        for _ in range(READ_LOOKS):
            self.doctor.feed_watchdog()
            count += await chip.poll(None) in (PRESENT, MANY)
        return count

    async def find_misses(self, chip) -> tuple:
        """For how long, in ms, the card was missed at most and came back; and how many looks missed it for less than
        LONG_MS."""
        longest_ms = short = run = 0
        seen_ms = time.ticks_ms()
        for _ in range(WATCH_LOOKS):
            self.doctor.feed_watchdog()
            if await chip.poll(None) in (PRESENT, MANY):
                now_ms = time.ticks_ms()
                gone_ms = time.ticks_diff(now_ms, seen_ms) - WATCH_MS
                longest_ms = max(longest_ms, gone_ms)
                if gone_ms <= LONG_MS:
                    short += run
                run = 0
                seen_ms = now_ms
            else:
                run += 1
            await asyncio.sleep_ms(WATCH_MS)
        return longest_ms, short

    async def find_bleed(self, index: int) -> list:
        """(reader, looks) of each other one that reads this card."""
        uid = bytes(self.chips[index].uid)
        found = []
        for other in range(len(self.chips)):
            if other == index or not self.doctor.works >> other & 1:
                continue
            chip = self.chips[other]
            reads = 0
            for _ in range(BLEED_LOOKS):
                self.doctor.feed_watchdog()
                reads += await chip.poll(None) == PRESENT and chip.uid == uid
            if reads:
                found.append((other, reads))
        return found

    def conclude(self) -> None:
        """Keep it, with what it means for the table."""
        self.found.away_ms = min(MOST_AWAY_MS, max(AWAY_MS, MARGIN * self._longest_ms))
        try:
            write(self.found)
            load("between", "weak").write([])  # what was weak is measured now
        except OSError:
            self.doctor.report("flash_write")
            return
        self.doctor.tell("learn_kept", (self.found.away_ms,))
