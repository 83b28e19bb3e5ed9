"""Plays a whole tournament with virtual players through a real broker: each table is a client of its own, gets its
orders over the network, and offers its sealed records until their receipts have come.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.ports import free_port
from host_tools.club.tournament.director import Director, new_director
from host_tools.club.tournament.orders import Order
from host_tools.club.tournament.plan import FOOLS, KNOCK_OUT, Plan
from host_tools.club.tournament.rehearse import play_at_random
from host_tools.club.tournament.rounds import is_over, seat_round, still_in
from host_tools.club.wire import topics
from host_tools.club.wire.attend import event_of, make_desk
from host_tools.club.wire.courier import Courier
from host_tools.club.wire.link import Address, Link
from host_tools.club.wire.outbox import Outbox
from host_tools.club.wire.topics import Message
from host_tools.base.workers.pool import begin_behind, count_cores

START_S = 60.0  # for a broker to come up
WHO = "simulation"  # in the log
LAST_S = 30.0  # for the receipts of games that count already
EMBEDDED_PLAYERS = 800  # four at a table; with more tables the broker inside Cardtable loses clients
STALLED_S = 120.0  # without a receipt the simulation gives up


@dataclass
class Figures:
    """What was measured. Times are from the first offer of a record to its receipt at the table."""

    offers: int = 0
    receipts: int = 0
    known: int = 0  # records that had come before: offered again before their receipt was there
    refused: int = 0
    waits_s: list[float] = field(default_factory=list)

    def percentile(self, share: float) -> float:
        """Of the waits, in seconds."""
        ordered = sorted(self.waits_s)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class Table(Courier):
    """A table that is not there: it plays what is ordered, and reports as every table does."""

    def __init__(self, outbox: Outbox, event: str, name: str, figures: Figures,
                 play: Callable[[str, str], object]) -> None:
        """play(table, set-up): told of each new order."""
        super().__init__(outbox, event, name, "table")
        self.figures = figures
        self.play = play
        self.news = 0  # receipts so far
        self._offered_s: dict[str, float] = {}
        self._order = ""

    def due(self, now_s: float) -> tuple[list[Message], float]:
        """Note when a record is offered first."""
        messages, rest_s = super().due(now_s)
        for message in messages:
            self._offered_s.setdefault(topics.find_seal(message.payload), time.monotonic())
        self.figures.offers += len(messages)
        return messages, rest_s

    def take_receipt(self, table: str, payload: bytes) -> None:
        """Note how long it took."""
        said = topics.read_receipt(payload)
        super().take_receipt(table, payload)
        if said is not None and said[0] in self._offered_s:
            self.figures.waits_s.append(time.monotonic() - self._offered_s.pop(said[0]))
            self.figures.receipts += 1
            self.figures.known += said[1] == topics.KNOWN
            self.figures.refused += said[1] == topics.REFUSED
            self.news += 1

    def take_order(self, table: str, payload: bytes) -> None:
        """Sit down and play, once for each order."""
        said = topics.read_order(payload)
        if said is not None and said[0] and said[0] != self._order:
            self._order = said[0]
            self.play(table, said[1])


@dataclass
class Wishes:
    """The wishes of the command line."""

    players: int
    game: str = "durak throw-in"
    engine: str = "embedded"
    seed: int = 1
    jobs: int = 0
    keep: Path | None = None  # the database, kept afterwards


@contextlib.asynccontextmanager
async def broker_process(engine: str, home: Path) -> AsyncIterator[int]:
    """A real broker in a process of its own, on loopback; its port."""
    import socket

    port = free_port()
    call = [sys.executable, "-m", "host_tools.cli", "broker", "start", "--engine", engine, "--port", str(port),
            "--home", str(home)]
    path = os.pathsep.join(filter(None, sys.path))
    process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                               env={**os.environ, "PYTHONPATH": path})
    try:
        late_s = time.monotonic() + START_S
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if process.poll() is not None or time.monotonic() > late_s:
                raise UnusableInput(f"the broker ({engine}) did not start")
            await asyncio.sleep(0.05)
        yield port
    finally:
        process.terminate()
        try:
            await asyncio.to_thread(process.wait, 10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Simulation:
    """The director, its tables and their players, in one process; games are played by several."""

    def __init__(self, director: Director, port: int, wishes: Wishes, on_progress: Callable[[int, int, int], object],
                 on_news: Callable[[str], object]) -> None:
        """on_progress: told round, games counted and games of the round."""
        self.director = director
        self.wishes = wishes
        self.on_progress = on_progress
        self.address = Address("127.0.0.1", port)
        self.figures = Figures()
        self.event = event_of(director)
        self.outbox = Outbox(":memory:")
        self.tables: dict[str, tuple[Table, Link, asyncio.Task[None]]] = {}
        self.loop = asyncio.get_running_loop()
        self.thread = ThreadPoolExecutor(1, "tables")
        context = multiprocessing.get_context("spawn")
        self.pool = ProcessPoolExecutor(wishes.jobs or count_cores(), context, begin_behind)  # receipts go first
        self.desk = Link(make_desk(director), self.address, on_news)
        self.games = 0
        self._changed = asyncio.Event()

    async def run(self) -> list[str]:
        """All rounds; the names of the winners."""
        desk = asyncio.create_task(self.desk.run())
        try:
            while not is_over(self.director.state):
                await self.play_round()
        finally:
            for _, link, _ in self.tables.values():
                link.stop()
            self.desk.stop()
            await asyncio.gather(desk, *(task for _, _, task in self.tables.values()), return_exceptions=True)
            self.pool.shutdown(wait=True, cancel_futures=True)
            self.thread.shutdown()
            self.outbox.close()
        return still_in(self.director.state)

    async def play_round(self) -> None:
        """Seat the players, and wait until every game of the round has been counted and has its receipt. What takes
        the director's lock does so in a thread: receipts go out meanwhile."""
        one = await asyncio.to_thread(seat_round, self.director, WHO)
        total = sum(one.games for _ in one.groups)
        for name in one.groups:
            self.set_up(topics.to_name(name))
        self.desk.wake()
        counted, since_s = -1, time.monotonic()
        while True:
            missing = await asyncio.to_thread(self.count_missing)
            if total - missing != counted:
                counted, since_s = total - missing, time.monotonic()
                self.on_progress(one.number, counted, total)
            if not missing:
                break
            if time.monotonic() - since_s > STALLED_S:
                raise UnusableInput(f"round {one.number}: nothing came for {STALLED_S:g} s; {missing} games missing")
            await asyncio.sleep(0.05)
        self.games += total
        late_s = time.monotonic() + LAST_S
        while self.figures.receipts < self.games and time.monotonic() < late_s:
            await asyncio.sleep(0.05)  # the last receipts are on their way

    def count_missing(self) -> int:
        """How many games of the round have not been counted."""
        with self.director.looking() as state:
            return len(state.missing_keys(state.rounds[-1]))

    def set_up(self, name: str) -> None:
        """A table of that name is there from now on."""
        if name in self.tables:
            return
        table = Table(self.outbox, self.event, name, self.figures, self.play)
        link = Link(table, self.address, thread=self.thread)
        self.tables[name] = table, link, asyncio.create_task(link.run())

    def play(self, table: str, setup: str) -> None:
        """In the thread of the tables: have a process play the game."""
        header = dict(line.split(": ", 1) for line in setup.split("\n") if ": " in line)
        order = Order(header["table"], int(header["round"]), int(header.get("match_game", "1")), (), setup)
        future = self.pool.submit(play_at_random, order, self.wishes.seed)
        future.add_done_callback(lambda done: self.loop.call_soon_threadsafe(self.end_game, table, done))

    def end_game(self, table: str, done: Any) -> None:
        """The record is there: into the outbox, and the table offers it."""
        if done.cancelled():
            return
        record = done.result()
        added = self.thread.submit(self.outbox.add, record, table)
        added.add_done_callback(lambda _: self.loop.call_soon_threadsafe(self.tables[table][1].wake))


