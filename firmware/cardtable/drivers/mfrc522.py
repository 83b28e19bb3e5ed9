"""The MFRC522 reader over SPI: which tag lies on it.

"Datasheet" is NXP's MFRC522 rev. 3.9, "ISO" is ISO/IEC 14443-3:2018. Nothing in a poll allocates.
"""

import asyncio
import time

from micropython import const

from cardtable.answers import EMPTY, GARBLED, MANY, OK, OPEN, PRESENT, READ_BACK, REPEATS, SILENT, WRONG_VERSION

MOST_TAGS = const(4)  # listed of one field
_MOST_TURNS = const(12)  # branches of a collision walk that wait to be walked
_WAKES = const(4)  # where a tag was: one may be an error to it (ISO 6.3.3), an answer may be lost
_MOST_EXCHANGES = const(48)  # of one look, 60 ms; two tags take 12
_COUNT_MASK = const(0x0FFF_FFFF)  # counters of health stay small integers

# Registers as they stand in an address byte: bits 6 to 1, and bit 7 to read (datasheet 8.1.2.3).
_READ = const(0x80)
_COMMAND = const(0x01 << 1)
_COM_IRQ = const(0x04 << 1)
_FIFO_DATA = const(0x09 << 1)
_FIFO_LEVEL = const(0x0A << 1)
_BIT_FRAMING = const(0x0D << 1)
_TX_CONTROL = const(0x14 << 1)
_RF_CFG = const(0x26 << 1)
_VERSION = const(0x37 << 1)
_TIMER_AUTO = const(0x80)  # TModeReg: the timer starts where sending ends; a chip that was reset says 0
# Register, value, bits that must read back: TModeReg, TPrescalerReg, TReloadReg, TxASKReg (100 %), CollReg
# (bits after a collision are cleared). The timer counts 30 periods of 135/13.56 MHz (datasheet 8.5), 299 us
# from the last bit sent: three times the delay after which a tag answers (ISO 6.2.1.1).
_SETTINGS = (
    (0x2A << 1, _TIMER_AUTO, 0xFF), (0x2B << 1, 67, 0xFF), (0x2C << 1, 0, 0xFF), (0x2D << 1, 29, 0xFF),
    (0x15 << 1, 0x40, 0x40), (0x0E << 1, 0x00, 0x80),
)
# Read in one frame, each a byte later: interrupts, errors, FIFO level, last bits, collision, TMode, version.
# Bytearrays, because they lie in RAM: the ESP32 copies what it sends from elsewhere into memory of its own first.
_ASK_STATUS = bytearray([_READ | a << 1 for a in (0x04, 0x06, 0x0A, 0x0C, 0x0E, 0x2A, 0x37)] + [0])
_ASK_FIFO = bytearray([_READ | _FIFO_DATA] * 5 + [0])
_LEVEL = const(3)  # where these stand in the answer
_LAST_BITS = const(4)
_COLLISION = const(5)
_TX_DONE = const(0x40)  # ComIrqReg
_RX_DONE = const(0x20)
_FAILED = const(0x02)
_TIMED_OUT = const(0x01)
_COLLIDED = const(0x08)  # ErrorReg
_NO_POSITION = const(0x20)  # CollReg

# Air time of question and answer (ISO 6.2; a bit takes 9.44 us) less what asking for the status takes at 1 MHz.
_WAKE_US = const(360)  # covers the timer too: 95 us of question, 299 us of silence
_ANTICOLLISION_US = const(695)
_SELECT_US = const(1120)
_HALT_US = const(630)  # 368 us of question; the right answer is silence
_TAKEN = const(0xFF)  # instead of a level: all of the answer was fetched, so there is nothing to flush
_STATUS_LOOKS = const(4)  # then the exchange is given up
_STATUS_US = const(80)
_RESET_LOOKS = const(10)
_RESET_US = const(100)
_FIELD_UP_US = const(5100)  # ISO 5: a tag hears after 5 ms of field, a reader waits 5.1
_FIELD_UP_MS = const(6)
_SPIN_US = const(4100)  # of these, at most, without giving way: a sleep ends with a scan of the buttons, every 5 ms

