"""Crashes and crowds: a director killed at any step, several at once, and a database that goes away lose nothing."""

import functools
import os
import random
import signal
import subprocess
import sys
import threading

import pytest
import sqlalchemy as sa

from host_tools.base.errors import UnusableInput
from host_tools.club.tournament import director as keeper
from host_tools.club.tournament.director import Director, open_director
from host_tools.club.tournament.intake import COUNTED, KNOWN, offer, orders
from host_tools.club.tournament.rounds import seat_round
from host_tools.club.tournament.standings import write_csv
from host_tools.club.tournament.store import Store
from tests.conftest import ROOT
from tests.host_tools.tournament.made import NAMES, begin, played, records
from tests.patience import PATIENCE_S

# Takes in what standard input names, and says each receipt: what was said is durable.
TAKER = """
import sys
from host_tools.base import on_host
on_host.prepare()
from pathlib import Path
from host_tools.club.tournament.director import open_director
from host_tools.club.tournament.intake import offer
director = open_director(sys.argv[1])
print("ready", flush=True)
for line in sys.stdin:
    print(offer(director, Path(line.strip()).read_bytes(), "taker").status, flush=True)
"""


class Crash(BaseException):
    """As if the power failed there."""


@pytest.fixture
def evening(database):
    director = begin(database, NAMES, games=1)
    seat_round(director, "arbiter")
    director.name = database
    yield director
    director.close()


def start_taker(database):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-c", TAKER, database], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            text=True, env=environment)


def test_a_killed_director_has_kept_every_receipt_it_gave(evening, tmp_path):
    """kill -9 behind each record: what was counted is known to the next one, and the rest counts then."""
    found = records(evening)[:2]
    paths = []
    for number, record in enumerate(found):
        paths.append(tmp_path / f"{number}.rec")
        paths[-1].write_bytes(record)
    said = []
    for number in range(len(paths)):
        taker = start_taker(evening.name)
        assert taker.stdout.readline() == "ready\n"
        # One answer is read; the next record is on its way when the director dies.
        taker.stdin.write("".join(f"{path}\n" for path in paths[number : number + 2]))
        taker.stdin.flush()
        said.append(taker.stdout.readline().strip())
        taker.send_signal(signal.SIGKILL)
        taker.communicate(timeout=PATIENCE_S)
    assert said[0] == COUNTED and set(said) <= {COUNTED, KNOWN}
    again = open_director(evening.name)
    assert len(again.state.results) == len(found)
    assert [offer(again, record, "x").status for record in found] == [KNOWN] * len(found)
    assert sorted(again.store.list_seals()) == sorted(result.seal for result in again.state.results.values())
    again.close()


def crash_at(owner, name, when, act):
    """Do it; the process dies before or after that function."""
    usual = getattr(owner, name)

    def crash(*facts, **more):
        if when == "after":
            usual(*facts, **more)
        raise Crash

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Crash):
        patch.setattr(owner, name, crash)
        act()


STEPS = [(owner, name, when) for owner, name in ((Store, "append"), (Store, "read"), (Director, "_take"))
         for when in ("before", "after")]  # of a change, before its commit


def test_a_crash_at_every_step_of_an_offer_loses_nothing_and_counts_nothing_twice(evening):
    """Before the commit nothing of it has happened, and afterwards all of it; no receipt was given in either case."""
    one, two, _ = orders(evening)
    before = evening.state.last
    for owner, name, when in STEPS:
        director = open_director(evening.name)
        director.state.the_plan()
        crash_at(owner, name, when, functools.partial(offer, director, played(one), "x"))
        assert director.state.last == evening.state.last == before, (name, when)
        director.close()
    assert [offer(evening, played(one), "x").status for _ in range(2)] == [COUNTED, KNOWN]
    crash_at(Director, "transact", "after", lambda: offer(evening, played(two), "x"))
    assert len(evening.state.results) == 2 and offer(evening, played(two), "x").status == KNOWN
    assert len([event for event in evening.events if event.kind == "result"]) == 2


def test_a_crash_while_a_round_is_seated_seats_nobody_or_everybody(database):
    """A round is in the log or nowhere, and who sits where is what the log says."""
    director = begin(database, NAMES, games=1)
    for owner, name, when in STEPS:
        crash_at(owner, name, when, lambda: seat_round(director, "arbiter"))
        assert director.state.round is None and orders(director) == [], (name, when)
    crash_at(Director, "transact", "after", lambda: seat_round(director, "arbiter"))
    again = open_director(database)
    assert again.state.round == director.state.round and len(again.state.rounds) == 1
    again.close()
    director.close()


def test_a_full_disk_seats_nobody(tmp_path):
    """The sentence comes, tables get no order, and the round is seated once there is room."""
    database = str(tmp_path / "a.sqlite")
    director = begin(database, [f"Player {at:03} of a large club" for at in range(200)])

    def leave_no_room(connection, _):
        count = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={count}")

    sa.event.listen(director.store.engine, "connect", leave_no_room)
    director.store.engine.dispose()
    with pytest.raises(UnusableInput, match="a.sqlite: database or disk is full"):
        seat_round(director, "arbiter")
    assert director.state.round is None and orders(director) == []
    roomy = open_director(database)
    assert roomy.state.round is None and seat_round(roomy, "arbiter") == director.state.round
    roomy.close()
    director.close()


