"""Brings a bridge its records: from folders of games, such as virtual tables keep, and tables at serial ports.

A table's program is stopped only between two games, and only if something is to be fetched or brought: at the start,
after a game has ended, and for a new order. In between the bridge listens to the public feed, and sends nothing.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from cardtable.between import weak
from cardtable.between.chosen import LAST_FILE
from cardtable.between.keys import KEY_FILE
from cardtable.catalogue import find_game
from cardtable.engine.reading import read_header
from cardtable.engine.record import FORMAT, RecordError, SetupError
from cardtable.engine.setup import set_up
from cardtable.net.topics import write_weak
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.files import path_as_text, walk, write_file
from host_tools.judge.records.public_record import LOST
from host_tools.look.collect import put
from host_tools.play.library import ORDER_FILE
from host_tools.club.wire import topics
from host_tools.club.wire.outbox import Outbox

SETTLE_S = 12.0  # after a result, until its record is one text and the table's prompt is open
_ALONE = threading.Lock()  # mpremote puts standard output aside while it opens and stops a table: one at a time
AGAIN_S = 5.0  # after something failed at a port
_READERS = 7  # at most, at a table
_RECORDS = 100_000  # in a folder; a club's evening has a hundred


class Folder:
    """The records of a folder and its folders; files that were looked at once are not read again until they change."""

    def __init__(self, path: Path, table: str = "", on_news: Callable[[str], object] = lambda text: None) -> None:
        """table: the name for records whose header says none; on_news: is told what is left out."""
        self.path = path
        self.table = table
        self.on_news = on_news
        self.left_out: dict[str, str] = {}  # records and folders that cannot be offered, and why
        self._seen: dict[Path, tuple[int, int]] = {}

    def gather(self, outbox: Outbox) -> int:
        """Put new records into the outbox; how many were new. A game that is not over is looked at again later."""
        count = 0
        for path, mark in self.list_new():
            self.left_out.pop(str(path), None)
            try:
                data = foreign.read_bytes(path)
            except foreign.Unreadable as wrong:
                self._seen[path] = mark
                self.leave_out(str(path), wrong.cause)
                continue
            table = topics.find_table(data) or self.table
            if topics.find_seal(data) and table:
                count += outbox.add(data, table, path_as_text(path))
            elif topics.find_seal(data):
                self.leave_out(str(path), "its header names no table: say --table NAME")
            self._seen[path] = mark  # not before: the outbox's disk may be full
        return count

    def leave_out(self, path: str, cause: str) -> None:
        """Say it once. What has gone meanwhile is no news."""
        if os.path.lexists(path) and self.left_out.get(path) != cause:
            self.left_out[path] = cause
            self.on_news(f"{path}: {cause}")

    def list_new(self) -> list[tuple[Path, tuple[int, int]]]:
        """Records that are new or have changed, and by what that will be seen."""
        found = []
        for path in sorted(Path(name) for name in walk(self.path, self.leave_out) if name.endswith(".rec"))[:_RECORDS]:
            try:
                told = path.stat()
            except OSError:
                continue
            mark = (told.st_mtime_ns, told.st_size)
            if self._seen.get(path) != mark:
                found.append((path, mark))
        return found


class VirtualTables:
    """The tables of `cardtable play` in a folder of games, a folder `table-...` each.

    A table takes its order in between two games, or when it starts.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def bring(self, table: str, setup: str) -> bool:
        """Lay the order beside the table's flash; whether there is such a table."""
        folder = self.path / table
        if not (folder / "flash").is_dir():
            return False
        write_file(folder / ORDER_FILE, setup.encode())
        return True

    def list_laid(self) -> list[str]:
        """The tables that have not taken their orders yet."""
        return [order.parent.name for order in self.path.glob(f"*/{ORDER_FILE}")]

    def is_taken(self, table: str) -> bool:
        """Whether the table has taken its order, or was never brought one."""
        return not (self.path / table / ORDER_FILE).exists()

    def take_back(self, table: str) -> None:
        """The order does not stand any more."""
        (self.path / table / ORDER_FILE).unlink(missing_ok=True)


def check_setup(setup: str, table: str) -> str:
    """The set-up as a table may get it, with the names of table and order in it. UnusableInput says what is wrong."""
    try:
        header, _ = read_header(line + "\n" for line in setup.split("\n"))
        set_up(find_game(header.game[0]), header)
    except (RecordError, SetupError, IndexError) as wrong:
        raise UnusableInput(f"{table}: the order cannot be played: {wrong}") from wrong
    return "\n".join(header.lines()) + "\n"


@dataclass
class Known:
    """A table that was seen at a port."""

    name: str = ""  # until a record says it
    brought: str = ""  # the number of the order that it has
    weak: str = ""  # which of its readers weaken, as a state says it


