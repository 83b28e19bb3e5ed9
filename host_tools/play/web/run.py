"""Runs a table with its server until Ctrl-C; without a terminal it plays one game by itself and ends."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable

from aiohttp import web

from host_tools.base import foreign
from host_tools.base.arenas import settle
from host_tools.play.seating import BOT, HERE, PHONE
from host_tools.play.readers import pcsc
from host_tools.play.readers.real import RealTable
from host_tools.play.readers.usb import UsbReaders
from host_tools.play.start import REAL, TABLE, Wishes, complain, lock, prepare, sit_down
from host_tools.play.table import LiveTable
from host_tools.play.web import door
from host_tools.play.web.coming import print_code
from host_tools.play.web import serve as ground
from host_tools.play.web.desk import Desk
from host_tools.play.web.feed import TAP, FeedTap
from host_tools.play.web.place import Place
from host_tools.play.web.server import make_app
from host_tools.play.web.visitor import visit
from host_tools.play.wording import Wording


def greet(table: LiveTable, address: str, say: Callable[[str], None]) -> None:
    """The address, who sits where, how to leave."""
    words = Wording(table.language)
    say(words.say("address", link=f"{address}/#{table.seating.host}"))
    if table.is_real and "://127." not in address:
        link = f"{address}/#{table.seating.join}"
        say(words.say("join", link=link))
        for row in print_code(link).splitlines():
            say(row)
        if address.startswith("https:"):
            say(words.say("self-signed"))
    for seat, chair in table.seating.chairs.items():
        if chair.who == PHONE:
            say("  " + words.say("sits.link", seat=seat, name=chair.name, link=f"{address}/#{chair.secret}"))
        elif chair.who == HERE:
            say("  " + words.say("sits.browser", seat=seat, name=chair.name))
        elif chair.who.startswith(BOT):
            say("  " + words.say("sits.bot", seat=seat, name=chair.name))
    say(words.say("leave"))


@contextlib.asynccontextmanager
async def opened(
    wishes: Wishes, say: Callable[[str], None], extend: Callable[[web.Application], None] = lambda app: None,
    make: type[LiveTable] = LiveTable,
) -> AsyncIterator[tuple[LiveTable, Desk, str]]:
    """A table that is served: the table, its desk and its address. extend: adds pages to its server. make: what a table
    is whose cards are not real. UnusableInput."""
    scard = pcsc.load() if wishes.readers else None
    place = Place(wishes.port, wishes.lan, wishes.address, wishes.https)
    listener = ground.open_place(place)
    folder = wishes.games / f"{REAL if wishes.real else TABLE}{listener.getsockname()[1]}"
    with contextlib.closing(listener), lock(folder):
        table = (RealTable if wishes.real else make)(
            folder, board=wishes.board, language=wishes.language, seed=wishes.seed, speed=wishes.speed,
            runtime=wishes.runtime, library=wishes.games, on_line=complain)
        table.machine.stands_still = wishes.stands_still
        prepare(table, wishes)
        sit_down(table)
        # A page that was open before a restart takes the new lines as new.
        table.known.feed.number_from(int(time.time()) * 1000)
        desk = Desk(table, asyncio.get_running_loop(), lambda line: say(line["text"]))
        desk.is_open = wishes.lan or bool(wishes.address)
        table.seating.waits_for_phones = wishes.waits_for_phones
        app = make_app(desk, wishes.games, extend)
        app[TAP] = tap = FeedTap(table, desk.loop)
        app.on_shutdown.append(tap.close)
        usb = UsbReaders(table, scard, say) if isinstance(table, RealTable) and scard is not None else None
        table.start()
        if usb is not None:
            usb.begin()
        try:
            async with ground.opened(app, place, listener, table.bugs) as address:
                desk.address = address
                yield table, desk, address
        finally:
            if usb is not None:
                usb.close()
            await asyncio.to_thread(table.close)


async def serve(wishes: Wishes, say: Callable[[str], None], extend: Callable[[web.Application], None]) -> int:
    """Everything, until somebody ends it; the exit code."""
    async with opened(wishes, say, extend) as (table, _, address):
        return await stay(table, wishes, address, say)


async def stay(table: LiveTable, wishes: Wishes, address: str, say: Callable[[str], None]) -> int:
    """Greet and wait for Ctrl-C; alone: play a game as a browser would."""
    if table.machine.runtime == "cpython":
        say(Wording(table.language).say("cpython"))
    if wishes.alone:
        return await visit(address, table.seating.host, say)
    ended = door.listen()  # whoever reads the address may end it
    settle()
    greet(table, address, say)
    if wishes.browser:
        await ground.open_browser(f"{address}/#{table.seating.host}")
    await door.until_told(say, Wording(table.language).say("ending"), ended)
    return 0


def run(wishes: Wishes, extend: Callable[[web.Application], None]) -> int:
    """Serve a table; the exit code."""
    return asyncio.run(serve(wishes, foreign.say, extend))
