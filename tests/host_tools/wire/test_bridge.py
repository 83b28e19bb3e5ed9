"""`cardtable bridge` and `cardtable broker`: folders, virtual tables, orders, exit codes."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cardtable.engine.record import FORMAT
from host_tools.base.locks import alone_in
from host_tools.cli import RIGHT, UNUSABLE, WRONG, run
from host_tools.play.library import ORDER_FILE
from host_tools.club.wire import certificate, mosquitto, sources, topics
from host_tools.club.wire.bridge import Bridge, Wishes
from host_tools.club.wire.desk import Desk
from host_tools.club.wire.link import Address, Link
from host_tools.club.wire.outbox import Outbox
from host_tools.club.wire.sources import Folder, check_setup
from tests.host_tools.wire.brokers import Embedded
from host_tools.base.ports import free_port
from tests.host_tools.wire.records import Director, make_record
from tests.patience import PATIENCE_S, hear, wait_for, wait_until

EVENT = "evening"
SETUP = "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\ntable: table-8137\norder: r1-g1\n\n"


class Club(threading.Thread):
    """A broker and a director in a thread of their own."""

    def __init__(self, home):
        super().__init__(daemon=True)
        self.director = Director()
        self.desk = Desk(EVENT, self.director.take)
        self.broker = Embedded(home)
        self.up, self.loop, self.link = threading.Event(), None, None

    async def serve(self):
        self.loop = asyncio.get_running_loop()
        await self.broker.start()
        self.link = Link(self.desk, Address(port=self.broker.port))
        task = asyncio.create_task(self.link.run())
        await self.link.is_up.wait()
        self.up.set()
        await task
        await self.broker.kill()

    def run(self):
        asyncio.run(self.serve())

    def __enter__(self):
        self.start()
        hear(self.up, "the test", "a broker and a director")
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.link.stop)
        self.join(PATIENCE_S)
        assert not self.is_alive()


def write_games(folder, records):
    folder.mkdir(exist_ok=True)
    for number, record in enumerate(records):
        (folder / f"game-{number}.rec").write_bytes(record)


def test_a_folder_of_games_is_brought_and_the_exit_code_says_how_it_went(tmp_path, capsys):
    games, home = tmp_path / "games", tmp_path / "bridge"
    unfinished = make_record("a", 9)[:-50]
    write_games(games, [make_record("a", 1), make_record("a", 2), unfinished])
    with Club(tmp_path / "broker") as club:
        call = ["bridge", EVENT, "--folder", str(games), "--home", str(home), "--once",
                "--broker", f"mqtt://127.0.0.1:{club.broker.port}"]
        assert run(call) == RIGHT
        assert sorted(club.director.kept) == [("a", 1), ("a", 2)]
        assert "2 counted" in capsys.readouterr().out
        changed = make_record("a", 3).replace(b"seats: ", b"seats: X")
        write_games(games / "late", [changed, make_record("a", 1, seed=5)])
        assert run(call) == WRONG  # one is no record any more
        out = capsys.readouterr().out
        assert "a: refused, no intact record" in out and "a: disputed, another record" in out
        asked = club.director.asked
        assert run(call) == WRONG and club.director.asked <= asked + 1  # what was refused; nothing that was stored
        asked = club.director.asked
        assert run([*call, "--again"]) == WRONG and club.director.asked >= asked + 2


@pytest.mark.parametrize("shared", ["home", "games"])
def test_a_second_bridge_in_one_folder_is_refused(shared, tmp_path, capsys):
    """Both would write into one outbox; in one folder of games each took back what the other one had ordered."""
    folders = {kind: tmp_path / kind for kind in ("home", "games")}
    call = ["bridge", EVENT, "--once", "--seconds", "0.1", "--broker", f"mqtt://127.0.0.1:{free_port()}",
            "--home", str(folders["home"]), "--folder", str(folders["games"]), "--folder", str(folders["home"])]
    for folder in folders.values():
        folder.mkdir()
    with alone_in(folders[shared], ""):
        assert run(call) == UNUSABLE
    way = {"home": "say another --home and --name", "games": "name another --folder"}[shared]
    assert capsys.readouterr().err == f"another bridge runs in {folders[shared]}: end it, or {way}\n"
    assert run(call) == RIGHT, "the first one has ended"


def test_without_a_broker_everything_waits(tmp_path, capsys):
    write_games(tmp_path / "games", [make_record("a", 1)])
    call = ["bridge", EVENT, "--folder", str(tmp_path / "games"), "--home", str(tmp_path / "bridge"), "--once",
            "--broker", f"mqtt://127.0.0.1:{free_port()}", "--seconds", "0.3"]
    assert run(call) == WRONG
    out = capsys.readouterr().out
    assert "no broker at 127.0.0.1" in out and "1 waiting" in out


def test_a_record_that_cannot_be_offered_is_said_once_and_the_exit_code_tells(tmp_path, capsys):
    """Nothing that was found is no success: of a folder that is not there, or of games that name no table."""
    games = tmp_path / "games"
    write_games(games, [make_record("a", 1).replace(b"table: a\n", b"")])
    call = ["bridge", EVENT, "--home", str(tmp_path / "bridge"), "--once", "--seconds", "0.3",
            "--broker", f"mqtt://127.0.0.1:{free_port()}", "--folder"]
    assert run([*call, str(games)]) == WRONG
    assert capsys.readouterr().out.count("game-0.rec: its header names no table: say --table NAME\n") == 1
    assert run([*call, str(tmp_path / "gamse")]) == UNUSABLE
    assert capsys.readouterr().err == f"{tmp_path / 'gamse'}: no such folder\n"
    news = []
    folder, outbox = Folder(games, "", news.append), Outbox(":memory:")
    (games / os.fsdecode(b"caf\xe9.rec")).write_bytes(make_record("b", 1))
    assert folder.gather(outbox) == 1 and folder.gather(outbox) == 0 and len(news) == 1
    write_games(games, [make_record("a", 1, seed=7)])
    assert folder.gather(outbox) == 1 and folder.left_out == {} and len(news) == 1


@pytest.mark.parametrize("call", [
    ["bridge", EVENT], ["bridge", "E V", "--usb"], ["bridge", EVENT, "--usb", "--name", "#"],
    ["bridge", EVENT, "--from", "/dev/none=A B"], ["bridge", EVENT, "--usb", "--broker", "http://a"],
    ["broker", "start", "--lan"], ["broker", "start", "--tls"], ["broker", "account", "A"],
])
def test_what_cannot_be_used_is_said(call, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(call) == UNUSABLE
    assert capsys.readouterr().err.strip()


def test_a_table_that_is_plugged_in_late_is_followed_too(monkeypatch):
    """Several at once, each once, and one that was unplugged goes on with its own name."""
    from host_tools.maker.device import ports
    from host_tools.club.wire import bridge

    there = [[], ["/dev/ttyUSB0", "/dev/ttyUSB1"], ["/dev/ttyUSB1"], ["/dev/ttyACM0", "/dev/ttyUSB0"]]
    monkeypatch.setattr(ports, "list_ports", lambda: there.pop(0) if len(there) > 1 else there[0])
    monkeypatch.setattr(bridge, "SCAN_S", 0.0)
    followed = {"/dev/ttyUSB1": "named"}

    def follow(port, name):
        assert port not in followed
        followed[port] = name

    async def evening():
        task = asyncio.create_task(bridge.seek_ports(followed, follow))
        await wait_until(lambda: len(followed) == 3, "the bridge", lambda: f"the last port; it follows {followed}")
        task.cancel()

    asyncio.run(evening())
    assert followed == {"/dev/ttyUSB0": "", "/dev/ttyUSB1": "named", "/dev/ttyACM0": ""}


def test_records_are_read_once_and_again_when_they_change(tmp_path):
    """A virtual table's record is there before its last seal is."""
    outbox, folder = Outbox(":memory:"), Folder(tmp_path, "nameless")
    whole = make_record("b", 1)
    (tmp_path / "one.rec").write_bytes(whole[:-40])
    assert folder.gather(outbox) == 0 and folder.list_new() == []
    (tmp_path / "one.rec").write_bytes(whole)
    assert folder.gather(outbox) == 1 and folder.gather(outbox) == 0
    (tmp_path / "copy.rec").write_bytes(whole)
    assert folder.gather(outbox) == 0
    nameless = make_record("x", 1).replace(b"table: x\n", b"")
    (tmp_path / "two.rec").write_bytes(nameless)
    assert folder.gather(outbox) == 1 and outbox.tables() == ["b", "nameless"]


