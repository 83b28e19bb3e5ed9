"""What every reader driver promises, asked of each against the model of its chip: a board chooses by name alone."""

import random

from cardtable.answers import EMPTY, GARBLED, MANY, OK, PRESENT, SILENT, WRONG_VERSION
from host_tools.lab.bench import reader_rig
from host_tools.lab.bench.reader_rig import CHIPS, Rig, run
from host_tools.virtual.chips.iso14443a import Noise, Tag, every

RUNS_ON = "cpython"  # the models of the chips do

UIDS = tuple(bytes.fromhex(uid) for uid in ("21a4c3f7", "04a23b1c5d6e80", "04a23b1c5d6e80914f77"))
APART_US = 30_000


def rigs(count=1, **options):
    """A rig of each kind."""
    for chip in CHIPS:
        yield Rig(count, chip=chip, **options)


def uid_of(reader):
    assert not any(reader.uid[reader.uid_length:]), "the rest is padding"
    return bytes(reader.uid[:reader.uid_length])


def uids_of(reader):
    return sorted(bytes(reader.uids[10 * tag:10 * tag + reader.lengths[tag]]) for tag in range(reader.count))


def test_every_driver_has_what_is_promised():
    seen = []
    for rig in rigs():
        reader = rig.readers[0]
        seen.append(sorted(
            name for name in dir(reader) if name[0] != "_" and name not in ("known", "look", "rest_ms")))
        assert rig.driver.MOST_TAGS >= 2
    assert seen[0] == seen[1]
    assert {"start", "poll", "field", "idle", "self_test", "fault", "version", "uid", "uids"} < set(seen[0])


def test_uids_of_4_7_and_10_bytes_and_nothing():
    for rig in rigs():
        assert rig.readers[0].fault == OK and rig.poll() == EMPTY
        for uid in (*UIDS, *reversed(UIDS)):
            tag = Tag(uid)
            rig.put(tag)
            assert rig.poll() == PRESENT and uid_of(rig.readers[0]) == uid
            rig.take(tag)
            assert rig.poll() == EMPTY


def test_a_resting_tag_is_present_every_time_known_or_not():
    for rig in rigs():
        for uid in UIDS:
            tag = Tag(uid)
            rig.put(tag)
            for known in (None, uid, uid.ljust(10, b"\0")) * 4:
                rig.clock.now_us += APART_US
                assert rig.poll(known) == PRESENT and uid_of(rig.readers[0]) == uid
            rig.take(tag)


def test_two_tags_are_many_and_listed():
    rng = random.Random(2)
    for rig in rigs():
        for _ in range(20):
            pair = [Tag(b"\x04" + rng.randbytes(6)) for _ in range(2)]
            for tag in pair:
                rig.put(tag)
            assert rig.poll() == MANY and uids_of(rig.readers[0]) == sorted(tag.uid for tag in pair)
            for tag in pair:
                rig.take(tag)
        assert rig.readers[0].collisions == 20


