"""Serves the pages of an evening: everybody sees them, and a sign-in link brings the rights of its role.

Every change is an event of the log, signed with the visitor's name and role. Addresses that ask too often have to wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import quote, unquote

from aiohttp import web

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.languages import list_languages
from host_tools.look import site as look
from host_tools.look.library import Library
from host_tools.club.tournament import hall, pages, printed
from host_tools.club.tournament.by_hand import correct_places, enter_places
from host_tools.club.tournament.director import Director
from host_tools.club.tournament.exported import make_files
from host_tools.club.tournament.people import add_players, check_reason
from host_tools.club.tournament.roles import ARBITER, Limiter, Visitor, find_visitor
from host_tools.club.tournament.room import Room
from host_tools.club.tournament.rounds import close_round, is_over, seat_round
from host_tools.club.tournament.state import State, Unfit
from host_tools.club.tournament.templates import fill
from host_tools.club.tournament.typed import read_letters
from host_tools.club.tournament.wording import Wording
from host_tools.play.web import serve as ground
from host_tools.play.web.metrics import add_metrics
from host_tools.play.web.place import BEHIND, address_of, is_encrypted

SERVED = Path(__file__).parent / "served"
COOKIE = "cardtable_tournament"
LANGUAGE_COOKIE = "cardtable_language"
ME_COOKIE = "cardtable_me"  # whose phone it is; no secret
DIRECTOR = web.AppKey("director", Director)
ASKING = web.AppKey("asking", Limiter)
CHANGING = web.AppKey("changing", Limiter)
POLICY = ground.HEADERS["Content-Security-Policy"].replace("form-action 'none'", "form-action 'self'")
# Without a referrer a browser does not say where a form is from either, and the guard would refuse its own page.
PAGE_HEADERS = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store", "Referrer-Policy": "same-origin"}
MOST_BYTES = 64 * 1024
TYPES = {".csv": "text/csv", ".json": "application/json"}
PUBLIC_FILES = ("standings.csv", "tournament.json")
STAFF_FILES = ("players.csv", "rulings.json")
STAFF_PRINTS = ("seats.html", "slips.html")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def make_site(director: Director, asking: Limiter | None = None, changing: Limiter | None = None, language: str = "en"
              ) -> web.Application:
    """The application; the limits are for tests. language: of a visitor who has chosen none,
    and whose browser asks for none that is there."""
    app = ground.make_app(limit, answer_trouble, most_bytes=MOST_BYTES)
    app[DIRECTOR] = director
    app[ASKING], app[CHANGING] = asking or Limiter(50, 200), changing or Limiter(1, 30)
    app[look.LIBRARY] = Kept(director)
    app[look.LIBRARY].language = language
    look.prepare_aside(app)
    for path, name in (("/", "evening"), ("/pairings", "pairings"), ("/standings", "standings"), ("/screen", "screen"),
                       ("/players", "players"), ("/log", "log")):
        app.router.add_get(path, give(name))
    app.router.add_get("/player/{name}", give("player"))
    app.router.add_get("/find", find)
    app.router.add_get("/live/{table}", give("live"))
    app.router.add_get("/table/{round}/{table}", give("table"))
    app.router.add_get("/dispute/{number}", give("dispute"))
    app.router.add_get("/version", give_version)
    add_metrics(app, lambda: find_trouble(director), {
        "disputes": ("records that wait for the arbiter", lambda: len(director.state.disputes)),
        "results": ("games that count", lambda: len(director.state.results)),
        "aside_waiting": ("analyses that wait or are worked on", lambda: app[ground.ASIDE].waiting),
    })
    app.router.add_get("/sign-in/{secret}", sign_in)
    app.router.add_get("/export/{name}", give_export)
    app.router.add_get("/print/{name}", give_print)
    app.router.add_post("/do/{what}", change)
    for path, handler in (("/game/{name}/", look.give_view), ("/game/{name}/game.json", look.give_frames),
                          ("/game/{name}/progress.json", look.give_progress),
                          ("/game/{name}/sheet", look.give_sheet), ("/game/{name}/record", look.give_record),
                          ("/game/{name}/analysis", look.give_analysis)):
        app.router.add_get(path, for_readers(handler))
    app.router.add_static("/served/", SERVED, append_version=False)
    ground.add_files(app, "/page/")
    return app


def find_trouble(director: Director) -> str:
    """What is wrong with the database; empty if it answers."""
    try:
        with director.looking():
            return ""
    except UnusableInput as wrong:
        return str(wrong)


# --- who may ask, and how often ---


@web.middleware
async def limit(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Who asks too often waits; changes and sign-ins are counted apart."""
    address = address_of(request)
    is_change = request.method == "POST" or request.path.startswith("/sign-in/")
    limiter = request.app[CHANGING if is_change else ASKING]
    if not limiter.allow(address):
        return web.Response(status=429, text="Too many requests: wait a moment.\n", headers={"Retry-After": "5"})
    return await handler(request)


