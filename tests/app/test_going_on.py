"""The controller of a game that goes on after a power failure, and what of the record waits for a calm moment (T9)."""

import cardtable.table.readers as readers_module
from cardtable.answers import EMPTY, GARBLED, SILENT
from cardtable.between.notice import announce
from cardtable.between.resume import Resumed, play_line
from cardtable.between.take_up import go_on
from cardtable.engine.event import Event
from cardtable.engine.session import Session
from cardtable.engine.state import OUTCOME
from cardtable.games import durak
from cardtable.play.controller import CLOSE_MS, Controller
from cardtable.play.judge_and_write import MOST_WAITS, RETRY_MS, STALL_MS
from cardtable.play.turns import Turns
from cardtable.table.lights import ACCEPTED, MAY, OFF, REFUSED, WAITED_FOR
from cardtable.table.readers import CAME, LEFT, LIFTED, Readers
from cardtable.table.tags import Tags

from tests.app import fake_table
from tests.app.fake_flash import Flash
from tests.app.fake_parts import Parts
from tests.app.fake_readers import SIX, Chip, look_at, ticks
from tests.app.test_resume import LINES, find, header, played, replayed

RUNS_ON = "cpython"  # On a board the controller and app.resume are not in the heap with all this at one time.


class Table:
    """Two seats; the game goes on behind these lines of its record."""

    def __init__(self, lines, options="", readers=None):
        self.parts = Parts("durak")
        self.parts.readers = readers or self.parts.readers
        said = header(options=options)
        self.controller = self.parts.time.during(Controller, Session(durak, said), said, self.parts)
        self.controller.judging.remember_next = lambda: None  # no file of the flash
        resumed = Resumed("games/0007", said)
        resumed.page = 2
        resumed.spares = 1
        event = Event()
        for line in lines:
            play_line(resumed, self.controller.session, line, 1, event, self.controller.turns)
        self.parts.time.during(go_on, resumed, self.controller)
        self.step(0)

    def step(self, ms=10):
        self.parts.time.now_ms += ms
        self.parts.time.during(self.controller.step)

    def post(self, what, place, card):
        self.parts.post(what, place, card)
        self.step()

    def light(self, place):
        return self.parts.lights.means[place - 1]

    def says(self):
        """The rows of the glass behind the table's state, in one."""
        return " ".join(" ".join(self.parts.glass.rows[3:7]).split())


PLAYED = [line for line in LINES if line[0] != ";"][:-1]  # up to Boris, who has beaten 6S with 7S


def test_t9_the_screen_names_the_last_event_and_the_clock_goes_on():
    """The time behind its last line."""
    table = Table(PLAYED)
    assert table.says() == "2 beats 6♠ with 7♠ Power is back. Last: 2 beats 6♠ with 7♠"
    assert table.parts.said == ["resumed after: 2 beat 7S 6S"]
    table.post(CAME, 1, "6H")
    table.parts.readers.resting = 0
    table.post(LEFT, 1, "6H")
    table.post(CAME, 1, "7H")
    assert table.parts.journal.lines == ["3.53 1 attack 7H ! T2"]
    assert "Power is back" not in table.says()


def test_t9_t11_a_drawn_card_is_not_named():
    """Nor anything of an event that nobody may see; without any event the set-up is what stands."""
    table = Table(PLAYED[:3])
    assert table.says() == "1 draws Power is back. Last: 1 draws" and table.parts.said == ["resumed after: 1 draw"]
    table = Table([])
    assert table.says() == "the set-up Power is back. Last: the set-up"
    assert table.parts.said == ["resumed after: the set-up"]


def test_t11_d43_a_secret_press_is_not_named_and_stands():
    """The last event that all may see is named instead, as if nobody had pressed."""
    for secret in ([], ["2.5 2 cheat"]):
        table = Table(PLAYED[:13] + ["2.0 1 attack 6S"] + secret, " cheating=2")
        assert table.says() == "1 lays 6♠ Power is back. Last: 1 lays 6♠"
        assert table.parts.said == ["resumed after: 1 attack 6S"]
        assert [table.light(place) for place in (1, 2)] == [MAY, WAITED_FOR]
    plain = Table(PLAYED[:13] + ["2.0 1 attack 6S"], " cheating=2")
    assert not plain.controller.session.state.is_equal(table.controller.session.state)