def test_a_full_disk_forgets_no_record_and_ends_no_bridge(tmp_path):
    """What could not be kept is looked at again; what came meanwhile comes again with the next connection."""
    (tmp_path / "games").mkdir()
    for number in range(1, 31):
        (tmp_path / "games" / f"{number}.rec").write_bytes(make_record("b", number))
    outbox = Outbox(tmp_path / "outbox.sqlite")
    pages, = outbox._base.execute("PRAGMA page_count").fetchone()
    outbox._base.execute(f"PRAGMA max_page_count = {pages}")
    bridge = Bridge(outbox, Wishes(EVENT, Address(), tmp_path, folders=[tmp_path / "games"]), str)
    for _ in range(2):
        with pytest.raises(OSError, match="full") as full:
            bridge.due(0.0)
        assert full.value.filename == str(tmp_path / "outbox.sqlite")
        with pytest.raises(OSError, match="full"):
            bridge.heard([topics.order(EVENT, f"t{number}", "r1-g1", SETUP) for number in range(99)])
    outbox._base.execute("PRAGMA max_page_count = 9999")
    bridge.due(1.0)
    bridge.heard([topics.order(EVENT, "b", "r1-g1", SETUP)])
    assert outbox.counts() == {"waiting": 30} and list(outbox.orders(EVENT)) == ["b"]
    outbox.close()


