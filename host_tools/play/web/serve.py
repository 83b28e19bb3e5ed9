"""The ground of every server of pages: who may ask, the headers of every answer, its port, records and analyses, its
browser and its end. Its sockets are counted by door.py; where it stands says place.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from aiohttp import web

from host_tools.base.arenas import settle
from host_tools.base.bugs import BugLog
from host_tools.base.errors import UnusableInput
from host_tools.base.languages import ENGLISH, list_languages
from host_tools.base.project import PAGE
from host_tools.base.wording import Refusal, read_words
from host_tools.base.workers.aside import Aside, Busy
from host_tools.judge.sentences import Sentences
from host_tools.play.web import door
from host_tools.play.web.near import LOOPBACK, listen_at, own_address
from host_tools.play.web.page_words import list_made, make_module
from host_tools.play.web.pictures import read_picture
from host_tools.play.web.place import BEHIND, Place, name_of

FOLDER = Path(__file__).parent
PORT = 8137
PORTS = 20  # how many are tried from there
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
# Of a page that is printed or sent on by itself: its style lies within it, and it loads nothing.
SHEET_HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
                 "form-action 'none'; frame-ancestors 'none'"}
# Of a file that a page loads, where the page's own policy counts: shorter, for the first view has few bytes to spare.
PART_HEADERS = {"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"}
NAMES = web.AppKey("names", set[str])  # what a browser may call this server, `name:port`
ASIDE = web.AppKey("aside", Aside)  # the process that makes analyses, which take long
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def make_app(*middlewares: Any, most_bytes: int) -> web.Application:
    """An application on this ground. most_bytes: of what a request sends."""
    app = web.Application(middlewares=[guard, *middlewares], client_max_size=most_bytes)
    app[NAMES] = set()
    app.on_response_prepare.append(add_headers)
    return app


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """No other site's page gets in: Host must be a name of ours, and Origin, where one is sent, our own. What cannot be
    used, and what has to wait, is told in its sentence."""
    names, origin = request.app[NAMES], request.headers.get("Origin")
    if request.host not in names or origin is not None and origin.partition("://")[2] not in names:
        return web.Response(status=403, text=tell(request, "name"))
    door.mark(request, door.ASKED)
    try:
        return await handler(request)
    except Busy as busy:
        return web.Response(status=503, text=tell(request, "busy"), headers={"Retry-After": str(busy.retry_s)})
    except UnusableInput as wrong:
        language = language_of(request, ENGLISH)
        said = wrong.tell(language) if isinstance(wrong, Refusal) else Sentences(language=language).why(str(wrong))
        return web.Response(status=404, text=f"{said}\n")
    except OSError as wrong:
        if wrong.errno != errno.ENAMETOOLONG:
            raise
        raise web.HTTPNotFound from wrong  # no file has such a name


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """The headers of every answer, of errors too; one that has a policy of its own keeps it. Pictures of cards, which
    stay the same, are asked for once a week. Which versions answer is told to no stranger."""
    response.headers.popall("Server", None)
    if response.status == 200 and "/cards/" in request.path:
        response.headers.setdefault("Cache-Control", "public, max-age=604800")
    for key, value in HEADERS.items():
        response.headers.setdefault(key, value)


# --- what every page is made of ---


def add_files(app: web.Application, at: str = "/") -> None:
    """Serve the files of the pages there, the modules of words among them."""
    for name in list_made():
        app.router.add_get(at + name, give_words)
    app.router.add_get(f"{at}cards/{{name}}.svg", give_picture)
    app.router.add_static(at, PAGE, append_version=False)


async def give_words(request: web.Request) -> web.StreamResponse:
    """A module of words."""
    text = make_module(request.path.rpartition("/")[2])
    return web.Response(text=text, content_type="text/javascript", charset="utf-8")


async def give_picture(request: web.Request) -> web.StreamResponse:
    """The picture of a card."""
    try:
        plain, packed = read_picture(request.match_info["name"])
    except KeyError as wrong:
        raise web.HTTPNotFound from wrong
    return give_packed(request, plain, packed, "image/svg+xml", PART_HEADERS)


def give_packed(request: web.Request, plain: bytes, packed: bytes, kind: str,
                headers: dict[str, str]) -> web.Response:
    """A file, compressed (gzip) where the browser takes that."""
    headers = {"Vary": "Accept-Encoding", **headers}
    takes = "gzip" in request.headers.get("Accept-Encoding", "")
    if takes:
        headers["Content-Encoding"] = "gzip"
    return web.Response(body=packed if takes else plain, content_type=kind, charset="utf-8", headers=headers)


# --- what finished games give ---


def give_file(name: str, content: bytes) -> web.Response:
    """A record, to be saved under that name."""
    return web.Response(body=content, content_type="text/plain", charset="utf-8",
                        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"})


def give_html(text: str, headers: dict[str, str] | None = None) -> web.Response:
    """A page."""
    return web.Response(text=text, content_type="text/html", charset="utf-8", headers=headers)


def give_json(text: str) -> web.Response:
    """What a process aside wrote as JSON."""
    return web.Response(text=text, content_type="application/json", charset="utf-8")


def tell(request: web.Request, key: str) -> str:
    """The sentence of that key in the language of who asks, as a text to answer."""
    return read_words(FOLDER, "web", language_of(request, ENGLISH))[key] + "\n"


def language_of(request: web.Request, otherwise: str) -> str:
    """The language that a page asks for in its address, else the browser's own, else another."""
    own = [one.split(";")[0].strip()[:2].lower() for one in request.headers.get("Accept-Language", "").split(",")]
    wanted = [request.query.get("language", ""), *own]
    return next((one for one in wanted if one in list_languages()), otherwise)


