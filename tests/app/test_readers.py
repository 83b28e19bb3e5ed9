"""What readers are believed: two equal reads, 1.5 s of absence; garbled is not absent (T5, T13)."""

from cardtable.answers import EMPTY, GARBLED, MANY, SILENT
from cardtable.between import reader_care
from cardtable.between.health import find_health
from cardtable.engine.deck import STRANGER, card_number
from cardtable.table.readers import (
    AWAY_MS, CAME, CLEARED, CROWDED, GARBLED_TO_TELL, LEFT, LIFTED, MOST_AWAY_MS, MOST_GARBLED, UNREAD,
)

from tests.app.fake_readers import (
    AWAY, KING, MISSES_TO_FREE, RING, SILENCES_TO_FAULT, SIX, STRANGE, SWEEP_MS, SWEEPS_TO_RECOUNT, SWEEPS_TO_RENEW,
    SWEEPS_TO_RETRY, conclude, feed, look, make, take, ticks,
)


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


def test_t2_a_phone_is_told_and_holds_nothing_up():
    """T2: it has another UID in each field, and so has a reader that reads now one of two cards and now the other: it
    cannot be read, the screens wait no longer than for a card, and a card that comes instead is believed as always."""
    for other in ([bytes([8, 1, 1, last]) + bytes(6) for last in range(60)], [SIX, KING] * 30):
        readers = make()
        posts = []
        waited = 0
        for uid in other:
            posts += feed(readers, [uid])
            waited += readers.hurry > 0
            readers.hurry = max(0, readers.hurry - 1)  # as main.run does
        assert posts == [[UNREAD, 1, STRANGER]] and waited == 4
        assert feed(readers, [GARBLED] + [EMPTY] * MISSES_TO_FREE + [SIX, SIX]) == [
            [CLEARED, 1, STRANGER], [CAME, 1, card_number("6S")],
        ]
        posts = feed(readers, other[2:40] + [KING, KING])
        assert posts[-2:] == [[CLEARED, 1, STRANGER], [CAME, 1, card_number("KD")]]


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
    assert feed(readers, [SIX], 1) == []
    assert feed(readers, [SIX], 1) == [[LEFT, 1, card_number("6S")], [CAME, 2, card_number("6S")]]


def test_t5_a_look_that_hears_a_neighbours_card_is_a_miss():
    """T5: a resting card that such a look misses has not left; it has after as long as at an empty reader."""
    readers = make()
    feed(readers, [KING, KING], 0)
    feed(readers, [SIX, SIX], 1)
    for _ in range(20):
        assert feed(readers, [KING], 0) == []
        assert feed(readers, [KING, SIX, SIX], 1) == []
    assert feed(readers, [KING] * (AWAY - 1), 1) == []
    assert feed(readers, [KING] * 9, 1) == [[LEFT, 2, card_number("6S")]]


def test_t9_what_lay_there_before_the_power_came_back_rests_until_its_reader_was_free():
    """T9, T5: silent, garbled, missed or read once at first: it is no tap. 1.5 s of clean misses free it, as always."""
    for before in ([], [SILENT] * 40, [GARBLED] * 8, [EMPTY] * (AWAY - 1), [SIX] + [EMPTY] * (AWAY - 1)):
        readers = make()
        readers.resting = -1
        feed(readers, [EMPTY] * AWAY, 1)
        assert feed(readers, before + [SIX, SIX]) == [[CAME, 1, card_number("6S")]] and readers.resting & 3 == 1
        assert feed(readers, [EMPTY] * AWAY) == [[LEFT, 1, card_number("6S")]] and readers.resting & 3 == 0
        readers.resting = -1
        assert feed(readers, [SIX, SIX, KING, KING])[2:] == [[CAME, 1, card_number("KD")]] and readers.resting & 1 == 0


def test_t9_a_reader_that_is_deaf_as_the_power_comes_back_is_started_anew_before_it_is_called_free():
    """T9: one wrong byte has made it so, and a card lies there."""
    readers = make(1)
    readers.resting = -1
    readers.sweeps = 1  # in the first one every reader is started anew
    chip = readers.chips[0]
    chip.answers = [EMPTY] * MISSES_TO_FREE + [SIX, SIX]
    assert look(readers, MISSES_TO_FREE + 2) == [[CAME, 1, card_number("6S")]]
    assert chip.starts_counted == 1 and readers.resting & 1


def test_a_card_that_goes_to_another_reader_has_left_the_first():
    readers = make()
    feed(readers, [SIX, SIX, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY], 0)
    assert feed(readers, [SIX, SIX], 1) == [[LEFT, 1, card_number("6S")], [CAME, 2, card_number("6S")]]
    assert feed(readers, [EMPTY] * AWAY, 0) == []


def test_f6_health_tells_misses_from_absence():
    """Two misses in a row are one look of a resting card's pace; those of a card that has left count nowhere."""
    readers = make()
    feed(readers, [SIX, SIX, EMPTY, SIX, EMPTY, EMPTY, SIX] + [EMPTY] * AWAY)
    readers.chips[0].reads = 4
    assert find_health(readers, 0) == (4, 2, 0)


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
