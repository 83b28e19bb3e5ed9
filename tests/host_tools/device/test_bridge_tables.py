"""`cardtable bridge` with several tables at serial ports at once, and one that is exchanged for another one."""

import shutil
import threading

import pytest

from boards import virtual
from host_tools.maker.device.table import Table
from host_tools.virtual.fingers import deck_lines
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.world import World
from host_tools.club.wire import sources, topics
from host_tools.club.wire.bridge import Bridge, Wishes
from host_tools.club.wire.link import Address
from host_tools.club.wire.outbox import Outbox
from tests.host_tools.device.test_bridge_port import PATIENCE_S, TABLE_SPEED, until
from tests.host_tools.wire.records import make_record

pytestmark = pytest.mark.micropython

EVENT = "evening"
SETUP = "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\ntable: %s\n\n"


def make_board(folder, deployed, shims, name, games=1, weak="", **beside):
    """A board with a key of its own that has played so many games under that name, powered on. weak: its weak.txt."""
    folder.mkdir()
    shutil.copyfile(deployed, folder / "flash.bin")
    board = SerialBoard(World(virtual), folder / "flash.bin", shims, speed=TABLE_SPEED, **beside)
    board.__enter__()
    board.wait_for("cardtable on virtual")
    with Table(board.port) as table:
        table.stop()
        table.call("make_folder", "/games")
        for number in range(1, games + 1):
            table.write(f"/games/{number:04}.rec", make_record(name, number))
        table.write("/key.bin", name.encode().ljust(32, b"."))
        table.write("/deck.txt", "".join(deck_lines()).encode())
        table.write("/weak.txt", weak.encode())
    return board


def states(bridge, kept):
    """What the broker has retained of each table after the bridge has spoken."""
    for message in bridge.due(0.0)[0]:
        if message.topic.endswith("/state"):
            kept[message.topic.split("/")[-2]] = topics.read(message.payload)
    return {name: said["state"] for name, said in kept.items()}


def test_two_tables_at_once_and_one_that_is_plugged_in_where_another_was(tmp_path, deployed, shims):
    """Each brings its own records and gets its own order. The third, which is new, takes the port of the first, and not
    its name."""
    news, retained, ports = [], {}, {}
    link = tmp_path / "port-1"
    bridge = Bridge(Outbox(":memory:"), Wishes(EVENT, Address(), tmp_path, ports={"any": ""}), news.append)
    boards = {"a": make_board(tmp_path / "a", deployed, shims, "a", weak="5 100 83 2026-03-01\n", link=link)}
    try:
        boards["b"] = make_board(tmp_path / "b", deployed, shims, "b")
        for name, port in (("a", str(link)), ("b", boards["b"].port)):
            ports[name] = sources.Port(port, tmp_path / "records", lambda: bridge.wanted, "", news.append, bridge.known)
            bridge.ports[port] = ports[name]
            ports[name].start()
        until(lambda: states(bridge, retained) == {"a": "here", "b": "here"}, lambda: f"both: {news}")
        until(lambda: states(bridge, retained) and bridge.outbox.tables() == ["a", "b"], lambda: f"records: {news}")
        for name in "ab":
            bridge.heard([topics.order(EVENT, name, f"r1-{name}", SETUP % name)])
        until(lambda: states(bridge, retained) and [port.brought for port in ports.values()] == ["r1-a", "r1-b"],
              lambda: f"the orders: {news}")
        states(bridge, retained)
        assert {name: (said["order"], said["waits"], said["bridge"]) for name, said in retained.items()} == {
            "a": ("r1-a", "1", "bridge"), "b": ("r1-b", "1", "bridge")}
        assert (retained["a"]["weak"], retained["b"].get("weak")) == ("2026-03-01 5:100>83", None)
        ports["b"].hear("cardtable 1")
        assert states(bridge, retained) == {"a": "here", "b": "playing"}
        boards.pop("a").__exit__(None, None, None)
        until(lambda: states(bridge, retained)["a"] == "gone", lambda: f"the pulled cable: {news}")
        boards["c"] = make_board(tmp_path / "c", deployed, shims, "c", games=0)
        link.symlink_to(boards["c"].port)  # only now: the bridge looks for that port, and two cannot have it
        until(lambda: any("another table is there" in line for line in news), lambda: f"the other table: {news}")
        until(lambda: ports["a"].state == "here", "its visit")
        assert (ports["a"].table, ports["a"].brought, ports["a"].weak) == ("", "", ""), "nothing of the old table"
        assert states(bridge, retained) == {"a": "gone", "b": "playing"}
    finally:
        for port in ports.values():
            port.ends.set()
        for port in ports.values():
            port.join(PATIENCE_S)
        for board in boards.values():
            board.__exit__(None, None, None)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("table at")]
