"""A card's name goes on a tag through each driver, against the models of the chips and of the tag."""

from cardtable.answers import PRESENT
from cardtable.drivers import ntag
from host_tools.lab.bench.reader_rig import CHIPS, Rig, run
from host_tools.virtual.chips.iso14443a import Noise, State, Tag, every
from host_tools.virtual.chips.ntag21x import Ntag

RUNS_ON = "cpython"  # the models of the chips do; test_ntag.py is MicroPython's part too

UID = bytes.fromhex("04a23b1c5d6e80")
PADDED = UID + bytes(3)
BLANK = bytes.fromhex("0300fe") + bytes(19)


# Of a PN532 nobody learns which four bits came, only that it was no ACK.
NO = {"mfrc522": ntag.REFUSED, "pn532": ntag.GONE}


def rigs(*tags):
    """A rig of each kind with these tags, which are taken away behind it."""
    for chip in CHIPS:
        rig = Rig(chip=chip)
        for tag in tags:
            rig.put(tag)
        yield rig
        for tag in list(rig.fields[0].tags):
            rig.take(tag)


def held(tag):
    """The user memory, up to the message's end: behind the block that an NTAG213 begins with, or without one."""
    at = 16 + 5 * (tag.memory[16] == 1)
    return bytes(tag.memory[at : at + 22])


class Leaving:
    """Takes the tag away when so many frames of WRITE were heard; `late_us` behind the last one."""

    def __init__(self, rig, tag, writes, lays_back=False, late_us=-1):
        self.field = rig.fields[0]
        self.tag = tag
        self.writes = writes
        self.lays_back = lays_back
        self.late_us = late_us
        self.exchange = self.field.exchange
        self.field.exchange = self.hear

    def hear(self, data, bits, end_us):
        if data[0] == 0xA2:
            self.writes -= 1
            if self.writes == 0:
                heard = self.exchange(data, bits, end_us) if self.late_us >= 0 else None
                self.field.take(self.tag, end_us + max(0, self.late_us))
                return heard if self.late_us > 4_500 else None  # an answer that came while it lay there
        elif self.writes <= 0 and self.lays_back and self.tag not in self.field.tags and bits == 7:
            self.field.put(self.tag, end_us - 20_000)
        return self.exchange(data, bits, end_us)


def test_a_name_is_written_verified_and_read():
    for kind in ("NTAG213", "NTAG215", "NTAG216"):
        for chip in CHIPS:
            rig, tag = Rig(chip=chip), Ntag(UID, kind)
            rig.put(tag)
            before = bytes(tag.memory)
            reader = rig.readers[0]
            assert run(ntag.read_card_id(reader, PADDED)) == ""
            assert run(ntag.write_card_id(reader, PADDED, "6S2")) == ntag.WRITTEN
            assert held(tag) == ntag.make_message(UID, b"6S2") and held(tag)[9:].startswith(b"CT1 6S2 ")
            assert bytes(tag.memory[:16]) == before[:16] and bytes(tag.memory[44:]) == before[44:]
            assert kind != "NTAG213" or bytes(tag.memory[16:21]) == before[16:21]
            assert run(ntag.read_card_id(reader, PADDED)) == "6S2"
            assert not rig.fields[0].on
            assert run(ntag.write_card_id(reader, PADDED, "TD")) == ntag.WRITTEN, "ours may be written over"
            assert run(ntag.read_card_id(reader, UID)) == "TD"
            assert rig.poll() == PRESENT and bytes(reader.uid) == PADDED


def test_what_is_right_already_is_not_written_again():
    tag = Ntag(UID)
    tag.memory[16:38] = ntag.make_message(UID, b"6S")
    tag.worn = set(range(4, 11))
    for rig in rigs(tag):
        assert run(ntag.write_card_id(rig.readers[0], PADDED, "6S")) == ntag.WRITTEN


def test_a_tag_that_says_no_is_refused_and_as_it_was():
    """NAK of a locked page, NAK of a worn one: three tries and no more."""
    locked, worn = Ntag(UID), Ntag(UID)
    locked.lock(10)
    worn.worn = {10}
    for tag in (locked, worn):
        for chip, rig in zip(CHIPS, rigs(tag), strict=True):
            frames = rig.fields[0].frames
            assert run(ntag.write_card_id(rig.readers[0], PADDED, "6S")) == NO.get(chip, ntag.REFUSED)
            assert held(tag) == BLANK and rig.fields[0].frames - frames <= 40
            assert rig.poll() == PRESENT and not rig.fields[0].on