@web.middleware
async def answer_trouble(request: web.Request, handler: Handler) -> web.StreamResponse:
    """What cannot be is a page with the sentence; so is an address that nobody knows."""
    try:
        return await handler(request)
    except web.HTTPNotFound as gone:
        if gone.text != f"{gone.status}: {gone.reason}":
            raise  # it has words of its own
        return await give_page(request, "trouble", 404, alert=Unfit("no.page"))
    except UnusableInput as wrong:
        return await give_page(request, "trouble", status=409 if request.method == "POST" else 404, alert=wrong)


def language_of(request: web.Request) -> str:
    """The language that the visitor has chosen, now or before; else the browser's own; else that of the pages."""
    chosen = (request.query.get("language"), request.cookies.get(LANGUAGE_COOKIE),
              ground.language_of(request, request.app[look.LIBRARY].language))
    return next(language for language in chosen if language in list_languages())


def visitor_of(request: web.Request) -> Visitor:
    """Who asks, by the cookie of a sign-in link."""
    secret = request.cookies.get(COOKIE, "")
    if not secret:
        return Visitor()
    with request.app[DIRECTOR].looking() as state:
        return find_visitor(state, secret)


async def sign_in(request: web.Request) -> web.StreamResponse:
    """Remember the secret of the link, and leave its address."""
    secret = request.match_info["secret"]

    def look_up() -> Visitor:
        with request.app[DIRECTOR].looking() as state:
            return find_visitor(state, secret)

    visitor = await asyncio.to_thread(look_up)
    if not visitor.keeps_score:
        return await give_page(request, "trouble", 403, alert=Unfit("no.link"))
    response = web.HTTPSeeOther("/")
    response.set_cookie(COOKIE, secret, httponly=True, secure=is_encrypted(request), samesite="Lax", path="/",
                        max_age=7 * 24 * 3600)
    raise response


def address_here(request: web.Request) -> str:
    """The address of these pages, for links on paper."""
    return request.app.get(BEHIND, "") or f"{request.scheme}://{request.host}"


def for_readers(handler: Handler) -> Handler:
    """A game's pages: for the staff, and once its round is complete for everybody."""

    async def give_game(request: web.Request) -> web.StreamResponse:
        if not await asyncio.to_thread(may_read, request):
            return await give_page(request, "trouble", 403, alert=Unfit("closed.game"))
        return await handler(request)

    return give_game


def may_read(request: web.Request) -> bool:
    """Whether this visitor may see that game."""
    if visitor_of(request).keeps_score:
        return True
    seal = request.match_info["name"]
    with request.app[DIRECTOR].looking() as state:
        key = next((key for key, result in state.results.items() if result.seal == seal), None)
        return key is not None and state.is_complete(state.rounds[key[0] - 1])


class Kept(Library):
    """The records of a tournament, by their seals, for the pages that show a game."""

    def __init__(self, director: Director) -> None:
        super().__init__(Path())
        self.director = director

    @property
    def kept(self) -> None:
        """The records lie in a database: an analysis is kept in memory."""
        return None

    def content(self, name: str) -> tuple[str, bytes] | None:
        """The record of that seal."""
        content = self.director.store.record(name)
        return None if content is None else (f"{name.replace(' ', '-')}.rec", content)


# --- what is shown ---


def give(name: str) -> Handler:
    """A handler for one kind of page."""

    async def handler(request: web.Request) -> web.StreamResponse:
        return await give_page(request, name)

    return handler


async def give_page(request: web.Request, name: str, status: int = 200, said: str = "",
                    alert: UnusableInput | None = None) -> web.Response:
    """One page as it is now."""
    text = await asyncio.to_thread(write_page, request, name, said, alert)
    response = web.Response(text=text, status=status, content_type="text/html", charset="utf-8", headers=PAGE_HEADERS)
    if request.query.get("language") in list_languages():
        response.set_cookie(LANGUAGE_COOKIE, language_of(request), samesite="Lax", path="/", max_age=365 * 24 * 3600)
    if name == "player" and "me" in request.query:
        response.set_cookie(ME_COOKIE, quote(request.match_info["name"]), samesite="Lax", path="/", max_age=24 * 3600)
    return response