def test_tags_that_differ_in_one_bit():
    for rig in rigs():
        for bit in range(0, 56, 5):
            other = bytearray(UIDS[1])
            other[bit // 8] ^= 1 << bit % 8
            pair = [Tag(UIDS[1]), Tag(bytes(other))]
            for tag in pair:
                rig.put(tag)
            assert rig.poll() == MANY and uids_of(rig.readers[0]) == sorted(tag.uid for tag in pair)
            for tag in pair:
                rig.take(tag)


def test_one_field_at_a_time_and_the_neighbours_tag_is_not_read():
    for rig in rigs(4):
        assert not any(field.on for field in rig.fields), "off before the first poll"
        rig.put(Tag(UIDS[1]), 2)
        most = 0
        for field in rig.fields:
            def switch(on, now_us, change=field.switch, rig=rig):
                nonlocal most
                change(on, now_us)
                most = max(most, sum(other.on for other in rig.fields))
            field.switch = switch
        for _ in range(3):
            assert rig.sweep() == [EMPTY, EMPTY, PRESENT, EMPTY]
        assert most == 1 and not any(field.on for field in rig.fields)


def test_the_field_is_up_5100_us_before_a_tag_has_to_answer():
    for rig in rigs():
        rig.put(Tag(UIDS[1], wake_us=5_100))
        for begin_us in range(0, 10_000, 900):
            rig.clock.now_us += 100_000 - rig.clock.now_us % 10_000 + begin_us
            assert rig.poll() == PRESENT


def test_other_tasks_run_in_every_poll_and_no_reader_is_selected_meanwhile():
    for rig in rigs(2):
        rests = rig.clock.rests
        sleep_ms = rig.clock.sleep_ms
        held = []

        async def sleep(wait_ms, sleep_ms=sleep_ms, rig=rig, held=held):
            held.append(any(chip._selected for chip in rig.chips))
            await sleep_ms(wait_ms)

        rig.clock.sleep_ms = sleep
        rig.put(Tag(UIDS[1]), 0)
        for _ in range(3):
            rig.sweep()
        rig.chips[1].miso = "low"
        for _ in range(3):
            rig.sweep()
        assert rig.clock.rests - rests >= 12 and held and not any(held)


def test_a_sweep_of_seven_readers_is_bounded():
    """The MFRC522's bound is its own test; a PN532 needs about twice as long."""
    for rig in rigs(7):
        for number in range(7):
            rig.put(Tag(bytes([4, number, 2, 3, 4, 5, 6])), number)
        begun_us = rig.clock.now_us
        assert rig.sweep() == [PRESENT] * 7
        assert rig.clock.now_us - begun_us <= 200_000
        assert rig.clock.longest_spin_us <= 4_100


def test_f1_a_line_that_is_pulled_up_one_that_is_driven_and_one_that_is_open_differ():
    for rig in rigs():
        for level, told in ((1, 0xFF), (0, 0x00), (None, rig.driver.OPEN)):
            rig.bus.level = level
            assert rig.readers[0].idle() == told
        assert rig.poll() == EMPTY, "it still works"


def test_f10_select_takes_a_uid_that_is_padded_and_one_that_is_not():
    for rig in rigs():
        for uid in (*UIDS, bytes.fromhex("04a23b1c000000")):
            tag = Tag(uid)
            rig.put(tag)
            for told in (uid, uid + bytes(10 - len(uid))):
                is_short = not any(uid[-3:]) and len(told) == 10  # nobody can tell these zeros from padding
                assert rig.poll() == PRESENT
                assert run(rig.readers[0].select(told)) is not is_short, (uid, told)
                rig.readers[0].field(False)
            rig.take(tag)


def test_h7_select_is_told_how_long_a_uid_is_where_zeros_end_it():
    for rig in rigs():
        for uid in ("04a23b1c", "04a23b1c000000", "04a23b1c5d6e80000000", "04a23b1c5d6e80914f77"):
            tag = Tag(bytes.fromhex(uid))
            rig.put(tag)
            assert rig.poll() == PRESENT
            reader = rig.readers[0]
            assert run(reader.select(reader.uid, reader.uid_length)), uid
            reader.field(False)
            rig.take(tag)


def test_a_dead_reader_is_silent_and_comes_back():
    for chip in CHIPS:
        for wire in ("low", "high", "floating"):
            rig = Rig(chip=chip)
            rig.put(Tag(UIDS[1]))
            assert rig.poll() == PRESENT
            rig.chips[0].miso = wire
            for _ in range(3):
                assert rig.poll() == SILENT
            reader = rig.readers[0]
            assert reader.fault == SILENT or (reader.fault, wire) == (WRONG_VERSION, "floating")
            assert reader.silent == 3 and not reader.start()
            rig.chips[0].miso = None
            assert rig.poll() == PRESENT and reader.fault == OK and reader.restarts == 1
            assert uid_of(reader) == UIDS[1]


def test_after_a_brown_out_it_is_set_up_anew_and_no_tag_has_left():
    for chip in CHIPS:
        for pause_us in (0, 500, 100_000):
            rig = Rig(chip=chip)
            rig.put(Tag(UIDS[1]))
            for _ in range(5):
                assert rig.poll() == PRESENT
                rig.chips[0].power(False, rig.clock.now_us)
                rig.clock.now_us += pause_us
                rig.chips[0].power(True, rig.clock.now_us)
                seen = [rig.poll() for _ in range(3)]
                assert seen[-1] == PRESENT and set(seen) <= {SILENT, PRESENT}, seen
                assert rig.readers[0].fault == OK
            assert rig.readers[0].restarts == 5


def test_a_loss_of_power_at_any_moment_of_a_poll_is_no_absence():
    """The supply fails for a moment whenever the driver next waits or asks."""
    for chip in CHIPS:
        for frame in range(0, 45, 2):
            rig = Rig(chip=chip)
            rig.put(Tag(UIDS[1]))
            assert rig.poll() == PRESENT
            left = frame
            transfer = rig.bus._transfer

            def fail(mosi, transfer=transfer, rig=rig):
                nonlocal left
                if left == 0:
                    rig.chips[0].power(False, rig.clock.now_us)
                    rig.chips[0].power(True, rig.clock.now_us)
                left -= 1
                return transfer(mosi)

            rig.bus._transfer = fail
            seen = [rig.poll() for _ in range(4)]
            assert EMPTY not in seen and seen[-1] == PRESENT, (chip, frame, seen)


def test_noise_on_air_gives_no_wrong_uid():
    """So often that hardly a poll is whole, and so seldom that most are: each length is read in one of them."""
    for chip in CHIPS:
        for kind in Noise:
            for uid in UIDS:
                seen = []
                for nth in (7, 23):
                    rig = Rig(chip=chip)
                    rig.put(Tag(uid))
                    rig.fields[0].noise = every(nth, kind)
                    for _ in range(60):
                        rig.clock.now_us += APART_US
                        seen.append(rig.poll())
                        if seen[-1] == PRESENT:
                            assert uid_of(rig.readers[0]) == uid
                assert PRESENT in seen and MANY not in seen and SILENT not in seen, (chip, kind, len(uid))


def test_noise_where_no_tag_lies_is_no_tag():
    for chip in CHIPS:
        rig = Rig(chip=chip)
        rig.fields[0].noise = every(3, Noise.GARBAGE)
        seen = {rig.poll() for _ in range(60)}
        assert seen <= {EMPTY, GARBLED} and EMPTY in seen


def test_a_self_test_is_information_and_the_reader_works_after_it():
    for rig in rigs():
        rig.put(Tag(UIDS[1]))
        assert rig.readers[0].self_test() and rig.poll() == PRESENT


def test_a_self_test_that_fails_stops_nothing():
    """Boards that read well fail it."""
    copy = Rig(version=0x88)
    broken = Rig(chip="pn532")
    broken.chips[0].broken_rom = True
    for rig in (copy, broken):
        rig.put(Tag(UIDS[1]))
        assert not rig.readers[0].self_test()
        assert rig.readers[0].fault == OK and rig.poll() == PRESENT


def test_6_2_1_4_a_pn532_whose_answer_came_wrong_is_asked_for_it_again_and_not_restarted():
    rig = Rig(chip="pn532")
    reader, chip = rig.readers[0], rig.chips[0]
    rig.put(Tag(UIDS[1]))
    for chip.spoils in (2, 3, 4, 5):  # a poll has three answers: field on, the list, field off
        for _ in range(5):
            rig.clock.now_us += APART_US
            assert rig.poll() == PRESENT and uid_of(reader) == UIDS[1], chip.spoils
    assert reader.restarts == reader.silent == 0
    chip.spoils = 1
    assert rig.poll() == SILENT and reader.fault == SILENT, "twice wrong is wrong"
    chip.spoils = 0
    rig.clock.now_us += APART_US
    assert rig.poll() == PRESENT and reader.restarts == 1


def test_every_driver_has_a_model():
    assert set(CHIPS) >= {"mfrc522", "pn532"}
    for chip in CHIPS:
        assert (reader_rig._DRIVERS / f"{chip}.py").is_file()
