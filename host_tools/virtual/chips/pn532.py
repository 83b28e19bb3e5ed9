"""The reader chip PN532 at the level of its commands on SPI.

Written from NXP's PN532 user manual UM0701-02 (sections are its own) for firmware 1.6. It is driven as silicon is: chip
select, bytes on SPI, the reset pin, and the time in microseconds. Where the manual gives no time the model has one that
is slow enough for a driver that does not wait to fail. Not modelled: targets other than type A at 106 kbit/s, the
exchange of data with more than the one that was selected by its UID, its own life as a card, I2C and UART.
"""

import random
from collections.abc import Generator

from host_tools.virtual.chips.crc_a import with_crc
from host_tools.virtual.chips.iso14443a import REQA, Field, Reply, request_us

_BOOT_US = 1_000
_WAKE_US = 2_000        # 7.2.11: from the falling edge of NSS on, until its oscillator runs
_ACK_US = 600           # between a frame's end and its ACK
_HASTY_US = 1_000       # Adafruit-PN532 issues 117, 134: looked at sooner, an ACK is lost now and then
_SELECTED_US = 100      # the same: from the falling edge of NSS to the first clock
_COMMAND_US = 700       # between ACK and answer of a command that does nothing on air
_TEST_US = 2_500        # of a self-test
_SILENCE_US = 300       # how long an answer on air is waited for
_PATIENCE_US = 51_200   # 7.3.1: how long a target that got data is waited for
_GAP_US = 100           # between an answer on air and the next question
_NEVER = 1 << 62
_SPOILT_AT = 3          # from the end of a frame: the last byte of its data

_STATUS_READ, _DATA_WRITE, _DATA_READ = 0x02, 0x01, 0x03    # 6.2.5: the first byte of a transaction
_WRITES = b"\x80"                                           # DATA WRITE as it comes over this bus
_ACK = bytes.fromhex("0000ff00ff00")                        # 6.2.1.3
_SYNTAX_ERROR = bytes.fromhex("0000ff01ff7f8100")           # 6.2.1.5
_HLTA = with_crc(b"\x50\x00")
_LEVELS = (0x93, 0x95, 0x97)
_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))

Air = Generator[int, None, "tuple[Reply | None, int]"]


def frame(data: bytes) -> bytes:
    """A normal information frame around TFI and packet data (6.2.1.1)."""
    return bytes((0, 0, 0xFF, len(data), -len(data) & 0xFF)) + data + bytes((-sum(data) & 0xFF, 0))