class Port(threading.Thread):
    """Follows one table at a serial port: its finished games come into a folder, and orders go to it."""

    def __init__(self, port: str, folder: Path, orders: Callable[[], dict[str, tuple[str, str]]], name: str = "",
                 on_news: Callable[[str], object] = lambda text: None, known: dict[str, Known] | None = None) -> None:
        """folder: where records go. orders: what the director wants played next. name: the table's, until a record says
        it. known: tables by their marks, which the ports of one bridge share: one that moves keeps its name."""
        super().__init__(daemon=True, name=f"table at {port}")
        self.port = port
        self.folder = folder
        self.orders = orders
        self.on_news = on_news
        self.ends = threading.Event()
        self.has_tried = threading.Event()  # to visit the table: it worked, or it did not
        self._all = {} if known is None else known
        self._one = Known(name)  # the table that is there; replaced when another one is found
        self._mark = ""  # by which it is known; empty until it was visited
        self._is_there = False
        self._is_shut = False  # it gives no prompt: a game goes on
        self._is_playing = False
        self._due_s = 0.0  # when the table has to be visited next
        self._said = ""

    @property
    def table(self) -> str:
        """The name of the table that is there now."""
        return self._one.name

    @property
    def brought(self) -> str:
        """The number of the order that it has."""
        return self._one.brought

    @property
    def weak(self) -> str:
        """Which of its readers weakened in its last game, as a state says it."""
        return self._one.weak

    @property
    def state(self) -> str:
        """What the network is told of it."""
        if not self._is_there:
            return topics.GONE
        return topics.PLAYING if self._is_playing or self._is_shut else topics.HERE

    def run(self) -> None:
        """Until `ends` is set."""
        from host_tools.maker.device.table import TableError

        while not self.ends.is_set():
            try:
                self.listen()
            except (UnusableInput, TableError, OSError) as trouble:
                if not self._is_shut:
                    self.lose()
                if str(trouble) != self._said:
                    self._said = str(trouble)
                    self.on_news(f"{self.port}: {foreign.shorten(self._said.splitlines()[0], 200)}")
                self.has_tried.set()
                self.ends.wait(AGAIN_S)
        self._is_there = False

    def lose(self) -> None:
        """The table is gone. Another one may come at this port, so the next visit looks which one it is."""
        self._is_there = self._is_playing = False
        self._due_s = 0.0

    def listen(self) -> None:
        """Follow the feed until something is to be done, and do it."""
        from host_tools.maker.device.ports import is_port
        from host_tools.maker.device.table import Table, TableError

        with contextlib.ExitStack() as stack:
            try:
                if not is_port(self.port):
                    raise UnusableInput("no table is there")
                with _ALONE:
                    table = stack.enter_context(Table(self.port))
                self._is_there = True
                while not self.ends.is_set():
                    if time.monotonic() >= self._due_s or not self._is_playing and self.has_order():
                        break
                    for line in table.lines(1.0):
                        self.hear(line)
            except (UnusableInput, TableError, OSError):
                self._is_shut = False
                raise
            if not self.ends.is_set():
                self.visit(table)  # after it the table starts again, and its port is opened anew

    def hear(self, line: str) -> None:
        """A line of the public feed."""
        if line == FORMAT:
            self._is_playing, self._due_s = True, float("inf")
        elif line.startswith("result: "):
            self._is_playing, self._due_s = False, time.monotonic() + SETTLE_S
        elif line == LOST and self._is_playing:  # perhaps its result: ask for the prompt, as at the start
            self._due_s = time.monotonic() + SETTLE_S

    def has_order(self) -> bool:
        """Whether the director wants something played that the table does not have yet."""
        number, _ = self.orders().get(self.table, ("", ""))
        return bool(number) and number != self.brought and self._due_s == float("inf")

    def visit(self, table) -> None:  # noqa: ANN001 - a Table, which imports the serial port's library
        """Fetch what is new, and bring what was ordered; no game is under way, or the table does not let us in."""
        import tempfile

        from host_tools.maker.device.about import pull, running_games

        self._due_s = time.monotonic() + AGAIN_S
        self._is_shut = True
        with _ALONE:
            table.stop()
        self._is_shut = False
        self.recognise(table.call("hash_file", "/" + KEY_FILE))
        with tempfile.TemporaryDirectory(prefix="cardtable-") as passing:
            pull(table, Path(passing), False, lambda text: None, self.keep)
            self._one.weak = read_weak(table.call("read_text", "/" + weak.WEAK_FILE), Path(passing))
        number, setup = self.orders().get(self.table, ("", ""))
        if number and number != self.brought and not running_games(table):
            table.replace("/" + LAST_FILE, check_setup(setup, self.table).encode())
            self._one.brought = number
            self.on_news(f"{self.table}: the table proposes {number}")
        self._is_playing, self._due_s = False, float("inf")
        self.has_tried.set()

    def recognise(self, mark: str) -> None:
        """Which table is there, by the hash of its key: the name of another one that was there before is not its."""
        mark = mark or f"no key, at {self.port}"
        if mark in self._all:
            self._one = self._all[mark]
        else:
            if self._mark and mark != self._mark:
                self._one = Known()
            self._all[mark] = self._one
        if self._mark and mark != self._mark:
            self.on_news(f"{self.port}: another table is there" + (f", {self.table}" if self.table else ""))
        self._mark = mark

    def keep(self, path: Path) -> None:
        """A record has come, and the table has not been told yet."""
        kept = put(path, self.folder, lambda text: None)
        self._one.name = topics.find_table(foreign.read_bytes(kept)) or self.table


def read_weak(text: str, folder: Path) -> str:
    """What a state says of a table whose weak.txt has that text; folder: for a moment."""
    path = folder / weak.WEAK_FILE
    path.write_text(text, encoding="utf-8")
    return write_weak(weak.read(_READERS, str(path)))


def give_names(ports: Iterable[str]) -> dict[str, str]:
    """{port: name of its table} of `PORT` and `PORT=NAME`. UnusableInput."""
    found = {}
    for said in ports:
        port, _, name = said.partition("=")
        if name and not topics.is_name(name):
            raise UnusableInput(f"{foreign.shorten(name)}: a table's name has a to z, 0 to 9, - and _, at most"
                                f" {topics.NAME_LIMIT} of them")
        found[port] = name
    return found
