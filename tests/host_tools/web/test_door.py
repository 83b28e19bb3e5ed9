"""Who gets in when the house is full: silent sockets, crowds, a server that ends."""

import asyncio
import contextlib
import gc
import json
import resource
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import aiohttp
import pytest
from aiohttp import web

from host_tools.base.bugs import BugLog
from host_tools.base.workers.aside import QUEUE
from host_tools.play.web import door, thinking
from host_tools.play.web.desk import Connection, Desk
from host_tools.play.web.door import ASKED, KNOWN, SILENT, SPECTATOR, Door, mark
from host_tools.play.web.serve import ASIDE
from host_tools.play.web.server import make_app, make_refusal
from tests.conftest import ROOT
from tests.host_tools.web.test_foreign_messages import StillTable
from tests.patience import PATIENCE_S, wait_until

UPGRADE = (b"GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n")  # fmt: skip

ASKING = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg=="}


class Transport:
    """A socket from an address, without one."""

    def __init__(self, address):
        self.address, self.is_cut = address, False

    def get_extra_info(self, name):
        return (self.address, 5)

    def abort(self):
        self.is_cut = True


class Handler:
    transport = None

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, error):
        self.transport = None


def come(front, address="127.0.0.1", standing=SILENT):
    """A socket that comes to the door."""
    guest = door.Guest(front, Handler)
    transport = Transport(address)
    guest.connection_made(transport)
    front.mark(guest, standing)
    return guest, transport


def in_loop(work):
    async def run():
        return work()

    return asyncio.run(run())


def test_r1_a_full_house_drops_the_oldest_socket_that_said_nothing():
    def fill():
        front = Door(10)
        known = [come(front, standing=KNOWN) for _ in range(3)]
        silent = [come(front) for _ in range(1000)]
        assert front.count == 10 and front.dropped == 993
        assert [transport.is_cut for _, transport in silent] == [True] * 993 + [False] * 7
        assert not any(transport.is_cut for _, transport in known)
        _, last = come(front)
        assert not last.is_cut

    in_loop(fill)


def test_r1_who_is_known_less_goes_first():
    def fill():
        front = Door(6)
        order = [come(front, standing=standing) for standing in (SPECTATOR, ASKED, SILENT, KNOWN, SPECTATOR, ASKED)]
        for _ in range(6):
            come(front, standing=KNOWN)
        assert [transport.is_cut for _, transport in order] == [True, True, True, False, True, True]
        assert front.counts() == {"silent": 0, "asked": 0, "spectator": 0, "known": 6}
        _, refused = come(front)
        assert refused.is_cut  # all others have right secrets

    in_loop(fill)


def test_r1_one_address_has_its_share_and_this_machine_all():
    def fill():
        front = Door(64)
        far = [come(front, "192.0.2.7") for _ in range(40)]
        assert sum(not transport.is_cut for _, transport in far) == front.share == 16
        near = [come(front, "::1") for _ in range(40)]
        assert not any(transport.is_cut for _, transport in near)
        guest, _ = near[0]
        guest.connection_lost(None)
        assert front.count == 55

    in_loop(fill)


def test_a_socket_costs_a_handler_only_once_its_header_is_there():
    """Also one that is no header at all: the handler has a sentence for it."""
    def knock(*parts):
        made = []

        class Noting(Handler):
            def __init__(self):
                made.append(b"")

            def data_received(self, data):
                made[0] += data

        guest = door.Guest(Door(10), Noting)
        guest.data_received(parts[0])  # together with the end of a handshake
        guest.connection_made(Transport("127.0.0.1"))
        for part in parts[1:]:
            guest.data_received(part)
        return made

    def look():
        assert knock(b"") == knock(b"", b"GET / HTTP/1.1\r\n", b"Host: x\r\n") == []
        assert knock(b"", b"GET / HTTP/1.1\r\n", b"\r\n", b"more") == [b"GET / HTTP/1.1\r\n\r\nmore"]
        assert knock(b"GET / HTTP/1.1\r\n\r\n") == [b"GET / HTTP/1.1\r\n\r\n"]
        assert knock(b"", b"\x16\x03\x01") == [b"\x16\x03\x01"]
        assert len(knock(b"", b"G" * (door.HEADER_LIMIT + 1))) == 1

    in_loop(look)


