"""Serves records on pages: the list of a folder, the replay of a game, the sheet of a line, exports. Anyone who can
open the address sees every finished game with all hands; of a game without a result, what is public.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import signal
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict
from typing import Any
from urllib.parse import quote, urlsplit

from aiohttp import web

from host_tools import foreign
from host_tools.analysis.served import find_figures, make_analysis, make_figures
from host_tools.errors import UnusableInput
from host_tools.look.answer import answer
from host_tools.look.bundle import cards_in
from host_tools.look.frames import make_frames
from host_tools.look.library import WRITERS, Library, export, matches
from host_tools.look.recorded import ALL, PUBLIC, Recorded
from host_tools.look.sheet import make_sheet
from host_tools.look.wording import Wording
from host_tools.web.run import open_socket, own_address
from host_tools.web.server import HEADERS, LOOPBACK, PAGE

LANGUAGES = ("en", "ru")
READING = "Reading the games…"  # until the list is there, with their number
LIBRARY = web.AppKey("library", Library)
NAMES = web.AppKey("names", set[str])
TYPES = {".csv": "text/csv", ".json": "application/json", ".txt": "text/plain"}
SHEET_POLICY = ("default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
                "frame-ancestors 'none'")


def make_site(library: Library) -> web.Application:
    """The pages of a folder; with `library.only` of one record."""
    app = web.Application(middlewares=[guard])
    app[LIBRARY], app[NAMES] = library, set()
    app.router.add_get("/", give_list)
    app.router.add_get("/games.json", give_entries)
    app.router.add_get("/export{kind:\\.(?:csv|json|txt)}", give_export)
    app.router.add_get("/game/{name}/", give_view)
    app.router.add_get("/game/{name}/game.json", give_frames)
    app.router.add_get("/game/{name}/sheet", give_sheet)
    app.router.add_get("/game/{name}/record", give_record)
    app.router.add_get("/game/{name}/analysis", give_analysis)
    app.router.add_static("/page/", PAGE, append_version=False)
    return app


@web.middleware
async def guard(request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> Any:
    """No other site's page gets in; the page may load nothing from elsewhere; what is wrong is a sentence."""
    names = request.app[NAMES]
    origin = request.headers.get("Origin")
    if request.host not in names or origin is not None and urlsplit(origin).netloc not in names:
        return web.Response(status=403, text="These pages are served under another name.\n")
    try:
        response = await handler(request)
    except UnusableInput as wrong:
        response = web.Response(status=404, text=f"{wrong}\n")
    except web.HTTPException as wrong:
        wrong.headers.update(HEADERS)
        raise
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-cache")
    return response


async def in_thread(work: Callable[..., Any], *facts: Any) -> Any:
    """Do what takes long without holding up the others."""
    return await asyncio.to_thread(work, *facts)


def language_of(request: web.Request) -> str:
    """The language that a page asks for, else the library's."""
    wanted = request.query.get("language", "")
    return wanted if wanted in LANGUAGES else request.app[LIBRARY].language


async def find_record(request: web.Request) -> Recorded:
    """The record that the address names."""
    record = await in_thread(request.app[LIBRARY].record, request.match_info["name"])
    if record is None:
        raise web.HTTPNotFound(text="There is no such record.\n")
    return record


async def give_list(request: web.Request) -> web.StreamResponse:
    """The list; where there is one record alone, its replay."""
    library = request.app[LIBRARY]
    if library.only is not None:
        raise web.HTTPFound(f"/game/{quote(library.only.name)}/")
    number = len(await in_thread(library.paths))
    reading = Wording(library.language).count("reading", number)
    html = read_page("games.html").replace(READING, reading).replace('lang="en"', f'lang="{library.language}"', 1)
    return web.Response(text=html, content_type="text/html", charset="utf-8")


def give_page(name: str) -> web.Response:
    """A page of host_tools/web/page/, with its links rewritten to /page/, where its files are served."""
    return web.Response(text=read_page(name), content_type="text/html", charset="utf-8")


@functools.cache
def read_page(name: str) -> str:
    """The page's text with its addresses made to work from everywhere."""
    html = foreign.read_text(PAGE / name)
    for attribute in ("href", "src"):
        html = html.replace(f' {attribute}="', f' {attribute}="/page/')
    return html


async def give_entries(request: web.Request) -> web.Response:
    """The list as data."""
    entries = await in_thread(request.app[LIBRARY].entries)
    return web.json_response({"language": request.app[LIBRARY].language, "folder": request.app[LIBRARY].folder.name,
                              "games": [asdict(entry) for entry in entries]})


