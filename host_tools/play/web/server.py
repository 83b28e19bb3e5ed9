"""Serves one table: the page's files, the WebSocket, and the records of finished games.

aiohttp, because one package is web server, WebSocket and the client that `make run` without a terminal uses; it limits
messages and closes dead connections by itself.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import functools
import hashlib
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.http import WS_KEY

from host_tools.base import foreign
from host_tools.base.endings import end_tasks
from host_tools.base.languages import ENGLISH
from host_tools.base.workers.aside import Aside
from host_tools.play.acts import NotAllowed
from host_tools.play.library import RECORD
from host_tools.play.web import serve
from host_tools.play.web.bundle import read_bundle
from host_tools.play.web.choices import tell_choices, tell_link, tell_rule, tell_summary
from host_tools.play.web.coming import open_network, tell_code, tell_common
from host_tools.play.web.desk import MESSAGE_LIMIT, Connection, Desk, Protocol
from host_tools.play.web.door import DOOR, KNOWN, REFUSE, SOCKETS_OF, SPECTATOR, mark
from host_tools.play.web.feed import give_feed
from host_tools.play.web.hinting import Hinting
from host_tools.play.web.metrics import add_metrics, make_timer
from host_tools.play.web.place import address_of
from host_tools.play.web.serve import ASIDE, add_files
from host_tools.play.web.thinking import Thinking
from host_tools.sight.viewer import encode

HELLO_S = 5.0  # how long a connection may say nothing
HEARTBEAT_S = 4.5  # how often a browser is asked whether it is there; it is gone when half of that has no answer
HERE_S = 3.0  # how often a browser hears something: one that hears nothing for much longer knows that its line is dead
HERE_AHEAD = 0.5  # of that time: by so much at most it hears it earlier, for 200 spectators shall not hear it at once
CLOSE_S = 2.0  # how long a browser may take to say that it hangs up, too
TRY_LATER = WSCloseCode.TRY_AGAIN_LATER  # 1013: a page that is refused so comes again by itself
SEND_S = 10.0  # a browser that takes nothing for so long is let go
DESK = web.AppKey("desk", Desk)
LIBRARY = web.AppKey("library", Path)
HINTS = web.AppKey("hints", Aside)  # a process of their own: anybody may ask for analyses, and a player waits


def make_app(desk: Desk, library: Path,
             extend: Callable[[web.Application], None] = lambda app: None) -> web.Application:
    """The application. library: where finished games lie. extend: adds what other wings serve beside the table."""
    app = serve.make_app(most_bytes=MESSAGE_LIMIT)
    app[DESK], app[LIBRARY], app[serve.NAMES] = desk, library, desk.names
    serve.put_aside(app, ASIDE, HINTS)
    desk.questions = {
        "rule": lambda connection, message: tell_rule(message.get("rule"), desk.language_of(connection)),
        "summary": lambda connection, message: tell_summary(
            message.get("game"), desk.table.header, desk.language_of(connection)),
        "choices": lambda connection, message: tell_choices(desk.language_of(connection)),
        "link": lambda connection, message: link_for(desk, connection, message),
        "code": lambda connection, message: tell_code(desk, connection.role),
        "common": lambda connection, message: tell_common(desk, connection.role),
        "open": lambda connection, message: open_network(desk, connection.role, app[DOOR].listen),
    }
    app[REFUSE] = make_refusal(desk.turns_away)
    desk.at_table["hint"] = Hinting(desk, Thinking(desk, app[HINTS]).begin).ask
    add_metrics(app, lambda: "" if desk.table.machine.is_alive else "the table has stopped", {
        **{f"connections_{role}": (f"browsers of role {role}", functools.partial(desk.count, role))
           for role in ("host", "seat", "public")},
        "aside_waiting": ("analyses that wait or are worked on", lambda: app[ASIDE].waiting),
        "aside_done": ("analyses that were made", lambda: app[ASIDE].done),
        "bugs": ("unexpected errors", lambda: desk.table.bugs.count),
        "messages_sent": ("messages to browsers", lambda: desk.served),
        "connections_refused": ("messages that ended a connection", lambda: desk.refused),
    })
    desk.on_act = make_timer(app, "act_seconds", "from an act to its answer")
    app.router.add_get("/ws", talk)
    app.router.add_get("/records/{name}", give_record)
    extend(app)
    app.router.add_get("/feed", give_feed)
    add_page(app)
    add_files(app)
    return app


def add_page(app: web.Application) -> None:
    """Serve the table's page in its few parts."""
    app.router.add_get("/", give_page)
    app.router.add_get("/parts/{name}", give_part)


