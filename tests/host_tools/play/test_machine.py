"""The machine of a live table: work that is posted, power that goes, and a disk that is full meanwhile."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from cardtable.engine.match import FROM
from host_tools.play import continued, seating
from host_tools.play import table as table_module
from host_tools.base.errors import UnusableInput
from host_tools.play.acts import Actor, NotAllowed
from host_tools.play.browser.table import SteppedTable
from host_tools.play.machine import FALLEN, RESTARTS, STAYS_OFF
from host_tools.play.seating import Seating, read_seats
from host_tools.play.start import Wishes, prepare
from host_tools.play.table import LiveTable
from host_tools.play.web.coming import free_seats, take_seat
from host_tools.sight.viewer import Viewer
from host_tools.virtual.device import DeviceError
from tests.conftest import ROOT


@pytest.fixture
def table(tmp_path):
    table = SteppedTable(tmp_path / "table", seed=1, library=tmp_path)
    table.machine.ahead_s = lambda: 0.0
    yield table
    table.close()


PEOPLE = [{"name": "Anna", "who": "here"}, {"name": "Boris", "who": "bot:beginner"}]
FULL = "it cannot be written down: No space left on device"
OTHERS = [{"name": name, "who": "here"} for name in ("Vera", "Gleb", "Dora")]
OVER = (ROOT / "tests/records/durak/game-0003.rec").read_bytes()
BEGINNINGS = {
    "start": {"do": "start", "game": "durak transfer", "seats": OTHERS, "give_up": True},
    "learn": {"do": "learn", "game": "durak", "give_up": True},
    "continue": {"do": "continue", "record": "over.rec", "line": 90, "seat": 2, "give_up": True},
}


def live(table, is_so):
    """Let the table live until that is so."""
    for _ in range(5000):
        if is_so():
            return
        table.machine.live()
    raise AssertionError(f"{table.phase}, {table.known.said[-5:]}")


def start(table, game="durak throw-in", seats=PEOPLE, **more):
    """The host begins a game."""
    Actor(table, "host", [1]).do({"do": "start", "game": game, "seats": seats, "dealer": len(seats), **more})


def power(table, on):
    Actor(table, "host", [1]).do({"do": "power", "on": on})


def cut(table):
    """The power goes, and is gone."""
    power(table, False)
    table.machine.live()
    assert table.phase == "off" and not table.machine._device.is_on


@pytest.fixture
def playing(table):
    """The table, once its first game is dealt."""
    table.start()
    live(table, lambda: table.phase == "lobby")
    start(table)
    live(table, lambda: table.phase == "play")
    return table


def test_a_game_is_under_way_while_the_board_has_no_power_and_while_it_starts(playing):
    """Without power another game was begun at once where the table lives in steps, and later where it has a thread."""
    seen, code = playing.follower.course.nonce, {"type": "join", "name": "Eve", "seat": 2}
    cut(playing)
    for phase in ("off", "start"):
        assert playing.phase == phase and playing.is_under_way and free_seats(playing) == []
        for act in ({"do": "start", "game": "durak", "seats": OTHERS}, {"do": "learn", "game": "durak"},
                    {"do": "continue", "record": "x.rec", "line": 1, "seat": 1}):
            with pytest.raises(NotAllowed, match="a game is under way"):
                Actor(playing, "host", [1]).do(act)
        with pytest.raises(NotAllowed, match="no seat is free"):
            take_seat(playing, "join", code)
        power(playing, True)
        live(playing, lambda: playing.phase != "off")
    live(playing, lambda: playing.phase == "play")
    assert playing.follower.course.nonce == seen and playing.seating.chairs[2].name == "Boris"
    assert [free_seats(playing), playing.seating.chairs[1].name] == [[], "Anna"]


def test_a_game_that_is_given_up_without_power_begins_at_once_and_once(playing):
    cut(playing)
    start(playing, "durak transfer", OTHERS, give_up=True)
    power(playing, True)  # at the same moment: the wish slept, and ended that game when the power was cut again
    playing.machine.live()
    live(playing, lambda: playing.phase == "play")
    seen = playing.follower.course.nonce
    assert playing.header.seats == ["Vera", "Gleb", "Dora"]
    cut(playing)
    power(playing, True)
    live(playing, lambda: playing.phase == "play")
    assert playing.follower.course.nonce == seen


@pytest.mark.parametrize("do", ["tap", "lay"])
def test_t4_a_click_on_the_stock_plays_no_card_of_it_where_hands_are_counted(table, do):
    """Its top card was played as one of the hand's, and stood."""
    table.start()
    live(table, lambda: table.phase == "lobby")
    start(table, "durak throw-in deal=counted", [{"name": name, "who": "here"} for name in ("Anna", "Boris")])
    live(table, lambda: table.phase == "play")
    for seat in (1, 2):
        with pytest.raises(NotAllowed, match="you cannot take from there"):
            Actor(table, "host", [1, 2]).do({"do": do, "seat": seat, "pile": "stock"})
    assert not any(hands.has_work for hands in table.hands.values())


