"""Couriers and desks over real brokers: killed and brought back in every order, with TLS, accounts and last wills."""

import asyncio
import contextlib
import gc
import itertools
import socket
from types import SimpleNamespace

import pytest

from host_tools.club.wire import accounts, certificate, link, topics
from host_tools.club.wire.courier import Courier
from host_tools.club.wire.desk import Desk
from host_tools.club.wire.link import Address, Link, read_address
from host_tools.club.wire.outbox import Outbox
from tests.host_tools.wire.brokers import KINDS, Mosquitto
from tests.host_tools.wire.records import Director, make_record
from tests.patience import wait_until

EVENT = "evening"
SILENT_S = 2.0  # so long an answer is waited for that one kind of broker does not give
PARTS = ("broker", "director", "database", "network")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Pauses that a test need not wait for."""
    monkeypatch.setattr(link, "AGAIN_S", (0.02, 0.1))
    monkeypatch.setattr(topics, "RETRY_S", (0.3, 1.0))


class Cable:
    """The network between tables and broker: a relay on loopback that can be cut."""

    def __init__(self, target):
        self.target = target
        self.port = 0
        self.server = None
        self.writers = set()

    async def start(self):
        if self.server is None:
            self.server = await asyncio.start_server(self.relay, "127.0.0.1", self.port)
            self.port = self.server.sockets[0].getsockname()[1]

    async def cut(self):
        if self.server is not None:
            self.server.close()
            self.server = None
        for writer in list(self.writers):
            writer.transport.abort()

    async def relay(self, reader, writer):
        self.writers.add(writer)
        with contextlib.suppress(OSError):
            there, to_there = await asyncio.open_connection("127.0.0.1", self.target)
            self.writers.add(to_there)
            await asyncio.gather(self.pump(reader, to_there), self.pump(there, writer))
            self.writers.discard(to_there)
        writer.close()
        self.writers.discard(writer)

    async def pump(self, source, target):
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                target.write(data)
                await target.drain()
        target.close()


class Evening:
    """A broker, a director, and tables behind a cable. `kill` and `revive` one of PARTS."""

    def __init__(self, broker, home, **address):
        self.broker = broker
        self.cable = Cable(broker.port)
        self.address = address
        self.director = Director()
        self.outbox = Outbox(home / "outbox.sqlite")
        self.links = {}
        self.news = []

    async def __aenter__(self):
        await self.broker.start()
        await self.cable.start()
        await self.revive("director")
        self.bridge = Courier(self.outbox, EVENT, "bridge", on_news=self.news.append)
        await self.connect("bridge", self.bridge, self.cable.port)
        return self

    async def __aexit__(self, *_):
        for name in list(self.links):
            await self.disconnect(name)
        await self.cable.cut()
        await self.broker.kill()
        self.outbox.close()

    async def connect(self, name, party, port):
        one = Link(party, Address("127.0.0.1", port, **self.address.get(name, {})), self.news.append)
        self.links[name] = one, asyncio.create_task(one.run())

    async def disconnect(self, name):
        _, task = self.links.pop(name)
        await link.end_tasks([task])

    async def kill(self, part):
        if part == "broker":
            await self.broker.kill()
        elif part == "network":
            await self.cable.cut()
        elif part == "database":
            self.director.is_down = True
        else:
            await self.disconnect("director")

    async def revive(self, part):
        if part == "broker":
            await self.broker.start()
        elif part == "network":
            await self.cable.start()
        elif part == "database":
            self.director.is_down = False
        else:
            self.desk = Desk(EVENT, self.director.take, lambda: self.director.orders)
            await self.connect("director", self.desk, self.broker.port)

    def add(self, record, table):
        one = self.links["bridge"][0]
        assert one._thread.submit(self.outbox.add, record, table).result()
        one.wake()

    async def settle(self):
        for _, task in self.links.values():
            assert not task.done() or task.result()
        await wait_until(lambda: not self.outbox.waiting(1), "the test", lambda: f"receipts: {self.news[-9:]}")


def schedule(kind):
    """All orders with the quick broker, a few with the other one."""
    orders = list(itertools.permutations(PARTS))
    return orders if kind is Mosquitto else orders[::7]


@pytest.mark.parametrize("kind", KINDS)
def test_t12_everything_killed_and_brought_back_in_every_order(kind, tmp_path):
    """While each part is away another game ends at the tables; all results arrive, and count once."""
    async def play():
        made = {}
        async with Evening(kind(tmp_path / "broker"), tmp_path) as evening:
            for order in schedule(kind):
                for part in (*order, None):
                    table, number = f"table-{len(made) % 3}", 1 + len(made)
                    made[table, number] = make_record(table, number, events=1)
                    evening.add(made[table, number], table)
                    if part:
                        await evening.kill(part)
                for part in order:
                    await evening.revive(part)
                await evening.settle()
            assert evening.director.kept == made and not evening.director.disputed
            counts = evening.outbox.counts()
            assert sum(counts.values()) == counts.get("counted", 0) + counts.get("known", 0) == len(made)

    asyncio.run(play())


@pytest.mark.parametrize("kind", KINDS)
def test_orders_and_presence_come_through_and_a_loss_is_seen(kind, tmp_path):
    """A retained order reaches a table that was away; the last will says that a table is gone."""
    async def play():
        async with Evening(kind(tmp_path / "broker"), tmp_path) as evening:
            await wait_until(lambda: evening.desk.present.get("bridge bridge") == "here", "the test", "the bridge")
            await evening.kill("network")
            await wait_until(lambda: evening.desk.present["bridge bridge"] == "gone", "the test", "the last will")
            evening.director.orders = {"table-0": ("r1-g1", "cardtable 1\n")}
            await asyncio.sleep(0)
            evening.links["director"][0].wake()
            await evening.revive("network")
            await wait_until(lambda: evening.outbox.orders(EVENT) == evening.director.orders, "the test", "the order")
            await wait_until(lambda: evening.desk.present["bridge bridge"] == "here", "the test", "the bridge again")

    asyncio.run(play())


def tls(folder, name):
    """How an account connects to a broker with that folder."""
    user, password = (folder / f"{name}.account").read_text().split()
    return {"is_tls": True, "user": user, "password": password, "trust": folder / certificate.CERTIFICATE}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A broker's folder with accounts and a certificate."""
    folder = tmp_path_factory.mktemp("broker")
    certificate.make(folder, [])
    for name, role in (("director", "director"), ("bridge", "bridge"), ("table-0", "table"), ("table-1", "table")):
        accounts.add(folder, name, role)
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_with_tls_each_account_has_its_own_topics(kind, guarded, tmp_path):
    """A table cannot answer for the director, nor speak for another table; a wrong password does not come in."""
    import aiomqtt

    async def play():
        address = {name: tls(guarded, name) for name in ("director", "bridge")}
        async with Evening(kind(guarded, tls=True), tmp_path, **address) as evening:
            first, second = make_record("table-0", 1), make_record("table-1", 1)
            evening.add(first, "table-0")
            await evening.settle()
            await evening.kill("database")
            evening.add(second, "table-1")
            rogue = Link(evening.bridge, Address(port=evening.broker.port, **tls(guarded, "table-0")))
            rogue._is_new = kind is Mosquitto
            rogue.party = Courier(evening.outbox, EVENT, "table-0", "table")
            forged = topics.receipt(EVENT, "table-1", topics.find_seal(second), topics.COUNTED)
            own_will, rogue.party.will = rogue.party.will, forged
            with contextlib.suppress(aiomqtt.MqttError):  # not let in, or its will is not heard
                async with rogue.connect(rogue.address.context()) as client:
                    client._client.socket().shutdown(socket.SHUT_RDWR)
            rogue.party.will = own_will
            async with rogue.connect(rogue.address.context()) as client:
                stolen = topics.offer(EVENT, "table-1", make_record("table-1", 2))
                own = topics.offer(EVENT, "table-0", make_record("table-0", 2))
                for message in (forged, stolen):
                    with contextlib.suppress(aiomqtt.MqttError):  # one broker says no, the other says nothing
                        await client.publish(message.topic, message.payload, qos=1, timeout=SILENT_S)
            async with rogue.connect(rogue.address.context()) as client:
                await evening.revive("database")
                await client.publish(own.topic, own.payload, qos=1)
                await evening.settle()
                await wait_until(lambda: len(evening.director.kept) == 3, "the test", "the table's own record")
            assert sorted(evening.director.kept) == [("table-0", 1), ("table-0", 2), ("table-1", 1)]
            wrong = Address(port=evening.broker.port, **{**tls(guarded, "table-0"), "password": "guessed"})
            with pytest.raises(aiomqtt.MqttError):
                async with Link(rogue.party, wrong).connect(wrong.context()):
                    pass
            unknown = Address(port=evening.broker.port, is_tls=True)  # nobody vouches for the certificate
            with pytest.raises((aiomqtt.MqttError, OSError)):
                async with Link(rogue.party, unknown).connect(unknown.context()):
                    pass

    asyncio.run(play())


