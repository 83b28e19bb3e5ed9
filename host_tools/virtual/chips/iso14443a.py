"""Tags of ISO/IEC 14443-3 type A and the field of one antenna.

Times are whole microseconds, handed in. A frame is `data` with a count of `bits`, the least significant
bit of the first byte first; a reply is an integer whose bit 0 came first.
"""

import random
from collections.abc import Callable
from enum import Enum

from host_tools.virtual.chips.crc_a import with_crc

# ISO/IEC 14443-2: fc = 13.56 MHz; a bit at 106 kbit/s (one etu) lasts 128/fc = 9.44 us.
_ETU = 128
# ISO/IEC 14443-3, 6.2.1.1 (n = 9): frame delay time from reader to tag after a last bit of 1 and of 0.
_DELAY_AFTER_ONE = 1236
_DELAY_AFTER_ZERO = 1172
# ISO/IEC 14443-3, 6.2.1.2: a reader leaves at least this long after a reply before it sends again.
_DELAY_AFTER_REPLY = 1172

# ISO/IEC 14443-3, clause 5: a tag hears a request at the latest 5 ms after the field came up.
WAKE_US = 5000
# How long a tag's own capacitor keeps its state without field; only 5.1 ms without is sure to be enough.
HOLD_US = 100

REQA = 0x26
WUPA = 0x52
_HLTA = with_crc(b"\x50\x00")
_CASCADE_TAG = 0x88
_LEVELS = (0x93, 0x95, 0x97)
_UID_INCOMPLETE = 0x04      # bit 3 of SAK (ISO/IEC 14443-3, 6.5.3.4)
_SPLIT_BITS = 40            # UID CLn and BCC


def cycles_to_us(cycles: int) -> int:
    """Periods of the carrier (13.56 MHz) in whole microseconds, rounded up: nothing is over before it is."""
    return (cycles * 100 + 1355) // 1356


