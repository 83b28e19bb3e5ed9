"""Starts the readers: slows the bus down or resets a reader that answers wrongly. In memory only during that."""

import time

from cardtable.answers import SILENT

RESET_US = 1000
MOST_HALVINGS = 3  # of the clock: an eighth of it is the slowest
LOST = 6  # so many silences of one, and all readers are silent
_HELD = 0  # a driver's `idle`: a reader that is not selected drives the data line low


def start(readers) -> None:
    """Start every reader; a bit in `faulty` for each that does not answer now, even if it did before.

    Where one is misread slower clocks of the bus are tried. The one at which most readers are heard stays, of equal
    ones the one that was: a reader whose line floats says anything, by chance also nothing.
    """
    before = readers.faulty  # only an answer to a poll makes that right
    best = readers.halvings
    most, misread = start_all(readers)
    for _ in range(MOST_HALVINGS):
        if not (misread and readers.buses):
            break
        set_clock(readers, (readers.halvings + 1) & MOST_HALVINGS)
        readers.faulty = before
        heard, misread = start_all(readers)
        if heard > most:
            best, most = readers.halvings, heard
    if readers.halvings != best:
        set_clock(readers, best)
        readers.faulty = before
        start_all(readers)


def set_clock(readers, halvings: int) -> None:
    """The buses' own clock, halved so many times."""
    readers.halvings = halvings
    for spi, baudrate in readers.buses:
        spi.init(baudrate=baudrate >> halvings)


def start_all(readers) -> tuple:
    """Start every reader once: how many are right, and whether one answers, but not with what it should."""
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
    return heard, misread


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
