"""Tags with memory: NXP's NTAG213, NTAG215 and NTAG216.

Section numbers are those of NXP's data sheet NTAG213/215/216. Where it leaves a thing open the model takes the reading
that forgives a driver less: after a NAK the tag has to be selected again, and a page whose write the field did not
outlast holds neither what was there nor what was to be (`torn`): the sheet of the NTAG213F and 216F (rev. 3.1, 10.5)
promises no more than the pages 2 and 3 and that of the dynamic lock bits. Not modelled: passwords, counters, mirrors,
dynamic lock bits, FAST_READ, COMPATIBILITY_WRITE, GET_VERSION.
"""

from collections.abc import Callable

from host_tools.virtual.chips.crc_a import with_crc
from host_tools.virtual.chips.iso14443a import WAKE_US, Tag, request_us

PAGE = 4                # bytes
_READ = 0x30            # 10.2
_WRITE = 0xA2           # 10.4
ACK, NAK_ARGUMENT, NAK_CRC, NAK_EEPROM = 0x0A, 0x00, 0x01, 0x05     # 9.3: four bits each
_WRITE_US = 4_100       # 10.4 gives only the limit, 10 ms; seen are about 4

# 8.5: pages of each kind, byte 2 of its capability container, and what lies in the user memory of a new one: an empty
# message, on the smallest behind a block that says where the lock bits are.
_KINDS = {
    "NTAG213": (45, 0x12, bytes.fromhex("0103a00c340300fe")),
    "NTAG215": (135, 0x3E, bytes.fromhex("0300fe00")),
    "NTAG216": (231, 0x6D, bytes.fromhex("0300fe00")),
}


def erase(old: bytes, new: bytes) -> bytes:
    """What a page holds that was erased and not written any more."""
    return bytes(PAGE)


def text_on(tag: Tag) -> str:
    """The text of the one text record that a tag holds; empty if it holds anything else, or has no memory."""
    memory = bytes(getattr(tag, "memory", b""))[16:]
    if memory[:1] == b"\x01":
        memory = memory[2 + memory[1]:]
    if memory[:1] != b"\x03" or memory[2:4] != b"\xd1\x01" or memory[5:6] != b"T":
        return ""
    payload = memory[6:6 + memory[4]]
    return payload[1 + (payload[0] & 0x3F):].decode("utf-8", "replace") if payload else ""


class Ntag(Tag):
    """One NTAG of that kind with `memory`, as new; `worn` are the pages that its EEPROM does not take any more.
    `torn(old, new)`: what a page holds whose write was cut short, of what was there and what was to be."""

    def __init__(self, uid: bytes, kind: str = "NTAG213", wake_us: int = WAKE_US) -> None:
        super().__init__(uid, wake_us=wake_us)
        if len(uid) != 7:
            raise ValueError(f"the UID of an NTAG has 7 bytes, not {len(uid)}")
        pages, size, message = _KINDS[kind]
        first = 0x88 ^ uid[0] ^ uid[1] ^ uid[2]
        second = uid[3] ^ uid[4] ^ uid[5] ^ uid[6]
        head = uid[:3] + bytes((first,)) + uid[3:] + bytes((second, 0x48, 0, 0, 0xE1, 0x10, size, 0)) + message
        self.memory = bytearray(head.ljust(PAGE * pages, b"\0"))
        self.worn: set[int] = set()
        self.torn: Callable[[bytes, bytes], bytes] = erase
        self._heard_us = 0
        self._written: tuple[int, int, bytes] | None = None     # page, until when it is being written, what was there

    def hold_text(self, text: str) -> None:
        """An NDEF message with one text record in English lies in the user memory, as a phone writes it: short (NDEF
        3.2), behind the block of lock bits where there is one. ValueError if it is too long."""
        payload = b"\x02en" + text.encode()
        message = bytes((0xD1, 1, len(payload))) + b"T" + payload
        at = 16 + 5 * (self.memory[16] == 1)
        if len(message) > 254 or at + len(message) + 3 > len(self.memory) - 5 * PAGE:
            raise ValueError("the tag has no room for that text")
        written = bytes((3, len(message))) + message + b"\xfe"
        self.memory[at:at + len(written)] = written

    def page(self, number: int) -> bytes:
        """The four bytes of that page."""
        return bytes(self.memory[PAGE * number:PAGE * number + PAGE])

    def lock(self, number: int) -> None:
        """Set the static lock bit of a page from 3 to 15 (8.5.2): it cannot be written any more."""
        self.memory[10 + number // 8] |= 1 << number % 8

    def hears(self, now_us: int) -> bool:
        """Whether a frame that begins now is heard."""
        self._heard_us = now_us
        return super().hears(now_us)

    def field_off(self, now_us: int) -> None:
        """The field no longer reaches the tag; what it is writing then is torn."""
        if self._written is not None:
            page, end_us, old = self._written
            if now_us < end_us:
                self.memory[PAGE * page:PAGE * page + PAGE] = self.torn(old, self.page(page))
            self._written = None
        super().field_off(now_us)

    def answer(self, data: bytes, bits: int) -> tuple[int, int] | None:
        """A whole frame arrives: the reply as (number, bits), or None for silence."""
        self.late_us = 0
        self._heard_us += request_us(bits)
        return super().answer(data, bits)

    def _answer_active(self, data: bytes, bits: int) -> tuple[int, int] | None:
        length = {_READ: 4, _WRITE: 8}.get(data[0])
        if length is None or bits != 8 * length:
            return super()._answer_active(data, bits)
        if with_crc(data[:-2]) != data:
            return self._refuse(NAK_CRC)
        page = data[1]
        if page >= len(self.memory) // PAGE:
            return self._refuse(NAK_ARGUMENT)
        if data[0] == _READ:
            there = (self.memory + self.memory)[PAGE * page:PAGE * page + 16]   # 10.2: it rolls over to page 0
            return int.from_bytes(with_crc(bytes(there)), "little"), 8 * 18
        return self._write(page, data[2:6])

    def _write(self, page: int, data: bytes) -> tuple[int, int]:
        if page < 2 or page < 16 and self.memory[10 + page // 8] >> page % 8 & 1 and page > 2:
            return self._refuse(NAK_ARGUMENT)
        self.late_us = _WRITE_US
        if page in self.worn:
            return self._refuse(NAK_EEPROM)
        there = self.page(page)
        if page == 2:       # 8.5.2: UID and internal byte stay, lock bits can only be set
            data = there[:2] + bytes((there[2] | data[2], there[3] | data[3]))
        elif page == 3:     # 8.5.4: neither can these be taken back
            data = bytes(old | new for old, new in zip(there, data, strict=True))
        elif data != there:
            self._written = page, self._heard_us + _WRITE_US, there
        self.memory[PAGE * page:PAGE * page + PAGE] = data
        return ACK, 4

    def _refuse(self, nak: int) -> tuple[int, int]:
        self.fall_back()
        return nak, 4