def test_a_page_that_says_no_in_the_middle_leaves_no_name():
    for page in (5, 6, 9):
        for chip in CHIPS:
            rig, tag = Rig(chip=chip), Ntag(UID)
            tag.lock(page)
            rig.put(tag)
            assert run(ntag.write_card_id(rig.readers[0], PADDED, "6S")) == NO.get(chip, ntag.REFUSED)
            assert run(ntag.read_card_id(rig.readers[0], PADDED)) == ""


def test_a_tag_taken_away_in_the_middle_is_gone_and_has_no_name():
    """Before each of its pages; laid back later it is written as if nothing had been."""
    for chip in CHIPS:
        for writes in range(1, 7):
            rig, tag = Rig(chip=chip), Ntag(UID)
            rig.put(tag)
            Leaving(rig, tag, writes)
            begun_us = rig.clock.now_us
            assert run(ntag.write_card_id(rig.readers[0], PADDED, "6S")) == ntag.GONE
            assert rig.clock.now_us - begun_us < 400_000 and not rig.fields[0].on
            rig.put(tag)
            assert run(ntag.read_card_id(rig.readers[0], PADDED)) == ""
            assert run(ntag.write_card_id(rig.readers[0], PADDED, "6S")) == ntag.WRITTEN
            assert held(tag) == ntag.make_message(UID, b"6S")


def test_a_tag_taken_away_while_it_writes_is_written_later():
    """It says so 4 ms after it was told; the page under its hands holds whatever it likes. As sold, of each kind."""
    torn = (lambda old, new: bytes(4), lambda old, new: b"\xff" * 4,
            lambda old, new: bytes(a & b for a, b in zip(old, new, strict=True)))
    for kind, tear in [(kind, tear) for kind in ("NTAG213", "NTAG215") for tear in torn]:
        for writes in range(1, 7):
            rig, tag = Rig(chip="mfrc522"), Ntag(UID, kind)
            tag.torn = tear
            rig.put(tag)
            Leaving(rig, tag, writes, late_us=2_000)
            assert run(ntag.write_card_id(rig.readers[0], PADDED, "6S")) == ntag.GONE
            rig.put(tag)
            assert run(ntag.read_card_id(rig.readers[0], PADDED)) == ""
            assert run(ntag.write_card_id(rig.readers[0], PADDED, "6S")) == ntag.WRITTEN, (kind, writes)
            assert held(tag) == ntag.make_message(UID, b"6S") and (kind == "NTAG215" or tag.memory[16] == 1)


def test_the_model_tears_a_page_that_loses_the_field_before_its_time_is_over():
    """NTAG213F/216F 10.5: the pages 2 and 3 are protected against that, and no other is said to be."""
    for late_us, page, then in ((100, 10, bytes(4)), (4_000, 10, bytes(4)), (5_000, 10, b"WXYZ"), (100, 3, None)):
        rig, tag = Rig(chip="mfrc522"), Ntag(UID)
        tag.memory[40:44] = b"abcd"
        rig.put(tag)
        assert run(rig.readers[0].select(PADDED))
        Leaving(rig, tag, 1, late_us=late_us)
        run(rig.readers[0].transceive(bytes((0xA2, page)) + b"WXYZ", bytearray(1), 10))
        if then is None:
            assert tag.page(3) == bytes(a | b for a, b in zip(b"\xe1\x10\x12\0", b"WXYZ", strict=True))
        else:
            assert tag.page(page) == then, late_us


def test_a_tag_that_was_away_for_a_moment_is_written_in_the_next_try():
    for chip in CHIPS:
        rig, tag = Rig(chip=chip), Ntag(UID)
        rig.put(tag)
        Leaving(rig, tag, 2, lays_back=True)
        assert run(ntag.write_card_id(rig.readers[0], PADDED, "6S")) == ntag.WRITTEN
        assert held(tag) == ntag.make_message(UID, b"6S")


def test_a_tag_that_somebody_else_wrote_is_left_alone():
    tag = Ntag(UID)
    tag.memory[16:28] = b"\x03\x0f\xd1\x01\x0bT\x02enabc"
    before = bytes(tag.memory)
    for rig in rigs(tag):
        assert run(ntag.write_card_id(rig.readers[0], PADDED, "6S")) == ntag.FOREIGN
        assert run(ntag.read_card_id(rig.readers[0], PADDED)) == "" and bytes(tag.memory) == before


