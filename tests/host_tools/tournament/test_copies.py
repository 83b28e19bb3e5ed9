"""Backups of a tournament in SQLite and in PostgreSQL while others work, where its database goes away, and where its
password is refused."""

import contextlib
import sqlite3
import threading

import pytest
import sqlalchemy as sa

from host_tools.base.errors import UnusableInput
from host_tools.cli import run
from host_tools.club.keeping import Things, backup, restore
from host_tools.club.tournament import backup as copies
from host_tools.club.tournament import store
from host_tools.club.tournament.director import open_director
from host_tools.club.tournament.exported import make_files
from host_tools.club.tournament.intake import COUNTED, offer
from host_tools.club.tournament.rounds import seat_round
from host_tools.club.tournament.store import EVENTS, RECORDS, Store, hide_password
from tests.host_tools.tournament.made import NAMES, begin, play_round, records
from tests.host_tools.tournament.postgres import make_database
from tests.patience import PATIENCE_S, wait_for

AT_ONCE = 3  # directors that take records in


def look(path):
    """A backup's events, by number; its records, by seal. It holds each record that its log names, and no other."""
    director = open_director(str(path))
    events, seals = director.events, director.store.list_seals()
    director.close()
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert seals == sorted(event.data["seal"] for event in events if event.kind == "result")
    return events, seals


def test_every_receipt_from_before_is_in_a_backup_that_is_made_while_results_come_in(database, tmp_path):
    director = begin(database, [f"Player {at:02}" for at in range(48)], low=2, best=2, high=2)
    seat_round(director, "arbiter")
    waiting, given, begun = records(director), [], threading.Event()
    backed_up = threading.Event()

    def take_in():
        mine = open_director(database)
        for record in iter(take_one, None):
            if offer(mine, record, "test").status == COUNTED:
                given.append(mine.store.name)
                begun.set()
        mine.close()

    def take_one():
        if len(waiting) < 12:
            wait_for(backed_up.is_set, "a table", "the first backup")
        try:
            return waiting.pop()
        except IndexError:  # another took the last
            return None

    counts = []
    workers = [threading.Thread(target=take_in) for _ in range(AT_ONCE)]
    for worker in workers:
        worker.start()
    try:
        assert begun.wait(PATIENCE_S)
        while any(worker.is_alive() for worker in workers):
            before = len(given)
            path = tmp_path / f"{len(counts)}.zip"
            backup(Things(database=database), path)
            counts.append((before, path))
            backed_up.set()
    finally:
        backed_up.set()
        for worker in workers:
            worker.join()
    found = []
    for number, (before, path) in enumerate(counts):
        restore(path, Things(database=str(tmp_path / f"{number}.sqlite")))
        _, seals = look(tmp_path / f"{number}.sqlite")
        assert len(seals) >= before
        found.append(len(seals))
    assert found == sorted(found) and len(given) == 24 and found[0] < 24, "the first one was made in the middle"
    director.close()


def test_a_backup_is_of_one_moment(database, tmp_path, monkeypatch):
    """A record that comes between its two halves is in neither."""
    director = begin(database, NAMES[:4], low=2, best=2, high=2)
    seat_round(director, "arbiter")
    first, second = records(director)
    assert offer(director, first, "test").status == COUNTED
    real = copies.copy_table

    def copy(source, table, old, new):
        if table is RECORDS:
            assert offer(director, second, "test").status == COUNTED
        return real(source, table, old, new)

    monkeypatch.setattr(copies, "copy_table", copy)
    events, count = copies.backup(director.store, tmp_path / "x.sqlite")
    assert count == 1 and events == director.state.last - 1 and len(look(tmp_path / "x.sqlite")[1]) == 1
    director.close()