def link_for(desk: Desk, connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """A seat's link is for the host."""
    if connection.role != "host":
        raise NotAllowed("only the host hands out links")
    return tell_link(desk.table, message.get("seat"), desk.address, desk.is_open)


async def give_page(request: web.Request) -> web.StreamResponse:
    """The page, the same for all who read its language: it says over the WebSocket who asks."""
    page = read_bundle()[0][serve.language_of(request, ENGLISH)]
    return serve.give_packed(request, page.text, page.packed, "text/html", {"Vary": "Accept-Encoding, Accept-Language"})


async def give_part(request: web.Request) -> web.StreamResponse:
    """The page's modules, or its styles: as one file, whose name is never used for another one."""
    part = read_bundle()[1].get(request.match_info["name"])
    if part is None:
        raise web.HTTPNotFound(text=serve.tell(request, "part"))
    kind = "text/css" if part.name.endswith(".css") else "text/javascript"
    return serve.give_packed(request, part.text, part.packed, kind,
                             {"Cache-Control": "public, max-age=31536000, immutable", **serve.PART_HEADERS})


def find_record(request: web.Request) -> tuple[str, bytes]:
    """(name, bytes) of the finished game that the address names."""
    name = request.match_info["name"]
    path = request.app[LIBRARY] / name
    if not RECORD.fullmatch(name) or not path.is_file():
        raise web.HTTPNotFound(text=serve.tell(request, "record"))
    return name, foreign.read_bytes(path)


async def give_record(request: web.Request) -> web.StreamResponse:
    """The record of a finished game."""
    return serve.give_file(*find_record(request))


ASKS_IN = re.compile(rb"GET /ws(?:\?(?:knock=([\w-]*))?\S*)? HTTP[^\n]*\n"
                     rb"(?:[^\n]*\n)*?Sec-WebSocket-Key: *([\w+/=]{24}) *\r\n", re.IGNORECASE)
FULL = "too many spectators"


def make_refusal(turns_away: Callable[[str, str], bool]) -> Callable[[bytes, str], bytes]:
    """The refusal of a full table, for the door: a handshake and a goodbye in one (RFC 6455), and no handler of a page.
    turns_away(knock, address)."""
    def refuse(header: bytes, address: str) -> bytes:
        asks = ASKS_IN.match(header)
        if asks is None or not turns_away((asks[1] or b"").decode(), address):
            return b""
        accept = base64.b64encode(hashlib.sha1(asks[2] + WS_KEY).digest())
        why = TRY_LATER.to_bytes(2, "big") + FULL.encode()
        return (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Accept: %s\r\n\r\n\x88%c%s" % (accept, len(why), why))

    return refuse


async def talk(request: web.Request) -> web.StreamResponse:
    """One browser's WebSocket, from hello to its end."""
    if "Origin" not in request.headers and request.headers.get("Sec-Fetch-Site"):
        return web.Response(status=403, text=serve.tell(request, "origin"))
    socket = web.WebSocketResponse(timeout=CLOSE_S, max_msg_size=MESSAGE_LIMIT, heartbeat=HEARTBEAT_S, compress=False,
                                   autoping=False)  # pings are counted: see listen
    await socket.prepare(request)
    desk, connection, sockets = request.app[DESK], Connection(), request.app.get(SOCKETS_OF, set())
    connection.address, knock = address_of(request), request.query.get("knock", "")
    if desk.turns_away(knock, connection.address):
        await socket.close(code=TRY_LATER, message=FULL.encode())
        return socket
    connection.is_awaited = desk.awaits(knock)
    desk.join(connection)
    sockets.add(socket)
    sender = asyncio.create_task(send(socket, connection, desk))
    try:
        await say_hello(socket, connection, desk)
        if connection.is_known:
            mark(request, SPECTATOR if connection.is_crowd else KNOWN)
            await listen(socket, connection, desk)
    except Protocol as refusal:
        desk.refused += 1
        await end_tasks([sender])
        await refuse(socket, desk.say_why(NotAllowed(str(refusal)), connection))
    finally:
        try:
            await end_tasks([sender])
        finally:
            sockets.discard(socket)
            desk.leave(connection)
        if not sender.cancelled():
            sender.result()  # a bug in it is told
    return socket


async def say_hello(socket: web.WebSocketResponse, connection: Connection, desk: Desk) -> None:
    """Wait for hello, HELLO_S in all: pings and half messages win no time. Protocol."""
    try:
        async with asyncio.timeout(HELLO_S):  # wait_for makes a task, which its own exception would keep alive
            await listen(socket, connection, desk, until_known=True)
    except TimeoutError:
        raise Protocol("a page says hello first") from None


async def listen(socket: web.WebSocketResponse, connection: Connection, desk: Desk, until_known: bool = False) -> None:
    """Hand on what comes. A ping is a message that is counted, too: a thousand of them, six bytes each, lie in one
    packet, and aiohttp answers all of them before it does anything for others. Protocol."""
    while not (until_known and connection.is_known):
        message = await socket.receive()
        if message.type == WSMsgType.TEXT:
            desk.hear(connection, message.data)
        elif message.type in (WSMsgType.PING, WSMsgType.PONG):
            connection.spend()
            if message.type == WSMsgType.PING:
                with contextlib.suppress(ConnectionError):  # it has gone; what it said last is still heard
                    await socket.pong(message.data)
        elif message.type == WSMsgType.BINARY:
            raise Protocol("messages are text")
        else:
            return


HERE = encode({"type": "here"})


async def send(socket: web.WebSocketResponse, connection: Connection, desk: Desk) -> None:
    """Send what is ready, as fast as the browser takes it."""
    here_s = HERE_S * (1 - HERE_AHEAD * random.random())
    is_pulsed = False  # it has heard HERE: a tab that froze before its table rested took a dead line for a whole one
    with contextlib.suppress(ConnectionError, TimeoutError):
        while not socket.closed:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(here_s):
                    await connection.ready.wait()
            told = connection.take()
            if not (told and is_pulsed):
                told.append(HERE)
                is_pulsed = True
            for message in told:
                async with asyncio.timeout(SEND_S):
                    await socket.send_str(message.decode())
                desk.served += 1
            if connection.why_ended:
                await refuse(socket, connection.why_ended)
        return
    await socket.close()


async def refuse(socket: web.WebSocketResponse, why: str) -> None:
    """Say why and hang up."""
    with contextlib.suppress(ConnectionError):
        await socket.send_json({"type": "error", "why": why})
        await socket.close(code=1008, message=why.encode()[:100])
