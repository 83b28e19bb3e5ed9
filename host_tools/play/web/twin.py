"""Serves a page at which people sit at a virtual board behind a serial port (virtual/sitting.py)."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from host_tools.base import foreign
from host_tools.base.bugs import BugLog
from host_tools.base.errors import UnusableInput
from host_tools.play.scripted.sitting import Sitting
from host_tools.play.web import door
from host_tools.play.web.run import open_socket
from host_tools.play.web.server import LOOPBACK, PAGE, add_headers

LOOK_S = 0.1
_ACT_LIMIT = 400  # bytes

SITTING = web.AppKey("sitting", Sitting)
NAMES = web.AppKey("names", set)


@web.middleware
async def guard(request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> Any:
    """No other site's page gets in: Host must be a name of ours, and Origin, where one is sent, our own."""
    origin = request.headers.get("Origin")
    if request.host not in request.app[NAMES] or origin is not None and urlsplit(origin).netloc != request.host:
        return web.Response(status=403, text="This table is served under another name.\n")
    door.mark(request, door.ASKED)
    response = await handler(request)
    add_headers(response)
    return response


def make_app(sitting: Sitting, names: set[str]) -> web.Application:
    """The application; names: the hosts under which it is served."""
    app = web.Application(middlewares=[guard], client_max_size=_ACT_LIMIT)
    app[SITTING], app[NAMES] = sitting, names
    app.router.add_get("/", give_page)
    app.router.add_get("/look", give_look)
    app.router.add_post("/act", take_act)
    app.router.add_static("/", PAGE, append_version=False)
    return app


async def give_page(request: web.Request) -> web.StreamResponse:
    """The page."""
    return web.FileResponse(PAGE / "twin.html")


async def give_look(request: web.Request) -> web.StreamResponse:
    """What there is to see."""
    sitting = request.app[SITTING]
    return web.json_response(await asyncio.to_thread(sitting.twin.call, sitting.look))


async def take_act(request: web.Request) -> web.StreamResponse:
    """What a hand does, as JSON: do, seat, thing."""
    sitting = request.app[SITTING]
    try:
        said = foreign.parse_json(await request.read(), {"do": str, "seat": int, "thing": (str, None)})
        act = said["do"], said["seat"], said["thing"]
        await asyncio.to_thread(sitting.twin.call, lambda: sitting.act(*act))
    except (ValueError, KeyError, TypeError, UnusableInput) as wrong:
        raise web.HTTPBadRequest(text=f"{wrong}\n") from wrong
    return web.json_response({})


async def serve(sitting: Sitting, port: int, look: Callable[[], None], ends_s: float) -> None:
    """Serve the page until that time or the board's end; `look` is called in the board's thread. UnusableInput."""
    listener = open_socket(LOOPBACK, port)
    port = listener.getsockname()[1]
    app = make_app(sitting, {f"{LOOPBACK}:{port}", f"localhost:{port}"})
    async with door.opened(app, listener, BugLog(None), door.Door()):
        foreign.say(f"Sit at it: http://{LOOPBACK}:{port}/", err=True)
        while time.monotonic() < ends_s and sitting.twin.trouble is None:
            with contextlib.suppress(RuntimeError):  # it has stopped, and `trouble` says why
                await asyncio.to_thread(sitting.twin.call, look)
            await asyncio.sleep(LOOK_S)
