"""When the table shows an event and when it writes it: lights first, nothing before its line is on flash (T13), and no
moment moved by a press that shows nothing (D43, T11)."""

from cardtable.engine.state import OUTCOME
from cardtable.play import controller
from cardtable.play.controller import CLOSE_MS, MOST_PRESSES, PRESS_KEPT_MS
from cardtable.play.judge_and_write import LATE_MS, RETRY_MS, STEP_MS, WRITE_MS
from cardtable.play.repeats import QUIET_MS
from cardtable.table.lights import ACCEPTED, FAULT, REFUSED

from tests.app.fake_table import CALL, MENU, NO, OK, Table


def test_the_light_of_an_event_comes_before_its_line():
    """The feed may stand still: a computer that has opened it reads nothing."""
    table = Table()
    came = []
    lights = table.parts.lights
    lights.strip.show = lambda anyway=False: came.append(lights.means[2])
    table.controller.judging.feed.write = came.append
    table.come(3, "6S")
    table.press(3, NO)
    assert came.index(ACCEPTED) < came.index("0.01 1 draw ??")
    refusal = [line for line in came if isinstance(line, str)][1]
    assert " ! " in refusal and came.index(REFUSED) < came.index(refusal)


def test_t13_nothing_is_shown_before_the_line_is_on_flash():
    """No light, no screen, no feed, and the game stands where it stood; tried again twice a second."""
    table = Table()
    table.parts.journal.is_full = True
    table.come(3, "6S")
    table.come(5, "7S")
    table.press(5, OK)
    table.step(RETRY_MS - 40)
    assert table.light(3) == table.light(5) == FAULT and table.row(7) == "The memory is full"
    assert table.row(3) == "" and table.row(0) == "- 36: 0 0" and table.parts.said == ["fault: The memory is full"]
    table.parts.journal.is_full = False
    table.step(RETRY_MS)
    assert table.journal()[:2] == ["1 draw 6S", "2 draw 7S"] and table.row(7) == ""
    assert [line.partition(" ! ")[0] for line in table.journal()[2:]] == ["2 done"], "pressed behind the card"
    assert table.light(3) == ACCEPTED and table.light(5) == REFUSED
    assert table.parts.said[1:4] == ["0.01 1 draw ??", "fault: over", "0.99 2 draw ??"]


def test_t13_a_result_that_is_not_on_flash_is_not_told():
    """It is kept, and the game is closed once it is."""
    table = Table()
    table.deal()
    table.controller.session.state.register[OUTCOME] = 3
    table.parts.journal.is_full = True
    table.step(CLOSE_MS)
    table.step()
    assert "result: draw" not in table.parts.said and table.row(7) == "The memory is full"
    table.parts.journal.is_full = False
    table.step(RETRY_MS)
    assert table.parts.said[-2:] == ["result: draw", "fault: over"] and table.row(7) == "Game saved"


def test_d43_the_line_of_an_event_that_shows_nothing_waits():
    """T11: for a moment that comes whether there is a line or not, or for an event that is shown; no line is lost."""
    table = Table("durak throw-in cheating=2")
    table.deal()
    table.tap(3, "6S")
    table.step(LATE_MS)
    table.press(5, CALL)
    table.step(LATE_MS - 20)
    assert table.journal()[-1] == "1 attack 6S"
    table.step(10)
    assert table.journal()[-1] == "2 cheat"
    table.press(5, CALL)
    table.press(5, CALL)
    table.tap(5, "7S")
    assert table.journal()[-3:] == ["2 cheat ! D43", "1 more of: 2 cheat", "2 beat 7S 6S"]


def test_d43_presses_are_taken_once_a_sweep_and_before_a_card():
    """That step takes STEP_MS with or without a press, the others take as long as they take; other games know no
    sweeps."""
    waited = []
    for options, hides in (("", False), (" cheating=2", True)):
        table = Table("durak throw-in" + options)
        table.deal()
        table.tap(3, "6S")
        table.parts.time.wait = lambda clock, until_ms: waited.append(until_ms - clock.now())
        table.sweep()
        assert waited == ([STEP_MS] if hides else [])
        table.parts.buttons.presses.append(4 * (3 - 1) + MENU)
        table.step()
        assert table.controller.seats[0].is_choosing() != hides and len(waited) == hides
        table.sweep()
        assert table.controller.seats[0].is_choosing() and waited == ([STEP_MS, STEP_MS] if hides else [])
    table.parts.buttons.presses.append(4 * (5 - 1) + CALL)
    table.come(5, "7S")  # in the same sweep: what was pressed before it is judged before it
    assert table.journal()[-2:] == ["2 cheat", "2 beat 7S 6S"]


