"""Spectators of a real table, and its records in a folder of games: over the serial port of a virtual board."""

import asyncio
import json
import shutil
import threading
from types import SimpleNamespace

import pytest

from boards import virtual
from cardtable.drivers import font6x8
from cardtable.engine.deck import card_number
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.cli import run
from host_tools.maker.device import table as device_table
from host_tools.maker.device.table import Table
from host_tools.look import watch
from host_tools.virtual.fingers import deck_lines, uid_of
from host_tools.virtual.glass import read_text
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.world import World
from tests.host_tools.as_a_person import wait_until_it_looks
from tests.host_tools.device.toy import TABLE_SPEED
from tests.patience import PATIENCE_S, hear

pytestmark = pytest.mark.micropython

SETUP = "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\n\n"
RECORD = SETUP[:-1] + "table: Club North/2\nstarted: 2026-11-21T18:00:00Z\n\n"


@pytest.fixture
def table(tmp_path, deployed, shims):
    """A board with the real firmware that has come up."""
    shutil.copyfile(deployed, tmp_path / "flash.bin")
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims, speed=TABLE_SPEED) as board:
        board.wait_for("cardtable on virtual")
        yield board


def put_files(board, files):
    with Table(board.port) as prompt:
        prompt.stop()
        prompt.call("make_folder", "/games")
        for name, data in files.items():
            prompt.write(name, data.encode())


def note_opening(monkeypatch):
    """An event for when somebody listens at a port: opening it throws away what was printed there before."""
    opened, lines = threading.Event(), Table.lines

    def note(self, *how):
        opened.set()
        return lines(self, *how)

    monkeypatch.setattr(Table, "lines", note)
    return opened


def test_a_real_table_is_watched_over_its_serial_port(table, monkeypatch):
    """The game goes on, nothing is sent to it, and spectators see that a card came, not which."""
    put_files(table, {"/deck.txt": "".join(deck_lines()), "/setup.txt": SETUP})
    hub, come = watch.Hub(), threading.Condition()

    async def follow():
        async for line in watch.follow(table.port, print):
            with come:
                hub.take(line)
                come.notify_all()

    def until(is_so):
        with come:
            is_come = come.wait_for(is_so, PATIENCE_S)
            assert is_come, (f"a spectator waited for more than {list(hub.lines)}; the board printed "
                             f"{bytes(table.printed[at:])!r} and shows {read_text(table.world.screen, font6x8)}")

    def view():
        return {pile["place"]: pile for pile in json.loads(hub.messages["view"])["piles"]} if hub.messages else {}

    loop = asyncio.new_event_loop()
    task = loop.create_task(follow())
    thread = threading.Thread(target=lambda: loop.run_until_complete(asyncio.gather(task, return_exceptions=True)))
    table.pull_plug()
    at = len(table.printed)
    opened = note_opening(monkeypatch)
    thread.start()
    try:
        hear(opened, "the test", "somebody at the table's port")
        table.plug_in()
        until(lambda: hub.shadow.header is not None)
        table.wait_for("boot: ", at)
        wait_until_it_looks(table)
        table.call(lambda: table.world.put(1, Tag(uid_of(card_number("8C")))))
        until(lambda: "hand1" in view())
        assert (view()["hand1"]["count"], view()["hand1"]["cards"]) == (1, [])
        assert b"KeyboardInterrupt" not in table.printed[at:] and b"8C" not in hub.messages["view"]
        assert "Anna draws a card." in [line["text"] for line in hub.lines]
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(PATIENCE_S)


class Slowly:
    """A serial port at which a line comes in two pieces, with a second of the clock between."""

    in_waiting, timeout = 0, 0.0

    def __init__(self, clock):
        self.clock, self.pieces = clock, [b"cardtable 1\n5.555 1 dr", b"", b"aw ?? ~ a173\nresult: fo", b"", b"ol 1\n"]

    def read(self, count):
        self.clock[0] += 0.7
        return self.pieces.pop(0) if self.pieces else b""


def test_a_line_is_whole_however_it_comes(monkeypatch):
    """Followers ask for a second's lines again and again: one that begins in one second may end in the next."""
    clock = [0.0]
    monkeypatch.setattr(device_table, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    table = Table("/dev/none")
    table._transport = SimpleNamespace(serial=Slowly(clock))
    said = [list(table.lines(1.0)) for _ in range(4)]
    assert said == [["cardtable 1"], ["5.555 1 draw ?? ~ a173"], ["result: fool 1"], []]


def test_a_folder_of_games_is_filled_from_a_connected_table(table, tmp_path, capsys):
    """Names made of table, date and number; a second table's record of the same name lies beside it; nothing twice."""
    put_files(table, {"/games/0001.rec": RECORD, "/games/0002.rec": RECORD + "; other\n"})
    folder = tmp_path / "club"
    folder.mkdir()
    (folder / "Club-North-2-2026-11-21-0001.rec").write_text("of another table\n")
    for expected in (["Club-North-2-2026-11-21-0001-2.rec", "Club-North-2-2026-11-21-0002.rec"], []):
        assert run(["games", str(folder), "--pull", "--from", table.port, "--all", "--list"]) == 0
        said = capsys.readouterr().out.splitlines()
        assert [line.rpartition("/")[2] for line in said if line.startswith(str(folder))] == expected
    assert (folder / "Club-North-2-2026-11-21-0001.rec").read_text() == "of another table\n"
    assert (folder / "Club-North-2-2026-11-21-0001-2.rec").read_text() == RECORD
    with Table(table.port) as prompt:
        prompt.stop()
        assert [name for name, _ in prompt.call("list_games")] == ["0001.old", "0002.old"]
    assert run(["games", str(folder), "--pull", "--from", str(tmp_path / "none"), "--list"]) == 1
    assert f"{tmp_path / 'none'}: " in capsys.readouterr().out