def test_which_readers_weaken_is_read_from_the_file_of_a_table(tmp_path):
    """A line that makes no sense is left out, as on the table."""
    rows = "".join(f"{place} 100 83 2026-03-01\n" for place in range(1, 10))
    assert sources.read_weak("5 100 83 2026-03-01\n<b> 1\n6 90 101 2026\n", tmp_path) == "2026-03-01 5:100>83"
    assert sources.read_weak(rows, tmp_path) == "2026-03-01" + "".join(f" {place}:100>83" for place in range(1, 8))
    assert sources.read_weak("", tmp_path) == "" and sources.read_weak("\0" * 99, tmp_path) == ""


def make_bridge(tmp_path):
    wishes = Wishes(EVENT, Address(), tmp_path / "bridge", folders=[tmp_path / "games"])
    news = []
    return Bridge(Outbox(":memory:"), wishes, news.append), news


def test_an_order_lies_beside_the_flash_until_its_table_takes_it(tmp_path):
    """Each once, so that players who decline it are not asked again; one that was taken back goes away."""
    folder = tmp_path / "games" / "table-8137"
    (folder / "flash").mkdir(parents=True)
    bridge, news = make_bridge(tmp_path)
    order = folder / ORDER_FILE
    bridge.heard([topics.order(EVENT, "table-8137", "r1-g1", SETUP), topics.order(EVENT, "elsewhere", "r1-g1", SETUP)])
    bridge.due(0.0)
    bridge.due(1.0)
    assert order.read_text() == SETUP and news == ["table-8137: order r1-g1", "elsewhere: order r1-g1"]
    order.rename(folder / "flash" / "last.txt")  # as the table does
    bridge.due(2.0)
    bridge.due(3.0)
    assert news[2:] == ["table-8137: the table proposes r1-g1"] and not order.exists()
    bridge.heard([topics.order(EVENT, "table-8137", "r1-g2", SETUP)])
    bridge.due(4.0)
    assert order.exists()
    bridge.heard([topics.order(EVENT, "table-8137", "", "")])
    bridge.due(5.0)
    assert not order.exists() and sorted(path.name for path in folder.iterdir()) == ["flash"]


def test_what_the_last_tournament_ordered_reaches_no_table_of_this_one(tmp_path):
    flash = tmp_path / "games" / "table-8137" / "flash"
    flash.mkdir(parents=True)
    outbox = Outbox(":memory:")
    for event, is_laid in (("autumn", False), (EVENT, True)):
        outbox.keep_order(event, "table-8137", "r1-g1", SETUP)
        bridge = Bridge(outbox, Wishes(EVENT, Address(), tmp_path / "bridge", folders=[tmp_path / "games"]), str)
        bridge.due(0.0)
        assert (flash.parent / ORDER_FILE).exists() == is_laid
    bridge = Bridge(outbox, Wishes("spring", Address(), tmp_path / "bridge", folders=[tmp_path / "games"]), str)
    bridge.due(0.0)
    assert not (flash.parent / ORDER_FILE).exists(), "the table did not run, and would take it now"


@pytest.mark.parametrize("setup", ["", "cardtable 1\n", SETUP.replace("durak throw-in", "whist"),
                                   SETUP.replace("dealer: 2", "dealer: 0"), "x" * 3000, SETUP.replace("; Boris", "")])
def test_an_order_that_cannot_be_played_is_said_once_and_brought_nowhere(setup, tmp_path):
    flash = tmp_path / "games" / "table-8137" / "flash"
    flash.mkdir(parents=True)
    bridge, news = make_bridge(tmp_path)
    bridge.heard([topics.order(EVENT, "table-8137", "r1-g1", setup)])
    bridge.due(0.0)
    bridge.due(9.0)
    assert list(flash.iterdir()) == [] and list(flash.parent.iterdir()) == [flash]
    assert not setup or [line.startswith("table-8137: the order cannot be played") for line in news] == [False, True]


def test_a_good_set_up_goes_through_unchanged():
    assert check_setup(SETUP, "a") == SETUP


