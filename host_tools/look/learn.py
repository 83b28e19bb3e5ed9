"""Serves the pages to learn from, beside a table: puzzles, drills, the own games. What somebody solved stays in
the browser; the server keeps nothing and tells nothing of a game that goes on.
"""

from __future__ import annotations

import asyncio

from aiohttp import web

from host_tools.look import learned, site
from host_tools.look.drill import drills_text
from host_tools.look.mine import tell_mine
from host_tools.look.puzzle_told import answer_text, question_text
from host_tools.look.wording import Wording
from host_tools.minds.analysis.served import key_of
from host_tools.minds.puzzles.puzzle import Puzzle
from host_tools.play.web import serve as ground
from host_tools.play.web import server

_LONGEST = 80  # characters of a name
PAGES = {"/puzzles": "puzzles", "/drills": "drills", "/my-games": "mine"}  # what tells each of them: NAME.js


def add_pages(app: web.Application) -> None:
    """Serve them beside the table of this application."""
    for address in PAGES:
        app.router.add_get(address, give_learn)
    app.router.add_get("/puzzles/list.json", give_list)
    app.router.add_get("/puzzles/{name}.json", give_question)
    app.router.add_get("/puzzles/{name}/answer.json", give_answer)
    app.router.add_get("/drills.json", give_drills)
    app.router.add_get("/my-games.json", give_mine)


async def give_learn(request: web.Request) -> web.Response:
    """One of the pages that stand in PAGES."""
    return give_skeleton(PAGES[request.path])


def give_skeleton(name: str) -> web.Response:
    """The page that NAME.js fills: all pages to learn from have the same."""
    return ground.give_html(site.read_page("learn.html").replace("NAME", name))


async def own_of(request: web.Request) -> dict[str, Puzzle]:
    """The same, for a request."""
    return await asyncio.to_thread(learned.read_own, request.app[server.LIBRARY])


async def find_puzzle(request: web.Request) -> Puzzle:
    """The puzzle that the address names."""
    puzzle = learned.find_puzzle(request.match_info["name"], await own_of(request))
    if puzzle is None:
        raise web.HTTPNotFound(text=Wording(site.language_of(request)).say("puzzle.none") + "\n")
    return puzzle


async def give_list(request: web.Request) -> web.Response:
    """All names with their ratings, one's own first; which is today's."""
    return web.json_response(learned.list_puzzles(await own_of(request)))


async def give_question(request: web.Request) -> web.Response:
    """A position and its question."""
    puzzle, language = await find_puzzle(request), site.language_of(request)
    key = key_of("puzzle", puzzle.line().encode(), language)
    text = await request.app[site.QUICK].ask(key, question_text, puzzle.line(), language)
    return ground.give_json(text)


async def give_answer(request: web.Request) -> web.Response:
    """Whether a choice is right, how it goes on, and the rating of who answered, from what the browser keeps."""
    puzzle, language = await find_puzzle(request), site.language_of(request)
    index = learned.number_of(request.query.get("choice", ""))
    key = key_of("answer", puzzle.line().encode(), language, index)
    text = await request.app[site.QUICK].ask(key, answer_text, puzzle.line(), language, index)
    mu, sigma = request.query.get("mu", ""), request.query.get("sigma", "")
    return web.json_response(learned.add_rating(text, puzzle, mu, sigma))


# --- drills ---


async def give_drills(request: web.Request) -> web.Response:
    """Questions about one finished game of this folder, another one for each seed; where there is none, about a game
    that comes along."""
    language, seed = site.language_of(request), max(0, learned.number_of(request.query.get("seed", "")))
    paths = list((await asyncio.to_thread(request.app[site.LIBRARY].paths)).values())
    games = await asyncio.to_thread(learned.read_games, paths, seed)
    key = key_of("drills", b"".join(content for _, content in games), language, seed)
    return ground.give_json(await request.app[site.QUICK].ask(key, drills_text, games, language, seed))


# --- the own games ---


async def give_mine(request: web.Request) -> web.Response:
    """The finished games in which the name of the query played, and how they went against whom."""
    name, language = request.query.get("name", "")[:_LONGEST], site.language_of(request)
    text = await asyncio.to_thread(tell_mine, request.app[site.LIBRARY], name, language)
    return web.json_response(text)
