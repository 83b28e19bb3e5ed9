"""One question to the tag that an MFRC522 has selected, and its answer; in memory only once somebody asks.

Looking for tags needs none of it: what a tag says there is shorter, and comes at once.
"""

from micropython import const

# Addresses as in mfrc522.py: bits 6 to 1 of the address byte, bit 7 to read.
_READ = const(0x80)
_COMMAND = const(0x01 << 1)
_COM_IRQ = const(0x04 << 1)
_ERROR = const(0x06 << 1)
_FIFO_DATA = const(0x09 << 1)
_FIFO_LEVEL = const(0x0A << 1)
_CONTROL = const(0x0C << 1)
_BIT_FRAMING = const(0x0D << 1)
_RX_DONE = const(0x20)
_FIRST_MS = const(1)  # until the first look; there is one more


async def run(frame, swap, crc_a, rest, question: bytes, answer: bytearray, wait_ms: int) -> int:
    """The promise of `transceive` in mfrc522.py.

    frame(address, value) writes or reads a register, swap(bytes, into) is a frame of any length, rest(ms) is awaited.
    The chip's timer has run out long before a tag has written: it stops nothing, and is not looked at.
    """
    size = len(question)
    out = bytearray(size + 3)
    out[0] = _FIFO_DATA
    out[1 : size + 1] = question
    crc = crc_a(out, 1, size + 1)
    out[size + 1] = crc & 0xFF
    out[size + 2] = crc >> 8
    frame(_COMMAND, 0)  # Idle, as in mfrc522.py
    frame(_COM_IRQ, 0x7F)
    frame(_FIFO_LEVEL, 0x80)
    frame(_COMMAND, 0x0C)  # Transceive
    swap(out, out)
    frame(_BIT_FRAMING, 0x80)  # StartSend
    for pause_ms in (_FIRST_MS, wait_ms):
        await rest(pause_ms)
        if frame(_READ | _COM_IRQ) & _RX_DONE:
            return _take(frame, swap, crc_a, answer)
    return 0


def _take(frame, swap, crc_a, answer: bytearray) -> int:
    """What has come: four bits, or whole bytes with a right CRC; 0 if it is neither."""
    level = frame(_READ | _FIFO_LEVEL)
    last_bits = frame(_READ | _CONTROL) & 0x07
    if frame(_READ | _ERROR):
        return 0
    if level == 1 and last_bits == 4:
        answer[0] = frame(_READ | _FIFO_DATA) & 0x0F
        return 4
    if last_bits or not 3 <= level <= len(answer) + 2:
        return 0
    into = bytearray(level + 1)
    swap(bytes([_READ | _FIFO_DATA] * level + [0]), into)
    if crc_a(into, 1, level - 1) != into[level - 1] | into[level] << 8:
        return 0
    for i in range(level - 2):
        answer[i] = into[1 + i]
    return 8 * (level - 2)
