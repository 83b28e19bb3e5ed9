"""The MFRC522 driver beside wrong answers, dead readers, copies of the chip and bad wires: what it says of each."""

import random

from cardtable.answers import EMPTY, GARBLED, OK, PRESENT, REPEATS, SILENT, WRONG_VERSION
from host_tools.lab.bench.reader_rig import Rig
from host_tools.virtual.chips import mfrc522_registers as registers
from host_tools.virtual.chips.crc_a import with_crc
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.virtual.chips.wrong_bytes import WrongBytes
from tests.drivers.mfrc522_rig import UIDS, Ear, count_frames, random_tags, read_uid, rig_with, tamper

RUNS_ON = "cpython"  # the models of the chips do; test_mfrc522_heap.py is MicroPython's part


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
