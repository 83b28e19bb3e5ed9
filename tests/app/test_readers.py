"""What readers are believed: two equal reads, five clean misses; garbled is not absent (T5, T13)."""

import asyncio

import cardtable.table.readers as readers_module
from cardtable.engine.deck import STRANGER, card_number
from cardtable.table.readers import (
    CAME,
    CLEARED,
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
    SWEEPS_TO_RECOUNT,
    SWEEPS_TO_RENEW,
    SWEEPS_TO_RETRY,
    Readers,
)
from cardtable.table.tags import Tags

SIX = bytes([4, 1, 2, 3, 4, 5, 6, 0, 0, 0])
KING = bytes([4, 1, 2, 3, 4, 5, 7, 0, 0, 0])
STRANGE = bytes([9, 9, 9, 9, 0, 0, 0, 0, 0, 0])


class Chip:
    """A reader that starts, or does not, and gives one answer after the other; it keeps what it was told to expect."""

    def __init__(self, starts: bool = True):
        self.starts = starts
        self.uid = bytearray(10)
        self.answers = []
        self.told = []
        self.starts_counted = 0
        self.line = 0xFF

    def idle(self) -> int:
        return self.line

    def start(self) -> bool:
        self.starts_counted += 1
        return self.starts

    async def poll(self, known) -> int:
        self.told.append(bytes(known) if known else None)
        answer = self.answers.pop(0)
        if isinstance(answer, bytes):
            self.uid[:] = answer
            return PRESENT
        return answer


class Asyncio:
    """Time that passes at once."""

    @staticmethod
    async def sleep_ms(ms: int) -> None:
        assert 0 < ms < 10


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
    assert feed(readers, [EMPTY] * (MISSES_TO_LEAVE - 1) + [GARBLED, MANY], 1) == []
    assert feed(readers, [EMPTY] * MISSES_TO_LEAVE, 1) == [[CLEARED, 2, STRANGER]]
    assert feed(readers, [MANY], 1) == [[CROWDED, 2, STRANGER]]


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


def look(readers: Readers, sweeps: int) -> list:
    """So many sweeps over the readers: everything that was posted."""
    readers_module.asyncio = Asyncio  # CPython's has no sleep_ms

    async def sweep() -> None:
        for _ in range(sweeps):
            for index in range(len(readers.chips)):
                await readers.look(index)
            readers.sweeps += 1

    try:
        asyncio.run(sweep())
    finally:
        readers_module.asyncio = asyncio
    return take(readers)


def test_t13_a_reader_that_may_have_gone_deaf_is_started_anew():
    """T13: it answers, and hears no card: nobody can tell it from an empty one. One that has a card is left alone."""
    readers = make(1)
    chip = readers.chips[0]
    chip.answers = [EMPTY] * (2 * SWEEPS_TO_RENEW - 2) + [SIX] * (4 * SWEEPS_TO_RENEW)
    look(readers, 2 * SWEEPS_TO_RENEW - 2)
    assert chip.starts_counted == 2 and not readers.faulty
    assert look(readers, 3 * SWEEPS_TO_RENEW) == [[CAME, 1, card_number("6S")]]
    assert chip.starts_counted == 2
    chip.answers = [EMPTY] * (2 * SWEEPS_TO_RENEW)
    chip.starts = False
    look(readers, 2 * SWEEPS_TO_RENEW)
    assert chip.starts_counted > 2 and readers.faulty == 1


def test_t13_a_faulty_reader_is_started_anew_now_and_then_and_must_answer():
    """T13: what starts but does not answer is as silent as before."""
    readers = make(1)
    chip = readers.chips[0]
    chip.starts = False
    readers.start()
    look(readers, 3 * SWEEPS_TO_RETRY)
    assert chip.starts_counted == 1 + 3 and chip.told == [] and readers.faulty == 1
    chip.starts = True
    chip.answers = [SILENT, SILENT, EMPTY] + [SIX] * 20
    look(readers, 2 * SWEEPS_TO_RETRY)
    assert len(chip.told) == 2 and readers.faulty == 1
    assert look(readers, SWEEPS_TO_RETRY) == [[CAME, 1, card_number("6S")]]
    assert readers.faulty == 0


def test_t13_a_card_that_rested_through_a_silence_is_no_new_tap():
    """T13, T5: nothing is lost, and nothing is judged twice."""
    readers = make(1)
    readers.chips[0].answers = [SIX, SIX] + [SILENT] * SILENCES_TO_FAULT + [SIX] * 30
    assert [post[0] for post in look(readers, 3 * SWEEPS_TO_RETRY)] == [CAME]
    readers.chips[0].answers = [SILENT] * SILENCES_TO_FAULT + [EMPTY] * 30
    assert [post[0] for post in look(readers, 3 * SWEEPS_TO_RETRY)] == [LEFT]


def test_a_second_card_on_a_known_one_is_looked_for():
    """A driver that is told what lies there sees no other; while two lie there it is told nothing."""
    readers = make(1)
    chip = readers.chips[0]
    chip.answers = [SIX] * (2 * SWEEPS_TO_RECOUNT)
    look(readers, 2 * SWEEPS_TO_RECOUNT)
    assert chip.told == ([None] + [SIX] * (SWEEPS_TO_RECOUNT - 1)) * 2
    chip.told.clear()
    chip.answers = [MANY] * 4 + [SIX] * 3
    assert look(readers, 7) == [[CROWDED, 1, STRANGER], [CLEARED, 1, STRANGER]]
    assert chip.told == [None] * 5 + [SIX] * 2


def test_the_card_that_stays_of_two_is_a_new_tap_if_it_is_another():
    """The one that was judged has left; the other was not judged while both lay there."""
    readers = make()
    posts = feed(readers, [SIX, SIX, MANY, MANY, KING, KING])
    assert [post[0] for post in posts] == [CAME, CROWDED, CLEARED, LEFT, CAME]
    assert posts[-1] == [CAME, 1, card_number("KD")]
    assert feed(readers, [MANY] + [EMPTY] * MISSES_TO_LEAVE) == [
        [CROWDED, 1, STRANGER], [CLEARED, 1, STRANGER], [LEFT, 1, card_number("KD")],
    ]


def test_a_full_ring_loses_the_newest_and_counts_it():
    """A queue has a limit, and says when it was reached."""
    readers = make()
    for _ in range(RING + 3):
        readers.post(CAME, 0, 7)
    assert readers.lost == 3
    assert len(take(readers)) == RING
    readers.post(LEFT, 1, 8)
    assert take(readers) == [[LEFT, 2, 8]]


def test_t13_a_reader_that_drives_the_line_is_told_by_being_heard_alone():
    """If more are heard, or the line is free, it is something else."""
    for starts, line, jammer in (
        ((False, True, False), 0x00, 2),
        ((False, True, False), 0xFF, 0),
        ((True, True, False), 0x00, 0),
        ((False, False, False), 0x00, 0),
        ((True, True, True), 0x00, 0),
    ):
        chips = [Chip(one) for one in starts]
        for chip in chips:
            chip.line = line
        readers = Readers(chips, None)
        readers.start()
        assert readers.jammer == jammer, (starts, line)
    chips = [Chip(one) for one in (False, True)]
    chips[0].line = 0
    readers = Readers(chips, None)
    readers.start()
    assert readers.jammer == 2
    chips[0].starts = True
    chips[0].answers = [EMPTY]
    asyncio.run(readers.look(0))
    assert readers.faulty == 0 and readers.jammer == 0
