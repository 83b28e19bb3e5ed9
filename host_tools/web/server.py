"""Serves one table: the page's files, the WebSocket, and the records of finished games.

aiohttp, because one package is web server, WebSocket and the client that `make run` without a terminal uses; it limits
messages, answers pings and closes dead connections by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from aiohttp import WSMsgType, web

from host_tools.endings import end_tasks
from host_tools.play.acts import NotAllowed
from host_tools.web.choices import tell_choices, tell_link, tell_rule
from host_tools.web.desk import MESSAGE_LIMIT, Connection, Desk, Protocol
from host_tools.web.feed import give_feed

PAGE = Path(__file__).parent / "page"
PORT = 8137
PORTS = 20  # how many are tried from there
HELLO_S = 5.0  # how long a connection may say nothing
HEARTBEAT_S = 10.0  # how often a browser is asked whether it is there
SEND_S = 10.0  # a browser that takes nothing for so long is let go
RECORD = re.compile(r"[\w-]{1,80}\.rec")
LOOPBACK = "127.0.0.1"
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


def make_app(desk: Desk, address: str, library: Path) -> web.Application:
    """The application. library: where finished games lie."""
    app = web.Application(middlewares=[guard], client_max_size=MESSAGE_LIMIT)
    app[DESK], app[LIBRARY] = desk, library
    desk.questions = {
        "rule": lambda connection, message: tell_rule(message.get("rule"), desk.table.language),
        "choices": lambda connection, message: tell_choices(desk.table.language),
        "link": lambda connection, message: link_for(desk, connection, message, address),
    }
    app.router.add_get("/ws", talk)
    app.router.add_get("/records/{name}", give_record)
    app.router.add_get("/records/{name}/analysis", give_analysis)
    app.router.add_get("/feed", give_feed)
    app.router.add_get("/", give_page)
    app.router.add_static("/", PAGE, append_version=False)
    return app


def link_for(desk: Desk, connection: Connection, message: dict[str, Any], address: str) -> dict[str, Any]:
    """A seat's link is for the host."""
    if connection.role != "host":
        raise NotAllowed("only the host hands out links")
    return tell_link(desk.table, message.get("seat"), address)


@web.middleware
async def guard(request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> Any:
    """No other site's page gets in: Host must be a name of ours, and Origin, where one is sent, our own."""
    names = request.app[DESK].names
    origin = request.headers.get("Origin")
    if request.host not in names or origin is not None and urlsplit(origin).netloc not in names:
        return web.Response(status=403, text="This table is served under another name.\n")
    response = await handler(request)
    if not isinstance(response, web.WebSocketResponse):
        response.headers.update(HEADERS)
        response.headers.setdefault("Cache-Control", "no-cache")
    return response


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
    from host_tools.analysis.served import make_analysis
    from host_tools.errors import UnusableInput
    from host_tools.look.recorded import read_record

    name = request.match_info["name"]
    path = request.app[LIBRARY] / name
    if not RECORD.fullmatch(name) or not path.is_file():
        raise web.HTTPNotFound(text="There is no such record.\n")
    try:
        text = await asyncio.to_thread(lambda: make_analysis(read_record(path)))
    except UnusableInput as wrong:
        raise web.HTTPNotFound(text=f"{wrong}\n") from wrong
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
    return web.Response(text=text, content_type="text/html", charset="utf-8",
                        headers={"Content-Security-Policy": policy})


async def talk(request: web.Request) -> web.StreamResponse:
    """One browser's WebSocket, from hello to its end."""
    if "Origin" not in request.headers and request.headers.get("Sec-Fetch-Site"):
        return web.Response(status=403, text="A browser says where its page is from.\n")
    socket = web.WebSocketResponse(max_msg_size=MESSAGE_LIMIT, heartbeat=HEARTBEAT_S, compress=False)
    await socket.prepare(request)
    desk, connection = request.app[DESK], Connection()
    try:
        desk.join(connection)
    except Protocol as refusal:
        await refuse(socket, str(refusal))
        return socket
    sender = asyncio.create_task(send(socket, connection, desk))
    try:
        await listen(socket, connection, desk)
    except Protocol as refusal:
        desk.refused += 1
        await end_tasks([sender])
        await refuse(socket, str(refusal))
    finally:
        try:
            await end_tasks([sender])
        finally:
            desk.leave(connection)
        if not sender.cancelled():
            sender.result()  # a bug in it is told
    return socket


async def listen(socket: web.WebSocketResponse, connection: Connection, desk: Desk) -> None:
    """Hand on what comes. Protocol."""
    while True:
        try:
            message = await socket.receive(timeout=None if connection.is_known else HELLO_S)
        except (asyncio.TimeoutError, TimeoutError):
            raise Protocol("a page says hello first") from None
        if message.type == WSMsgType.TEXT:
            desk.hear(connection, message.data)
        elif message.type == WSMsgType.BINARY:
            raise Protocol("messages are text")
        else:
            return


async def send(socket: web.WebSocketResponse, connection: Connection, desk: Desk) -> None:
    """Send what is ready, as fast as the browser takes it."""
    with contextlib.suppress(ConnectionError, asyncio.TimeoutError, TimeoutError):
        while not socket.closed:
            await connection.ready.wait()
            for message in connection.take():
                await asyncio.wait_for(socket.send_str(message.decode()), SEND_S)
                desk.served += 1
        return
    await socket.close()


async def refuse(socket: web.WebSocketResponse, why: str) -> None:
    """Say why and hang up."""
    with contextlib.suppress(ConnectionError):
        await socket.send_json({"type": "error", "why": why})
        await socket.close(code=1008, message=why.encode()[:100])
