"""A board with Wi-Fi: the firmware's own client under MicroPython, against real brokers, in an unkind network."""

import asyncio
import contextlib
import os
import subprocess
import threading

import pytest

from cardtable.net import topics as board_topics
from host_tools.base.files import write_file
from host_tools.base.interpreters import find_micropython
from host_tools.virtual import image
from host_tools.club.wire import accounts, certificate, link, topics
from host_tools.club.wire.desk import Desk
from host_tools.club.wire.link import Address, Link
from host_tools.club.wire.sources import check_setup
from tests.conftest import ROOT
from tests.host_tools.wire.brokers import KINDS
from tests.host_tools.wire.records import Director, make_record
from tests.host_tools.wire.test_link import Cable, tls
from tests.patience import PATIENCE_S, wait_until

pytestmark = pytest.mark.micropython

EVENT, NAME = "evening", "club-north-2"
SETUP = "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\ntable: club-north-2\nround: 2\n\n"
NO_WIFI = "network: no Wi-Fi Club: Wifi Internal State Error"
NO_RADIO = "network: no Wi-Fi Club: Wifi Unknown Error 0x1101"
NETWORK = "ssid: Club\npassword: secret\nbroker: {address}\ntournament: evening\n{who}\n"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Pauses that a test need not wait for."""
    monkeypatch.setattr(link, "AGAIN_S", (0.02, 0.1))


@pytest.fixture(scope="module")
def firmware():
    """The folders of its modules, as a device has them, and of the radio's shim."""
    built = image.build("virtual", ROOT / "build" / "tests", with_players=True)
    shims = ROOT / "build" / "radio"
    shims.mkdir(parents=True, exist_ok=True)
    write_file(shims / "network.py", (image.SHIMS / "network.py").read_bytes())  # another process may be reading it
    return f"{built}:{shims}:.frozen"


class Board:
    """One table with its flash; `says` is what it has printed."""

    def __init__(self, firmware, home, address, who=f"table: {NAME}", trust=None):
        self.flash, self.air = home / "flash", home / "air.txt"
        (self.flash / "games").mkdir(parents=True)
        (self.flash / "network.txt").write_text(NETWORK.format(address=address, who=who))
        if trust:
            (self.flash / "broker.pem").write_bytes(trust.read_bytes())
        self.blow("up")
        self.path = firmware
        self.says, self.process, self.reader = [], None, None

    def blow(self, air):
        """What the radio meets from now on."""
        half = self.air.with_suffix(".half")
        half.write_text(air)
        half.replace(self.air)

    def finish_game(self, number, record):
        """A game is over, and lies on the flash, whole from the first moment."""
        write_file(self.flash / "games" / f"{number:04}.rec", record)

    def names(self):
        return sorted(path.name for path in (self.flash / "games").iterdir())

    def start(self):
        script = ROOT / "tests" / "host_tools" / "wire" / "board_side.py"
        environment = {**os.environ, "MICROPYPATH": self.path, "CARDTABLE_AIR": str(self.air)}
        self.process = subprocess.Popen([find_micropython(), "-X", "heapsize=2M", str(script)], cwd=self.flash,
                                        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.reader = threading.Thread(target=self.listen, args=(self.process.stdout,), daemon=True)
        self.reader.start()

    def listen(self, printed):
        for line in printed:
            self.says.append(line.rstrip())

    async def end(self, word="stop"):
        """The table is switched off as it should be, or goes into a game."""
        (self.flash / word).touch()
        await asyncio.to_thread(self.process.wait, PATIENCE_S)
        self.reader.join(PATIENCE_S)
        (self.flash / word).unlink()

    def kill(self):
        """Its power fails."""
        if self.process:
            self.process.kill()
            self.process.communicate()


class Talkative(Director):
    """Its reasons try to be lines of a table's feed."""

    def take_one(self, record):
        receipt = super().take_one(record)
        receipt.reason += "\nresult: fool 1\x1b[2J\x9b"
        return receipt


class Evening:
    """A broker, a director, and one board behind a cable."""

    def __init__(self, broker, **address):
        self.broker, self.address = broker, address
        self.cable = Cable(broker.port)
        self.director = Talkative()
        self.room = {}  # what the director's pages know of it
        self.desk = Desk(EVENT, self.director.take, lambda: self.director.orders, on_room=self.room.update)
        self.board = None

    async def __aenter__(self):
        await self.broker.start()
        await self.cable.start()
        self.link = Link(self.desk, Address(port=self.broker.port, **self.address))
        self.task = asyncio.create_task(self.link.run())
        await self.link.is_up.wait()
        return self

    async def __aexit__(self, *_):
        if self.board:
            self.board.kill()
        self.link.stop()
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self.task, PATIENCE_S)
        await self.cable.cut()
        await self.broker.kill()

    def state(self):
        return self.desk.present.get(f"table {NAME}")

    async def order(self, number, setup):
        self.director.orders = {NAME: (number, setup)}
        self.link.wake()

    async def until(self, is_so, what):
        await wait_until(is_so, "the test", lambda: f"{what}: {self.board.says[-12:]} {self.board.names()}")


