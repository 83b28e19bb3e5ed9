"""A card of another deck in the middle of a game: the screen says which deck, in the language of the table (T2)."""

from cardtable.engine.deck import STRANGER
from cardtable.table.lights import REFUSED
from cardtable.table.readers import CAME

from tests.app.fake_room import Files
from tests.app.fake_table import Table

RUNS_ON = "cpython"  # A device forgets the module that reads decks, and with it the files that this test makes up.

OF_SECOND, OF_THIRD, OF_NONE = 11, 12, 13


def tag(number: int) -> bytes:
    """A UID as a reader gives it."""
    return bytes([4, 0, 0, 0, 0, 0, number, 0, 0, 0])


def lay(place: int, *tags: int, files: Files) -> Table:
    """A dealt table at whose places 2, 3, ... these tags lie, after the one at `place` was laid down."""
    for name, line in (("deck", "0A 6S"), ("deck2", "0B 7S"), ("deck3", "0C 8S")):
        files.texts[name + ".txt"] = f"040000000000{line}\n"
    table = Table()
    table.deal()
    table.parts.readers.uids = {2 + at: tag(number) for at, number in enumerate(tags)}
    table.parts.readers.posts.append((CAME, place, STRANGER))
    files.during(table.step)
    return table


def test_t2_the_deck_of_a_strange_card_is_named():
    """That of the tag on the reader of the seat that is refused, whatever lies on its neighbours' readers."""
    for place in (3, 5):
        for number, deck in ((OF_SECOND, 2), (OF_THIRD, 3)):
            tags = [OF_SECOND + OF_THIRD - number] * 5
            tags[place - 2] = number
            table = lay(place, *tags, files=Files())
            assert table.light(place) == REFUSED
            assert table.row(4).endswith(f" T2 A card of deck {deck}")


def test_t2_a_tag_of_no_deck_is_a_strange_one():
    """No deck is named, though one lies next to it."""
    table = lay(3, OF_SECOND, OF_NONE, OF_SECOND, OF_SECOND, OF_SECOND, files=Files())
    assert table.light(3) == REFUSED
    assert not any("deck 2" in row for row in table.parts.glass.rows)


class Damaged(Files):
    """A flash that gives the second deck no more."""

    def open(self, name: str, mode: str = "r"):
        if name == "deck2.txt":
            raise OSError(5)
        return super().open(name, mode)


def test_t2_a_deck_that_cannot_be_read_is_named():
    """Where another deck may be that of the tag: the cause stands in the place of the deck."""
    table = lay(3, OF_SECOND, OF_SECOND, files=Damaged())
    assert "deck2.txt cannot be read: error 5" in " ".join(table.parts.glass.rows)
