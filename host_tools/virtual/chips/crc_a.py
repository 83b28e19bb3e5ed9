"""The 16-bit cyclic redundancy check of ISO/IEC 14443-3 type A."""

PRESET = 0x6363     # ISO/IEC 14443-3, 6.2.4: the initial register of CRC_A
_POLYNOMIAL = 0x8408    # x^16 + x^12 + x^5 + 1, bits reversed: the least significant bit is sent first


def _table() -> tuple[int, ...]:
    rows = []
    for byte in range(256):
        register = byte
        for _ in range(8):
            register = (register >> 1) ^ _POLYNOMIAL if register & 1 else register >> 1
        rows.append(register)
    return tuple(rows)


_TABLE = _table()


def crc16(data: bytes, register: int = PRESET) -> int:
    """The check's register (16 bits) after `data`, beginning from `register` (ISO/IEC 14443-3, annex B)."""
    for byte in data:
        register = (register >> 8) ^ _TABLE[(register ^ byte) & 0xFF]
    return register


def with_crc(data: bytes) -> bytes:
    """`data` with its CRC_A behind it, low byte first, as it goes on air (ISO/IEC 14443-3, 6.2.4)."""
    return data + crc16(data).to_bytes(2, "little")
