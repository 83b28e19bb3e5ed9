"""The PN532 does what the sections of its user manual say, byte by byte."""

import random

import pytest

from host_tools.virtual.chips.iso14443a import Field, Tag
from host_tools.virtual.chips.pn532 import Pn532, frame

ACK = bytes.fromhex("0000ff00ff00")
NACK = bytes.fromhex("0000ffff0000")
SYNTAX_ERROR = bytes.fromhex("0000ff01ff7f8100")
UID = bytes.fromhex("04a23b1c5d6e80")


class Host:
    """A bare program at the chip's pins: bytes with the lowest bit first, the time in microseconds."""

    def __init__(self, **options):
        self.field = Field(random.Random(1))
        self.chip = Pn532(self.field, random.Random(2))
        self.chip.is_hasty = False  # the manual says nothing of it: tested at the end
        self.now_us = 5_000

    def transfer(self, data):
        self.chip.select(self.now_us)
        self.now_us += 30
        miso = self.chip.exchange(bytes(int(f"{byte:08b}"[::-1], 2) for byte in data), self.now_us)
        self.now_us += 30
        self.chip.deselect(self.now_us)
        return bytes(int(f"{byte:08b}"[::-1], 2) for byte in miso)

    def wake(self):
        self.chip.select(self.now_us)
        self.now_us += 2_000
        self.chip.deselect(self.now_us)

    def is_ready(self):
        return self.transfer(b"\x02\x00")[1] & 1

    def wait(self, limit_us=100_000):
        end_us = self.now_us + limit_us
        while not self.is_ready():
            self.now_us += 100
            assert self.now_us < end_us, "nothing can be read"

    def read(self, size):
        return self.transfer(b"\x03" + bytes(size))[1:]

    def ask(self, data):
        """A command; the packet data of its answer behind the command's code."""
        self.transfer(b"\x01" + frame(b"\xd4" + data))
        self.wait()
        assert self.read(6) == ACK
        self.wait()
        answer = self.read(60)
        length = answer[3]
        assert answer[:3] == b"\x00\x00\xff" and not (length + answer[4]) & 0xFF
        body = answer[5:6 + length]
        assert not sum(body) & 0xFF and answer[6 + length:] == bytes(60 - 6 - length)
        if answer[:8] == SYNTAX_ERROR:
            return None
        assert body[:2] == bytes((0xD5, data[0] + 1))
        return body[2:-1]

    def set_up(self, tries=1):
        self.wake()
        assert self.ask(b"\x14\x01") == b"" and self.ask(bytes((0x32, 5, 0xFF, 1, tries - 1))) == b""

    def lay(self, *uids, up=True):
        for uid in uids:
            self.field.put(Tag(uid), self.now_us)
        if up:
            assert self.ask(b"\x32\x01\x01") == b""
            self.now_us += 5_100


@pytest.fixture
def host():
    return Host()


def test_6_2_1_1_frames_make_zero():
    assert frame(b"\xd4\x02") == bytes.fromhex("0000ff02fed4022a00")


def test_7_2_2_firmware_version(host):
    host.wake()
    assert host.ask(b"\x02") == b"\x32\x01\x06\x07"


def test_7_2_11_it_hears_nothing_before_it_is_awake(host):
    host.transfer(b"\x01" + frame(b"\xd4\x02"))
    host.now_us += 50_000
    assert not host.is_ready(), "the first selection only wakes it"
    assert host.ask(b"\x02") == b"\x32\x01\x06\x07"


def test_7_2_10_nothing_on_air_before_sam_configuration(host):
    host.wake()
    assert host.ask(b"\x32\x01\x01") is None and host.ask(b"\x4a\x01\x00") is None and not host.field.on
    assert len(host.chip.errors) == 2


