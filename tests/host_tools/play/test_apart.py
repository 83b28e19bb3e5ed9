"""Dear thoughts of a table whose process runs the source: once a build has ended another process makes them."""

import multiprocessing
import os
import signal

import pytest

from cardtable.games import durak
from host_tools.base.fast import sources
from host_tools.base.workers import aside
from host_tools.minds.arena.plan import header_of
from host_tools.minds.hints.told import pack_seen
from host_tools.minds.players import find_player
from host_tools.minds.players.match import Match
from host_tools.play import apart
from host_tools.play.apart import Apart
from host_tools.play.browser.table import SteppedTable
from host_tools.play.start import Wishes, prepare, set_up
from tests.patience import PATIENCE_S, wait_for

NAME = "search:4"
SEATS = [("Ann", f"bot:{NAME}"), ("Bob", f"bot:{NAME}")]
IS_BUILT = sources.find_compiled() is not None  # without a compiler another process finds nothing compiled


@pytest.fixture
def done(tmp_path, monkeypatch):
    """This process as one that has loaded the source while its build goes on: the file that will be written last."""
    stamp = sources.make_stamp()
    folder = tmp_path / "fast" / stamp
    folder.mkdir(parents=True)
    monkeypatch.setattr(sources, "COMPILED", folder.parent)
    monkeypatch.setattr(sources, "_lacked", [stamp])
    return folder / sources.DONE


@pytest.fixture
def thinking():
    thinking = Apart()
    yield thinking
    thinking.close()


def begin(thinking):
    """It begins, and is up where there is something to be up for."""
    thinking.begin()
    if thinking._begun is not None:
        thinking._begun.exception(PATIENCE_S)
    return thinking.is_up


def play(table, setup=""):
    """A game at the table until its virtual players have thought; the game's name of its own."""
    before = table.follower.course
    if setup:
        table.machine.post(lambda: table.begin(setup))
    wait_live(table, lambda: table.follower.course not in (None, before) and table.phase == "play")
    wait_live(table, lambda: any(hands.player is not None and hands.player.asked for hands in table.hands.values())
              or table.apart._begun is not None)


def wait_live(table, is_so):
    for _ in range(20_000):
        if is_so():
            return
        table.machine.live()
    raise AssertionError(f"{table.phase}, {table.known.said[-5:]}")


@pytest.fixture
def table(tmp_path):
    table = SteppedTable(tmp_path / "table", seed=3, library=tmp_path / "games")
    table.machine.ahead_s = lambda: 0.0
    prepare(table, Wishes(game="durak throw-in", seats=SEATS))
    table.start()
    yield table
    table.close()
    assert table.apart._pool is None and not table.bugs.count


def test_a_running_tables_second_game_is_thought_over_by_the_compiled_engine(table, done):
    play(table)
    done.write_text(done.parent.name)  # the build ends in the middle of the first game
    wait_live(table, lambda: table.answers(1) + table.answers(2) > 20)
    assert table.apart._pool is None  # and the first game keeps what it has
    play(table, set_up(Wishes(game="durak throw-in"), SEATS, len(table.hands)))
    assert table.apart._begun.result(PATIENCE_S) is IS_BUILT
    asked, ask = [], table.apart._ask
    table.apart._ask = lambda *facts: asked.append(facts[1]) or ask(*facts)
    before = table.answers(1) + table.answers(2)
    wait_live(table, lambda: table.answers(1) + table.answers(2) > before + 4)
    assert (apart.think in asked) is IS_BUILT and (table.apart._pool is not None) is IS_BUILT


@pytest.mark.parametrize("left", [None, "", "another stamp"])
def test_a_build_that_was_cut_leaves_all_as_it_is(table, done, left):
    if left is not None:
        done.write_text(left)
    play(table)
    play(table, set_up(Wishes(game="durak throw-in"), SEATS, len(table.hands)))
    assert table.apart._pool is None and not table.apart.is_up