def test_t9_d43_nothing_is_shown_before_a_hidden_press_is_on_flash():
    """So a press may be lost with the power as long as nobody has seen what came after it, and no longer."""
    table = Table("durak throw-in cheating=2")
    table.deal()
    table.tap(3, "6S")
    shown = []
    lights = table.parts.lights
    lights.strip.show = lambda anyway=False: shown.append((lights.means[4], table.journal()[-1]))
    table.parts.journal.is_full = True
    table.press(5, CALL)
    table.come(5, "7S")
    assert ACCEPTED not in [meaning for meaning, _ in shown]
    table.parts.journal.is_full = False
    table.step(RETRY_MS)
    assert (ACCEPTED, "2 beat 7S 6S") in shown and table.journal()[-2:] == ["2 cheat", "2 beat 7S 6S"]


def wait_for_reader(table: Table, *acts) -> list:
    """Let reader 3 be silent while each of (ms, call) is done, so long after the one before; the lines that this
    brings."""
    before = len(table.parts.journal.lines)
    table.parts.readers.faulty = 1 << 2
    table.step()
    for ms, call in acts:
        table.step(ms)
        call()
    assert table.controller.waits_for_repair() and len(table.parts.journal.lines) == before
    table.parts.readers.faulty = 0
    table.step()
    return table.parts.journal.lines[before:]


def test_t13_a_press_while_the_game_waits_is_judged_when_it_goes_on():
    """At its own time, and before a card that came behind it; one that was made longer ago is not meant for now."""
    table = Table()
    table.deal()
    table.tap(3, "6S")
    table.step(1000)
    begun_ms = table.parts.time.now_ms
    lines = wait_for_reader(table, (500, lambda: table.press(5, OK)),
                            (PRESS_KEPT_MS - 300, lambda: table.press(5, NO)),
                            (200, lambda: table.come(3, "6H")), (100, lambda: table.press(3, CALL)))
    assert [line.split(" ", 1)[1].partition(" ! ")[0] for line in lines] == ["2 take", "1 attack 6H", "1 cheat"]
    assert lines[0].startswith("%.2f " % ((begun_ms + PRESS_KEPT_MS + 230) / 1000))
    assert not table.controller.presses


def test_t13_only_so_many_presses_are_kept():
    """Hammering on a button while the table waits fills no memory."""
    table = Table()
    table.deal()
    table.tap(3, "6S")
    hammer = [(10, lambda: table.press(5, MENU))] * (MOST_PRESSES + 5)
    assert wait_for_reader(table, *hammer, (0, lambda: None)) == [] and not table.controller.presses
    assert table.controller.seats[1].index == (MOST_PRESSES - 1) % len(table.controller.seats[1].choices)


def test_t13_d43_what_hidden_presses_were_made_while_the_game_waited_moves_no_moment():
    """To judge one takes a while: the step in which the game goes on is as long for none as for all that are kept."""
    shown = []
    for presses in range(4):
        table = Table("durak throw-in cheating=2")
        table.deal()
        table.tap(3, "6S")
        waited = []
        table.parts.time.wait = lambda clock, until_ms, waited=waited: waited.append(until_ms - clock.now())
        calls = [(0, lambda table=table: table.press(5, CALL))] * presses
        calls += [(0, table.sweep)] * (3 - presses)
        wait_for_reader(table, *calls, (10, lambda table=table: table.press(5, NO)))
        shown.append(waited)
        assert table.journal()[-1] == "2 take" and table.journal().count("2 cheat") == (presses > 0)
    assert shown[1:] == shown[:-1] and STEP_MS * MOST_PRESSES + WRITE_MS in shown[0], shown


def test_t13_d43_a_hidden_press_is_written_while_the_game_waits_for_a_repair():
    """People switch the table off to mend it."""
    table = Table("durak throw-in cheating=2")
    table.deal()
    table.tap(3, "6S")
    table.press(5, CALL)
    table.parts.readers.faulty = 1 << 2
    table.step(LATE_MS)
    assert table.controller.waits_for_repair() and table.journal()[-1] == "2 cheat"


def test_d43_the_moment_for_hidden_lines_waits_for_a_card_that_is_being_read():
    """Its 32 ms would come on top of the card's own; a card that is never believed holds it up no longer than that."""
    table = Table("durak throw-in cheating=2")
    table.deal()
    table.tap(3, "6S")
    table.step(LATE_MS)
    table.press(5, CALL)
    table.parts.readers.hurry = 1
    table.step(LATE_MS)
    assert table.journal()[-1] == "1 attack 6S"
    table.parts.readers.hurry = 0
    table.step()
    assert table.journal()[-1] == "2 cheat"
    table.press(5, CALL)
    table.parts.readers.hurry = 1
    table.step(2 * LATE_MS)
    assert table.journal()[-1] == "2 cheat ! D43"