def listens(process, port):
    assert process.poll() is None, "the broker has ended"
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("engine", ["embedded", pytest.param("mosquitto", marks=pytest.mark.mosquitto)])
def test_one_command_starts_a_broker_for_this_machine_alone(engine, tmp_path):
    port = free_port()
    call = [Path(sys.prefix, "bin", "cardtable"), "broker", "start", "--engine", engine, "--port", str(port)]
    process = subprocess.Popen(call, cwd=tmp_path, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        line = process.stdout.readline()
        assert f"mqtt://127.0.0.1:{port}" in line
        wait_for(lambda: listens(process, port), "the test", "a broker that listens")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # a mosquitto that is left would keep the pipe open
        process.communicate()


@pytest.mark.parametrize("engine", ["embedded", "mosquitto"])
def test_a_port_that_is_taken_is_a_sentence(engine, tmp_path, capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        call = ["broker", "start", "--home", str(tmp_path), "--engine", engine, "--port", str(port)]
        assert run(call) == UNUSABLE
    assert capsys.readouterr().err.startswith(f"port {port}: Address already in use")


def test_a_second_mosquitto_in_one_folder_is_refused(tmp_path, capsys, monkeypatch):
    """Both would write its configuration, and the states and orders that are kept there."""
    monkeypatch.setattr(mosquitto, "start", lambda path: pytest.fail("it starts"))
    with alone_in(tmp_path, ""):
        assert run(["broker", "start", "--home", str(tmp_path), "--engine", "mosquitto", "--port",
                    str(free_port())]) == UNUSABLE
    assert capsys.readouterr().err == f"another broker runs in {tmp_path}: end it, or say another --home\n"


def test_a_certificate_that_is_none_is_a_sentence(tmp_path, capsys):
    for name in ("broker.pem", "broker.key"):
        (tmp_path / name).write_text("hello\n")
    assert run(["broker", "start", "--home", str(tmp_path), "--tls", "--port", str(free_port())]) == UNUSABLE
    assert capsys.readouterr().err.startswith("the broker cannot start: [SSL")


def test_a_bridge_looks_whether_a_game_is_over_whose_feed_has_a_gap(tmp_path):
    """Its result may be among the lines that nobody read: it waited for that for ever. Until it has looked, a game goes
    on there."""
    port = sources.Port("nowhere", tmp_path, dict)
    port._is_there = True
    for line in (FORMAT, "2 attack 6S"):
        port.hear(line)
        assert port.state == topics.PLAYING and port._due_s == float("inf")
    port.hear("feed: lines are lost")
    assert port.state == topics.PLAYING and port._due_s < float("inf")
    port.hear("result: fool 2")
    assert port.state == topics.HERE and port._due_s < float("inf")
    port._due_s = float("inf")
    port.hear("feed: lines are lost")
    assert port._due_s == float("inf"), "between two games nothing is missed"


@pytest.mark.parametrize("name", ["club_laptop", "АННА-ПК", "club-laptop"])
def test_a_computer_whose_name_no_certificate_can_say_has_one_all_the_same(name, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: name)
    assert run(["broker", "certificate", "--home", str(tmp_path)]) == RIGHT
    assert (name in certificate.own_names()) == (name == "club-laptop")
    assert run(["broker", "certificate", "club_server", "--home", str(tmp_path)]) == UNUSABLE, "what is named is told"


@pytest.mark.parametrize(("told", "times", "ended"), [(3, 10**6, 0), (10**6, 3, -signal.SIGKILL)])
def test_a_mosquitto_that_forgets_a_signal_is_told_again_and_killed_in_the_end(told, times, ended, monkeypatch):
    """It forgets one that comes before its first loop. This program ends when it was told so often."""
    forgets = "import signal, sys, time\nleft = [0] * int(sys.argv[1])\n" \
              "def end(*_):\n left.pop() or left or signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" \
              "signal.signal(signal.SIGTERM, end)\nprint(flush=True)\nwhile left: time.sleep(0.01)\n"
    monkeypatch.setattr(mosquitto, "END_S", 0.05)
    monkeypatch.setattr(mosquitto, "END_TIMES", times)
    with subprocess.Popen([sys.executable, "-c", forgets, str(told)], stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        mosquitto.end(process)
        assert process.returncode == ended


def test_a_bridge_says_once_that_no_director_answers_to_that_name(tmp_path):
    """One wrong letter in the tournament's name, and every game waited in silence."""
    bridge, news = make_bridge(tmp_path)
    bridge.hello()
    for at_s in (0.0, 9.0, 10.0, 12.0, 90.0):
        bridge.due(at_s)
    assert len(news) == 1 and f"no director of {EVENT} is at this broker" in news[0]
    bridge.hello()
    bridge.due(100.0)
    bridge.due(111.0)
    assert len(news) == 1, "not after each loss"
    bridge.heard([topics.state_of(EVENT, "director", "main", "here")])
    bridge.due(112.0)
    bridge.hello()
    bridge.due(120.0)
    bridge.due(131.0)
    assert len(news) == 2, "it was there, and has gone"