_WUPA = const(0x52)  # ISO 6.4.1; never REQA, which does not wake a halted tag
_HLTA = b"\x50\x00\x57\xcd"
_SELECT = const(0x93)  # of the first cascade level; 2 more for each further one
_CASCADE_TAG = const(0x88)
_UID_GOES_ON = const(0x04)  # bit of SAK (ISO 6.5.3.4)

# Buffers of one frame, shared by all readers: nothing in them outlives a question and its answer, and a look
# never gives way to another. One set for each of seven readers would be 3 KB.
_pair = bytearray(2)
_out = bytearray(10)  # the FIFO's address and up to nine bytes for the tag
_out[0] = _FIFO_DATA
_outs = [memoryview(_out)[: length + 1] for length in range(10)]
_status = bytearray(len(_ASK_STATUS))
_fifo = bytearray(len(_ASK_FIFO))
# And of one look, as little: what it found, and where it goes on.
_uids = bytearray(10 * MOST_TAGS)
_lengths = bytearray(MOST_TAGS)
_path = bytearray(12)  # UID CLn of three cascade levels
_turns = bytearray(_MOST_TURNS)  # 32 * level + bit
_counts = bytearray(2)
_TURNS = const(0)  # how many of them wait
_EXCHANGES = const(1)  # how many there were
_ENDS = tuple([StopIteration(result) for result in range(5)])


def _crc_a(data: bytearray, start: int, stop: int) -> int:
    """CRC_A of ISO annex B. In software: to switch the chip's on and off takes four frames for each level."""
    crc = 0x6363
    for i in range(start, stop):
        byte = data[i] ^ (crc & 0xFF)
        byte = (byte ^ (byte << 4)) & 0xFF
        crc = (crc >> 8) ^ (byte << 8) ^ (byte << 3) ^ (byte >> 4)
    return crc


