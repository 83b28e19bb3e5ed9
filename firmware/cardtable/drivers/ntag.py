"""A card's name in the memory of its NTAG213, 215 or 216: written, read back, compared.

Through any driver that has `select` and `transceive`. In memory only once somebody asks. The first three pages that are
the user's (data sheet 8.5) are read by every program as text, `CT1 6S2 1F3C`: a mark, the card, and a sum over both and
over the UID, so that a copy on another tag is none. A tag that holds anything else, of somebody else, is left alone.
"""

from micropython import const

WRITTEN = const(1)  # read back, and right
FOREIGN = const(2)  # it holds what somebody else wrote
REFUSED = const(3)  # it is locked or worn: it says no, or reads back wrong
GONE = const(4)  # no answer: taken away, or a tag without such a memory

TRIES = const(3)  # of the whole: select, read, write, read back
_FIRST_PAGE = const(4)
_SIZE = const(12)  # bytes, three pages
_READ = const(0x30)  # 10.2: four pages at once
_READ_MS = const(5)  # its limit
_READ_BITS = const(128)
_WRITE = const(0xA2)  # 10.4
_WRITE_MS = const(10)
_ACK_BITS = const(4)  # 9.3
_ACK = const(0x0A)
_MARK = b"CT1 "
# How the memory of an unwritten tag begins: nothing, or an empty message (8.5.6, or as phones write it).
_BLANK = (bytes(_SIZE), b"\x03\x00\xfe", b"\x03\x03\xd0\x00\x00\xfe", b"\x01\x03\xa0\x0c\x34\x03\x00\xfe")


def make_id(uid, name: bytes) -> bytes:
    """What the tag of that UID, zero padded or not, has to hold; `name` has three characters at most."""
    text = _MARK + (name + b"   ")[:3] + b" "
    total = 0xFFFF  # CRC-16 of CCITT
    for byte in bytes(uid) + bytes(10 - len(uid)) + text:
        total ^= byte << 8
        for _ in range(8):
            total = (total << 1 ^ (0x1021 if total & 0x8000 else 0)) & 0xFFFF
    return text + ("%04X" % total).encode()


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
    if held is None or held != make_id(uid, held[4:7]) or not all([32 <= byte < 127 for byte in held]):
        return ""
    return held[4:7].decode().strip()


async def write_card_id(chip, uid, name: str) -> int:
    """Write the name of a card on its tag: WRITTEN, FOREIGN, REFUSED or GONE. No other reader is polled meanwhile."""
    wanted = make_id(uid, name.encode())
    verdict = GONE
    try:
        for _ in range(TRIES):
            verdict = await _write_once(chip, uid, wanted)
            if verdict == WRITTEN or verdict == FOREIGN:
                break
    finally:
        chip.field(False)
    return verdict


async def _write_once(chip, uid, wanted: bytes) -> int:
    """One try. The mark is written first: what is left of a try that failed is known as ours."""
    held = await _select_and_read(chip, uid)
    if held is None:
        return GONE
    if held == wanted:
        return WRITTEN
    if held[: len(_MARK)] != _MARK and not any([held[: len(blank)] == blank for blank in _BLANK]):
        return FOREIGN
    answer = bytearray(1)
    for at in range(0, _SIZE, 4):
        question = bytes([_WRITE, _FIRST_PAGE + at // 4]) + wanted[at : at + 4]
        if await chip.transceive(question, answer, _WRITE_MS) != _ACK_BITS:
            return GONE
        if answer[0] != _ACK:
            return REFUSED
    held = await _read(chip)
    if held is None:
        return GONE
    return WRITTEN if held == wanted else REFUSED


async def _select_and_read(chip, uid) -> "bytes | None":
    if not await chip.select(uid, chip.uid_length if chip.uid == uid else 0):  # zeros at its end may be its own
        return None
    return await _read(chip)


async def _read(chip) -> "bytes | None":
    """What the selected tag holds; None if it does not say."""
    answer = bytearray(_READ_BITS // 8)
    if await chip.transceive(bytes([_READ, _FIRST_PAGE]), answer, _READ_MS) != _READ_BITS:
        return None
    return bytes(answer[:_SIZE])
