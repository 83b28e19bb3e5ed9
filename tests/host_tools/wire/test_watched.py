"""/health and /metrics of a bridge and of `tournament attend`: what they say while broker and director come and go."""

import asyncio
import contextlib
import math
import re
from types import SimpleNamespace

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from host_tools.base.errors import UnusableInput
from host_tools.cli import RIGHT, UNUSABLE, run
from host_tools.club.wire import attend, bridge, desk, link, topics
from host_tools.club.wire.bridge import Bridge, Wishes, list_figures
from host_tools.club.wire.courier import Courier
from host_tools.club.wire.desk import Desk
from host_tools.club.wire.link import Address, Link
from host_tools.club.wire.outbox import Outbox
from host_tools.club.tournament.intake import orders
from host_tools.club.tournament.rounds import seat_round
from host_tools.play.web.metrics import ask_now
from host_tools.play.web.near import listen_at
from tests.host_tools.tournament.made import begin, records
from tests.host_tools.wire.brokers import Embedded
from host_tools.base.ports import free_port
from tests.host_tools.wire.records import Director, make_record
from tests.patience import wait_until

EVENT = "evening"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Pauses that a test need not wait for."""
    monkeypatch.setattr(link, "AGAIN_S", (0.02, 0.1))
    monkeypatch.setattr(topics, "RETRY_S", (0.3, 1.0))
    monkeypatch.setattr(bridge, "SCAN_S", 0.05)
    monkeypatch.setattr(desk, "ORDERS_S", 0.05)


class Watch:
    """What a program of this computer sees of the service at that port."""

    def __init__(self, session, address):
        self.session, self.address = session, address

    async def ask(self, path, **headers):
        async with self.session.get(self.address + path, headers=headers) as answer:
            return answer.status, await answer.text()

    async def figures(self):
        _, text = await self.ask("/metrics")
        return {sample.name.removeprefix("cardtable_"): sample.value
                for family in text_string_to_metric_families(text) for sample in family.samples if not sample.labels}

    async def until(self, **wanted):
        """The figures, once they say that."""
        return await poll(self.figures, lambda found: wanted.items() <= found.items())


async def poll(ask, is_wanted):
    """Ask again and again until the answer is that."""
    answers = []

    async def look():
        while not answers or not is_wanted(answers[-1]):
            answers[:] = [await ask()]

    looking = asyncio.create_task(look())
    try:
        await wait_until(looking.done, "the test", lambda: f"another answer than {answers}")
        await looking
        return answers[-1]
    finally:
        looking.cancel()


@contextlib.asynccontextmanager
async def serving(coroutine, said):
    """A service meanwhile, seen from outside; said: its news, of which one is its address."""
    task = asyncio.create_task(coroutine)
    try:
        await wait_until(lambda: task.done() or any("/metrics" in line for line in said), "the test", "its address")
        assert not task.done(), task.result()
        line = next(line for line in said if "/metrics" in line)
        async with aiohttp.ClientSession() as session:
            yield Watch(session, line.partition("/health")[0])
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


@contextlib.asynccontextmanager
async def linked(party, broker):
    """A party of the network meanwhile."""
    other = Link(party, Address(port=broker.port))
    task = asyncio.create_task(other.run())
    try:
        yield
    finally:
        other.stop()
        await task


def make_wishes(tmp_path, broker_port, **more):
    games = tmp_path / "games"
    games.mkdir()
    for number in (1, 2):
        (games / f"{number}.rec").write_bytes(make_record("a", number))
    return Wishes(EVENT, Address(port=broker_port), tmp_path / "bridge", folders=[games], metrics=free_port(), **more)


def test_an_outbox_that_cannot_be_read_takes_its_own_figures_alone(tmp_path):
    """All others were lost with it, and whether the broker is there."""
    with contextlib.closing(Outbox(tmp_path / "outbox.sqlite")) as outbox:
        outbox._base.execute("DROP TABLE record")
        figures = list_figures(SimpleNamespace(sees_director=True, event=EVENT, ports={}), outbox)
        found = {name: ask_now(ask) for name, (_, ask) in figures.items()}
    assert found["director"] and found["orders"] == found["tables_connected"] == 0
    assert math.isnan(found["tables"]) and math.isnan(found["records_waiting"])


def test_a_bridge_says_how_it_is_while_broker_and_director_come_and_go(tmp_path):
    async def evening():
        broker, director, said = Embedded(tmp_path / "broker"), Director(), []
        wishes = make_wishes(tmp_path, broker.port)
        async with serving(bridge.serve(wishes, said.append), said) as watch:
            found = await watch.until(records_waiting=2, tables=1)
            assert found | {"broker": 0, "director": 0, "reconnects": 0, "records_counted": 0} == found
            status, health = await watch.ask("/health")
            assert status == 503 and health.startswith(f"no broker at 127.0.0.1:{broker.port}: ")
            await broker.start()
            await watch.until(broker=1)
            assert await watch.ask("/health") == (200, "ok\n")
            async with linked(Desk(EVENT, director.take, lambda: {"a": ("r1", "x")}), broker):
                await watch.until(records_waiting=0, records_counted=2, director=1, orders=1)
                for number, seed in ((2, 5), (3, 1)):
                    (wishes.folders[0] / f"{number}-{seed}.rec").write_bytes(make_record("a", number, seed))
                (wishes.folders[0] / "4.rec").write_bytes(make_record("b", 4).replace(b"seats: ", b"seats: X"))
                await watch.until(records_disputed=1, records_counted=3, records_refused=1, tables=2, reconnects=0)
            await broker.kill()
            await watch.until(broker=0, director=0)
            assert (await watch.ask("/health"))[0] == 503
            await broker.start()
            await poll(watch.figures, lambda said: said["broker"] == 1 and said["reconnects"] >= 1)
            assert await watch.ask("/health") == (200, "ok\n")
            for path in ("/health", "/metrics"):
                assert (await watch.ask(path, **{"X-Forwarded-For": "198.51.100.1"}))[0] == 403
                assert (await watch.ask(path, Host="bridge.example.org"))[0] == 403
        await broker.kill()

    asyncio.run(evening())


def test_tables_at_ports_are_counted_by_what_they_do(tmp_path):
    one = Bridge(Outbox(":memory:"), Wishes(EVENT, Address(), tmp_path), print)
    one.ports = {str(at): SimpleNamespace(state=state) for at, state in enumerate(("gone", "here", "playing", "here"))}
    figures = list_figures(one, Outbox(":memory:"))
    assert [figures[name][1]() for name in ("tables_connected", "tables_playing")] == [3, 1]


def test_a_director_on_the_network_says_how_it_is(tmp_path, monkeypatch):
    director = begin(tmp_path / "a.sqlite", ("Anna", "Boris"), low=2, best=2, high=2)
    seat_round(director, "arbiter")
    event, record = attend.event_of(director), records(director)[0]
    director.act("arbiter", "table named", name="Стол", key="")

    async def evening():
        broker, said = Embedded(tmp_path / "broker"), []
        await broker.start()
        async with serving(attend.serve(director, Address(port=broker.port), said.append, free_port()), said) as watch:
            await watch.until(broker=1, receipts=0, tables_connected=0)
            assert [line for line in said if line.startswith("Стол: no letter of that name")]
            outbox = Outbox(":memory:")
            assert outbox.add(record, "table-1", "test")
            async with linked(Courier(outbox, event, "table-1", "table"), broker):
                # An offer comes again until its receipt is there: on a slow machine receipts outnumber records.
                found = await poll(watch.figures, lambda said: said["receipts"] and said["tables_connected"])
                assert found["tables_connected"] == 1 and found["offers_unanswered"] == 0
                assert await watch.ask("/health") == (200, "ok\n")
            await watch.until(tables_connected=0)

            def fail(_):
                raise UnusableInput("a.sqlite: it is away")

            monkeypatch.setattr(attend, "orders", fail)
            await wait_until(lambda: "no orders: a.sqlite: it is away" in said, "the test", "the desk")
            assert await watch.ask("/health") == (503, "no orders: a.sqlite: it is away\n")
            monkeypatch.setattr(attend, "orders", orders)
            await poll(lambda: watch.ask("/health"), (200, "ok\n").__eq__)
        await broker.kill()

    with contextlib.closing(director):
        asyncio.run(evening())


def test_the_command_answers_at_the_port_that_it_was_told(tmp_path, capsys):
    """And says so if another program has it, before anything is offered."""
    (tmp_path / "games").mkdir()
    call = ["bridge", EVENT, "--folder", str(tmp_path / "games"), "--home", str(tmp_path / "bridge"), "--once",
            "--broker", f"mqtt://127.0.0.1:{free_port()}", "--seconds", "0.3"]
    port = free_port()
    assert run([*call, "--metrics", str(port)]) == RIGHT
    assert f"http://127.0.0.1:{port}/metrics" in capsys.readouterr().out
    with contextlib.closing(listen_at("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        assert run([*call, "--metrics", str(number)]) == UNUSABLE
        assert f"port {number} cannot be used" in capsys.readouterr().err


def test_with_log_level_the_news_are_lines_of_the_log(tmp_path, capsys, monkeypatch):
    (tmp_path / "games").mkdir()
    call = ["bridge", EVENT, "--folder", str(tmp_path / "games"), "--home", str(tmp_path / "bridge"), "--once",
            "--broker", f"mqtt://127.0.0.1:{free_port()}", "--seconds", "0.3"]
    for level, lines in (("INFO", 2), ("ERROR", 0)):
        monkeypatch.setenv("LOG_LEVEL", level)
        assert run(call) == RIGHT
        out, err = capsys.readouterr()
        assert out == "" and len(err.splitlines()) == lines
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ INFO .+", line) for line in err.splitlines())
