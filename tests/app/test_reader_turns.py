"""Which reader is looked at when: new cards first, resting ones seldom, and the next field up meanwhile."""

import cardtable.table.readers as readers_module
from cardtable.answers import EMPTY, GARBLED, PRESENT, SILENT
from cardtable.engine.deck import card_number
from cardtable.table.readers import CAME, Readers

from tests.app.fake_readers import (
    KING, MISSES_TO_FREE, SILENCES_TO_FAULT, SIX, SWEEPS_TO_RETRY, Chip, look, look_at, make, take, ticks,
)


def count_looks(readers: Readers, sweeps: int) -> list:
    """How often each reader was looked at in so many sweeps."""
    for chip in readers.chips:
        chip.polls = 0
    look(readers, sweeps)
    return [chip.polls for chip in readers.chips]


def test_where_a_card_rests_every_second_sweep_is_enough():
    """So the others come sooner; a card that was missed, or garbled, is looked for in each sweep."""
    readers = make(3)
    for index, answer in enumerate((SIX, KING, EMPTY)):
        readers.chips[index].answers = [answer] * 40
    look(readers, 2)
    assert count_looks(readers, 8) == [4, 4, 8]
    readers.chips[0].answers = [EMPTY] * 4 + [SIX] * 12
    readers.chips[1].answers = [GARBLED] * 3 + [KING] * 12
    look(readers, 2)
    assert 3 <= count_looks(readers, 3)[0] and not readers.may_wait(1, readers.sweeps)
    look(readers, 4)
    assert count_looks(readers, 4) == [2, 2, 4] and take(readers) == []


def test_h8_a_card_that_is_missed_a_fifth_of_the_time_is_read_four_fifths_of_it():
    """Though it is looked at twice as often while it is missed: a reader that misses in bursts would seem to weaken."""
    readers = make(1)

    class Hidden(Chip):
        async def poll(self, known) -> int:
            if readers.sweeps % 40 < 8:
                return EMPTY
            self.reads += 1
            self.uid[:] = SIX
            return PRESENT

    readers.chips[0] = chip = Hidden()
    look(readers, 800)
    assert 78 <= 100 * chip.reads // (chip.reads + readers.missed[0]) <= 82, (chip.reads, readers.missed)
    assert take(readers) == []


def test_where_nobody_sits_every_fourth_sweep_is_enough():
    """It is still found out that such a reader is silent, and that it answers again."""
    readers = make(3)
    readers.unused = 2
    for chip in readers.chips:
        chip.answers = [EMPTY] * 200
    assert count_looks(readers, 16) == [16, 4, 16]
    readers.chips[1].answers = [SILENT] * SILENCES_TO_FAULT + [EMPTY] * 9
    look(readers, 4 * SILENCES_TO_FAULT)
    assert readers.faulty == 2
    look(readers, 2 * SWEEPS_TO_RETRY)
    assert not readers.faulty


def test_a_card_that_comes_from_where_nobody_sits_counts_as_soon_as_any_other():
    """It lay there, and is missed in each sweep: after five of them the other reader believes it, with two reads."""
    readers = make(2)
    readers.unused = 2
    readers.chips[0].answers = [EMPTY] * 40
    readers.chips[1].answers = [SIX] * 40
    assert look(readers, 8) == [[CAME, 2, card_number("6S")]]
    readers.chips[0].answers = [SIX] * 40
    readers.chips[1].answers = [EMPTY] * 40
    posts = look(readers, MISSES_TO_FREE + 3)
    assert [CAME, 1, card_number("6S")] in posts, posts


class Warm(Chip):
    """A driver whose field can come up early; `on` has all whose field is on."""

    on: list = []

    def warm(self) -> bool:
        self.on.append(self)
        return True

    def field(self, on: bool) -> None:
        self.on.remove(self)

    async def poll(self, known) -> int:
        assert self.on in ([self], []), "another field is on"
        self.on.clear()
        return await super().poll(known)


def test_the_field_of_the_next_reader_comes_up_while_all_else_is_done():
    """One at a time: that of the reader that is looked at next, and of none while another is asked something."""
    chips = [Warm() for _ in range(3)]
    readers = Readers(chips, make().tags)
    for index, answer in enumerate((EMPTY, SIX, EMPTY)):
        chips[index].answers = [answer] * 40
    look(readers, 2)
    assert Warm.on == [chips[0]]
    readers.cool()
    assert Warm.on == []
    before = readers.sweeps
    while readers.sweeps < before + 2:  # the card at the second rests: its field comes up in every second sweep alone
        index = readers.take_turn()
        look_at(readers, index)
        following = 2 if index == 0 and not readers.sweeps % 2 else (index + 1) % 3
        assert Warm.on == [chips[following]], (index, readers.sweeps)
    readers.begin((following + 1) % 3)
    assert Warm.on == []  # another one's turn has come after all
    readers.faulty = 1 << following
    readers.warm()
    assert Warm.on == []  # a silent one is left alone


def test_a_reader_that_was_not_read_well_waits_for_no_second_sweep():
    """Whatever it was that came instead of its card: it is looked at in each sweep until that is settled."""
    for answer in (EMPTY, GARBLED, SILENT):
        readers = make(1)
        readers.chips[0].answers = [SIX] * 20
        look(readers, 5)
        assert readers.may_wait(0, 1) and not readers.may_wait(0, 2)
        readers.chips[0].answers = [answer] * 2
        look(readers, 2)
        assert not readers.may_wait(0, 1) and not readers.may_wait(0, 2), answer


def test_a_new_card_is_looked_at_again_after_20_ms_out_of_turn():
    """However many readers the table has: as soon as at an empty table of four. Once: a card that flickers waits."""
    readers = make(7)
    for chip in readers.chips:
        chip.answers = [EMPTY] * 40
    readers.chips[2].answers = [SIX] + [EMPTY] * 40
    kept, readers_module.time = readers_module.time, ticks
    order = []
    try:
        for _ in range(12):
            order.append(readers.take_turn())
            look_at(readers, order[-1])
            ticks.now_ms += 8
    finally:
        readers_module.time = kept
    assert order == [0, 1, 2, 3, 4, 2, 5, 6, 0, 1, 2, 3] and take(readers) == []


def test_of_two_cards_that_come_almost_at_once_the_one_that_was_read_first_counts_first():
    """Where the first card takes the last place of a bout (D17) that decides."""
    readers = make(7)
    for chip in readers.chips:
        chip.answers = [EMPTY] * 40
    readers.chips[2].answers = [SIX] * 40
    readers.chips[3].answers = [KING] * 40
    kept, readers_module.time = readers_module.time, ticks
    try:
        for _ in range(16):
            look_at(readers, readers.take_turn())
            ticks.now_ms += 8
    finally:
        readers_module.time = kept
    assert [post[1] for post in take(readers) if post[0] == CAME] == [3, 4]
