"""Tags that say which card they are, through the whole firmware: enrolment writes them, leaves them, or asks them."""

import io

import ndef
import pytest

from cardtable.between.enrol import deck_cards
from cardtable.drivers import ntag
from cardtable.engine.deck import STRANGER, card_name, card_number
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.virtual.chips.ntag21x import Ntag
from host_tools.virtual.fingers import uid_of
from tests.host_tools.at_table import BLUE, GREEN, RED, SECOND, AtTable, record_name

BOTH = ["cpython", pytest.param("micropython", marks=pytest.mark.micropython)]
FOREIGN = b"\x03\x0f\xd1\x01\x0bT\x02enabc"


def open_enrolment(table):
    """The tag QQ is the arbiter's key, or becomes it."""
    yield from table.until(lambda: "OK: play" in table.screen()[7])
    table.put(1, "QQ")
    yield SECOND // 2
    table.take(1, "QQ")
    yield SECOND


def test_what_is_written_is_ndef_as_another_program_reads_and_writes_it():
    """Byte for byte what a phone's page writes for the same text."""
    for uid in (bytes.fromhex("04a23b1c5d6e80"), bytes(range(10)), b"abcd"):
        for name in ("6S", "TD", "XR", "XR2"):
            message = ntag.make_message(uid, name.encode())
            assert message[:1] == b"\x03" and message[-1:] == b"\xfe" and len(message) == message[1] + 3
            (record,) = ndef.message_decoder(io.BytesIO(message[2:-1]))
            assert isinstance(record, ndef.TextRecord) and record.language == "en"
            assert record.text.encode() == ntag.make_id(uid, name.encode()) and record.text[4:7].strip() == name
            assert b"".join(ndef.message_encoder([record])) == message[2:-1]


@pytest.mark.parametrize("runtime", BOTH)
def test_enrolment_writes_the_tags_that_take_it_and_registers_all(runtime):
    """A new one, one without memory, somebody else's, one that is locked, and the next: all are cards of the deck."""
    table = AtTable(setup=None, runtime=runtime)
    table._files = {"language.txt": "en\n", "tags.txt": uid_of(STRANGER).hex().upper() + " arbiter\n"}
    tags = {name: Ntag(uid_of(card_number(name))) for name in ("6S", "7S", "8S", "9S", "TS")}
    tags["7S"] = Tag(uid_of(card_number("7S")))
    tags["8S"].memory[16:28] = FOREIGN
    tags["9S"].lock(10)
    table._tags.update(tags)
    seen, lines = {}, []

    def evening():
        yield from open_enrolment(table)
        yield from table.press(1, "OK")
        yield SECOND // 2
        for name in tags:
            asked = dict(word.split(":")[::-1] for row in table.screen()[1:5] for word in row.split())
            place = int({record_name(card): where for card, where in asked.items()}[name])
            table.put(place, name)
            yield from table.until(lambda: table.world.lights.colour(place - 1) == GREEN)  # noqa: B023
            yield SECOND // 2
            seen[name] = table.screen()[5].strip()
            table.take(place, name)
            yield SECOND
        lines.extend((table.flash / "deck.txt").read_text().split("\n"))

    table.play(evening())
    assert seen == {"6S": "", "7S": "Not written: 7♠", "8S": "Not written: 8♠", "9S": "Not written: 9♠", "TS": ""}
    for name in ("6S", "TS"):
        assert bytes(tags[name].memory[21:43]) == ntag.make_message(tags[name].uid, name.encode())
    assert bytes(tags["8S"].memory[16:28]) == FOREIGN
    assert sorted(lines) == sorted(["; 36 cards", ""] + [f"{tags[name].uid.hex().upper()} {name}" for name in tags])


@pytest.mark.parametrize("runtime", BOTH)
def test_a_deck_of_another_table_is_registered_in_any_order_and_played_with(runtime):
    """Tags that this table has never seen say which cards they are; a copy, or a tag without memory, says none."""
    table = AtTable(setup=None, runtime=runtime)
    table._files = {"language.txt": "en\n", "tags.txt": uid_of(STRANGER).hex().upper() + " arbiter\n"}
    names = [card_name(card) for card in deck_cards(36)]
    tags = {name: Ntag(bytes([0x04, 0xB0, index]) + bytes(3) + b"\x81") for index, name in enumerate(names)}
    for name, tag in tags.items():
        if name[1] in "SD":
            tag.hold_text(ntag.make_id(tag.uid, name.encode()).decode())  # as a phone writes it
        else:
            tag.memory[16:28] = ntag.make_id(tag.uid, name.encode())  # the old form
    tags["6S2"] = Ntag(b"\x04\xb1\0\0\0\0\x81")
    tags["6S2"].memory[16:] = tags["6S"].memory[16:]
    tags["7S2"] = Tag(b"\x04\xb2\0\0\0\0\x81")
    table._tags.update(tags)
    lines = []

    def lay_all(lying, colour):
        def is_lit(wanted):
            return all(table.light(place + 1) == wanted for place in range(len(lying)))

        for place, name in enumerate(lying, 1):
            table.put(place, name)
        yield from table.until(lambda: is_lit(colour))
        for place, name in enumerate(lying, 1):
            table.take(place, name)
        yield from table.until(lambda: is_lit(BLUE))

    def evening():
        yield from open_enrolment(table)
        for key in ("MENU", "MENU", "MENU", "MENU", "OK"):
            yield from table.press(1, key)
        yield from table.until(lambda: table.screen()[0] == "cards to come: 36")
        yield from lay_all(["6S2", "7S2"], RED)
        assert table.screen()[5].strip() == "Tag holds no card"
        mixed = names[::2] + names[1::2]
        for at in range(0, 36, 6):
            yield from lay_all(mixed[at:at + 6], GREEN)
        yield from table.until(lambda: "All there" in table.screen()[7])
        lines.extend((table.flash / "deck.txt").read_text().splitlines())
        yield from table.press(4, "OK")
        yield from table.until(lambda: "OK: play" in table.screen()[7])
        yield from table.press(2, "OK")
        yield from table.until(lambda: any(line.startswith("game: durak") for line in table.says()))
        yield from table.tap(1, "TH")

    table.play(evening())
    assert sorted(lines[1:]) == sorted(f"{tags[name].uid.hex().upper()} {name}" for name in names)
    assert table.events()[:1] == ["1 turn TH"]
