"""Who has a place at a full table and what each may say: spectators, players, a link that is opened too often."""

import asyncio
import contextlib
import itertools
import json
import socket
import types

import aiohttp
import pytest

from host_tools.base.bugs import BugLog
from host_tools.play.web import desk as desk_file
from host_tools.play.web import door
from host_tools.play.web.desk import (
    ADDRESS_SPECTATORS, BURST, CLIENTS, CODE_PLACES, CROWD_RATE, PLACES, PUT_OFF, QUESTIONS_BURST,
    QUESTIONS_RATE, SPECTATORS, TOLD_AT_ONCE, Connection, Desk, Protocol
)
from host_tools.play.web.door import Door
from host_tools.play.web.server import make_app
from host_tools.virtual.chips.hc165 import CLOSED, OPEN
from host_tools.virtual.world import button
from tests.host_tools.web.test_foreign_messages import StillTable


def test_r2_pings_are_counted_as_messages_are(clock, tmp_path):
    """A thousand lie in one packet, and were answered in one go, before an act of anybody else was heard."""
    async def run():
        listener = socket.create_server(("127.0.0.1", 0))
        table = Desk(StillTable(tmp_path), asyncio.get_running_loop())
        port = listener.getsockname()[1]
        app = make_app(table, tmp_path)
        table.names.add(f"127.0.0.1:{port}")
        async with door.opened(app, listener, BugLog(None), Door(40)), aiohttp.ClientSession() as session:
            page = await session.ws_connect(f"http://127.0.0.1:{port}/ws", autoping=False)
            await page.send_json({"type": "hello", "secret": "", "client": "abcdefgh"})
            for number in range(1, 2 * BURST):
                with contextlib.suppress(ConnectionError):
                    await page.ping(b"%d" % number)
            told = [one async for one in page]
        pongs = [one.data for one in told if one.type == aiohttp.WSMsgType.PONG]
        said = [json.loads(one.data) for one in told if one.type == aiohttp.WSMsgType.TEXT]
        return pongs, [one["why"] for one in said if one["type"] == "error"]

    pongs, errors = asyncio.run(run())
    assert pongs == [b"%d" % number for number in range(1, BURST)]  # and its hello
    assert errors == ["too many messages"]


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


def test_a_button_that_a_page_holds_comes_up_when_the_page_has_gone(desk):
    """A phone whose battery died meanwhile left it down, and a stuck button stops the table for all."""
    table, down = desk.table, button(2, "MENU")
    desk.loop.call_soon_threadsafe = lambda work, *facts: work(*facts)
    desk.table_changed = lambda: None
    table.seating.sit(2, "phone", "Anna")
    phone = arrive(desk, table.seating.chairs[2].secret)
    desk.set_present({1, 2})
    levels = []
    for number, do in enumerate(("hold", "release", "hold"), 1):
        desk.hear(phone, json.dumps({"type": "act", "n": number, "do": do, "seat": 2, "key": "MENU"}))
        levels.append(table.world.buttons.level(down, 0))
    desk.set_present({2})
    levels.append(table.world.buttons.level(down, 0))
    desk.set_present({1})
    assert levels == [CLOSED, OPEN, CLOSED, CLOSED] and table.world.buttons.level(down, 0) == OPEN


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


def test_a_line_that_comes_while_a_page_is_greeted_comes_behind_the_earlier_ones(tmp_path):
    """The page had that line alone: what had been said before lay behind it, and was taken for told."""
    loop = asyncio.new_event_loop()
    desk, soon, posted = Desk(StillTable(tmp_path), loop), [], []
    desk.loop = types.SimpleNamespace(call_soon_threadsafe=lambda work, *facts: soon.append((work, facts)))

    def say(*lines):
        for line in lines:
            desk.table.known.feed.add(lambda words, line=line: line, "table")
        desk.table_changed()

    def deliver():
        while soon:
            work, facts = soon.pop(0)
            work(*facts)

    say("one", "two")
    deliver()
    desk.table.post = posted.append
    page = arrive(desk, desk.table.seating.host)
    for change in ("hello", "speak"):
        say(change)
        deliver()  # the table's thread has not come yet to what the page shall be told
        while posted:
            posted.pop(0)()
        say("last")
        deliver()
        feed = [json.loads(message) for message in page.take() if b'"feed"' in message]
        assert [line["n"] for line in feed[-1]["lines"]] == list(range(1, desk.table.known.feed.count + 1)), change
        desk.hear(page, '{"type": "speak", "language": "ru"}')
    loop.close()


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
