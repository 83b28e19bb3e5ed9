"""Readers whose chips answer as a test says, on a clock of the test's own."""

import asyncio

import cardtable.table.readers as readers_module
from cardtable.answers import PRESENT, SILENT
from cardtable.between import reader_care
from cardtable.table.readers import AWAY_MS, LIFTED, Readers
from cardtable.table.tags import Tags

SIX = bytes([4, 1, 2, 3, 4, 5, 6, 0, 0, 0])
KING = bytes([4, 1, 2, 3, 4, 5, 7, 0, 0, 0])
STRANGE = bytes([9, 9, 9, 9, 0, 0, 0, 0, 0, 0])


class Chip:
    """A reader that starts, or does not, and gives one answer after the other; it keeps what it was told to expect."""

    def __init__(self, starts: bool = True):
        self.starts = starts
        self.uid = bytearray(10)
        self.answers = []
        self.told = []
        self.starts_counted = 0
        self.line = 0xFF
        self.fault = SILENT
        self.polls = self.reads = self.garbled = self.silent = self.restarts = 0
        self.wrong = 0

    def read_back(self, frames: int) -> int:
        return self.wrong

    def idle(self) -> int:
        return self.line

    def start(self) -> bool:
        self.starts_counted += 1
        return self.starts

    def warm(self) -> bool:
        return False

    async def poll(self, known) -> int:
        self.told.append(bytes(known) if known else None)
        self.polls += 1
        answer = self.answers.pop(0)
        self.silent += answer == SILENT
        if isinstance(answer, bytes):
            self.uid[:] = answer
            return PRESENT
        return answer


class Time:
    """A driver's pauses."""

    def sleep_us(self, wait_us: int) -> None:
        assert 100 < wait_us <= 5000


class Ticks:
    """The clock of the readers: a look at one of them takes SWEEP_MS here."""

    now_ms = 0

    def ticks_ms(self) -> int:
        return self.now_ms

    def ticks_diff(self, end: int, start: int) -> int:
        return end - start
# The private numbers of cardtable.table.readers, in sweeps; a sweep takes 47 to 100 ms.
SWEEP_MS = 77
MISSES_TO_FREE = 5
AWAY = AWAY_MS // SWEEP_MS + 2
SILENCES_TO_FAULT = 3
SWEEPS_TO_RETRY = SWEEPS_TO_RECOUNT = 8
SWEEPS_TO_RENEW = RING = 32
SWEEPS_TO_WATCH = 256
SILENCES_TO_RESET = (6, 13, 23, 43, 83, 163)
reader_care.time = Time()
ticks = Ticks()


def make(count: int = 2) -> Readers:
    """Readers with a deck of two tags."""
    tags = Tags()
    tags.load(["04010203040506 6S\n", "04010203040507 KD\n"])
    return Readers([Chip() for _ in range(count)], tags)


def conclude(readers: Readers, index: int, answer: int, uid: bytes, sweep_ms: int = SWEEP_MS) -> None:
    """One answer, a sweep later."""
    ticks.now_ms += sweep_ms
    kept, readers_module.time = readers_module.time, ticks
    try:
        readers.conclude(index, answer, uid)
    finally:
        readers_module.time = kept


def feed(readers: Readers, answers: list, index: int = 0) -> list:
    """What is posted when these answers come from one reader: [what, place, card] each."""
    for answer in answers:
        if isinstance(answer, bytes):
            conclude(readers, index, PRESENT, answer)
        else:
            conclude(readers, index, answer, bytes(10))
    return take(readers)


def take(readers: Readers) -> list:
    """Everything in the ring but LIFTED, which only concerns lights."""
    posts = []
    while readers.next():
        if readers.what != LIFTED:
            posts.append([readers.what, readers.place, readers.card])
    return posts


def look(readers: Readers, sweeps: int) -> list:
    """So many sweeps over the readers: everything that was posted."""
    kept = readers_module.time
    readers_module.time = ticks  # CPython's has no ticks
    end = readers.sweeps + sweeps
    try:
        while True:
            before = readers.sweeps
            index = readers.take_turn()
            ticks.now_ms += SWEEP_MS * (readers.sweeps - before)
            if readers.sweeps >= end:
                readers._turn -= 1  # it is looked at next time
                break
            look_at(readers, index)
    finally:
        readers_module.time = kept
    return take(readers)


def look_at(readers: Readers, index: int) -> None:
    """One look, as main.run has it."""
    chip = readers.begin(index)
    if chip:
        readers.end(index, asyncio.run(chip.poll(readers.expected(index))))
