"""A sweep over the table's readers leaves no garbage, so an idle table collects none."""

import asyncio
import gc

from cardtable.drivers import mfrc522
from cardtable.table.readers import Readers
from cardtable.table.tags import Tags

from tests.drivers.test_mfrc522_heap import ATQA, LEVELS, NOBODY, SAK, SAK_GOES_ON, Chip

RUNS_ON = "micropython"  # CPython has no such heap

KNOWN = [ATQA, SAK_GOES_ON, SAK]
READ_TWICE = [ATQA, LEVELS[0], SAK_GOES_ON, LEVELS[1], SAK] + KNOWN


def test_sweeps_allocate_nothing():
    async def sweep(readers, sweeps: int) -> None:
        end = readers.sweeps + sweeps
        while readers.sweeps < end:
            index = readers.take_turn()
            chip = readers.begin(index)
            readers.end(index, await chip.poll(readers.expected(index)))

    async def task() -> int:
        wires = [Chip([NOBODY]), Chip([NOBODY]), Chip(READ_TWICE)]
        tags = Tags()
        tags.append(b"\x04\xa2\x3b\x1c\x5d\x6e\x80\0\0\0", 3)
        readers = Readers([mfrc522.Mfrc522(wire, wire) for wire in wires], tags)
        for chip in readers.chips:
            assert chip.start()
        wires[2].asked = 0
        await sweep(readers, 2)
        assert readers.next() and readers.place == 3
        wires[2].answers = KNOWN
        wires[2].asked = 0
        readers.sweeps = 38  # no watch, no restart and no second look for another tag in the next sweeps
        await sweep(readers, 1)
        taken = []
        for sweeps in (1, 5):  # this loop's own coroutine is the same in both
            gc.collect()
            gc.disable()
            before = gc.mem_alloc()
            await sweep(readers, sweeps)
            taken.append(gc.mem_alloc() - before)
            gc.enable()
        assert not readers.faulty and not readers.next()
        return taken[1] - taken[0]

    left = asyncio.run(task())
    assert left == 0, left
