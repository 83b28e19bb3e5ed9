"""Every server stands on one ground: each of its answers carries its policy, and each of its pages has its style.

The page of an analysis, which takes long to make, is looked at in test_visitors.py.
"""

import asyncio
import contextlib
import shutil
from unittest import mock

import aiohttp
import pytest

from boards import virtual
from host_tools.base.bugs import BugLog
from host_tools.club.tournament.rounds import seat_round
from host_tools.club.tournament.site import make_site
from host_tools.look import site, watch
from host_tools.look.beside import add_views
from host_tools.look.library import Library
from host_tools.play.scripted.sitting import Sitting
from host_tools.play.web import serve, server, twin
from host_tools.virtual.world import World
from tests.host_tools.look.made import SPADES
from tests.host_tools.look.test_watch import Watched
from tests.host_tools.tournament.made import begin

PAGES = {
    "play": ["/", "/records/spades.rec/view", "/records/spades.rec/sheet?line=40"],
    "twin": ["/"],
    "look": ["/", "/game/spades.rec/", "/game/spades.rec/sheet?line=40"],
    "watch": ["/", "/overlay", "/clock"],
    "tournament": ["/", "/pairings", "/standings", "/screen", "/player/Anna", "/log", "/print/pairings.html"],
}
MISSING = {"play": "/records/none.rec", "twin": "/none", "look": "/game/none.rec/", "watch": "/none",
           "tournament": "/export/none"}
WEBSOCKET = ("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n")
FONT = "getComputedStyle(document.body).fontFamily"


class Board:
    """A board whose thread is the one that asks."""

    trouble = None

    def __init__(self):
        self.world = World(virtual)

    def call(self, act):
        return act()


@pytest.fixture
def apps(tmp_path):
    """The application of each server, as its command makes it."""
    shutil.copy(SPADES, tmp_path / "spades.rec")
    director = begin(tmp_path / "evening.sqlite")
    seat_round(director, "arbiter")
    desk = mock.Mock(names=set(), at_table={})
    desk.table.machine.is_alive, desk.table.language = True, "en"
    yield {
        "play": server.make_app(desk, tmp_path, add_views), "twin": twin.make_app(Sitting(Board())),
        "look": site.make_site(Library(tmp_path, "en")), "watch": watch.make_watch(watch.Hub()),
        "tournament": make_site(director),
    }
    director.close()


class All(Watched):
    """Every server, in one thread."""

    def __init__(self, apps):
        super().__init__()
        self.apps = apps

    async def serve(self):
        self.ended = asyncio.Event()
        async with contextlib.AsyncExitStack() as stack:
            self.addresses = {name: await stack.enter_async_context(serve.opened(app))
                              for name, app in self.apps.items()}
            self.ready.set()
            await self.ended.wait()


async def fall(request):
    """A bug."""
    raise KeyError("bug")


def test_every_answer_of_every_server_carries_a_policy(apps):
    """A page, what is missing, a bug, a visitor from elsewhere: none may be framed, sniffed or run what is not ours."""
    async def ask():
        async with aiohttp.ClientSession() as session:
            for name, app in apps.items():
                app.router.add_get("/fall", fall)
                async with serve.opened(app) as address:
                    for path, status, headers in (("/", 200, {}), (MISSING[name], 404, {}), ("/fall", 500, {}),
                                                  ("/", 403, {"Host": "elsewhere.example"}),
                                                  ("/", 403, {"Origin": "https://elsewhere.example"})):
                        async with session.get(address + path, headers=headers) as answer:
                            assert answer.status == status, (name, path, answer.status)
                            policy = answer.headers["Content-Security-Policy"]
                            assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy, (name, path)
                            assert set(serve.HEADERS) <= set(answer.headers), (name, path)

    asyncio.run(ask())


ODD = {
    "Origin: http://[": 403, "Origin: http://[::1]:x": 403, "GET /" + "a" * 300: 404, "GET http://[/": 400,
    "Sec-WebSocket-Protocol: call me": 101, " a header: x": 400,
}


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_request_is_no_bug_and_says_nothing_on_the_terminal(apps, odd, tmp_path, capfd, caplog):
    """A traceback in the file of bugs, a line on the host's terminal, or the visitor's own words there."""
    start, more = (odd, "") if odd.startswith("GET ") else ("GET /ws" if odd.startswith("Sec") else "GET /", odd)
    bugs = BugLog(tmp_path)

    async def ask():
        async with serve.opened(apps["play"], bugs=bugs) as address:
            host = address.partition("://")[2]
            reader, writer = await asyncio.open_connection(*host.split(":"))
            writer.write(f"{start} HTTP/1.1\r\nHost: {host}\r\n{WEBSOCKET}{more}\r\n\r\n".encode())
            line = await reader.readline()
            writer.close()
        return int(line.split(b" ")[1])

    apps["play"][server.DESK].turns_away.side_effect = [False, True]  # past the door, and no further
    assert (asyncio.run(ask()), bugs.count, capfd.readouterr().err, caplog.text) == (ODD[odd], 0, "", "")


@pytest.mark.browser
def test_every_page_has_its_style_in_a_browser(apps, window):
    """A policy that took the style away left "Times New Roman"."""
    with All(apps) as served:
        page = window.open("about:blank")
        for name, paths in PAGES.items():
            for path in paths:
                page.goto(served.addresses[name] + path)
                assert page.evaluate(FONT).startswith("system-ui"), (name, path, page.evaluate(FONT))
        window.close()
    window.errors = [error for error in window.errors if "404" not in error]  # the log is not for everybody
