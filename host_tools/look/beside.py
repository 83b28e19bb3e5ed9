"""Shows the finished games of a table on the pages that `cardtable play` serves: the replay, its sheets, the lesson of
the end. Each is as open as the game's record: whoever can open the address, once the game is over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from aiohttp import web

from host_tools.look import learn, learned, site
from host_tools.look.lesson import lesson_text, luck_text
from host_tools.look.library import Library
from host_tools.look.tried import tried_text
from host_tools.minds.analysis.served import key_of
from host_tools.minds.analysis.tried import PART, WHOLE
from host_tools.play.told_games import tell_games
from host_tools.play.web import serve as ground
from host_tools.play.web import server
from host_tools.play.web.serve import ASIDE, put_aside
from host_tools.play.web.server import DESK

MOST_SEATS = 7
MOST_LINES = 10_000


def add_views(app: web.Application) -> None:
    """Serve them beside the table of this application."""
    app[site.LIBRARY] = Library(app[server.LIBRARY], app[DESK].table.language)
    put_aside(app, site.QUICK)
    learn.add_pages(app)
    app.router.add_get("/records", give_games)
    app.router.add_get("/records/{name}/view", site.give_view)
    app.router.add_get("/records/{name}/game.json", site.give_frames)
    app.router.add_get("/records/{name}/progress.json", site.give_progress)
    app.router.add_get("/records/{name}/sheet", site.give_sheet)
    app.router.add_get("/records/{name}/analysis", site.give_analysis)
    app.router.add_get("/records/{name}/lesson", give_lesson)
    app.router.add_get("/records/{name}/luck", give_luck)
    app.router.add_get("/records/{name}/try", give_try_page)
    app.router.add_get("/records/{name}/try.json", give_try)
    ground.add_files(app, "/page/")


async def give_games(request: web.Request) -> web.Response:
    """The finished games with names that people read; `me` in the query: a name under which who asks plays."""
    names, own = request.app[DESK].table.known.records, set(request.query.getall("me", [])[:MOST_SEATS])
    folder, language = request.app[server.LIBRARY], site.language_of(request)
    told = await asyncio.to_thread(tell_games, folder, list(names), language, own)
    return web.json_response({"games": told})


async def give_lesson(request: web.Request) -> web.Response:
    """What decided the game, for the seat that the query names."""
    return await tell_seat(request, "lesson", lesson_text)


async def give_luck(request: web.Request) -> web.Response:
    """What luck and play brought that seat."""
    return await tell_seat(request, "luck", luck_text)


async def tell_seat(request: web.Request, kind: str, work: Callable[..., str]) -> web.Response:
    """What the process aside tells the seat that the query names of that game."""
    name, content = await site.find_content(request)
    seat, language = max(0, learned.number_of(request.query.get("seat", "0"), MOST_SEATS)), site.language_of(request)
    text = await request.app[ASIDE].ask(key_of(kind, content, seat, language), work, name, content, seat, language,
                                        request.app[site.LIBRARY].kept)
    return ground.give_json(text)


async def give_try_page(request: web.Request) -> web.Response:
    """The page of a moment that somebody wants to try again."""
    await site.find_content(request)
    return learn.give_skeleton("try")


async def give_try(request: web.Request) -> web.Response:
    """That moment: the first decision of the seat from the line on, its plays, and what came of so many continuations
    of each."""
    name, content = await site.find_content(request)
    line, seat, count = (learned.number_of(request.query.get(key, "0"), most)
                         for key, most in (("line", MOST_LINES), ("seat", MOST_SEATS), ("count", WHOLE)))
    facts = (max(0, line), max(0, seat), request.query.get("cards") == "anew", max(0, count) // PART * PART,
             site.language_of(request))
    text = await request.app[ASIDE].ask(key_of("try", content, *facts), tried_text, name, content, *facts,
                                        request.app[site.LIBRARY].kept)
    return ground.give_json(text)
