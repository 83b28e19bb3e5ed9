"""Attacks a served table, in a process of its own on this machine, as a visitor with a script would, and says how long
its players waited meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.lab.fuzz.stranger import WORKS, storm
from host_tools.base.project import ROOT
from host_tools.play.seating import KNOCK

LINK = re.compile(r"(http://\S+)/#([\w-]+)")
START_S = 120.0
STORM_S = 5.0  # from its first word until all of the storm is there
ASK_S = 60.0  # longer than any answer may take; then it counts as this
GET_IN_MS, ACK_MS, PAGE_MS = 1000.0, 50.0, 500.0
LINES = 10  # on the terminal of the host
GROWTH = 0.10  # of memory, once the attack is over
MEMORY_MB = 200.0


@dataclass
class Figures:
    """What players waited for, in ms, and what the server said and kept."""

    waits: dict[str, list[float]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    before_mb: float = 0.0
    most_mb: float = 0.0
    after_mb: float = 0.0
    alive: bool = True
    did: dict[str, int] = field(default_factory=dict)  # how often each part of the attack got through
    is_attacked: bool = True  # to the end

    def note(self, what: str, seconds: float) -> None:
        """One more wait."""
        self.waits.setdefault(what, []).append(1000 * seconds)

    def wrong(self) -> list[str]:
        """A sentence for each bar that was missed, or for which nothing was measured."""
        bars = {"get in": GET_IN_MS, "ack": ACK_MS, "page": PAGE_MS, "rule": PAGE_MS}
        found = [f"{what}: {max(waits):.0f} ms, the bar is {bars[what.split(':')[0]]:.0f}"
                 for what, waits in self.waits.items() if max(waits) > bars[what.split(":")[0]]]
        measured = {what.split(":")[0] for what in self.waits}
        found += [f"{what}: nobody waited for it, so nothing was measured" for what in bars if what not in measured]
        found += [f"the attack did nothing: {what} never got through" for what, count in self.did.items() if not count]
        if not self.is_attacked:
            found.append("the attack ended before its time")
        if not self.before_mb or not self.most_mb or not self.after_mb:
            found.append("memory: nothing was measured")
        if len(self.lines) > LINES or any("Traceback" in line for line in self.lines):
            found.append(f"{len(self.lines)} lines on the terminal, the bar is {LINES} and no traceback")
        if self.after_mb > self.before_mb * (1 + GROWTH):
            found.append(f"memory {self.before_mb:.0f} MB before, {self.after_mb:.0f} after")
        if self.most_mb > MEMORY_MB:
            found.append(f"memory {self.most_mb:.0f} MB, the bar is {MEMORY_MB:.0f}")
        return found if self.alive else [*found, "the server has ended"]

    def tell(self) -> list[str]:
        """All of it as lines."""
        rows = [f"{what}: median {sorted(waits)[len(waits) // 2]:.0f} ms, worst {max(waits):.0f} ms of {len(waits)}"
                for what, waits in self.waits.items()]
        rows += [f"{what}: got through {count} times" for what, count in self.did.items()]
        return [*rows, f"memory: {self.before_mb:.0f} MB before, at most {self.most_mb:.0f}, {self.after_mb:.0f} after",
                f"lines on the terminal: {len(self.lines)}"]


class Target:
    """A table that is served by a process of its own, with a record to analyse, and a link for one seat."""

    def __init__(self, folder: Path, record: Path | None) -> None:
        if record is not None:
            shutil.copy(record, folder / "longest.rec")
        words = [sys.executable, "-m", "host_tools.cli", "play", "--no-browser", "--games", str(folder),
                 "--seats", "Anna,phone:Boris", "--game", "durak throw-in"]
        # A pseudo terminal: without one it would play a game of its own and end.
        self.errors = open(folder / "errors.txt", "wb+")
        self.terminal, inside = os.openpty()
        self.process = subprocess.Popen(words, cwd=ROOT, stdin=inside, stdout=inside, stderr=self.errors,
                                        env={**os.environ, "PYTHONMALLOC": "malloc"})  # as in docs/service/
        os.close(inside)
        self.address = self.host = self.seat = ""
        self._read_links()

    def _read_links(self) -> None:
        said, late_s = "", time.monotonic() + START_S
        os.set_blocking(self.terminal, False)
        while len(LINK.findall(said)) < 2 or not said.endswith("\n"):
            with contextlib.suppress(OSError):  # nothing yet, or its end of the terminal is gone
                said += os.read(self.terminal, 65536).decode("utf-8", "replace")
            if self.process.poll() is not None or time.monotonic() > late_s:
                raise UnusableInput(f"the table did not start: {foreign.shorten(said + ''.join(self.lines()), 300)}")
            time.sleep(0.05)
        (self.address, self.host), (_, self.seat) = LINK.findall(said)[:2]

    @property
    def port(self) -> int:
        """The first free one, which the table has taken itself."""
        return int(self.address.rpartition(":")[2])

    def memory_mb(self) -> float:
        """Of the server and of its process for analyses, not of the virtual board."""
        own = Path(f"/proc/{self.process.pid}")
        with contextlib.suppress(UnusableInput):
            numbers = foreign.read_text(own / "task" / own.name / "children").split()
            return resident_mb(own) + sum(resident_mb(Path("/proc") / number) for number in numbers)
        return 0.0

    def lines(self) -> list[str]:
        """What it said on standard error."""
        self.errors.flush()
        return foreign.read_lines(self.errors.name)

    def close(self) -> None:
        """End it."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.terminal)
        self.errors.close()


