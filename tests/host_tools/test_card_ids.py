"""Tags that say which card they are, through the whole firmware: enrolment writes them, or leaves them as they are."""

import pytest

from cardtable.drivers import ntag
from cardtable.engine.deck import STRANGER, card_number
from host_tools.chips.iso14443a import Tag
from host_tools.chips.ntag21x import Ntag
from host_tools.virtual.hands import uid_of
from tests.host_tools.at_table import GREEN, SECOND, AtTable

BOTH = ["cpython", pytest.param("micropython", marks=pytest.mark.micropython)]
FOREIGN = b"\x03\x0f\xd1\x01\x0bT\x02enabc"


@pytest.mark.parametrize("runtime", BOTH)
def test_enrolment_writes_the_tags_that_take_it_and_registers_all(runtime):
    """A new one, one without memory, somebody else's, one that is locked, and the next: all are cards of the deck."""
    table = AtTable(setup=None, runtime=runtime)
    table._files = {"language.txt": "en\n", "tags.txt": uid_of(STRANGER).hex().upper() + " arbiter\n"}
    tags = {name: Ntag(uid_of(card_number(name))) for name in ("6S", "7S", "8S", "9S", "TS")}
    tags["7S"] = Tag(uid_of(card_number("7S")))
    tags["8S"].memory[16:28] = FOREIGN
    tags["9S"].lock(4)
    table._tags.update(tags)
    seen, lines = {}, []

    def evening():
        yield from table.until(lambda: "OK: play" in table.screen()[7])
        table.put(1, "QQ")
        yield SECOND // 2
        table.take(1, "QQ")
        yield SECOND
        yield from table.press(1, "OK")
        yield SECOND // 2
        for name in tags:
            asked = dict(word.split(":")[::-1] for row in table.screen()[1:5] for word in row.split())
            place = int(asked[name])
            table.put(place, name)
            yield from table.until(lambda: table.world.lights.colour(place - 1) == GREEN)  # noqa: B023
            yield SECOND // 2
            seen[name] = table.screen()[5].strip()
            table.take(place, name)
            yield SECOND
        lines.extend((table.flash / "deck.txt").read_text().split("\n"))

    table.play(evening())
    assert seen == {"6S": "", "7S": "UID only: 7S", "8S": "UID only: 8S", "9S": "UID only: 9S", "TS": ""}
    for name in ("6S", "TS"):
        assert bytes(tags[name].memory[16:28]) == ntag.make_id(tags[name].uid, name.encode())
    assert bytes(tags["8S"].memory[16:28]) == FOREIGN
    assert sorted(lines) == sorted(["; 36 cards", ""] + [f"{tags[name].uid.hex().upper()} {name}" for name in tags])
