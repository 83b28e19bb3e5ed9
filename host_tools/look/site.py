"""Serves records on pages: the list of a folder, the replay of a game, the sheet of a line, exports. Anyone who can
open the address sees every finished game with all hands; of a game without a result, what is public.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from dataclasses import asdict
from typing import Any
from urllib.parse import quote, urlencode

from aiohttp import web

from host_tools.base import foreign
from host_tools.base.languages import ENGLISH, list_languages
from host_tools.base.project import PAGE
from host_tools.base.workers.aside import Aside
from host_tools.look.library import WRITERS, Entry, Library, export, matches
from host_tools.look.outside import frames_text, games_text, sheet_text
from host_tools.look.wording import Wording
from host_tools.minds.analysis.served import key_of, list_kept
from host_tools.play.web import serve as ground
from host_tools.play.web.serve import ASIDE
from host_tools.sight.recorded import ALL, Recorded

READING = "Reading the games…"  # until the list is there, with their number
LIBRARY = web.AppKey("library", Library)
QUICK = web.AppKey("quick", Aside)
READING_LIST = web.AppKey("reading_list", asyncio.Lock)
TYPES = {".csv": "text/csv", ".json": "application/json", ".txt": "text/plain"}


def make_site(library: Library) -> web.Application:
    """The pages of a folder; with `library.only` of one record."""
    app = ground.make_app(most_bytes=1024**2)
    app[LIBRARY] = library
    prepare_aside(app)
    app.router.add_get("/", give_list)
    app.router.add_get("/games.json", give_entries)
    app.router.add_get("/export{kind:\\.(?:csv|json|txt)}", give_export)
    app.router.add_get("/game/{name}/", give_view)
    app.router.add_get("/game/{name}/game.json", give_frames)
    app.router.add_get("/game/{name}/progress.json", give_progress)
    app.router.add_get("/game/{name}/sheet", give_sheet)
    app.router.add_get("/game/{name}/record", give_record)
    app.router.add_get("/game/{name}/analysis", give_analysis)
    ground.add_files(app, "/page/")
    return app


def prepare_aside(app: web.Application) -> None:
    """Two processes for what is dear: one for what people wait for, one for analyses, which take long."""
    ground.put_aside(app, QUICK, ASIDE)
    app[READING_LIST] = asyncio.Lock()


async def in_thread(work: Callable[..., Any], *facts: Any) -> Any:
    """Do what takes long without holding up the others."""
    return await asyncio.to_thread(work, *facts)


def language_of(request: web.Request) -> str:
    """The language that a page asks for, else the library's."""
    wanted = request.query.get("language", "")
    return wanted if wanted in list_languages() else request.app[LIBRARY].language


async def find_content(request: web.Request) -> tuple[str, bytes]:
    """(name, bytes) of the record that the address names."""
    found: tuple[str, bytes] | None = await in_thread(request.app[LIBRARY].content, request.match_info["name"])
    if found is None:
        raise web.HTTPNotFound(text=ground.tell(request, "record"))
    return found


async def read_entries(request: web.Request) -> list[Entry]:
    """The list; however many ask, it is read once at a time."""
    async with request.app[READING_LIST]:
        found: list[Entry] = await in_thread(request.app[LIBRARY].entries)
    return found


async def give_list(request: web.Request) -> web.StreamResponse:
    """The list; where there is one record alone, its replay."""
    library = request.app[LIBRARY]
    if library.only is not None:
        asks = f"?language={library.language}" if library.language != ENGLISH else ""  # --language; else the browser's
        raise web.HTTPFound(f"/game/{quote(library.only.name)}/{asks}")
    number = len(await in_thread(library.paths))
    reading = Wording(library.language).count("reading", number)
    html = read_page("games.html").replace(READING, reading).replace('lang="en"', f'lang="{library.language}"', 1)
    return ground.give_html(html)


def give_page(name: str) -> web.Response:
    """A page of host_tools/play/web/page/, with its links rewritten to /page/, where its files are served."""
    return ground.give_html(read_page(name))


@functools.cache
def read_page(name: str) -> str:
    """The page's text with its addresses made to work from everywhere."""
    html = foreign.read_text(PAGE / name)
    for attribute in ("href", "src"):
        html = html.replace(f' {attribute}="', f' {attribute}="/page/')
    return html


