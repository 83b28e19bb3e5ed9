"""Measures the table's own wires and readers, with a card on each in turn, and keeps what it found on the flash.

The doctor does it if it is asked to; in memory only meanwhile. Wrong bytes by clock, reads of a hundred by gain, how
long a card that lies there is missed or unreadable, which neighbours see it; lines that screens lose by clock, which
tell how fast the wires of their bus rise.
"""

import asyncio
import os
import time

from cardtable.answers import GARBLED, MANY, PRESENT
from cardtable.between.doctor import READ_LOOKS, WEAK
from cardtable.between.learned import FILE, MOST_GAIN, Learned, read
from cardtable.between.reader_care import MOST_HALVINGS, set_clock
from cardtable.rooms import load
from cardtable.table.readers import AWAY_MS, GARBLED_TO_TELL, MOST_AWAY_MS, MOST_GARBLED
from cardtable.table.screen import SLOW_FREQ

NEW = "learned.tmp"  # until the file is whole
PARTS, FRAMES = 8, 8  # frames of settings, for each reader and clock: seven readers give 2,688 bytes
BYTES = 6  # settings in a frame
MOST_WRONG = 10  # bytes in ten thousand, at which a bus is good
WATCH_LOOKS = 160  # for how long a card is missed; eight seconds
WATCH_MS = 50  # between two
LONG_MS = 400  # cards are missed for less now and then
MARGIN = 8  # times the longest that was seen
TWICE = 2  # as many looks as ever could not read a card in a row: it is called unreadable only then
BLEED_LOOKS = 16
CLEARLY = 2  # reads more in a hundred
LOW_GAIN = 4  # of an MFRC522: below it nobody reads through wood
LINES = 24  # that are sent to each screen at each clock
MOST_LOST = 1  # of them, over all screens
FAST_NS, SLOW_NS = 300, 1000  # UM10204: above 100 kHz lines of I2C may rise in 300 ns, else in 1,000


