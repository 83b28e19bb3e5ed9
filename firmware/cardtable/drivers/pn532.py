"""The PN532 reader over SPI, with the promise of mfrc522.py.

"Manual" is NXP's UM0701-02. The chip does what is said on air by itself and tells only what came of it. So GARBLED is
rare here, and EMPTY may be a tag that was not understood: who counts misses has to be patient. Of more tags than two it
lists two. Its chip select is never held while another task runs, so several, and other readers, share one bus.
Never seen on hardware. Boards on ESP32 want the pauses _SELECTED_US and _BEGUN_US (Adafruit-PN532 issues 117, 134).
"""

import asyncio
import time

from micropython import const

from cardtable.answers import GARBLED, MANY, OK, OPEN, PRESENT, SILENT, WRONG_VERSION

MOST_TAGS = const(2)
_CHIP = const(0x32)  # 7.2.2: what the chip calls itself
_COUNT_MASK = const(0x0FFF_FFFF)  # counters of health stay small integers

_WAKE_US = const(2000)  # 7.2.11: its oscillator starts when it is selected
_LOOK_US = const(150)  # between two looks whether something can be read
_SELECTED_US = const(100)  # between selecting it and the first bit
_BEGUN_US = const(1000)  # between a command and the first look
_SHORT_US = const(5000)  # an ACK, or the answer to a command that does nothing on air
_LONG_US = const(60_000)  # a self-test; two tries on air with two tags
_SPIN_US = const(2000)  # of these, without giving way: more often than not it saves a tick of 10 ms
_FIELD_UP_MS = const(6)  # ISO 14443-3, 5: a tag hears after 5.1 ms of field

_ANSWER_SIZE = const(45)  # head 7, number of targets, two targets of 15 at most, check and end
_HEAD = b"\x00\x00\xff"
_ACK = b"\x00\x00\xff\x00\xff\x00"  # 6.2.1.3

# 6.2.5: the least significant bit of each byte comes first, and other chips on the bus have it otherwise.
_REVERSED = bytes([
    (byte & 1) << 7 | (byte & 2) << 5 | (byte & 4) << 3 | (byte & 8) << 1
    | byte >> 1 & 8 | byte >> 3 & 4 | byte >> 5 & 2 | byte >> 7 for byte in range(256)
])


def _reverse(data: bytes) -> bytes:
    return bytes([_REVERSED[byte] for byte in data])


def _frame(data: bytes) -> bytes:
    """A command as it goes over the wire: 6.2.1.1, with lengths and sums that make zero, behind DATA WRITE of 6.2.5."""
    body = b"\xd4" + data
    return _reverse(b"\x01" + _HEAD + bytes([len(body), 256 - len(body)]) + body + bytes([-sum(body) & 0xFF, 0]))


_GET_VERSION = _frame(b"\x02")
_SETTINGS = (
    _frame(b"\x14\x01"),  # 7.2.10: no security module; out of the mode in which it wakes up
    _frame(b"\x12\x00"),  # 7.2.9: no RATS of its own
    _frame(b"\x32\x05\xff\x01\x01"),  # 7.3.1: a second try on air, and no third
)
_FIELD_ON = _frame(b"\x32\x01\x01")
_FIELD_OFF = _frame(b"\x32\x01\x00")
_LIST = _frame(b"\x4a\x02\x00")  # 7.3.5: two targets of type A
_SELECT = b"\x4a\x01\x00"  # 7.3.5: the one of that UID, which follows
_EXCHANGE = b"\x40\x01"  # 7.3.8: with it
_CASCADE_TAG = b"\x88"
_TEST_ROM = _frame(b"\x00\x01")  # 7.2.1
_TEST_RAM = _frame(b"\x00\x02")
_ABORT = _reverse(b"\x01" + _ACK)
_NACK = _reverse(b"\x01\x00\x00\xff\xff\x00\x00")  # 6.2.1.4: the answer once more
_COMMAND_AT = const(7)  # of a frame with its DATA WRITE: the command

# Buffers of one transaction, shared by all readers: nothing in them outlives it.
_ASK_STATUS = _reverse(b"\x02\x00")
_ASK_ACK = _reverse(b"\x03" + bytes(len(_ACK)))
_ASK_ANSWER = _reverse(b"\x03" + bytes(_ANSWER_SIZE))
_HALF_ACK_SIZE = const(4)  # of `_ack`: up to its FFh
_IDLE = b"\xff\xff"
_pair = bytearray(2)
_ack = bytearray(1 + len(_ACK))
_answer = bytearray(1 + _ANSWER_SIZE)