def test_t9_a_card_that_was_judged_rests_and_is_no_tap():
    """T5: it is one tap still, the attack card and the card that beats it alike."""
    table = Table(PLAYED)
    for place, card in ((1, "6S"), (2, "7S")):
        table.post(CAME, place, card)
    table.step(5000)
    assert table.parts.journal.lines == [] and REFUSED not in (table.light(1), table.light(2))
    assert "again" not in table.says()


def look_around(table, looks=200):
    """So many looks at the table's readers, and a step after each."""
    readers = table.parts.readers
    kept, readers_module.time = readers_module.time, ticks
    try:
        for _ in range(looks):
            ticks.now_ms += 25
            look_at(readers, readers.take_turn())
            table.step(25)
    finally:
        readers_module.time = kept


def test_t9_a_card_that_rests_is_no_tap_however_late_its_reader_reads_it():
    """T5: behind the deal the card that was drawn last would attack, though nobody has tapped. Once lifted it does."""
    assert PLAYED[10].endswith("1 draw 8D")
    tags = Tags()
    tags.load(["04010203040506 8D\n"])
    for before in ([], [EMPTY] * 20, [GARBLED] * 9, [SILENT] * 3 + [EMPTY] * 6):
        for starts in (True, False):
            chips = [Chip(starts), Chip()]
            chips[0].answers, chips[1].answers = before + [SIX] * 200, [EMPTY] * 400
            readers = Readers(chips, tags)
            readers.faulty = not starts
            table = Table(PLAYED[:13], readers=readers)
            look_around(table, 24)
            chips[0].starts = True
            look_around(table)
            assert readers.uid(1) == SIX and table.parts.journal.lines == [], (before, starts)
            assert REFUSED not in (table.light(1), table.light(2)) and not table.controller.waits_for_repair()
            chips[0].answers = [EMPTY] * 80 + [SIX] * 200
            look_around(table)
            assert [line.partition(" ")[2] for line in table.parts.journal.lines] == ["1 attack 8D"]


def test_t9_a_card_that_was_not_judged_is_asked_for_again():
    """Red until it is lifted; the next tap is judged."""
    table = Table(PLAYED)
    table.post(CAME, 1, "6H")
    table.step(5000)
    assert table.light(1) == REFUSED and "1 Tap that card again" in table.says()
    assert table.parts.journal.lines == []
    table.parts.readers.resting = 0
    table.post(LEFT, 1, "6H")
    assert table.light(1) in (OFF, WAITED_FOR)
    table.post(CAME, 1, "6H")
    assert table.light(1) == ACCEPTED and table.parts.journal.lines[0].endswith("1 attack 6H")


def test_t9_the_card_that_takes_its_place_has_left_no_sooner_than_others():
    """One that slides over the card that is asked for again: it is missed for a moment, and is no second tap."""
    table = Table(PLAYED)
    left: list = []
    table.parts.readers.leave = left.append
    table.post(CAME, 1, "6H")
    table.parts.readers.resting = 0
    for what, card in ((LEFT, "6H"), (CAME, "7H"), (LIFTED, "7H")):
        table.post(what, 1, card)
    assert left == []


def test_t9_a_card_that_comes_later_is_a_tap():
    """Even the one that was judged last: it is refused, and recorded."""
    table = Table(PLAYED)
    table.parts.readers.resting = 0
    table.post(CAME, 1, "6S")
    assert table.parts.journal.lines[0].endswith("1 attack 6S ! T2") and table.light(1) == REFUSED


def test_t7_an_undo_goes_on_where_it_was():
    """The seat that was asked is asked still."""
    table = Table(PLAYED + ["4.25 2 undo"])
    assert "asks to undo" in " ".join(table.parts.glass.rows[1:3]) and table.light(1) == WAITED_FOR
    table.parts.buttons.presses.append(0)
    table.step()
    assert table.parts.journal.lines[0].endswith("1 agree")


