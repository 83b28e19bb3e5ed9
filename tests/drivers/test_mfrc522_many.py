"""The MFRC522 driver where several tags lie, tags come and go, or there is noise: all are listed, none is invented."""

import random

from cardtable.answers import EMPTY, GARBLED, MANY, PRESENT
from host_tools.lab.bench.reader_rig import Rig
from host_tools.virtual.chips import mfrc522_registers as registers
from host_tools.virtual.chips.iso14443a import Noise, Tag, chance, every, flicker
from tests.drivers.mfrc522_rig import UIDS, Ear, random_tags, read_uid, rig_with, tamper

RUNS_ON = "cpython"  # the models of the chips do; test_mfrc522_heap.py is MicroPython's part


def list_uids(reader) -> list[bytes]:
    return [bytes(reader.uids[10 * i : 10 * i + reader.lengths[i]]) for i in range(reader.count)]


def test_two_tags_at_once_are_both_listed():
    rng = random.Random(2)
    for _ in range(40):
        tags = random_tags(2, rng)
        rig = rig_with(*tags)
        assert rig.poll() == MANY
        assert sorted(list_uids(rig.readers[0])) == sorted(tag.uid for tag in tags)
        assert rig.readers[0].collisions == 1 and not rig.readers[0].reads


def test_tags_of_all_lengths_together_are_listed():
    rig = rig_with(*(Tag(uid) for uid in UIDS))
    assert rig.poll() == MANY
    assert sorted(list_uids(rig.readers[0])) == sorted(UIDS)


def test_tags_that_differ_in_one_bit_are_listed():
    for uid in UIDS:
        for bit in range(0, 8 * len(uid), 3):
            other = bytearray(uid)
            other[bit // 8] ^= 1 << bit % 8
            if len(uid) == 4 and other[0] == 0x88:
                continue
            rig = rig_with(Tag(uid), Tag(bytes(other)))
            assert rig.poll() == MANY
            assert sorted(list_uids(rig.readers[0])) == sorted([uid, bytes(other)])


def test_up_to_four_tags_are_listed_and_of_more_the_first_four():
    rng = random.Random(4)
    for count in (3, 4, 5, 8):
        for _ in range(15):
            tags = random_tags(count, rng)
            rig = rig_with(*tags)
            assert rig.poll() == MANY
            listed = list_uids(rig.readers[0])
            assert len(set(listed)) == len(listed) == min(count, rig.driver.MOST_TAGS)
            assert set(listed) <= {tag.uid for tag in tags}


def test_9_3_1_15_both_readings_of_collpos_list_all_tags():
    """The model counts from the first bit stored; without RxAlign it is from the first bit sent."""
    rng = random.Random(15)
    changed = 0
    for _ in range(40):
        tags = random_tags(4, rng)
        rig = rig_with(*tags)

        def count_from_first_bit_sent(value, align):
            nonlocal changed
            if value & 0x20:
                return value
            changed += bool(align)
            return value & 0xE0 | (value - align) & 0x1F

        tamper(rig, registers.COLL, count_from_first_bit_sent)
        assert rig.poll() == MANY
        assert sorted(list_uids(rig.readers[0])) == sorted(tag.uid for tag in tags)
    assert changed > 20


def test_a_tag_between_two_readers_is_read_by_both():
    rig = Rig(2)
    between, own = Tag(UIDS[1], hold_us=0), Tag(UIDS[2])
    rig.put(between, 0)
    rig.put(between, 1)
    rig.put(own, 1)
    for _ in range(4):
        assert rig.sweep() == [PRESENT, MANY]
        assert read_uid(rig.readers[0]) == UIDS[1]
        assert sorted(list_uids(rig.readers[1])) == sorted(UIDS[1:])


def test_the_neighbours_tag_is_not_read():
    rig = Rig(3)
    rig.put(Tag(UIDS[1]), 1)
    for _ in range(4):
        assert rig.sweep() == [EMPTY, PRESENT, EMPTY]


def test_a_tag_that_comes_and_goes():
    tag = Tag(UIDS[1])
    tag.contact = flicker(period_us=173_000, present_us=90_000)
    rig = rig_with(tag)
    seen = []
    for _ in range(400):
        known = UIDS[1] if seen and seen[-1] == PRESENT else None
        seen.append(rig.poll(known))
        if seen[-1] == PRESENT:
            assert read_uid(rig.readers[0]) == UIDS[1]
    assert set(seen) <= {EMPTY, PRESENT, GARBLED}
    assert seen.count(PRESENT) > 100 and seen.count(EMPTY) > 100


def test_a_tag_that_leaves_in_mid_poll_is_garbled_not_gone():
    """Whatever frame it is that gets no answer any more: it was there when the poll began."""
    for known, frames in ((None, 5), (UIDS[1], 3), (UIDS[2], 8)):
        for last in range(1, frames):
            rig = rig_with(Tag(UIDS[1]))
            ear = Ear(rig.fields[0], lambda number, reply, last=last: reply if number <= last else None)
            assert rig.poll(known) == GARBLED
            assert rig.readers[0].garbled == 1 and len(ear.heard) > last


def test_noise_on_every_tenth_frame_gives_no_wrong_uid_and_no_absence():
    for kind in Noise:
        for uid in UIDS:
            for known in (None, uid):
                rig = rig_with(Tag(uid))
                assert rig.poll() == PRESENT
                rig.fields[0].noise = every(10, kind)
                seen = []
                for _ in range(60):
                    seen.append(rig.poll(known))
                    if seen[-1] == PRESENT:
                        assert read_uid(rig.readers[0]) == uid
                assert set(seen) <= {PRESENT, GARBLED}, (kind, seen)
                assert seen.count(PRESENT) >= 20, (kind, seen)


def test_noise_on_every_tenth_frame_gives_no_tag_on_an_empty_reader():
    for kind in Noise:
        rig = Rig()
        rig.fields[0].noise = every(10, kind)
        seen = [rig.poll() for _ in range(60)]
        assert set(seen) <= {EMPTY, GARBLED}, (kind, seen)
        assert seen.count(EMPTY) >= 40


def test_random_noise_gives_no_wrong_uid():
    for seed in range(3):
        rng = random.Random(seed)
        tags = random_tags(1 + seed, rng)
        rig = rig_with(*tags)
        rig.fields[0].noise = chance(0.2, rng)
        for _ in range(300):
            result = rig.poll()
            uids = {tag.uid for tag in tags}
            if result == PRESENT:
                assert read_uid(rig.readers[0]) in uids
            elif result == MANY:
                assert set(list_uids(rig.readers[0])) <= uids and rig.readers[0].count > 1
