"""A reader of one chip with tags on it, for the tests of its driver."""

import random

from host_tools.lab.bench.reader_rig import Rig
from host_tools.virtual.chips import mfrc522_registers as registers
from host_tools.virtual.chips.iso14443a import Field, Tag

UIDS = tuple(bytes.fromhex(uid) for uid in ("21a4c3f7", "04a23b1c5d6e80", "04a23b1c5d6e80914f77"))


def rig_with(*tags: Tag, **options) -> Rig:
    rig = Rig(**options)
    for tag in tags:
        rig.put(tag)
    return rig


def read_uid(reader) -> bytes:
    assert not any(reader.uid[reader.uid_length :]), "the rest is padding"
    return bytes(reader.uid[: reader.uid_length])


def random_tags(count: int, rng: random.Random) -> list[Tag]:
    """NTAGs: 7 bytes that begin with the maker's 04."""
    return [Tag(b"\x04" + rng.randbytes(6)) for _ in range(count)]


def count_frames(rig: Rig, known=None) -> int:
    frames = rig.bus.frames
    rig.poll(known)
    return rig.bus.frames - frames


def tamper(rig: Rig, register: int, change) -> None:
    """Have the first reader see `change(value, RxAlign)` wherever it reads the register."""
    swap = rig.readers[0]._swap
    send = rig.readers[0]._send
    align = 0

    def send_and_note(mosi):
        nonlocal align
        if mosi[0] == registers.BIT_FRAMING << 1:
            align = mosi[1] >> 4 & 7
        send(mosi)

    def swap_and_change(mosi, into):
        asked = bytes(mosi)
        swap(mosi, into)
        for index, address in enumerate(asked[:-1]):
            if address == 0x80 | register << 1:
                into[index + 1] = change(into[index + 1], align)

    rig.readers[0]._send = send_and_note
    rig.readers[0]._swap = swap_and_change


class Ear:
    """Hears every frame on air, and may alter the n-th answer."""

    def __init__(self, field: Field, alter=None) -> None:
        self.heard: list[tuple[bytes, int]] = []
        self._alter = alter
        self._exchange = field.exchange
        field.exchange = self.exchange  # type: ignore[method-assign]

    def exchange(self, data, bits, end_us):
        self.heard.append((bytes(data), bits))
        reply = self._exchange(data, bits, end_us)
        return self._alter(len(self.heard), reply) if self._alter else reply

    def requests(self) -> list[int]:
        """The short frames."""
        return [data[0] for data, bits in self.heard if bits == 7]
