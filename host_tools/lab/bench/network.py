"""Measures the network: `python -m host_tools.lab.bench.network` lets a thousand tables report at once, through a real
broker, to a director that stores each record durably; with --faults while all is killed and brought back in orders,
with --rate one after another, with --kill while one of several directors is killed now and then.

Each table is a client of its own (reporting.py). A time is from the first offer of a record to its receipt at the
table.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host_tools.base import foreign, on_host
from host_tools.base.endings import end_tasks
from host_tools.base.ports import free_port
from host_tools.base.workers.pool import spread
from host_tools.lab.bench.reporting import Share

PARTS = ("broker", "director", "database", "network")
STORM_S = 900.0  # for all receipts to come
LOOK_S = 0.05  # how often the tables are asked how far they are
PARTS_OF_S = ("broker", "directors", "PostgreSQL")  # whose seconds of a processor are counted


@dataclass(frozen=True)
class Storm:
    """The wishes of the command line. database: an empty one of PostgreSQL, as a URL; else a file of SQLite. rate:
    games that end in a second; 0: all at once. kill_s: so often one of the directors is killed, and the last one that
    was killed comes back; 0: never. processes: how many share the tables."""

    tables: int = 1000
    faults: int = 0
    directors: int = 1
    database: str = ""
    rate: float = 0.0
    kill_s: float = 0.0
    processes: int = 1


class Relay:
    """The network between tables and broker, which can be cut."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.server: asyncio.Server | None = None
        self.writers: set[asyncio.StreamWriter] = set()

    async def start(self) -> None:
        """The cable is in."""
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", self.port, backlog=2000)
        self.port = self.server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        """It is out: every connection ends in the middle of whatever it said."""
        if self.server is not None:
            self.server.close()
        for writer in list(self.writers):
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        self.writers.add(writer)
        with contextlib.suppress(OSError):
            there, to_there = await asyncio.open_connection("127.0.0.1", self.target)
            self.writers.add(to_there)
            await asyncio.gather(pump(reader, to_there), pump(there, writer))
            self.writers.discard(to_there)
        writer.close()
        self.writers.discard(writer)


