"""A served table for a test: the real server, table and firmware in threads of this process, and a plain client."""

import asyncio
import contextlib
import json
import threading
from unittest import mock

import aiohttp

from host_tools.look.beside import add_views
from host_tools.play.start import Wishes
from host_tools.play.web import server
from host_tools.play.web.run import opened
from host_tools.base.ports import free_port
from tests.patience import PATIENCE_S, hear, wait_for, wait_until

LOOK_US = 10_000  # of the table's time: how often an actor looks whether time may stand still again


def tell(table):
    """How things stand at a table, for an error."""
    hands = [(place, one.is_busy, one.has_work, one.gave_up) for place, one in table.hands.items()]
    return (f"phase {table.phase} at {table.now_us} us, {table.tags.lying}, hands {hands}, "
            f"{table.follower.trouble or 'well'}; said {[line['text'] for line in table.known.feed.lines[-5:]]}")


def read(table, ask):
    """What `ask()` gives, or raises, in the table's thread."""
    answers, errors, done = [], [], threading.Event()

    def work():
        try:
            answers.append(ask())
        except Exception as error:
            errors.append(error)
        done.set()

    table.post(work)
    hear(done, "the test", lambda: f"an answer of the table's thread; {tell(table)}")
    if errors:
        raise errors[0]
    return answers[0]


def pass_time(table, is_so, what):
    """Let a table's time pass until that is so, and no longer: an actor at the table stops it. So it is the same moment
    of its time in each run, however busy this machine is."""
    errors, reached = [], threading.Event()

    def stop():
        try:
            while not is_so():
                yield LOOK_US
        except Exception as error:
            errors.append(error)
        table.machine.stands_still = True
        table.watch.tell()
        reached.set()

    def go():
        table.machine.stands_still = False
        table.world.people.add(stop())

    read(table, go)
    hear(reached, "the test", lambda: f"{what}; {tell(table)}")
    if errors:
        raise errors[0]


