"""The MFRC522 driver against the model of its chip: what it reads, what it costs, what it never says."""

import random

from cardtable.answers import EMPTY, GARBLED, MANY, OK, PRESENT, REPEATS, SILENT, WRONG_VERSION
from host_tools.lab.bench import driver_frames
from host_tools.lab.bench.reader_rig import Rig
from host_tools.virtual.chips import mfrc522_registers as registers
from host_tools.virtual.chips.crc_a import with_crc
from host_tools.virtual.chips.iso14443a import Field, Noise, State, Tag, chance, every, flicker
from host_tools.virtual.chips.wrong_bytes import WrongBytes

RUNS_ON = "cpython"  # the models of the chips do; test_mfrc522_heap.py is MicroPython's part

UIDS = tuple(bytes.fromhex(uid) for uid in ("21a4c3f7", "04a23b1c5d6e80", "04a23b1c5d6e80914f77"))
APART_US = 60_000


def rig_with(*tags: Tag, **options) -> Rig:
    rig = Rig(**options)
    for tag in tags:
        rig.put(tag)
    return rig


def read_uid(reader) -> bytes:
    assert not any(reader.uid[reader.uid_length :]), "the rest is padding"
    return bytes(reader.uid[: reader.uid_length])


def list_uids(reader) -> list[bytes]:
    return [bytes(reader.uids[10 * i : 10 * i + reader.lengths[i]]) for i in range(reader.count)]


def random_tags(count: int, rng: random.Random) -> list[Tag]:
    """NTAGs: 7 bytes that begin with the maker's 04."""
    return [Tag(b"\x04" + rng.randbytes(6)) for _ in range(count)]


def count_frames(rig: Rig, known=None) -> int:
    frames = rig.bus.frames
    rig.poll(known)
    return rig.bus.frames - frames


def tamper(rig: Rig, register: int, change) -> None:
    """Have the first reader see `change(value, RxAlign)` wherever it reads the register."""
    swap = rig.readers[0]._swap
    send = rig.readers[0]._send
    align = 0

    def send_and_note(mosi):
        nonlocal align
        if mosi[0] == registers.BIT_FRAMING << 1:
            align = mosi[1] >> 4 & 7
        send(mosi)

    def swap_and_change(mosi, into):
        asked = bytes(mosi)
        swap(mosi, into)
        for index, address in enumerate(asked[:-1]):
            if address == 0x80 | register << 1:
                into[index + 1] = change(into[index + 1], align)

    rig.readers[0]._send = send_and_note
    rig.readers[0]._swap = swap_and_change


class Ear:
    """Hears every frame on air, and may alter the n-th answer."""

    def __init__(self, field: Field, alter=None) -> None:
        self.heard: list[tuple[bytes, int]] = []
        self._alter = alter
        self._exchange = field.exchange
        field.exchange = self.exchange  # type: ignore[method-assign]

    def exchange(self, data, bits, end_us):
        self.heard.append((bytes(data), bits))
        reply = self._exchange(data, bits, end_us)
        return self._alter(len(self.heard), reply) if self._alter else reply

    def requests(self) -> list[int]:
        """The short frames."""
        return [data[0] for data, bits in self.heard if bits == 7]


# What it costs


def test_an_idle_poll_takes_7_frames_and_2_for_the_field():
    for latched in (False, True):
        rig = Rig(start_send_latched=latched)
        for _ in range(5):
            assert count_frames(rig) == 9
            assert rig.readers[0].polls and not rig.readers[0].silent


def test_no_answer_is_asked_for_before_it_is_over():
    """However fast the interpreter: a second look at the status costs 170 us. Silence is over 394 us after the question
    began (datasheet 8.5, ISO 6.2.3), which was asked for 7 us sooner."""
    rig = Rig()
    rig.bus.python_us = 0
    assert count_frames(rig) == 9
    for uid, frames in zip(UIDS, (24, 38, 52), strict=True):
        rig = rig_with(Tag(uid))
        rig.bus.python_us = 0
        assert count_frames(rig) == frames