async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Bytes, as they come."""
    with contextlib.suppress(OSError):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
    target.close()


def make_evening(name: str, tables: int) -> dict[str, bytes]:
    """A tournament whose first round has so many tables of two, in that database; {table: its sealed record}."""
    from host_tools.club.tournament.director import new_director
    from host_tools.club.tournament.intake import orders
    from host_tools.club.tournament.plan import Plan
    from host_tools.club.tournament.rounds import seat_round
    from host_tools.club.wire import topics

    director = new_director(name, Plan("bench", low=2, high=2, best=2, rounds=1))
    people = [("player added", {"name": f"P{number}", "club": "", "team": "", "has_paid": True})
              for number in range(2 * tables)]
    director.transact("bench", lambda state: (people, [], None))
    seat_round(director, "bench")
    due = orders(director)
    director.close()
    return {topics.to_name(order.table): record for order, record in zip(due, spread(play, due), strict=True)}


def play(order: Any) -> bytes:
    """One game of such an evening."""
    from host_tools.club.tournament.rehearse import play_order

    return play_order(order, 1)


class Bench:
    """Tables, broker and directors, in processes of their own; broker and directors can be killed."""

    def __init__(self, home: Path, engine: str, storm: Storm) -> None:
        self.home = home
        self.engine = engine
        self.database = storm.database or str(home / "bench.sqlite")
        self.directors = [f"director {number}" for number in range(1, storm.directors + 1)]
        self.records = make_evening(self.database, storm.tables)
        self.port = free_port()
        self.relay = Relay(self.port) if storm.faults else None  # else nobody cuts it, and it would only cost time
        self.processes: dict[str, asyncio.subprocess.Process] = {}
        self.shares: list[Share] = []
        self.killed = 0  # directors
        self.spent_s = dict.fromkeys(PARTS_OF_S, 0.0)  # of a processor, by those that were killed
        self.locked: Any = None

    async def begin(self, part: str) -> None:
        """Start a part, or bring it back."""
        if part == "network":
            if self.relay is not None:
                await self.relay.start()
        elif part == "database":
            if self.locked is not None:
                self.locked.close()
                self.locked = None
        elif part == "broker":
            await self.spawn(part, "broker", "start", "--engine", self.engine, "--port", str(self.port), "--home",
                             str(self.home / "broker"))
            while not listens(self.port):
                await asyncio.sleep(0.05)
        elif part == "director":
            for one in self.directors:
                await self.begin(one)
        else:
            await self.spawn(part, "tournament", "attend", "--broker", f"mqtt://127.0.0.1:{self.port}", "--database",
                             self.database)

    async def spawn(self, part: str, *call: str) -> None:
        """One of our commands."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self.processes[part] = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "host_tools.cli", *call, env=environment, stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL, start_new_session=True)

    async def kill(self, part: str) -> None:
        """Without a farewell."""
        if part == "network":
            if self.relay is not None:
                await self.relay.cut()
        elif part == "database":
            import sqlite3

            # Another process writes and does not end: nobody else can.
            self.locked = sqlite3.connect(self.database, timeout=60, isolation_level=None)
            self.locked.execute("BEGIN IMMEDIATE")
        elif part == "director":
            for one in self.directors:
                await self.kill(one)
        elif part in self.processes:
            process = self.processes.pop(part)
            self.spent_s["broker" if part == "broker" else "directors"] += read_spent_s(process.pid)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()

    async def seat(self, processes: int) -> None:
        """Connect every table."""
        names = sorted(self.records)
        port = self.port if self.relay is None else self.relay.port
        for number in range(min(processes, len(names))):
            self.shares.append(Share({name: self.records[name] for name in names[number::processes]}, port))
        await asyncio.gather(*(share.wait_for("seated") for share in self.shares))

    def end_games(self, rate: float) -> None:
        """Each table has a finished game: all now, or so many in a second."""
        for share in self.shares:
            share.pipe.send(rate / len(self.shares))

    @property
    def receipts(self) -> int:
        """How many have come."""
        return sum(share.look()["receipts"] for share in self.shares)

    def count_spent(self) -> dict[str, float]:
        """Seconds of a processor so far."""
        alive = {"broker": 0.0, "directors": 0.0, "PostgreSQL": 0.0}
        for part, process in self.processes.items():
            alive["broker" if part == "broker" else "directors"] += read_spent_s(process.pid)
        for found in Path("/proc").glob("[0-9]*/comm"):
            with contextlib.suppress(OSError):
                # Each of its processes is found here, so none is asked for its children as well.
                alive["PostgreSQL"] += read_own_s(int(found.parent.name)) if found.read_text() == "postgres\n" else 0
        return {part: self.spent_s[part] + seconds for part, seconds in alive.items()}

    async def sum_up(self) -> tuple[Any, int, float]:
        """The tables' figures, how often one of them lost its connection, and their seconds of a processor."""
        from host_tools.club.wire.simulate import Figures

        for share in self.shares:
            share.pipe.send("end")
        await asyncio.gather(*(share.wait_for("over") for share in self.shares))
        every = [share.told for share in self.shares]
        sums = {name: sum(one[name] for one in every) for name in ("offers", "receipts", "known", "refused")}
        figures = Figures(**sums, waits_s=[wait_s for one in every for wait_s in one["waits_s"]])
        return figures, sum(one["losses"] for one in every), sum(one["seconds"] for one in every)

    async def kill_in_turn(self, every_s: float) -> None:
        """One director after another, each without a farewell; it is back when the next one goes."""
        for one in itertools.cycle(self.directors):
            await asyncio.sleep(every_s)
            for gone in set(self.directors) - set(self.processes):
                await self.begin(gone)
            await self.kill(one)
            self.killed += 1

    async def close(self) -> None:
        """End everything."""
        for share in self.shares:
            share.process.kill()
            share.process.join()
        if self.locked is not None:
            self.locked.close()
        for part in list(self.processes):
            await self.kill(part)
        await self.kill("network")

    def count(self) -> tuple[int, int, int]:
        """(games that count, games that are disputed, games that were counted twice), of a director that only now looks
        at the database."""
        from host_tools.club.tournament.director import open_director

        director = open_director(self.database)
        with contextlib.closing(director):
            counted = [str(event.data["key"]) for event in director.events if event.kind == "result"]
            return len(director.state.results), len(director.state.disputes), len(counted) - len(set(counted))