async def give_entries(request: web.Request) -> web.Response:
    """The list as data."""
    entries = await read_entries(request)
    return web.json_response({"language": request.app[LIBRARY].language, "folder": request.app[LIBRARY].folder.name,
                              "games": [asdict(entry) for entry in entries]})


async def give_export(request: web.Request) -> web.Response:
    """The list, or what a search left of it, as a file."""
    library, kind = request.app[LIBRARY], request.match_info["kind"]
    assert kind in WRITERS
    entries = [entry for entry in await read_entries(request) if matches(entry, request.query.get("find", ""))]
    if kind == ".txt" and library.only is None:
        key = key_of(f"games {library.language}", repr(entries).encode())
        text = await request.app[QUICK].ask(key, games_text, str(library.folder), library.language,
                               [entry.name for entry in entries])
    else:
        text = await in_thread(export, library, entries, kind)
    return web.Response(text=text, content_type=TYPES[kind], charset="utf-8",
                        headers={"Content-Disposition": f'attachment; filename="games{kind}"'})


async def give_view(request: web.Request) -> web.StreamResponse:
    """The replay's page."""
    await find_content(request)
    return give_page("view.html")


async def give_frames(request: web.Request) -> web.Response:
    """The game that the replay's page shows, with its mistakes if it was analysed; `?analyse=yes` analyses it now."""
    name, content = await find_content(request)
    library, language, analyses = request.app[LIBRARY], language_of(request), is_analysis(request)
    text = await request.app[ASIDE if analyses else QUICK].ask(
        frames_key(request, name, content), frames_text, name, content, language, library.reader, analyses,
        library.kept, library.analysis)
    return ground.give_json(text)


async def give_progress(request: web.Request) -> web.Response:
    """How far the analysis is that `give_frames` makes for the same query; nothing where none is being made."""
    aside = request.app[ASIDE]
    if not is_analysis(request) or not aside.waiting:
        return web.json_response({})
    return web.json_response(aside.progress(frames_key(request, *await find_content(request))))


def is_analysis(request: web.Request) -> bool:
    """Whether that question takes an analysis."""
    return request.query.get("analyse") == "yes" and request.app[LIBRARY].analysis is None


def frames_key(request: web.Request, name: str, content: bytes) -> str:
    """By which the question of `give_frames` is known."""
    library = request.app[LIBRARY]
    return key_of("frames", content, name, language_of(request), library.reader, is_analysis(request),
                  count_kept(library, content))


def count_kept(library: Library, content: bytes) -> int:
    """How much of the record was analysed: then its frames are others."""
    return len(list_kept(content, library.kept)) if library.kept is not None else 0


async def give_sheet(request: web.Request) -> web.Response:
    """One line's sheet, to print."""
    name, content = await find_content(request)
    line, language = request.query.get("line", ""), language_of(request)
    reader = request.app[LIBRARY].reader or request.query.get("as", "")
    if not line.isascii() or not line.isdecimal() or len(line) > 8:
        raise web.HTTPBadRequest(text=ground.tell(request, "line"))
    key = key_of("sheet", content, name, int(line), language, repr(reader))
    text = await request.app[QUICK].ask(key, sheet_text, name, content, int(line), reader, language)
    return ground.give_html(text, ground.SHEET_HEADERS)


@functools.lru_cache(maxsize=256)
def is_over(found: tuple[str, bytes]) -> bool:
    """Whether that record has no secrets any more."""
    return Recorded(*found).is_over


async def give_record(request: web.Request) -> web.Response:
    """The record itself; not while its game has secrets."""
    if request.app[LIBRARY].reader not in ("", ALL) or not (await in_thread(is_over, await find_content(request))):
        raise web.HTTPNotFound(text=ground.tell(request, "closed"))
    return ground.give_file(request.match_info["name"], (await find_content(request))[1])


async def give_analysis(request: web.Request) -> web.StreamResponse:
    """The address that analyses once had: the replay's page shows them now."""
    await find_content(request)
    page = "view" if request.path.startswith("/records/") else "./"
    raise web.HTTPFound(f"{page}?{urlencode({**request.query, 'analyse': 'yes'})}")
