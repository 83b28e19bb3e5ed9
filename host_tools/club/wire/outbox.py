"""Keeps the records that wait for a receipt, in one SQLite file: a record is there before it is offered, and what the
director has answered is there before anything else happens. A power cut at any moment loses nothing.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from host_tools.base.errors import UnusableInput
from host_tools.club.wire import topics
from host_tools.judge.records.verify import INTACT, verify

WAITING = "waiting"

_TABLES = """
CREATE TABLE IF NOT EXISTS record (
    number INTEGER PRIMARY KEY, seal TEXT NOT NULL, sender TEXT NOT NULL, source TEXT NOT NULL, data BLOB,
    status TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '', UNIQUE (seal, sender));
CREATE INDEX IF NOT EXISTS record_status ON record (status, number);
DROP TABLE IF EXISTS wish;
CREATE TABLE IF NOT EXISTS wanted (
    event TEXT NOT NULL, sender TEXT NOT NULL, number TEXT NOT NULL, setup TEXT NOT NULL, PRIMARY KEY (event, sender));
"""


class Waiting(NamedTuple):
    """A record that waits for its receipt."""

    number: int
    seal: str
    table: str
    data: bytes


class Outbox:
    """The file of one bridge; only one thread at a time may use it."""

    def __init__(self, path: Path | str) -> None:
        """path: of the file, which is made if it is not there; `:memory:` for tests. UnusableInput."""
        self._path = path
        try:
            self._base = sqlite3.connect(path, timeout=30.0, check_same_thread=False, isolation_level=None)
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = FULL")
            self._base.executescript(_TABLES)
        except sqlite3.DatabaseError as wrong:
            raise UnusableInput(f"{path}: {wrong}") from wrong

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """All that is said inside is durable at its end, with one write to the disk."""
        self._ask("BEGIN IMMEDIATE")
        try:
            yield
            self._ask("COMMIT")
        except BaseException:
            if self._base.in_transaction:  # a full disk has ended it already
                self._base.execute("ROLLBACK")
            raise

    def _ask(self, statement: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        """OSError, which names the file, where the disk is full or the file is damaged."""
        try:
            return self._base.execute(statement, values)
        except sqlite3.DatabaseError as wrong:
            raise OSError(errno.EIO, str(wrong), os.fspath(self._path)) from wrong

    def close(self) -> None:
        """Nothing comes any more."""
        self._base.close()

    def add(self, data: bytes, table: str, source: str = "") -> bool:
        """Keep a record that has its last seal; True if it is new here, and durable. It is never kept twice; an intact
        one takes the place of a damaged copy that came before it."""
        seal = topics.find_seal(data)
        if not seal:
            return False
        status, reason = WAITING, ""
        if len(data) > topics.OFFER_LIMIT:
            status, reason = topics.REFUSED, f"more than {topics.OFFER_LIMIT} bytes: bring the file to the director"
        done = self._ask(
            "INSERT OR IGNORE INTO record (seal, sender, source, data, status, reason) VALUES (?, ?, ?, ?, ?, ?)",
            (seal, table, source, data, status, reason))
        if done.rowcount > 0:
            return True
        kept = self._ask(
            "SELECT number, data FROM record WHERE seal = ? AND sender = ? AND status IN (?, ?)",
            (seal, table, WAITING, topics.REFUSED)).fetchone()
        if kept is None or kept[1] == data or verify(kept[1]).kind == INTACT or verify(data).kind != INTACT:
            return False
        self._ask("UPDATE record SET source = ?, data = ?, status = ?, reason = ? WHERE number = ?",
                  (source, data, status, reason, kept[0]))
        return True

    def waiting(self, most: int, table: str = "") -> list[Waiting]:
        """The first records that wait, the oldest first; only of one table if it is named."""
        rows = self._ask(
            "SELECT number, seal, sender, data FROM record WHERE status = ? AND (? = '' OR sender = ?)"
            " ORDER BY number LIMIT ?", (WAITING, table, table, most))
        return [Waiting(*row) for row in rows]

    def count_waiting(self, table: str) -> int:
        """How many records of that table wait."""
        found = self._ask("SELECT count(*) FROM record WHERE status = ? AND sender = ?", (WAITING, table))
        return int(found.fetchone()[0])

    def settle(self, table: str, seal: str, status: str, reason: str) -> bool:
        """What the director says of a record; True if that is news. The bytes of one that counts are let go: its file
        stays where it was found. One that counts may have been refused before: a damaged copy of it was."""
        if status not in topics.FINAL:
            return False
        counts = status in (topics.COUNTED, topics.KNOWN)
        done = self._ask(
            "UPDATE record SET status = ?, reason = ?, data = CASE WHEN ? THEN NULL ELSE data END"
            " WHERE seal = ? AND sender = ? AND (status = ? OR ? AND status = ?)",
            (status, reason, counts, seal, table, WAITING, counts, topics.REFUSED))
        return done.rowcount > 0

    def offer_again(self, disputed: bool = False) -> int:
        """Let records wait again that were refused, and those that are disputed, if so said; how many."""
        done = self._ask(
            "UPDATE record SET status = ?, reason = ''"
            " WHERE status IN (?, ?) AND data IS NOT NULL AND length(data) <= ?",
            (WAITING, topics.REFUSED, topics.DISPUTED if disputed else topics.REFUSED, topics.OFFER_LIMIT))
        return done.rowcount

    def counts(self) -> dict[str, int]:
        """How many records have which status."""
        return dict(self._ask("SELECT status, count(*) FROM record GROUP BY status ORDER BY status"))

    def tables(self) -> list[str]:
        """The tables whose records have come here."""
        return [row[0] for row in self._ask("SELECT DISTINCT sender FROM record ORDER BY sender")]

    def told(self) -> list[tuple[str, str, str, str]]:
        """(table, source, status, reason) of each record that does not count: what a person should look at."""
        return list(self._ask(
            "SELECT sender, source, status, reason FROM record WHERE status IN (?, ?) ORDER BY number",
            (topics.REFUSED, topics.DISPUTED)))

    # --- set-ups that the director ordered ---

    def keep_order(self, event: str, table: str, number: str, setup: str) -> None:
        """What the table shall play next in that tournament; an empty number takes it back."""
        if number:
            self._ask("INSERT OR REPLACE INTO wanted VALUES (?, ?, ?, ?)", (event, table, number, setup))
        else:
            self._ask("DELETE FROM wanted WHERE event = ? AND sender = ?", (event, table))

    def orders(self, event: str) -> dict[str, tuple[str, str]]:
        """{table: (number, set-up)} of what that tournament ordered last; another one's is nothing to its tables."""
        rows = self._ask("SELECT sender, number, setup FROM wanted WHERE event = ?", (event,))
        return {table: (number, setup) for table, number, setup in rows}
