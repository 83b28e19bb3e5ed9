"""Measures the bus of an MFRC522: settings read back, in memory only while a reader is started or examined."""

from micropython import const

_READ = const(0x80)  # bit of an address byte (datasheet 8.1.2.3)


def run(swap, settings: tuple, frames: int) -> int:
    """How many bytes of so many frames are wrong. swap(bytes, into) is a frame of any length; settings: rows of an
    address as it stands in its byte, a value, the bits of it that must read back."""
    ask = bytearray([_READ | register for register, _, _ in settings] + [0])
    answer = bytearray(len(ask))
    wrong = 0
    for _ in range(frames):
        swap(ask, answer)
        for i in range(len(settings)):
            if answer[1 + i] & settings[i][2] != settings[i][1]:
                wrong += 1
    return wrong