def test_6_2_1_only_a_whole_frame_is_answered(host):
    host.wake()
    good = frame(b"\xd4\x02")
    for index in range(2, len(good) - 1):
        bad = bytearray(good)
        bad[index] ^= 0x04
        host.transfer(b"\x01" + bytes(bad))
        host.now_us += 20_000
        assert not host.is_ready(), index
    assert host.ask(b"\x02") == b"\x32\x01\x06\x07"


def test_6_2_1_3_an_ack_from_the_host_ends_what_is_going_on(host):
    host.set_up(tries=256)
    host.transfer(b"\x01" + frame(b"\xd4\x4a\x01\x00"))
    host.wait()
    host.read(6)
    host.now_us += 500_000
    assert not host.is_ready(), "it tries for ever"
    host.transfer(b"\x01" + ACK)
    host.now_us += 500_000
    assert not host.is_ready() and host.ask(b"\x02") == b"\x32\x01\x06\x07"


def test_6_2_1_4_a_nack_gives_the_last_answer_again(host):
    host.wake()
    host.ask(b"\x02")
    assert not host.is_ready()
    host.transfer(b"\x01" + NACK)
    host.wait()
    assert host.read(13) == frame(b"\xd5\x03\x32\x01\x06\x07")


def test_6_2_1_4_an_answer_that_came_wrong_comes_right_after_a_nack(host):
    host.wake()
    host.ask(b"\x02")
    host.chip.spoils = 2
    host.transfer(b"\x01" + frame(b"\xd4\x02"))
    host.wait()
    assert host.read(6) == ACK
    host.wait()
    assert host.read(13) == bytes.fromhex("0000ff06fad503320106 06e800")
    host.transfer(b"\x01" + NACK)
    host.wait()
    assert host.read(13) == frame(b"\xd5\x03\x32\x01\x06\x07")


def test_6_2_1_5_what_is_no_command_is_a_syntax_error(host):
    host.set_up()
    for command in (b"\x99", b"\x4a", b"\x4a\x03\x00", b"\x4a\x01\x09", b"\x32\x07", b"\x00\x09", b"\x12"):
        assert host.ask(command) is None, command


def test_6_2_5_an_answer_that_was_read_is_gone_and_too_much_reads_as_zero(host):
    host.wake()
    host.ask(b"\x02")
    assert not host.is_ready() and host.read(8) == bytes(8)


def test_7_2_1_self_tests(host):
    host.wake()
    assert host.ask(b"\x00\x01") == b"\x00" and host.ask(b"\x00\x02") == b"\x00"
    host.chip.broken_rom = True
    assert host.ask(b"\x00\x01") == b"\xff" and host.ask(b"\x00\x02") == b"\x00"


def test_7_3_1_the_field(host):
    host.set_up()
    host.ask(b"\x32\x01\x01")
    assert host.field.on
    host.ask(b"\x32\x01\x00")
    assert not host.field.on


def test_7_3_5_no_target(host):
    host.set_up()
    host.lay()
    assert host.ask(b"\x4a\x02\x00") == b"\x00"


@pytest.mark.parametrize("uid", [UID[:4], UID, UID + b"\x91\x4f\x77"])
def test_7_3_5_one_target_of_each_length(host, uid):
    host.set_up()
    host.lay(uid)
    tag = host.field.tags[0]
    assert host.ask(b"\x4a\x02\x00") == bytes((1, 1, tag.atqa[1], tag.atqa[0], tag.sak, len(uid))) + uid


def test_7_3_5_two_targets_and_no_more(host):
    host.set_up()
    uids = [UID, UID[:6] + b"\x81", UID[:6] + b"\x82"]
    host.lay(*uids)
    answer = host.ask(b"\x4a\x02\x00")
    assert answer[0] == 2 and answer[1] == 1 and answer[13] == 2
    assert len({answer[6:13], answer[18:25]} & set(uids)) == 2