def listens(port: int) -> bool:
    """Whether somebody answers there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def read_own_s(process: int) -> float:
    """Seconds of a processor that a process has computed, with the children that it has seen end; 0 where Linux does
    not tell."""
    try:
        words = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")


def read_spent_s(process: int) -> float:
    """The same with the children that still run."""
    try:
        below = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    except OSError:
        return 0.0
    return read_own_s(process) + sum(read_spent_s(int(child)) for child in below)


async def measure(engine: str, storm: Storm, say: Callable[[str], object]) -> dict[str, Any]:
    """Everything."""
    tables = storm.tables
    with tempfile.TemporaryDirectory(prefix="cardtable-") as passing:
        bench = Bench(Path(passing), engine, storm)
        killer = None
        try:
            for part in ("broker", "director", "network"):
                await bench.begin(part)
            say(f"{engine}: connecting {tables} tables")
            await bench.seat(storm.processes)
            began_s, before_s = time.monotonic(), bench.count_spent()
            if storm.kill_s:
                killer = asyncio.create_task(bench.kill_in_turn(storm.kill_s))
            bench.end_games(storm.rate)
            for number, order in enumerate(itertools.islice(itertools.permutations(PARTS), storm.faults), 1):
                say(f"{engine}: order {number} of {storm.faults}: {', '.join(order)}; {bench.receipts} receipts")
                for part in order:
                    await bench.kill(part)
                    await asyncio.sleep(0.2)
                for part in order:
                    await bench.begin(part)
                    await asyncio.sleep(0.2)
            while bench.receipts < tables and time.monotonic() - began_s < STORM_S:
                await asyncio.sleep(LOOK_S)
            seconds = time.monotonic() - began_s
            spent_s = {part: spent - before_s[part] for part, spent in bench.count_spent().items()}
            figures, losses, spent_s["tables"] = await bench.sum_up()
        finally:
            if killer is not None:
                await end_tasks([killer])
            await bench.close()
        counted, disputed, twice = bench.count()
        messages = figures.offers + figures.receipts
        return {
            "broker": engine, "tables": tables, "orders of faults": storm.faults, "directors": storm.directors,
            "directors killed": bench.killed, "database": "PostgreSQL" if storm.database else "SQLite",
            "counted": counted, "disputed": disputed, "twice": twice, "lost": tables - counted,
            "without receipt": tables - figures.receipts, "seconds": round(seconds, 2),
            "offers": figures.offers, "receipts": figures.receipts, "connections lost": losses,
            "records a second": round(figures.receipts / seconds, 1), "messages a second": round(messages / seconds, 1),
            "median ms": round(1000 * figures.percentile(0.5)), "p99 ms": round(1000 * figures.percentile(0.99)),
            "bytes of a record": sum(map(len, bench.records.values())) // tables,
            "processor seconds": {part: round(spent, 1) for part, spent in spent_s.items()},
        }


def main(arguments: list[str] | None = None) -> int:
    """Print the figures as JSON; 0 if nothing was lost."""
    on_host.prepare()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--engine", choices=("embedded", "mosquitto"), action="append")
    parser.add_argument("--faults", type=int, default=0, help="in how many of 24 orders all is killed meanwhile")
    parser.add_argument("--database", default="", help="an empty database of PostgreSQL, as a URL; else SQLite")
    parser.add_argument("--directors", type=int, default=1, help="of one tournament, on one database")
    parser.add_argument("--rate", type=float, default=0.0, help="games that end in a second; 0: all at once")
    parser.add_argument("--kill", type=float, default=0.0, help="seconds after which one more director is killed")
    parser.add_argument("--processes", type=int, default=1, help="that share the tables: one for 2000 or so")
    wishes = parser.parse_args(arguments)
    storm = Storm(wishes.tables, wishes.faults, wishes.directors, wishes.database, wishes.rate, wishes.kill,
                  wishes.processes)
    if wishes.database and wishes.faults:
        parser.error("--faults locks a database of SQLite: with PostgreSQL take --kill")
    wrong = 0
    for engine in wishes.engine or ("embedded", "mosquitto"):
        told = asyncio.run(measure(engine, storm, lambda text: foreign.say(text, err=True)))
        foreign.say_lines(json.dumps(told, indent=1))
        wrong |= bool(told["lost"] or told["disputed"] or told["twice"] or told["without receipt"])
    return wrong


if __name__ == "__main__":
    sys.exit(main())
