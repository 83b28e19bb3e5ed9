"""The digital self-test of an MFRC522; in memory only while somebody asks for it.

It is information: copies whose self-test answers otherwise read well, so nothing depends on it.
"""

from micropython import const

# Addresses as in mfrc522.py: bits 6 to 1 of the address byte, bit 7 to read.
_COMMAND = const(0x01 << 1)
_FIFO_DATA = const(0x09 << 1)
_FIFO_LEVEL = const(0x0A << 1)
_AUTO_TEST = const(0x36 << 1)
_READ = const(0x80)
_MEMORY = const(25)  # bytes of the internal buffer (datasheet 10.3.1.2)
_RESULT = const(64)
_RESET_US = const(1000)
_LOOKS = const(20)
_LOOK_US = const(500)
# CRC_A of what a chip of that version leaves in its FIFO (datasheet 16.1.1), in place of twice 64 bytes.
_RIGHT = {0x91: 0x880D, 0x92: 0x6EBE}


def run(frame, swap, sleep_us, version: int, crc_a) -> bool:
    """Datasheet 16.1.1, in its steps. The chip has no radio afterwards, until it is restarted.

    frame(address, value) writes or reads a register, swap(bytes, into) is a frame of any length.
    """
    frame(_COMMAND, 0x0F)  # SoftReset
    sleep_us(_RESET_US)
    frame(_FIFO_LEVEL, 0x80)
    result = bytearray(1 + _RESULT)
    zeros = bytearray(1 + _MEMORY)
    zeros[0] = _FIFO_DATA
    swap(zeros, zeros)
    frame(_COMMAND, 0x01)  # Mem: the internal buffer is all zeros
    frame(_AUTO_TEST, 0x09)
    frame(_FIFO_DATA, 0x00)
    frame(_COMMAND, 0x03)  # CalcCRC
    for _ in range(_LOOKS):
        sleep_us(_LOOK_US)
        if frame(_READ | _FIFO_LEVEL, 0) == _RESULT:
            break
    swap(bytes([_READ | _FIFO_DATA] * _RESULT + [0]), result)
    frame(_AUTO_TEST, 0x00)
    return crc_a(result, 1, 1 + _RESULT) == _RIGHT.get(version)
