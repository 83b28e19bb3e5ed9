"""Measures a hall: how many tables of virtual players, at the speed of people, fit on this machine.

`cardtable bench --hall 64` starts `cardtable hall`, waits until every table plays, and says what tables take of a core
and of memory (pages that several share counted in parts: PSS), and how long MENU takes to the screen in a browser, ten
times, in the lobby of one more table. Linux alone: it reads /proc.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import aiohttp

from host_tools.base.errors import UnusableInput
from host_tools.play.seating import KNOCK
from host_tools.play.web.visitor import Visitor

LINK = re.compile(rb"(http://127\.0\.0\.1:\d+)/#(\S+)")
PLAYS = ("--game", "durak throw-in", "--seats", "bot,bot,bot,bot")
PORT, ONE_MORE = 19137, 19237
PLAY_S = 60.0
PRESSES = 10
PAUSE_S = 0.5  # between two presses
SETTLE_S = 10.0  # until the tables have come up and dealt
PATIENCE_S = 240.0


@contextlib.contextmanager
def hall(folder: Path, count: int, port: int, *more: str) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """A hall of so many tables: its process, address and secret of each. more: options. UnusableInput where fewer come
    up."""
    words = [sys.executable, "-m", "host_tools.cli", "hall", str(count), "--port", str(port), "--games", str(folder),
             *more]
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        found: list[tuple[str, str]] = []
        for line in process.stdout:
            if match := LINK.search(line):
                found.append((match[1].decode(), match[2].decode()))
            if len(found) == count:
                break
        if len(found) < count:
            raise UnusableInput(f"cardtable hall: {len(found)} of {count} tables came up at port {port}")
        yield process.pid, found
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_S)
        process.stdout.close()


def list_below(root: int) -> list[int]:
    """A process and all that it started, and what these did."""
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents.setdefault(int(path.read_text().rpartition(")")[2].split()[1]), []).append(int(path.parent.name))
    found = [root]
    for one in found:
        found += parents.get(one, [])
    return found


def used_s(processes: list[int]) -> float:
    """Their processor time."""
    return sum(int(word) for one in processes
               for word in Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[11:13]
               ) / os.sysconf("SC_CLK_TCK")


def kept_mb(process: int) -> float:
    """Its memory, PSS."""
    rows = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("Pss:")) / 1024


async def time_menu(address: str, secret: str) -> list[float]:
    """Milliseconds from when MENU of the first place goes down in the host's page until another text stands on the
    screen, in the lobby."""
    async with aiohttp.ClientSession() as session, session.ws_connect(
            f"{address}/ws?knock={secret[:KNOCK]}", max_msg_size=1 << 20) as socket:
        visitor, ways = Visitor(socket), []
        await visitor.hello(secret)
        while visitor.told.get("table", {}).get("phase") != "lobby" or "screen" not in visitor.told:
            await visitor.hear()
        for _ in range(PRESSES):
            before = visitor.told["screen"]["text"]
            begun_s = time.monotonic()
            await visitor.act("hold", seat=1, key="MENU")
            while visitor.told["screen"]["text"] == before:
                await visitor.hear()
            ways.append(1000 * (time.monotonic() - begun_s))
            await visitor.act("release", seat=1, key="MENU")
            await hear_for(visitor, PAUSE_S)
        return ways


async def hear_for(visitor: Visitor, seconds: float) -> None:
    """Take what is said for so long."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while True:
                await visitor.hear()


def tell(count: int, say: Callable[[str], None], seconds: float = PLAY_S) -> None:
    """Measure, and say it in two sentences. UnusableInput."""
    if not Path("/proc/self/smaps_rollup").exists():
        raise UnusableInput("a hall is measured on Linux alone: what its processes take stands in /proc")
    with tempfile.TemporaryDirectory(prefix="cardtable-") as folder, hall(Path(folder), count, PORT, *PLAYS) as playing:
        root, found = playing
        time.sleep(SETTLE_S)
        processes = list_below(root)
        before_s, begun_s = used_s(processes), time.monotonic()
        time.sleep(seconds)
        share = 100 * (used_s(processes) - before_s) / (time.monotonic() - begun_s)
        kept = sum(map(kept_mb, processes))
        with hall(Path(folder), 1, ONE_MORE) as (_, one_more):
            ways = asyncio.run(time_menu(*one_more[0]))
    say(f"{len(found)} tables, {len(processes)} processes: {share:.0f} % of a core, {share / len(found):.2f} % a table;"
        f" {kept:.0f} MB in all, {kept / len(found):.1f} MB a table")
    say(f"MENU to screen at one more, {PRESSES} times:"
        f" median {statistics.median(ways):.0f} ms, worst {max(ways):.0f} ms")
