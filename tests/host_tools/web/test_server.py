"""The served table as other programs meet it: who may do what, acts that count once, garbage, other sites."""

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys

import aiohttp
import pytest

from host_tools.play.seating import KNOCK
from tests.conftest import ROOT
from tests.host_tools.web.served import PEOPLE, Page, Served, begin, pile, read_record
from host_tools.base.ports import free_port
from tests.patience import PATIENCE_S, wait_for

pytestmark = pytest.mark.micropython


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with Served(tmp_path_factory.mktemp("games"), seed=7, speed=8.0) as table:
        yield table


@pytest.fixture
def playing(served):
    """The host's page at whatever game goes on."""
    yield from join(served, False)


@pytest.fixture
def host(served):
    """The host's page at a fresh game of two seats, both played here."""
    yield from join(served, True)


def join(served, is_fresh):
    """A page for one test."""
    page = Page(served.address, served.table.seating.host, os.urandom(8).hex())

    async def start():
        await page.open()
        await page.until(lambda: "table" in page.told)
        if is_fresh or page.told["table"]["phase"] != "play":
            await begin(page, give_up=True)

    served.run(start())
    yield page
    served.run(page.close())


def asked(page):
    """The seat that the table waits for, and its first move."""
    for can in page.told["can"]["seats"]:
        if can["moves"] and can["seat"] in page.told["view"]["turn"]:
            return can["seat"], can["moves"][0]
    raise AssertionError(page.told["can"])


def test_a_tapped_card_is_judged_by_the_firmware_and_moves(served, host):
    """A card is tapped, the light turns green, the card lies on the table, the record has it."""
    seat, move = asked(host)
    assert move["verb"] == "attack"
    before = len(served.record())

    async def tap():
        assert (await host.done("tap", seat=seat, card=move["card"]))["ok"]
        await host.until(lambda: pile(host, "attack1"), "the attack")

    served.run(tap())
    assert pile(host, "attack1")["cards"] == [move["card"]]
    assert served.record()[before:] == [f"{seat} attack {move['card']}"]


def test_a_refusal_stands_beside_the_seat_with_its_rule(served, host):
    """The other seat taps a card: refused, in words, with a rule that can be asked for."""
    seat, _ = asked(host)
    other = 3 - seat
    card = pile(host, f"hand{other}")["cards"][0]

    async def tap():
        await host.done("tap", seat=other, card=card)
        await host.until(lambda: host.told["view"]["refusals"], "the refusal")
        refusal = host.told["view"]["refusals"][0]  # it goes again when its light does
        await host.socket.send_json({"type": "rule", "rule": refusal["rule"]})
        await host.until(lambda: "rule" in host.told, "the rule")
        return refusal

    refusal = served.run(tap())
    assert refusal["seat"] == other and refusal["rule"].startswith("D12") and refusal["words"]
    assert host.told["rule"]["rule"] == refusal["rule"] and "durak" in host.told["rule"]["source"]
    assert host.told["rule"]["language"] == host.told["table"]["language"]


