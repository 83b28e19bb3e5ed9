"""What readers are believed: two equal reads, five clean misses; garbled is not absent (T5, T13)."""

from cardtable.app.readers import (
    CAME,
    CROWDED,
    EMPTY,
    GARBLED,
    LEFT,
    MANY,
    MISSES_TO_LEAVE,
    PRESENT,
    RING,
    SILENCES_TO_FAULT,
    SILENT,
    Readers,
)
from cardtable.app.tags import Tags
from cardtable.engine.deck import STRANGER, card_number

SIX = bytes([4, 1, 2, 3, 4, 5, 6, 0, 0, 0])
KING = bytes([4, 1, 2, 3, 4, 5, 7, 0, 0, 0])
STRANGE = bytes([9, 9, 9, 9, 0, 0, 0, 0, 0, 0])


class Chip:
    """A reader that starts, or does not."""

    def __init__(self, starts: bool = True):
        self.starts = starts
        self.uid = bytearray(10)

    def start(self) -> bool:
        return self.starts


def make(count: int = 2) -> Readers:
    """Readers with a deck of two tags."""
    tags = Tags()
    tags.load(["04010203040506 6S\n", "04010203040507 KD\n"])
    return Readers([Chip() for _ in range(count)], tags)


def feed(readers: Readers, answers: list, index: int = 0) -> list:
    """What is posted when these answers come from one reader: [what, place, card] each."""
    for answer in answers:
        if isinstance(answer, bytes):
            readers.conclude(index, PRESENT, answer)
        else:
            readers.conclude(index, answer, bytes(10))
    return take(readers)


def take(readers: Readers) -> list:
    """Everything in the ring."""
    posts = []
    while readers.next():
        posts.append([readers.what, readers.place, readers.card])
    return posts


def test_t5_one_read_is_no_card_and_two_equal_ones_are():
    """T5: a tag is believed after two equal reads."""
    readers = make()
    assert feed(readers, [SIX]) == []
    assert feed(readers, [SIX]) == [[CAME, 1, card_number("6S")]]
    assert feed(readers, [SIX] * 50) == []


def test_t5_two_different_reads_are_no_card():
    """T5: a neighbour's tag that was read once is nothing."""
    readers = make()
    assert feed(readers, [SIX, KING, SIX, KING]) == []


def test_t5_a_card_that_flickers_is_one_tap():
    """T5: fewer than five clean misses in a row are no leaving."""
    readers = make()
    posts = feed(readers, ([SIX, SIX] + [EMPTY] * (MISSES_TO_LEAVE - 1)) * 20)
    assert posts == [[CAME, 1, card_number("6S")]]


def test_t5_the_fifth_clean_miss_is_leaving():
    """T5: and after it the same card is a new tap."""
    readers = make()
    posts = feed(readers, [SIX, SIX] + [EMPTY] * MISSES_TO_LEAVE + [SIX, SIX])
    assert [post[0] for post in posts] == [CAME, LEFT, CAME]


def test_t5_garbled_is_not_absent():
    """T5: an answer that cannot be read is evidence of presence: it ends a row of misses."""
    readers = make()
    assert len(feed(readers, [SIX, SIX] + [EMPTY, EMPTY, EMPTY, EMPTY, GARBLED] * 20)) == 1


def test_t5_another_card_means_that_the_first_has_left():
    """T5: no misses are needed when the next card lies there."""
    readers = make()
    posts = feed(readers, [SIX, SIX, KING, KING])
    assert posts == [[CAME, 1, card_number("6S")], [LEFT, 1, card_number("6S")], [CAME, 1, card_number("KD")]]


def test_t2_a_tag_of_no_deck_is_a_stranger():
    """T2: it is posted like any card, so that it can be refused."""
    assert feed(make(), [STRANGE, STRANGE]) == [[CAME, 1, STRANGER]]


def test_two_tags_at_once_are_told_once():
    """One card at a time: told again only when the reader was free in between."""
    readers = make()
    assert feed(readers, [MANY] * 10, 1) == [[CROWDED, 2, STRANGER]]
    assert feed(readers, [EMPTY] * MISSES_TO_LEAVE + [MANY], 1) == [[CROWDED, 2, STRANGER]]


def test_t13_silence_is_a_fault_of_that_reader():
    """T13: three silent answers; one alone is not yet."""
    readers = make()
    feed(readers, [SILENT] * (SILENCES_TO_FAULT - 1) + [EMPTY], 1)
    assert readers.faulty == 0
    feed(readers, [SILENT] * SILENCES_TO_FAULT, 1)
    assert readers.faulty == 2


def test_t13_a_reader_that_does_not_start_is_named_and_the_others_work():
    """T13: the end of one reader is not the end of the table."""
    readers = make(3)
    readers.chips[2].starts = False
    readers.start()
    assert readers.faulty == 4
    assert feed(readers, [SIX, SIX], 0) == [[CAME, 1, card_number("6S")]]


def test_a_full_ring_loses_the_newest_and_counts_it():
    """A queue has a limit, and says when it was reached."""
    readers = make()
    for _ in range(RING + 3):
        readers.post(CAME, 0, 7)
    assert readers.lost == 3
    assert len(take(readers)) == RING
    readers.post(LEFT, 1, 8)
    assert take(readers) == [[LEFT, 2, 8]]
