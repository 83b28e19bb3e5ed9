"""The PN532 driver under MicroPython: it reads as on the host, and a poll leaves little on the heap."""

import asyncio
import gc

from cardtable.answers import EMPTY, GARBLED, MANY, PRESENT
from cardtable.drivers import pn532

RUNS_ON = "micropython"  # CPython has no such heap; what the driver promises is tested against the model there

UID = b"\x04\xa2\x3b\x1c\x5d\x6e\x80"
STATUS_READ = 0x40  # 2, its lowest bit first
TARGET = b"\x01\x00\x44\x00\x07" + UID


def reversed_bits(data: bytes) -> bytes:
    return bytes([pn532._REVERSED[byte] for byte in data])


class Chip:
    """Answers each command with what `answers` has for it; always ready."""

    def __init__(self, answers) -> None:
        self.answers = answers
        self.packets = []

    def value(self, level) -> None:
        pass

    def write(self, wire) -> None:
        command = reversed_bits(wire)[7]
        body = b"\xd5" + bytes([command + 1]) + self.answers.get(command, b"")
        check = bytes([-sum(body) & 0xFF])
        self.packets = [b"\0\0\xff\0\xff\0", b"\0\0\xff" + bytes([len(body), 256 - len(body)]) + body + check]

    def write_readinto(self, wire, into) -> None:
        data = b"\x01" if wire[0] == STATUS_READ else self.packets.pop(0)
        for i in range(1, len(into)):
            into[i] = pn532._REVERSED[data[i - 1]] if i <= len(data) else 0


def started(listed: bytes):
    chip = Chip({0x02: b"\x32\x01\x06\x07", 0x4A: listed})
    reader = pn532.Pn532(chip, chip)
    assert reader.start() and reader.version == 0x32
    return reader


def test_a_bit_reversed_twice_is_itself():
    assert reversed_bits(reversed_bits(bytes(range(256)))) == bytes(range(256))
    assert pn532._REVERSED[0x01] == 0x80 and pn532._REVERSED[0xD4] == 0x2B


def test_polls_under_micropython():
    for listed, result in ((b"\x00", EMPTY), (b"\x01" + TARGET, PRESENT),
                           (b"\x02" + TARGET + b"\x02" + TARGET[1:], MANY), (b"\x03", GARBLED),
                           (b"\x01" + TARGET[:6], GARBLED)):
        reader = started(listed)
        assert asyncio.run(reader.poll()) == result
        if result == PRESENT:
            assert bytes(reader.uid) == UID + b"\0\0\0" and reader.uid_length == 7


def test_a_poll_allocates_little():
    reader = started(b"\x01" + TARGET)
    chip_bytes = 0

    async def task() -> int:
        nonlocal chip_bytes
        for _ in range(2):
            await reader.poll()
        gc.collect()
        gc.disable()
        before = gc.mem_alloc()
        for _ in range(10):
            reader._transmit(pn532._LIST)  # what the fake chip itself takes, three commands a poll
            reader._transmit(pn532._LIST)
            reader._transmit(pn532._LIST)
        chip_bytes = gc.mem_alloc() - before
        before = gc.mem_alloc()
        for _ in range(10):
            await reader.poll()
        after = gc.mem_alloc()
        gc.enable()
        return after - before

    used = asyncio.run(task()) - chip_bytes
    # Pointers here are twice as wide as an ESP32's.
    assert used <= 10 * 2 * 1024, used
