"""Tags read through the MFRC522 model: UIDs, polls, collisions, noise (rev. 3.9 and ISO/IEC 14443-3)."""

import random

import pytest

from host_tools.virtual.chips import mfrc522_registers as r
from host_tools.virtual.chips.crc_a import with_crc
from host_tools.virtual.chips.iso14443a import REQA, WUPA, Noise, Tag, chance, every, flicker

SINGLE = bytes.fromhex("c0ffee01")
DOUBLE = bytes.fromhex("04a1b2c3d4e5f6")
TRIPLE = bytes.fromhex("04112233445566778899")
SELECT = with_crc(bytes.fromhex("9370") + SINGLE + bytes((0xC0 ^ 0xFF ^ 0xEE ^ 0x01,)))


# UIDs, polls, collisions

@pytest.mark.parametrize("uid", [SINGLE, DOUBLE, TRIPLE])
def test_6_5_4_uids_of_three_sizes_are_read(reader, uid: bytes) -> None:
    reader.lay(uid)
    assert reader.request(WUPA).data[0] >> 6 == len(uid) // 3 - 1
    assert reader.read_uid() == uid
    assert reader.halt().irq & r.TIMER_IRQ              # 6.4.3: silence is the answer


@pytest.mark.parametrize(("code", "halts", "polls"), [
    (REQA, False, "1010101010101010"), (REQA, True, "1000000000000000"), (WUPA, True, "1111111111111111"),
])
def test_6_3_which_polls_find_a_resting_tag(reader, code: int, halts: bool, polls: str) -> None:
    reader.lay(DOUBLE)
    seen = ""
    for _ in range(16):
        answered = bool(reader.request(code).irq & r.RX_IRQ)
        seen += "01"[answered]
        if answered:
            assert reader.read_uid() == DOUBLE
            if halts:
                reader.halt()
    assert seen == polls


def collide(reader, one: bytes, two: bytes):
    reader.lay(one, two)
    assert reader.request(REQA).irq & r.RX_IRQ
    return reader.anticollision(0x93)


@pytest.mark.parametrize(("bit", "position"), [(0, 1), (7, 8), (8, 9), (30, 31), (31, 0)])
def test_9_3_1_15_coll_pos_counts_from_1_and_32_reads_as_0(reader, bit: int, position: int) -> None:
    one = int.from_bytes(bytes.fromhex("10203040"), "little")
    reply = collide(reader, one.to_bytes(4, "little"), (one ^ 1 << bit).to_bytes(4, "little"))
    assert reply.error == r.COLL_ERR
    assert reply.irq & r.ERR_IRQ and reply.irq & r.RX_IRQ
    assert reply.coll == position                       # CollPosNotValid is 0


def test_9_3_1_15_a_collision_past_the_32nd_bit_has_no_position(reader) -> None:
    """Two broken tags whose ATQA has 40 bits: UIDs and BCC always differ before."""
    tags = reader.lay(SINGLE, DOUBLE)
    for tag, value in zip(tags, (0, 1 << 32), strict=True):
        tag._atqa_reply = (value, 40)
    reply = reader.request(WUPA)
    assert (reply.error, reply.coll) == (r.COLL_ERR, 0x20)


def test_9_3_1_15_no_collision_reads_as_not_valid(reader) -> None:
    reader.lay(SINGLE)
    reader.request(REQA)
    assert reader.anticollision(0x93).coll & 0x20


def test_9_3_1_15_the_position_is_forgotten_when_the_receiver_starts_again(reader) -> None:
    assert collide(reader, SINGLE, b"\x01\x02\x03\x04").coll == 1
    assert reader.anticollision(0x93, 1, 1).coll & 0x20


def test_9_3_1_15_values_after_coll_0_clears_what_follows(reader) -> None:
    reply = collide(reader, bytes.fromhex("ffff0fff"), bytes.fromhex("ffff1fff"))
    assert reply.coll == 21
    assert (reply.data, reply.bits) == (bytes.fromhex("ffff0f0000"), 40)


def test_9_3_1_15_values_after_coll_1_keeps_what_follows(reader) -> None:
    reader.write(r.COLL, 0x80)
    reply = collide(reader, bytes.fromhex("ffff0fff"), bytes.fromhex("ffff1fff"))
    assert reply.coll == 0x80 | 21
    assert reply.data[:4] == bytes.fromhex("ffff1fff")


