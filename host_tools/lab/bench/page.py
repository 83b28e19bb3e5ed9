"""Measures the table that people play at: from the firmware's light to a browser, and what tables cost.

The server, its tables and the browser's end of the WebSocket all run in this process.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiohttp

from host_tools.base.errors import UnusableInput
from host_tools.lab.bench.results import Row
from host_tools.play.acts import write_setup
from host_tools.play.start import Wishes
from host_tools.play.web.run import opened
from host_tools.play.web.visitor import Visitor

ROOM = "page"
GAME = "durak throw-in"
NAMES = ("Anna", "Boris", "Vera", "Gleb")
PLAY_S = 40.0  # of a game at the speed of people
WAIT_S = 10.0
TEN_S = 20.0
REST_S = 16.0  # after which a table at which nothing happens stands still
TABLES = 10
FIRST_PORT = 18137
LATENCY_MS = 100
WAITING_PERCENT = 5
KEEPS_UP_S = 0.98


def measure() -> list[Row]:
    """All rows of this room; about two minutes. UnusableInput where a table's other half cannot be counted."""
    if not Path("/proc/self/stat").exists():
        raise UnusableInput("what a table's device takes of the processor stands in /proc, which this system lacks")
    return asyncio.run(measure_all())


async def measure_all() -> list[Row]:
    """Latency of a game, a waiting table, ten tables that play."""
    with tempfile.TemporaryDirectory(prefix="cardtable-") as folder:
        ways = await time_lights(Path(folder))
        waiting, _ = await cost_of(Path(folder), 1, WAIT_S, plays=False)
        with one_core():
            ten, pace = await cost_of(Path(folder), TABLES, TEN_S, plays=True)
    return [
        Row(ROOM, "from the light to the browser, median of a game", statistics.median(ways), "ms", at_most=LATENCY_MS),
        Row(ROOM, "from the light to the browser, worst of a game", max(ways), "ms", at_most=LATENCY_MS),
        Row(ROOM, "a table that waits", waiting, "% of a core", at_most=WAITING_PERCENT),
        Row(ROOM, f"{TABLES} tables that play on one core", ten, "% of a core"),
        # The aim: one core never gives more than 100 %, so tables that fall behind are seen here alone.
        Row(ROOM, f"{TABLES} tables that play on one core: game time that passes in a second", pace, "s",
            at_least=KEEPS_UP_S),
    ]


def wishes(folder: Path, port: int) -> Wishes:
    """A table of virtual players."""
    return Wishes(games=folder, port=port, seed=port, browser=False)


async def begin(table: Any) -> None:
    """Four virtual players sit down and play."""
    def start() -> None:
        for seat, name in enumerate(NAMES, 1):
            table.seating.sit(seat, "bot:beginner", name)
        table.begin(write_setup(GAME, list(NAMES), len(NAMES), len(table.hands)))

    table.post(start)
    while table.phase != "play":
        await asyncio.sleep(0.1)


async def time_lights(folder: Path) -> list[float]:
    """Milliseconds from a write to the strip to the message with those colours in a browser."""
    async with opened(wishes(folder, FIRST_PORT), lambda line: None) as (table, _, address):
        await begin(table)
        written: dict[tuple[int, ...], float] = {}
        write = table.world.lights.write

        def note(data: bytes, now_us: int) -> None:
            write(data, now_us)
            colours = tuple(part for place in table.hands for part in table.light(place))
            written.setdefault(colours, time.monotonic())

        table.world.lights.write = note
        ways = []
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{address}/ws") as socket:
            visitor = Visitor(socket)
            await visitor.hello("")
            late_s = time.monotonic() + PLAY_S
            while time.monotonic() < late_s and table.phase == "play":
                told = await visitor.hear()
                if told and told["type"] == "lights":
                    colours = tuple(part for light in told["lights"] for part in light["rgb"])
                    begun_s = written.pop(colours, None)
                    if begun_s is not None:
                        ways.append(1000 * (time.monotonic() - begun_s))
                    written.clear()
        if not ways:
            raise UnusableInput(f"no light of the table came to a browser within {PLAY_S:.0f} s")
        return ways


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """This process, and what it starts meanwhile, has one core, where the system can say so.

    On two, a device's questions to its host go from core to core, and the same work takes more of both.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


async def cost_of(folder: Path, count: int, seconds: float, plays: bool) -> tuple[float, float]:
    """Processor time of so many tables with their devices, in per cent of a core; and how many seconds of the game pass
    in one: less than 1 if the processor cannot keep up."""
    async with AsyncExitStack() as stack:
        tables = []
        for number in range(count):
            opening = opened(wishes(folder, FIRST_PORT + 1 + number), lambda line: None)
            tables.append((await stack.enter_async_context(opening))[0])
        if plays:
            await asyncio.gather(*(begin(table) for table in tables))
        else:
            await asyncio.sleep(REST_S)
        before, begun_s, shown_us = used_s(tables), time.monotonic(), sum(table.now_us for table in tables)
        await asyncio.sleep(seconds)
        passed_s = time.monotonic() - begun_s
        shown_s = (sum(table.now_us for table in tables) - shown_us) / 1e6 / count
        return 100 * (used_s(tables) - before) / passed_s, shown_s / passed_s


def used_s(tables: list[Any]) -> float:
    """Processor time of this process and of the tables' devices."""
    return time.process_time() + sum(device_s(table) for table in tables)


def device_s(table: Any) -> float:
    """Processor time of a table's device; 0 where the system does not tell."""
    return sum(times(table), 0.0)


def times(table: Any) -> Iterator[float]:
    """User and system time of the device's process."""
    try:
        words = Path(f"/proc/{table.machine.process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return
    for word in words[11:13]:
        yield int(word) / os.sysconf("SC_CLK_TCK")