def resident_mb(process: Path) -> float:
    """The memory of a process of Python; 0 for one that is gone, or is the virtual board."""
    try:
        words = foreign.read_bytes(process / "cmdline")
        if b"multiprocessing" not in words and b"host_tools.cli" not in words:
            return 0.0
        found = re.search(r"VmRSS:\s+(\d+) kB", foreign.read_text(process / "status"))
    except UnusableInput:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


class Player:
    """A page of somebody with a right secret."""

    def __init__(self, target: Target, secret: str) -> None:
        self.target, self.secret, self.count = target, secret, 0
        self.socket: Any = None

    async def get_in(self, session: aiohttp.ClientSession) -> None:
        """Connect, and be welcomed by the right role."""
        address = f"{self.target.address}/ws?knock={self.secret[:KNOCK]}"
        self.socket = await session.ws_connect(address, max_msg_size=1 << 20)
        await self.socket.send_json({"type": "hello", "secret": self.secret, "client": secrets.token_hex(8)})
        told = await self.hear("welcome")
        if told["role"] == "public":
            raise ConnectionError("a right secret was taken for a spectator's")
        self.count = 0

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next message of that type. ConnectionError if it hangs up."""
        while True:
            message = await self.socket.receive()
            if message.type != aiohttp.WSMsgType.TEXT:
                raise ConnectionError(f"the table hung up: {message.data}")
            told: dict[str, Any] = json.loads(message.data)
            if told["type"] == kind:
                return told
            if told["type"] == "error":
                raise ConnectionError(told["why"])

    async def act(self) -> None:
        """An act that is refused: the answer comes from the table's thread all the same."""
        self.count += 1
        await self.socket.send_json({"type": "act", "n": self.count, "do": "tap", "seat": 1, "card": "ZZ"})
        await self.hear("ack")

    async def rule(self) -> None:
        """Ask for a rule."""
        await self.socket.send_json({"type": "rule", "rule": "D7"})
        await self.hear("rule")


async def timed(figures: Figures, what: str, work: Awaitable[Any]) -> None:
    """Note how long it took; what never comes counts as ASK_S."""
    begun_s = time.monotonic()
    try:
        await asyncio.wait_for(work, ASK_S)
        figures.note(what, time.monotonic() - begun_s)
    except (ConnectionError, aiohttp.ClientError, OSError, asyncio.TimeoutError, TimeoutError):
        figures.note(what, ASK_S)


async def play_meanwhile(target: Target, figures: Figures, seconds: float) -> None:
    """The host stays and acts; host and seat come again each second, and somebody opens the page."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(force_close=True)) as session:
        host = Player(target, target.host)
        await host.get_in(session)
        ends_s = time.monotonic() + seconds
        while time.monotonic() < ends_s:
            for who, secret in (("host", target.host), ("seat", target.seat)):
                again = Player(target, secret)
                await timed(figures, f"get in: {who}", again.get_in(session))
                if again.socket is not None:
                    await again.socket.close()
            await timed(figures, "ack", host.act())
            await timed(figures, "rule", host.rule())
            await timed(figures, "page", read(session, target.address))
            figures.most_mb = max(figures.most_mb, target.memory_mb())
            await asyncio.sleep(1)


async def read(session: aiohttp.ClientSession, address: str) -> None:
    """Read the page to its end."""
    async with session.get(f"{address}/") as answer:
        await answer.read()


async def attack(target: Target, seconds: float, sockets: int, spectators: int, visitors: int) -> Figures:
    """All of it at once, for so long; then what is left of it."""
    figures = Figures()
    await play_meanwhile(target, Figures(), 1.0)  # what is loaded once is there
    figures.before_mb = target.memory_mb()
    spawn = multiprocessing.get_context("spawn")
    done = spawn.Array("L", len(WORKS), lock=False)
    stranger = spawn.Process(
        target=storm, args=(target.port, sockets, spectators, visitors, done), daemon=True)
    stranger.start()
    wanted = [at for at, count in enumerate((sockets, spectators, visitors)) if count]
    late_s = time.monotonic() + START_S  # on a busy computer its process alone may take as long as all that follows
    while not all(done[at] for at in wanted) and stranger.is_alive() and time.monotonic() < late_s:
        await asyncio.sleep(0.1)
    await asyncio.sleep(min(STORM_S, seconds))
    try:
        await play_meanwhile(target, figures, seconds)
    finally:
        figures.is_attacked = stranger.is_alive()
        figures.did = {WORKS[at]: done[at] for at in wanted}
        stranger.kill()
        stranger.join()
    late_s = time.monotonic() + START_S  # the process for analyses ends once it has been idle
    while (now_mb := target.memory_mb()) > figures.before_mb * (1 + GROWTH) and time.monotonic() < late_s:
        await asyncio.sleep(1)
    figures.after_mb, figures.alive = now_mb, target.process.poll() is None
    figures.lines = target.lines()
    return figures


def run(seconds: float, sockets: int, spectators: int, visitors: int, record: Path | None) -> Figures:
    """Start a table, attack it, end it. UnusableInput if it does not start."""
    with tempfile.TemporaryDirectory(prefix="cardtable-") as folder:
        target = Target(Path(folder), record)
        try:
            return asyncio.run(attack(target, seconds, sockets, spectators, visitors))
        finally:
            target.close()