def test_a_7_byte_uid_is_read_in_at_most_50_frames():
    assert count_frames(rig_with(Tag(UIDS[0]))) == 24
    assert count_frames(rig_with(Tag(UIDS[1]))) == 38
    assert count_frames(rig_with(Tag(UIDS[2]))) == 52


def test_a_known_tag_is_looked_at_without_anticollision():
    for uid, frames in zip(UIDS, (17, 24, 31), strict=True):
        rig = rig_with(Tag(uid))
        assert rig.poll() == PRESENT
        rig.clock.now_us += APART_US
        ear = Ear(rig.fields[0])
        assert count_frames(rig, rig.readers[0].uid) == frames
        assert read_uid(rig.readers[0]) == uid
        assert all(bits == 7 or data[1] == 0x70 for data, bits in ear.heard), "WUPA and SELECT only"


def test_f7_a_sweep_of_seven_readers_takes_60_ms_empty_and_100_ms_full():
    """Modelled with a wake-up every 5 ms and the interpreter's time (host_tools/lab/bench/reader_rig.py)."""
    rows = driver_frames.measure()
    sweeps = {deed: row["us"] for deed, row in rows.items() if deed.startswith("sweep")}
    assert len(sweeps) == 3
    assert sweeps["sweep of 7, all empty"] <= 60_000 and max(sweeps.values()) <= 100_000, sweeps
    assert rows["idle poll"]["frames"] <= 9


def test_any_mix_of_empty_known_and_new_is_swept_in_100_ms():
    rng = random.Random(100)
    for _ in range(30):
        rig = Rig(7)
        kinds = [rng.choice(("empty", "known", "new")) for _ in range(7)]
        for number, kind in enumerate(kinds):
            if kind != "empty":
                rig.put(Tag(bytes([4, number, 2, 3, 4, 5, 6])), number)
        rig.sweep()
        rig.clock.now_us += rng.randrange(10_000)
        begin_us = rig.clock.now_us
        for number, kind in enumerate(kinds):
            rig.poll(rig.readers[number].uid if kind == "known" else None, number)
        assert rig.clock.now_us - begin_us <= 100_000, kinds


def test_the_field_is_up_5100_us_before_the_first_question():
    """ISO 5: a tag need not hear earlier. The question follows 100 us later, after the frames that prepare it."""
    for begin_us in range(0, 10_000, 700):
        rig = rig_with(Tag(UIDS[1], wake_us=5_200))
        rig.clock.now_us += 100_000 - rig.clock.now_us % 10_000 + begin_us
        assert rig.poll() == PRESENT


def test_no_wait_without_other_tasks_is_longer_than_the_rest_of_a_field_up():
    """The buttons are scanned meanwhile: their timer calls between two bytecodes, and in a wait of microseconds too."""
    rig = rig_with(*random_tags(3, random.Random(3)))
    for begin_us in range(0, 10_000, 300):
        rig.clock.now_us += begin_us
        rig.poll()
    assert 1_000 < rig.clock.longest_spin_us <= 4_100


def test_every_poll_gives_way_to_other_tasks():
    rig = Rig(2)
    rig.chips[1].miso = "high"
    rig.readers[0].keep_field = True
    for polls in range(1, 6):
        rests = rig.clock.rests
        rig.sweep()
        assert rig.clock.rests >= rests + 2, f"poll {polls}"


# What it reads


def test_uids_of_4_7_and_10_bytes():
    for uid in UIDS:
        for latched in (False, True):
            rig = rig_with(Tag(uid), start_send_latched=latched)
            assert rig.poll() == PRESENT
            assert read_uid(rig.readers[0]) == uid
            assert rig.readers[0].reads == 1


def test_a_shorter_uid_after_a_longer_one_is_padded_anew():
    rig = Rig()
    for uid in reversed(UIDS):
        tag = Tag(uid)
        rig.put(tag)
        assert rig.poll() == PRESENT
        assert read_uid(rig.readers[0]) == uid
        rig.take(tag)


