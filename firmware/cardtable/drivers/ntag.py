"""A card's name in the memory of its NTAG213, 215 or 216: written, read back, compared.

Through any driver that has `select` and `transceive`. In memory only once somebody asks. The user's memory (data sheet
8.5) holds an NDEF message with one text record, `CT1 6S2 1F3C`, which phones show: a mark, the card, and a sum over
both and over the UID, so that a copy on another tag is none. An older form, the same characters in the first three
pages without a message around them, is read too, and written over. A tag that holds anything else, of somebody else,
is left alone.
"""

from micropython import const

WRITTEN = const(1)  # read back, and right
FOREIGN = const(2)  # it holds what somebody else wrote
REFUSED = const(3)  # it is locked or worn: it says no, or reads back wrong
GONE = const(4)  # no answer: taken away, or a tag without such a memory

TRIES = const(3)  # of the whole: select, read, write, read back
_FIRST_PAGE = const(4)
_SIZE = const(12)  # characters of the text
_HELD = const(32)  # bytes that are read: all that a message of ours takes, and what ends it
_READ = const(0x30)  # 10.2: four pages at once
_READ_MS = const(5)  # its limit
_READ_BITS = const(128)
_WRITE = const(0xA2)  # 10.4
_WRITE_MS = const(10)
_ACK_BITS = const(4)  # 9.3
_ACK = const(0x0A)
_MARK = b"CT1 "
# In front of the text (NDEF 3.2 and its text record, NFC Forum Type 2 Tag 2.3): a message of 19 bytes with one short
# record, whose type is T, whose payload has 15 bytes, whose language is English.
_HEAD = b"\x03\x13\xd1\x01\x0fT\x02en"
_LOCKS = b"\x01\x03\xa0\x0c\x34"  # where an NTAG213 as it is sold says that its lock bits are; it stays in front
# How the memory of an unwritten tag begins, behind _LOCKS or not: an empty message (8.5.6, or as phones write it).
_BLANK = (b"\x03\x00", b"\x03\x03\xd0")


async def serve(on_tags: list, readers) -> None:
    """Write and read the tags that a panel asked for (main.Parts.on_tags); some 70 ms each."""
    while on_tags:
        place, name, tell = on_tags.pop(0)
        chip, uid = readers.chips[place - 1], readers.uid(place)
        if name:
            tell(place, name, await write_card_id(chip, uid, name) == WRITTEN)
        else:
            tell(place, await read_card_id(chip, uid))


def make_id(uid, name: bytes) -> bytes:
    """What the tag of that UID, zero padded or not, has to hold; `name` has three characters at most."""
    text = _MARK + (name + b"   ")[:3] + b" "
    total = 0xFFFF  # CRC-16 of CCITT
    for byte in bytes(uid) + bytes(10 - len(uid)) + text:
        total ^= byte << 8
        for _ in range(8):
            total = (total << 1 ^ (0x1021 if total & 0x8000 else 0)) & 0xFFFF
    return text + ("%04X" % total).encode()


def make_message(uid, name: bytes) -> bytes:
    """The message around it, as it lies in memory."""
    return _HEAD + make_id(uid, name) + b"\xfe"


def find_id(held: bytes) -> bytes:
    """The twelve characters in what a tag holds; empty if there are none of ours. Their sum may be wrong."""
    for head in (b"", _HEAD, _LOCKS + _HEAD):
        at = len(head)
        if held[:at] == head and held[at : at + len(_MARK)] == _MARK:
            return held[at : at + _SIZE]
    return b""


def _count_in_front(held: bytes) -> int:
    """How many bytes of _LOCKS stay in front. The last of them shares its page with our message, and is anything where
    a write of that page was cut short: no data sheet promises that such a page is old or new."""
    return len(_LOCKS) if held[:4] == _LOCKS[:4] else 0


def may_write(held: bytes) -> bool:
    """Whether it holds nothing, or something of ours, perhaps only a part of it: see _write_once."""
    if find_id(held) or not any(held[:_SIZE]):
        return True
    at = _count_in_front(held)
    mark = at + len(_HEAD)
    return held[mark - 1 : mark + 2] == b"nCT" or any([held[at : at + len(blank)] == blank for blank in _BLANK])


async def read_card_id(chip, uid) -> str:
    """The name of the card that this tag says it is; empty if it says none."""
    held = None
    try:
        for _ in range(TRIES):
            held = await _select_and_read(chip, uid)
            if held is not None:
                break
    finally:
        chip.field(False)
    said = find_id(held or b"")
    if not said or said != make_id(uid, said[4:7]) or not all([32 <= byte < 127 for byte in said]):
        return ""
    return said[4:7].decode().strip()


async def write_card_id(chip, uid, name: str) -> int:
    """Write the name of a card on its tag: WRITTEN, FOREIGN, REFUSED or GONE. No other reader is polled meanwhile."""
    wanted = make_message(uid, name.encode())
    verdict = GONE
    try:
        for _ in range(TRIES):
            verdict = await _write_once(chip, uid, wanted)
            if verdict == WRITTEN or verdict == FOREIGN:
                break
    finally:
        chip.field(False)
    return verdict


async def _write_once(chip, uid, message: bytes) -> int:
    """One try. The first pages are written last, and only pages that differ: what is left of a try that failed begins
    like a tag that may be written, or has our mark. Where there were zeros and the mark's page was cut short, what is
    behind it tells."""
    held = await _select_and_read(chip, uid)
    if held is None:
        return GONE
    if not may_write(held) and held[_SIZE : len(message)] != message[_SIZE:]:
        return FOREIGN
    wanted = _LOCKS[: _count_in_front(held)] + message
    wanted = wanted + bytes(-len(wanted) % 4)
    answer = bytearray(1)
    has_written = False
    for at in range(len(wanted) - 4, -1, -4):
        page = wanted[at : at + 4]
        if held[at : at + 4] == page:
            continue
        has_written = True
        if await chip.transceive(bytes([_WRITE, _FIRST_PAGE + at // 4]) + page, answer, _WRITE_MS) != _ACK_BITS:
            return GONE
        if answer[0] != _ACK:
            return REFUSED
    if has_written:
        held = await _read(chip)
    if held is None:
        return GONE
    return WRITTEN if held[: len(wanted)] == wanted else REFUSED


async def _select_and_read(chip, uid) -> "bytes | None":
    if not await chip.select(uid, chip.uid_length if chip.uid == uid else 0):  # zeros at its end may be its own
        return None
    return await _read(chip)


async def _read(chip) -> "bytes | None":
    """What the selected tag holds; None if it does not say."""
    held = b""
    answer = bytearray(_READ_BITS // 8)
    while len(held) < _HELD:
        if await chip.transceive(bytes([_READ, _FIRST_PAGE + len(held) // 4]), answer, _READ_MS) != _READ_BITS:
            return None
        held += answer
    return held
