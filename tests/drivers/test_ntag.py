"""A card's name on a tag, against a tag in a few lines behind the promise of a driver."""

import asyncio

from cardtable.drivers import ntag

UID = b"\x04\xa2\x3b\x1c\x5d\x6e\x80\0\0\0"
OTHER = b"\x04\xa2\x3b\x1c\x5d\x6e\x81\0\0\0"
NEW = b"\x03\x00\xfe\0" + bytes(28)
LOCKS = b"\x01\x03\xa0\x0c\x34"  # as an NTAG213 is sold


class Reader:
    """A driver with one tag on it; `answers` says for each WRITE what the tag does: "ack", "nak", "lost" or "gone", or
    bytes: it is gone in the midst of the write, and these are what the page holds."""

    def __init__(self, memory=NEW, answers=(), uid=UID) -> None:
        self.uid_length = 10
        self.memory = bytearray(memory)
        self.answers = list(answers)
        self.uid = uid
        self.is_there = True
        self.is_selected = self.is_on = False
        self.selects = self.writes = 0

    def field(self, on: bool) -> None:
        self.is_on = on
        self.is_selected = self.is_selected and on

    async def select(self, uid, length=0) -> bool:
        self.is_on = True
        self.selects += 1
        self.is_selected = self.is_there and bytes(uid)[: length or 10] == self.uid
        return self.is_selected

    async def transceive(self, question, answer, wait_ms) -> int:
        if not (self.is_selected and self.is_there):
            return 0
        at = 4 * (question[1] - 4)
        if question[0] == 0x30:
            assert wait_ms >= 5 and len(question) == 2 and len(answer) == 16
            answer[:] = (self.memory + self.memory)[at : at + 16]
            return 128
        assert question[0] == 0xA2 and wait_ms >= 10 and len(question) == 6
        self.writes += 1
        deed = self.answers.pop(0) if self.answers else "ack"
        if isinstance(deed, bytes):
            self.memory[at : at + 4] = deed
            deed = "gone"
        if deed == "gone":
            self.is_there = False
            return 0
        if deed == "nak":
            self.is_selected = False
            answer[0] = 0x00
            return 4
        self.memory[at : at + 4] = question[2:]
        answer[0] = 0x0A
        return 0 if deed == "lost" else 4


def write(reader, name="6S", uid=UID) -> int:
    verdict = asyncio.run(ntag.write_card_id(reader, uid, name))
    assert not reader.is_on
    return verdict


def read(reader, uid=UID) -> str:
    name = asyncio.run(ntag.read_card_id(reader, uid))
    assert not reader.is_on
    return name


def test_every_name_that_a_card_can_have_is_written_and_read():
    reader = Reader()
    assert read(reader) == ""
    for name in ("6S", "TD", "XR", "XR2"):
        assert write(reader, name) == ntag.WRITTEN and read(reader) == name
    assert bytes(reader.memory[:22]) == b"\x03\x13\xd1\x01\x0fT\x02enCT1 XR2 1F09\xfe", "as binascii.crc_hqx has it"


def test_the_old_form_is_read_and_renewed():
    """Twelve characters that are no message: phones call such a tag unformatted."""
    old = b"CT1 XR2 1F09" + bytes(20)
    reader = Reader(old)
    assert read(reader) == "XR2"
    assert write(reader, "XR2") == ntag.WRITTEN and read(reader) == "XR2"
    assert reader.memory[:9] == b"\x03\x13\xd1\x01\x0fT\x02en"


def test_where_the_lock_bits_are_stays_said():
    """A phone writes its message behind that, too."""
    reader = Reader(LOCKS + b"\x03\x00\xfe" + bytes(24))
    assert write(reader) == ntag.WRITTEN and read(reader) == "6S"
    assert bytes(reader.memory[:32]) == LOCKS + ntag.make_message(UID, b"6S") + bytes(5)


def test_the_sum_is_over_the_uid_too_so_a_copy_is_no_card():
    reader = Reader()
    write(reader)
    assert read(reader) == "6S"
    reader.uid = OTHER
    assert read(reader, OTHER) == ""
    assert ntag.make_id(UID, b"6S") == ntag.make_id(UID[:7], b"6S") != ntag.make_id(OTHER, b"6S")