def test_a_byte_88_inside_a_uid_is_no_cascade_tag():
    """ISO 6.5.4 forbids it as the first byte of a UID of 4 bytes only."""
    for uid in ("048f9d88041122", "048f9d8804112288", "04118888888888"):
        tag = Tag(bytes.fromhex(uid)[:7])
        rig = rig_with(tag)
        assert rig.poll() == PRESENT
        assert read_uid(rig.readers[0]) == tag.uid


def test_another_tag_than_the_known_one_is_read_in_the_same_poll():
    for known in UIDS:
        for uid in (*UIDS, bytes.fromhex("04a23b99887766")):
            if uid == known:
                continue
            rig = rig_with(Tag(uid))
            assert rig.poll(known.ljust(10, b"\0")) == PRESENT
            assert read_uid(rig.readers[0]) == uid


def test_the_known_tag_may_be_told_with_or_without_padding():
    for uid in (*UIDS, bytes.fromhex("04a23b1c000000")):
        for known in (uid, uid.ljust(10, b"\0")):
            rig = rig_with(Tag(uid))
            assert rig.poll(known) == PRESENT
            assert read_uid(rig.readers[0]) == uid


def test_the_known_tag_gone_is_empty():
    rig = Rig()
    assert rig.poll(UIDS[1]) == EMPTY


def test_a_resting_tag_is_present_on_16_of_16_polls():
    for uid in UIDS:
        for gap_us in (0, 50, APART_US):
            for keep_field in (False, True):
                for known in (None, uid):
                    rig = rig_with(Tag(uid))
                    rig.readers[0].keep_field = keep_field
                    for _ in range(16):
                        rig.clock.now_us += gap_us
                        assert rig.poll(known) == PRESENT
                        assert read_uid(rig.readers[0]) == uid


def test_only_wupa_is_ever_sent():
    """ISO 6.4.1: REQA does not wake a tag that was halted."""
    for keep_field in (False, True):
        rig = rig_with(*random_tags(3, random.Random(1)))
        rig.readers[0].keep_field = keep_field
        ear = Ear(rig.fields[0])
        assert rig.poll() == MANY
        assert ear.requests() and set(ear.requests()) == {0x52}


def test_a_field_that_stays_on_leaves_its_tag_halted():
    tag = Tag(UIDS[1])
    rig = rig_with(tag)
    rig.readers[0].keep_field = True
    for _ in range(3):
        assert rig.poll() == PRESENT
        assert tag.state is State.HALT and rig.fields[0].on
    rig.take(tag)
    assert rig.poll() == EMPTY


def test_the_field_is_off_after_a_poll():
    for tags in (0, 1, 2):
        rig = rig_with(*random_tags(tags, random.Random(7)))
        rig.poll()
        assert not rig.fields[0].on


def test_a_field_that_comes_up_early_is_waited_for_no_longer():
    """In one frame; a poll then waits for the rest of 5.1 ms alone, and switches the field off as always."""
    rig = rig_with(Tag(UIDS[1]))
    reader = rig.readers[0]
    whole_us = -rig.clock.now_us
    assert rig.poll() == PRESENT
    whole_us += rig.clock.now_us
    frames = rig.bus.frames
    assert reader.warm() and rig.fields[0].on and rig.bus.frames == frames + 1
    assert not reader.warm() and rig.bus.frames == frames + 1  # it is on: nobody has to switch it off for this call
    rig.clock.now_us += 5_100
    early_us = -rig.clock.now_us
    assert rig.poll() == PRESENT and not rig.fields[0].on
    early_us += rig.clock.now_us
    assert 3_000 < whole_us - early_us < 7_000, (whole_us, early_us)
    reader.fault = SILENT
    assert not reader.warm() and not rig.fields[0].on


def test_at_most_one_field_is_on():
    rig = Rig(7)
    for number in range(7):
        rig.put(Tag(bytes([4, number, 2, 3, 4, 5, 6])), number)
    most = 0
    for field in rig.fields:
        def switch(on, now_us, switch_field=field.switch):
            nonlocal most
            switch_field(on, now_us)
            most = max(most, sum(other.on for other in rig.fields))
        field.switch = switch  # type: ignore[method-assign]
    for _ in range(3):
        assert rig.sweep() == [PRESENT] * 7
    assert most == 1