def test_a_tag_without_memory_is_gone():
    for uid in (UID, bytes.fromhex("21a4c3f7"), bytes.fromhex("04a23b1c5d6e80914f77")):
        for rig in rigs(Tag(uid)):
            padded = uid + bytes(10 - len(uid))
            assert run(ntag.write_card_id(rig.readers[0], padded, "6S")) == ntag.GONE
            assert run(ntag.read_card_id(rig.readers[0], padded)) == ""
            assert rig.poll() == PRESENT and not rig.fields[0].on


def test_another_tag_than_the_one_that_is_meant_is_not_touched():
    """Alone, and beside it."""
    other = Ntag(bytes.fromhex("04a23b1c5d6e81"))
    before = bytes(other.memory)
    for rig in rigs(other):
        assert run(ntag.write_card_id(rig.readers[0], PADDED, "6S")) == ntag.GONE
    for chip in CHIPS:
        rig, tag = Rig(chip=chip), Ntag(UID)
        rig.put(other)
        rig.put(tag)
        assert run(ntag.write_card_id(rig.readers[0], PADDED, "6S")) == ntag.WRITTEN
        assert held(tag) == ntag.make_message(UID, b"6S")
        rig.take(other)
    assert bytes(other.memory) == before


def test_noise_gives_no_wrong_name_and_no_false_verdict():
    for chip in CHIPS:
        for kind in Noise:
            for nth in (5, 7, 11):
                rig, tag = Rig(chip=chip), Ntag(UID)
                rig.put(tag)
                rig.fields[0].noise = every(nth, kind)
                for name in ("6S", "TD", "XR2"):
                    verdict = run(ntag.write_card_id(rig.readers[0], PADDED, name))
                    if verdict == ntag.WRITTEN:
                        assert held(tag) == ntag.make_message(UID, name.encode()), (chip, kind, nth)
                    assert verdict != ntag.FOREIGN
                    assert run(ntag.read_card_id(rig.readers[0], PADDED)) in ("", "6S", "TD", "XR2")


def test_a_reader_that_dies_is_gone_and_bounded():
    for chip in CHIPS:
        for wire in ("low", "high", "floating"):
            rig, tag = Rig(chip=chip), Ntag(UID)
            rig.put(tag)
            rig.chips[0].miso = wire
            begun_us = rig.clock.now_us
            assert run(ntag.write_card_id(rig.readers[0], PADDED, "6S")) == ntag.GONE
            assert rig.clock.now_us - begun_us < 400_000


def test_what_it_costs():
    """Modelled; once for each tag of a deck."""
    for chip, limit_us in (("mfrc522", 150_000), ("pn532", 100_000)):
        rig = Rig(chip=chip)
        rig.put(Ntag(UID))
        begun_us = rig.clock.now_us
        assert run(ntag.write_card_id(rig.readers[0], PADDED, "6S")) == ntag.WRITTEN
        assert rig.clock.now_us - begun_us <= limit_us, (chip, rig.clock.now_us - begun_us)


def test_the_model_reads_writes_and_refuses_as_its_data_sheet_says():
    """10.2, 10.4, 9.3: four pages that roll over, NAK of what is not there, silence of a tag that is not selected."""
    for rig in rigs(Ntag(UID)):
        reader, answer = rig.readers[0], bytearray(16)
        tag = rig.fields[0].tags[0]
        tag.memory[-4:] = b"last"
        assert run(reader.select(PADDED)) and tag.state is State.ACTIVE
        assert run(reader.transceive(b"\x30\x2c", answer, 5)) == 128
        assert bytes(answer) == b"last" + bytes(tag.memory[:12]) and bytes(answer[4:7]) == UID[:3]
        nak = run(reader.transceive(b"\x30\x2d", answer, 5))
        assert nak == 0 or (nak, answer[0]) == (4, 0), "the PN532 tells of a NAK by its status alone"
        assert tag.state is State.IDLE and run(reader.transceive(b"\x30\x04", answer, 5)) == 0
        assert run(reader.select(PADDED))
        assert run(reader.transceive(b"\xa2\x05card", answer, 10)) == 4 and answer[0] == 0x0A
        assert tag.page(5) == b"card" and run(reader.transceive(b"\xa2\x01card", answer, 10)) in (0, 4)
        assert tag.memory[:10].startswith(UID[:3])
        reader.field(False)
        assert tag.state is State.POWER_OFF and run(reader.transceive(b"\x30\x04", answer, 5)) == 0