class Pn532:
    """One reader on `spi` (mode 0, at most 5 MHz, may be shared); `select` is its chip select pin.

    After PRESENT `uid` (10 bytes, zero padded) and `uid_length` (4, 7, 10) are the tag. After MANY `count`
    tags lie in `uids`, 10 bytes each, their `lengths` apart. `fault`: OK, SILENT, WRONG_VERSION.
    Health is counted: `polls reads garbled collisions silent restarts`.
    """

    def __init__(self, spi, select) -> None:
        self.gain = 5  # RxGain as the chip sets it for type A
        self.fault = SILENT
        self.version = 0
        self.uid = bytearray(10)
        self.uid_length = self.count = 0
        self.uids = bytearray(10 * MOST_TAGS)
        self.lengths = bytearray(MOST_TAGS)
        self.polls = self.reads = self.garbled = self.collisions = self.silent = self.restarts = 0
        self._swap = spi.write_readinto
        self._send = spi.write
        self._select = select.value
        self._select(1)

    def start(self) -> bool:
        """Wake it, ask its version, configure; 15 ms at most. False: the reader is not right, `fault` says why."""
        self._select(0)
        time.sleep_us(_WAKE_US)
        self._select(1)
        self.fault = SILENT
        self.version = 0
        if self._tell(_GET_VERSION) == 4:
            self.version = _answer[8]
            self.fault = OK if self.version == _CHIP else WRONG_VERSION
        for setting in _SETTINGS:
            if self.fault == OK and self._tell(setting) < 0:
                self.fault = SILENT
        if self.fault == OK:
            self.field(False)
        return self.fault == OK

    def idle(self) -> int:
        """What the data line carries while no reader is selected: 0xFF where it is pulled up and left alone, 0 where
        somebody drives it, OPEN where it follows its last bit. This reader has to work: it gives that bit."""
        self._transmit(_GET_VERSION)
        time.sleep_us(_BEGUN_US)
        self._wait(_SHORT_US)
        half = memoryview(_ack)[:_HALF_ACK_SIZE]
        self._ask(memoryview(_ASK_ACK)[:_HALF_ACK_SIZE], half)  # an ACK that ends in FFh for now
        after_one = self._listen()
        self._transmit(_ABORT)
        self._is_ready()  # gives 0
        after_zero = self._listen()
        return after_one if after_one == after_zero else OPEN

    def _listen(self) -> int:
        self._swap(_IDLE, _pair)
        return _pair[0] & _pair[1]

    def field(self, on: bool) -> None:
        """Switch the antenna."""
        if self._tell(_FIELD_ON if on else _FIELD_OFF) < 0:
            self.fault = self.fault or SILENT

    def read_back(self, frames: int) -> int:
        """How many of so many questions after its version, a quarter of them asked, come back wrong: what the bus does
        at this clock."""
        wrong = 0
        for _ in range(frames // 4):
            if self._tell(_GET_VERSION) != 4 or _answer[8] != self.version:
                wrong += 1
        return wrong

    def self_test(self) -> bool:
        """What the chip says of its ROM and RAM, as information; the chip restarts in any case. 20 ms at most."""
        passed = True
        for test in (_TEST_ROM, _TEST_RAM):
            passed = self._tell(test, _LONG_US) == 1 and _answer[8] == 0 and passed
        return self.start() and passed

    def warm(self) -> bool:
        """Whether the field comes up before a poll: not this chip's, which is told so by a whole command."""
        return False

    async def poll(self, known: "bytes | None" = None) -> int:
        """Field on, field up, look, field off; gives EMPTY, PRESENT, GARBLED, MANY or SILENT.

        A reader with a fault is started first. Other tasks run meanwhile. One poll at a time; if it is cancelled,
        switch the field off. `known`, the tag that lay here, is of no use to this chip.
        """
        self.polls = (self.polls + 1) & _COUNT_MASK
        if self.fault != OK and self.start():
            self.restarts = (self.restarts + 1) & _COUNT_MASK
        result = SILENT
        if self.fault == OK:
            self.field(True)
            await asyncio.sleep_ms(_FIELD_UP_MS)
            if self.fault == OK:
                result = await self._look()
            if self.fault == OK:
                self.field(False)
        else:
            await asyncio.sleep_ms(0)
        if self.fault != OK:
            result = SILENT
        self._note(result)
        return result

    async def select(self, uid, length: int = 0) -> bool:
        """Field on, field up, and that tag selected: `transceive` speaks with it, `field(False)` ends it.

        length: of its UID, 4, 7 or 10 bytes; where it is not told, zeros at the end of ten bytes count as padding.
        """
        if self.fault != OK:
            return False
        self.field(True)
        await asyncio.sleep_ms(_FIELD_UP_MS)
        uid = bytes(uid)
        if length:
            uid = uid[:length]
        elif len(uid) == 10:  # of fewer bytes none pads it
            while len(uid) > 4 and not any(uid[-3:]):
                uid = uid[:-3]
        if len(uid) == 10:
            uid = _CASCADE_TAG + uid[:3] + _CASCADE_TAG + uid[3:]
        elif len(uid) == 7:
            uid = _CASCADE_TAG + uid
        return self._tell(_frame(_SELECT + uid), _LONG_US) > 0 and _answer[8] == 1

    async def transceive(self, question: bytes, answer: bytearray, wait_ms: int) -> int:
        """Ask the selected tag; how many bits of `answer` it gave: 4, or whole bytes; 0 if it was none, or wrong.

        The chip knows the tags that write: it waits by itself (7.3.1: 51 ms), and tells of an ACK that all went well.
        """
        size = self._tell(_frame(_EXCHANGE + question), _LONG_US) - 1
        if size < 0 or _answer[8] or size > len(answer):
            return 0
        if not size:
            answer[0] = 0x0A  # ACK
            return 4
        for i in range(size):
            answer[i] = _answer[9 + i]
        return 8 * size

    def _note(self, result: int) -> None:
        """Count it; after PRESENT the tag is `uid`."""
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

    async def _look(self) -> int:
        """Have it list what lies there."""
        if not self._begin(_LIST):
            self.fault = SILENT
            return SILENT
        waited_us = 0
        while not self._is_ready():
            if waited_us >= _LONG_US:
                self._transmit(_ABORT)
                self.fault = SILENT
                return SILENT
            if waited_us < _SPIN_US:
                time.sleep_us(_LOOK_US)
                waited_us += _LOOK_US
            else:
                begun = time.ticks_us()
                await asyncio.sleep_ms(1)
                waited_us += max(1000, time.ticks_diff(time.ticks_us(), begun))
        length = self._fetch(_LIST)
        if length < 1:
            self.fault = SILENT
            return SILENT
        return self._keep_targets(8, 7 + length)

    def _keep_targets(self, at: int, last: int) -> int:
        """Put the targets that an answer lists (7.3.5), of which the last byte is at `last`, into `uids`."""
        count = _answer[at]
        self.count = 0
        if count > MOST_TAGS:
            return GARBLED
        at += 1
        for tag in range(count):
            # Number, ATQA in two bytes, SAK, length of the UID, UID.
            if at + 4 > last:
                return GARBLED
            size = _answer[at + 4]
            at += 5
            if size not in (4, 7, 10) or at + size - 1 > last:
                return GARBLED
            for i in range(10):
                self.uids[10 * tag + i] = _answer[at + i] if i < size else 0
            self.lengths[tag] = size
            at += size
        self.count = count
        return MANY if count > 1 else count  # EMPTY is 0, PRESENT is 1

    # --- frames ---

    def _transmit(self, frame: bytes) -> None:
        self._select(0)
        time.sleep_us(_SELECTED_US)
        self._send(frame)
        self._select(1)

    def _ask(self, question, into) -> None:
        self._select(0)
        time.sleep_us(_SELECTED_US)
        self._swap(question, into)
        self._select(1)

    def _is_ready(self) -> bool:
        """6.2.5: whether something can be read."""
        self._ask(_ASK_STATUS, _pair)
        return _pair[1] == 0x80

    def _wait(self, limit_us: int) -> bool:
        """Until something can be read; without giving way."""
        for _ in range(limit_us // _LOOK_US):
            if self._is_ready():
                return True
            time.sleep_us(_LOOK_US)
        return False

    def _begin(self, frame: bytes) -> bool:
        """Send a command; True if it was understood."""
        self._transmit(frame)
        time.sleep_us(_BEGUN_US)
        if not self._wait(_SHORT_US):
            return False
        self._ask(_ASK_ACK, _ack)
        for i in range(len(_ACK)):
            if _REVERSED[_ack[1 + i]] != _ACK[i]:
                return False
        return True

    def _tell(self, frame: bytes, limit_us: int = _SHORT_US) -> int:
        """A whole command and its answer: how many bytes that has behind its command, -1 where something is wrong."""
        if not self._begin(frame) or not self._wait(limit_us):
            return -1
        return self._fetch(frame)

    def _fetch(self, frame: bytes) -> int:
        """The answer to that command as `_take` gives it; one that did not come whole is asked for once more."""
        length = self._take(frame)
        if length < 0:
            self._transmit(_NACK)
            time.sleep_us(_BEGUN_US)
            if self._wait(_SHORT_US):
                length = self._take(frame)
        return length

    def _take(self, frame: bytes) -> int:
        """Read the answer to that command into `_answer`, its bytes from [8] on; -1 if it is not whole."""
        self._ask(_ASK_ANSWER, _answer)
        for i in range(1, len(_answer)):
            _answer[i] = _REVERSED[_answer[i]]
        length = _answer[4]
        if _answer[1] or _answer[2] or _answer[3] != 0xFF or (length + _answer[5]) & 0xFF:
            return -1
        if length < 2 or 6 + length >= len(_answer):
            return -1
        total = 0
        for i in range(6, 7 + length):
            total += _answer[i]
        if total & 0xFF or _answer[6] != 0xD5 or _answer[7] != _REVERSED[frame[_COMMAND_AT]] + 1:
            return -1
        return length - 2