@pytest.mark.mosquitto
def test_a_forged_receipt_would_end_an_offer_without_accounts(tmp_path):
    """So that the test above can fail: without accounts anybody may answer, and then the offer does end."""
    async def play():
        async with Evening(Mosquitto(tmp_path / "broker"), tmp_path) as evening:
            await evening.kill("database")
            record = make_record("table-1", 1)
            evening.add(record, "table-1")
            one = Link(evening.bridge, Address(port=evening.broker.port))
            async with one.connect(None) as client:
                forged = topics.receipt(EVENT, "table-1", topics.find_seal(record), topics.COUNTED)
                await wait_until(lambda: evening.desk.present.get("bridge bridge") == "here", "the test", "the bridge")
                await client.publish(forged.topic, forged.payload, qos=1)
                await evening.settle()
            assert not evening.director.kept

    asyncio.run(play())


def test_a_connection_that_is_given_up_is_closed_and_nothing_is_said_of_it_later(tmp_path, monkeypatch):
    """A broker so busy that it does not answer: each try left its socket open, and asyncio spoke of it much later."""
    monkeypatch.setattr(link, "ANSWER_S", 0.05)
    ended, complaints, news = [], [], []

    async def be_mute(reader, writer):
        while await reader.read(1000):
            pass
        ended.append(writer)
        writer.close()

    async def play():
        asyncio.get_running_loop().set_exception_handler(lambda _, said: complaints.append(said))
        outbox = Outbox(tmp_path / "outbox.sqlite")
        async with await asyncio.start_server(be_mute, "127.0.0.1", 0) as server:
            one = Link(Courier(outbox, EVENT, "bridge"), Address(port=server.sockets[0].getsockname()[1]), news.append)
            task = asyncio.create_task(one.run())
            await wait_until(lambda: len(ended) > 2, "the test", lambda: f"sockets to be closed: {news}")
            one.stop()
            await task
            gc.collect()
        outbox.close()

    asyncio.run(play())
    assert not complaints and ["timed out" in said for said in news] == [True]