def test_it_comes_back_into_either_database_and_replaces_nothing(database, tmp_path, capsys, request):
    director = begin(database, NAMES[:8], low=2, best=2, high=2)
    play_round(director)
    path, other = tmp_path / "all.zip", begin(tmp_path / "other.sqlite", NAMES[:2], low=2, best=2, high=2)
    other.close()
    assert run(["backup", str(path), "--database", database]) == 0
    targets = [str(tmp_path / "new.sqlite")]
    if store.is_url(database):
        targets.append(make_database(request.getfixturevalue("postgres_server")))
    for target in targets:
        assert run(["restore", str(path), "--database", target]) == 0
        again = open_director(target)
        assert make_files(again) == make_files(director)
        again.close()
    for target in (*targets, database, str(tmp_path / "other.sqlite")):
        capsys.readouterr()
        assert run(["restore", str(path), "--database", target]) == 2
        assert "it has a tournament already" in capsys.readouterr().err
    assert len(open_director(str(tmp_path / "other.sqlite")).state.players) == 2
    director.close()


def test_rows_are_copied_some_at_a_time(database, monkeypatch):
    director = begin(database, NAMES[:10], low=2, best=2, high=2)
    play_round(director)
    monkeypatch.setattr(store, "BLOCK", 2)
    with director.store.moment() as connection:
        assert [len(rows) for rows in director.store.blocks(RECORDS, connection)] == [2, 2, 1]
    director.close()


def test_a_database_in_the_first_form_is_brought_up_to_date_and_kept(database, tmp_path):
    """Before the room of the network was written down (tests/upgrades has a file of that time)."""
    director = begin(database, NAMES[:8], low=2, best=2, high=2)
    play_round(director)
    rows, last = director.standings(), director.state.last
    with director.store.engine.begin() as connection:
        connection.execute(sa.text("DROP TABLE room"))
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
    director.close()
    backup(Things(database=database), tmp_path / "all.zip")
    restore(tmp_path / "all.zip", Things(database=str(tmp_path / "new.sqlite")))
    for name in (database, str(tmp_path / "new.sqlite")):
        again = open_director(name)
        assert (again.standings(), again.state.last) == (rows, last) and again.store.room() == {}
        again.close()


@pytest.fixture
def boss(postgres_server):
    """Who may end connections."""
    import psycopg

    with psycopg.connect(f"host={postgres_server} user=club dbname=postgres", autocommit=True) as connection:
        yield connection


def cut_behind_the_first_record(monkeypatch, boss):
    """Every connection to a database of a tournament ends there, once."""
    real, left = Store.blocks, [1]

    def blocks(self, table, connection):
        for rows in real(self, table, connection):
            yield rows
            if table is RECORDS and left:
                left.pop()
                boss.execute("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
                             " WHERE datname LIKE 'evening%'")

    monkeypatch.setattr(store, "BLOCK", 1)
    monkeypatch.setattr(Store, "blocks", blocks)


