"""Serves a page at which people sit at a virtual board behind a serial port: its glass, lights, buttons, readers, tags.

The page shows what the chips show and moves what hands move. It knows no game: the firmware on the board says the rest.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from cardtable.engine.deck import card_name, card_number
from host_tools import foreign
from host_tools.chips.iso14443a import Tag
from host_tools.errors import UnusableInput
from host_tools.play.table import ARBITER, uid_of_key
from host_tools.play.viewer import draw_glass
from host_tools.virtual.fingers import uid_of
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.world import KEYS
from host_tools.web.run import open_socket
from host_tools.web.server import HEADERS, LOOPBACK, PAGE

TAGS = (*(card_name(card) for card in range(54)), ARBITER, "blank")
FEED_LINES = 12
LOOK_S = 0.1
_ACT_LIMIT = 400  # bytes


class Sitting:
    """What lies where on a board, and what the page is told. `hear` and `look` are for the board's thread."""

    def __init__(self, twin: SerialBoard) -> None:
        self.twin = twin
        self.feed: deque[str] = deque(maxlen=FEED_LINES)
        self._tags = {name: Tag(uid_of(card_number(name)) if card_number(name) >= 0 else uid_of_key(name))
                      for name in TAGS}
        self._lying: dict[str, int] = {}  # tag: the seat on whose reader it lies

    def look(self) -> dict[str, Any]:
        """What there is to see now."""
        world = self.twin.world
        seats = range(1, world.board.SEATS + 1)
        return {
            "glass": draw_glass(world.screen), "feed": list(self.feed), "tags": TAGS,
            "seats": [{"light": world.lights.colour(seat - 1),
                       "tags": [name for name, at in self._lying.items() if at == seat]} for seat in seats],
        }

    def act(self, what: object, seat: object, thing: object) -> None:
        """What a hand does: press or release a button, put a tag on a reader or take it away. UnusableInput."""
        world = self.twin.world
        if type(seat) is not int or not 1 <= seat <= world.board.SEATS:
            raise UnusableInput("there is no such seat")
        if what in ("press", "release") and thing in KEYS:
            getattr(world, str(what))(seat, thing)
        elif what == "put" and thing in self._tags:
            name = str(thing)
            if name in self._lying:
                world.take(self._lying[name], self._tags[name])
            self._lying[name] = seat
            world.put(seat, self._tags[name])
        elif what == "take" and thing in self._tags and self._lying.get(str(thing)) == seat:
            del self._lying[str(thing)]
            world.take(seat, self._tags[str(thing)])
        else:
            raise UnusableInput("a hand cannot do that")


SITTING = web.AppKey("sitting", Sitting)
NAMES = web.AppKey("names", set)


@web.middleware
async def guard(request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> Any:
    """No other site's page gets in: Host must be a name of ours, and Origin, where one is sent, our own."""
    origin = request.headers.get("Origin")
    if request.host not in request.app[NAMES] or origin is not None and urlsplit(origin).netloc != request.host:
        return web.Response(status=403, text="This table is served under another name.\n")
    response = await handler(request)
    response.headers.update(HEADERS)
    response.headers["Cache-Control"] = "no-cache"
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
        said = await request.json()
        act = said["do"], said["seat"], said["thing"]
        await asyncio.to_thread(sitting.twin.call, lambda: sitting.act(*act))
    except (ValueError, KeyError, TypeError, UnusableInput) as wrong:
        raise web.HTTPBadRequest(text=f"{wrong}\n") from wrong
    return web.json_response({})


async def serve(sitting: Sitting, port: int, look: Callable[[], None], ends_s: float) -> None:
    """Serve the page until that time or the board's end; `look` is called in the board's thread. UnusableInput."""
    listener = open_socket(LOOPBACK, port)
    port = listener.getsockname()[1]
    runner = web.AppRunner(make_app(sitting, {f"{LOOPBACK}:{port}", f"localhost:{port}"}), access_log=None)
    await runner.setup()
    try:
        await web.SockSite(runner, listener).start()
        foreign.say(f"Sit at it: http://{LOOPBACK}:{port}/", err=True)
        while time.monotonic() < ends_s and sitting.twin.trouble is None:
            with contextlib.suppress(RuntimeError):  # it has stopped, and `trouble` says why
                await asyncio.to_thread(sitting.twin.call, look)
            await asyncio.sleep(LOOK_S)
    finally:
        await runner.cleanup()