# Several tags


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


# Noise


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


def test_6_5_3_a_wrong_bcc_is_garbled():
    def alter(number, reply):
        if number == 2:
            reply.value ^= 0x03 << 32
        return reply

    rig = rig_with(Tag(UIDS[0]))
    Ear(rig.fields[0], alter)
    assert rig.poll() == GARBLED


def test_an_answer_of_another_length_is_garbled():
    """Even where the missing BCC would have been 0."""
    def alter(number, reply):
        if number == 2:
            reply.bits = 32
        return reply

    rig = rig_with(Tag(bytes.fromhex("01010202")))
    Ear(rig.fields[0], alter)
    assert rig.poll() == GARBLED


def test_9_3_1_15_a_collision_without_a_position_is_garbled():
    def alter(number, reply):
        if number == 2:
            reply.collided = 1 << 35
        return reply

    rig = rig_with(Tag(UIDS[1]))
    ear = Ear(rig.fields[0], alter)
    assert rig.poll() == GARBLED
    assert len(ear.heard) == 2


def test_6_2_4_a_wrong_crc_of_sak_is_garbled():
    for bits in (0x03, 0x0300, 0x030000):
        def alter(number, reply, bits=bits):
            if number == 3:
                reply.value ^= bits
            return reply

        rig = rig_with(Tag(UIDS[0]))
        Ear(rig.fields[0], alter)
        assert rig.poll() == GARBLED


def test_6_5_3_4_a_sak_that_does_not_fit_the_uid_is_garbled():
    """It says that more UID follows where no cascade tag is, or that none follows where one is."""
    for uid, sak, frame in ((UIDS[0], 0x04, 3), (UIDS[1], 0x00, 3), (UIDS[1], 0x04, 5), (UIDS[2], 0x04, 7)):
        def alter(number, reply, sak=sak, frame=frame):
            if number == frame:
                reply.value = int.from_bytes(with_crc(bytes([sak])), "little")
            return reply

        rig = rig_with(Tag(uid))
        Ear(rig.fields[0], alter)
        assert rig.poll() == GARBLED, (uid, sak)


def test_an_answer_to_wupa_that_is_no_atqa_is_garbled():
    def alter(number, reply):
        if number == 1:
            reply.bits = 24
        return reply

    rig = rig_with(Tag(UIDS[1]))
    Ear(rig.fields[0], alter)
    assert rig.poll() == GARBLED


def count_exchanges_of_a_hard_look(collisions: int) -> int:
    """So many anticollision frames collide, none is answered after them, and every second ATQA is lost."""
    atqas = splits = 0

    def alter(number, reply):
        nonlocal atqas, splits
        data, bits = ear.heard[-1]
        if reply is None:
            return None
        if bits == 7:
            atqas += 1
            return reply if atqas % 2 else None
        splits += 1
        reply.collided |= 1
        return reply if splits <= collisions else None

    rig = rig_with(Tag(b"\xff\xff\xff\xff"))
    ear = Ear(rig.fields[0], alter)
    begin_us = rig.clock.now_us
    assert rig.poll() == GARBLED
    assert rig.clock.now_us - begin_us <= 70_000
    return len(ear.heard)


def test_every_look_is_bounded():
    assert max(count_exchanges_of_a_hard_look(collisions) for collisions in range(40)) == 48


def test_a_reader_that_dies_in_mid_poll_is_silent():
    """Whatever frame it is, and whatever was found before."""
    for tags, known, frames in ((1, None, 5), (1, UIDS[1], 8), (3, None, 16)):
        for last in range(1, frames):
            rig = rig_with(*random_tags(tags, random.Random(9)))

            def alter(number, reply, rig=rig, last=last):
                if number == last:
                    rig.chips[0].miso = "low"
                return reply

            Ear(rig.fields[0], alter)
            assert rig.poll(known) == SILENT