def test_an_act_that_comes_twice_happens_once(served, host):
    """The same number again, on the same connection and on another one: one event in the record."""
    seat, move = asked(host)
    before = len(served.record())

    async def twice():
        number = await host.act("tap", seat=seat, card=move["card"])
        again = json.dumps({"type": "act", "n": number, "do": "tap", "seat": seat, "card": move["card"]})
        await host.socket.send_str(again)
        await host.until(lambda: pile(host, "attack1"), "the attack")
        await host.close()
        await host.open()
        await host.socket.send_str(again)
        await host.until(lambda: host.told["welcome"]["done"] == number, "the welcome")
        assert (await host.done("deal", by="table"))["ok"]  # what came before it was heard

    served.run(twice())
    served.wait(lambda: not any(hands.has_work for hands in served.table.hands.values()), "the hands")
    assert served.record()[before:] == [f"{seat} attack {move['card']}"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "5",
        '"act"',
        "{}",
        '{"type": "act"}',
        '{"type": "act", "n": "1"}',
        '{"type": "act", "n": 0}',
        '{"type": "act", "n": true}',
        '{"type": "act", "n": 1e3}',
        '{"type": "nothing"}',
        '{"type": ["act"]}',
        "[" * 1900,
        '{"type": "hello"}',
        "x" * 2100,
        "\x00",
        '{"type": "act", "n": 90071992547409930}',
    ],
)
def test_garbage_ends_the_connection_and_not_the_game(served, playing, text):
    """An error, then the end of that connection; the table plays on for the others."""

    async def say():
        rude = Page(served.address, served.table.seating.host, os.urandom(8).hex())
        await rude.open()
        await rude.until(lambda: "table" in rude.told)
        await rude.socket.send_str(text)
        await rude.until(lambda: rude.socket.closed, "the end")
        await rude.close()
        return rude.told.get("error", {}).get("why", "")

    why = served.run(say())
    assert why or len(text) > 2048
    assert served.read(lambda: served.table.phase) == "play"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"do": "tap"}, "seat"),
        ({"do": "tap", "seat": 9, "card": "6S"}, "seat"),
        ({"do": "tap", "seat": 1}, "card"),
        ({"do": "tap", "seat": 1, "card": 5}, "text"),
        ({"do": "tap", "seat": 1, "card": "ZZ"}, "do not have"),
        ({"do": "tap", "seat": 1, "pile": "hand2"}, "take from"),
        ({"do": "tap", "seat": 1, "pile": "discard"}, "take from"),
        ({"do": "press", "seat": 1, "key": "BOOM"}, "buttons"),
        ({"do": "lay", "seat": 1, "reader": 5, "card": "6S"}, "reader"),
        ({"do": "tag", "tag": "arbiter", "reader": 1}, "free hand"),
        ({"do": "start", "game": "chess", "seats": PEOPLE}, "chess"),
        ({"do": "start", "game": "durak deck=77", "seats": PEOPLE}, "deck"),
        ({"do": "start", "game": "durak", "seats": 3}, "people"),
        ({"do": "start", "game": "durak", "seats": PEOPLE}, "under way"),
        ({"do": "speed", "speed": "fast"}, "speed"),
        ({"do": "start", "game": "durak", "seats": [{"name": "a;b", "who": "here"}] * 2}, "semicolon"),
        ({"do": "start", "game": "durak\nfirst: 1", "seats": PEOPLE}, ""),
        ({"do": "language", "language": "xx"}, "speaks"),
        ({"do": "sit", "seat": 1, "who": "bot:nobody"}, "nobody"),
        ({"do": "deal", "by": "magic"}, "dealt"),
        ({"do": "play", "seat": 1, "verb": "fly"}, "no such play"),
        ({"do": "nothing"}, "no such act"),
        ({"do": []}, ""),
        ({"do": "lobby"}, "written down"),
        ({"do": "power", "on": 1}, "true"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(served, playing, fields, why):
    """Acts with wrong fields: not ok, one sentence, nothing in the record."""
    before = served.record()
    answer = served.run(playing.done(fields.pop("do"), **fields)) if isinstance(fields.get("do"), str) else None
    if answer is not None:
        assert not answer["ok"] and why in answer["why"] and "\n" not in answer["why"], answer
    assert served.record() == before and served.read(lambda: served.table.phase) == "play"


def test_a_flood_ends_the_connection(served, playing):
    """More messages than a hand can make."""

    async def flood():
        rude = Page(served.address, "", os.urandom(8).hex())
        await rude.open()
        for _ in range(200):
            if rude.socket.closed:
                break
            await rude.socket.send_json({"type": "choices"})
        await rude.until(lambda: rude.socket.closed, "the end")
        await rude.close()
        return rude.told["error"]["why"]

    assert "too many" in served.run(flood())


def test_who_says_nothing_is_let_go(served, monkeypatch):
    """A connection without hello."""
    monkeypatch.setattr("host_tools.play.web.server.HELLO_S", 0.3)

    async def wait():
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{served.address}/ws") as socket:
            return await socket.receive_json(timeout=PATIENCE_S)

    assert served.run(wait())["type"] == "error"


def test_r2_a_full_table_refuses_a_spectator_before_hello_and_lets_a_right_secret_in(served, monkeypatch):
    """Also a socket that has asked for a page before, whose handler is there."""
    monkeypatch.setattr("host_tools.play.web.desk.SPECTATORS", 1)
    address, secret = f"{served.address}/ws", served.table.seating.host

    async def come():
        watcher = await Page(served.address, "", "watcher123").open()
        await watcher.until(lambda: "view" in watcher.told)
        async with aiohttp.ClientSession() as session:
            at_once = await (await session.ws_connect(address)).receive()
            async with session.get(served.address) as answer:
                await answer.read()
            later = await (await session.ws_connect(address)).receive()
            host = await session.ws_connect(f"{address}?knock={secret[:KNOCK]}")
            await host.send_json({"type": "hello", "secret": secret, "client": "abcdefgh"})
            welcome = await host.receive_json()
        await watcher.close()
        return at_once, later, welcome

    at_once, later, welcome = served.run(come())
    assert [(told.data, told.extra) for told in (at_once, later)] == [(1013, "too many spectators")] * 2
    assert welcome["role"] == "host"


def test_a_spectator_and_a_seat_do_what_is_theirs(served, host):
    """A spectator nothing; a seat's page its own seat, with its own cards, and nothing of the host's."""

    async def rude():
        assert (await host.done("sit", seat=2, who="phone"))["ok"]
        secret = served.table.seating.chairs[2].secret
        phone = await Page(served.address, secret, "phone12345").open()
        watcher = await Page(served.address, "", "watcher123").open()
        await phone.until(lambda: "can" in phone.told)
        await watcher.until(lambda: "view" in watcher.told)
        assert phone.told["welcome"]["role"] == "seat" and phone.told["welcome"]["seats"] == [2]
        assert watcher.told["welcome"]["role"] == "public" and "can" not in watcher.told
        refused = [
            await phone.done("tap", seat=1, card="6S"),
            await phone.done("power", on=False),
            await phone.done("press", seat=1, key="OK"),
            await watcher.done("press", seat=2, key="OK"),
            await watcher.done("free", on=True),
            await phone.done("sit", seat=1, who="here"),
        ]
        mine = pile(phone, "hand2")["cards"]
        other = next(card for card in pile(host, "hand1")["cards"])
        refused.append(await phone.done("tap", seat=2, card=other))
        allowed = await phone.done("tap", seat=2, card=mine[0])
        await phone.socket.send_json({"type": "link", "seat": 2})
        await phone.until(lambda: "link" in phone.told)
        await host.socket.send_json({"type": "link", "seat": 2})
        await host.until(lambda: "link" in host.told)
        for page in (phone, watcher):
            await page.close()
        return refused, allowed, mine, phone, host.told["link"]

    refused, allowed, mine, phone, link = served.run(rude())
    assert not any(answer["ok"] for answer in refused) and all(answer["why"] for answer in refused)
    assert allowed["ok"] and len(mine) == 6
    assert "url" not in phone.told["link"] and link["url"].endswith(served.table.seating.chairs[2].secret)
    assert link["closed"] and link["qr"] == ""  # of a table of this computer alone


def test_a_phone_that_is_gone_is_played_for_when_the_others_agree_and_takes_its_seat_back(served, host):
    """AirConsole's level one, and a virtual player meanwhile."""

    async def leave():
        await host.done("sit", seat=2, who="phone")
        secret = served.table.seating.chairs[2].secret
        phone = await Page(served.address, secret, "phone54321").open()
        await host.until(lambda: host.told["table"]["seats"][1]["who"] == "phone", "the seat")
        await host.until(lambda: host.told["table"]["seats"][1]["there"], "the phone")
        assert not (await host.done("propose", seat=2))["ok"]  # somebody is there
        await phone.close()
        await host.until(lambda: not host.told["table"]["seats"][1]["there"], "the empty seat")
        assert (await host.done("propose", seat=2))["ok"]
        await host.until(lambda: host.told["table"]["seats"][1]["stands_in"], "the virtual player")
        await phone.open()
        await host.until(lambda: not host.told["table"]["seats"][1]["stands_in"], "the phone again")
        assert phone.told["welcome"]["seats"] == [2]
        await phone.close()

    served.run(leave())


def test_the_power_goes_and_comes_back(served, host):
    """T9: the same hands on the same table, and the same view."""

    async def cut():
        seat, move = asked(host)
        await host.done("tap", seat=seat, card=move["card"])
        await host.until(lambda: pile(host, "attack1") and not pile(host, f"reader{seat}"), "the attack")
        before = host.told["view"]["piles"]
        await host.done("power", on=False)
        await host.until(lambda: host.told["table"]["phase"] == "off", "the dark")
        await host.until(lambda: all(light["says"] == "off" for light in host.told["lights"]["lights"]), "no light")
        await host.done("power", on=True)
        await host.until(lambda: host.told["table"]["phase"] == "play", "the game")
        await host.until(lambda: host.told["view"]["piles"] == before, "the same table")

    served.run(cut())


def test_other_sites_and_names_stay_out(served):
    """Host and Origin; what the pages say of themselves; no way out of the folders."""

    async def knock():
        found = {}
        async with aiohttp.ClientSession() as session:
            for name, headers in (
                ("own", {"Origin": served.address}),
                ("none", {}),
                ("evil", {"Origin": "http://evil.example"}),
                ("null", {"Origin": "null"}),
                ("host", {"Host": "evil.example"}),
            ):
                async with session.get(served.address + "/", headers=headers) as answer:
                    found[name] = answer.status
                    policy = answer.headers.get("Content-Security-Policy", "")
            for path in (
                "/../pyproject.toml",
                "/%2e%2e/run.py",
                "/..%2frun.py",
                "/records/..%2f..%2fseating.json",
                "/records/seating.json",
                "/records/seating.json/analysis",
                "/records/none.rec/analysis",
                "/ws/../run.py",
                "//etc/passwd",
            ):
                async with session.get(served.address + path, allow_redirects=False) as answer:
                    found[path] = answer.status
            for name in ("Origin",):
                try:
                    async with session.ws_connect(served.address + "/ws", headers={name: "http://evil.example"}):
                        found["ws"] = 101
                except aiohttp.WSServerHandshakeError as refused:
                    found["ws"] = refused.status
        return found, policy

    found, _ = served.run(knock())
    assert found.pop("own") == found.pop("none") == 200
    assert set(found.values()) <= {403, 404}, found


def test_the_policy_lets_nothing_foreign_in(served):
    """No inline script, no other host, no frame."""

    async def ask():
        async with aiohttp.ClientSession() as session, session.get(served.address + "/") as answer:
            return answer.headers

    headers = served.run(ask())
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "no-referrer"
    assert "Set-Cookie" not in headers


def test_a_killed_server_comes_back_with_the_same_table(tmp_path):
    """Everything ends by a signal that nobody hears; the next start has the same hands, seats and links."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "host_tools.cli",
        "play",
        "--no-browser",
        "--games",
        str(tmp_path),
        "--port",
        str(port),
        "--game",
        "durak throw-in",
        "--seats",
        "Anna,phone:Boris",
        "--seed",
        "3",
        "--speed",
        "8",
    ]
    process = start(command)
    try:
        secrets = json.loads((tmp_path / f"table-{port}" / "seating.json").read_text())
        first = asyncio.run(look(port, secrets["host"]))
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    record = read_record(tmp_path / f"table-{port}" / "flash")
    process = start([word for word in command if word not in ("--game", "durak throw-in")])
    try:
        again = json.loads((tmp_path / f"table-{port}" / "seating.json").read_text())
        second = asyncio.run(look(port, secrets["host"]))
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE_S)
    assert again["host"] == secrets["host"] and again["chairs"]["2"]["secret"] == secrets["chairs"]["2"]["secret"]
    assert first == second and first
    assert read_record(tmp_path / f"table-{port}" / "flash")[: len(record)] == record
    assert process.returncode == 0


def start(command):
    """A server as the command line starts it: `play` prints its links once the table runs. A terminal is played."""
    master, slave = os.openpty()
    process = subprocess.Popen(command, cwd=ROOT, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
    os.close(slave)
    os.set_blocking(master, False)
    said = bytearray()

    def greets():
        assert process.poll() is None, said.decode()
        with contextlib.suppress(BlockingIOError):
            said.extend(os.read(master, 4096))
        return b"Ctrl-C" in said

    wait_for(greets, "the test", lambda: f"a server that greets; it said {said.decode()}")
    return process


async def look(port, secret):
    """The hand of seat 1 once all is dealt."""
    address = f"http://127.0.0.1:{port}"
    page = await Page(address, secret, "looker1234").open()
    await page.until(lambda: page.told.get("table", {}).get("phase") in ("deal", "play"), "the game")
    await page.done("begin")  # nobody comes with a phone
    await page.until(lambda: page.told.get("table", {}).get("phase") == "play", "the game")
    await page.until(lambda: pile(page, "hand1") and len(pile(page, "hand1")["cards"]) == 6, "the hand")
    found = sorted(pile(page, "hand1")["cards"])
    await page.close()
    return found


def test_two_tables_do_not_share_a_folder(tmp_path):
    """The second one says so and leaves the first alone."""
    with Served(tmp_path, seed=1) as first:
        command = [sys.executable, "-m", "host_tools.cli", "play", "--games", str(tmp_path), "--port", str(first.port)]
        second = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S)
        assert second.returncode == 2 and second.stderr.count("\n") == 1 and str(first.port) in second.stderr


async def end_under_a_browser(address, served):
    """Tell the server to stop while a page, and one that never says anything, are connected; how the page is closed."""
    silent = socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])))
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{address}/ws") as page:
        await page.send_json({"type": "hello", "client": "abcdefgh", "secret": ""})
        await page.receive()
        served.send_signal(signal.SIGTERM)
        while not page.closed:
            await page.receive()
        silent.close()
        return page.close_code


def test_without_a_terminal_it_serves_until_it_is_told_to_stop(tmp_path):
    """As a service, in a container, behind a pipe; SIGTERM ends it as Ctrl-C does, with a line that says so."""
    command = [sys.executable, "-m", "host_tools.cli", "play", "--games", str(tmp_path), "--port", str(free_port())]
    served = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        address = re.search(r"http://127.0.0.1:\d+", served.stdout.readline())[0]
        assert served.poll() is None
        assert asyncio.run(end_under_a_browser(address, served)) == 1001
        assert served.wait(PATIENCE_S) == 0
        assert "The table stops here" in served.stdout.read()
    finally:
        served.kill()
        served.stdout.close()
    assert list(tmp_path.glob("*.rec")) == []


SHORT_GAME = ("--game", "durak throw-in deck=24", "--seats", "bot,bot")


@pytest.mark.parametrize("wishes", [SHORT_GAME, pytest.param((), marks=pytest.mark.everything)], ids=["short", "usual"])
def test_alone_a_whole_game_is_played(tmp_path, wishes):
    """`make run` in a script: the same server, the same protocol, a result, a sealed record, exit code 0."""
    command = [
        sys.executable,
        "-m",
        "host_tools.cli",
        "play",
        "--alone",
        "--games",
        str(tmp_path),
        "--port",
        str(free_port()),
        "--seed",
        "4",
        "--speed",
        "8",
        *wishes,
    ]
    played = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S)
    assert played.returncode == 0, played.stdout + played.stderr
    assert "To prove this game later, keep:" in played.stdout and not played.stderr
    records = list(tmp_path.glob("*.rec"))
    assert len(records) == 1
    key = next(tmp_path.glob("table-*/flash/key.bin"))
    for arguments in (["replay", str(records[0])], ["verify", str(records[0]), "--key", str(key)]):
        judged = subprocess.run(
            [sys.executable, "-m", "host_tools.cli", *arguments], cwd=ROOT, capture_output=True, text=True
        )
        assert judged.returncode == 0, judged.stdout + judged.stderr
