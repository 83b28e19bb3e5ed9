"""Copies a whole tournament into another database and back: log and records, whatever the databases are."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from host_tools.base.errors import UnusableInput
from host_tools.base.files import written
from host_tools.club.tournament.state import fold, reading
from host_tools.club.tournament.store import EVENTS, RECORDS, Store


def backup(store: Store, target: Path) -> tuple[int, int]:
    """Write a SQLite file with everything, whole or not at all; how many events and records. UnusableInput."""
    if target.exists():
        raise UnusableInput(f"{target}: it is there already, and a backup replaces nothing")
    with written(target) as half:
        try:
            return copy(store, str(half), told=str(target))
        finally:
            for suffix in ("-wal", "-shm"):
                half.with_name(half.name + suffix).unlink(missing_ok=True)


def restore(source: Path, target: str) -> tuple[int, int]:
    """Bring a backup into an empty database; how many events and records. It stays as it is, also one of an older
    cardtable, whose tables are brought to their newest form in a copy. UnusableInput."""
    with tempfile.TemporaryDirectory(prefix="cardtable-") as passing:
        fresh = Path(passing) / "copy.sqlite"
        read_into(source, fresh)
        return bring(fresh, target, str(source))


def bring(source: Path, target: str, told: str) -> tuple[int, int]:
    """The same of a copy of our own, of that file. UnusableInput."""
    store = Store(str(source), told=told)
    try:
        return copy(store, target)
    finally:
        store.close()


def read_into(source: Path, target: Path) -> None:
    """Copy a SQLite file, also one in a folder that nobody may write. UnusableInput."""
    is_alone = not source.with_name(source.name + "-wal").exists()  # nobody else has it open
    name = f"{source.absolute().as_uri()}?mode=ro{'&immutable=1' * is_alone}"
    try:
        with closing(sqlite3.connect(name, uri=True)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
    except sqlite3.Error as wrong:
        raise UnusableInput(f"{source}: {wrong}") from wrong


def copy(source: Store, target: str, told: str = "") -> tuple[int, int]:
    """Everything, into a database that has no tournament: all of it, or none. told: its name to people.
    UnusableInput."""
    with source.moment() as old:
        with reading(source.name):
            fold(source.read(connection=old))  # what cannot be folded is no tournament
        made = Store(target, is_new=True, told=told)
        try:
            with made.writing() as new:
                if new.execute(sa.select(sa.func.count()).select_from(EVENTS)).scalar():
                    raise UnusableInput(f"{made.name}: it has a tournament already")
                counts = [copy_table(source, table, old, new) for table in (EVENTS, RECORDS)]
            if made.engine.dialect.name == "sqlite":
                with made.said(), made.engine.connect() as connection:
                    connection.exec_driver_sql("COMMIT")
                    connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
                    connection.exec_driver_sql("BEGIN")
        finally:
            made.close()
    return counts[0], counts[1]


def copy_table(source: Store, table: sa.Table, old: Connection, new: Connection) -> int:
    """How many rows."""
    count = 0
    for rows in source.blocks(table, old):
        new.execute(sa.insert(table), rows)
        count += len(rows)
    return count
