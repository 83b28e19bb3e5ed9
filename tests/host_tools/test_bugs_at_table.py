"""A bug in the firmware, or a table that hangs, ends in a reset into the same game."""

import sys

import pytest

from cardtable.between.bugs import BUG_FILE, TRIES
from cardtable.engine.deck import card_number
from cardtable.play.controller import Controller
from cardtable.play.judge_and_write import Judging
from cardtable.play.feed import Feed
from host_tools import cli
from tests.conftest import ROOT
from tests.host_tools.at_table import BLUE, GREEN, SECOND, AtTable


SEVEN = card_number("7S")
RECORDS = ROOT / "tests" / "records"


class Bug:
    """An assertion that fails each time, or only once, in some method."""

    def __init__(self, monkeypatch, owner, name, when=lambda *arguments: True, act=None):
        self.times = 0
        real = getattr(owner, name)

        def wrong(this, *arguments):
            if when(this, *arguments):
                self.times += 1
                if act is not None:
                    act()
                raise AssertionError("the seven of spades was here")
            return real(this, *arguments)

        monkeypatch.setattr(owner, name, wrong)


def read_bug(table):
    """What was written down; read while the evening goes on, for its flash is gone afterwards."""
    return (table.flash / BUG_FILE).read_text()


def test_a_bug_ends_in_the_same_game(monkeypatch):
    """The event in hand was durable: it stands. Event and state are written down, and nothing secret is said."""
    is_due = [True]
    bug = Bug(monkeypatch, Feed, "accepted", lambda feed, event, shows: event.card == SEVEN and is_due and is_due.pop())
    table = AtTable()
    table.expects_bugs = True
    texts = []

    def evening():
        yield from table.tap(1, "6S")
        table.put(1, "7S")
        yield from table.until(lambda: "boot: reset" in table.says())
        table.take(1, "7S")
        texts.append(read_bug(table))
        yield from table.until(lambda: table.light(1) == table.light(2) == BLUE)
        yield 3 * SECOND  # what lies there as the power comes back is no tap
        yield from table.tap(2, "6H", [GREEN])

    table.play(evening())
    assert bug.times == 1 and table.events() == ["1 draw 6S", "1 draw 7S", "2 draw 6H"]
    said = " ".join(table.says())
    assert "bug: AssertionError" in table.says() and "resumed after: 1 draw" in table.says()
    assert "seven" not in said and "7S" not in said
    assert "boot: power" in texts[0] and " 1 draw 7S\n" in texts[0] and "\nstate: " in texts[0]
    assert "AssertionError: the seven of spades was here" in texts[0] and texts[0].endswith("tries: 1\n")


def test_a_bug_that_comes_again_and_again_stops_the_table(monkeypatch):
    """After so many resets the cause stands on the screen; the record is as it was."""
    bug = Bug(monkeypatch, Controller, "watch", lambda table, now_ms: table.judging.has_begun)
    table = AtTable()
    table.expects_bugs = True

    def evening():
        table.put(1, "6S")
        yield from table.until(lambda: "Same crash three" in " ".join(table.screen()), 20 * SECOND)
        yield 5 * SECOND

    table.play(evening())
    assert bug.times == TRIES and table.says().count("bug: AssertionError") == TRIES
    assert table.events() == ["1 draw 6S"]


def test_a_bug_before_there_is_a_game_is_written_down_and_counted_too(monkeypatch):
    """Else the table would reset for ever, without a word."""
    bug = Bug(monkeypatch, Controller, "__init__")
    table = AtTable()
    table.expects_bugs = True
    texts = []

    def evening():
        yield from table.until(lambda: "Same crash three" in " ".join(table.screen()), 20 * SECOND)
        texts.append(read_bug(table))
        yield 5 * SECOND

    table.play(evening())
    assert bug.times == TRIES and texts[0].endswith(f"tries: {TRIES}\n")


@pytest.mark.parametrize("hangs", [True, False])
def test_a_table_that_hangs_is_started_anew(monkeypatch, hangs):
    """The watchdog's reset is a boot reason of its own; what hung is not known, that it did is written down."""
    import time

    def hang():
        for _ in range(2000 if hangs else 100):
            time.sleep_ms(10)

    is_due = [True]
    armed = []
    Bug(monkeypatch, Judging, "note_stall", lambda table, since_ms: armed and is_due and is_due.pop(), hang)
    table = AtTable()
    table.expects_bugs = True
    texts = []

    def evening():
        yield from table.tap(1, "7S")
        armed.append(True)
        table.put(1, "6S")
        yield from table.until(lambda: "resumed after: " in " ".join(table.says()), 30 * SECOND)
        yield 3 * SECOND
        table.take(1, "6S")
        yield from table.tap(2, "6H", [GREEN])
        texts.append(read_bug(table))

    table.play(evening())
    assert ("boot: watchdog" in table.says()) == hangs == ("the table hung" in texts[0])
    assert table.events() == ["1 draw 7S", "1 draw 6S", "2 draw 6H"]


def crash():
    """What of a stack that overflows or a damaged heap is left: a reset that no program asked for."""
    port = sys.modules["machine"].port
    port.reset(sys.modules["machine"].HARD_RESET)


def test_a_crash_of_the_interpreter_is_told_from_a_reset_of_its_own(monkeypatch):
    """Both are HARD_RESET (ports/esp32/modmachine.c); a mark in RTC memory tells them apart."""
    is_due = []
    real = Controller.watch

    def watch(controller, now_ms):
        if is_due and is_due.pop():
            crash()
        real(controller, now_ms)

    monkeypatch.setattr(Controller, "watch", watch)
    table = AtTable()
    table.expects_bugs = True
    texts = []

    def evening():
        yield from table.tap(1, "7S")
        is_due.append(True)
        yield from table.until(lambda: "boot: crash" in table.says(), 30 * SECOND)
        yield 2 * SECOND
        yield from table.tap(1, "6S", [GREEN])
        texts.append(read_bug(table))

    table.play(evening())
    assert "the interpreter crashed" in texts[0] and "boot: crash" in texts[0] and texts[0].endswith("tries: 1\n")
    assert table.events() == ["1 draw 7S", "1 draw 6S"]


def test_a_crash_that_comes_again_and_again_stops_the_table(monkeypatch):
    """As a bug does: else it would restart for ever."""
    real = Controller.watch

    def watch(table, now_ms):
        if table.judging.has_begun:
            crash()
        real(table, now_ms)

    monkeypatch.setattr(Controller, "watch", watch)
    table = AtTable()
    table.expects_bugs = True
    texts = []

    def evening():
        table.put(1, "6S")
        yield from table.until(lambda: "Same crash three" in " ".join(table.screen()), 30 * SECOND)
        yield 5 * SECOND
        texts.append(read_bug(table))

    table.play(evening())
    assert "bugs: %d\n" % TRIES in texts[0] and "boot: crash" in table.says()  # a crash takes waiting lines with it
    assert table.events() == ["1 draw 6S"]


def test_a_bug_is_told_to_whoever_plays_a_record(monkeypatch, capsys):
    """With all that was written down; the exit code is that of a table that did otherwise."""
    is_due = [True]
    Bug(monkeypatch, Feed, "accepted", lambda feed, event, shows: event.card == SEVEN and is_due and is_due.pop())
    record = RECORDS / "durak" / "scenario-01_deal.rec"
    assert cli.run(["table", "--record", str(record), "--plain", "--runtime", "cpython"]) == 1
    out = capsys.readouterr().out
    assert "bug: AssertionError" in out and "the table stopped: " in out