def views(count):
    """What the players of a game have seen, and what each answered."""
    found = []
    match = Match(durak, header_of("durak throw-in", 2, 5), [find_player(NAME)] * 2, 7)
    match.watch = lambda seen, choice: found.append((match.players[seen.seat - 1], seen, choice))
    while len(found) < count and match.step():
        pass
    return found


def test_the_same_is_chosen_there(done, thinking):
    done.write_text(done.parent.name)
    assert begin(thinking) is IS_BUILT
    told = views(60)
    assert len({choice for _, _, choice in told}) > 5
    for player, seen, choice in told:
        assert thinking.choose(player, NAME, "a game", seen) == choice


def test_each_game_and_each_player_is_another_there(monkeypatch):
    """One that went on with another game, or under another name, would remember what it has not seen."""
    monkeypatch.setattr(apart, "_players", {})
    player, seen, _ = views(1)[0]
    made = []
    for name, nonce in ((NAME, "one"), (NAME, "one"), (NAME, "two"), ("search:8", "two")):
        apart.think((name, nonce, player.seed, "durak throw-in"), pack_seen(seen))
        made.append(apart._players[seen.seat][1])
    assert made[0] is made[1] and len(set(map(id, made))) == 3
    assert [one.name for one in made[2:]] == [NAME, "search:8"] and {one.line for one in made} == {"durak throw-in"}


def find_source():
    """In a process that finds no build of its sources: they have changed since."""
    return False


def test_a_process_that_runs_a_source_too_is_ended(done, thinking, monkeypatch):
    monkeypatch.setattr(apart, "load", find_source)
    done.write_text(done.parent.name)
    assert not begin(thinking) and thinking._pool is None


def test_a_thought_is_not_lost_with_its_process_and_the_next_game_has_another(done, thinking):
    done.write_text(done.parent.name)
    if not begin(thinking):
        return  # nothing is compiled here
    pid = thinking.do(os.getpid)
    assert pid != os.getpid()
    assert thinking.do(end_there) == "here"
    assert thinking._pool is None and thinking.do(os.getpid) == os.getpid()
    assert begin(thinking) and thinking.do(os.getpid) not in (pid, os.getpid())
    [process] = thinking._pool._processes.values()
    thinking.close()
    wait_for(lambda: not process.is_alive(), "the test", "the process's end")


def end_there():
    """Ends any other process."""
    if multiprocessing.parent_process() is not None:
        os.kill(os.getpid(), signal.SIGKILL)
    return "here"


def hang_there():
    """Comes back in this process alone."""
    if multiprocessing.parent_process() is not None:
        signal.pause()
    return "here"


def test_a_thought_without_an_end_is_made_here(done, thinking, monkeypatch):
    """The process that hangs is ended, and the table stands still for LATE_S at most."""
    monkeypatch.setattr(apart, "LATE_S", 0.05)
    done.write_text(done.parent.name)
    begin(thinking)
    assert thinking.do(hang_there) == "here" and thinking._pool is None


@pytest.mark.parametrize("wrong", [OSError(12, "Cannot allocate memory"), RuntimeError("can't start new thread"),
                                   NotImplementedError("this system has no semaphores")], ids=repr)
def test_where_no_process_can_be_had_the_table_thinks_on(wrong, done, thinking, monkeypatch):
    def refuse(begin):
        raise wrong

    monkeypatch.setattr(aside, "Process", refuse)
    done.write_text(done.parent.name)
    assert not begin(thinking) and thinking.do(os.getpid) == os.getpid()


def test_who_plays_nothing_out_starts_no_process(table, done):
    done.write_text(done.parent.name)
    for seat in (1, 2):
        table.seating.sit(seat, "bot:beginner")
    wait_live(table, lambda: table.phase == "play" and table.answers(1) + table.answers(2) > 14)
    assert table.apart._pool is None
