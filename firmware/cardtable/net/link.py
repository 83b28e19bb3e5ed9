"""Keeps the table connected, between two games: Wi-Fi, then the broker, then what offers.py says, in short steps.

The client of MQTT comes as a package (chumicro_mqtt), and does a bounded slice of work at a time. Nothing here waits:
the longest step is the key exchange of TLS, which a chip computes.
"""

import gc
import os
import select
import socket
import time
from binascii import a2b_base64
from errno import EAGAIN, ECONNRESET, EINPROGRESS, ENOTCONN, ETIMEDOUT

import network
from cardtable.between.setup_files import TRUST_FILE
from cardtable.net.offers import Offers
from cardtable.net.settings import Settings
from cardtable.net.topics import GONE, HERE, KEEPALIVE_S, PLAYING, SMALL_LIMIT
from chumicro_mqtt.client import MQTTClient, ProtocolState
from micropython import const

WIFI_MS = 20000  # how long the Wi-Fi is sought at a time
ANSWER_MS = 10000  # how long a broker is waited for, from the first packet to its welcome
AGAIN_MS = (1000, 60000)  # the pause before the next try, twice as long each time
TOPIC_LIMIT = 200  # bytes: no topic of ours has more
LEAVE_MS = 500  # how long a farewell may take
_RESTS = const(0)
_SEEKS = const(1)  # the Wi-Fi
_DIALS = const(2)
_GREETS = const(3)  # the broker was reached, and has not welcomed us yet
_TALKS = const(4)


class Wire:
    """A socket, with or without TLS, as the client wants one; nothing here waits."""

    def __init__(self, stream) -> None:
        self.stream = stream

    def send(self, data) -> int:
        """How many bytes went out; 0 if none can now."""
        return self.stream.write(data) or 0

    def recv_into(self, room, size: int = 0) -> int:
        """How many bytes came. OSError: EAGAIN if none is there, ECONNRESET at the end."""
        got = self.stream.readinto(room, size or len(room))
        if got is None:
            raise OSError(EAGAIN)
        if not got:
            raise OSError(ECONNRESET)
        return got

    def setblocking(self, waits: bool) -> None:
        """It never does."""

    def close(self) -> None:
        """The end."""
        self.stream.close()


def write_state(state: str, weak: str = "") -> bytes:
    """The payload of a state. weak: as topics.write_weak says it."""
    return ('{"state":"%s","weak":"%s"}' % (state, weak) if weak else '{"state":"%s"}' % state).encode()