# The reader itself


def test_a_reader_that_falls_silent_is_known_in_the_same_poll():
    for wire in ("low", "high", "floating"):
        rig = rig_with(Tag(UIDS[1]))
        reader = rig.readers[0]
        assert rig.poll() == PRESENT
        rig.chips[0].miso = wire
        for polls in range(1, 6):
            begin_us = rig.clock.now_us
            assert rig.poll(UIDS[1]) == SILENT
            assert rig.clock.now_us - begin_us <= 20_000
            assert reader.fault == SILENT or wire == "floating" and reader.fault
            assert reader.silent == polls and not reader.restarts
        rig.chips[0].miso = None
        assert rig.poll() == PRESENT
        assert reader.restarts == 1 and reader.fault == OK


def test_a_wire_that_happens_to_say_the_timers_value_is_silent():
    rig = Rig()
    for register in (registers.COM_IRQ, registers.ERROR, registers.T_MODE, registers.VERSION):
        tamper(rig, register, lambda value, align: 0x80)
    assert rig.poll() == SILENT


def test_a_dead_reader_is_seen_without_a_further_frame():
    rig = Rig()
    rig.chips[0].miso = "low"
    assert count_frames(rig) == 9


def test_a_silent_reader_leaves_the_others_alone():
    rig = Rig(7)
    for number in range(7):
        rig.put(Tag(bytes([4, number, 2, 3, 4, 5, 6])), number)
    rig.chips[3].miso = "high"
    for _ in range(3):
        begin_us = rig.clock.now_us
        seen = rig.sweep()
        assert seen == [PRESENT] * 3 + [SILENT] + [PRESENT] * 3
        assert rig.clock.now_us - begin_us <= 110_000


def test_a_loose_wire_gives_no_wrong_uid():
    rig = rig_with(Tag(UIDS[1]))
    rig.chips[0].loose_wire = 0.003
    seen = []
    for _ in range(600):
        seen.append(rig.poll())
        if seen[-1] == PRESENT:
            assert read_uid(rig.readers[0]) == UIDS[1]
    assert seen.count(PRESENT) > 100 and SILENT in seen and rig.readers[0].restarts


def test_restart_after_a_brown_out():
    for gap_us in (0, 500, 20_000):
        rig = rig_with(Tag(UIDS[1]))
        assert rig.poll() == PRESENT
        rig.chips[0].power(False, rig.clock.now_us)
        rig.chips[0].power(True, rig.clock.now_us)
        rig.clock.now_us += gap_us
        assert rig.poll() == SILENT, "it has forgotten its timer"
        assert rig.poll() == PRESENT
        assert rig.readers[0].restarts == 1


def test_a_register_that_does_not_read_back_is_a_fault():
    """Each one that is configured: timer, modulation, collision, gain."""
    for address, value in (
        (registers.T_MODE, 0x00), (registers.T_PRESCALER, 0x42), (registers.T_RELOAD_HIGH, 0x01),
        (registers.T_RELOAD_LOW, 0x00), (registers.TX_ASK, 0x00), (registers.COLL, 0x80),
        (registers.RF_CFG, 0x48),
    ):
        rig = Rig(start=False)
        reader = rig.readers[0]
        rig.chips[0].stick(address, value)
        assert not reader.start()
        assert reader.fault == rig.driver.READ_BACK, hex(address)
        assert rig.poll() == SILENT
        rig.chips[0].unstick()
        assert rig.poll() == EMPTY
        assert reader.fault == OK and reader.restarts == 1


def test_the_gain_is_configured():
    for gain in range(2, 8):
        rig = Rig(start=False)
        rig.readers[0].gain = gain
        written = []
        send = rig.readers[0]._send

        def spy(mosi, send=send, written=written):
            written.append(bytes(mosi))
            send(mosi)

        rig.readers[0]._send = spy
        assert rig.readers[0].start()
        assert bytes([registers.RF_CFG << 1, gain << 4 | 8]) in written