def make_tournament(path: Path, wishes: Wishes) -> Director:
    """A knock-out with that many players: the losers of a table leave until one player is left."""
    plan = Plan("Simulation", wishes.game, KNOCK_OUT, FOOLS, low=2, high=6, best=4, seed=wishes.seed)
    director = new_director(str(path), plan)
    everybody = [("player added", {"name": f"Player {number}", "club": "", "team": "", "has_paid": True})
                 for number in range(1, wishes.players + 1)]
    director.transact(WHO, lambda state: (everybody, [], None))
    return director


Beside = Callable[[Director], AbstractAsyncContextManager[object]]


async def simulate(wishes: Wishes, on_progress: Callable[[int, int, int], object], on_news: Callable[[str], object],
                   on_end: Callable[[list[str], dict[str, Any]], object], beside: Beside | None = None) -> None:
    """Play it. `on_end` is told the winners and what was measured; `beside` is what runs meanwhile, such as a server of
    the pages, and may stay afterwards. UnusableInput."""
    with tempfile.TemporaryDirectory(prefix="cardtable-") as passing:
        path = wishes.keep or Path(passing) / "simulation.sqlite"
        if path.exists():
            raise UnusableInput(f"{path} is there already")
        director = make_tournament(path, wishes)
        began_s = time.monotonic()
        with contextlib.closing(director):
            async with beside(director) if beside else contextlib.nullcontext():
                async with broker_process(wishes.engine, Path(passing) / "broker") as port:
                    simulation = Simulation(director, port, wishes, on_progress, on_news)
                    winners = await simulation.run()
                on_end(winners, measured(simulation, time.monotonic() - began_s))