class Mfrc522:
    """One reader on `spi` (mode 0, at most 10 MHz, may be shared); `select` is its chip select pin.

    After PRESENT `uid` (10 bytes, zero padded) and `uid_length` (4, 7, 10) are the tag. After MANY `count`
    tags lie in `uids`, 10 bytes each, their `lengths` apart, until any reader looks again.
    `fault`: OK, SILENT, WRONG_VERSION, READ_BACK, REPEATS.
    Health is counted: `polls reads garbled collisions silent restarts`.
    """

    uids = _uids
    lengths = _lengths

    def __init__(self, spi, select, gain: int = 6) -> None:
        """`gain` is RxGain (datasheet 9.3.3.6): 7 is the highest, at which neighbours have gone deaf."""
        self.gain = gain
        self.fault = SILENT
        self.version = 0
        self.known: "bytes | None" = None
        self.uid = bytearray(10)
        self.uid_length = self.count = 0
        self.polls = self.reads = self.garbled = self.collisions = self.silent = self.restarts = 0
        self._swap = spi.write_readinto
        self._select = select.value
        self._select(1)
        self._send = spi.write
        self._last = EMPTY
        self._is_on = self._has_rested = False
        self._on_us = time.ticks_us()

    def start(self) -> bool:
        """Reset, configure, read back; 2 ms at most. False: the reader is not right, `fault` says why."""
        self._is_on = False
        self.fault = self._configure()
        return self.fault == OK

    def idle(self) -> int:
        """What the data line carries while no reader is selected: 0xFF where it is pulled up and left alone, 0 where
        somebody drives it, OPEN where it follows its last bit. This reader has to work: it gives that bit."""
        last = OPEN
        for setting in (1, 0):  # its register ends in that bit
            self._frame(_READ | _SETTINGS[setting][0])
            _pair[0] = _pair[1] = 0xFF
            self._swap(_pair, _pair)
            if setting:
                last = _pair[1]
        return last if last == _pair[1] else OPEN

    def read_back(self, frames: int) -> int:
        """How many bytes of so many frames of six settings come back wrong: what the bus does at this clock."""
        from cardtable.drivers import mfrc522_read_back

        return mfrc522_read_back.run(self._swap_frame, _SETTINGS, frames)

    def self_test(self) -> bool:
        """What the chip's self-test gives, as information; the chip restarts in any case. 15 ms at most."""
        from cardtable.drivers import mfrc522_self_test

        passed = mfrc522_self_test.run(self._frame, self._swap_frame, time.sleep_us, self.version, _crc_a)
        return self.start() and passed

    def _swap_frame(self, mosi: "bytes | bytearray", into: bytearray) -> None:
        """A frame of any length; into: as long as mosi."""
        self._select(0)
        self._swap(mosi, into)
        self._select(1)

    def field(self, on: bool) -> None:
        """Switch the antenna: one frame."""
        self._frame(_TX_CONTROL, 0x83 if on else 0x80)  # Tx1RFEn and Tx2RFEn beside the reset value
        self._is_on = on
        self._on_us = time.ticks_us()

    def warm(self) -> bool:
        """Switch the field on before a poll, which then waits only for the rest of its 5.1 ms. Whether it has to be
        switched off if no poll follows."""
        if self.fault != OK or self._is_on:
            return False
        self.field(True)
        return True

    def poll(self, known: "bytes | None" = None) -> "Mfrc522":
        """To `await`: field on, field up, look, field off; gives EMPTY, PRESENT, GARBLED, MANY or SILENT.

        `known` is the tag that lay here, as `uid` gave it: where it answers no anticollision is made, and a
        second tag is not seen. A reader with a fault is started first. Other tasks run at least once. One
        poll at a time; if it is cancelled, switch the field off. No coroutine: `wait_for` needs one around.
        """
        self.known = known
        self._has_rested = False
        if self.fault != OK and self.start():
            self.restarts = (self.restarts + 1) & _COUNT_MASK
        if self.fault != OK:
            self._on_us = time.ticks_us()
        elif not self._is_on:
            self.field(True)
        return self  # each call of an `async def` would make a coroutine

    def __iter__(self) -> "Mfrc522":
        return self

    def __next__(self) -> object:
        """What `await reader.poll()` does, in MicroPython's way: a step of the event loop's own sleep, or the end that
        carries the result."""
        rest_ms = self.rest_ms()
        if rest_ms >= 0:
            return next(asyncio.sleep_ms(rest_ms))  # type: ignore[call-overload]
        end = _ENDS[self.look(self.known)]
        end.__traceback__ = None  # it is raised again and again, and would grow
        raise end

    def __await__(self):
        """CPython's way."""
        while (rest_ms := self.rest_ms()) >= 0:
            yield from asyncio.sleep_ms(rest_ms).__await__()
        return self.look(self.known)

    def rest_ms(self) -> int:
        """How long the poll has to sleep now, at least 0 for the first time; -1: it may look."""
        left_us = max(0, _FIELD_UP_US - _SPIN_US - time.ticks_diff(time.ticks_us(), self._on_us))
        if not left_us and self._has_rested:
            return -1
        self._has_rested = True
        return (left_us + 999) // 1000

    def look(self, known: "bytes | None" = None) -> int:
        """The part of a poll in which no other task runs: the rest of the field-up, questions, field off."""
        self.polls = (self.polls + 1) & _COUNT_MASK
        result = SILENT
        if self.fault == OK:
            left_us = _FIELD_UP_US - time.ticks_diff(time.ticks_us(), self._on_us)
            if left_us > 0:
                time.sleep_us(left_us)
            _counts[_EXCHANGES] = _status[_LEVEL] = 0
            result = self._find(known)
            self.field(False)
        self._last = result
        if result == PRESENT:
            self.reads = (self.reads + 1) & _COUNT_MASK
            self.uid_length = self.lengths[0]
            for i in range(10):
                self.uid[i] = self.uids[i]
        elif result == GARBLED:
            self.garbled = (self.garbled + 1) & _COUNT_MASK
        elif result == MANY:
            self.collisions = (self.collisions + 1) & _COUNT_MASK
        elif result == SILENT:
            self.silent = (self.silent + 1) & _COUNT_MASK
            self.fault = self.fault or SILENT
        return result

    async def select(self, uid, length: int = 0) -> bool:
        """Field on, field up, and that tag selected: `transceive` speaks with it, `field(False)` ends it.

        length: of its UID, 4, 7 or 10 bytes; where it is not told, zeros at the end of ten bytes count as padding.
        """
        if self.fault != OK:
            return False
        self.field(True)
        await asyncio.sleep_ms(_FIELD_UP_MS)
        _counts[_EXCHANGES] = self.count = _status[_LEVEL] = 0
        self._last = PRESENT  # the next look wakes more than once: to a selected tag the first is an error
        answer = self._wake(_WAKES)
        if answer != PRESENT and answer != MANY:
            return False
        self._expect(uid, length)
        return self._descend(3, 0) == PRESENT

    async def transceive(self, question: bytes, answer: bytearray, wait_ms: int) -> int:
        """Ask the selected tag, CRC added; how many bits of `answer` it gave within wait_ms: 4, or whole bytes of
        which the CRC was right and is left out. 0: silence, or what cannot be read."""
        from cardtable.drivers import mfrc522_exchange

        return await mfrc522_exchange.run(
            self._frame, self._swap_frame, _crc_a, asyncio.sleep_ms, question, answer, wait_ms)

    def _frame(self, address: int, value: int = 0) -> int:
        """Write a register, or read it with _READ in its address."""
        _pair[0] = address
        _pair[1] = value
        self._select(0)
        if address & _READ:
            self._swap(_pair, _pair)
        else:
            self._send(_pair)  # the answer is not read
        self._select(1)
        return _pair[1]

    def _configure(self) -> int:
        self._frame(_COMMAND, 0x0F)  # SoftReset
        for _ in range(_RESET_LOOKS):
            time.sleep_us(_RESET_US)
            self.version = self._frame(_READ | _VERSION)
            if self.version in (0x00, 0xFF):
                return SILENT
            if not self._frame(_READ | _COMMAND) & 0x10:  # PowerDown: the oscillator starts (datasheet 8.8.2)
                break
        # Copies read well under versions of their own: which one it is tells nothing, that it stays the same does.
        if self._frame(_READ | _VERSION) != self.version:
            return WRONG_VERSION
        for register, value, _ in _SETTINGS:
            self._frame(register, value)
        self._frame(_RF_CFG, self.gain << 4 | 0x08)
        for register, value, mask in _SETTINGS:
            if self._frame(_READ | register) & mask != value:
                return READ_BACK
        if self._frame(_READ | _RF_CFG) >> 4 != self.gain:
            return READ_BACK
        # There are copies that read one register well, and of several in one frame the first again and again.
        self._swap_frame(_ASK_STATUS, _status)
        if _status[6] == _TIMER_AUTO and _status[7] == self.version:
            return OK
        return REPEATS if _status[1] == _status[6] == _status[7] else READ_BACK

    def _exchange(self, length: int, framing: int, wait_us: int) -> int:
        """Send `length` bytes of `_out`: PRESENT (an answer), EMPTY, MANY (collided), GARBLED or SILENT."""
        _counts[_EXCHANGES] += 1
        if _counts[_EXCHANGES] > _MOST_EXCHANGES:
            return GARBLED
        self._frame(_COMMAND, 0)  # Idle ends the command before; there are copies that take no Transceive over another
        self._frame(_COM_IRQ, 0x7F)  # clear all
        if _status[_LEVEL] != _TAKEN:
            self._frame(_FIFO_LEVEL, 0x80)  # FlushBuffer
        self._frame(_COMMAND, 0x0C)  # Transceive: before the FIFO is filled, should a StartSend still be set
        self._select(0)
        self._send(_outs[length])
        self._select(1)
        self._frame(_BIT_FRAMING, 0x80 | framing)  # StartSend
        time.sleep_us(wait_us)
        for _ in range(_STATUS_LOOKS):
            self._select(0)
            self._swap(_ASK_STATUS, _status)
            self._select(1)
            irq = _status[1]
            error = _status[2]
            # A loose wire reads 0x00 or 0xFF; a chip that lost its supply has forgotten its timer.
            if _status[6] != _TIMER_AUTO or _status[7] != self.version:
                return SILENT
            if irq & (_RX_DONE | _FAILED | _TIMED_OUT):
                break
            time.sleep_us(_STATUS_US)
        if error:
            return MANY if error & _COLLIDED else GARBLED
        if irq & (_RX_DONE | _TIMED_OUT):
            return PRESENT if irq & _RX_DONE else EMPTY
        return GARBLED if irq & _TX_DONE else SILENT

    def _take(self, length: int) -> bool:
        """Fetch an answer into `_fifo`, from its byte 1 on; False: it is not `length` whole bytes long."""
        self._select(0)
        self._swap(_ASK_FIFO, _fifo)
        self._select(1)
        if _status[_LEVEL] != length or _status[_LAST_BITS] & 0x07:
            return False
        _status[_LEVEL] = _TAKEN
        return True

    def _wake(self, tries: int) -> int:
        answer = EMPTY
        for _ in range(tries):
            _out[1] = _WUPA
            answer = self._exchange(1, 7, _WAKE_US)
            if answer != EMPTY:
                break
        return GARBLED if answer == PRESENT and _status[_LEVEL] != 2 else answer

    def _halt(self) -> None:
        _outs[4][1:] = _HLTA
        self._exchange(4, 0, _HALT_US)

    def _wake_again(self) -> int:
        """Bring all tags, some of them found or half selected, to the same state: silence is GARBLED now."""
        self._halt()
        return self._wake(_WAKES) or GARBLED

    def _find(self, known: "bytes | None") -> int:
        answer = self._wake(1 if self._last == EMPTY else _WAKES)
        self.count = _counts[_TURNS] = 0
        if answer == PRESENT and known:
            self._expect(known)
            answer = self._descend(3, 0)
            if answer == PRESENT or answer == SILENT:
                return answer
            answer = self._wake_again()
        return self._walk() if answer == PRESENT or answer == MANY else answer

    def _expect(self, known: bytes, length: int = 0) -> None:
        """Lay a UID out in cascade levels (ISO 6.5.4): all but the last are cascade tag and three bytes.

        Without its length those of ten bytes that pad it with zeros are left out, of fewer none is.
        """
        last = ((length or len(known)) - 4) // 3
        if not length and len(known) == 10:
            while last and not (known[3 * last + 1] or known[3 * last + 2] or known[3 * last + 3]):
                last -= 1
        for level in range(last + 1):
            skip = 0 if level == last else 1
            _path[4 * level] = _CASCADE_TAG
            for i in range(skip, 4):
                _path[4 * level + i] = known[3 * level + i - skip]

    def _keep(self, last: int) -> None:
        """Put the UID along `_path`, down to level `last`, behind the others in `uids`."""
        at = 10 * self.count
        for i in range(at, at + 10):
            self.uids[i] = 0
        self.lengths[self.count] = 4 + 3 * last
        self.count += 1
        for level in range(last + 1):
            for i in range(0 if level == last else 1, 4):
                self.uids[at] = _path[4 * level + i]
                at += 1

    def _walk(self) -> int:
        """List the tags that are awake, depth first: where answers collide, those with a 1 come first."""
        level = bits = 0
        while True:
            answer = self._descend(level, bits)
            if not _counts[_TURNS] or self.count == MOST_TAGS:
                break
            if answer == PRESENT or answer == EMPTY:
                answer = self._wake_again()
            if answer != PRESENT and answer != MANY:
                break
            # The same way down to the deepest turn, and 0 there this time.
            _counts[_TURNS] -= 1
            level = _turns[_counts[_TURNS]] >> 5
            bits = _turns[_counts[_TURNS]] & 31
            _path[4 * level + (bits >> 3)] &= ~(1 << (bits & 7))
            bits += 1
        if answer == SILENT:
            return SILENT
        if self.count > 1:
            return MANY  # whatever else there was
        return PRESENT if self.count and answer != GARBLED else GARBLED

    def _descend(self, start: int, bits: int) -> int:
        """Select one tag and keep its UID; levels before `start`, and `bits` of that one, are in `_path`."""
        for level in range(3):
            if level >= start:
                answer = self._anticollide(level, bits if level == start else 0)
                if answer != PRESENT:
                    return answer
            answer = self._choose(level)
            if answer != PRESENT:
                return SILENT if answer == SILENT else GARBLED
            goes_on = _fifo[1] & _UID_GOES_ON != 0
            has_tag = _path[4 * level] == _CASCADE_TAG  # or a byte of the UID, though not its first
            if goes_on != has_tag and (goes_on or level == 0):
                return GARBLED
            if not goes_on:
                self._keep(level)
                return PRESENT
        return GARBLED

    def _anticollide(self, level: int, bits: int) -> int:
        """Learn UID CLn, of which `bits` are known (ISO 6.5.3); at a collision take 1 and note the turn."""
        path, base = _path, 4 * level
        while True:
            whole, spare = bits >> 3, bits & 7
            length = 2 + whole + (1 if spare else 0)
            _out[1] = _SELECT + 2 * level
            _out[2] = 2 + whole << 4 | spare
            for i in range(2, length):
                _out[1 + i] = path[base + i - 2]
            answer = self._exchange(length, spare << 4 | spare, _ANTICOLLISION_US)
            if answer != PRESENT and answer != MANY:
                return answer
            is_whole = self._take(5 - whole)
            if whole < 4:
                keep = (1 << spare) - 1
                path[base + whole] = path[base + whole] & keep | _fifo[1] & ~keep
            for i in range(whole + 1, 4):
                path[base + i] = _fifo[1 + i - whole]
            if answer == PRESENT:
                bcc = path[base] ^ path[base + 1] ^ path[base + 2] ^ path[base + 3]
                return PRESENT if is_whole and bcc == _fifo[5 - whole] else GARBLED
            # Whether CollPos (1 to 32, and 32 is 0) counts from the first bit sent or the first one stored,
            # the datasheet leaves open. The second never goes too far: at worst the collision comes again.
            bits = max(bits, 8 * whole + ((_status[_COLLISION] - 1) & 31))
            if bits >= 32 or _status[_COLLISION] & _NO_POSITION or _counts[_TURNS] == _MOST_TURNS:
                return GARBLED
            _turns[_counts[_TURNS]] = 32 * level + bits
            _counts[_TURNS] += 1
            path[base + (bits >> 3)] |= 1 << (bits & 7)
            bits += 1

    def _choose(self, level: int) -> int:
        """SELECT what `_path` says at this level; SAK comes to `_fifo[1]`, its CRC checked."""
        _out[1] = _SELECT + 2 * level
        _out[2] = 0x70
        _out[7] = 0
        for i in range(4):
            _out[3 + i] = _path[4 * level + i]
            _out[7] ^= _out[3 + i]  # BCC
        crc = _crc_a(_out, 1, 8)
        _out[8] = crc & 0xFF
        _out[9] = crc >> 8
        answer = self._exchange(9, 0, _SELECT_US)
        if answer == PRESENT and not (self._take(3) and _crc_a(_fifo, 1, 2) == _fifo[2] | _fifo[3] << 8):
            return GARBLED
        return answer
