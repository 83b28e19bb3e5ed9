"""Serves one table: the page's files, the WebSocket, and the records of finished games.

aiohttp, because one package is web server, WebSocket and the client that `make run` without a terminal uses; it limits
messages, answers pings and closes dead connections by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import WSMsgType, web

from host_tools.base import foreign
from host_tools.base.endings import end_tasks
from host_tools.base.errors import UnusableInput
from host_tools.base.project import PAGE
from host_tools.play.acts import NotAllowed
from host_tools.sight.viewer import encode
from host_tools.play.web.coming import LOOPBACK as LOOPBACK, open_network, tell_code
from host_tools.play.web.choices import tell_choices, tell_link, tell_rule
from host_tools.play.web.desk import MESSAGE_LIMIT, Connection, Desk, Protocol
from host_tools.play.web.door import ASKED, DOOR, KNOWN, SOCKETS_OF, SPECTATOR, mark
from host_tools.play.web.feed import give_feed
from host_tools.play.web.metrics import add_metrics, make_timer
from host_tools.play.web.place import address_of
from host_tools.base.workers.aside import Aside, Busy

PORT = 8137
PORTS = 20  # how many are tried from there
HELLO_S = 5.0  # how long a connection may say nothing
HEARTBEAT_S = 4.5  # how often a browser is asked whether it is there; it is gone when half of that has no answer
HERE_S = 3.0  # how often a browser hears something: one that hears nothing for much longer knows that its line is dead
CLOSE_S = 2.0  # how long a browser may take to say that it hangs up, too
SEND_S = 10.0  # a browser that takes nothing for so long is let go
RECORD = re.compile(r"[\w-]{1,80}\.rec")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
DESK = web.AppKey("desk", Desk)
LIBRARY = web.AppKey("library", Path)
ASIDE = web.AppKey("aside", Aside)


def make_app(desk: Desk, address: str, library: Path) -> web.Application:
    """The application. library: where finished games lie."""
    app = web.Application(middlewares=[guard], client_max_size=MESSAGE_LIMIT)
    app[DESK], app[LIBRARY], app[ASIDE] = desk, library, Aside()
    app.on_cleanup.append(close_aside)
    desk.questions = {
        "rule": lambda connection, message: tell_rule(message.get("rule"), desk.language_of(connection)),
        "choices": lambda connection, message: tell_choices(desk.language_of(connection)),
        "link": lambda connection, message: link_for(desk, connection, message),
        "code": lambda connection, message: tell_code(desk, connection.role),
        "open": lambda connection, message: open_network(desk, connection.role, app[DOOR].listen),
    }
    desk.address = address
    add_metrics(app, lambda: "" if desk.table.is_alive else "the table has stopped", {
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
    app.router.add_get("/records/{name}/analysis", give_analysis)
    app.router.add_get("/feed", give_feed)
    app.router.add_get("/", give_page)
    app.router.add_static("/", PAGE, append_version=False)
    return app


async def close_aside(app: web.Application) -> None:
    """The server ends: so does its process aside."""
    app[ASIDE].close()


def link_for(desk: Desk, connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """A seat's link is for the host."""
    if connection.role != "host":
        raise NotAllowed("only the host hands out links")
    return tell_link(desk.table, message.get("seat"), desk.address, desk.is_open)