def test_f8_every_version_is_taken_that_stays_the_same():
    for version in (0x91, 0x92, 0x88, 0xB2, 0x12, 0x80, 0x93, 0x15, 0x18, 0xEE):
        rig = rig_with(Tag(UIDS[1]), version=version)
        assert rig.poll() == PRESENT and rig.readers[0].version == version


def test_f8_a_version_that_changes_is_a_bad_wire():
    rig = Rig(start=False)
    versions = iter((0x92, 0x82) * 9)
    rig.chips[0]._read_at[registers.VERSION] = lambda: next(versions)
    assert not rig.readers[0].start()
    assert rig.readers[0].fault == WRONG_VERSION


def test_f13_a_copy_takes_no_transceive_over_another_and_is_read():
    """The model of the chip is such a copy; the other kind is read as well."""
    for ignores in (True, False):
        rig = rig_with(Tag(UIDS[1]))
        rig.chips[0].ignores_running = ignores
        assert [rig.poll() for _ in range(3)] == [PRESENT] * 3


def test_f13_a_copy_that_answers_one_register_a_frame_is_told_from_a_bad_wire():
    """H9: what it repeats is seen at the start, and no other reader is blamed for it."""
    rig = Rig()
    rig.chips[0].repeats_address = True
    assert not rig.readers[0].start() and rig.readers[0].fault == REPEATS
    assert rig.poll() == SILENT
    rig.chips[0].repeats_address = False
    assert rig.readers[0].start() and rig.poll() == EMPTY


def test_h2_settings_read_back_count_the_wrong_bytes_of_a_bus():
    """H2: a hundred frames of six settings; the model ruins bytes either way."""
    for rate, fewest, most in ((0.0, 0, 0), (0.001, 0, 8), (0.01, 5, 40), (0.1, 100, 200)):
        rig = Rig()
        rig.bus.wrong = WrongBytes({0: rate}, random.Random(3))
        assert fewest <= rig.readers[0].read_back(100) <= most, rate


def test_f12_only_its_reset_pin_wakes_a_chip_whose_spi_hangs():
    rig = Rig()
    rig.chips[0].hang()
    assert rig.poll() == SILENT and not rig.readers[0].start()
    for level in (0, 1):
        rig.chips[0].reset_pin(level, rig.clock.now_us)
        rig.clock.now_us += 5_000
    assert rig.poll() == EMPTY


def test_a_reader_without_power_does_not_start():
    for wire in ("low", "high"):
        rig = Rig(start=False)
        rig.chips[0].miso = wire
        assert not rig.readers[0].start()
        assert rig.readers[0].fault == SILENT


def test_a_reader_that_was_never_started_starts_with_its_first_poll():
    rig = Rig(start=False)
    assert rig.poll() == EMPTY


def test_a_timer_that_never_ends_is_no_absence():
    """Nobody was heard, and nobody's absence was proved."""
    for requests, result in ((0x00, SILENT), (0x40, GARBLED)):
        rig = Rig()
        tamper(rig, registers.COM_IRQ, lambda value, align, requests=requests: value & requests)
        begin_us = rig.clock.now_us
        assert rig.poll() == result
        assert rig.clock.now_us - begin_us < 20_000


def test_counters_of_health_stay_small_integers():
    rig = rig_with(Tag(UIDS[1]))
    reader = rig.readers[0]
    reader.polls = reader.reads = 0x0FFF_FFFF
    rig.poll()
    assert reader.polls == reader.reads == 0


def test_the_ticks_may_wrap_while_the_field_comes_up():
    rig = rig_with(Tag(UIDS[1], wake_us=5_050))
    rig.clock.now_us = (1 << 30) - 3_000
    assert rig.poll() == PRESENT


def test_a_field_that_is_on_for_twenty_minutes_is_still_up():
    rig = rig_with(Tag(UIDS[1]))
    rig.readers[0].keep_field = True
    assert rig.poll() == PRESENT
    rig.clock.now_us += 700_000_000
    begin_us = rig.clock.now_us
    assert rig.poll() == PRESENT
    assert rig.clock.now_us - begin_us < 10_000