async def give_export(request: web.Request) -> web.Response:
    """The list, or what a search left of it, as a file."""
    library, kind = request.app[LIBRARY], request.match_info["kind"]
    assert kind in WRITERS
    entries = [entry for entry in await in_thread(library.entries) if matches(entry, request.query.get("find", ""))]
    text = await in_thread(export, library, entries, kind)
    return web.Response(text=text, content_type=TYPES[kind], charset="utf-8",
                        headers={"Content-Disposition": f'attachment; filename="games{kind}"'})


async def give_view(request: web.Request) -> web.StreamResponse:
    """The replay's page."""
    await find_record(request)
    return give_page("view.html")


async def give_frames(request: web.Request) -> web.Response:
    """The game that the replay's page shows, with its mistakes if it was analysed; `?analyse=yes` analyses it now."""
    record = await find_record(request)
    name = request.app[LIBRARY].reader
    readers = [record.reader(name)] if name else None
    analysis = request.app[LIBRARY].analysis or find_figures(record)
    if analysis is None and request.query.get("analyse") == "yes" and name != PUBLIC:
        analysis = await in_thread(make_figures, record)
    frames = await in_thread(make_frames, record, language_of(request), readers, analysis)
    pictures = {name: f"/page/cards/{name}.svg" for name in cards_in(frames)}
    return web.json_response({**frames, "pictures": pictures})


async def give_sheet(request: web.Request) -> web.Response:
    """One line's sheet, to print."""
    record = await find_record(request)
    line = request.query.get("line", "")
    usual = ALL if record.is_over else PUBLIC
    reader = record.reader(request.app[LIBRARY].reader or request.query.get("as") or usual)
    if not line.isascii() or not line.isdecimal() or len(line) > 8:
        raise web.HTTPBadRequest(text="line is a number.\n")
    found = await in_thread(answer, record, reader, int(line), language_of(request))
    return web.Response(text=make_sheet(found), content_type="text/html", charset="utf-8",
                        headers={"Content-Security-Policy": SHEET_POLICY})


async def give_record(request: web.Request) -> web.Response:
    """The record itself; not while its game has secrets."""
    record = await find_record(request)
    if not record.is_over or request.app[LIBRARY].reader not in ("", ALL):
        raise web.HTTPNotFound(text="This game is not open to everybody.\n")
    name = quote(request.match_info["name"])
    return web.Response(body=record.content, content_type="text/plain", charset="utf-8",
                        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{name}"})


async def give_analysis(request: web.Request) -> web.Response:
    """Where the game was lost; not while it has secrets, and only to those who may see all of it."""
    record = await find_record(request)
    if request.app[LIBRARY].reader not in ("", ALL):
        raise web.HTTPNotFound(text="This game is not open to everybody.\n")
    return web.Response(text=await in_thread(make_analysis, record), content_type="text/html", charset="utf-8",
                        headers={"Content-Security-Policy": SHEET_POLICY})


@contextlib.asynccontextmanager
async def opened(app: web.Application, port: int = 0, lan: bool = False,
                 names: set[str] | None = None) -> AsyncIterator[str]:
    """A served application: its address. names: where its guard looks for its own. UnusableInput."""
    listener = open_socket("0.0.0.0" if lan else LOOPBACK, port)
    number = listener.getsockname()[1]
    address = f"http://{own_address() if lan else LOOPBACK}:{number}"
    own = app[NAMES] if names is None else names
    own.update({f"{LOOPBACK}:{number}", f"localhost:{number}", address.partition("//")[2]})
    runner = web.AppRunner(app, access_log=None)
    with contextlib.closing(listener):
        await runner.setup()
        await web.SockSite(runner, listener).start()
        try:
            yield address
        finally:
            await runner.cleanup()


async def stay() -> None:
    """Until somebody presses Ctrl-C."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, ended.set)
        except NotImplementedError:  # on Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(ended.set))
    await ended.wait()


async def serve(app: web.Application, say: Callable[[str], None], *, port: int, lan: bool, browser: bool,
                names: set[str] | None = None) -> int:
    """Serve until Ctrl-C; the exit code."""
    async with opened(app, port, lan, names) as address:
        say(f"{address}/")
        if browser:
            with contextlib.suppress(webbrowser.Error):
                await asyncio.to_thread(webbrowser.open, f"{address}/")
        await stay()
        say("")
    return 0
