"""Measures the network: `python -m host_tools.lab.bench.network` lets a thousand tables report at once, through a real
broker, to a director that stores each record durably; with --faults while all is killed and brought back in orders,
with --rate one after another, with --kill while one of several directors is killed now and then.

Each table is a client of its own. A time is from the first offer of a record to its receipt at the table.
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
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host_tools.base import foreign, on_host
from host_tools.base.endings import end_tasks

PARTS = ("broker", "director", "database", "network")
STORM_S = 900.0  # for all receipts to come
CONNECTING = 100  # tables that connect at the same time
TICK_S = 0.1  # how often tables of --rate end their games


@dataclass(frozen=True)
class Storm:
    """The wishes of the command line. database: an empty one of PostgreSQL, as a URL; else a file of SQLite. rate:
    games that end in a second; 0: all at once. kill_s: so often one of the directors is killed, and the last one that
    was killed comes back; 0: never."""

    tables: int = 1000
    faults: int = 0
    directors: int = 1
    database: str = ""
    rate: float = 0.0
    kill_s: float = 0.0


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
    from host_tools.club.tournament.rehearse import play_order
    from host_tools.club.tournament.rounds import seat_round
    from host_tools.club.wire import topics

    director = new_director(name, Plan("bench", low=2, high=2, best=2, rounds=1))
    people = [("player added", {"name": f"P{number}", "club": "", "team": "", "has_paid": True})
              for number in range(2 * tables)]
    director.transact("bench", lambda state: (people, [], None))
    seat_round(director, "bench")
    records = {topics.to_name(order.table): play_order(order, 1) for order in orders(director)}
    director.close()
    return records


class Bench:
    """Tables in this process; broker and director in processes of their own, which can be killed."""

    def __init__(self, home: Path, engine: str, storm: Storm) -> None:
        self.home = home
        self.engine = engine
        self.database = storm.database or str(home / "bench.sqlite")
        self.directors = [f"director {number}" for number in range(1, storm.directors + 1)]
        self.records = make_evening(self.database, storm.tables)
        self.port = free_port()
        self.relay = Relay(self.port)
        self.processes: dict[str, asyncio.subprocess.Process] = {}
        self.links: dict[str, tuple[Any, asyncio.Task[None]]] = {}
        self.thread = ThreadPoolExecutor(1)
        self.killed = 0  # directors
        self.locked: Any = None

    async def begin(self, part: str) -> None:
        """Start a part, or bring it back."""
        if part == "network":
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
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()

    async def seat(self, figures: Any) -> Any:
        """Connect every table, a hundred at a time; the outbox of all."""
        from host_tools.club.wire.link import Address, Link
        from host_tools.club.wire.outbox import Outbox
        from host_tools.club.wire.simulate import Table

        outbox = Outbox(":memory:")
        names = sorted(self.records)
        for start in range(0, len(names), CONNECTING):
            fresh = []
            for name in names[start:start + CONNECTING]:
                table = Table(outbox, "bench", name, figures, lambda table, setup: None)
                one = Link(table, Address(port=self.relay.port), thread=self.thread)
                fresh.append(one)
                self.links[name] = one, asyncio.create_task(one.run())
            await asyncio.gather(*(one.is_up.wait() for one in fresh))
        while not all(one.party.sees_director for one, _ in self.links.values()):
            await asyncio.sleep(0.02)
        return outbox

    async def end_games(self, outbox: Any, rate: float) -> None:
        """Each table has a finished game: all now, or so many in a second."""
        names, began_s, done = list(self.records), time.monotonic(), 0
        while done < len(names):
            due = min(len(names), int(rate * (time.monotonic() - began_s)) if rate else len(names))
            await asyncio.wrap_future(self.thread.submit(self.fill, outbox, names[done:due]))
            for name in names[done:due]:
                self.links[name][0].wake()
            done = due
            await asyncio.sleep(TICK_S)

    def fill(self, outbox: Any, names: list[str]) -> None:
        """These tables have a finished game."""
        for name in names:
            assert outbox.add(self.records[name], name)

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
        for one, _ in self.links.values():
            one.stop()
        await asyncio.gather(*(task for _, task in self.links.values()), return_exceptions=True)
        if self.locked is not None:
            self.locked.close()
        for part in list(self.processes):
            await self.kill(part)
        await self.relay.cut()

    def count(self) -> tuple[int, int, int]:
        """(games that count, games that are disputed, games that were counted twice), of a director that only now looks
        at the database."""
        from host_tools.club.tournament.director import open_director

        director = open_director(self.database)
        with contextlib.closing(director):
            counted = [str(event.data["key"]) for event in director.events if event.kind == "result"]
            return len(director.state.results), len(director.state.disputes), len(counted) - len(set(counted))


def free_port() -> int:
    """One that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listens(port: int) -> bool:
    """Whether somebody answers there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def measure(engine: str, storm: Storm, say: Callable[[str], object]) -> dict[str, Any]:
    """Everything."""
    from host_tools.club.wire.simulate import Figures

    tables = storm.tables
    with tempfile.TemporaryDirectory(prefix="cardtable-") as passing:
        bench = Bench(Path(passing), engine, storm)
        figures = Figures()
        killer = None
        try:
            for part in ("broker", "director", "network"):
                await bench.begin(part)
            say(f"{engine}: connecting {tables} tables")
            outbox = await bench.seat(figures)
            began_s = time.monotonic()
            if storm.kill_s:
                killer = asyncio.create_task(bench.kill_in_turn(storm.kill_s))
            await bench.end_games(outbox, storm.rate)
            for number, order in enumerate(itertools.islice(itertools.permutations(PARTS), storm.faults), 1):
                say(f"{engine}: order {number} of {storm.faults}: {', '.join(order)}; {figures.receipts} receipts")
                for part in order:
                    await bench.kill(part)
                    await asyncio.sleep(0.2)
                for part in order:
                    await bench.begin(part)
                    await asyncio.sleep(0.2)
            while figures.receipts < tables and time.monotonic() - began_s < STORM_S:
                await asyncio.sleep(0.02)
            seconds = time.monotonic() - began_s
        finally:
            if killer is not None:
                await end_tasks([killer])
            await bench.close()
        counted, disputed, twice = bench.count()
        outbox.close()
        messages = figures.offers + figures.receipts
        return {
            "broker": engine, "tables": tables, "orders of faults": storm.faults, "directors": storm.directors,
            "directors killed": bench.killed, "database": "PostgreSQL" if storm.database else "SQLite",
            "counted": counted, "disputed": disputed, "twice": twice, "lost": tables - counted,
            "without receipt": tables - figures.receipts, "seconds": round(seconds, 2),
            "offers": figures.offers, "receipts": figures.receipts,
            "records a second": round(figures.receipts / seconds, 1), "messages a second": round(messages / seconds, 1),
            "median ms": round(1000 * figures.percentile(0.5)), "p99 ms": round(1000 * figures.percentile(0.99)),
            "bytes of a record": sum(map(len, bench.records.values())) // tables,
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
    wishes = parser.parse_args(arguments)
    storm = Storm(wishes.tables, wishes.faults, wishes.directors, wishes.database, wishes.rate, wishes.kill)
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