def put_aside(app: web.Application, *keys: web.AppKey[Aside]) -> None:
    """A process aside for each of the keys; they end with the server."""
    for key in keys:
        app[key] = Aside()

    async def close(app: web.Application) -> None:
        for key in keys:
            app[key].close()

    app.on_cleanup.append(close)


# --- from its port to its end ---


def open_socket(host: str, port: int) -> socket.socket:
    """Listen at that port, or at the first free one from PORT on. UnusableInput."""
    for number in [port] if port else range(PORT, PORT + PORTS):
        try:
            return listen_at(host, number)
        except OSError as wrong:
            if port:
                raise UnusableInput(f"port {port} cannot be used: {wrong.strerror or wrong}") from wrong
    raise UnusableInput(f"ports {PORT} to {PORT + PORTS - 1} are all in use: name one with --port")


def open_place(place: Place) -> socket.socket:
    """The socket of a server that stands there. UnusableInput, for its certificate too."""
    place.context()
    return open_socket("0.0.0.0" if place.lan else LOOPBACK, place.port)


@contextlib.asynccontextmanager
async def opened(app: web.Application, place: Place | None = None, listener: socket.socket | None = None,
                 bugs: BugLog | None = None) -> AsyncIterator[str]:
    """A served application: its address. listener: what open_place gave, where it was asked before. UnusableInput."""
    place = place or Place()
    listener = listener or open_place(place)
    with contextlib.closing(listener):
        number = listener.getsockname()[1]
        address = place.own(own_address() if place.lan else LOOPBACK, number)
        app[BEHIND] = place.address
        app[NAMES].update({f"{LOOPBACK}:{number}", f"localhost:{number}", name_of(address)})
        async with door.opened(app, listener, bugs or BugLog(None), door.Door(), place.context()):
            yield address


async def open_browser(address: str) -> None:
    """Show it to whoever sits here, if there is a browser."""
    with contextlib.suppress(webbrowser.Error):
        await asyncio.to_thread(webbrowser.open, address)


async def serve(app: web.Application, say: Callable[[str], None], *, place: Place, browser: bool) -> int:
    """Serve until Ctrl-C; the exit code."""
    async with opened(app, place) as address:
        settle()
        say(f"{address}/")
        if browser:
            await open_browser(f"{address}/")
        await door.until_told(say, "")
    return 0
