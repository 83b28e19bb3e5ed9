"""A bare reader program for the tests of the chip models: registers only, nothing of our driver.

Written from the MFRC522 data sheet and ISO/IEC 14443-3 to show what a correct driver gets from the model.
"""

import random
from dataclasses import dataclass

import pytest

from host_tools.virtual.chips import mfrc522_registers as r
from host_tools.virtual.chips.crc_a import with_crc
from host_tools.virtual.chips.iso14443a import Field, Tag
from host_tools.virtual.chips.mfrc522 import Mfrc522

BUS_US = 28


@dataclass
class Received:
    """What one Transceive left behind: `data` and `bits` of the reply, and the registers after it."""

    data: bytes
    bits: int
    irq: int
    error: int
    coll: int
    wait_us: int


class GarbledError(Exception):
    """A reply that does not belong here: the read is given up."""


class RawReader:
    """Reads and writes registers of one chip; every SPI transaction takes 28 us."""

    garbled = GarbledError

    def __init__(self, chip: Mfrc522) -> None:
        self.chip = chip
        self.field = chip.field
        self.now_us = 1_000

    def frame(self, mosi: bytes) -> bytes:
        self.chip.select(self.now_us)
        miso = self.chip.exchange(mosi, self.now_us)
        self.now_us += BUS_US
        self.chip.deselect(self.now_us)
        assert miso is not None
        return miso

    def write(self, address: int, *values: int) -> None:
        self.frame(bytes((address << 1,)) + bytes(values))

    def read(self, address: int) -> int:
        return self.frame(bytes((0x80 | address << 1, 0)))[1]

    def read_fifo(self, count: int) -> bytes:
        return self.frame(bytes((0x80 | r.FIFO_DATA << 1,)) * count + b"\x00")[1:]

    def sleep(self, us: int) -> None:
        self.now_us += us

    def set_up(self) -> None:
        """Type A at 106 kbit/s, a timer of 1 ms that starts after each frame sent."""
        self.write(r.TX_ASK, 0x40)
        self.write(r.MODE, 0x3D)
        self.write(r.T_MODE, 0x80)
        self.write(r.T_PRESCALER, 169)      # 339 periods of 13.56 MHz: 25 us
        self.write(r.T_RELOAD_HIGH, 0)
        self.write(r.T_RELOAD_LOW, 39)
        self.write(r.COLL, 0x00)
        self.antenna(True)

    def lay(self, *uids: bytes) -> list[Tag]:
        """New tags on the antenna, long enough to hear."""
        tags = [Tag(uid) for uid in uids]
        for tag in tags:
            self.field.put(tag, self.now_us)
        self.sleep(5_000)
        return tags

    def antenna(self, on: bool) -> None:
        self.write(r.TX_CONTROL, 0x83 if on else 0x80)
        self.sleep(5_100)

    def send(self, data: bytes, last_bits: int = 0, align: int = 0) -> None:
        """Start a Transceive; what it brings is not awaited."""
        self.write(r.COMMAND, r.IDLE)
        self.write(r.COM_IRQ, 0x7F)
        self.write(r.FIFO_LEVEL, 0x80)
        self.write(r.FIFO_DATA, *data)
        self.write(r.BIT_FRAMING, align << 4 | last_bits)
        self.write(r.COMMAND, r.TRANSCEIVE)
        self.write(r.BIT_FRAMING, 0x80 | align << 4 | last_bits)

    def transceive(self, data: bytes, last_bits: int = 0, align: int = 0) -> Received:
        self.send(data, last_bits, align)
        start_us = self.now_us
        while not self.read(r.COM_IRQ) & (r.RX_IRQ | r.TIMER_IRQ):
            assert self.now_us - start_us < 20_000, "neither a reply nor the timer"
        wait_us = self.now_us - start_us
        irq, error, coll = self.read(r.COM_IRQ), self.read(r.ERROR), self.read(r.COLL)
        count = self.read(r.FIFO_LEVEL)
        last = self.read(r.CONTROL) & 7
        received = self.read_fifo(count)
        bits = count * 8 - (8 - last if last and count else 0)
        return Received(received, bits, irq, error, coll, wait_us)

    def request(self, code: int) -> Received:
        return self.transceive(bytes((code,)), last_bits=7)

    def anticollision(self, level: int, part: int = 0, known: int = 0) -> Received:
        """One bit-oriented frame: `known` bits of `part` are told, the tags complete them."""
        told = part.to_bytes(5, "little")[:(known + 7) // 8]
        nvb = (2 + known // 8) << 4 | known % 8
        return self.transceive(bytes((level, nvb)) + told, known % 8, known % 8)

    def resolve(self, level: int) -> bytes:
        """UID CLn and BCC of one tag, taking 1 wherever tags differ (ISO/IEC 14443-3, 6.5.3.1)."""
        part, known = 0, 0
        while True:
            reply = self.anticollision(level, part, known)
            if not reply.irq & r.RX_IRQ or reply.error & ~r.COLL_ERR:
                raise GarbledError(f"no clean reply: {reply}")
            shifted = int.from_bytes(reply.data, "little") << known // 8 * 8
            part |= shifted & (1 << 40) - (1 << known)
            if not reply.error & r.COLL_ERR:
                return part.to_bytes(5, "little")
            position = (reply.coll & 0x1F or 32) + known // 8 * 8   # CollPos counts bits of the FIFO
            if reply.coll & 0x20 or not known < position <= 32:
                raise GarbledError(f"no progress after {known} bits: {reply}")
            known = position
            part = part & (1 << known) - 1 | 1 << known - 1

    def select(self, level: int, part: bytes) -> Received:
        return self.transceive(with_crc(bytes((level, 0x70)) + part))

    def read_uid(self) -> bytes:
        """The UID of one tag that is in READY, all cascade levels; it is ACTIVE then."""
        uid = b""
        for level in (0x93, 0x95, 0x97):
            part = self.resolve(level)
            sak = self.select(level, part)
            if sak.error or len(sak.data) != 3 or with_crc(sak.data[:1]) != sak.data:
                raise GarbledError(f"no SAK: {sak}")
            if not sak.data[0] & 0x04:
                return uid + part[:4]
            uid += part[1:4]
        raise GarbledError("a fourth cascade level")

    def halt(self) -> Received:
        return self.transceive(with_crc(b"\x50\x00"))

    def walk(self, code: int, most: int = 9) -> list[bytes]:
        """UIDs until no tag answers the request `code`, or `most` of them; each tag is sent to HALT."""
        uids: list[bytes] = []
        while len(uids) < most and self.request(code).irq & r.RX_IRQ:
            uids.append(self.read_uid())
            self.halt()
        return uids


@pytest.fixture
def field() -> Field:
    return Field(random.Random(1))


@pytest.fixture
def bare(field: Field) -> RawReader:
    """A chip as it comes out of reset."""
    return RawReader(Mfrc522(field, random.Random(2)))


@pytest.fixture
def reader(bare: RawReader) -> RawReader:
    """A chip set up for type A, with its field up for 5.1 ms."""
    bare.set_up()
    return bare