def test_many_directors_at_once_count_each_record_once(evening):
    found = records(evening)
    receipts, troubles = [], []

    def work(seed):
        try:
            director = open_director(evening.name)
            mine = found * 2
            random.Random(seed).shuffle(mine)
            receipts.extend(offer(director, record, f"taker {seed}").status for record in mine)
            director.close()
        except BaseException as wrong:
            troubles.append(wrong)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), f"the test waited {PATIENCE_S:g} s for a director; {len(receipts)} receipts"
    assert not troubles and receipts.count(COUNTED) == len(found) and receipts.count(KNOWN) == 7 * len(found)
    assert len(evening.state.results) == len(found)


@pytest.mark.everything
def test_two_directors_share_a_tournament_and_one_is_killed_again_and_again(database, tmp_path):
    """Each record is offered to both: one goes on, the other is killed with an offer on its way, and started again."""
    director = begin(database, [f"Player {at:02}" for at in range(48)], low=2, best=2, high=2)
    seat_round(director, "arbiter")
    paths = []
    for number, record in enumerate(records(director)):
        paths.append(tmp_path / f"{number}.rec")
        paths[-1].write_bytes(record)
    steady, told, killed = start_taker(database), [], []
    assert steady.stdout.readline() == "ready\n"
    for at in range(0, len(paths), 3):
        other = start_taker(database)
        assert other.stdout.readline() == "ready\n"
        for path in paths[at : at + 3]:
            for one in (other, steady):
                one.stdin.write(f"{path}\n")
                one.stdin.flush()
        killed.append(other.stdout.readline())
        other.kill()  # with two offers on their way, or in the middle of one
        killed += other.stdout.readlines()
        other.wait()
        told += [steady.stdout.readline() for _ in paths[at : at + 3]]
    steady.stdin.close()
    assert steady.wait(PATIENCE_S) == 0
    assert len(paths) == 24 == len(told) and set(told) | set(killed) <= {f"{COUNTED}\n", f"{KNOWN}\n"}
    state = director.state
    assert not state.missing_keys(state.round) and not state.disputes
    assert sum(event.kind == "result" for event in director.events) == 24, "nothing lost, nothing twice"
    director.close()


def test_a_text_of_the_log_that_was_cut_off_is_no_event(tmp_path):
    """SQLite's own journal: a file whose last write was torn is as it was before it."""
    database = tmp_path / "x.sqlite"
    director = begin(database, NAMES[:4])
    seat_round(director, "arbiter")
    before = director.state.last
    offer(director, played(orders(director)[0]), "x")
    log = database.with_name(database.name + "-wal")
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(database.read_bytes())
    torn = log.read_bytes()
    copy.with_name(copy.name + "-wal").write_bytes(torn[: len(torn) - 2000])
    again = open_director(str(copy))
    assert again.state.last == before and not again.state.results
    again.close()
    director.close()


@pytest.mark.postgres
def test_both_databases_give_the_same_bytes(tmp_path, postgres_server, monkeypatch):
    """The same events in SQLite and in PostgreSQL: the same standings, and the same log. Records say when their
    tournament began, so both begin in the same second."""
    monkeypatch.setattr(keeper, "now", lambda: "2026-10-01T18:00:00Z")
    from tests.host_tools.tournament.postgres import make_database

    names = [str(tmp_path / "x.sqlite"), make_database(postgres_server)]
    found = []
    for name in names:
        director = begin(name, NAMES, rounds=1)
        seat_round(director, "arbiter")
        for record in records(director):
            offer(director, record, "x")
        director.close()
        again = open_director(name)
        log = [(event.number, event.who, event.kind, event.data) for event in again.events]
        found.append((write_csv(again.standings()), log))
        again.close()
    assert found[0] == found[1]


@pytest.mark.postgres
def test_a_database_that_goes_away_is_one_sentence_and_comes_back(postgres_server):
    import psycopg

    from tests.host_tools.tournament.postgres import make_database

    name = make_database(postgres_server)
    director = begin(name, NAMES[:4])
    seat_round(director, "arbiter")
    record = played(orders(director)[0])
    with psycopg.connect(f"host={postgres_server} user=club dbname=postgres", autocommit=True) as boss:
        boss.execute(f"ALTER DATABASE {name.split('/')[3].split('?')[0]} ALLOW_CONNECTIONS false")
        boss.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'evening%'")
        with pytest.raises(UnusableInput) as wrong:
            offer(director, record, "x")
        assert "\n" not in str(wrong.value)
        boss.execute(f"ALTER DATABASE {name.split('/')[3].split('?')[0]} ALLOW_CONNECTIONS true")
    assert offer(director, record, "x").status == COUNTED
    director.close()