def test_9_3_1_15_coll_pos_counts_rx_align_in(reader) -> None:
    """Bits 1 to 12 known, UIDs differ in bit 15: the FIFO's first byte is UID byte 2, so CollPos is 7."""
    one, two = bytes.fromhex("10200000"), bytes.fromhex("10600000")
    reader.lay(one, two)
    reader.request(REQA)
    reply = reader.anticollision(0x93, int.from_bytes(one, "little"), 12)
    assert reply.error == r.COLL_ERR
    assert reply.coll == 7
    assert reply.data[0] == 0x20


def test_6_5_2_atqa_of_different_tags_collides_and_says_somebody_is_there(reader) -> None:
    reader.lay(SINGLE, DOUBLE)
    reply = reader.request(WUPA)
    assert reply.irq & r.RX_IRQ
    assert (reply.error, reply.coll) == (r.COLL_ERR, 7)


@pytest.mark.parametrize("count", range(9))
def test_6_5_3_a_walk_with_reqa_and_hlta_finds_every_tag_once(reader, count: int) -> None:
    rng = random.Random(count)
    for _ in range(6):
        uids = [bytes((0x04,)) + rng.randbytes(rng.choice((3, 6, 9))) for _ in range(count)]
        tags = reader.lay(*uids)
        assert sorted(reader.walk(REQA)) == sorted(uids)
        for tag in tags:
            reader.field.take(tag, reader.now_us)


def test_6_5_3_a_walk_finds_tags_that_differ_in_their_last_bit(reader) -> None:
    uids = [bytes.fromhex(f"04a1b2c3d4e5{last:02x}") for last in (0x00, 0x80, 0xC0, 0x40)]
    reader.lay(*uids)
    assert sorted(reader.walk(REQA)) == sorted(uids)


def test_6_3_a_walk_with_wupa_wakes_the_first_tag_again_and_again(reader) -> None:
    """WUPA wakes halted tags too, so the depth-first walk ends up at the same tag each time."""
    reader.lay(SINGLE, b"\x01\x02\x03\x04")
    found = reader.walk(WUPA, most=4)
    assert len(found) == 4 and len(set(found)) == 1


# Noise, flicker

@pytest.mark.parametrize("kind", [Noise.BIT_FLIPPED, Noise.GARBAGE])
def test_9_3_1_7_a_reply_with_a_wrong_parity_says_so(reader, kind: Noise) -> None:
    reader.lay(SINGLE)
    reader.field.noise = every(1, kind)
    reply = reader.request(WUPA)
    assert reply.error & r.PARITY_ERR and reply.irq & r.ERR_IRQ


def test_9_3_1_7_two_wrong_bits_in_a_byte_are_caught_by_the_crc_alone(reader) -> None:
    reader.lay(SINGLE)
    reader.request(REQA)
    reader.write(r.RX_MODE, 0x80)
    reader.field.noise = every(1, Noise.TWO_BITS_FLIPPED)
    reply = reader.transceive(SELECT)
    assert reply.error & (r.PARITY_ERR | r.CRC_ERR) == r.CRC_ERR


def test_garbage_from_an_empty_field_is_not_silence(reader) -> None:
    reader.field.noise = every(1, Noise.GARBAGE)
    reply = reader.request(WUPA)
    assert reply.irq & r.RX_IRQ and reply.bits >= 4


def test_noise_never_makes_a_checked_uid_wrong(reader) -> None:
    """Parity, BCC and CRC_A together: the tag's UID or an error, with noise on one frame of 5."""
    reader.lay(DOUBLE)
    reader.field.noise = chance(0.2, random.Random(9))
    read = failed = 0
    for _ in range(300):
        try:
            reader.request(WUPA)
            assert reader.read_uid() == DOUBLE
            read += 1
        except reader.garbled:
            failed += 1
        reader.halt()
    assert read > 50 and failed > 50


def test_a_tag_that_comes_and_goes_is_seen_as_long_as_it_lies_there(reader) -> None:
    tag = Tag(SINGLE)
    tag.contact = flicker(period_us=100_000, present_us=40_000)
    reader.field.put(tag, reader.now_us)
    reader.now_us = 1_000_000
    seen = []
    for poll in range(10):
        reader.now_us = 1_000_000 + 10_000 * poll + 1
        reply = reader.request(WUPA)
        seen.append(bool(reply.irq & r.RX_IRQ))
        reader.request(WUPA)                            # sends a READY tag back
    assert seen == [False, True, True, True] + [False] * 6


def test_a_tag_taken_in_the_middle_of_a_selection_leaves_silence(reader) -> None:
    tag, = reader.lay(DOUBLE)
    reader.request(WUPA)
    reader.resolve(0x93)
    reader.field.take(tag, reader.now_us)
    assert reader.select(0x93, b"\x88\x04\xa1\xb2\x9f").irq & r.TIMER_IRQ