def write_page(request: web.Request, name: str, said: str, alert: UnusableInput | None) -> str:
    """The page's text. UnusableInput."""
    director, visitor, info = request.app[DIRECTOR], visitor_of(request), request.match_info
    words = Wording(language_of(request))
    if name in ("players", "log", "table", "dispute") and not visitor.keeps_score:
        raise Unfit("staff")
    rows = director.standings() if name in ("standings", "screen", "player") else []
    events = director.events if name == "log" else []
    room = director.room
    me = info["name"] if name == "player" and "me" in request.query else unquote(request.cookies.get(ME_COOKIE, ""))
    with director.looking() as state:
        one = state.round
        pairings = words.say("round", number=one.number) if one else words.say("menu.pairings")
        title, body = {
            "evening": lambda: (words.say("evening"), pages.evening(state, visitor, room, words)),
            "pairings": lambda: (pairings, hall.pairings(state, words)),
            "standings": lambda: (words.say("menu.standings"), pages.standing(state, rows, words)),
            "screen": lambda: (words.say("menu.standings") if is_over(state) else pairings,
                               hall.screen(state, rows, words)),
            "players": lambda: (words.say("menu.players"), pages.players(state, visitor, words)),
            "log": lambda: (words.say("menu.log"), pages.log(events, visitor, words)),
            "player": lambda: (info["name"], hall.player(state, rows, info["name"], words, me)),
            "find": lambda: (words.say("find.label"), hall.find(state, request.query.get("name", ""), words)),
            "live": lambda: (info["table"], pages.live(state, room, info["table"], visitor, words)),
            "table": lambda: (info["table"], pages.result_form(state, number_of(info["round"]), info["table"], words,
                                                               number_of(request.query.get("game", "0")))),
            "dispute": lambda: (words.say("dispute", number=info["number"]),
                                show_dispute(state, number_of(info["number"]), visitor, words)),
            "trouble": lambda: (words.say("trouble"), fill("trouble", words)),
        }[name]()
        live = name in ("evening", "pairings", "standings", "screen", "player", "live")
        return pages.frame(state, visitor, request.path, title, body, words, version=version_of(state, room), live=live,
                           said=said, alert=alert, screen=name == "screen", me=me)


async def find(request: web.Request) -> web.StreamResponse:
    """The players of that name; if there is one alone, that player's page."""
    def look_up() -> list[str]:
        with request.app[DIRECTOR].looking() as state:
            return hall.find_names(state, request.query.get("name", ""))

    names = await asyncio.to_thread(look_up)
    if len(names) == 1:
        raise web.HTTPSeeOther(f"/player/{quote(names[0], safe='')}")
    return await give_page(request, "find")


def version_of(state: State, room: Room) -> str:
    """What changes with everything that a page may show."""
    return f"{state.last}.{room.version}"


def show_dispute(state: State, number: int, visitor: Visitor, words: Wording) -> str:
    """Unfit if it is decided."""
    if number not in state.disputes:
        raise Unfit("no.dispute", number=number)
    return pages.dispute(state, number, visitor, words)


def number_of(text: str) -> int:
    """A small number of an address. Unfit."""
    if not text.isascii() or not text.isdecimal() or len(text) > 8:
        raise Unfit("no.number", text=repr(foreign.shorten(text)))
    return int(text)


async def give_version(request: web.Request) -> web.Response:
    """A page that has another version takes its text again."""
    director = request.app[DIRECTOR]
    return web.json_response({"version": await asyncio.to_thread(lambda: version_of(director.state, director.room))})


async def give_export(request: web.Request) -> web.Response:
    """A file for other programs."""
    name = request.match_info["name"]
    visitor = await asyncio.to_thread(visitor_of, request)
    if name not in PUBLIC_FILES and not (name in STAFF_FILES and visitor.keeps_score):
        raise web.HTTPNotFound
    files = await asyncio.to_thread(make_files, request.app[DIRECTOR])
    return web.Response(body=files[name], content_type=TYPES[Path(name).suffix], charset="utf-8",
                        headers={"Content-Disposition": f'attachment; filename="{name}"'})


async def give_print(request: web.Request) -> web.Response:
    """A page to print; seat cards have this server's address in their QR codes. Stacked decks are the arbiter's."""
    name = request.match_info["name"]
    visitor = await asyncio.to_thread(visitor_of, request)
    found = await asyncio.to_thread(printed.make_pages, request.app[DIRECTOR], address_here(request),
                                    language_of(request))
    is_open = name in ("pairings.html", "standings.html") or visitor.keeps_score and name in STAFF_PRINTS
    if name not in found or not (is_open or visitor.role == ARBITER):
        raise web.HTTPNotFound
    return ground.give_html(found[name], ground.SHEET_HEADERS)