class Pn532:
    """One PN532 on SPI with `field` at its antenna.

    Fault knobs, all off at first: `miso` and `loose_wire` as of mfrc522.py, `power(on, now_us)`,
    `broken_rom`: what a self-test finds. `errors` lists what the host did that the manual does not allow. `is_hasty`,
    on at first: the chip as boards with an ESP32 have it, which loses the ACK of a host that asks for it within 1 ms of
    the command, and the byte that comes within 100 us of its selection. `spoils`: 3 gives
    every third answer, ACKs left out, one wrong bit; a NACK brings the same answer again.

    `byte_us`: how long a byte takes on the bus, 0 for no time at all; `exchange` is told when the last one was over.
    """

    byte_us = 0.0

    def __init__(self, field: Field, rng: random.Random | None = None) -> None:
        self.field = field
        self.miso: str | None = None
        self.loose_wire = 0.0
        self.broken_rom = False
        self.is_hasty = True
        self.spoils = self._told = 0
        self._selected_us = self._heard_us = 0
        self.errors: list[str] = []
        self._rng = rng if rng is not None else random.Random(532)
        self._has_power = True
        self._is_awake = False
        self._boot_us = 0
        self._reset_low = False
        self._selected = False
        self._now_us = 0
        self._start(0)

    # The pins

    def select(self, now_us: int) -> None:
        """NSS goes low: a transaction begins, and a chip that sleeps begins to wake."""
        self._advance(now_us)
        self._selected = True
        self._selected_us = now_us
        self._kind = -1
        self._taken = bytearray()
        if not self._is_awake and now_us >= self._boot_us:
            self._is_awake = True
            self._hears_us = now_us + _WAKE_US

    def deselect(self, now_us: int) -> None:
        """NSS goes high: a frame that was written is carried out, a packet that was read is gone."""
        self._advance(now_us)
        if self._selected and self._kind == _DATA_WRITE:
            self._hear(bytes(self._taken))
        elif self._selected and self._kind == _DATA_READ and self._taken:
            _, packet = self._pending.pop(0)
            self._told += packet != _ACK
        self._selected = False

    def exchange(self, mosi: bytes, now_us: int) -> bytes | None:
        """Clock bytes through; on this bus the least significant bit comes first (6.2.5). None while not selected."""
        if not self._selected:
            return None
        begin_us = now_us - round(len(mosi) * self.byte_us)
        self._advance(begin_us)
        if not self._has_power or self._reset_low:
            return self._rng.randbytes(len(mosi))
        if self.is_hasty and self._kind < 0:
            if begin_us - self._selected_us < _SELECTED_US:
                return bytes(len(mosi))
            if self._pending and mosi[:1] != _WRITES and begin_us - self._heard_us < _HASTY_US:
                self._pending.clear()
        wire = self._rattle(mosi)
        if self._work is not None and self._due_us <= now_us or begin_us < self._hears_us <= now_us or (
                self._pending and begin_us < self._pending[0][0] <= now_us):  # something changes meanwhile
            miso = self._clock_over_time(wire, begin_us)
        else:
            miso = bytes(_REVERSED[self._clock(_REVERSED[byte])] for byte in wire)
        if self.miso == "floating":
            return self._rng.randbytes(len(mosi))
        if self.miso is not None:
            return (b"\xFF" if self.miso == "high" else b"\x00") * len(mosi)
        return self._rattle(miso)

    def _clock_over_time(self, mosi: bytes, begin_us: int) -> bytes:
        """What each byte gives, at its own time."""
        miso = bytearray()
        for index, byte in enumerate(mosi):
            self._advance(begin_us + int(index * self.byte_us))
            miso.append(_REVERSED[self._clock(_REVERSED[byte])])
        return bytes(miso)

    def _rattle(self, wire: bytes) -> bytes:
        if not self.loose_wire:
            return wire
        rng = self._rng
        return bytes(byte ^ 1 << rng.randrange(8) if rng.random() < self.loose_wire else byte for byte in wire)

    def reset_pin(self, level: int, now_us: int) -> None:
        """RSTPDN: low is hard power-down, the rising edge a reset."""
        self._advance(now_us)
        was_low, self._reset_low = self._reset_low, not level
        if self._reset_low or was_low:
            self._start(now_us)

    def power(self, on: bool, now_us: int) -> None:
        """The supply fails or comes back; everything is forgotten."""
        self._advance(now_us)
        if on != self._has_power:
            self._has_power = on
            self._start(now_us)

    def _start(self, now_us: int) -> None:
        self._now_us = now_us
        self._is_awake = False
        self._boot_us = now_us + _BOOT_US
        self._hears_us = _NEVER
        self._is_configured = False             # 7.2.10: in LowVbat mode until SAMConfiguration
        self._tries = 256                       # 7.3.1: MxRtyPassiveActivation is FFh, for ever
        self._has_target = False
        self._pending: list[tuple[int, bytes]] = []     # (from when it can be read, packet)
        self._last = b""
        self._work: Generator[int, None, bytes] | None = None
        self._due_us = _NEVER
        self._kind = -1
        self._taken = bytearray()
        self.field.switch(False, now_us)

    # The bus (6.2.5)

    def _clock(self, byte: int) -> int:
        if self._kind < 0:
            self._kind = byte
            return 0
        if self._kind == _STATUS_READ:
            return int(self._is_ready())
        if self._kind == _DATA_WRITE:
            if self._now_us >= self._hears_us:
                self._taken.append(byte)
            return 0
        if self._kind == _DATA_READ and self._is_ready():
            packet = self._pending[0][1]
            at = len(self._taken)
            self._taken.append(0)
            wrong = at == len(packet) - _SPOILT_AT and packet != _ACK and self._is_spoilt()
            return packet[at] ^ wrong if at < len(packet) else 0
        return 0

    def _is_spoilt(self) -> bool:
        """Whether the answer that is read now is one that comes wrong."""
        return self.spoils > 0 and (self._told + 1) % self.spoils == 0

    def _is_ready(self) -> bool:
        return bool(self._pending) and self._now_us >= self._pending[0][0]

    def _hear(self, data: bytes) -> None:
        """A whole frame (6.2.1): ACK and the command; nothing if it is no frame."""
        begin = data.find(b"\x00\xff")
        if begin < 0 or len(data) < begin + 4:
            return
        length, check = data[begin + 2], data[begin + 3]
        if (length, check) == (0x00, 0xFF):
            self._abort()                       # 6.2.1.3: an ACK from the host
            return
        if (length, check) == (0xFF, 0x00):
            if self._last:                      # 6.2.1.4: a NACK asks for the last answer again
                self._pending = [(self._now_us + _ACK_US, self._last)]
            return
        body = data[begin + 4:begin + 5 + length]
        if (length + check) & 0xFF or len(body) != length + 1 or sum(body) & 0xFF or body[0] != 0xD4 or length < 2:
            return
        self._abort()
        self._heard_us = self._now_us
        self._pending = [(self._now_us + _ACK_US, _ACK)]
        self._work = self._carry_out(body[1], body[2:-1])
        self._due_us = self._now_us + _ACK_US

    def _abort(self) -> None:
        self._pending = []
        self._work = None
        self._due_us = _NEVER

    # Time

    def _advance(self, now_us: int) -> None:
        """Everything that was due by now happens, each at its own time."""
        while self._work is not None and self._due_us <= now_us:
            self._now_us = self._due_us
            try:
                self._due_us = next(self._work)
            except StopIteration as end:
                self._work = None
                self._last = end.value
                self._pending.append((self._now_us, end.value))
        self._now_us = now_us

    # Commands (7.2, 7.3)

    def _carry_out(self, command: int, data: bytes) -> Generator[int, None, bytes]:
        """What is done from the ACK on: yields when to go on, returns the answer's frame."""
        yield self._now_us + _COMMAND_US
        if not self._is_configured and command not in (0x00, 0x02, 0x14):
            self.errors.append(f"7.2.10: command {command:02x} in LowVbat mode")
            return _SYNTAX_ERROR
        answer: bytes | None = None
        if command == 0x00 and data[:1] in (b"\x01", b"\x02"):      # 7.2.1: ROM test, RAM test
            yield self._now_us + _TEST_US
            answer = b"\xFF" if self.broken_rom and data == b"\x01" else b"\x00"
        elif command == 0x02 and not data:                          # 7.2.2
            answer = b"\x32\x01\x06\x07"
        elif command == 0x12 and len(data) == 1:                    # 7.2.9
            answer = b""
        elif command == 0x14 and len(data) in (1, 2, 3) and data[0] == 1:   # 7.2.10
            self._is_configured = True
            answer = b""
        elif command == 0x32:
            answer = self._configure_radio(data)
        elif command == 0x4A and len(data) == 2 and data[0] in (1, 2) and data[1] == 0:     # 7.3.5
            answer = yield from self._list(data[0])
        elif command == 0x4A and data[:2] == b"\x01\x00" and len(data) in (6, 10, 14):
            answer = yield from self._select_target(data[2:])
        elif command == 0x40 and data[:1] == b"\x01" and len(data) > 1:     # 7.3.8
            answer = yield from self._exchange_data(data[1:])
        return _SYNTAX_ERROR if answer is None else frame(bytes((0xD5, command + 1)) + answer)

    def _configure_radio(self, data: bytes) -> bytes | None:
        """7.3.1: item 1, the field; item 5, how often something is tried again."""
        if data[:1] == b"\x01" and len(data) == 2:
            self.field.switch(bool(data[1] & 1), self._now_us)
            self._has_target = False
            return b""
        if data[:1] == b"\x05" and len(data) == 4:
            self._tries = data[3] + 1
            return b""
        return None

    def _list(self, most: int) -> Generator[int, None, bytes]:
        """7.3.5: up to two targets, each with its number, ATQA, SAK and UID; none after so many tries."""
        found: list[bytes] = []
        self.field.switch(True, self._now_us)
        tries = 0
        while not found and (tries < self._tries or self._tries == 256):
            tries += 1
            while len(found) < most:
                atqa, _ = yield from self._air(bytes((REQA,)), 7)
                if atqa is None or atqa.bits != 16:
                    break
                target = yield from self._activate()
                if target is None:
                    break
                found.append(bytes((len(found) + 1, atqa.value >> 8 & 0xFF, atqa.value & 0xFF)) + target)
                if len(found) < most:
                    yield from self._air(_HLTA, 32)
        return bytes((len(found),)) + b"".join(found)

    def _select_target(self, uid: bytes) -> Generator[int, None, bytes]:
        """7.3.5 with a UID, cascade tags in it: that target alone, without anticollision."""
        self.field.switch(True, self._now_us)
        self._has_target = False
        for _ in range(self._tries):
            yield from self._air(bytes((REQA,)), 7)
            for at in range(0, len(uid), 4):
                part = uid[at:at + 4]
                part += bytes((part[0] ^ part[1] ^ part[2] ^ part[3],))
                sak, collided = yield from self._air(with_crc(bytes((_LEVELS[at // 4], 0x70)) + part), 72)
                if sak is None or collided or sak.bits != 24:
                    break
                if at + 4 == len(uid) and not sak.value & 0x04:
                    self._has_target = True
                    return bytes((1, 1, 0, 0x44, sak.value & 0xFF, len(uid))) + uid
        return b"\x00"

    def _exchange_data(self, data: bytes) -> Generator[int, None, bytes]:
        """7.3.8: a status, and what the target answered; an ACK of four bits is the status alone (7.1)."""
        if not self._has_target:
            return b"\x27"      # 7.1: not in the state for it
        question = with_crc(data)
        reply, collided = yield from self._air(question, 8 * len(question))
        if reply is None:
            yield self._now_us + _PATIENCE_US
            return b"\x01"
        if reply.bits == 4:
            return b"\x00" if reply.value == 0x0A else b"\x14"
        answer = reply.value.to_bytes((reply.bits + 7) // 8, "little")
        if collided or reply.bits % 8 or with_crc(answer[:-2]) != answer:
            return b"\x02"
        return b"\x00" + answer[:-2]

    # On air (ISO/IEC 14443-3)

    def _air(self, data: bytes, bits: int) -> Air:
        """One question; its answer if there was a clean one, and where it collided."""
        end_us = self._now_us + request_us(bits)
        yield end_us
        reply = self.field.exchange(data, bits, end_us)
        if reply is None:
            yield end_us + _SILENCE_US
            return None, 0
        yield reply.end_us + _GAP_US
        if reply.parity_wrong:
            return None, 0
        return reply, reply.collided

    def _activate(self) -> Generator[int, None, bytes | None]:
        """Anticollision and SELECT of all levels (6.5.3): SAK, length of the UID, UID; None if it went wrong."""
        uid = b""
        for select in _LEVELS:
            part = yield from self._resolve(select)
            if part is None:
                return None
            sak, collided = yield from self._air(with_crc(bytes((select, 0x70)) + part), 72)
            if sak is None or collided or sak.bits != 24:
                return None
            data = sak.value.to_bytes(3, "little")
            if with_crc(data[:1]) != data:
                return None
            if not data[0] & 0x04:
                uid += part[:4]
                return bytes((data[0], len(uid))) + uid
            uid += part[1:4]
        return None

    def _resolve(self, select: int) -> Generator[int, None, bytes | None]:
        """UID CLn and BCC of one tag, taking 1 wherever tags differ."""
        part, known = 0, 0
        while True:
            told = part.to_bytes(5, "little")[:(known + 7) // 8]
            reply, collided = yield from self._air(bytes((select, 2 + known // 8 << 4 | known % 8)) + told, 16 + known)
            if reply is None or reply.bits != 40 - known:
                return None
            if not collided:
                data = (part | reply.value << known).to_bytes(5, "little")
                return data if not data[0] ^ data[1] ^ data[2] ^ data[3] ^ data[4] else None
            clean = (collided & -collided).bit_length() - 1
            part |= (reply.value & (1 << clean) - 1 | 1 << clean) << known
            known += clean + 1
            if known > 32:
                return None