def test_r2_a_refused_socket_is_half_closed_and_may_go_on_talking():
    """A reset, which a full close is for a page that sends its hello meanwhile, could overtake the refusal."""
    def refuse():
        front, told = Door(10), []
        front.refuse = lambda header, address: b"full"
        guest, transport = come(front)
        transport.write, transport.can_write_eof = told.append, lambda: True
        transport.write_eof = lambda: told.append("end")
        transport.close = transport.abort = lambda: told.append("cut")
        for part in (b"GET /ws HTTP/1.1\r\n\r\n", b"hello", b"GET / HTTP/1.1\r\n\r\n"):
            guest.data_received(part)
        assert told == [b"full", "end"] and guest.handler is None
        guest.drop()
        assert told[-1] == "cut" and front.count == 0

    in_loop(refuse)


def test_what_a_crowd_took_is_given_back_once_it_has_gone(monkeypatch):
    given = []
    monkeypatch.setattr(door, "give_back", lambda: given.append(1))
    monkeypatch.setattr(door, "CROWD_S", 0.0)

    async def crowd(size):
        front = Door(300)
        guests = [come(front)[0] for _ in range(size)]
        for guest in guests:
            guest.connection_lost(None)
        done = asyncio.Event()
        asyncio.get_running_loop().call_later(0.0, done.set)
        await done.wait()
        return len(given)

    assert asyncio.run(crowd(door.CROWD - 1)) == 0
    assert asyncio.run(crowd(2 * door.CROWD)) == 1


def test_the_budget_leaves_files_for_the_game(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 1024))
    monkeypatch.setattr(resource, "setrlimit", lambda *_: None)
    assert door.count_sockets() == (1024 - door.RESERVED) // 2
    monkeypatch.setattr(resource, "getrlimit", lambda _: (100, 100))
    assert door.count_sockets() == 16


@contextlib.asynccontextmanager
async def house(most=40, handler=None, refuse=None):
    """A small server with a door: its door, port and log of bugs."""
    async def give(request):
        mark(request, ASKED)
        return web.Response(text="hello")

    app = web.Application()
    app.router.add_get("/", handler or give)
    if refuse is not None:
        app[door.REFUSE] = refuse
    listener = socket.create_server(("127.0.0.1", 0))
    bugs = BugLog(None)
    async with door.opened(app, listener, bugs, Door(most)) as front:
        yield front, listener.getsockname()[1], bugs


async def dial(port, text=b""):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(text)
    return reader, writer


def test_r1_silent_sockets_keep_nobody_out_and_say_nothing(capsys):
    """Ten times as many as there is room for, half with half a header: a page is served behind all of them."""
    async def run():
        async with house() as (front, port, bugs):
            held = [await dial(port, b"GET / HTTP/1.1\r\nHos" if number % 2 else b"") for number in range(400)]
            async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/") as answer:
                assert await answer.text() == "hello"
            assert front.count <= 40 and bugs.count == 0
            for _, writer in held:
                writer.close()

    asyncio.run(run())
    assert capsys.readouterr().err == ""


def test_r1_a_socket_that_has_gone_leaves_nothing_for_a_collection():
    """Two thousand silent sockets that come again and again would fill the heap with what only a collection ends."""
    def count():
        return sum(type(one).__name__ in ("Guest", "_SelectorSocketTransport") for one in gc.get_objects())

    async def run():
        async with house(most=200) as (front, port, _):
            gc.collect()
            gc.disable()
            before = count()
            try:
                for number in range(20):
                    front.most = 200 if number % 2 else 1  # every second one is cut as soon as the next comes
                    with socket.create_connection(("127.0.0.1", port)) as held:
                        held.send(b"GET / HT")
                        await wait_until(lambda: front.count, "the door", "one more socket")
                await wait_until(lambda: not front.count, "the door", "all sockets to go")
                await wait_until(lambda: count() == before, "the heap", "what they were to go")
            finally:
                gc.enable()

    asyncio.run(run())


