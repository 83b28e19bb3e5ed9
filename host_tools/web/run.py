"""Runs a table with its server until Ctrl-C; without a terminal it plays one game by itself and ends."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import signal
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from aiohttp import web

from host_tools import foreign
from host_tools.errors import UnusableInput
from host_tools.play.seating import BOT, BOT_NAMES, DEFAULT_BOT, GUEST, HERE, PHONE
from host_tools.play.table import LiveTable
from host_tools.web.acts import NotAllowed, write_setup
from host_tools.web.desk import Desk
from host_tools.web.server import LOOPBACK, PORT, PORTS, make_app
from host_tools.web.visitor import visit

LEAVE = "Ctrl-C ends it; the game stays where it is and goes on next time."
TABLE = "table-"
CPYTHON = "There is no MicroPython on this machine, so the firmware runs inside Python."


@dataclass
class Wishes:
    """What the command line asks for."""

    game: str = ""
    seats: list[tuple[str, str]] | None = None
    board: str = "virtual"
    seed: int = 0
    speed: float = 1.0
    port: int = 0
    lan: bool = False
    browser: bool = True
    games: Path = Path("games")
    language: str = "en"
    runtime: str = ""
    alone: bool = False  # no terminal: play one game and end


def lock(folder: Path) -> TextIO:
    """This table's folder is ours until the file is closed. UnusableInput if another table runs there."""
    folder.mkdir(parents=True, exist_ok=True)
    file = open(folder / "lock", "w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise UnusableInput(f"another table runs in {folder}: use another --port or --games") from None
    return file


def open_socket(host: str, port: int) -> socket.socket:
    """Listen at that port, or at the first free one from PORT on. UnusableInput."""
    for number in [port] if port else range(PORT, PORT + PORTS):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
            listener.listen(64)
            return listener
        except OSError as wrong:
            listener.close()
            if port:
                raise UnusableInput(f"port {port} cannot be used: {wrong.strerror or wrong}") from wrong
    raise UnusableInput(f"ports {PORT} to {PORT + PORTS - 1} are all in use: name one with --port")


def own_address() -> str:
    """This computer's address in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with contextlib.suppress(OSError):
            probe.connect(("192.0.2.1", 9))  # RFC 5737: an address for documentation
            return str(probe.getsockname()[0])
    return LOOPBACK


def prepare(table: LiveTable, wishes: Wishes) -> None:
    """Seat people, and have the table begin with the game that was asked for. UnusableInput."""
    seats = wishes.seats
    if seats:
        for seat, (name, who) in enumerate(seats, 1):
            if table.seating.chairs[seat].who != who or table.seating.chairs[seat].name != name:
                table.seating.sit(seat, who, name)
    if not wishes.game:
        return
    if (table.flash / "next.txt").exists() or has_game(table):
        raise UnusableInput(
            f"a game is under way in {table.folder}: leave out --game to go on with it, or name other --games")
    seats = seats or [(GUEST[table.language], HERE), *((name, DEFAULT_BOT) for name in BOT_NAMES[:3])]
    for seat, (name, who) in enumerate(seats, 1):
        table.seating.sit(seat, who, name)
    try:
        setup = write_setup(wishes.game, [name for name, _ in seats], len(seats), len(table.hands))
    except NotAllowed as wrong:
        raise UnusableInput(str(wrong)) from wrong
    (table.flash / "next.txt").write_text(setup, encoding="utf-8")


def has_game(table: LiveTable) -> bool:
    """Whether an unfinished game lies on the flash."""
    from cardtable.between.archive import has_unfinished

    return has_unfinished(str(table.follower.folder))


def greet(table: LiveTable, address: str, say: Callable[[str], None]) -> None:
    """The address, who sits where, how to leave."""
    say(f"Your table: {address}/#{table.seating.host}")
    for seat, chair in table.seating.chairs.items():
        if chair.who == PHONE:
            say(f"  seat {seat}, {chair.name}: {address}/#{chair.secret}")
        elif chair.who == HERE or chair.who.startswith(BOT):
            say(f"  seat {seat}, {chair.name}: {'this browser' if chair.who == HERE else 'a virtual player'}")
    say(LEAVE)


@contextlib.asynccontextmanager
async def opened(wishes: Wishes, say: Callable[[str], None]) -> AsyncIterator[tuple[LiveTable, Desk, str]]:
    """A table that is served: the table, its desk and its address. UnusableInput."""
    listener = open_socket("0.0.0.0" if wishes.lan else LOOPBACK, wishes.port)
    port = listener.getsockname()[1]
    folder = wishes.games / f"{TABLE}{port}"
    with contextlib.closing(listener), lock(folder):
        table = LiveTable(folder, board=wishes.board, language=wishes.language, seed=wishes.seed, speed=wishes.speed,
                          runtime=wishes.runtime, library=wishes.games, on_line=complain)
        prepare(table, wishes)
        address = f"http://{own_address() if wishes.lan else LOOPBACK}:{port}"
        desk = Desk(table, asyncio.get_running_loop(), lambda line: say(line["text"]))
        names = {f"{LOOPBACK}:{port}", f"localhost:{port}", address.partition("//")[2]}
        runner = web.AppRunner(make_app(desk, frozenset(names), address, wishes.games), access_log=None)
        await runner.setup()
        await web.SockSite(runner, listener).start()
        table.start()
        try:
            yield table, desk, address
        finally:
            await runner.cleanup()
            await asyncio.to_thread(table.close)


async def serve(wishes: Wishes, say: Callable[[str], None]) -> int:
    """Everything, until somebody ends it; the exit code."""
    async with opened(wishes, say) as (table, _, address):
        return await stay(table, wishes, address, say)


def complain(line: str) -> None:
    """What the firmware says about a bug goes to standard error."""
    if line.startswith(("bug: ", "Traceback", "The device")):
        foreign.say(line, err=True)


async def stay(table: LiveTable, wishes: Wishes, address: str, say: Callable[[str], None]) -> int:
    """Greet and wait for Ctrl-C; alone: play a game as a browser would."""
    if table.runtime == "cpython":
        say(CPYTHON)
    if wishes.alone:
        return await visit(address, table.seating.host, wishes.seed, say)
    greet(table, address, say)
    if wishes.browser:
        with contextlib.suppress(webbrowser.Error):
            await asyncio.to_thread(webbrowser.open, f"{address}/#{table.seating.host}")
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    await ended.wait()
    say("")
    return 0


def run(wishes: Wishes) -> int:
    """Serve a table; the exit code."""
    return asyncio.run(serve(wishes, foreign.say))
