"""Starts the readers: slows the bus down or resets a reader that answers wrongly. In memory only during that."""

import time

from cardtable.answers import REPEATS, SILENT
from cardtable.rooms import forget

RESET_US = 1000
MOST_HALVINGS = 3  # of the clock: an eighth of it is the slowest
LOST = 6  # so many silences of one, and all readers are silent
READ_BACKS = 16  # frames of settings that measure the bus: 7 readers give 784 bytes, 10 ms
_FEW = 2  # wrong ones of these: one byte in a thousand
_GOOD_SHARE = 20  # failed looks of a thousand, at which a slower clock stays
_REST = 60  # watches until the next trial
_HELD = 0  # a driver's `idle`: a reader that is not selected drives the data line low


def start(readers) -> None:
    """Start every reader; a bit in `faulty` for each that does not answer now, even if it did before.

    Where one is misread, or too many of all settings read back wrong, slower clocks of the bus are tried. The one at
    which most readers are heard stays, then the one with clearly fewer wrong bytes, then the one that was: a reader
    whose line floats says anything, by chance also nothing.
    """
    before = readers.faulty  # only an answer to a poll makes that right
    best = readers.halvings
    most, fewest, misread = start_all(readers)
    wrong = fewest
    for _ in range(MOST_HALVINGS):
        if not readers.buses or not (misread or wrong > _FEW):
            break
        set_clock(readers, (readers.halvings + 1) & MOST_HALVINGS)
        readers.faulty = before
        heard, wrong, misread = start_all(readers)
        if heard > most or heard == most and 2 * wrong + _FEW <= fewest:
            best, most, fewest = readers.halvings, heard, wrong
    if readers.halvings != best:
        set_clock(readers, best)
        readers.faulty = before
        start_all(readers)
    forget("drivers.mfrc522_read_back")


def weigh(readers, faults: int, looks: int) -> None:
    """More than one look in fifty was silent, or a slower clock was on trial: go on down as long as that helps.

    Where no clock makes it half as rare the wires are not to blame, and the clock comes back for ten minutes.
    """
    share = 1000 * faults // looks
    halvings = readers.halvings
    if not readers.trial:
        readers.trial = share, halvings
    elif share <= _GOOD_SHARE:
        readers.trial = None
        return
    if halvings < MOST_HALVINGS:
        halvings += 1
    else:
        if 2 * share > readers.trial[0]:
            halvings = readers.trial[1]
        readers.trial = None
        readers.rests = _REST
    if readers.buses and halvings != readers.halvings:
        set_clock(readers, halvings)
        if readers.say:
            readers.say("readers: %d of %d looks failed, now at %d kHz" % (
                faults, looks, readers.buses[0][1] // 1000 >> halvings))


def set_clock(readers, halvings: int) -> None:
    """The buses' own clock, halved so many times."""
    readers.halvings = halvings
    for spi, baudrate in readers.buses:
        spi.init(baudrate=baudrate >> halvings)


def start_all(readers) -> tuple:
    """Start every reader once: how many are right, how many of their settings read back wrong, and whether one answers,
    but not with what it should."""
    heard = wrong = 0
    place = 0
    misread = False
    for index in range(len(readers.chips)):
        chip = readers.chips[index]
        if chip.start() or (chip.fault != SILENT and chip.start()):  # one wrong byte is not yet a bad bus
            heard += 1
            came_wrong = chip.read_back(READ_BACKS)
            if came_wrong:
                chip.start()  # a wrong bit may have turned a question into a write
            wrong += came_wrong
            place = index + 1
        else:
            readers.faulty |= 1 << index
            misread = misread or chip.fault != SILENT and chip.fault != REPEATS
            if chip.fault == REPEATS and readers.say:
                readers.say("readers: reader %d repeats registers: take another module" % (index + 1))
    # Many copies of the chip never let go of the data line: such a reader is heard, and no other.
    if readers.faulty and heard == 1 and readers.chips[place - 1].idle() == _HELD:
        readers.jammer = place
    return heard, wrong, misread


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
