"""Who gets in when the house is full: silent sockets, crowds of spectators, one link that is opened too many times."""

import asyncio
import contextlib
import gc
import itertools
import json
import resource
import socket
import subprocess
import sys
import types

import aiohttp
import pytest
from aiohttp import web

from host_tools.base.bugs import BugLog
from host_tools.play.web import desk as desk_file
from host_tools.play.web import door
from host_tools.play.web.desk import (
    ADDRESS_SPECTATORS, BURST, CLIENTS, CODE_PLACES, CROWD_RATE, PLACES, PUT_OFF, QUESTIONS_BURST, QUESTIONS_RATE,
    SPECTATORS, TOLD_AT_ONCE, Connection, Desk, Protocol)
from host_tools.play.web.door import ASKED, KNOWN, SILENT, SPECTATOR, Door, mark
from host_tools.play.web.server import make_refusal
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


# --- with sockets ---


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


# --- the desk ---


@pytest.fixture
def desk(tmp_path):
    loop = asyncio.new_event_loop()
    desk = Desk(StillTable(tmp_path), loop)
    desk.greet = lambda connection: None
    desk.look_round = lambda: None
    yield desk
    loop.close()


def arrive(desk, secret="", address="127.0.0.1", client="abcdefgh"):
    """A browser that joins and says hello."""
    connection = Connection()
    connection.address = address
    desk.join(connection)
    desk.hear(connection, json.dumps({"type": "hello", "secret": secret, "client": client}))
    return connection


def crowd(desk, count, address="127.0.0.1"):
    """How many of so many spectators got in."""
    got_in = 0
    for _ in range(count):
        with contextlib.suppress(Protocol):
            arrive(desk, address=address)
            got_in += 1
    return got_in


def test_r2_spectators_have_a_share_and_right_secrets_always_get_in(desk):
    seating = desk.table.seating
    seating.sit(2, "phone", "Anna")
    for _ in range(2000):
        desk.join(Connection())  # opened, and nothing said
    assert crowd(desk, 500) == SPECTATORS
    assert arrive(desk, seating.host).role == "host" and arrive(desk, seating.chairs[2].secret).role == "seat"


def test_r2_a_full_table_turns_away_who_does_not_knock_as_one_with_a_right_secret(desk):
    """Before the handshake. Who knocks right and then says no right secret is a spectator like others."""
    host = desk.table.seating.host
    assert not desk.turns_away("", "192.0.2.7")
    crowd(desk, ADDRESS_SPECTATORS, "192.0.2.7")
    assert desk.turns_away("", "192.0.2.7") and not desk.turns_away("", "192.0.2.8")
    for _ in range(SPECTATORS - ADDRESS_SPECTATORS):
        desk.join(Connection())  # opened, and nothing said yet
    knocks = ("", host[:5], host[:7], "aaaaaa", host[:6])
    assert [desk.turns_away(knock, "192.0.2.8") for knock in knocks] == [True] * 4 + [False]
    liar = Connection()
    liar.is_awaited = desk.awaits(host[:6])
    desk.join(liar)
    before = desk.why_full("", [liar])
    desk.hear(liar, json.dumps({"type": "hello", "secret": host[:6] + "a" * 16, "client": "abcdefgh"}))
    assert liar.role == "public" and not liar.is_awaited and before == ""


def test_r2_one_far_address_has_a_part_of_the_spectators(desk):
    assert crowd(desk, 500, "192.0.2.7") == SPECTATORS // 2
    assert crowd(desk, 10, "192.0.2.8") == 10


def test_players_are_told_before_spectators_who_are_told_some_at_a_time(desk):
    host = arrive(desk, desk.table.seating.host)
    crowd(desk, SPECTATORS)
    turns = []
    desk.loop = types.SimpleNamespace(call_soon=lambda work, *facts: turns.append((work, facts)))
    desk.deliver({}, {"en": [{"n": 1, "text": "a line"}]})
    told = [sum(one.ready.is_set() for one in desk.connections)]
    assert host.ready.is_set()
    while turns:
        work, facts = turns.pop()
        work(*facts)
        told.append(sum(one.ready.is_set() for one in desk.connections))
    assert max(after - before for before, after in itertools.pairwise([1, *told])) == TOLD_AT_ONCE
    assert told[-1] == SPECTATORS + 1 and all(one.lines for one in desk.connections)


@pytest.fixture
def clock(monkeypatch):
    """The desk's clock, which the test moves."""
    clock = types.SimpleNamespace(now_s=100.0, monotonic=lambda: clock.now_s)
    monkeypatch.setattr(desk_file, "time", clock)
    return clock


def test_an_act_of_who_has_no_acts_is_refused_and_never_reaches_the_table(desk):
    """Each told all viewers again, in the table's thread: 20 a second of each spectator stopped the table."""
    posts = []
    spectator, guest = arrive(desk), arrive(desk, desk.table.seating.join)
    desk.table.post = posts.append
    for one in (spectator, guest):
        one.take()
        for number in (1, 2, 1):
            desk.hear(one, json.dumps({"type": "act", "n": number, "do": "tap", "seat": 1}))
        told = [json.loads(message) for message in one.take()]
        assert told == [{"type": "ack", "n": n, "ok": False, "why": "spectators do not play"} for n in (1, 2, 1)]
    assert posts == [] and spectator.client.done == guest.client.done == 0


