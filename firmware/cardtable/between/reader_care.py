"""Starts the readers: slows the bus down or resets a reader that answers wrongly. In memory only during that."""

import time

from cardtable.answers import SILENT

RESET_US = 1000
LOST = 6  # so many silences of one, and all readers are silent
_HELD = 0  # a driver's `idle`: a reader that is not selected drives the data line low


def start(readers) -> None:
    """Start every reader; a bit in `faulty` for each that does not answer now, even if it did before.

    Where one is misread the clock of the bus is halved, up to three times; if that does not help it is not the bus.
    """
    before = readers.faulty  # only an answer to a poll makes that right
    misread = start_all(readers)
    while misread and readers.buses:
        readers.faulty = before
        readers.halvings = (readers.halvings + 1) & 3
        for spi, baudrate in readers.buses:
            spi.init(baudrate=baudrate >> readers.halvings)
        misread = start_all(readers) and readers.halvings


def start_all(readers) -> bool:
    """Start every reader once; whether one of them answers, but not with what it should."""
    heard = 0
    place = 0
    misread = False
    for index in range(len(readers.chips)):
        chip = readers.chips[index]
        if chip.start() or (chip.fault != SILENT and chip.start()):  # one wrong byte is not yet a bad bus
            heard += 1
            place = index + 1
        else:
            readers.faulty |= 1 << index
            misread = misread or chip.fault != SILENT
    # Many copies of the chip never let go of the line (HARDWARE): such a reader is heard, and no other.
    if readers.faulty and heard == 1 and readers.chips[place - 1].idle() == _HELD:
        readers.jammer = place
    return misread


def reset(readers, silences: int) -> None:
    """Pulse the reset line of all readers and start them: one whose SPI hangs after a brown-out hears nothing else.

    Tags that lie there are believed as before. silences: of the reader that asks for it.
    """
    if silences == LOST and readers.faulty != (1 << len(readers.chips)) - 1:
        return
    pulse(readers)
    start(readers)


def pulse(readers) -> None:
    """Reset all readers by their line, and wait until their oscillators run."""
    if readers.reset:
        readers.reset(0)
        time.sleep_us(RESET_US)
        readers.reset(1)
        time.sleep_us(5 * RESET_US)