def test_a_socket_that_is_closed_in_the_moment_it_would_write_is_no_traceback():
    """On a machine with a load of 16 some of 5,000 clients had lost theirs by then: `Bad file descriptor`."""
    complaints = []

    async def play():
        asyncio.get_running_loop().set_exception_handler(lambda _, said: complaints.append(said))
        one = Link(Courier(None, EVENT, "bridge"), Address()).connect(None)
        ours, theirs = socket.socketpair()
        one._on_socket_register_write(one._client, None, ours)
        ours.close()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        theirs.close()

    asyncio.run(play())
    assert not complaints


def test_ten_thousand_orders_go_out_a_few_at_a_time():
    """All at once, the broker would have had to answer the last one within the patience for one."""
    class Client:
        under_way = most = sent = 0

        async def publish(self, *message, **more):
            self.under_way += 1
            self.most = max(self.most, self.under_way)
            await asyncio.sleep(0)
            self.under_way, self.sent = self.under_way - 1, self.sent + 1

    async def play():
        client = Client()
        await Link(None, Address()).send(client, [topics.order(EVENT, f"table-{at}", "", "") for at in range(10_000)])
        return client

    client = asyncio.run(play())
    assert (client.sent, client.most) == (10_000, link.BATCH)


def test_a_cancel_that_is_lost_once_is_repeated():
    """As `wait_for` of CPython 3.11 loses one that comes together with what it waits for."""
    async def stubborn():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)
        await asyncio.sleep(3600)

    async def play():
        task = asyncio.create_task(stubborn())
        await asyncio.sleep(0)
        await link.end_tasks([task])
        assert task.cancelled()

    asyncio.run(play())