def test_the_switch_of_the_screens_language_shows_that_of_the_screen(table):
    """It showed the language of the host's browser."""
    told = Viewer(replace(table.scene(), language="ru"), "host", [1]).tell_table()
    assert (told["language"], told["screen_language"]) == ("ru", "en")
    table.speak("ru")
    assert Viewer(replace(table.scene(), language="en"), "host", [1]).tell_table()["screen_language"] == "ru"


def test_two_wishes_at_one_moment_are_both_granted(playing):
    start(playing, "durak transfer", OTHERS, give_up=True)
    Actor(playing, "host", [1]).do({"do": "language", "language": "ru"})
    live(playing, lambda: playing.phase == "play")
    assert playing.header.seats[0] == "Vera" and (playing.flash / "language.txt").read_text() == "ru\n"


def test_a_language_that_cannot_be_written_down_is_not_spoken(playing, monkeypatch):
    """The pages said one, and the screen showed the other."""
    def fail(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(table_module, "write_file", fail)
    with pytest.raises(OSError, match="No space"):
        Actor(playing, "host", [1]).do({"do": "language", "language": "ru"})
    assert (playing.language, playing.known.feed.language, playing.machine.has_power) == ("en", "en", True)
    monkeypatch.undo()
    Actor(playing, "host", [1]).do({"do": "language", "language": "ru"})
    live(playing, lambda: playing.phase == "play")
    assert (playing.language, (playing.flash / "language.txt").read_text()) == ("ru", "ru\n")


def test_a_thread_without_power_grants_a_wish(tmp_path):
    class Board:
        """Without power."""

        def power_off(self):
            """It is off."""

    table, done = LiveTable(tmp_path), []
    machine = table.machine
    machine._device, machine.has_power = Board(), False
    machine.post(lambda: machine.restart(lambda: done.append(1)))
    machine.post(machine._close)
    machine._run()
    assert done == [1] and machine.has_power


def test_a_full_disk_costs_the_wish_and_not_the_table(playing):
    """The table's thread died, and answered nobody any more."""
    half = playing.folder / "next.txt.tmp"
    half.symlink_to("/dev/full")
    seen = playing.follower.course.nonce
    start(playing, "durak transfer", OTHERS, give_up=True)
    live(playing, lambda: playing.phase == "play")
    assert playing.follower.course.nonce == seen and playing.known.notice == FULL and not playing.bugs.count
    half.unlink()
    start(playing, "durak transfer", OTHERS, give_up=True)
    live(playing, lambda: playing.phase == "play" and playing.follower.course.nonce != seen)
    assert playing.known.notice == ""


def test_the_game_stays_where_a_full_disk_takes_no_other_beginning(playing, tmp_path, monkeypatch):
    """It was put away before that was tried, and half of the other one lay on the flash."""
    (tmp_path / "over.rec").write_bytes(OVER)
    act = BEGINNINGS["continue"]
    seen, before = playing.follower.course.nonce, people_of(playing)
    monkeypatch.setattr(continued, "Journal", lambda folder: SimpleNamespace(write=lambda line: False))
    Actor(playing, "host", [1]).do(act)
    live(playing, lambda: playing.phase == "play")
    assert playing.follower.course.nonce == seen and not playing.bugs.count
    assert playing.known.notice == FULL and people_of(playing) == before
    monkeypatch.undo()
    Actor(playing, "host", [1]).do(act)
    live(playing, lambda: playing.phase == "play" and playing.follower.course.nonce != seen)
    assert FROM in dict(playing.header.keys) and not (playing.folder / continued.ASIDE).exists()
    assert playing.known.notice == ""


def people_of(table):
    """Who plays, as the table has it and as the next process will."""
    there, kept = ({seat: dict(vars(chair)) for seat, chair in one.chairs.items()}
                   for one in (table.seating, Seating(table.folder)))
    assert there == kept
    return kept


@pytest.mark.parametrize(("do", "name"), [*((do, "seating.json.tmp") for do in BEGINNINGS), ("start", "next.txt.tmp"),
                                          ("learn", "next.txt.tmp")])
def test_the_people_of_a_game_stay_where_a_full_disk_takes_no_other(playing, tmp_path, do, name):
    """Those of the other game sat down first: links were dead, and a person's hand was a virtual player's."""
    (tmp_path / "over.rec").write_bytes(OVER)
    before, seen = people_of(playing), playing.follower.course.nonce
    (playing.folder / name).symlink_to("/dev/full")
    Actor(playing, "host", [1]).do(BEGINNINGS[do])
    live(playing, lambda: playing.phase == "play")
    assert playing.follower.course.nonce == seen and people_of(playing) == before
    assert playing.lesson is None and playing.known.notice == FULL
    (playing.folder / name).unlink()
    Actor(playing, "host", [1]).do(BEGINNINGS[do])
    live(playing, lambda: playing.phase != "off" and playing.follower.course and playing.follower.course.nonce != seen)
    assert people_of(playing) != before and (playing.lesson is None) == (do != "learn")


def test_a_game_that_is_refused_at_the_start_leaves_the_people_of_the_other(playing):
    """`cardtable play --game` beside a game that goes on was refused, and had seated its own people."""
    before = people_of(playing)
    for wishes in (Wishes(game="durak", seats=read_seats("Vera,Gleb", "en")), Wishes(learn="durak")):
        with pytest.raises(UnusableInput, match="a game is under way"):
            prepare(playing, wishes)
    assert people_of(playing) == before
    prepare(playing, Wishes(seats=read_seats("Vera,bot", "en")))
    assert people_of(playing)[1]["name"] == "Vera"


def test_who_cannot_be_written_down_does_not_sit(tmp_path, monkeypatch):
    """The pages said another thing than the file. That somebody is here is so all the same."""
    def fail(path, content, mode):
        raise OSError(28, "No space left on device")

    made = Seating(tmp_path)
    made.sit(2, "phone", "Boris")
    chairs, common = {seat: replace(chair) for seat, chair in made.chairs.items()}, made.common
    monkeypatch.setattr(seating, "write_file", fail)
    for act in (lambda: made.sit(2, "bot:beginner"), lambda: made.take(2, "Eve"), made.renew_common,
                lambda: made.stand_in(2, True), lambda: made.write_aside([("Vera", "here")])):
        with pytest.raises(OSError, match="No space"):
            act()
    assert (made.chairs, made.common) == (chairs, common) and Seating(tmp_path).chairs == chairs
    made.note_came({2})
    assert made.chairs[2].came and not Seating(tmp_path).chairs[2].came


def test_a_bug_costs_the_wish_and_not_the_table(playing, capsys):
    playing.machine.restart(lambda: 1 // 0)
    live(playing, lambda: playing.phase == "play")
    assert playing.bugs.count == 1 and playing.known.notice == "this did not work: it is bug 1 of this server"
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_bug_of_ours_while_the_device_runs_costs_a_start_and_not_the_table(tmp_path, capsys):
    """The table's thread ended, and its process stayed."""
    class Board:
        """Ours fails in it."""

        is_on, told = False, []

        def run(self, until):
            """Three times."""
            self.is_on = True
            if len(self.told) == RESTARTS - 1:
                machine.post(machine._close)
            raise ValueError("a bug of ours")

        def power_off(self):
            """It is off."""
            if self.is_on:
                self.told.append(table.known.notice)
            self.is_on = False

    table = LiveTable(tmp_path)
    machine = table.machine
    machine._device = Board()
    machine._run()
    bug = "this did not work: it is bug %d of this server"
    assert machine._device.told == ["", bug % 1, bug % 2] and table.known.notice == bug % 3 and not machine.has_power
    assert "ValueError" in capsys.readouterr().err


def test_a_table_that_falls_again_and_again_says_that_it_is_off(playing):
    for seen in (FALLEN, FALLEN, STAYS_OFF):
        playing.machine._note_fall(DeviceError("it fell"))
        assert playing.known.notice == seen
    told = Viewer(replace(playing.scene(), language="ru"), "host", [1]).tell_notice()
    assert told == "прошивка остановилась три раза подряд, поэтому стол выключен" and not playing.machine.has_power


def test_what_comes_while_work_is_done_waits_for_the_device(table):
    """Acts that came faster than they were refused kept the device from running."""
    done = []

    def work():
        done.append(1)
        if len(done) < 10:
            table.post(work)

    table.post(work)
    table.post(lambda: done.append(2))
    table.machine._drain()
    assert done == [1, 2]
    table.machine._drain()
    assert done == [1, 2, 1]
