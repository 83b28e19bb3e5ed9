"""Tags and the field of one antenna against ISO/IEC 14443-3 type A; no reader chip takes part."""

import random

import pytest

from host_tools.virtual.chips.crc_a import crc16, with_crc
from host_tools.virtual.chips.iso14443a import (
    HOLD_US, REQA, WAKE_US, WUPA, Field, Noise, Reply, State, Tag, chance, every, flicker, request_us,
)

SINGLE = bytes.fromhex("c0ffee01")
DOUBLE = bytes.fromhex("04a1b2c3d4e5f6")
TRIPLE = bytes.fromhex("04112233445566778899")
HLTA = with_crc(b"\x50\x00")
GAP_US = 200


class Air:
    """A field that is up long enough, and a clock: sends frames one after another."""

    def __init__(self, *tags: Tag, up_us: int = WAKE_US) -> None:
        self.field = Field(random.Random(3))
        self.now_us = 100
        for tag in tags:
            self.field.put(tag, self.now_us)
        self.field.switch(True, self.now_us)
        self.now_us += up_us

    def send(self, data: bytes, bits: int = 0) -> Reply | None:
        bits = bits or len(data) * 8
        self.now_us += request_us(bits)
        reply = self.field.exchange(data, bits, self.now_us)
        self.now_us = (reply.end_us if reply else self.now_us) + GAP_US
        return reply

    def request(self, code: int) -> Reply | None:
        return self.send(bytes((code,)), 7)

    def value(self, data: bytes, bits: int = 0) -> bytes:
        reply = self.send(data, bits)
        assert reply is not None and not reply.collided and not reply.parity_wrong
        return reply.value.to_bytes((reply.bits + 7) // 8, "little")


def parts_of(uid: bytes) -> list[tuple[int, bytes]]:
    """SEL and UID CLn with BCC, by the table of 6.5.4."""
    rows = {
        4: [uid],
        7: [b"\x88" + uid[:3], uid[3:]],
        10: [b"\x88" + uid[:3], b"\x88" + uid[3:6], uid[6:]],
    }[len(uid)]
    return [(sel, row + bytes((row[0] ^ row[1] ^ row[2] ^ row[3],)))
            for sel, row in zip((0x93, 0x95, 0x97), rows, strict=False)]


def select_whole(air: Air, uid: bytes) -> None:
    for sel, part in parts_of(uid):
        assert air.send(with_crc(bytes((sel, 0x70)) + part)) is not None


def active(uid: bytes = DOUBLE, code: int = REQA) -> tuple[Air, Tag]:
    tag = Tag(uid)
    air = Air(tag)
    assert air.request(code) is not None
    select_whole(air, uid)
    return air, tag


def halted() -> tuple[Air, Tag]:
    air, tag = active()
    assert air.send(HLTA) is None
    return air, tag


# Annex B: CRC_A

@pytest.mark.parametrize(("data", "crc"), [("0000", "a01e"), ("1234", "26cf")])
def test_annex_b_crc_a_of_the_examples(data: str, crc: str) -> None:
    """ISO/IEC 14443-3, annex B.1: CRC_A of 00 00 is A0 1E, of 12 34 it is 26 CF, as sent."""
    assert with_crc(bytes.fromhex(data)) == bytes.fromhex(data + crc)


def test_annex_b_crc_over_data_and_its_crc_is_zero() -> None:
    assert crc16(with_crc(b"\x93\x70\x01\x02\x03\x04\x04")) == 0
    assert crc16(b"\x93\x70\x01\x02\x03\x04\x05" + with_crc(b"\x93\x70\x01\x02\x03\x04\x04")[-2:]) != 0


# Clause 5: power

def test_clause_5_a_tag_is_deaf_for_5_ms() -> None:
    assert Air(Tag(SINGLE), up_us=WAKE_US - 1).request(WUPA) is None
    assert Air(Tag(SINGLE), up_us=WAKE_US).request(WUPA) is not None


def test_clause_5_the_time_counts_from_when_the_tag_is_laid_down() -> None:
    air = Air()
    tag = Tag(SINGLE)
    air.field.put(tag, air.now_us)
    assert air.request(WUPA) is None
    air.now_us += WAKE_US
    assert air.request(WUPA) is not None


def test_clause_5_without_field_nobody_answers() -> None:
    air = Air(Tag(SINGLE))
    air.field.switch(False, air.now_us)
    assert air.request(WUPA) is None


def test_6_3_field_off_makes_a_halted_tag_answer_reqa_again() -> None:
    """6.3.1: POWER_OFF is left for IDLE, whatever was before."""
    air, tag = halted()
    air.field.switch(False, air.now_us)
    assert tag.state is State.POWER_OFF
    air.now_us += HOLD_US
    air.field.switch(True, air.now_us)
    air.now_us += WAKE_US
    assert air.request(REQA) is not None


def test_field_off_for_less_than_the_tag_holds_resets_nothing() -> None:
    air, tag = halted()
    air.field.switch(False, air.now_us)
    air.field.switch(True, air.now_us + HOLD_US - 1)
    assert tag.state is State.HALT
    air.now_us += WAKE_US
    assert air.request(REQA) is None


def test_switching_on_what_is_on_resets_nothing() -> None:
    air, tag = halted()
    air.field.switch(True, air.now_us)
    assert tag.state is State.HALT


# 6.4: requests

def test_6_4_reqa_and_wupa_wake_an_idle_tag() -> None:
    for code in (REQA, WUPA):
        tag = Tag(DOUBLE)
        assert Air(tag).value(bytes((code,)), 7) == b"\x44\x00"
        assert tag.state is State.READY


def test_6_4_the_codes_are_26_and_52() -> None:
    """Table 3: REQA 26, WUPA 52 in 7 bits; 35 (timeslots), 40 to 4F and 78 to 7F are not heard."""
    assert [code for code in range(128) if Air(Tag(SINGLE)).request(code)] == [0x26, 0x52]
    assert (REQA, WUPA) == (0x26, 0x52)


def test_6_4_halt_hears_wupa_only() -> None:
    air, tag = halted()
    assert tag.state is State.HALT
    assert air.request(REQA) is None
    assert tag.state is State.HALT
    assert air.request(WUPA) is not None
    assert tag.state is State.READY_STAR


@pytest.mark.parametrize("bits", [6, 8])
def test_6_2_3_1_a_request_is_a_short_frame_of_7_bits(bits: int) -> None:
    assert Air(Tag(SINGLE)).send(bytes((WUPA,)), bits) is None


@pytest.mark.parametrize("code", [REQA, WUPA])
def test_6_3_a_request_to_an_active_tag_is_silently_taken_as_an_error(code: int) -> None:
    """The reason why a resting tag that was selected and not halted answers every second poll."""
    air, tag = active()
    assert tag.state is State.ACTIVE
    assert air.request(code) is None
    assert tag.state is State.IDLE
    assert air.request(code) is not None


def test_6_3_a_request_to_a_ready_tag_sends_it_back() -> None:
    air = Air(Tag(SINGLE))
    assert [air.request(REQA) is not None for _ in range(4)] == [True, False, True, False]


def test_6_5_2_atqa_tells_the_size_of_the_uid() -> None:
    for uid, atqa in ((SINGLE, b"\x04\x00"), (DOUBLE, b"\x44\x00"), (TRIPLE, b"\x84\x00")):
        assert Air(Tag(uid)).value(bytes((REQA,)), 7) == atqa
    assert Air(Tag(SINGLE, atqa=b"\x02\x03")).value(bytes((REQA,)), 7) == b"\x02\x03"


# 6.5.3, 6.5.4: anticollision and selection

@pytest.mark.parametrize("uid", [SINGLE, DOUBLE, TRIPLE])
def test_6_5_4_every_cascade_level_is_answered_in_turn(uid: bytes) -> None:
    tag = Tag(uid, sak=0x20)
    air = Air(tag)
    air.request(REQA)
    rows = parts_of(uid)
    for number, (sel, part) in enumerate(rows):
        assert tag.state is State.READY
        assert air.value(bytes((sel, 0x20))) == part
        sak = 0x20 if number == len(rows) - 1 else 0x04
        assert air.value(with_crc(bytes((sel, 0x70)) + part)) == with_crc(bytes((sak,)))
    assert tag.state is State.ACTIVE


def test_6_5_3_anticollision_is_answered_from_any_bit_on() -> None:
    """6.2.3.3: the reply completes the split frame; a tag whose bits differ keeps silent and stays READY."""
    tag = Tag(SINGLE)
    air = Air(tag)
    air.request(REQA)
    whole = int.from_bytes(parts_of(SINGLE)[0][1], "little")
    for known in range(33):
        head = bytes((0x93, (2 + known // 8) << 4 | known % 8))
        told = (whole & (1 << known) - 1).to_bytes(5, "little")[:(known + 7) // 8]
        reply = air.send(head + told, 16 + known)
        assert reply is not None
        assert (reply.value, reply.bits, reply.align) == (whole >> known, 40 - known, known % 8)
        if known:
            wrong = (whole & (1 << known) - 1 ^ 1 << known - 1).to_bytes(5, "little")[:(known + 7) // 8]
            assert air.send(head + wrong, 16 + known) is None
            assert tag.state is State.READY


def test_6_5_3_bits_above_the_valid_ones_do_not_count() -> None:
    air = Air(Tag(SINGLE))
    air.request(REQA)
    assert air.send(bytes((0x93, 0x24, 0xF0 | SINGLE[0] & 0x0F)), 20) is not None


@pytest.mark.parametrize(("frame", "bits"), [
    (b"\x93\x21", 16),                                          # NVB tells one bit more than was sent
    (b"\x93\x30", 16),                                          # NVB tells a byte that was not sent
    (b"\x95\x20", 16),                                          # the second level before the first
    (b"\x93\x28", 24),                                          # NVB's low digit is a count of bits, 0 to 7
    (b"\x93\x61" + SINGLE + b"\x00", 49),                      # NVB past the 32 bits of UID CLn
    (with_crc(b"\x93\x70" + SINGLE + b"\x00"), 72),             # BCC
    (with_crc(b"\x93\x70" + parts_of(SINGLE)[0][1])[:-1] + b"\x00", 72),    # CRC_A
    (b"\x93\x70" + parts_of(SINGLE)[0][1], 56),                 # no CRC_A
    (with_crc(b"\x93\x70" + parts_of(b"\x01\x02\x03\x04")[0][1]), 72),      # another tag is meant
    (with_crc(b"\x95\x70" + parts_of(SINGLE)[0][1]), 72),       # another level is meant
    (HLTA, 32),                                                 # 6.3: HLTA is for ACTIVE
    (b"\x30\x00\x02\xa8", 32),                                  # a READ before the selection
])
@pytest.mark.parametrize("star", [False, True])
def test_6_3_an_error_in_ready_is_answered_by_silence_and_idle(frame: bytes, bits: int, star: bool) -> None:
    """6.3.2, 6.3.5: back to IDLE from READY, to HALT from READY*."""
    tag = Tag(SINGLE)
    air = Air(tag)
    if star:
        air.request(REQA)
        select_whole(air, SINGLE)
        air.send(HLTA)
    assert air.request(WUPA) is not None
    assert air.send(frame, bits) is None
    assert tag.state is (State.HALT if star else State.IDLE)


def test_6_5_4_after_a_fall_back_the_cascade_begins_anew() -> None:
    air = Air(Tag(DOUBLE))
    air.request(REQA)
    (first, part), _ = parts_of(DOUBLE)
    air.send(with_crc(bytes((first, 0x70)) + part))
    air.send(b"\x30\x00\x02\xa8")
    air.request(WUPA)
    assert air.value(bytes((first, 0x20))) == part


# 6.4.3: HLTA

def test_6_4_3_hlta_with_its_crc_halts_an_active_tag_silently() -> None:
    air, tag = active()
    assert air.send(HLTA) is None
    assert tag.state is State.HALT


@pytest.mark.parametrize("frame", [HLTA[:3] + b"\x00", HLTA[:2], b"\x30\x00\x02\xa8"])
def test_6_3_a_wrong_frame_in_active_is_silence_and_idle(frame: bytes) -> None:
    air, tag = active()
    assert air.send(frame) is None
    assert tag.state is State.IDLE


def test_6_3_active_star_falls_back_to_halt() -> None:
    air, tag = halted()
    air.request(WUPA)
    select_whole(air, DOUBLE)
    assert tag.state is State.ACTIVE_STAR
    assert air.request(WUPA) is None
    assert tag.state is State.HALT


@pytest.mark.parametrize(("code", "halts", "polls"), [
    (REQA, False, "10101010"), (WUPA, False, "10101010"), (REQA, True, "10000000"), (WUPA, True, "11111111"),
])
def test_6_3_which_polls_find_a_resting_tag(code: int, halts: bool, polls: str) -> None:
    """A selected tag is seen at every poll only with WUPA and HLTA."""
    air = Air(Tag(SINGLE))
    seen = ""
    for _ in range(8):
        answered = air.request(code) is not None
        seen += "01"[answered]
        if answered:
            select_whole(air, SINGLE)
            if halts:
                air.send(HLTA)
    assert seen == polls


# 6.2.1: time on air

def test_6_2_3_frames_last_as_many_etu_as_they_have_bits() -> None:
    """6.2.3: a short frame 10 etu, a standard frame 3 + 9n, an etu being 9.44 us."""
    assert request_us(7) == 95                              # 94.4
    assert request_us(8) == 114                             # 12 etu
    assert request_us(16) == 199                            # 21 etu
    assert request_us(72) == 793                            # 84 etu
    assert request_us(32) == 369                            # 39 etu
    assert request_us(20) == 236                            # 2 bytes and 4 bits without parity: 25 etu


@pytest.mark.parametrize(("code", "delay_us"), [(REQA, 87), (WUPA, 92)])
def test_6_2_1_1_the_delay_depends_on_the_last_bit_sent(code: int, delay_us: int) -> None:
    """1172/fc = 86.4 us after a 0 (REQA), 1236/fc = 91.2 us after a 1 (WUPA); ATQA lasts 20 etu."""
    field = Air(Tag(SINGLE)).field
    reply = field.exchange(bytes((code,)), 7, 10_000)
    assert reply is not None
    assert reply.start_us == 10_000 + delay_us
    assert 188 <= reply.end_us - reply.start_us <= 189


@pytest.mark.parametrize(("uid", "delay_us"), [(b"\x01\x02\x03\x10", 92), (b"\x01\x02\x03\x05", 87)])
def test_6_2_1_1_the_last_bit_of_a_select_is_that_of_its_crc(uid: bytes, delay_us: int) -> None:
    (sel, part), = parts_of(uid)
    frame = with_crc(bytes((sel, 0x70)) + part)
    assert frame[-1] >> 7 == (delay_us == 92)
    air = Air(Tag(uid))
    air.request(REQA)
    reply = air.field.exchange(frame, 72, air.now_us + 1_000)
    assert reply is not None
    assert reply.start_us == air.now_us + 1_000 + delay_us


def test_6_2_3_replies_last_as_many_etu_as_they_have_bits() -> None:
    air = Air(Tag(SINGLE))
    air.request(REQA)
    # 5 bytes; 36 bits and 5 parities, the split byte's among them; 1 byte
    for data, bits, etu in ((b"\x93\x20", 16, 47), (b"\x93\x24\x00", 20, 43), (b"\x93\x60" + SINGLE, 48, 11)):
        reply = air.send(data, bits)
        assert reply is not None
        assert abs((reply.end_us - reply.start_us) - etu * 9.44) <= 1


def test_6_2_1_2_a_frame_sent_into_a_reply_is_not_heard() -> None:
    """The reader owes 1172/fc of silence after a reply."""
    for after_us, heard in ((-200, False), (0, False), (80, False), (88, True)):
        air = Air(Tag(SINGLE))
        reply = air.request(REQA)
        assert reply is not None
        start_us = reply.end_us + after_us
        answer = air.field.exchange(b"\x93\x20", 16, start_us + request_us(16))
        assert (answer is not None) == heard, after_us


# 6.5.3: collisions

def test_6_5_3_bits_on_which_tags_differ_collide() -> None:
    one, two = bytes.fromhex("01020304"), bytes.fromhex("01020b04")
    air = Air(Tag(one), Tag(two))
    atqa = air.request(REQA)
    assert atqa is not None and not atqa.collided           # both send 04 00
    reply = air.send(b"\x93\x20")
    assert reply is not None
    whole = [int.from_bytes(parts_of(uid)[0][1], "little") for uid in (one, two)]
    assert reply.collided == whole[0] ^ whole[1] == 0x08 << 16 | 0x08 << 32
    assert reply.bits == 40


def test_6_5_2_requests_collide_when_sizes_differ() -> None:
    reply = Air(Tag(SINGLE), Tag(DOUBLE)).request(WUPA)
    assert reply is not None
    assert reply.collided == 0x40


def test_6_5_3_three_tags_collide_wherever_two_of_them_differ() -> None:
    uids = [bytes((0x10, 0x20, 0x30, last)) for last in (0x01, 0x02, 0x04)]
    air = Air(*(Tag(uid) for uid in uids))
    air.request(REQA)
    reply = air.send(b"\x93\x20")
    assert reply is not None
    assert reply.collided == 0x07 << 24 | 0x07 << 32


def test_6_3_a_select_sends_the_other_tags_back() -> None:
    """6.3: a SELECT for another tag is an error for those in READY."""
    one, two = Tag(SINGLE), Tag(DOUBLE)
    air = Air(one, two)
    air.request(REQA)
    select_whole(air, SINGLE)
    assert (one.state, two.state) == (State.ACTIVE, State.IDLE)


def test_a_tag_taken_away_is_silent() -> None:
    tag = Tag(SINGLE)
    air = Air(tag)
    air.field.take(tag, air.now_us)
    assert air.request(WUPA) is None
    assert tag.state is State.POWER_OFF


def test_a_tag_cannot_lie_twice_or_be_taken_from_where_it_is_not() -> None:
    tag = Tag(SINGLE)
    field = Air(tag).field
    with pytest.raises(ValueError):
        field.put(tag, 0)
    field.take(tag, 0)
    with pytest.raises(ValueError):
        field.take(tag, 0)


@pytest.mark.parametrize("uid", [b"", b"\x01\x02\x03", b"\x01" * 5, b"\x88\x01\x02\x03"])
def test_6_5_4_a_uid_that_no_tag_can_have_is_refused(uid: bytes) -> None:
    """6.5.4: 4, 7 or 10 bytes; the cascade tag 88 does not begin a single-size UID."""
    with pytest.raises(ValueError):
        Tag(uid)


# Faults

def test_flicker_lets_a_tag_answer_only_after_5_ms_of_contact() -> None:
    tag = Tag(SINGLE)
    tag.contact = flicker(period_us=20_000, present_us=10_000)
    air = Air(tag)
    heard = []
    for at_us in range(100_000, 120_000, 1_000):
        tag.fall_back()
        heard.append(air.field.exchange(bytes((WUPA,)), 7, at_us + request_us(7)) is not None)
    assert heard == [False] * 5 + [True] * 5 + [False] * 10


def test_flicker_resets_a_halted_tag_at_each_break() -> None:
    air, tag = halted()
    assert air.request(REQA) is None
    tag.contact = flicker(period_us=20_000, present_us=19_000)
    air.now_us = 40_000 + WAKE_US
    assert air.request(REQA) is not None


def test_contact_cannot_outlast_the_field() -> None:
    """A tag that lies still since ever has its power only since the field is up."""
    tag = Tag(SINGLE)
    tag.contact = lambda now_us: 0
    assert Air(tag, up_us=WAKE_US - 1).request(WUPA) is None
    assert Air(tag, up_us=WAKE_US).request(WUPA) is not None


def test_noise_every_counts_frames() -> None:
    air = Air(Tag(SINGLE))
    air.field.noise = every(3, Noise.REPLY_LOST)
    heard = []
    for _ in range(9):
        heard.append(air.request(WUPA) is not None)
        air.send(b"\x00", 4)                # anything wrong: back to IDLE
    assert air.field.frames == 18
    assert heard == [True, False, True, True, False, True, True, False, True]   # frames 3, 9 and 15


def test_noise_on_the_request_sends_tags_back_unanswered() -> None:
    air = Air(Tag(SINGLE))
    air.request(REQA)
    air.field.noise = every(1, Noise.REQUEST_DAMAGED)
    assert air.send(b"\x93\x20") is None
    assert air.field.tags[0].state is State.IDLE


def test_noise_bit_flipped_breaks_the_parity_and_one_bit() -> None:
    air = Air(Tag(SINGLE))
    air.field.noise = every(1, Noise.BIT_FLIPPED)
    reply = air.request(REQA)
    assert reply is not None and reply.parity_wrong
    assert (reply.value ^ 0x0004).bit_count() == 1


def test_noise_two_bits_flipped_lie_in_one_byte_and_keep_the_parity() -> None:
    for seed in range(20):
        air = Air(Tag(SINGLE))
        air.field._rng = random.Random(seed)
        air.request(REQA)
        air.field.noise = every(1, Noise.TWO_BITS_FLIPPED)
        reply = air.send(b"\x93\x20")
        assert reply is not None and not reply.parity_wrong
        changed = (reply.value ^ int.from_bytes(parts_of(SINGLE)[0][1], "little")).to_bytes(5, "little")
        assert sorted(byte.bit_count() for byte in changed) == [0, 0, 0, 0, 2]


def test_noise_garbage_comes_without_a_tag() -> None:
    air = Air()
    air.field.noise = every(1, Noise.GARBAGE)
    reply = air.request(REQA)
    assert reply is not None and reply.parity_wrong and 4 <= reply.bits <= 40


def test_noise_cannot_answer_a_field_that_is_off() -> None:
    field = Field()
    field.noise = every(1, Noise.GARBAGE)
    assert field.exchange(bytes((REQA,)), 7, 10_000) is None


def test_chance_hits_about_as_often_as_it_says_and_repeats() -> None:
    def hits(seed: int) -> list[int]:
        noise = chance(0.1, random.Random(seed), (Noise.REPLY_LOST,))
        return [frame for frame in range(1, 1001) if noise(frame) is Noise.REPLY_LOST]
    assert hits(7) == hits(7) != hits(8)
    assert 70 < len(hits(7)) < 130


def test_the_field_counts_how_often_it_came_on() -> None:
    field = Field()
    for now_us, on in enumerate((True, True, False, True, False, False)):
        field.switch(on, now_us)
    assert field.times_on == 2