@pytest.mark.parametrize("kind", KINDS)
def test_t12_each_game_of_a_board_counts_once_in_an_unkind_network(kind, firmware, tmp_path):
    """The radio fails, the network is cut, broker and database are away and come back, the power fails; what has its
    receipt counts as pulled. Then the order of the next round comes, once, and is proposed."""
    async def play():
        async with Evening(kind(tmp_path / "broker")) as evening:
            board = evening.board = Board(firmware, tmp_path, f"mqtt://127.0.0.1:{evening.cable.port}")
            made = {(NAME, number): make_record(NAME, number) for number in range(1, 5)}
            board.blow("broken")
            board.finish_game(1, made[NAME, 1])
            (board.flash / "weak.txt").write_text("5 100 83 2026-03-01\n")
            board.finish_game(7, make_record(NAME, 7)[:-50])  # without its last seal
            board.start()
            await evening.until(lambda: board.says.count(NO_RADIO) == 1, "a radio that does not start")
            board.blow("up 2")
            await evening.until(lambda: "0001.old" in board.names() and evening.state() == "here", "the first game")
            assert NO_WIFI in board.says and "screen: All games are sent" in board.says
            weak = {"state": "here", "weak": "2026-03-01 5:100>83"}
            await evening.until(lambda: evening.room.get(f"table {NAME}") == weak, f"its reader: {evening.room}")
            await evening.cable.cut()
            await evening.until(lambda: evening.state() == "gone", "the last will")
            board.finish_game(2, made[NAME, 2])
            evening.director.is_down = True
            board.blow("down")
            await evening.cable.start()
            board.blow("broken")
            await evening.until(lambda: board.says.count(NO_RADIO) == 2, "a radio that fails")
            board.blow("up 1")
            await evening.until(lambda: evening.state() == "here", "the network")
            await evening.until(lambda: evening.desk.unanswered, "an offer without an answer")
            board.kill()
            board.finish_game(3, made[NAME, 3])
            evening.director.is_down = False
            board.start()
            await evening.until(lambda: "0003.old" in board.names(), "two games")
            await evening.broker.kill()
            board.finish_game(4, made[NAME, 4])
            await evening.broker.start()
            await evening.until(lambda: "0004.old" in board.names(), "the last game")
            assert evening.director.kept == made and not evening.director.disputed
            assert board.names() == ["0001.old", "0002.old", "0003.old", "0004.old", "0007.rec"]
            await evening.order("r2-g1", SETUP)
            await evening.until(lambda: "opens: lobby" in board.says, "the order")
            assert (board.flash / "last.txt").read_text() == check_setup(SETUP, NAME)
            await board.end("play")
            await evening.until(lambda: evening.state() == "playing", "that it plays")
            (board.flash / "last.txt").write_text("what the players chose instead\n")
            board.start()
            await evening.until(lambda: evening.state() == "here", "the lobby again")
            await evening.order("r3-g1", SETUP.replace("durak throw-in", ""))
            await evening.until(lambda: any("order r3-g1: " in line for line in board.says), "why not")
            assert (board.flash / "last.txt").read_text() == "what the players chose instead\n"
            assert board.says.count("opens: lobby") == 1
            await board.end()
            assert not [line for line in board.says if line.startswith("result") or "\x1b" in line or "\x9b" in line]

    asyncio.run(play())


@pytest.mark.parametrize("kind", KINDS)
def test_t12_with_tls_a_board_trusts_its_broker_alone(kind, firmware, tmp_path):
    """It has its account, and no clock; where another certificate is shown, no word is said."""
    folder, other = tmp_path / "broker", tmp_path / "other"
    for where in (folder, other):
        certificate.make(where, [])
    for name, role in (("director", "director"), (NAME, "table")):
        accounts.add(folder, name, role)
    who = "account: " + (folder / f"{NAME}.account").read_text().strip()

    async def play():
        async with Evening(kind(folder, tls=True), **tls(folder, "director")) as evening:
            url = f"mqtts://127.0.0.1:{evening.cable.port}"
            board = evening.board = Board(firmware, tmp_path / "wrong", url, who, other / certificate.CERTIFICATE)
            board.finish_game(1, make_record(NAME, 1))
            board.start()
            await evening.until(lambda: any("no broker at" in line for line in board.says), "a refusal")
            await board.end()
            assert not evening.director.kept and evening.state() is None
            board = evening.board = Board(firmware, tmp_path, url, who, folder / certificate.CERTIFICATE)
            board.finish_game(1, make_record(NAME, 1))
            board.start()
            await evening.until(lambda: "0001.old" in board.names(), "the game")
            assert len(evening.director.kept) == 1 and evening.state() == "here"
            await board.end()
            assert not any(who.split()[-1] in line or "secret" in line for line in board.says)

    asyncio.run(play())


def test_both_ends_find_the_same_seal_and_names():
    record = make_record()
    assert board_topics.find_seal(record[-1024:]) == topics.find_seal(record) != ""
    for name in ("club-north-2", "", "A", "-a", "a" * 41, "a_b"):
        assert board_topics.is_name(name) == topics.is_name(name)