def test_one_wrong_bit_is_no_name():
    reader = Reader()
    write(reader)
    for bit in range(22 * 8 - 8):
        reader.memory[bit // 8] ^= 1 << bit % 8
        assert read(reader) == ""
        reader.memory[bit // 8] ^= 1 << bit % 8


def test_a_tag_that_is_right_is_not_written():
    reader = Reader()
    write(reader)
    assert reader.writes == 6 and write(reader) == ntag.WRITTEN and reader.writes == 6
    assert write(reader, "TD") == ntag.WRITTEN and reader.writes == 9, "only the pages that differ"


def test_a_nak_is_tried_again_and_three_are_a_refusal():
    reader = Reader(answers=["ack", "nak"])
    assert write(reader) == ntag.WRITTEN and reader.selects == 2
    reader = Reader(answers=["nak"] * 9)
    assert write(reader) == ntag.REFUSED and reader.writes == reader.selects == ntag.TRIES
    assert bytes(reader.memory) == NEW


def test_an_answer_that_was_lost_costs_a_try():
    reader = Reader(answers=["ack", "ack", "lost"])
    assert write(reader) == ntag.WRITTEN and reader.writes == 6 and reader.selects == 2


def test_what_reads_back_wrong_is_refused():
    class Forgetful(Reader):
        async def transceive(self, question, answer, wait_ms) -> int:
            bits = await Reader.transceive(self, question, answer, wait_ms)
            self.memory[11] = 0
            return bits

    assert write(Forgetful()) == ntag.REFUSED


EMPTY = b"\x03\x03\xd0\x00\x00\xfe"
FREE = [NEW, bytes(32), LOCKS + NEW[:27], EMPTY + bytes(26), LOCKS + EMPTY + bytes(21), b"CT1 XR2 1F09" + bytes(20)]


def test_a_page_that_was_cut_short_makes_no_tag_somebody_elses():
    """Whatever it holds: erased, all ones, or a part of its bits."""
    for torn in (bytes(4), b"\xff" * 4, b"\x55\xaa\x55\xaa"):
        for new in FREE:
            for before in range(6):
                reader = Reader(new, answers=["ack"] * before + [torn])
                assert write(reader) == ntag.GONE
                reader.is_there = True
                assert read(reader) in ("", "XR2") and write(reader) == ntag.WRITTEN and read(reader) == "6S"
                assert reader.memory[: len(LOCKS)] == LOCKS or new[: len(LOCKS)] != LOCKS


def test_another_name_over_ours_that_is_cut_short_goes_on_later():
    for torn in (bytes(4), b"\xff" * 4):
        for new in (NEW, LOCKS + NEW[:27]):
            for before in range(3):
                reader = Reader(new)
                write(reader)
                reader.answers = ["ack"] * before + [torn]
                assert write(reader, "TD") == ntag.GONE
                reader.is_there = True
                assert read(reader) == "" and write(reader, "TD") == ntag.WRITTEN and read(reader) == "TD"


def test_a_tag_that_is_taken_away_is_gone_and_written_when_it_is_back():
    for new, before in [(new, before) for new in FREE for before in range(6)]:
        reader = Reader(new, answers=["ack"] * before + ["gone"])
        assert write(reader) == ntag.GONE and reader.selects == ntag.TRIES
        reader.is_there = True
        assert read(reader) in ("", "XR2") and write(reader) == ntag.WRITTEN and read(reader) == "6S"


def test_a_foreign_tag_is_left_alone():
    for memory in (b"\x03\x0f\xd1\x01\x0bT\x02en", b"\x01\x02\x03\x04", b"\0\0\0\0\0\0\0\0\0\0\0\x01", b"CT2 6S2 0000",
                   LOCKS + b"\x03\x13\xd1\x01\x0fT\x02deCT1 6S  EF3E\xfe", LOCKS + b"\x03\x05\xd1\x01\x01U\x04"):
        reader = Reader(memory + bytes(32 - len(memory)))
        assert write(reader) == ntag.FOREIGN and not reader.writes and reader.selects == 1


def test_a_new_tag_of_each_kind_is_free():
    for memory in (b"", b"\x03\x00\xfe", b"\x01\x03\xa0\x0c\x34\x03\x00\xfe", b"\x03\x03\xd0\x00\x00\xfe"):
        assert write(Reader(memory + bytes(32 - len(memory)))) == ntag.WRITTEN


def test_another_tag_than_the_one_that_is_meant_is_not_written():
    reader = Reader(uid=OTHER)
    assert write(reader) == ntag.GONE and not reader.writes and reader.selects == ntag.TRIES