class Learner:
    """What one examination learns; `doctor` says it."""

    def __init__(self, doctor, date: str) -> None:
        """date: of today, in words, from the computer that asks: a table has no clock."""
        self.doctor = doctor
        self.readers = doctor.readers
        self.chips = doctor.readers.chips
        self.found = Learned(len(self.chips))
        self.found.date = date
        # A reader on which no card is laid today keeps what it has, and the table the patience that it may need.
        self._before = read(len(self.chips)) or Learned(len(self.chips))
        self.found.reads = list(self._before.reads)
        self._measured = 0  # readers, by their bits
        for index in range(len(self.chips)):
            self.found.gains[index] = self.chips[index].gain
        self._longest_ms = 0
        self._garbled = 0  # the most looks in a row that could not read a card, of readers that read well
        self._said: list = []

    def tell(self, key: str, values: tuple) -> None:
        """The doctor says it, and it is kept."""
        self._said.append(self.doctor.find(key, values))
        self.doctor.tell(key, values)

    def report(self, key: str, values: tuple, place: int = 0) -> None:
        """The same, of something that is wrong."""
        self._said.append(self.doctor.find(key, values))
        self.doctor.report(key, values, place)

    def measure_bus(self) -> None:
        """Wrong bytes at each clock, and the fastest one that is good. At twice the board file's clock they tell what
        there is to spare."""
        working = [chip for index, chip in enumerate(self.chips) if self.doctor.works >> index & 1]
        if not self.readers.buses or not working:
            return
        chosen = -1
        first = kept = 0
        full_khz = self.readers.buses[0][1] // 1000
        for halvings in range(MOST_HALVINGS + 1):
            set_clock(self.readers, halvings)
            share = self.count_wrong(working)
            self.tell("learn_clock", (full_khz >> halvings, share))
            if not halvings:
                first = share
            if chosen < 0 and share <= MOST_WRONG:
                chosen, kept = halvings, share
        if chosen < 0:
            chosen, kept = MOST_HALVINGS, share
        spare = MOST_WRONG + 1
        if not chosen:
            for spi, baudrate in self.readers.buses:
                spi.init(baudrate=2 * baudrate)
            spare = self.count_wrong(working)
        set_clock(self.readers, chosen)
        for chip in working:
            chip.start()
        self.found.halvings = chosen
        if chosen:
            self.report("learn_slow", (first, full_khz, full_khz >> chosen, kept))
        else:
            self.tell("learn_spare" if spare <= MOST_WRONG else "learn_tight", (2 * full_khz, spare))

    def count_wrong(self, working: list) -> int:
        """Wrong bytes in ten thousand of these readers' settings, at the clock that their bus has."""
        wrong = asked = 0
        for chip in working:
            self.doctor.feed_watchdog()
            for _ in range(PARTS):
                chip.start()  # a wrong bit may turn a question into a write
                wrong += chip.read_back(FRAMES)
                asked += BYTES * FRAMES
        return 10000 * wrong // asked

    def measure_screens(self) -> None:
        """Lines that screens lose at their bus's own clock and at the slower one; from these, how fast its wires
        rise."""
        screen = self.doctor.screen
        glasses = [glass for index, glass in enumerate(screen.glasses) if not self.doctor.silent >> index & 1]
        if not glasses:
            return
        count = LINES * len(glasses)
        is_fast = screen.freq > SLOW_FREQ
        screen.set_clock(screen.freq, False)
        lost = slow_lost = self.count_lost(glasses)
        if is_fast:
            screen.set_clock(SLOW_FREQ, False)
            slow_lost = self.count_lost(glasses)
        if is_fast and lost > MOST_LOST and slow_lost < lost:
            self.found.freq = SLOW_FREQ
        else:
            screen.set_clock(screen.freq, False)
        for glass in glasses:
            glass.power_up()
        self.tell("learn_lines", (screen.freq // 1000, lost, count))
        if is_fast:
            self.tell("learn_lines", (SLOW_FREQ // 1000, slow_lost, count))
        limit_ns = FAST_NS if is_fast else SLOW_NS
        if lost <= MOST_LOST:
            self.tell("learn_rises", (limit_ns,))
        elif slow_lost > MOST_LOST:
            self.report("learn_rises_late", (SLOW_NS,))
        else:
            self.report("learn_rises_slowly", (limit_ns, SLOW_NS, SLOW_FREQ // 1000))

    def count_lost(self, glasses: list) -> int:
        """How many of LINES lines each screen did not take."""
        lost = 0
        for glass in glasses:
            self.doctor.feed_watchdog()
            for _ in range(LINES):
                glass.remind(0)
                glass.refresh()
                lost += not glass.answers
        return lost

    async def measure_reader(self, index: int) -> None:
        """Everything of the reader on which the card lies; says nothing before the end, for then the card goes."""
        chip = self.chips[index]
        place = index + 1
        gain = chip.gain
        count = most = await self.count(chip)
        missed_ms, misses, garbled = await self.find_misses(chip)
        hovers = missed_ms > LONG_MS and misses < WATCH_LOOKS // 20  # it is missed for long, and for long alone
        low = -1
        if count < WEAK and not hovers:
            most = await self.raise_gain(chip, count)
        elif not hovers and chip.gain > LOW_GAIN:
            low = await self.try_gain(chip, LOW_GAIN)
        if count >= WEAK:
            self._garbled = max(self._garbled, garbled)
        bleeds = await self.find_bleed(index)
        self.found.gains[index] = chip.gain
        self.found.reads[index] = most
        self._measured |= 1 << index
        if hovers:
            self._longest_ms = max(self._longest_ms, missed_ms)
            self.report("learn_misses", (place, missed_ms), place)
        elif most < WEAK:
            self.report("reader_weak", (place, most), place)
        elif chip.gain != gain:
            self.report("learn_gain", (place, count, gain, most, chip.gain), place)
        else:
            self.tell("card_seen", (place, most))
        if low >= 0:
            self.tell("learn_reader_spare" if low >= WEAK else "learn_reader_tight", (place, LOW_GAIN, low))
        for other, reads in bleeds:
            self.report("learn_bleed", (place, other + 1, reads, BLEED_LOOKS), place)

    async def try_gain(self, chip, gain: int) -> int:
        """How many of a hundred looks read the card at another gain."""
        own, chip.gain = chip.gain, gain
        chip.start()
        count = await self.count(chip)
        chip.gain = own
        chip.start()
        return count

    async def raise_gain(self, chip, most: int) -> int:
        """Give it the gain at which it reads most, and clearly more than `most`; how many of a hundred that are."""
        best = chip.gain
        for gain in range(MOST_GAIN, LOW_GAIN - 1, -1):
            reads = await self.try_gain(chip, gain)
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
        """For how long, in ms, the card was missed at most and came back; how many looks missed it for less than
        LONG_MS; and how many in a row could not read it."""
        longest_ms = short = run = garbled = most_garbled = 0
        seen_ms = time.ticks_ms()
        for _ in range(WATCH_LOOKS):
            self.doctor.feed_watchdog()
            answer = await chip.poll(None)
            garbled = garbled + 1 if answer == GARBLED else 0
            most_garbled = max(most_garbled, garbled)
            if answer in (PRESENT, MANY):
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
        return longest_ms, short, most_garbled

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
        self.found.garbled = min(MOST_GARBLED, max(self.found.garbled, TWICE * self._garbled))
        reads = self._before.reads
        if any(reads[index] >= 0 and not self._measured >> index & 1 for index in range(len(reads))):
            self.found.away_ms = max(self.found.away_ms, self._before.away_ms)
            self.found.garbled = max(self.found.garbled, self._before.garbled)
        try:
            write(self.found, self._said)
            weak = load("between", "weak")
            weak.write([row for row in weak.read(len(reads)) if not self._measured >> row[0] - 1 & 1])
        except OSError:
            self.doctor.report("flash_write")
            return
        self.doctor.tell("learn_kept", (self.found.away_ms,))


def write(found: Learned, said: "list | tuple" = ()) -> None:
    """Put it on the flash, whole or not at all, with the sentences that were said of it. OSError."""
    with open(NEW, "w") as file:
        file.write("date %s\nhalvings %d\naway_ms %d\n" % (found.date or "unknown", found.halvings, found.away_ms))
        if found.garbled > GARBLED_TO_TELL:
            file.write("garbled %d\n" % found.garbled)
        if found.freq:
            file.write("screen %d\n" % found.freq)
        for index in range(len(found.reads)):
            if found.reads[index] >= 0:
                file.write("reader %d gain %d reads %d\n" % (index + 1, found.gains[index], found.reads[index]))
        for sentence in said:
            file.write("; %s\n" % sentence)
    os.rename(NEW, FILE)