@pytest.mark.postgres
def test_a_database_that_goes_away_in_the_middle_leaves_no_backup(postgres_server, boss, tmp_path, capsys, monkeypatch):
    name = make_database(postgres_server)
    director = begin(name, NAMES[:4], low=2, best=2, high=2)
    play_round(director)
    cut_behind_the_first_record(monkeypatch, boss)
    assert run(["backup", str(tmp_path / "all.zip"), "--database", name]) == 2
    err = capsys.readouterr().err
    assert name in err and err.count("\n") == 1 and not list(tmp_path.iterdir())
    assert run(["backup", str(tmp_path / "all.zip"), "--database", name]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["all.zip"]
    director.close()


@pytest.mark.postgres
def test_a_database_that_goes_away_in_the_middle_of_a_restore_has_nothing(postgres_server, boss, tmp_path, capsys,
                                                                           monkeypatch):
    director = begin(tmp_path / "a.sqlite", NAMES[:4], low=2, best=2, high=2)
    play_round(director)
    backup(Things(database=str(tmp_path / "a.sqlite")), tmp_path / "all.zip")
    cut_behind_the_first_record(monkeypatch, boss)
    name = make_database(postgres_server)
    assert run(["restore", str(tmp_path / "all.zip"), "--database", name]) == 2
    err = capsys.readouterr().err
    assert name in err and err.count("\n") == 1
    empty = Store(name)
    with empty.engine.connect() as connection:
        assert [connection.execute(sa.select(sa.func.count()).select_from(table)).scalar()
                for table in (EVENTS, RECORDS)] == [0, 0]
    empty.close()
    assert run(["restore", str(tmp_path / "all.zip"), "--database", name]) == 0
    again = open_director(name)
    assert make_files(again) == make_files(director)
    again.close()
    director.close()


@pytest.mark.postgres
def test_a_password_that_is_refused_is_never_said(postgres_server, boss, tmp_path, capsys):
    """Neither one behind ?password=, nor the rest of one whose @ should have been %40."""
    name = make_database(postgres_server)
    director = begin(name, NAMES[:4])
    director.close()
    boss.execute("DROP ROLE IF EXISTS guarded")
    boss.execute("CREATE ROLE guarded SUPERUSER LOGIN PASSWORD 'right@one'")
    base = name.split("@")[1]
    backup(Things(database=f"postgresql://guarded:right%40one@{base}"), tmp_path / "all.zip")
    for number, url in enumerate((f"postgresql://guarded:wr0ng@{base}", f"postgresql://guarded@{base}&password=wr0ng",
                                  f"postgresql://guarded:right@wr0ng@{base}", f"postgresql://guarded@{base}")):
        for words in (["backup", str(tmp_path / f"{number}.zip")], ["restore", str(tmp_path / "all.zip")],
                      ["tournament", "standings"]):
            assert run([*words, "--database", url]) == 2
            err = capsys.readouterr().err
            assert err.count("\n") == 1 and "wr0ng" not in err and "right" not in err, err
            assert "password" in err
    assert [path.name for path in tmp_path.iterdir()] == ["all.zip"]
    boss.execute("DROP ROLE guarded")


@pytest.mark.parametrize(("name", "said"), [
    ("postgresql://club:secret@host/autumn", "postgresql://club:***@host/autumn"),
    ("postgresql://club:se@cret@host/autumn", "postgresql://club:***@host/autumn"),
    ("postgresql://club:se/c:ret@host/autumn", "postgresql://club:***@host/autumn"),
    ("postgresql://club@/a?host=/x&password=secret&port=1", "postgresql://club@/a?host=/x&password=***&port=1"),
    ("postgresql://club@/a?sslpassword=secret", "postgresql://club@/a?sslpassword=***"),
    ("postgresql://club@localhost:5432/a", "postgresql://club@localhost:5432/a"), ("autumn.sqlite", "autumn.sqlite"),
])  # fmt: skip
def test_what_a_sentence_says_of_a_database(name, said):
    assert hide_password(name) == said


def test_an_at_in_a_password_is_told(tmp_path):
    with pytest.raises(UnusableInput, match="written %40") as wrong:
        Store("postgresql://club:se@cret@host/autumn")
    assert "cret" not in str(wrong.value)


@pytest.mark.parametrize("name", ["what? 1.sqlite", "50%25.sqlite", "a#b.sqlite", "a&password=b.sqlite"])
def test_no_letter_of_a_files_name_is_a_urls(tmp_path, name):
    begin(tmp_path / name, NAMES[:4]).close()
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]
    open_director(str(tmp_path / name)).close()


def test_a_backup_of_an_older_cardtable_comes_back_and_stays_as_it_is(tmp_path):
    director = begin(tmp_path / "cup.sqlite", NAMES[:4])
    copies.backup(director.store, tmp_path / "old.sqlite")
    director.close()
    with contextlib.closing(sqlite3.connect(tmp_path / "old.sqlite")) as base:
        base.execute("DROP TABLE room")
        base.execute("UPDATE alembic_version SET version_num = '0001'")
        base.commit()
    before = (tmp_path / "old.sqlite").read_bytes()
    assert run(["tournament", "restore", str(tmp_path / "old.sqlite"), "--database", str(tmp_path / "new.sqlite")]) == 0
    assert (tmp_path / "old.sqlite").read_bytes() == before
    director = open_director(str(tmp_path / "new.sqlite"))
    assert list(director.state.players) == list(NAMES[:4])
    copies.restore(tmp_path / "new.sqlite", str(tmp_path / "third.sqlite"))  # while it is open
    director.act("arbiter", "player left", name=NAMES[0], reason="late", refund=False)
    director.close()
    for damaged in (b"no database", before[:5000]):
        (tmp_path / "old.sqlite").write_bytes(damaged)
        with pytest.raises(UnusableInput, match="old.sqlite: "):
            copies.restore(tmp_path / "old.sqlite", str(tmp_path / "no.sqlite"))
