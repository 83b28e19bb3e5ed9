"""The bridge on a laptop: finds sealed records, keeps them until the director has them, and brings orders to tables."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from host_tools.base.errors import UnusableInput
from host_tools.base.locks import alone_in
from host_tools.club.wire import topics
from host_tools.club.wire.courier import Courier
from host_tools.club.wire.link import Address, Link
from host_tools.club.wire.outbox import WAITING, Outbox
from host_tools.club.wire.sources import Folder, Known, Port, VirtualTables, check_setup
from host_tools.club.wire.topics import GONE, HERE, PLAYING, Message
from host_tools.club.wire.watched import watched
from host_tools.play.web.metrics import Gauges

SCAN_S = 2.0  # how often folders are looked at
ALONE_S = 10.0  # connected without having heard a director: it is said then
FILE = "outbox.sqlite"
RECORDS = "records"  # below the bridge's folder: what came from serial ports
RECORD_FIGURES = {
    WAITING: "records without a receipt",
    topics.COUNTED: "records that count",
    topics.KNOWN: "records that the director had already",
    topics.DISPUTED: "records that wait for the arbiter",
    topics.REFUSED: "records that the director refused",
}


@dataclass
class Wishes:
    """The wishes of the command line."""

    event: str
    address: Address
    home: Path  # the bridge's own folder
    name: str = "bridge"
    folders: list[Path] = field(default_factory=list)
    ports: dict[str, str] = field(default_factory=dict)  # port: the name of its table, or nothing
    usb: bool = False  # also every USB port that there is, or comes to be there
    table: str = ""  # the name for records whose header says none
    again: bool = False
    once: bool = False  # end when nothing waits any more
    patience_s: float = 60.0  # with `once`: how long to wait for receipts
    metrics: int = 0  # the port of this computer that answers /health and /metrics


class Bridge(Courier):
    """A courier that fills its outbox by itself, and hands orders on to tables."""

    def __init__(self, outbox: Outbox, wishes: Wishes, on_news: Callable[[str], object]) -> None:
        super().__init__(outbox, wishes.event, wishes.name, on_news=on_news)
        folders = list(wishes.folders)
        if wishes.ports or wishes.usb:
            folders.append(wishes.home / RECORDS)
        self.sources = [Folder(folder, wishes.table, on_news) for folder in folders]
        self.tables = [VirtualTables(folder) for folder in wishes.folders]
        self.wanted: dict[str, tuple[str, str]] = {}  # read by the threads of ports; replaced as a whole
        self.ports: dict[str, Port] = {}
        self.known: dict[str, Known] = {}  # tables that were seen at ports, each by its mark
        self.is_done = threading.Event()  # everything that was found has its receipt
        # What lies beside a table that did not run may be another tournament's, or taken back meanwhile.
        self._brought = {table: "" for tables in self.tables for table in tables.list_laid()}
        self._told: dict[str, Message] = {}  # the state of each table at a port, as the broker has it
        self._alone_since_s: float | None = None  # connected, and no director heard
        self._said_alone = False

    def hello(self) -> list[Message]:
        """All states are told again: the broker may have lost them."""
        self._told.clear()
        self._alone_since_s = None
        return super().hello()

    def due(self, now_s: float) -> tuple[list[Message], float]:
        """Look at the folders first."""
        for source in self.sources:
            source.gather(self.outbox)
        self.wanted = self.outbox.orders(self.event)
        self.bring_orders()
        self.tell_alone(now_s)
        messages, rest_s = super().due(now_s)
        messages += self.tell_states()
        if not self.outbox.waiting(1):
            self.is_done.set()  # read by another thread, which clears it once every port was tried
        return messages, min(rest_s, SCAN_S)

    def tell_alone(self, now_s: float) -> None:
        """Say once that no director answers to this name: one wrong letter, and every game would wait in silence."""
        if self.sees_director:
            self._alone_since_s, self._said_alone = None, False
        elif self._alone_since_s is None:
            self._alone_since_s = now_s
        elif now_s - self._alone_since_s >= ALONE_S and not self._said_alone:
            self._said_alone = True
            self.on_news(f"no director of {self.event} is at this broker: games wait. `cardtable tournament attend`"
                         " says the tournament's name here when it starts")

    def tell_states(self) -> list[Message]:
        """The states of the tables at ports that have changed. A table that was exchanged for another one is gone."""
        states = {name: topics.state_of(self.event, "table", name, GONE, bridge=self.name) for name in self._told}
        for port in list(self.ports.values()):
            if port.table:
                more = {"weak": port.weak} if port.weak else {}
                states[port.table] = topics.state_of(
                    self.event, "table", port.table, port.state, bridge=self.name, order=port.brought,
                    waits=str(self.outbox.count_waiting(port.table)), **more)
        news = [message for name, message in states.items() if self._told.get(name) != message]
        self._told = states
        return news

    def bring_orders(self) -> None:
        """Virtual tables get theirs, each order once; say so once the table has taken it."""
        for table in [table for table in self._brought if table not in self.wanted]:
            del self._brought[table]
            for tables in self.tables:
                tables.take_back(table)
        for table, (number, setup) in self.wanted.items():
            brought = self._brought.get(table, "")
            try:
                if brought.lstrip("! ") != number:
                    checked = check_setup(setup, table)
                    if any([tables.bring(table, checked) for tables in self.tables]):
                        self._brought[table] = f"! {number}"
                elif brought != number and all(tables.is_taken(table) for tables in self.tables):
                    self._brought[table] = number
                    self.on_news(f"{table}: the table proposes {number}")
            except (UnusableInput, OSError) as trouble:
                self._brought[table] = number  # it is said once
                self.on_news(str(trouble))


@contextlib.contextmanager
def alone(wishes: Wishes) -> Iterator[None]:
    """Its outbox, and the orders in its folders of games, are this bridge's until the block ends. UnusableInput where
    another bridge works on one of them: it would take its orders back, or have tables propose them twice."""
    told = "another bridge runs in {}: end it, or {}"
    with contextlib.ExitStack() as stack:
        stack.enter_context(alone_in(wishes.home, told.format(wishes.home, "say another --home and --name")))
        shared = {folder.resolve() for folder in wishes.folders if os.access(folder, os.W_OK)}
        for folder in sorted(shared - {wishes.home.resolve()}):
            stack.enter_context(alone_in(folder, told.format(folder, "name another --folder")))
        yield


async def serve(wishes: Wishes, say: Callable[[str], object]) -> int:
    """Until somebody ends it, or with `once` until nothing waits; 1 if something has no receipt, or was refused.
    UnusableInput where another bridge works in its folders."""
    with alone(wishes), contextlib.closing(Outbox(wishes.home / FILE)) as outbox, \
            contextlib.closing(Outbox(wishes.home / FILE)) as looked_at:
        if wishes.again:
            say(f"{outbox.offer_again(disputed=True)} records are offered again")
        bridge = Bridge(outbox, wishes, say)
        link = Link(bridge, wishes.address, say)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, link.stop)
        ports = bridge.ports

        def follow(port: str, name: str) -> None:
            ports[port] = Port(port, wishes.home / RECORDS, lambda: bridge.wanted, name, say, bridge.known)
            ports[port].start()

        for port, name in wishes.ports.items():
            follow(port, name)
        seeker = asyncio.create_task(seek_ports(ports, follow)) if wishes.usb else None
        waiter = asyncio.create_task(end_when_done(bridge, link, ports, wishes.patience_s)) if wishes.once else None
        try:
            async with watched(link, list_figures(bridge, looked_at), wishes.metrics, say):
                await link.run()
        finally:
            for task in (waiter, seeker):
                if task is not None:
                    task.cancel()
            for one in ports.values():
                one.ends.set()
        return tell(outbox, say) or int(any(source.left_out for source in bridge.sources))


def list_figures(bridge: Bridge, outbox: Outbox) -> Gauges:
    """What /metrics says of a bridge. outbox: its file once more, for the thread that answers."""

    def count_records(status: str) -> int:
        return outbox.counts().get(status, 0)

    def count_ports(*states: str) -> int:
        return sum(port.state in states for port in list(bridge.ports.values()))

    return {
        "director": ("whether the director was heard on this connection", lambda: bridge.sees_director),
        "tables": ("tables whose records have come here", lambda: len(outbox.tables())),
        "tables_connected": ("tables at serial ports that are there", lambda: count_ports(HERE, PLAYING)),
        "tables_playing": ("of them, those at which a game goes on", lambda: count_ports(PLAYING)),
        "orders": ("set-ups that the director wants played", lambda: len(outbox.orders(bridge.event))),
        **{f"records_{status}": (told, functools.partial(count_records, status))
           for status, told in RECORD_FIGURES.items()},
    }


async def seek_ports(ports: Mapping[str, Port], follow: Callable[[str, str], object]) -> None:
    """Follow each USB port that nobody follows yet, as soon as it is there. One that goes away is followed still, until
    its table comes back."""
    from host_tools.maker.device.ports import list_ports

    while True:
        for port in await asyncio.to_thread(list_ports):
            if port not in ports:
                follow(port, "")
        await asyncio.sleep(SCAN_S)


async def end_when_done(bridge: Bridge, link: Link, ports: Mapping[str, Port], patience_s: float) -> None:
    """Stop the link when every port was tried and everything has its receipt, or after so long."""
    late_s = asyncio.get_running_loop().time() + patience_s
    while not all(port.has_tried.is_set() for port in ports.values()) and asyncio.get_running_loop().time() < late_s:
        await asyncio.sleep(0.05)
    bridge.is_done.clear()
    link.wake()
    while not bridge.is_done.is_set() and asyncio.get_running_loop().time() < late_s:
        await asyncio.sleep(0.05)
    link.stop()


def tell(outbox: Outbox, say: Callable[[str], object]) -> int:
    """Say how it stands; 1 if a person should look."""
    counts = outbox.counts()
    say(", ".join(f"{count} {status}" for status, count in counts.items()) or "no records")
    for table, source, status, reason in outbox.told():
        say(f"{table}: {status}: {source}: {reason}")
    return int(bool(counts.get(WAITING) or counts.get(topics.REFUSED)))