def test_t8_the_clocks_go_on_where_they_were():
    """What a seat had used of its turn and its bank is used still, and no time has passed without power."""
    lines = PLAYED[:13] + ["40.0 1 attack 6S", "65.0 2 beat 7S 6S"]
    table = Table(lines, " clock=10 bank=60")
    turns = table.controller.turns
    # Anna took 39 s to attack, ten of them her turn's; then both were waited for, she to throw in.
    assert turns.left_ms[1] == 60_000 - 29_000 - 15_000 and turns.left_ms[2] == 60_000 - 15_000
    assert not turns.called
    table.step(10_000 + turns.left_ms[1] - 100)
    assert not turns.called
    table.step(200)
    assert turns.called == 1 and "time: seat 1" in table.parts.said


def test_t8_t7_an_undo_that_nobody_agreed_to_stops_the_clocks_for_ten_seconds():
    """As it did before the power went: what was thought behind that counts."""
    lines = PLAYED[:13] + ["40.0 1 attack 6S", "41.0 1 undo", "96.0 2 beat 7S 6S"]
    turns = Table(lines, " clock=10 bank=60").controller.turns
    # A second before it, and 45 behind its ten: ten of these are the turn's.
    assert turns.left_ms[2] == 60_000 - 36_000 and turns.left_ms[1] == 60_000 - 29_000 - 36_000 + 5_000


def test_t8_the_start_of_the_table_counts_for_no_seat():
    """The feed alone takes a while to say which table this is."""
    table = Table(PLAYED[:13] + ["40.0 1 attack 6S"], " clock=10")
    table.parts.name, table.parts.table = "club-north-2", table.controller
    table.parts.time.now_ms += 9_500
    table.parts.time.during(announce, table.parts, "power")
    table.step(600)
    assert not table.parts.said[-1].startswith("time:") and table.controller.display.now_ms == 40_600
    table.step(9_500)
    assert table.parts.said[-1].startswith("time:")


def test_t8_t13_a_repair_counts_for_no_seat_after_a_power_cut_either():
    """The record says how long it was, also one in which an undo was open; without a clock nothing does."""
    for options in (" clock=10 bank=60", ""):
        table = fake_table.Table("durak throw-in" + options)
        table.deal()
        table.parts.readers.faulty = 2  # of a place at which nobody sits: the game goes on
        for waits_ms, card, asks in ((15_000, "6S", False), (25_000, "7S", True), (5_000, "7H", False)):
            table.step(waits_ms)
            table.parts.readers.faulty = 18
            table.step()
            table.step(120_000)
            table.parts.readers.faulty = 2
            table.step()
            table.step(3_000)
            table.tap(5 if card == "7S" else 3, card)
            if asks:
                for key in (fake_table.MENU, fake_table.OK):
                    table.press(5, key)
        lines = table.parts.journal.lines[1:]
        assert len([line for line in lines if line.startswith("; waits ")]) == (6 if options else 0)
        flash = played(lines, Flash(), table.controller.header)
        resumed, _ = find(flash, table.controller.header)
        turns = Turns(Session(durak, resumed.header))
        replayed(flash, resumed, turns)
        there = table.controller.turns
        for seat in (1, 2):
            assert abs(turns.left_ms[seat] - there.left_ms[seat]) < 100, (options, turns.left_ms, there.left_ms)
            assert 0 < there.left_ms[seat] < 45_000 or not options


def test_t8_t13_a_press_of_the_time_of_a_repair_turns_no_clock_back():
    """Its line stands behind the comment that the game goes on, with the time at which it was made."""
    table = fake_table.Table("durak throw-in clock=1 bank=60")
    table.deal()
    table.tap(3, "6S")
    table.step(5_000)
    table.parts.readers.faulty = 18
    table.step()
    table.step(500)
    table.press(5, fake_table.NO)
    table.step(1_500)
    table.parts.readers.faulty = 2
    table.step()
    table.step(3_000)
    table.press(3, fake_table.NO)
    lines = table.parts.journal.lines[1:]
    over = lines.index(next(line for line in lines if line.startswith("; waits 0")))
    assert lines[over + 1].endswith(" 2 take")
    assert float(lines[over + 1].split()[0]) < int(lines[over].split()[-1]) / 1000
    flash = played(lines, Flash(), table.controller.header)
    resumed, _ = find(flash, table.controller.header)
    turns = Turns(Session(durak, resumed.header))
    replayed(flash, resumed, turns)
    for seat in (1, 2):
        assert abs(turns.left_ms[seat] - table.controller.turns.left_ms[seat]) < 100, (turns.left_ms, seat)


