"""Serves a page at which people sit at a virtual board behind a serial port (virtual/sitting.py)."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from aiohttp import web

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.project import PAGE
from host_tools.play.scripted.sitting import Sitting
from host_tools.play.web import serve as ground
from host_tools.play.web.place import Place

LOOK_S = 0.1
_ACT_LIMIT = 400  # bytes

SITTING = web.AppKey("sitting", Sitting)


def make_app(sitting: Sitting) -> web.Application:
    """The application."""
    app = ground.make_app(most_bytes=_ACT_LIMIT)
    app[SITTING] = sitting
    app.router.add_get("/", give_page)
    app.router.add_get("/look", give_look)
    app.router.add_post("/act", take_act)
    ground.add_files(app)
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
    async with ground.opened(make_app(sitting), Place(port)) as address:
        foreign.say(f"Sit at it: {address}/", err=True)
        while time.monotonic() < ends_s and sitting.twin.trouble is None:
            with contextlib.suppress(RuntimeError):  # it has stopped, and `trouble` says why
                await asyncio.to_thread(sitting.twin.call, look)
            await asyncio.sleep(LOOK_S)
