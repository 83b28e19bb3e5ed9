"""The MFRC522 driver's heap: no poll allocates, and a reader is small."""

import asyncio
import gc

import micropython

from cardtable.answers import EMPTY, GARBLED, PRESENT
from cardtable.drivers import mfrc522

RUNS_ON = "micropython"  # CPython has no such heap

UID = b"\x04\xa2\x3b\x1c\x5d\x6e\x80"
RX_DONE = 0x64
TIMED_OUT = 0x45


class Chip:
    """Answers a frame from a list, without allocating: (length, bytes) each, length 0 for silence."""

    def __init__(self, answers) -> None:
        self.answers = answers
        self.asked = 0
        self.registers = bytearray(128)
        self.registers[0x37 << 1] = 0x92

    def value(self, level) -> None:
        pass

    def write(self, frame) -> None:
        if len(frame) == 2:
            self.registers[frame[0]] = frame[1]

    def write_readinto(self, frame, into) -> None:
        size = len(frame)
        first = frame[0]
        answer = self.answers[self.asked % len(self.answers)]
        if size == 2 and first & 0x80:
            into[1] = self.registers[first & 0x7F] if first != 0x82 else 0
        elif size == 8:
            into[1] = RX_DONE if answer[0] else TIMED_OUT
            into[3] = answer[0]
            into[6] = self.registers[0x2A << 1]
            into[7] = 0x92
            if answer[0] < 3:
                self.asked += 1  # its answer is not fetched
        else:
            for i in range(5):
                into[1 + i] = answer[1][i]
            self.asked += 1


ATQA = (2, b"")
SAK_GOES_ON = (3, b"\x04\xda\x17\0\0")
SAK = (3, b"\x00\xfe\x51\0\0")
LEVELS = ((5, b"\x88\x04\xa2\x3b\x15"), (5, b"\x1c\x5d\x6e\x80\xaf"))
NOBODY = (0, b"")


def started(answers) -> mfrc522.Mfrc522:
    chip = Chip(answers)
    reader = mfrc522.Mfrc522(chip, chip)
    assert reader.start()
    chip.asked = 0  # a start asks for a status, too
    return reader


def look_with_heap_locked(reader, known, result) -> None:
    seen = -1
    reader.poll()
    reader.look(known)
    reader.poll()
    micropython.heap_lock()
    try:
        for _ in range(3):
            seen = reader.look(known)
            reader.field(True)
    finally:
        micropython.heap_unlock()
    assert seen == result, seen


def test_an_idle_look_allocates_nothing():
    look_with_heap_locked(started([NOBODY]), None, EMPTY)


def test_a_first_read_allocates_nothing():
    reader = started([ATQA, LEVELS[0], SAK_GOES_ON, LEVELS[1], SAK])
    look_with_heap_locked(reader, None, PRESENT)
    assert bytes(reader.uid) == UID + b"\0\0\0" and reader.uid_length == 7


def test_a_look_at_a_known_tag_allocates_nothing():
    reader = started([ATQA, SAK_GOES_ON, SAK])
    look_with_heap_locked(reader, UID, PRESENT)
    assert bytes(reader.uid) == UID + b"\0\0\0"


def test_a_garbled_look_allocates_nothing():
    look_with_heap_locked(started([ATQA, (4, b"\0\0\0\0\0")]), None, GARBLED)


def count_bytes(reader, known, polls: int) -> int:
    """What so many whole polls leave on the heap, in a task that awaits them as the firmware does."""
    async def task() -> int:
        for _ in range(2):
            await reader.poll(known)
        gc.collect()
        gc.disable()
        before = gc.mem_alloc()
        for _ in range(polls):
            await reader.poll(known)
        after = gc.mem_alloc()
        gc.enable()
        return after - before

    return asyncio.run(task())


def test_whole_polls_with_their_sleep_allocate_nothing():
    assert count_bytes(started([NOBODY]), None, 20) == 0
    assert count_bytes(started([ATQA, SAK_GOES_ON, SAK]), UID, 20) == 0
    assert count_bytes(started([ATQA, LEVELS[0], SAK_GOES_ON, LEVELS[1], SAK]), None, 20) == 0


def test_a_poll_gives_its_result_and_way_to_other_tasks():
    reader = started([NOBODY, ATQA, SAK_GOES_ON, SAK])
    turns = []

    async def other() -> None:
        while True:
            turns.append(len(results))
            await asyncio.sleep_ms(1)

    results = []

    async def main() -> None:
        task = asyncio.create_task(other())
        for _ in range(4):
            results.append(await reader.poll(UID))
        task.cancel()

    asyncio.run(main())
    assert results == [EMPTY] + [PRESENT] * 3, results
    assert set(turns) >= {0, 1, 2, 3}, turns


def test_a_cancelled_poll_leaves_a_reader_that_can_be_polled():
    reader = started([NOBODY])

    async def poll() -> int:
        return await reader.poll()

    async def main() -> bool:
        task = asyncio.create_task(poll())
        await asyncio.sleep_ms(1)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            reader.field(False)
            return await reader.poll() == EMPTY
        return False

    assert asyncio.run(main())
    assert reader.polls == 1


def test_seven_readers_take_at_most_5_kb():
    chip = Chip([NOBODY])
    gc.collect()
    before = gc.mem_alloc()
    readers = [mfrc522.Mfrc522(chip, chip) for _ in range(7)]
    gc.collect()
    used = gc.mem_alloc() - before
    # Pointers here are twice as wide as an ESP32's.
    assert used <= 2 * 5120, used
    assert len(readers) == 7