def measured(simulation: Simulation, seconds: float) -> dict[str, Any]:
    """What the report says."""
    state, figures, wishes = simulation.director.state, simulation.figures, simulation.wishes
    return {
        "players": wishes.players, "tables": len(simulation.tables), "rounds": len(state.rounds),
        "games": simulation.games, "counted": len(state.results), "disputed": len(state.disputes),
        "refused": figures.refused, "offers": figures.offers, "receipts": figures.receipts, "again": figures.known,
        "broker": wishes.engine, "median_ms": round(1000 * figures.percentile(0.5), 1),
        "p99_ms": round(1000 * figures.percentile(0.99), 1), "seconds": round(seconds, 1),
    }


def choose_engine(players: int, engine: str) -> str:
    """The broker for so many. UnusableInput where the one inside Cardtable was asked for, or is all there is, and
    cannot carry them."""
    if players <= EMBEDDED_PLAYERS:
        return engine or "embedded"
    path = f"{os.environ.get('PATH', '')}:/usr/sbin"
    if engine == "mosquitto" or not engine and shutil.which("mosquitto", path=path):
        return "mosquitto"
    raise UnusableInput(f"the broker inside Cardtable carries {EMBEDDED_PLAYERS} players, not {players}: install"
                        " mosquitto, and take --engine mosquitto")


def run(wishes: Wishes, say: Callable[[str], object], beside: Beside | None = None) -> int:
    """With progress and a report; 0 if every game was counted once."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    codes = []
    with Progress(*columns, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("Seating")

        def show(number: int, counted: int, total: int) -> None:
            progress.update(task, description=f"Round {number}", completed=counted, total=total)

        def end(winners: list[str], told: dict[str, Any]) -> None:
            progress.stop()
            report(winners, told, wishes, say)
            codes.append(int(told["counted"] != told["games"] or bool(told["disputed"])))

        asyncio.run(simulate(wishes, show, lambda text: None, end, beside))
    return codes[0]


def report(winners: list[str], told: dict[str, Any], wishes: Wishes, say: Callable[[str], object]) -> None:
    """In sentences."""
    say(f"{', '.join(winners)} won: {told['players']} players, {told['rounds']} rounds, {told['games']} games at"
        f" {told['tables']} tables in {told['seconds']} s.")
    say(f"Broker {told['broker']}: {told['offers']} offers, {told['receipts']} receipts, {told['again']} of records"
        f" that had come before; a receipt took {told['median_ms']:g} ms, 99 of 100 at most {told['p99_ms']:g} ms.")
    say(f"{told['counted']} counted, {told['disputed']} disputed, {told['refused']} refused,"
        f" {told['games'] - told['counted']} lost.")
    if wishes.keep is not None:
        say(f"The tournament is in {foreign.shorten(str(wishes.keep), 200)}.")