class Link:
    """The connection of one table; `step` never raises, because no broker may stop a table."""

    def __init__(self, settings: Settings, offers: Offers, on_news=print, weak: str = "") -> None:
        """weak: what the state says of readers that weaken (topics.write_weak)."""
        self.settings = settings
        self.offers = offers
        self.on_news = on_news
        self.weak = weak
        self.wlan: network.WLAN | None = None  # the radio; to make it can fail
        self.client: MQTTClient | None = None
        self._stream: socket.socket | None = None
        self._poll: select.poll | None = None
        self._phase = _RESTS
        self._due_ms = time.ticks_ms()  # when the phase is over, or the next try begins
        self._pause_ms = AGAIN_MS[0]
        self._said = ""
        self.has_wifi = False  # when it was last asked for

    def is_up(self) -> bool:
        """Whether the broker has welcomed this table."""
        return self._phase == _TALKS

    def step(self, now_ms) -> None:
        """Go on a little."""
        try:
            self.go_on(now_ms)
        except Exception as trouble:  # whatever the network or a broker does, a table goes on
            self.lose(trouble, now_ms)

    def go_on(self, now_ms) -> None:
        """One step of the phase. OSError and whatever else goes wrong: the connection is lost."""
        if self._phase == _TALKS:
            self.talk(now_ms)
            return
        is_late = time.ticks_diff(now_ms, self._due_ms) >= 0
        if self._phase == _RESTS:
            if is_late:
                self.seek(now_ms)
        elif is_late:
            raise OSError(ETIMEDOUT)
        elif self._phase == _SEEKS:
            if self.is_on_air():
                self.dial(now_ms)
        elif self._phase == _DIALS:
            self.greet()
        else:
            self.await_welcome(now_ms)

    def enter(self, phase: int, due_ms: int) -> None:
        """The next phase, which may take so long."""
        self._phase = phase
        self._due_ms = time.ticks_add(time.ticks_ms(), due_ms)

    def is_on_air(self) -> bool:
        """Whether the Wi-Fi is there."""
        return bool(self.wlan and self.wlan.isconnected())

    def seek(self, now_ms) -> None:
        """Ask for the Wi-Fi."""
        self.enter(_SEEKS, WIFI_MS)
        self.wlan = self.wlan or network.WLAN(network.STA_IF)
        if not self.wlan.isconnected():
            self.wlan.active(True)
            self.wlan.connect(self.settings.ssid, self.settings.password)

    def dial(self, now_ms) -> None:
        """Ask for a connection; it comes later."""
        self.enter(_DIALS, ANSWER_MS)
        self.has_wifi = True
        gc.collect()
        self._stream = stream = socket.socket()
        stream.setblocking(False)
        self._poll = select.poll()
        self._poll.register(stream, select.POLLOUT)
        try:
            stream.connect(socket.getaddrinfo(self.settings.host, self.settings.port)[0][-1])
        except OSError as error:
            if error.errno != EINPROGRESS:
                raise

    def greet(self) -> None:
        """Once the connection stands: TLS, if it is asked for, and the client's first packet."""
        assert self._poll
        for told in self._poll.poll(0):
            if told[1] & (select.POLLERR | select.POLLHUP):
                raise OSError(ENOTCONN)
            if self.settings.is_tls:
                self._stream = secure(self._stream, self.settings.host)
            self.client = self.make_client(Wire(self._stream))
            self.client.connect()
            self._poll = None
            self._phase = _GREETS

    def make_client(self, wire: Wire) -> MQTTClient:
        """A client that remembers nothing of the last connection, with the last will of this table."""
        client = MQTTClient(
            wire, client_id="cardtable-" + self.settings.table, keep_alive_seconds=KEEPALIVE_S,
            username=self.settings.user or None, password=self.settings.secret or None,
            will_topic=self.offers.state_topic, will_message=write_state(GONE), will_qos=1, will_retain=True,
            rx_buffer_size=SMALL_LIMIT + TOPIC_LIMIT, ticks=time,
        )
        client.on_message = self.offers.heard
        return client

    def handle(self, now_ms) -> None:
        """One slice of the client's work. OSError if the connection is lost."""
        client = self.client
        assert client
        client.handle(now_ms)
        if client.state not in (ProtocolState.CONNECTING, ProtocolState.CONNECTED):
            raise OSError(str(client.last_error))

    def await_welcome(self, now_ms) -> None:
        """Once the broker has welcomed us: what we want to hear, and that we are here."""
        self.handle(now_ms)
        client = self.client
        assert client
        if client.state != ProtocolState.CONNECTED:
            return
        offers = self.offers
        for topic in (offers.receipt_topic, offers.order_topic, offers.director_topic):
            client.subscribe(topic, qos=1)
        client.publish(offers.state_topic, write_state(HERE, self.weak), qos=1, retain=True)
        offers.hello()
        self.enter(_TALKS, AGAIN_MS[1])
        self.tell("connected to %s:%d" % (self.settings.host, self.settings.port))

    def talk(self, now_ms) -> None:
        """Hear what came, and offer what is due."""
        self.handle(now_ms)
        if not self.is_on_air():
            raise OSError(ENOTCONN)
        # A welcome alone does not count: a broker may hang up behind it, as it does to two tables of one name in turn.
        if self._pause_ms != AGAIN_MS[0] and time.ticks_diff(now_ms, self._due_ms) >= 0:
            self._pause_ms = AGAIN_MS[0]
        path = self.offers.due(now_ms)
        if path and self.client:
            with open(path, "rb") as file:
                self.client.publish(self.offers.offer_topic, file.read(), qos=1)

    def lose(self, trouble: Exception, now_ms) -> None:
        """The connection is lost, or was never there: try again after a pause."""
        if self._phase == _SEEKS or not self.is_on_air():
            self.has_wifi = False
            self.tell("no Wi-Fi %s: %s" % (self.settings.ssid, trouble))
        else:
            self.tell("no broker at %s:%d: %s" % (self.settings.host, self.settings.port, trouble))
        self.close()
        if self.wlan and not self.wlan.isconnected():
            try:
                self.wlan.active(False)
            except Exception:  # of whatever type, as ESP-IDF says it; it is switched on again before the next try
                pass
        # Up to half less, so that tables which lost the same broker do not come back together.
        self.enter(_RESTS, self._pause_ms - self._pause_ms * os.urandom(1)[0] // 512)
        self._pause_ms = min(2 * self._pause_ms, AGAIN_MS[1])

    def close(self) -> None:
        """Let go of the connection."""
        stream, self._stream, self.client, self._poll = self._stream, None, None, None
        if stream:
            try:
                stream.close()
            except OSError:
                pass
        gc.collect()

    def leave(self, plays: bool) -> None:
        """Say goodbye before the chip is reset; it takes at most LEAVE_MS. plays: for a game."""
        late_ms = time.ticks_add(time.ticks_ms(), LEAVE_MS)
        client = self.client
        try:
            if client and self._phase == _TALKS:
                gone: list = []
                if plays:
                    client.publish(self.offers.state_topic, write_state(PLAYING), qos=1, retain=True,
                                   on_publish=lambda *told: gone.append(told))
                while plays and not gone and time.ticks_diff(late_ms, time.ticks_ms()) > 0:
                    self.handle(time.ticks_ms())
                    time.sleep_ms(1)
                client.disconnect()
        except Exception:  # as in `step`; the last will says that we are gone
            pass
        self.close()

    def tell(self, text: str) -> None:
        """News of the connection, each only once in a row."""
        if text != self._said:
            self._said = text
            self.on_news(text)


def secure(stream, host: str):
    """TLS over that connection, which trusts the certificate in TRUST_FILE alone. The handshake goes on in the steps
    that follow. OSError, ValueError."""
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.verify_mode = ssl.CERT_REQUIRED  # type: ignore[attr-defined]
    context.load_verify_locations(cadata=read_certificate(TRUST_FILE))
    return context.wrap_socket(stream, server_hostname=host, do_handshake_on_connect=False)


def read_certificate(name: str) -> bytes:
    """The first certificate of a PEM file, as the bytes that it stands for: not every MicroPython reads PEM. OSError,
    ValueError."""
    text = ""
    with open(name) as lines:
        for line in lines:
            if line.startswith("-----END"):
                break
            if line[0] != "-":
                text += line.strip()
    return a2b_base64(text)