class Served:
    """`with Served(folder, ...)`: `table`, `desk`, `address`, and `said`, the public feed; wishes as on the command
    line, and `here_s`, how often a browser hears that the table is there."""

    def __init__(self, folder, **wishes):
        wishes.setdefault("waits_for_phones", False)
        here_s = wishes.pop("here_s", PATIENCE_S)
        self.wishes = Wishes(games=folder, port=wishes.pop("port", 0) or free_port(), browser=False, **wishes)
        self.said = []
        self.loop = asyncio.new_event_loop()
        self.ready = threading.Event()
        self.ended = None
        self.trouble = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        # A browser that a busy machine lets wait is neither silent nor gone.
        self.limits = mock.patch.multiple(server, HELLO_S=PATIENCE_S, HEARTBEAT_S=PATIENCE_S, SEND_S=PATIENCE_S,
                                          HERE_S=here_s)

    def __enter__(self):
        self.thread.start()
        hear(self.ready, "the test", "a server that listens")
        if self.trouble:
            raise self.trouble
        self.limits.start()
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.ended.set)
        self.thread.join(PATIENCE_S)
        self.limits.stop()
        assert not self.thread.is_alive(), f"the test waited {PATIENCE_S:g} s for a server that ends"
        bugs = self.table.bugs
        assert not bugs.count, bugs.path.read_text()

    def _run(self):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self._serve())

    async def _serve(self):
        self.ended = asyncio.Event()
        try:
            async with opened(self.wishes, self.said.append, add_views) as (self.table, self.desk, self.address):
                self.ready.set()
                await self.ended.wait()
        except Exception as trouble:
            self.trouble = trouble
            self.ready.set()

    @property
    def port(self):
        return self.wishes.port

    def link(self, seat=0):
        """The address of the host's page, or of a seat's."""
        seating = self.table.seating
        return f"{self.address}/#{seating.chairs[seat].secret if seat else seating.host}"

    def read(self, ask):
        """What `ask()` gives in the table's thread."""
        return read(self.table, ask)

    def wait(self, is_so, what):
        """Until `is_so()` is true in the table's thread."""
        wait_for(lambda: self.read(is_so), "the test", lambda: f"{what}; {tell(self.table)}; said {self.said[-5:]}")

    def run(self, coroutine):
        """Run a client to its end in the server's loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(2 * PATIENCE_S)

    def record(self):
        """The lines of the record that lies on the flash, without times: events alone."""
        events = []
        for line in read_record(self.table.flash):
            if line[:1].isdigit():
                events.append(line.partition(" ")[2])
        return events


def read_record(flash):
    """The lines of the newest game on a flash, whether it lies in pieces or is one text."""
    from cardtable.between import archive, pieces

    folder = flash / "games"
    names = archive.list_names(str(folder))
    texts = [name for name in names if name.endswith((archive.RECORD, archive.PULLED))]  # of .tmp only a part is there
    running = [name for name in names if len(name) == 4 and not any(text.startswith(name) for text in texts)]
    if running:
        try:
            return [line.decode().rstrip("\n") for line in pieces.read_lines(str(folder / running[-1]))]
        except (pieces.Damage, OSError):
            # The table goes on meanwhile: it has made one text of them, and takes the pieces away.
            texts = [running[-1] + archive.RECORD]
    return (folder / texts[-1]).read_text().splitlines() if texts else []


class Page:
    """What a page does, without one: numbered acts, sent again after a lost connection until they are acknowledged."""

    def __init__(self, address, secret="", name="abcdefgh12345678", origin=None):
        self.address, self.secret, self.name = address, secret, name
        self.origin = origin or address
        self.told = {}
        self.raw = []  # every message as it came
        self.lines = {}  # of the feed, by number
        self.count = 0
        self.waiting = {}  # acts that are not acknowledged, by number
        self.acks = {}
        self.socket = self.session = self.listener = None

    async def open(self):
        self.session = aiohttp.ClientSession()
        self.socket = await self.session.ws_connect(
            f"{self.address}/ws", headers={"Origin": self.origin}, max_msg_size=1 << 20, autoping=True
        )
        await self.socket.send_json({"type": "hello", "secret": self.secret, "client": self.name})
        for number in sorted(self.waiting):
            await self.socket.send_str(self.waiting[number])
        self.listener = asyncio.create_task(self.listen())
        return self

    async def listen(self):
        async for message in self.socket:
            if message.type == aiohttp.WSMsgType.TEXT:
                self.take(message.data)

    def take(self, text):
        self.raw.append(text)
        told = json.loads(text)
        self.told[told["type"]] = told
        if told["type"] == "ack":
            self.acks[told["n"]] = told
            self.waiting.pop(told["n"], None)
        elif told["type"] == "feed":
            self.lines.update({line["n"]: line["text"] for line in told["lines"]})

    async def act(self, do, **fields):
        """Do something; its number."""
        self.count += 1
        self.waiting[self.count] = json.dumps({"type": "act", "n": self.count, "do": do, **fields})
        with contextlib.suppress(ConnectionError):
            await self.socket.send_str(self.waiting[self.count])
        return self.count

    async def done(self, do, **fields):
        """Do something and wait for the answer."""
        number = await self.act(do, **fields)
        await self.until(lambda: number in self.acks, do)
        return self.acks[number]

    async def until(self, is_so, what="it"):
        await wait_until(is_so, f"page {self.name}", lambda: f"{what}; it was told {list(self.told.values())[-3:]}")

    async def close(self):
        if self.listener:
            self.listener.cancel()
        if self.session:
            await self.session.close()


PEOPLE = [{"name": "Anna", "who": "here"}, {"name": "Boris", "who": "here"}]


async def begin(page, game="durak throw-in", seats=None, dealer=2, **more):
    """Start a game as the host, and wait until all is dealt."""
    answer = await page.done("start", game=game, seats=seats or PEOPLE, dealer=dealer, **more)
    assert answer["ok"], answer
    page.told.pop("table", None)
    await page.until(lambda: page.told.get("table", {}).get("phase") == "play", "the game")
    return page


def pile(page, place):
    """The pile of that name as the page was told, or None."""
    return next((one for one in page.told["view"]["piles"] if one["place"] == place), None)
