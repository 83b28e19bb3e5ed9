"""A table with Wi-Fi plays what a tournament ordered: the whole firmware, a real broker, a director."""

import sys

import pytest

from boards import esp32_wrover_7seat
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.virtual import image
from host_tools.virtual.device import Device
from host_tools.virtual.table import BUILD
from host_tools.club.wire import topics
from tests.host_tools.at_table import BLUE, SECOND, AtTable
from tests.host_tools.wire.test_bridge import EVENT, Club
from tests.patience import PATIENCE_S

NAME, ARBITER = "club-north-2", "04ABCDEF000001"
ORDER = ("cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\nmatch_game: 1\ntable: club-north-2\n"
         "round: 2\n\n")
OTHER = ORDER.replace("Anna", "Mallory").replace("round: 2", "round: 3")
NETWORK = f"ssid: Club\nbroker: mqtt://127.0.0.1:%d\ntable: {NAME}\ntournament: {EVENT}\n"
SPEED = 6  # times as fast as real time: a broker answers in this world's time
PATIENCE = int(PATIENCE_S * SPEED) * SECOND
NET = ("cardtable.net", "chumicro_mqtt")


class AtWifi(AtTable):
    """A table whose time passes as a broker's does, on a chip with PSRAM."""

    def _run(self, until):
        built = image.build_rom(self.board.NAME, BUILD / self.board.NAME)
        shims = image.build_shims(BUILD / "shims")
        with Device(self.world, self.flash, built, shims, on_line=self._hear, room_kb=600) as device:
            device.run(until=until, real_time_speed=SPEED, silence_s=PATIENCE_S)


@pytest.mark.micropython
def test_t10_an_order_is_confirmed_at_the_table_and_its_game_counts_once(tmp_path):
    """And while the game goes on the table is not on the network: no order, receipt or noise reaches it."""
    with Club(tmp_path / "broker") as club:
        table = AtWifi(setup=None, board=esp32_wrover_7seat)
        table._files |= {"network.txt": NETWORK % club.broker.port, "tags.txt": f"{ARBITER} arbiter\n"}
        key = Tag(bytes.fromhex(ARBITER))
        played = []

        def order(number, setup):
            club.desk.list_orders = lambda: {NAME: (number, setup)}
            club.loop.call_soon_threadsafe(club.link.wake)

        def wait(wish):
            yield from table.until(wish, us=PATIENCE)

        def evening():
            yield from wait(lambda: table.screen()[2] == "All games are sent")
            order("r2-g1", ORDER)
            yield from wait(lambda: "network: order r2-g1: OK plays it" in table.says())
            yield from wait(lambda: table.screen()[7].startswith("OK: play"))
            yield SECOND
            yield from table.press(1, "OK")
            yield from wait(lambda: "round: 2" in table.says())
            assert "seats: Anna; Boris" in table.says()
            yield from wait(lambda: club.desk.present.get(f"table {NAME}") == topics.PLAYING)
            yield from table.tap(1, "6S")
            order("r3-g1", OTHER)
            said = len(table.says())
            yield 5 * SECOND
            assert not [line for line in table.says()[said:] if line.startswith("network")]
            assert "round: 2" in (table.flash / "last.txt").read_text() and not club.director.kept
            yield from table.abort(key)
            # It is known already where the receipt has met a connection that was lost.
            yield from wait(lambda: any(line.endswith((".rec: counted", ".rec: known")) for line in table.says()))
            played.append((table.flash / "games" / "0001.old").read_bytes())
            assert "round: 2" in (table.flash / "last.txt").read_text()
            yield from table.press(1, "OK")
            yield from wait(lambda: "network: order r3-g1: OK plays it" in table.says())

        table.play(evening(), limit_us=20 * PATIENCE)
        assert club.director.kept == {(NAME, 1): played[0]} and not club.director.disputed
        assert b"result: aborted" in played[0] and b"Mallory" not in played[0]


def forget_network():
    for name in [name for name in sys.modules if name.startswith(NET)]:
        del sys.modules[name]


def test_t11_a_game_knows_no_network_and_a_board_without_one_plays_on():
    """The room of the network is loaded once the game is closed, and not before; what it lacks there is said once."""
    forget_network()
    table = AtTable()
    table._files |= {"network.txt": NETWORK % 1, "tags.txt": f"{ARBITER} arbiter\n"}
    key = Tag(bytes.fromhex(ARBITER))

    def is_loaded():
        return "cardtable.net.party" in sys.modules

    def evening():
        yield from table.tap(1, "6S")
        assert not is_loaded() and not any(line.startswith("network") for line in table.says())
        yield from table.until(lambda: table.light(1) == BLUE)
        yield from table.abort(key)
        assert not any(line.startswith("network") for line in table.says())
        yield from table.until(lambda: "network: this board has no room for it" in table.says(), us=15 * SECOND)
        yield SECOND

    table.play(evening())
    assert len([line for line in table.says() if line.startswith("network")]) == 1
    forget_network()


def test_a_table_without_the_file_loads_nothing():
    forget_network()
    table = AtTable(setup=None)

    def evening():
        yield from table.until(lambda: "OK: play" in table.screen()[7])
        yield SECOND

    table.play(evening())
    assert not [name for name in sys.modules if name.startswith(NET)]
    assert not any(line.startswith("network") for line in table.says())
