"""A bug is written down, the last one alone, and the same one again and again stops the table."""

import os
import sys

from cardtable.between import bugs
from cardtable.engine.reading import read_header
from cardtable.engine.setup import SetupError
from cardtable.table.words import Words

from tests.app.test_resume import HEADER, reference
from tests.app.test_resume import LINES as PLAYED

FOLDER = "build/bugs-" + sys.implementation.name  # both may run at once


class Judging:
    """What of its judging is."""

    def __init__(self):
        from cardtable.engine.event import Event

        self.event = Event(1, 2)


class Table:
    """What of a controller is looked at."""

    def __init__(self, lines):
        self.header = read_header(iter(HEADER))[0]
        self.session = reference(lines)
        self.judging = Judging()


def in_a_folder(play):
    """Call it where the two files are written."""
    kept = os.getcwd()
    for name in ("build", FOLDER):
        try:
            os.mkdir(name)
        except OSError:
            pass
    os.chdir(FOLDER)
    try:
        for name in os.listdir("."):
            os.remove(name)
        return play()
    finally:
        os.chdir(kept)


def raised(text):
    """An exception that has been raised."""
    try:
        raise ValueError(text)
    except ValueError as bug:
        return bug


def gives_up(boot):
    """Whether the table does not begin."""
    try:
        bugs.check_loop(boot, Words("table", "en"))
    except SetupError as cause:
        assert str(cause) == "Same crash three times. See bug.txt"
        return True
    return False


def test_a_bug_is_written_down_with_event_and_state():
    """And where it came from."""

    def play():
        table = Table(PLAYED)
        assert bugs.write_down("power", table, raised("of a kind")) == 1
        return table, open(bugs.BUG_FILE).read(), os.listdir(".")

    table, text, names = in_a_folder(play)
    lines = text.split("\n")
    assert lines[:4] == ["bugs: 1", "boot: power", "game: durak throw-in", "event: 0.0 1 undo"]
    assert "state: " + table.session.state.save().hex() in lines and "ValueError: of a kind" in lines
    assert lines[-2:] == ["tries: 1", ""] and names == [bugs.BUG_FILE]


def test_the_same_bug_three_times_in_a_row_stops_the_table():
    """Until somebody switches it off and on."""

    def play():
        table = Table(PLAYED)
        for boot, tries in (("power", 1), ("reset", 2), ("reset", 3)):
            assert not gives_up(boot)
            assert bugs.write_down(boot, table, raised("again")) == tries
        assert gives_up("reset") and gives_up("watchdog") and not gives_up("power")
        assert bugs.write_down("power", table, raised("again")) == 1
        assert not gives_up("reset")
        return open(bugs.BUG_FILE).read()

    assert in_a_folder(play).startswith("bugs: 4\n")


def test_another_bug_or_a_game_that_has_gone_on_counts_anew():
    """Only what brings nobody further is a loop."""

    def play():
        assert bugs.write_down("power", Table(PLAYED), raised("one")) == 1
        assert bugs.write_down("reset", Table(PLAYED), raised("two")) == 1
        assert bugs.write_down("reset", Table(PLAYED), raised("two")) == 2
        assert bugs.write_down("reset", Table(PLAYED[:5]), raised("two")) == 1
        assert bugs.write_down("reset", None, raised("two")) == 1
        assert bugs.write_down("watchdog", None, "the table hung") == 1
        assert bugs.write_down("watchdog", None, "the table hung") == 2

    in_a_folder(play)


def test_without_a_file_there_was_no_bug():
    """Nor with one that is something else."""

    def play():
        assert not gives_up("reset")
        with open(bugs.BUG_FILE, "w") as file:
            file.write("tries: many\n")
        assert not gives_up("reset") and bugs.write_down("reset", None, "x") == 1

    in_a_folder(play)
