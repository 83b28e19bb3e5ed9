"""Keeps the log of a tournament in a database: one SQLite file, or PostgreSQL by its URL; the same tests run on both.

Events are only ever appended, each number once, in one order for all processes: who writes holds the log's lock from
the look at its end to the commit. A commit is on the disk when it returns.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from host_tools.base.errors import UnusableInput
from host_tools.base.foreign import shorten
from host_tools.club.tournament.state import Event, reading

MIGRATIONS = Path(__file__).parent / "migrations"
DAMAGED = "the database is damaged: bring a backup"
BLOCK = 500  # rows that are copied together
BUSY_S = 60  # how long a process waits for another one that writes
_TABLES = sa.MetaData()
EVENTS = sa.Table(
    "events", _TABLES,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Text), sa.Column("who", sa.Text), sa.Column("kind", sa.Text), sa.Column("data", sa.Text),
)  # fmt: skip
RECORDS = sa.Table(
    "records", _TABLES,
    sa.Column("seal", sa.Text, primary_key=True),
    sa.Column("at", sa.Text), sa.Column("source", sa.Text), sa.Column("content", sa.LargeBinary),
)  # fmt: skip
ROOM = sa.Table(
    "room", _TABLES,
    sa.Column("name", sa.Text, primary_key=True), sa.Column("at", sa.Text), sa.Column("said", sa.Text),
)  # fmt: skip


class Store:
    """The log and the records of one database."""

    def __init__(self, name: str, is_new: bool = False, told: str = "") -> None:
        """name: a SQLite file's path, or a database's URL; told: of what file it is a copy. UnusableInput, also where
        nothing is there and it is not to be made."""
        self.name = told or hide_password(name)
        self.engine = connect(name, is_new)
        with self.said(), self.engine.connect() as connection:
            migrate(connection, is_new, self.name)
            if connection.dialect.name == "sqlite":
                found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
                if found != "ok":
                    raise UnusableInput(f"{self.name}: {DAMAGED} ({shorten(str(found), 100)})")

    @contextlib.contextmanager
    def said(self) -> Iterator[None]:
        """What the database complains about is one sentence."""
        try:
            yield
        except DBAPIError as wrong:
            cause = str(wrong.orig).strip().split("\n")[0] or type(wrong).__name__
            raise UnusableInput(f"{self.name}: {shorten(cause, 200)}") from wrong
        except UnicodeDecodeError as wrong:  # a damaged row: the driver finds no text in it
            raise UnusableInput(f"{self.name}: {DAMAGED}") from wrong
        except UnicodeEncodeError as wrong:
            raise UnusableInput(f"{shorten(wrong.object)!r} is no UTF-8 text, and cannot be kept") from wrong

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """The lock of the log; what was appended inside is durable behind it, or nothing of it is."""
        with self.said(), self.engine.execution_options(writes=True).begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.text("LOCK TABLE events IN EXCLUSIVE MODE"))
            yield connection

    def read(self, after: int = 0, connection: Connection | None = None) -> list[Event]:
        """The events behind that number."""
        wanted = sa.select(EVENTS).where(EVENTS.c.number > after).order_by(EVENTS.c.number)
        with reading(self.name):
            if connection is not None:
                return [make_event(row) for row in connection.execute(wanted)]
            with self.said(), self.engine.connect() as connection:
                return [make_event(row) for row in connection.execute(wanted)]

    def append(self, connection: Connection, events: Sequence[Event], records: Sequence[dict[str, Any]] = ()) -> None:
        """Write events and records; the lock is held."""
        if records:
            # A record whose event was undone still lies here. Its letters do not say with which key it was sealed.
            insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
            said = insert(RECORDS)
            said = said.on_conflict_do_update(index_elements=[RECORDS.c.seal], set_={
                name: said.excluded[name] for name in ("at", "source", "content")})
            connection.execute(said, list(records))
        if events:
            connection.execute(sa.insert(EVENTS), [write_event(event) for event in events])

    def record(self, seal: str) -> bytes | None:
        """The record of that seal."""
        with self.said(), self.engine.connect() as connection:
            found = connection.execute(sa.select(RECORDS.c.content).where(RECORDS.c.seal == seal)).scalar()
        if found is not None and not isinstance(found, (bytes, bytearray, memoryview)):
            raise UnusableInput(f"{self.name}: {DAMAGED}")
        return bytes(found) if found is not None else None

    def list_seals(self) -> list[str]:
        """The seals of all records."""
        with self.said(), self.engine.connect() as connection:
            return list(connection.execute(sa.select(RECORDS.c.seal).order_by(RECORDS.c.seal)).scalars())

    def room(self, names: Sequence[str] | None = None) -> dict[str, tuple[str, str]]:
        """{who: (since when, what was heard)} of all, or of some, who were seen on the network."""
        wanted = sa.select(ROOM) if names is None else sa.select(ROOM).where(ROOM.c.name.in_(names))
        with self.said(), self.engine.connect() as connection:
            return {row.name: (row.at, row.said) for row in connection.execute(wanted)}

    def keep_room(self, rows: dict[str, tuple[str, str]]) -> None:
        """Write rows of the room; the log is not touched."""
        with self.said(), self.engine.execution_options(writes=True).begin() as connection:
            insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
            said = insert(ROOM)
            said = said.on_conflict_do_update(index_elements=[ROOM.c.name],
                                              set_={"at": said.excluded.at, "said": said.excluded.said})
            connection.execute(said, [{"name": name, "at": at, "said": text} for name, (at, text) in rows.items()])

    @contextlib.contextmanager
    def moment(self) -> Iterator[Connection]:
        """Reads everything as it stands at one moment, while others write."""
        with self.said(), self.engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
            yield connection

    def blocks(self, table: sa.Table, connection: Connection) -> Iterator[list[dict[str, Any]]]:
        """The rows of a table, some at a time: a hundred thousand records take no more memory than a hundred."""
        wanted = sa.select(table).order_by(*table.primary_key).execution_options(yield_per=BLOCK)
        with self.said():
            for rows in connection.execute(wanted).mappings().partitions():
                yield [dict(row) for row in rows]


def make_event(row: Any) -> Event:
    """A row of the table."""
    return Event(row.number, row.at, row.who, row.kind, json.loads(row.data))


def write_event(event: Event) -> dict[str, Any]:
    """The row of an event."""
    data = json.dumps(event.data, ensure_ascii=False, separators=(",", ":"))
    return {"number": event.number, "at": event.at, "who": event.who, "kind": event.kind, "data": data}


def is_url(name: str) -> bool:
    """Whether a database was named by a URL, not by a file."""
    return bool(re.match(r"[a-z][a-z0-9+]*://", name))


def hide_password(name: str) -> str:
    """The name as a sentence may say it."""
    name = re.sub(r"(://[^:/@]*):.*@", r"\1:***@", name)  # to the last @, which the password may hold, too
    return re.sub(r"([?&](?:ssl)?password=)[^&]*", r"\1***", name)


def connect(name: str, is_new: bool) -> Engine:
    """The engine of that database; a SQLite file syncs every commit. UnusableInput."""
    if not is_url(name):
        path = Path(name)
        if not path.exists() and not is_new:
            raise UnusableInput(f"{path}: there is no tournament; `cardtable tournament new` begins one")
        if not path.absolute().parent.is_dir():
            raise UnusableInput(f"{path}: there is no folder {path.parent}")
    try:
        # Of a path no letter is a URL's: neither `?` nor `%20`.
        url = make_url(name) if is_url(name) else sa.URL.create("sqlite", database=str(Path(name).absolute()))
        if "@" in (url.host or ""):
            raise UnusableInput(f"{hide_password(name)}: an @ in the password is written %40")
        if url.get_backend_name() == "postgresql":
            return sa.create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
        if url.get_backend_name() != "sqlite":
            raise UnusableInput(f"{hide_password(name)}: a tournament is kept in SQLite or PostgreSQL")
        engine = sa.create_engine(url, connect_args={"timeout": BUSY_S})
    except (ArgumentError, NoSuchModuleError, ValueError, ImportError) as wrong:
        raise UnusableInput(f"{shorten(hide_password(name), 100)}: no database has such a URL") from wrong
    sa.event.listen(engine, "connect", prepare_sqlite)
    sa.event.listen(engine, "begin", begin_sqlite)
    return engine


def prepare_sqlite(connection: Any, _: Any) -> None:
    """Readers never wait for writers; a commit returns once it is on the disk."""
    connection.isolation_level = None  # SQLAlchemy says BEGIN itself
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")


def begin_sqlite(connection: Connection) -> None:
    """Whoever is going to write takes the lock at once: a lock that comes later can be refused."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def migrate(connection: Connection, is_new: bool, name: str) -> None:
    """Bring the tables to their newest form. UnusableInput for a database that is something else."""
    # Here, because half of what a command of the tournament waits for at its start would be this.
    from alembic import command as alembic
    from alembic.config import Config
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory
    from alembic.util.exc import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    script = ScriptDirectory.from_config(config)
    context = MigrationContext.configure(connection)
    had = context.get_current_revision()
    if had == script.get_current_head():
        connection.rollback()
        return
    if had is None and not is_new:
        raise UnusableInput(f"{name}: there is no tournament; `cardtable tournament new` begins one")
    if had is None and sa.inspect(connection).get_table_names():
        raise UnusableInput(f"{name}: it holds something else than a tournament")
    try:
        alembic.upgrade(config, "head")
    except CommandError as wrong:
        raise UnusableInput(f"{name}: a newer cardtable has written it") from wrong
    connection.commit()
