"""The board's end of the network without one: how soon it calls again, what a radio may say, what an order leaves."""

import importlib
import sys
from types import SimpleNamespace

import pytest

from cardtable.engine.record import SetupError
from cardtable.net import offers, orders
from cardtable.net.settings import take
from tests.app.test_network import Time

SETTINGS = ["ssid: Club\n", "broker: mqtt://192.0.2.7\n", "table: north\n", "tournament: evening\n"]
STEP_MS = 25


class Radio:
    """`network` and its one WLAN. `wrong`: which of its calls fail, as ESP-IDF lets them."""

    STA_IF = 0

    def __init__(self):
        self.wrong = ()
        self.is_on = False

    def WLAN(self, interface):
        self.ask("WLAN")
        return self

    def ask(self, call):
        if call in self.wrong:
            raise RuntimeError("Wifi Unknown Error 0x1101")

    def active(self, is_on):
        self.ask("active %d" % is_on)

    def connect(self, ssid, password):
        self.is_on = True

    def isconnected(self):
        return self.is_on and not self.wrong


class Board:
    """A Link whose broker welcomes it and hangs up after so many ms, each entry of `lasts` for one connection; behind
    them no broker answers."""

    def __init__(self, monkeypatch):
        self.time, self.radio, self.lasts, self.said, self.calls = Time(), Radio(), [], [], []
        monkeypatch.setitem(sys.modules, "network", self.radio)
        monkeypatch.delitem(sys.modules, "cardtable.net.link", raising=False)
        link = importlib.import_module("cardtable.net.link")
        monkeypatch.delitem(sys.modules, "cardtable.net.link")  # no other test gets this radio
        for module in (link, offers):
            monkeypatch.setattr(module, "time", self.time)
        stream = SimpleNamespace(setblocking=lambda waits: None, connect=lambda where: None, close=lambda: None)
        monkeypatch.setattr(link, "socket", SimpleNamespace(
            socket=lambda: stream, getaddrinfo=lambda host, port: [((host, port),)]))
        poll = SimpleNamespace(register=lambda *told: None, poll=lambda wait: [(0, 4)])
        monkeypatch.setattr(link, "select", SimpleNamespace(poll=lambda: poll, POLLOUT=4, POLLERR=8, POLLHUP=16))
        monkeypatch.setattr(link, "os", SimpleNamespace(urandom=lambda count: b"\0"))
        monkeypatch.setattr(link, "MQTTClient", lambda *told, **more: Client(self, link.ProtocolState))
        self.link = link.Link(take(SETTINGS), offers.Offers("evening", "north", "/nowhere", print), self.said.append)

    def run(self, minutes):
        """Let time pass."""
        for _ in range(minutes * 60_000 // STEP_MS):
            self.link.step(self.time.now_ms)
            self.time.now_ms += STEP_MS

    def gaps(self):
        """How many seconds lay between one connection's end and the next call."""
        return [(call - end) // 1000 for (_, end), (call, _) in zip(self.calls, self.calls[1:], strict=False)]


class Client:
    """MQTT's, as far as a Link asks."""

    last_error = "connection closed"

    def __init__(self, board, states):
        self.board, self.states, self.state = board, states, states.CONNECTING
        self.stays_ms = board.lasts.pop(0) if board.lasts else None
        self.call = [board.time.now_ms] * 2
        board.calls.append(self.call)

    def connect(self):
        pass

    def handle(self, now_ms):
        self.call[1] = now_ms
        if self.stays_ms is None or now_ms - self.call[0] > self.stays_ms:
            self.state = self.states.FAILED
        else:
            self.state = self.states.CONNECTED

    def subscribe(self, *told, **more):
        pass

    publish = subscribe


def test_t12_a_broker_that_welcomes_and_hangs_up_is_called_ever_more_seldom(monkeypatch):
    """As one that does not answer: it was called every second, with a key exchange each time, for as long as the lobby
    stood. A connection that has lasted a minute ends that."""
    board = Board(monkeypatch)
    board.lasts += [100] * 8 + [61_000, 100, 100]
    board.run(8)
    assert board.gaps()[:11] == [1, 2, 4, 8, 16, 32, 60, 60, 1, 2, 4]
    assert len(board.calls) < 20


def test_t12_a_radio_that_fails_in_any_call_stops_no_table(monkeypatch):
    """An error that MicroPython does not know is a RuntimeError: it left `step`, and the table reset three times, then
    played nothing."""
    for wrong in (("WLAN",), ("active 1",), ("active 1", "active 0")):
        board = Board(monkeypatch)
        board.radio.wrong = wrong
        board.run(1)
        assert board.said == ["no Wi-Fi Club: Wifi Unknown Error 0x1101"] and not board.link.has_wifi
        board.radio.wrong = ()
        board.lasts.append(10_000)
        board.run(2)
        assert board.said[1] == "connected to 192.0.2.7:1883"
        board.radio.wrong = ("active 0",)
        board.run(1)
        assert not board.link.is_up()


def test_t12_an_order_that_cannot_be_played_is_written_once(monkeypatch, tmp_path):
    """A broker brings it with each connection; each time the flash was written."""
    monkeypatch.chdir(tmp_path)
    setup = "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\nplaces: 1 2\n"
    assert not orders.was_proposed("r2-g1")
    with pytest.raises(SetupError):
        orders.propose("r2-g1", setup, 4)
    assert orders.was_proposed("r2-g1") and [path.name for path in tmp_path.iterdir()] == ["order.txt"]
    orders.propose("r2-g2", setup.replace("places", "dealer: 2\nplaces"), 4)
    assert orders.was_proposed("r2-g2") and not orders.was_proposed("r2-g1")
    assert "dealer: 2" in (tmp_path / "last.txt").read_text()