def test_a_refused_act_tells_nobody_anew(desk):
    looks = []
    desk.table_changed = lambda: looks.append(1)
    desk.loop.call_soon_threadsafe = lambda work, *facts: work(*facts)
    host, guest = arrive(desk, desk.table.seating.host), arrive(desk, desk.table.seating.join)
    desk.hear(host, '{"type": "act", "n": 1, "do": "speed", "speed": "fast"}')
    desk.hear(guest, '{"type": "join", "name": ""}')
    assert looks == [] and not json.loads(host.take()[-1])["ok"]
    desk.hear(host, '{"type": "act", "n": 2, "do": "speed", "speed": 2}')
    assert looks == [1] and json.loads(host.take()[-1])["ok"]
    desk.table.lesson = object()  # it has a sentence on what it does not take
    desk.hear(host, '{"type": "act", "n": 3, "do": "speed", "speed": "fast"}')
    assert looks == [1, 1] and not json.loads(host.take()[-1])["ok"]


def test_a_spectator_says_less_than_a_player(clock, desk):
    spectator, host = arrive(desk), arrive(desk, desk.table.seating.host)
    desk.questions = {"choices": lambda connection, message: {"games": []}}

    def say(one):
        said = 0
        with contextlib.suppress(Protocol):
            while True:
                desk.hear(one, '{"type": "choices"}')
                said += 1
        return said

    assert say(spectator) == BURST - 1  # and its hello
    clock.now_s += 10
    assert say(spectator) == 10 * CROWD_RATE and say(host) == BURST


def test_questions_of_all_spectators_have_one_limit(clock, desk):
    desk.questions = {"summary": lambda connection, message: {"title": "Durak"}}
    host, guest = arrive(desk, desk.table.seating.host), arrive(desk, desk.table.seating.join)
    crowd(desk, SPECTATORS)

    def ask(connections):
        for one in connections:
            one.take()
            desk.hear(one, '{"type": "summary"}')
        told = [json.loads(one.take()[-1]) for one in connections]
        assert all(one["type"] == "summary" and one.get("why", PUT_OFF) == PUT_OFF for one in told)
        return sum("title" in one for one in told)

    many = [one for one in desk.connections if one is not host]
    assert sum(ask(many) for _ in range(4)) == QUESTIONS_BURST
    assert ask([host]) == 1 and ask([guest]) == 0
    desk.hear(guest, '{"type": "join", "seat": 2}')
    assert json.loads(guest.take()[-1]) == {"type": "join", "why": PUT_OFF}
    clock.now_s += 1
    assert ask(many) == QUESTIONS_RATE


def test_a_crowd_that_comes_costs_the_table_one_look(desk, monkeypatch):
    """All spectators of one language are told the same; a player is told what is so at this moment."""
    looks, told = [], []
    monkeypatch.setattr(desk_file, "Viewer", lambda scene, role, own: looks.append(role) or types.SimpleNamespace(
        messages=lambda: {"view": b"%d" % len(looks)}))
    desk.scenes = lambda languages: dict.fromkeys(languages)
    desk.loop = types.SimpleNamespace(call_soon_threadsafe=lambda work, one, news, lines: told.append(news["view"]))
    crowd(desk, 50)
    host = [arrive(desk, desk.table.seating.host) for _ in range(2)]
    for connection in sorted(desk.connections, key=lambda one: one.born_s):
        desk.welcome(connection)
    assert len(host) == 2 and looks == ["public", "host", "host"] and told == [b"1"] * 50 + [b"2", b"3"]
    assert desk._sent[desk.key_of(host[0])] == {"view": b"2"}  # the first page gets what has changed since
    desk.loop = types.SimpleNamespace(call_soon_threadsafe=lambda *facts: None)
    desk.table_changed()
    assert looks[3:] == ["public", "host"] or looks[3:] == ["host", "public"]


def test_r2_a_right_secret_ends_its_own_oldest_connection(desk):
    host = desk.table.seating.host
    every = [arrive(desk, host) for _ in range(PLACES + 3)]
    assert [bool(one.why_ended) for one in every] == [True] * 3 + [False] * PLACES
    assert sum(one.is_known for one in desk.connections) == PLACES


def test_r2_everybody_at_a_large_table_has_a_place_by_the_one_code(desk):
    """All phones scan the same code: who only watches, or chooses a seat for long, is thrown out by no ninth one."""
    code = desk.table.seating.join
    every = [arrive(desk, code) for _ in range(CODE_PLACES + 3)]
    assert CODE_PLACES >= 50 and {one.role for one in every} == {"join"}
    assert [bool(one.why_ended) for one in every] == [True] * 3 + [False] * CODE_PLACES


def test_r4_visitors_make_nobody_forget_what_a_player_has_done(desk):
    """520 hellos of a visitor, and then the player's page again: it knows its three acts."""
    host = desk.table.seating.host
    arrive(desk, host, client="playersown").client.done = 3
    for number in range(520):
        visitor = arrive(desk, client=f"visitor{number:04}")
        assert visitor.client.done == 0
        desk.leave(visitor)
    assert arrive(desk, host, client="playersown").client.done == 3
    assert sum(map(len, desk.clients.values())) == 1


def test_r4_a_link_that_no_longer_counts_is_forgotten_and_one_link_forgets_alone(desk):
    seating = desk.table.seating
    seating.sit(2, "phone", "Anna")
    seat = seating.chairs[2].secret
    arrive(desk, seat, client="seatsown1").client.done = 5
    for number in range(CLIENTS + 10):
        arrive(desk, seating.host, client=f"host{number:06}")
    assert len(desk.clients[seating.host]) == CLIENTS and desk.clients[seat]["seatsown1"].done == 5
    seating.sit(2, "here", "Anna")
    arrive(desk, seating.host)
    assert seat not in desk.clients