def test_t13_a_fault_that_comes_and_goes_for_days_makes_no_record_long():
    """Each time wrote two lines. Behind the last of them no time counts for a seat until the next event."""
    table = fake_table.Table("durak throw-in clock=10 bank=60")
    table.deal()
    lines = table.parts.journal.lines
    for card, is_repaired in (("6S", True), ("7S", True), ("7H", False)):
        before = len(lines)
        for _ in range(100):
            for faulty in (18, 2):
                table.parts.readers.faulty = faulty
                table.step(50)
        table.step(3_000)
        table.parts.readers.faulty = 2 if is_repaired else 18
        table.step(50)
        table.tap(5 if card == "7S" else 3, card)
        said = [line for line in lines[before:] if line.startswith("; waits ")]
        assert len(said) == MOST_WAITS + is_repaired, "the last one stands before the event"
        assert [line.split()[2] for line in said] == (["1", "0"] * MOST_WAITS)[:len(said)]
    assert lines[-1].startswith("; waits 1 at "), "nothing is judged until the repair"
    flash = played(lines[1:], Flash(), table.controller.header)
    resumed, _ = find(flash, table.controller.header)
    turns = Turns(Session(durak, resumed.header))
    replayed(flash, resumed, turns)
    there = table.controller.turns
    for seat in (1, 2):
        assert 0 < there.left_ms[seat] <= turns.left_ms[seat] <= there.left_ms[seat] + 12_000, "for the seat's good"


def test_t9_a_game_that_was_over_is_closed_some_time_later():
    """It has no result yet: an undo may still reopen it."""
    table = Table(PLAYED)
    table.controller.session.state.register[OUTCOME] = 3
    table.step(CLOSE_MS - 20)
    assert "result: draw" not in table.parts.journal.lines
    table.step(40)
    assert table.parts.journal.lines[-1] == "result: draw"


def test_pages_are_prepared_in_calm_moments_alone():
    """One at a time, not in a row."""
    table = Table(PLAYED)
    journal = table.parts.journal
    calm = [False]
    kept = durak.is_calm
    durak.is_calm = lambda state: calm[0]
    try:
        table.step(10 * RETRY_MS)
        prepared = journal.prepared
        calm[0] = True
        table.step()
        table.step()
        assert journal.prepared == prepared + 1
        table.step(RETRY_MS)
        assert journal.prepared == prepared + 2
    finally:
        durak.is_calm = kept


def test_a_finished_record_becomes_one_text_step_by_step():
    """A page a step; an error on the way ends it, and the table rests all the same."""
    for error, pages in ((None, 3), (OSError(28), 1), (ValueError("damaged"), 1)):
        table = Table(PLAYED)
        moved = []

        def put_away(moved=moved, error=error):
            for page in range(3):
                moved.append(page)
                yield
                if error:
                    raise error

        table.parts.journal.put_away = put_away
        table.controller.session.state.register[OUTCOME] = 3
        table.step(CLOSE_MS + 10)
        counts = [len(moved)]
        for _ in range(5):
            table.step()
            counts.append(len(moved))
        assert counts[0] < 2 and max(counts[at + 1] - counts[at] for at in range(5)) == 1, counts
        assert counts[-1] == pages and table.controller.rests(), (error, counts)


def test_no_write_stalls_the_table_unnoticed():
    """Counted, and the longest of them."""
    table = Table(PLAYED)
    real = table.parts.journal.flush

    took_ms = [0]

    def flush():
        table.parts.time.now_ms += took_ms[0]
        return real()

    table.parts.journal.flush = flush
    table.parts.readers.resting = 0
    stalls = table.controller.judging.stalls
    for took_ms[0], card in ((STALL_MS - 1, "6H"), (45, "8H"), (STALL_MS, "8S")):
        table.post(CAME, 1, card)
        table.post(LEFT, 1, card)
    assert table.controller.judging.stalls == stalls + 2 and table.controller.judging.worst_stall_ms == 45
    table.controller.session.state.register[OUTCOME] = 3
    took_ms[0] = 0
    table.step(CLOSE_MS + 10)
    assert "; flash: 2 stalls, at most 45 ms; 0 pages late, 0 faults" in table.parts.journal.lines
