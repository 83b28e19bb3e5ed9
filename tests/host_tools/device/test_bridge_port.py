"""`cardtable bridge` at a serial port: a finished game is fetched and an order brought, both between two games only."""

import shutil

import pytest

from boards import virtual
from host_tools.maker.device.table import Table
from host_tools.virtual.fingers import deck_lines
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.world import World
from host_tools.club.wire import sources
from tests.host_tools.device.toy import TABLE_SPEED
from tests.host_tools.wire.records import make_record
from tests.patience import PATIENCE_S, wait_for

pytestmark = pytest.mark.micropython

NAME = "club-north-2"
SETUP = f"cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\ntable: {NAME}\norder: %s\n\n"

def until(is_so, what):
    wait_for(is_so, "the bridge", what)


def test_a_table_at_a_port_gives_its_games_and_proposes_what_was_ordered(tmp_path, deployed, shims, monkeypatch):
    shutil.copyfile(deployed, tmp_path / "flash.bin")
    record = make_record(NAME, 1)
    wanted, news = {}, []
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims, speed=TABLE_SPEED) as board:
        board.wait_for("cardtable on virtual")
        with Table(board.port) as table:
            table.stop()
            table.call("make_folder", "/games")
            table.write("/games/0001.rec", record)
            table.write("/deck.txt", "".join(deck_lines()).encode())
        port = sources.Port(board.port, tmp_path / "records", lambda: wanted, on_news=news.append)
        port.start()
        try:
            until(lambda: list((tmp_path / "records").glob("*.rec")), "the record")
            (kept,) = (tmp_path / "records").glob("*.rec")
            assert kept.read_bytes() == record
            board.wait_for("boot: ", board.printed.rindex(b"MPY: soft reboot"))
            before = len(board.printed)
            wanted = {NAME: ("r1-g1", SETUP % "r1-g1")}
            until(lambda: port.brought == "r1-g1", f"the order: {news}")
            board.wait_for("boot: ", before)
            port._is_playing = True  # as after the first line of a game
            wanted = {NAME: ("r1-g2", SETUP % "r1-g2")}
            at = len(board.printed)
            looks, lines = [], Table.lines
            monkeypatch.setattr(Table, "lines", lambda this, seconds: looks.append(seconds) or lines(this, seconds))
            until(lambda: len(looks) > 2, "its next looks at the feed")
            assert port.brought == "r1-g1" and b"cardtable on" not in board.printed[at:]
        finally:
            port.ends.set()
            port.join(PATIENCE_S)
        with Table(board.port) as table:
            table.stop()
            assert table.read("/last.txt").decode() == SETUP % "r1-g1"
            assert [name for name, _ in table.call("list_games")] == ["0001.old"]