def test_7_3_5_it_sends_reqa_so_a_tag_it_has_read_answers_only_after_a_break_of_the_field(host):
    host.set_up()
    host.lay(UID)
    assert host.ask(b"\x4a\x02\x00")[0] == 1
    assert host.ask(b"\x4a\x02\x00")[0] == 0
    host.ask(b"\x32\x01\x00")
    host.now_us += 1_000
    host.lay()
    assert host.ask(b"\x4a\x02\x00")[0] == 1


def test_7_3_5_without_a_field_it_switches_one_on_and_the_tag_hears_only_later(host):
    host.set_up()
    host.lay(UID, up=False)
    assert host.ask(b"\x4a\x01\x00")[0] == 0 and host.field.on
    host.set_up(tries=20)
    host.ask(b"\x32\x01\x00")
    assert host.ask(b"\x4a\x01\x00")[0] == 1


def test_power_and_reset_take_everything_it_was_told(host):
    for cut in (
        lambda: (host.chip.power(False, host.now_us), host.chip.power(True, host.now_us)),
        lambda: (host.chip.reset_pin(0, host.now_us), host.chip.reset_pin(1, host.now_us)),
    ):
        host.set_up()
        host.lay()
        cut()
        assert not host.field.on
        host.now_us += 5_000
        host.transfer(b"\x01" + frame(b"\xd4\x32\x01\x01"))
        host.now_us += 50_000
        assert not host.is_ready() and host.ask(b"\x4a\x01\x00") is None


def test_an_unselected_chip_does_not_drive_the_line(host):
    assert host.chip.exchange(b"\x00", host.now_us) is None


# --- what boards on ESP32 do (Adafruit-PN532 issues 117, 125, 134); the manual says nothing of it ---


def version_after(look_us, selected_us):
    """Whether it tells its version to a host that looks so long after the command and clocks so long after NSS."""
    host = Host()
    host.wake()
    host.chip.is_hasty = True

    def transfer(data):
        host.chip.select(host.now_us)
        host.now_us += selected_us
        miso = host.chip.exchange(bytes(int(f"{byte:08b}"[::-1], 2) for byte in data), host.now_us)
        host.chip.deselect(host.now_us)
        return bytes(int(f"{byte:08b}"[::-1], 2) for byte in miso)

    transfer(b"\x01" + frame(b"\xd4\x02"))
    host.now_us += look_us - selected_us
    for _ in range(20):
        if transfer(b"\x02\x00")[1] & 1:
            return transfer(b"\x03" + bytes(6))[1:] == ACK
        host.now_us += 200
    return False


def test_an_ack_that_is_asked_for_within_a_millisecond_is_lost():
    assert version_after(1_000, 100) and not version_after(900, 100)


def test_what_is_clocked_within_100_us_of_nss_is_lost():
    assert not version_after(1_000, 90)


def test_those_100_us_end_with_the_first_clock_and_not_with_the_last():
    """A command of ten bytes takes 80 us at 1 MHz: they are no pause."""
    for pause_us, is_heard in ((90, False), (100, True)):
        host = Host()
        host.wake()
        host.chip.is_hasty, host.chip.byte_us = True, 8.0
        data = b"\x01" + frame(b"\xd4\x02")
        host.chip.select(host.now_us)
        host.now_us += pause_us + 8 * len(data)
        host.chip.exchange(bytes(int(f"{byte:08b}"[::-1], 2) for byte in data), host.now_us)
        host.chip.deselect(host.now_us)
        assert bool(host.chip._pending) == is_heard


def test_an_answer_that_gets_ready_within_a_transfer_is_seen_by_the_bytes_behind_that():
    host = Host()
    host.wake()
    host.transfer(b"\x01" + frame(b"\xd4\x02"))
    ready_us = host.chip._pending[0][0]
    host.chip.byte_us = 8.0
    host.chip.select(ready_us - 60)
    assert host.chip.exchange(b"\x40" + bytes(4), ready_us + 10) == b"\x00\x00\x00\x00\x80", "the lowest bit is first"