def test_the_heap_is_tidied_up_behind_each_light_and_at_no_other_time():
    """So that a collection of garbage falls between no tap and its light; and a press that shows nothing brings none
    (D43)."""
    came = []
    kept, controller.tidy = controller.tidy, lambda: came.append("tidy")
    try:
        follow_tidying(came)
    finally:
        controller.tidy = kept


def follow_tidying(came):
    """A card, a refusal and a press that shows nothing."""
    table = Table("durak throw-in cheating=2")
    lights = table.parts.lights
    lights.strip.show = lambda anyway=False: came.append(lights.means[2])
    came.clear()
    table.come(3, "6S")
    assert came.count("tidy") == 1 and came.index(ACCEPTED) < came.index("tidy")
    table.leave(3, "6S")
    table.step(LATE_MS)
    came.clear()
    table.press(3, NO)
    assert came.count("tidy") == 1 and came.index(REFUSED) < came.index("tidy")
    table = Table("durak throw-in cheating=2")
    table.deal()
    table.tap(3, "6S")
    came.clear()
    table.press(5, CALL)
    table.step(LATE_MS)
    assert table.journal()[-1] == "2 cheat" and "tidy" not in came


def evening_of(presses):
    """(when the feed said a line, when each round ended, how long the record is) of a game in which seat 2 presses CALL
    after its refusals so often; writes and pages take their time."""
    table = Table("durak throw-in cheating=2")
    parts, journal = table.parts, table.parts.journal
    flush, pages, said = journal.flush, [0], []
    table.controller.judging.feed.write = lambda line: said.append(parts.time.now_ms)

    def wait(clock, until_ms):
        parts.time.now_ms += max(0, until_ms - clock.now())

    def flush_slowly():
        parts.time.now_ms += 5 + 2 * len(journal.kept) if journal.kept else 0
        return flush()

    def prepare():
        if pages[0] < 3 + len(journal.lines) // 16:
            pages[0] += 1
            parts.time.now_ms += 50

    parts.time.wait, journal.flush, journal.prepare = wait, flush_slowly, prepare
    table.deal()
    table.tap(3, "6S")
    ends = []
    for _ in range(15):
        table.tap(3, "7H")
        table.tap(5, "9S")
        for _ in range(presses):
            table.press(5, CALL)
        for _ in range(2 - presses):
            table.sweep()
        table.tap(3, "7H")
        table.tap(5, "9S")
        ends.append(parts.time.now_ms)
        table.step(1600)
    return said, ends, len(journal.lines)


def test_d43_t11_a_hidden_press_ends_no_repetition_and_its_page_takes_no_time():
    """T6: a refusal that is repeated behind it is still one, of its own seat and of others; no moment moves."""
    said, ends, count = evening_of(0)
    for presses in (1, 2):
        again = evening_of(presses)
        assert again[:2] == (said, ends) and again[2] > count


def test_t6_d43_a_hidden_repetition_ends_when_it_is_quiet():
    """T6: how often a hidden press was refused again comes to flash though nothing is accepted behind it."""
    table = Table("durak throw-in cheating=2")
    table.deal()
    table.tap(3, "6S")
    for _ in range(4):
        table.press(5, CALL)
    table.step(QUIET_MS)
    table.step(LATE_MS)
    table.step(LATE_MS)
    assert table.journal()[-2:] == ["2 cheat ! D43", "2 more of: 2 cheat"]


def test_a_game_that_hides_events_makes_its_pages_too():
    """In calm moments, one for so many events that are shown: three of them at once, for the spares."""
    table = Table("durak throw-in cheating=2")
    table.deal()
    for _ in range(9):
        table.step(RETRY_MS)
    assert table.parts.journal.prepared == 3
    for _ in range(6):
        table.tap(3, "7H")
        table.press(3, NO)
    for _ in range(9):
        table.step(RETRY_MS)
    assert table.parts.journal.prepared == 4


def test_the_bottom_line_is_written_where_it_changes():
    """A screen is slow: what stands there is not drawn again at each step."""
    table = Table()
    table.deal()
    drawn = []
    table.controller.display.screen.bottom = drawn.append
    for _ in range(20):
        table.step()
    assert drawn == []
    table.press(3, MENU)
    table.step()
    assert drawn == ["1 trump?"]