_LONGEST = 8 * 66     # a full FIFO of a reader chip and its CRC
_REQUEST_US = [
    cycles_to_us(_ETU * (10 if bits == 7 else 3 + 9 * (bits // 8) + bits % 8)) for bits in range(_LONGEST + 1)
]


def request_us(bits: int) -> int:
    """How long a reader's frame of `bits` data bits is on air, in microseconds.

    A short frame (7 bits) takes 10 etu, a standard one 3 + 9n, a bit-oriented one its bits and the parities
    of its full bytes (ISO/IEC 14443-3, 6.2.3).
    """
    return _REQUEST_US[bits]


class State(Enum):
    """States of a tag (ISO/IEC 14443-3, 6.3, figure of the state machine); STAR: it was woken from HALT."""

    POWER_OFF = "power off"
    IDLE = "idle"
    READY = "ready"
    ACTIVE = "active"
    HALT = "halt"
    READY_STAR = "ready*"
    ACTIVE_STAR = "active*"


class Tag:
    """One tag: UID of 4, 7 or 10 bytes, its ATQA (2 bytes as they are sent) and the SAK of its last level.

    `wake_us` after the field came up it begins to hear; for `hold_us` without field it keeps its state.
    `contact`, if set, is asked at each frame with the time: since when has the tag been in the field without
    a break (microseconds), or -1 for "not now" (see `flicker`). ValueError for an impossible UID.
    """

    def __init__(self, uid: bytes, atqa: bytes | None = None, sak: int = 0, wake_us: int = WAKE_US,
                 hold_us: int = HOLD_US) -> None:
        if len(uid) not in (4, 7, 10):
            raise ValueError(f"a UID has 4, 7 or 10 bytes, not {len(uid)}")
        if len(uid) == 4 and uid[0] == _CASCADE_TAG:
            raise ValueError("a UID of 4 bytes cannot begin with the cascade tag 88")
        size = len(uid) // 3    # 1, 2, 3: single, double, triple
        self.uid = bytes(uid)
        # ISO/IEC 14443-3, 6.5.2: bits 7 and 8 of ATQA tell the size of the UID, one of bits 1 to 5 is set.
        self.atqa = bytes(atqa) if atqa is not None else bytes((0x04 | (size - 1) << 6, 0))
        self.sak = sak & ~_UID_INCOMPLETE
        self.wake_us = wake_us
        self.hold_us = hold_us
        self.contact: Callable[[int], int] | None = None
        self.late_us = 0    # how much later than the frame delay time the answer comes: a tag that writes needs time
        self._parts = self._split(size)
        self._atqa_reply = (int.from_bytes(self.atqa, "little"), 16)
        self._state = State.IDLE
        self._level = 0
        self._hears_us: int | None = None
        self._kept_us: int | None = None
        self._lost_us = 0

    def __repr__(self) -> str:
        return f"Tag({self.uid.hex()}, {self.state.value})"

    def _split(self, size: int) -> list[tuple[int, bytes, tuple[int, int]]]:
        """For each cascade level: UID CLn with BCC as a number, the SELECT that means it, the SAK reply."""
        parts = []
        rest = self.uid
        for level in range(size):
            last = level == size - 1
            part = rest if last else bytes((_CASCADE_TAG,)) + rest[:3]
            rest = rest[3:]
            part += bytes((part[0] ^ part[1] ^ part[2] ^ part[3],))
            sak = with_crc(bytes((self.sak if last else _UID_INCOMPLETE,)))
            select = with_crc(bytes((_LEVELS[level], 0x70)) + part)
            parts.append((int.from_bytes(part, "little"), select, (int.from_bytes(sak, "little"), 24)))
        return parts

    @property
    def state(self) -> State:
        """Where the tag is in its state machine; POWER_OFF without field."""
        return State.POWER_OFF if self._hears_us is None else self._state

    def field_on(self, now_us: int) -> None:
        """The field reaches the tag from now on."""
        if self._hears_us is not None:
            return
        if self._kept_us is not None and now_us - self._lost_us < self.hold_us:
            self._hears_us = self._kept_us
            return
        self._state = State.IDLE
        self._hears_us = now_us + self.wake_us

    def field_off(self, now_us: int) -> None:
        """The field no longer reaches the tag."""
        if self._hears_us is not None:
            self._kept_us, self._lost_us, self._hears_us = self._hears_us, now_us, None

    def hears(self, now_us: int) -> bool:
        """Whether a frame that begins now is heard."""
        return self._hears_us is not None and now_us >= self._hears_us

    def follow_contact(self, field_us: int, now_us: int) -> None:
        """Let `contact` decide since when a field that is up since `field_us` reaches the tag."""
        assert self.contact is not None
        since_us = self.contact(now_us)
        if since_us < 0:
            self.field_off(now_us)
            return
        since_us = max(since_us, field_us)
        if self._hears_us is None or self._hears_us < since_us + self.wake_us:
            self._kept_us = self._hears_us = None   # the break lies before `since_us`, and it was a long one
            self.field_on(since_us)

    def fall_back(self) -> None:
        """An error or a frame that does not belong here: back to IDLE, or to HALT from a * state (6.3)."""
        state = self._state
        if state is State.READY or state is State.ACTIVE:
            self._state = State.IDLE
        elif state is State.READY_STAR or state is State.ACTIVE_STAR:
            self._state = State.HALT

    def answer(self, data: bytes, bits: int) -> tuple[int, int] | None:
        """A whole frame arrives: the reply as (number, bits), or None for silence (6.3 to 6.5)."""
        state = self._state
        if state is State.IDLE or state is State.HALT:
            if bits == 7 and (data[0] & 0x7F == WUPA or (data[0] & 0x7F == REQA and state is State.IDLE)):
                self._state = State.READY if state is State.IDLE else State.READY_STAR
                self._level = 0
                return self._atqa_reply
            return None
        if state is State.READY or state is State.READY_STAR:
            return self._answer_ready(data, bits)
        if bits == 32 and data == _HLTA:
            self._state = State.HALT        # 6.4.3: HLTA is acknowledged by silence
            return None
        return self._answer_active(data, bits)

    def _answer_active(self, data: bytes, bits: int) -> tuple[int, int] | None:
        """Drop a frame that is none of ISO/IEC 14443-3: a plain selected tag answers no other."""
        self.fall_back()
        return None

    def _answer_ready(self, data: bytes, bits: int) -> tuple[int, int] | None:
        part, select, sak = self._parts[self._level]
        if bits >= 16 and data[0] == select[0]:
            known = bits - 16
            bytes_told, bits_told = data[1] >> 4, data[1] & 15
            if known < 33 and bits_told < 8 and bytes_told * 8 + bits_told == bits:
                given = int.from_bytes(data[2:], "little") & ((1 << known) - 1)
                if given == part & ((1 << known) - 1):
                    return part >> known, _SPLIT_BITS - known
                return None     # not its UID: it keeps silent and stays READY
            if bits == 72 and data == select:
                self._level += 1
                if self._level == len(self._parts):
                    self._state = State.ACTIVE if self._state is State.READY else State.ACTIVE_STAR
                return sak
        # Another tag's SELECT, a wrong CRC, BCC, NVB or level, a request, HLTA: all send it back (6.3).
        self.fall_back()
        return None


def flicker(period_us: int, present_us: int, phase_us: int = 0) -> Callable[[int], int]:
    """A `Tag.contact`: of each period the tag lies in the field for the first `present_us`, then not."""
    def contact(now_us: int) -> int:
        into_us = (now_us + phase_us) % period_us
        return max(0, now_us - into_us) if into_us < present_us else -1
    return contact


class Noise(Enum):
    """What can happen to one exchange on air."""

    REQUEST_DAMAGED = "the tags get a frame with a wrong parity"
    REPLY_LOST = "the reader gets nothing"
    BIT_FLIPPED = "one bit of the reply is wrong, so its parity is"
    TWO_BITS_FLIPPED = "two bits of one byte are wrong, the parity is right"
    GARBAGE = "the reader gets random bits, whether a tag answered or not"


def every(nth: int, kind: Noise) -> Callable[[int], Noise | None]:
    """A `Field.noise` that hits each `nth` frame with `kind`."""
    return lambda frame: None if frame % nth else kind


def chance(probability: float, rng: random.Random, kinds: tuple[Noise, ...] = tuple(Noise)
           ) -> Callable[[int], Noise | None]:
    """A `Field.noise` that hits a frame with this probability, with one of `kinds`."""
    return lambda frame: rng.choice(kinds) if rng.random() < probability else None


class Bursts:
    """Looks that miss in bursts, as under a hand that hovers: of all looks `share` miss, `looks` in a row on average,
    or each time just so many. A look is a time for which the field is on; `will_miss` tells of the next one."""

    def __init__(self, share: float, looks: float, rng: random.Random, is_fixed: bool = False) -> None:
        if not 0 < share < 1 or looks < 1:
            raise ValueError("a share lies between 0 and 1, and a burst has at least one look")
        self._begins = share / ((1 - share) * looks)  # a look after one that was heard begins a burst
        self._looks = looks
        self._rng = rng
        self._is_fixed = is_fixed
        self._left = 0
        self.misses = self.will_miss = False

    def step(self) -> None:
        """A look begins."""
        self.misses = self.will_miss
        if self._left:
            self._left -= 1
        elif not self.misses and self._rng.random() < self._begins:  # between two bursts at least one look is heard
            self._left = self._draw()
        self.will_miss = self._left > 0

    def _draw(self) -> int:
        if self._is_fixed:
            return round(self._looks)
        length = 1
        while self._rng.random() >= 1 / self._looks:
            length += 1
        return length


class Reply:
    """What an antenna receives: `value` of `bits` bits, bit 0 first.

    `collided` marks the bits on which tags differ,
    `align` is where in a byte the first bit belongs (0 but after a split byte), `parity_wrong` that a parity
    bit did not match. It comes `late_us` after the frame delay time; `start_us` and `end_us` are absolute.
    """

    __slots__ = ("value", "bits", "collided", "align", "parity_wrong", "late_us", "start_us", "end_us")

    def __init__(self, value: int, bits: int, collided: int, align: int) -> None:
        self.value = value
        self.bits = bits
        self.collided = collided
        self.align = align
        self.parity_wrong = False
        self.late_us = 0
        self.start_us = 0
        self.end_us = 0


class Field:
    """The field of one antenna and the tags that lie in it.

    `noise`, if set, is asked for each frame by its number (from 1); `bursts` loses whole looks; `frames` counts the
    frames sent, `times_on` how often the carrier came on.
    """

    def __init__(self, rng: random.Random | None = None) -> None:
        self.tags: list[Tag] = []
        self.on = False
        self.frames = self.times_on = 0
        self.noise: Callable[[int], Noise | None] | None = None
        self.bursts: Bursts | None = None
        self._rng = rng if rng is not None else random.Random(14443)
        self._on_us = 0
        self._busy_until_us = 0

    def switch(self, on: bool, now_us: int) -> None:
        """The carrier goes on or off."""
        if on == self.on:
            return
        self.on = on
        self.times_on += on
        if on and self.bursts is not None:
            self.bursts.step()
        self._on_us = now_us
        for tag in self.tags:
            if not on:
                tag.field_off(now_us)
            elif tag.contact is None:
                tag.field_on(now_us)

    def put(self, tag: Tag, now_us: int) -> None:
        """A tag is laid on the antenna. ValueError if it lies there already."""
        if tag in self.tags:
            raise ValueError(f"{tag!r} lies there already")
        self.tags.append(tag)
        if self.on and tag.contact is None:
            tag.field_on(now_us)

    def take(self, tag: Tag, now_us: int) -> None:
        """A tag is taken away. ValueError if it does not lie there."""
        self.tags.remove(tag)
        tag.field_off(now_us)

    def exchange(self, data: bytes, bits: int, end_us: int) -> Reply | None:
        """A reader's frame has just ended: what comes back, or None for silence.

        `data` are the bytes with `bits` valid bits, parities and framing left out; `end_us` is when the frame
        ended. Tags answer together after the frame delay time; where they differ the bits collide.
        """
        self.frames += 1
        noise = self.noise(self.frames) if self.noise is not None else None
        if self.bursts is not None and self.bursts.misses:
            noise = Noise.REPLY_LOST
        if not self.on:
            return None
        # A split byte is completed by the reply (6.2.3.3); a short frame is answered from bit 0.
        align = 0 if bits == 7 else bits & 7
        reply = self._superpose(data, bits, end_us, align, noise)
        if noise is not None:
            reply = self._disturb(reply, noise)
            if reply is None:
                return None
        if reply is None:
            return None
        last_bit = data[(bits - 1) >> 3] >> ((bits - 1) & 7) & 1
        delay = _DELAY_AFTER_ONE if last_bit else _DELAY_AFTER_ZERO
        length = (2 + reply.bits + ((reply.align + reply.bits) >> 3)) * _ETU
        end_us += reply.late_us
        reply.start_us = end_us + cycles_to_us(delay)
        reply.end_us = end_us + cycles_to_us(delay + length)
        self._busy_until_us = end_us + cycles_to_us(delay + length + _DELAY_AFTER_REPLY)
        return reply

    def _superpose(self, data: bytes, bits: int, end_us: int, align: int,
                   noise: Noise | None) -> Reply | None:
        """Every tag's answer laid upon the others', or None if all are silent."""
        start_us = end_us - request_us(bits)
        if start_us < self._busy_until_us:
            return None         # sent into the tags' own reply, or too soon after it: nobody hears it
        reply = None
        for tag in self.tags:
            if tag.contact is not None:
                tag.follow_contact(self._on_us, start_us)
            if not tag.hears(start_us):
                continue
            if noise is Noise.REQUEST_DAMAGED:
                tag.fall_back()
                continue
            answer = tag.answer(data, bits)
            if answer is None:
                continue
            if reply is None:
                reply = Reply(answer[0], answer[1], 0, align)
                reply.late_us = tag.late_us
                continue
            common = (1 << min(reply.bits, answer[1])) - 1
            reply.collided |= (reply.value ^ answer[0]) & common
            reply.value |= answer[0]
            reply.bits = max(reply.bits, answer[1])
        return reply

    def _disturb(self, reply: Reply | None, noise: Noise) -> Reply | None:
        """The reply as `noise` leaves it."""
        rng = self._rng
        if noise is Noise.GARBAGE:
            bits = rng.randrange(4, 41)
            reply = Reply(rng.getrandbits(bits), bits, 0, 0)
            reply.parity_wrong = True
        elif noise is Noise.REPLY_LOST:
            return None
        elif reply is not None and noise is Noise.BIT_FLIPPED:
            reply.value ^= 1 << rng.randrange(reply.bits)
            reply.parity_wrong = True
        elif reply is not None and noise is Noise.TWO_BITS_FLIPPED:
            first = rng.randrange(reply.bits // 8) * 8 if reply.bits >= 8 else 0
            for bit in rng.sample(range(first, min(first + 8, reply.bits)), min(2, reply.bits)):
                reply.value ^= 1 << bit
        return reply
