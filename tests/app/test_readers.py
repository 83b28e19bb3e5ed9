"""What readers are believed: two equal reads, 1.5 s of absence; garbled is not absent (T5, T13)."""

import asyncio

import cardtable.table.readers as readers_module
from cardtable.answers import EMPTY, GARBLED, MANY, PRESENT, READ_BACK, REPEATS, SILENT
from cardtable.between import reader_care
from cardtable.between.health import find_health
from cardtable.engine.deck import STRANGER, card_number
from cardtable.table.readers import (
    AWAY_MS, CAME, CLEARED, CROWDED, GARBLED_TO_TELL, LEFT, LIFTED, MOST_AWAY_MS, MOST_GARBLED, UNREAD, Readers,
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
        self.fault = SILENT
        self.polls = self.reads = self.garbled = self.silent = self.restarts = 0
        self.wrong = 0

    def read_back(self, frames: int) -> int:
        return self.wrong

    def idle(self) -> int:
        return self.line

    def start(self) -> bool:
        self.starts_counted += 1
        return self.starts

    def warm(self) -> bool:
        return False

    async def poll(self, known) -> int:
        self.told.append(bytes(known) if known else None)
        self.polls += 1
        answer = self.answers.pop(0)
        self.silent += answer == SILENT
        if isinstance(answer, bytes):
            self.uid[:] = answer
            return PRESENT
        return answer


class Time:
    """A driver's pauses."""

    def sleep_us(self, wait_us: int) -> None:
        assert 100 < wait_us <= 5000


class Ticks:
    """The clock of the readers: a look at one of them takes SWEEP_MS here."""

    now_ms = 0

    def ticks_ms(self) -> int:
        return self.now_ms

    def ticks_diff(self, end: int, start: int) -> int:
        return end - start


# The private numbers of cardtable.table.readers, in sweeps; a sweep takes 47 to 100 ms.
SWEEP_MS = 77
MISSES_TO_FREE = 5
AWAY = AWAY_MS // SWEEP_MS + 2
SILENCES_TO_FAULT = 3
SWEEPS_TO_RETRY = SWEEPS_TO_RECOUNT = 8
SWEEPS_TO_RENEW = RING = 32
SWEEPS_TO_WATCH = 256
SILENCES_TO_RESET = (6, 13, 23, 43, 83, 163)
reader_care.time = Time()
ticks = Ticks()


def make(count: int = 2) -> Readers:
    """Readers with a deck of two tags."""
    tags = Tags()
    tags.load(["04010203040506 6S\n", "04010203040507 KD\n"])
    return Readers([Chip() for _ in range(count)], tags)


def conclude(readers: Readers, index: int, answer: int, uid: bytes, sweep_ms: int = SWEEP_MS) -> None:
    """One answer, a sweep later."""
    ticks.now_ms += sweep_ms
    kept, readers_module.time = readers_module.time, ticks
    try:
        readers.conclude(index, answer, uid)
    finally:
        readers_module.time = kept


def feed(readers: Readers, answers: list, index: int = 0) -> list:
    """What is posted when these answers come from one reader: [what, place, card] each."""
    for answer in answers:
        if isinstance(answer, bytes):
            conclude(readers, index, PRESENT, answer)
        else:
            conclude(readers, index, answer, bytes(10))
    return take(readers)


def take(readers: Readers) -> list:
    """Everything in the ring but LIFTED, which only concerns lights."""
    posts = []
    while readers.next():
        if readers.what != LIFTED:
            posts.append([readers.what, readers.place, readers.card])
    return posts


def test_t5_one_read_is_no_card_and_two_equal_ones_are():
    """T5: a tag is believed after two equal reads."""
    readers = make()
    assert feed(readers, [SIX]) == []
    assert feed(readers, [SIX]) == [[CAME, 1, card_number("6S")]]
    assert feed(readers, [SIX] * 50) == []


def test_screens_wait_while_a_card_is_on_its_way():
    """From its first read to its second; a card that flickers holds them up for two sweeps at most."""
    readers = make()
    feed(readers, [SIX])
    assert readers.hurry == 4
    feed(readers, [SIX])
    assert readers.hurry == 0
    feed(readers, [SIX, SIX])
    assert readers.hurry == 0


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
    """It lay there, and is missed in each sweep: after five of them it is believed at the other reader."""
    readers = make(2)
    readers.unused = 2
    readers.chips[0].answers = [EMPTY] * 40
    readers.chips[1].answers = [SIX] * 40
    assert look(readers, 8) == [[CAME, 2, card_number("6S")]]
    readers.chips[0].answers = [SIX] * 40
    readers.chips[1].answers = [EMPTY] * 40
    posts = look(readers, MISSES_TO_FREE + 2)
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
    readers.cool()
    readers.faulty = 1 << following
    readers.warm()
    assert Warm.on == []  # a silent one is left alone


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


def test_t5_two_different_reads_are_no_card():
    """T5: a neighbour's tag that was read once is nothing."""
    readers = make()
    assert feed(readers, [SIX, KING, SIX, KING]) == []


def test_t5_a_card_that_flickers_is_one_tap():
    """T5: clean misses for less than 1.5 s are no leaving."""
    readers = make()
    posts = feed(readers, ([SIX, SIX] + [EMPTY] * (AWAY - 1)) * 20)
    assert posts == [[CAME, 1, card_number("6S")]]


def test_t5_a_second_and_a_half_of_absence_are_leaving():
    """T5: and after them the same card is a new tap."""
    readers = make()
    posts = feed(readers, [SIX, SIX] + [EMPTY] * AWAY + [SIX, SIX])
    assert [post[0] for post in posts] == [CAME, LEFT, CAME]


def test_t6_a_card_that_was_lifted_is_told_before_it_has_left():
    """T6: its red light goes out, and the same card is still no new tap."""
    readers = make()
    feed(readers, [SIX, SIX])
    for _ in range(MISSES_TO_FREE):
        conclude(readers, 0, EMPTY, bytes(10))
    assert readers.next() and readers.what == LIFTED and readers.place == 1
    assert feed(readers, [SIX, SIX]) == []


def test_f5_a_weak_card_taps_once_an_hour():
    """F5: at 30 % of misses five in a row come 74 times an hour; at 50 % as well it taps only when it was laid down."""
    for misses, garbled in ((30, 0), (50, 0), (40, 40)):
        readers = make()
        noise = 1
        posts = []
        for _ in range(3600 * 10):
            noise = noise * 1103515245 + 12345 & 0x3FFFFFFF
            drawn = (noise >> 12) % 100
            posts += feed(readers, [EMPTY if drawn < misses else GARBLED if drawn < misses + garbled else SIX])
        assert [post for post in posts if post[0] in (CAME, LEFT)] == [[CAME, 1, card_number("6S")]], (misses, garbled)


def test_f6_a_reader_that_hears_only_rubbish_says_so_within_a_second():
    """F6: once, until a card can be read or the reader is free; a believed card stays believed meanwhile."""
    readers = make()
    assert feed(readers, [GARBLED] * GARBLED_TO_TELL) == []
    assert feed(readers, [GARBLED] * 1000) == [[UNREAD, 1, STRANGER]]
    assert GARBLED_TO_TELL * 100 <= 1000, "the longest sweep"
    assert feed(readers, [SIX, SIX]) == [[CLEARED, 1, STRANGER], [CAME, 1, card_number("6S")]]
    assert feed(readers, [GARBLED] * 2 * GARBLED_TO_TELL) == [], "twice as long beside a card that was read"
    assert feed(readers, [GARBLED] + [EMPTY] * MISSES_TO_FREE) == [[UNREAD, 1, STRANGER], [CLEARED, 1, STRANGER]]
    assert feed(readers, [GARBLED] * 21 + [MANY]) == [[UNREAD, 1, STRANGER], [CROWDED, 1, STRANGER]]


def test_a_card_that_was_called_unreadable_too_soon_is_given_more_looks():
    """Where a card that lay there all the time is read again the reader waits twice as long, up to a limit. A card that
    is moved until it can be read teaches nothing, nor does another one."""
    readers = make()
    feed(readers, [GARBLED] * 100 + [SIX, SIX])
    assert list(readers.garbled) == [GARBLED_TO_TELL] * 2
    for looks in (20, 40, 80, 80):
        assert feed(readers, [GARBLED] * looks) == []
        assert feed(readers, [GARBLED, SIX]) == [[UNREAD, 1, STRANGER], [CLEARED, 1, STRANGER]]
    assert list(readers.garbled) == [MOST_GARBLED, GARBLED_TO_TELL]
    readers = make()
    posts = feed(readers, [SIX, SIX] + [GARBLED] * 100 + [KING, KING])
    assert [post[0] for post in posts] == [CAME, UNREAD, CLEARED, LEFT, CAME]
    assert list(readers.garbled) == [GARBLED_TO_TELL] * 2


def test_f6_rubbish_now_and_then_is_nothing():
    """An empty reader that hears noise in every third look."""
    assert feed(make(), [GARBLED, EMPTY, EMPTY] * 1000) == []


def test_a_tag_that_two_neighbours_read_belongs_to_the_first():
    """It is no tap at the second one until the first has lost it; then it has moved."""
    readers = make()
    assert feed(readers, [SIX, SIX], 0) == [[CAME, 1, card_number("6S")]]
    for _ in range(50):
        assert feed(readers, [SIX], 1) + feed(readers, [SIX], 0) == []
    assert feed(readers, [EMPTY] * MISSES_TO_FREE, 0) == []
    assert feed(readers, [SIX], 1) == [[LEFT, 1, card_number("6S")], [CAME, 2, card_number("6S")]]


def test_a_card_that_goes_to_another_reader_has_left_the_first():
    readers = make()
    feed(readers, [SIX, SIX, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY], 0)
    assert feed(readers, [SIX, SIX], 1) == [[LEFT, 1, card_number("6S")], [CAME, 2, card_number("6S")]]
    assert feed(readers, [EMPTY] * AWAY, 0) == []


def test_f6_health_tells_misses_from_absence():
    readers = make()
    feed(readers, [SIX, SIX, EMPTY, SIX, EMPTY, EMPTY, SIX] + [EMPTY] * AWAY)
    readers.chips[0].reads = 4
    assert find_health(readers, 0) == (4, 3, 0)


def test_t5_garbled_is_not_absent():
    """T5: an answer that cannot be read is evidence of presence: it is no miss, however often it comes."""
    readers = make()
    posts = feed(readers, [SIX, SIX] + ([EMPTY] * (AWAY - 1) + [GARBLED] * 8 + [SIX]) * 20)
    assert posts == [[CAME, 1, card_number("6S")]]
    assert [post[0] for post in feed(readers, [GARBLED] * 1000)] == [UNREAD]


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
    assert feed(readers, [EMPTY] * (MISSES_TO_FREE - 1) + [GARBLED, MANY], 1) == []
    assert feed(readers, [EMPTY] * MISSES_TO_FREE, 1) == [[CLEARED, 2, STRANGER]]
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
    reader_care.start(readers)
    assert readers.faulty == 4
    assert feed(readers, [SIX, SIX], 0) == [[CAME, 1, card_number("6S")]]


def look(readers: Readers, sweeps: int) -> list:
    """So many sweeps over the readers: everything that was posted."""
    kept = readers_module.time
    readers_module.time = ticks  # CPython's has no ticks
    end = readers.sweeps + sweeps
    try:
        while True:
            before = readers.sweeps
            index = readers.take_turn()
            ticks.now_ms += SWEEP_MS * (readers.sweeps - before)
            if readers.sweeps == end:
                readers._turn -= 1  # it is looked at next time
                break
            look_at(readers, index)
    finally:
        readers_module.time = kept
    return take(readers)


def look_at(readers: Readers, index: int) -> None:
    """One look, as main.run has it."""
    chip = readers.begin(index)
    if chip:
        readers.end(index, asyncio.run(chip.poll(readers.expected(index))))


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
    reader_care.start(readers)
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
    readers.chips[0].answers = [SILENT] * SILENCES_TO_FAULT + [EMPTY] * 60
    assert [post[0] for post in look(readers, 6 * SWEEPS_TO_RETRY)] == [LEFT]


def test_a_second_card_on_a_known_one_is_looked_for():
    """A driver that is told what lies there sees no other; while two lie there it is told nothing."""
    readers = make(1)
    chip = readers.chips[0]
    chip.answers = [SIX] * (2 * SWEEPS_TO_RECOUNT)
    look(readers, 2 * SWEEPS_TO_RECOUNT)
    # Every second sweep is enough from the second read on.
    assert chip.told == [None] + [SIX] * (SWEEPS_TO_RECOUNT // 2) + [None] + [SIX] * (SWEEPS_TO_RECOUNT // 2 - 1)
    chip.told.clear()
    chip.answers = [MANY] * 4 + [SIX] * 3
    assert look(readers, 8) == [[CROWDED, 1, STRANGER], [CLEARED, 1, STRANGER]]
    assert chip.told == [None] * 5 + [SIX]


def test_the_card_that_stays_of_two_is_a_new_tap_if_it_is_another():
    """The one that was judged has left; the other was not judged while both lay there."""
    readers = make()
    posts = feed(readers, [SIX, SIX, MANY, MANY, KING, KING])
    assert [post[0] for post in posts] == [CAME, CROWDED, CLEARED, LEFT, CAME]
    assert posts[-1] == [CAME, 1, card_number("KD")]
    assert feed(readers, [MANY] + [EMPTY] * AWAY) == [
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


def test_f12_the_reset_line_is_pulsed_for_a_reader_that_stays_silent():
    """F12: after thirteen silences of one reader, or six of all; then less and less often."""
    for count, retries in ((1, SILENCES_TO_RESET[0]), (2, SILENCES_TO_RESET[1])):
        levels = []
        readers = make(count)
        readers.reset = levels.append
        readers.chips[0].starts = False
        reader_care.start(readers)
        for chip in readers.chips[1:]:
            chip.answers = [EMPTY] * 1000
        look(readers, (retries - 1) * SWEEPS_TO_RETRY)
        assert levels == []
        look(readers, SWEEPS_TO_RETRY)
        assert levels == [0, 1] and all(chip.starts_counted > 1 for chip in readers.chips)
        look(readers, 60 * SWEEPS_TO_RETRY)
        assert len(levels) == 2 * (len(SILENCES_TO_RESET) - (count > 1) - 2)


class Bus:
    """A bus that keeps its clocks."""

    def __init__(self):
        self.clocks = []

    def init(self, baudrate: int) -> None:
        self.clocks.append(baudrate)


def test_f4_the_clock_is_halved_until_every_reader_is_read_right():
    """F4: and if that does not help the reader is broken, and the clock comes back."""
    for slow_enough, clocks in ((250_000, [500_000, 250_000]), (1, [500_000, 250_000, 125_000, 1_000_000])):
        readers = make()
        bus = Bus()
        readers.buses = ((bus, 1_000_000),)
        chip = readers.chips[1]
        chip.fault = READ_BACK
        chip.start = lambda bus=bus, slow_enough=slow_enough: bool(bus.clocks) and bus.clocks[-1] <= slow_enough
        reader_care.start(readers)
        assert bus.clocks == clocks and readers.halvings == len(clocks) % 4
        assert readers.faulty == (2 if slow_enough == 1 else 0)


def test_f4_a_reader_whose_line_floats_slows_nobody_down():
    """F4: it is misread, and now and then by chance silent: at a slower clock nobody else is heard for that."""
    for silent_from in range(1, 12):
        readers = make()
        bus = Bus()
        readers.buses = ((bus, 1_000_000),)
        chip = readers.chips[1]

        def start(chip=chip, silent_from=silent_from):
            chip.starts_counted += 1
            chip.fault = SILENT if chip.starts_counted >= silent_from else READ_BACK
            return False

        chip.start = start
        reader_care.start(readers)
        assert readers.halvings == 0 and bus.clocks[-1:] in ([], [1_000_000]) and readers.faulty == 2, silent_from


def test_f4_a_reader_that_is_not_there_slows_nobody_down():
    readers = make()
    bus = Bus()
    readers.buses = ((bus, 1_000_000),)
    readers.chips[1].starts = False
    reader_care.start(readers)
    assert bus.clocks == [] and readers.faulty == 2


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
        reader_care.start(readers)
        assert readers.jammer == jammer, (starts, line)
    chips = [Chip(one) for one in (False, True)]
    chips[1].line = 0
    readers = Readers(chips, None)
    reader_care.start(readers)
    assert readers.jammer == 2
    chips[0].starts = True
    chips[0].answers = [EMPTY]
    look_at(readers, 0)
    assert readers.faulty == 0 and readers.jammer == 0


def test_h8_the_same_card_counts_again_after_a_second_and_a_half_on_every_board():
    """H8: the time counts, not the looks: three readers sweep faster than seven."""
    for sweep_ms in (20, 47, 77, 104):
        readers = make()
        feed(readers, [SIX, SIX])
        begun_ms = ticks.now_ms
        posts = []
        while not posts and ticks.now_ms < begun_ms + 10 * AWAY_MS:
            conclude(readers, 0, EMPTY, bytes(10), sweep_ms)
            posts = take(readers)
        assert [post[0] for post in posts] == [LEFT], sweep_ms
        assert AWAY_MS <= ticks.now_ms - begun_ms <= AWAY_MS + 2 * sweep_ms, sweep_ms


def test_h8_a_reader_whose_card_comes_back_by_itself_waits_longer_and_forgets_it():
    """H8: one card lifted and laid again changes nothing; a hand that hovers does, within limits."""
    readers = make()
    away = [EMPTY] * 15
    feed(readers, [SIX, SIX] + away + [SIX] + away + [SIX])
    assert readers.away_ms == [AWAY_MS, AWAY_MS]
    feed(readers, (away + [SIX]) * 8)
    assert readers.away_ms == [MOST_AWAY_MS, AWAY_MS]
    assert feed(readers, [EMPTY] * (MOST_AWAY_MS // SWEEP_MS - 1) + [SIX]) == []
    for _ in range(80):
        readers.watch()
    assert readers.away_ms == [AWAY_MS, AWAY_MS]


def test_h1_a_reader_that_loses_its_card_is_started_anew_before_that_is_believed():
    """H1: one wrong byte has made it deaf. A card that is there is found again; one that was lifted has left."""
    readers = make(1)
    chip = readers.chips[0]
    chip.answers = [SIX, SIX]
    look(readers, 2)
    started = chip.starts_counted
    chip.answers = [EMPTY] * MISSES_TO_FREE + [SIX]
    assert look(readers, MISSES_TO_FREE + 1) == [] and chip.starts_counted == started + 1
    chip.answers = [EMPTY] * (AWAY + 1)
    assert [post[0] for post in look(readers, AWAY)] == [LEFT]
    assert chip.starts_counted == started + 1 + (AWAY - 1) // MISSES_TO_FREE, "each time that many misses came"


def test_t13_one_wrong_byte_while_a_reader_is_started_anew_is_no_fault():
    """H1: it is tried twice."""
    readers = make(1)
    chip = readers.chips[0]
    chip.answers = [EMPTY] * 64
    starts = [False, True] * 4
    chip.start = lambda: starts.pop(0)
    look(readers, 2 * SWEEPS_TO_RENEW)
    assert readers.faulty == 0 and len(starts) == 4


def slow_at(clean_hz: int):
    """Readers on a bus that fails a third of all looks above that clock; and what is said of it."""
    readers = make(2)
    bus = Bus()
    readers.buses = ((bus, 1_000_000),)
    said = []
    readers.say = said.append
    for index in range(2):
        chip = readers.chips[index]

        async def poll(known, chip=chip):
            chip.polls += 1
            clock = bus.clocks[-1] if bus.clocks else 1_000_000
            is_silent = clock > clean_hz and chip.polls % 3 == 0
            chip.silent += is_silent
            return SILENT if is_silent else EMPTY

        chip.poll = poll
    return readers, bus, said


def test_h2_a_bus_that_fails_in_play_is_slowed_down_until_it_does_not():
    """H2: and it is said. A bus that no clock mends comes back to its own, and rests."""
    for clean_hz, clocks in ((500_000, [500_000]), (250_000, [500_000, 250_000]), (0, [500_000, 250_000, 125_000,
                                                                                     1_000_000])):
        readers, bus, said = slow_at(clean_hz)
        look(readers, 6 * SWEEPS_TO_WATCH)
        assert bus.clocks == clocks and readers.halvings == len(clocks) % 4, clean_hz
        assert len(said) == len(clocks) and said[0] == "readers: 170 of 512 looks failed, now at 500 kHz", said
        assert bool(readers.rests) is (clean_hz == 0)
        look(readers, 6 * SWEEPS_TO_WATCH)
        assert bus.clocks == clocks


def test_h2_a_silence_now_and_then_slows_nobody_down():
    """H2: up to one look in fifty."""
    readers, bus, _ = slow_at(1_000_000)
    for chip in readers.chips:
        chip.answers = ([EMPTY] * 80 + [SILENT]) * 20

        async def poll(known, chip=chip):
            chip.polls += 1
            answer = chip.answers.pop(0)
            chip.silent += answer == SILENT
            return answer

        chip.poll = poll
    look(readers, 1000)
    assert bus.clocks == []


def test_h2_at_the_start_settings_are_read_back_often_enough_to_measure():
    """H2: readers that all start, and whose settings come back wrong now and then."""
    for wrong, halvings in ((0, 0), (2, 0), (30, 1)):
        readers = make()
        bus = Bus()
        readers.buses = ((bus, 1_000_000),)
        chip = readers.chips[1]
        chip.read_back = lambda frames, bus=bus, wrong=wrong: 0 if bus.clocks else wrong
        reader_care.start(readers)
        assert readers.halvings == halvings and readers.faulty == 0, wrong


def test_h9_a_copy_that_repeats_registers_slows_nobody_down():
    readers = make()
    bus = Bus()
    readers.buses = ((bus, 1_000_000),)
    readers.chips[1].starts = False
    readers.chips[1].fault = REPEATS
    reader_care.start(readers)
    assert bus.clocks == [] and readers.faulty == 2