@pytest.mark.parametrize("url", ["", "mqtt://", "http://a", "mqtt://a:b", "mqtt://a:99999", "mqtt://a/b", "mqtt://u@a",
                                 "mqtt://a..b"])
def test_an_address_that_is_none_is_refused(url):
    from host_tools.base.errors import UnusableInput

    with pytest.raises(UnusableInput):
        read_address(url)


def test_addresses():
    assert read_address("mqtt://a").port == 1883 and read_address("mqtts://a").port == 8883
    assert read_address("mqtts://[::1]:77").host == "::1"


class Welcome:
    """The client of a broker that lets us in, takes all that is said, and says nothing."""

    async def __aenter__(self):
        return self

    async def __aexit__(self, *told):
        pass

    async def subscribe(self, *told, **more):
        pass

    publish = subscribe

    @property
    async def messages(self):
        await asyncio.Event().wait()
        yield


def test_a_broker_that_welcomes_and_hangs_up_is_called_ever_more_seldom(monkeypatch):
    """It was called four times a second for ever. A connection that has lasted ends the pauses."""
    import aiomqtt

    now_s, pauses, lasts = [100.0], [], [0.1, None, 0.1, 0.1, 20.0, 0.1]  # None: it does not let us in

    class Chance:
        def uniform(self, low, high):
            return self

        def __rmul__(self, pause_s):
            pauses.append(pause_s)
            return 0.0

    class Client(Welcome):
        async def __aenter__(self):
            self.lasts_s = lasts.pop(0)
            if self.lasts_s is None:
                raise aiomqtt.MqttError("not authorised")
            return self

        @property
        async def messages(self):
            await one.is_up.wait()
            now_s[0] += self.lasts_s
            if not lasts:
                one.stop()
            raise aiomqtt.MqttError("hung up")
            yield

    will = topics.state_of(EVENT, "bridge", "b", topics.GONE)  # said by who is stopped before the end is seen
    party = SimpleNamespace(subscriptions=["a"], will=will, hello=list, lost=lambda: None, due=lambda now: ([], 60.0))
    one = Link(party, Address())
    one.connect = lambda context: Client()
    monkeypatch.setattr(link, "AGAIN_S", (0.25, 15.0))
    monkeypatch.setattr(link, "random", Chance())
    monkeypatch.setattr(link, "time", SimpleNamespace(monotonic=lambda: now_s[0]))
    asyncio.run(one.run())
    assert pauses == [0.25, 0.5, 1.0, 2.0, 0.25, 0.5]


def test_a_full_disk_of_its_own_is_named_and_tried_again():
    """It is no broker's fault, and ends nothing: not while it is connected, and not between two connections."""
    news, left = [], ["connected", "between", "connected"]

    def due(now_s):
        if not left:
            one.stop()
            return [], 60.0
        left.pop(0)
        raise OSError(5, "database or disk is full", "outbox.sqlite")

    will = topics.state_of(EVENT, "bridge", "b", topics.GONE)
    one = Link(SimpleNamespace(subscriptions=["a"], will=will, hello=list, lost=lambda: None, due=due), Address(),
               news.append)
    one.connect = lambda context: Welcome()
    asyncio.run(one.run())
    assert not left and set(news) == {"connected to 127.0.0.1:1883", "outbox.sqlite: database or disk is full"}