@web.middleware
async def guard(request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> Any:
    """No other site's page gets in: Host must be a name of ours, and Origin, where one is sent, our own."""
    names = request.app[DESK].names
    origin = request.headers.get("Origin")
    if request.host not in names or origin is not None and urlsplit(origin).netloc not in names:
        return web.Response(status=403, text="This table is served under another name.\n")
    mark(request, ASKED)
    try:
        response = await handler(request)
    except web.HTTPException as wrong:
        add_headers(wrong)
        raise
    add_headers(response)
    return response


def add_headers(response: web.StreamResponse) -> None:
    """The headers of every page; one that has a policy of its own keeps it."""
    if not response.prepared:
        for key, value in HEADERS.items():
            response.headers.setdefault(key, value)
        response.headers.setdefault("Cache-Control", "no-cache")


async def give_page(request: web.Request) -> web.StreamResponse:
    """The page, the same for all: it says over the WebSocket who asks."""
    return web.FileResponse(PAGE / "index.html")


async def give_record(request: web.Request) -> web.StreamResponse:
    """The record of a finished game."""
    name = request.match_info["name"]
    path = request.app[LIBRARY] / name
    if not RECORD.fullmatch(name) or not path.is_file():
        raise web.HTTPNotFound(text="There is no such record.\n")
    return web.FileResponse(path, headers={"Content-Type": "text/plain; charset=utf-8",
                                           "Content-Disposition": f'attachment; filename="{name}"'})


async def give_analysis(request: web.Request) -> web.StreamResponse:
    """Where a finished game was lost: its page is as open as its record."""
    from host_tools.minds.analysis.served import FOLDER, key_of, make_analysis

    name = request.match_info["name"]
    path = request.app[LIBRARY] / name
    if not RECORD.fullmatch(name) or not path.is_file():
        raise web.HTTPNotFound(text="There is no such record.\n")
    content = foreign.read_bytes(path)
    folder = request.app[LIBRARY] / FOLDER
    text = await ask_aside(request.app[ASIDE], key_of("analysis", content), make_analysis, name, content, folder)
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
    return web.Response(text=text, content_type="text/html", charset="utf-8",
                        headers={"Content-Security-Policy": policy})


async def ask_aside(aside: Aside, key: str, work: Callable[..., str], *facts: Any) -> str:
    """What the process aside works out. HTTPServiceUnavailable if too much waits there, HTTPNotFound with a sentence
    if it cannot be had."""
    try:
        return await aside.ask(key, work, *facts)
    except Busy as busy:
        raise web.HTTPServiceUnavailable(text=f"{busy}\n", headers={"Retry-After": str(busy.retry_s)}) from busy
    except UnusableInput as wrong:
        raise web.HTTPNotFound(text=f"{wrong}\n") from wrong


async def talk(request: web.Request) -> web.StreamResponse:
    """One browser's WebSocket, from hello to its end."""
    if "Origin" not in request.headers and request.headers.get("Sec-Fetch-Site"):
        return web.Response(status=403, text="A browser says where its page is from.\n")
    socket = web.WebSocketResponse(timeout=CLOSE_S, max_msg_size=MESSAGE_LIMIT, heartbeat=HEARTBEAT_S, compress=False)
    await socket.prepare(request)
    desk, connection, sockets = request.app[DESK], Connection(), request.app.get(SOCKETS_OF, set())
    connection.address = address_of(request)
    try:
        desk.join(connection)
    except Protocol as refusal:
        await refuse(socket, str(refusal))
        return socket
    sockets.add(socket)
    sender = asyncio.create_task(send(socket, connection, desk))
    try:
        await say_hello(socket, connection, desk)
        if connection.is_known:
            mark(request, SPECTATOR if connection.role in ("public", "join") else KNOWN)
            await listen(socket, connection, desk)
    except Protocol as refusal:
        desk.refused += 1
        await end_tasks([sender])
        await refuse(socket, str(refusal))
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
        await asyncio.wait_for(listen(socket, connection, desk, until_known=True), HELLO_S)
    except (asyncio.TimeoutError, TimeoutError):
        raise Protocol("a page says hello first") from None


async def listen(socket: web.WebSocketResponse, connection: Connection, desk: Desk, until_known: bool = False) -> None:
    """Hand on what comes. Protocol."""
    while not (until_known and connection.is_known):
        message = await socket.receive()
        if message.type == WSMsgType.TEXT:
            desk.hear(connection, message.data)
        elif message.type == WSMsgType.BINARY:
            raise Protocol("messages are text")
        else:
            return


HERE = encode({"type": "here"})


async def send(socket: web.WebSocketResponse, connection: Connection, desk: Desk) -> None:
    """Send what is ready, as fast as the browser takes it."""
    with contextlib.suppress(ConnectionError, asyncio.TimeoutError, TimeoutError):
        while not socket.closed:
            with contextlib.suppress(asyncio.TimeoutError, TimeoutError):
                await asyncio.wait_for(connection.ready.wait(), HERE_S)
            for message in connection.take() or [HERE]:
                await asyncio.wait_for(socket.send_str(message.decode()), SEND_S)
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
