"""Tables that report, for the bench of the network: a share of them in one process, each a client of its own.

A process that carries thousands of clients is as busy as a thousand laptops: so a bench of many tables spreads them.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from multiprocessing.connection import Connection
from typing import Any

from host_tools.base import on_host

CONNECTING = 100  # tables that connect at the same time
TICK_S = 0.1  # how often tables end their games


class Tables:
    """A share of the tables of an evening, and what was measured there."""

    def __init__(self, records: dict[str, bytes], port: int) -> None:
        """records: {table: its finished game}. port: of the broker, or of what leads to it."""
        from host_tools.club.wire.outbox import Outbox
        from host_tools.club.wire.simulate import Figures

        self.records = records
        self.port = port
        self.figures = Figures()
        self.thread = ThreadPoolExecutor(1)
        self.outbox = Outbox(":memory:")
        self.links: dict[str, tuple[Any, asyncio.Task[None]]] = {}
        self.losses = 0

    async def seat(self) -> None:
        """Connect every table, a hundred at a time, until each has heard of the director."""
        from host_tools.club.wire.link import Address, Link
        from host_tools.club.wire.simulate import Table

        names = sorted(self.records)
        for start in range(0, len(names), CONNECTING):
            fresh = []
            for name in names[start:start + CONNECTING]:
                table = Table(self.outbox, "bench", name, self.figures, lambda table, setup: None)
                one = Link(table, Address(port=self.port), self.hear, self.thread)
                fresh.append(one)
                self.links[name] = one, asyncio.create_task(one.run())
            await asyncio.gather(*(one.is_up.wait() for one in fresh))
        while not all(one.party.sees_director for one, _ in self.links.values()):
            await asyncio.sleep(0.02)

    def hear(self, text: str) -> None:
        """News of a connection."""
        self.losses += text.startswith("no broker")

    async def end_games(self, rate: float) -> None:
        """Each table has a finished game: all now, or so many in a second."""
        names, began_s, done = list(self.records), time.monotonic(), 0
        while done < len(names):
            due = min(len(names), int(rate * (time.monotonic() - began_s)) if rate else len(names))
            await asyncio.wrap_future(self.thread.submit(self.fill, names[done:due]))
            for name in names[done:due]:
                self.links[name][0].wake()
            done = due
            await asyncio.sleep(TICK_S)

    def fill(self, names: list[str]) -> None:
        """These tables have a finished game."""
        for name in names:
            assert self.outbox.add(self.records[name], name)

    async def close(self) -> None:
        """End every connection."""
        for one, _ in self.links.values():
            one.stop()
        await asyncio.gather(*(task for _, task in self.links.values()), return_exceptions=True)
        self.outbox.close()
        self.thread.shutdown()


class Share:
    """The other end of such a process, for the bench. Commands go in; how far it is comes out."""

    def __init__(self, records: dict[str, bytes], port: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=report, args=(theirs, records, port), daemon=True)
        self.process.start()
        theirs.close()
        self.told: dict[str, Any] = {"receipts": 0}

    def look(self) -> dict[str, Any]:
        """What it has said last. EOFError if it has crashed."""
        while self.pipe.poll():
            self.told = self.pipe.recv()
        return self.told

    async def wait_for(self, word: str) -> None:
        """Until it says that word."""
        while word not in self.look():
            await asyncio.sleep(0.02)


def report(pipe: Connection, records: dict[str, bytes], port: int) -> None:
    """Such a process: it seats its tables, ends their games at the rate that it is told, and ends when it is told
    again."""
    on_host.prepare()
    asyncio.run(obey(pipe, Tables(records, port)))


async def obey(pipe: Connection, tables: Tables) -> None:
    """The same, in its loop."""
    await tables.seat()
    pipe.send({"receipts": 0, "seated": True})
    while not pipe.poll():
        await asyncio.sleep(TICK_S)
    ending, before_s = asyncio.create_task(tables.end_games(pipe.recv())), time.process_time()
    while not pipe.poll():
        if ending.done():
            ending.result()
        pipe.send({"receipts": tables.figures.receipts})
        await asyncio.sleep(TICK_S)
    await ending
    spent_s = time.process_time() - before_s
    pipe.send({**asdict(tables.figures), "losses": tables.losses, "seconds": spent_s, "over": True})
    await tables.close()