def test_r1_a_header_has_its_time(monkeypatch):
    """Also where nothing at all was ever sent; a socket whose header came stays."""
    async def run():
        async with house() as (front, port, _):
            whole = await dial(port, b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
            assert (await whole[0].readline()).startswith(b"HTTP/1.1 200")
            monkeypatch.setattr(door, "HEADER_S", 0.05)  # for who comes from now on
            silent, half = await dial(port), await dial(port, b"GET / HTTP/1.1\r\n")
            for reader, _ in (silent, half):
                with contextlib.suppress(ConnectionError):
                    assert await reader.read() == b""
            assert front.counts() == {"silent": 0, "asked": 1, "spectator": 0, "known": 0}
            for _, writer in (silent, half, whole):
                writer.close()

    asyncio.run(run())


def test_r2_a_refusal_costs_no_handler_and_is_read_by_a_page_that_goes_on_talking():
    """A client of WebSockets understands it; what comes behind it is dropped, and the socket ends with its client."""
    asked = []

    def turns_away(knock, address):
        asked.append((knock, address))
        return knock != "right1"

    async def run():
        alone = aiohttp.TCPConnector(force_close=True)  # each request has a socket of its own
        async with (house(refuse=make_refusal(turns_away)) as (front, port, bugs),
                    aiohttp.ClientSession(connector=alone) as session):
            front_door = f"http://127.0.0.1:{port}/ws"
            page = await session.ws_connect(front_door)
            await page.send_json({"type": "hello"})
            told = await page.receive()
            assert (told.type, told.data, told.extra) == (aiohttp.WSMsgType.CLOSE, 1013, "too many spectators")
            assert [guest.handler for guest in front._guests[SILENT]] in ([], [None])
            await wait_until(lambda: front.count == 0, "the door", "the end of a page that was refused")
            for address in ("/ws?knock=right1", "/ws?other=1&knock=right1", "/wsx"):
                async with session.get(f"http://127.0.0.1:{port}{address}", headers=ASKING) as answer:
                    assert answer.status == (404 if "other" not in address else 101), address
            return bugs.count

    assert asyncio.run(run()) == 0
    assert asked == [("", "127.0.0.1"), ("right1", "127.0.0.1"), ("", "127.0.0.1")]


def test_analyses_that_visitors_ask_for_hold_up_no_hint(tmp_path, monkeypatch):
    """They had one process and one queue: ten analyses, each of minutes, and a player was told to ask again."""
    monkeypatch.setattr(thinking, "hint_text", lambda *facts: json.dumps({"play": facts}))

    async def run():
        table = Desk(StillTable(tmp_path), asyncio.get_running_loop())
        app = make_app(table, tmp_path)
        app[ASIDE]._asked = dict.fromkeys(map(str, range(QUEUE)))
        told, page = table.at_table["hint"].__self__.begin.__self__, Connection()
        told.aside._make_pool = lambda: ThreadPoolExecutor(1)
        await told.think(page, told.note(page, {"type": "hint", "seat": 1}), ("what it sees",))
        told.aside.close()
        return json.loads(page.take()[0])

    assert asyncio.run(run()) == {"type": "hint", "seat": 1, "play": ["what it sees"]}


def test_a_bug_in_a_page_is_one_sentence(capsys):
    async def fail(_):
        raise AssertionError("a bug")

    async def run():
        async with house(handler=fail) as (_, port, bugs):
            async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/") as answer:
                assert answer.status == 500 and "a bug" not in await answer.text()
            assert bugs.count == 1

    asyncio.run(run())
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and said.startswith("bug 1: AssertionError at test_door.py:")


def test_r7_a_server_that_ends_tells_each_page_so():
    """A socket that never answers holds nobody up."""
    async def talk(request):
        answer = web.WebSocketResponse()
        await answer.prepare(request)
        request.app[door.SOCKETS_OF].add(answer)
        async for _ in answer:
            pass
        return answer

    async def run():
        async with aiohttp.ClientSession() as session:
            async with house(handler=talk) as (_, port, bugs):
                page = await session.ws_connect(f"http://127.0.0.1:{port}/")
                silent = await dial(port, UPGRADE)
                assert (await silent[0].readline()).startswith(b"HTTP/1.1 101")
                told = asyncio.create_task(page.receive())
            assert (await told).data == 1001 and bugs.count == 0
            silent[1].close()

    asyncio.run(run())


ENDING = """
import asyncio, sys
from host_tools.play.web.door import until_told
async def run():
    asyncio.get_running_loop().call_soon(lambda: print("ready", flush=True))
    await until_told(lambda text: print(text, flush=True), "it ends")
    if "stuck" in sys.argv:
        await asyncio.sleep(600)
asyncio.run(run())
"""


@pytest.mark.parametrize("is_stuck", [False, True])
def test_r7_ctrl_c_is_answered_at_once_and_a_second_one_cuts(is_stuck):
    words = [sys.executable, "-c", ENDING, *(["stuck"] if is_stuck else [])]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(2)
        assert process.stdout.readline() == "it ends\n"
        if is_stuck:
            process.send_signal(2)
        assert process.wait(PATIENCE_S) == (-2 if is_stuck else 0)