# --- what is changed ---


async def change(request: web.Request) -> web.StreamResponse:
    """One change of the evening; afterwards the page on which it shows."""
    if "Origin" not in request.headers:
        raise web.HTTPForbidden(text="A browser says where its form is from.\n")
    form = {key: value for key, value in (await request.post()).items() if isinstance(value, str)}
    visitor = await asyncio.to_thread(visitor_of, request)
    what = request.match_info["what"]
    if what not in CHANGES:
        raise web.HTTPNotFound
    for_scorekeepers, where, act = CHANGES[what]
    if not (visitor.role == ARBITER or for_scorekeepers and visitor.keeps_score):
        return await give_page(request, "trouble", 403, alert=Unfit("arbiter"))
    await asyncio.to_thread(act, request.app[DIRECTOR], visitor.signature, form)
    raise web.HTTPSeeOther(where)


def do_round(director: Director, who: str, form: dict[str, str]) -> None:
    """Seat the next round."""
    seat_round(director, who)


def do_close(director: Director, who: str, form: dict[str, str]) -> None:
    """Close the round that the page showed, and seat the next one, if there is one. Sent twice, it closes one."""
    close_round(director, who, number_of(form.get("round", "")), check_reason(form.get("reason", "")))


def read_form(director: Director, form: dict[str, str]) -> tuple[tuple[int, str, int], str, bool]:
    """The game, its places as they are typed elsewhere, and whether nobody lost. UnusableInput."""
    key = (number_of(form.get("round", "")), form.get("table", ""), number_of(form.get("game", "")))
    with director.looking() as state:
        group = state.find_group(key)
    if form.get("group", "; ".join(group)) != "; ".join(group):  # the places would be other people's
        raise Unfit("seated.now", table=key[1], round=key[0], group=", ".join(group))
    places: dict[int, list[str]] = {}
    for at, name in enumerate(group, 1):
        place = form.get(f"p{at}", "")
        if not place:
            raise Unfit("no.place", name=name)
        places.setdefault(number_of(place), []).append(name)
    return key, "; ".join(" = ".join(places[place]) for place in sorted(places)), form.get("draw") == "yes"


def do_result(director: Director, who: str, form: dict[str, str]) -> None:
    """A result from a slip."""
    key, places, is_draw = read_form(director, form)
    enter_places(director, who, key, places, None, is_draw, read_letters(form.get("letters", "")))


def do_correct(director: Director, who: str, form: dict[str, str]) -> None:
    """Another result in the place of one."""
    key, places, is_draw = read_form(director, form)
    correct_places(director, who, key, places, None, is_draw, form.get("reason", ""))


def do_decide(director: Director, who: str, form: dict[str, str]) -> None:
    """The arbiter's word on a dispute."""
    director.act(who, "decided", dispute=number_of(form.get("dispute", "")), takes=form.get("takes") == "yes",
                 reason=check_reason(form.get("reason", "")), round=number_of(form.get("round", "0")),
                 table=form.get("table", ""), game=number_of(form.get("game", "1")))


def do_add(director: Director, who: str, form: dict[str, str]) -> None:
    """A player comes."""
    add_players(director, who, [(form.get("name", ""), form.get("club", ""), form.get("team", ""))])


def do_withdraw(director: Director, who: str, form: dict[str, str]) -> None:
    """A player leaves."""
    reason = check_reason(form.get("reason", ""))
    director.act(who, "player left", name=form.get("name", ""), reason=reason, refund=False)


def do_no_show(director: Director, who: str, form: dict[str, str]) -> None:
    """A player was seated, and is not there."""
    director.act(who, "no show", name=form.get("name", ""))


def do_back(director: Director, who: str, form: dict[str, str]) -> None:
    """A player comes back."""
    director.act(who, "player back", name=form.get("name", ""))


def do_undo(director: Director, who: str, form: dict[str, str]) -> None:
    """An event is taken back."""
    reason = check_reason(form.get("reason", "") or "on the page of the log")
    director.undo(who, number_of(form.get("event", "")), reason)


# What: whether a scorekeeper may, where it shows, what it does.
CHANGES: dict[str, tuple[bool, str, Callable[[Director, str, dict[str, str]], None]]] = {
    "round": (False, "/", do_round), "close": (False, "/", do_close), "result": (True, "/", do_result),
    "correct": (False, "/", do_correct), "decide": (False, "/", do_decide), "add": (False, "/players", do_add),
    "withdraw": (False, "/players", do_withdraw), "back": (False, "/players", do_back),
    "no_show": (False, "/", do_no_show),
    "undo": (False, "/log", do_undo),
}  # fmt: skip
