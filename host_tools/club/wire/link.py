"""Keeps a courier or a desk connected to a broker: it connects again for as long as it takes, and owns the socket, the
clock and the thread in which databases are written. It speaks MQTT 3.1.1, and 5 with a broker that wants it.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import random
import ssl
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from cardtable.net.topics import KEEPALIVE_S
from host_tools.base import foreign
from host_tools.base.endings import end_tasks
from host_tools.base.errors import UnusableInput
from host_tools.club.wire.topics import Message

PLAIN_PORT, TLS_PORT = 1883, 8883
AGAIN_S = (0.25, 15.0)  # the pause before the next try to connect, twice as long each time; up to half of it less
ANSWER_S = 10.0  # for a broker to take a message
QUEUE = 10_000  # messages that came and were not looked at yet; more are dropped, and offered again
_TRUST_LIMIT = 65_536  # bytes of a certificate
_SILENT = logging.getLogger("cardtable.wire")  # what the client's package says of each lost connection, we say once
_SILENT.setLevel(logging.CRITICAL + 1)
BATCH = 256  # messages that are looked at together, with one write to the disk


class Party(Protocol):
    """What talks: host_tools/club/wire/courier.py and desk.py."""

    subscriptions: list[str]
    will: Message

    def hello(self) -> list[Message]: ...

    def lost(self) -> None: ...

    def due(self, now_s: float) -> tuple[list[Message], float]: ...

    def heard(self, messages: list[Message]) -> list[Message]: ...


@dataclass(frozen=True)
class Address:
    """A broker, and who we are to it. `trust`: the file of the certificate, which is its own or its maker's."""

    host: str = "127.0.0.1"
    port: int = PLAIN_PORT
    is_tls: bool = False
    user: str = ""
    password: str = ""
    trust: Path | None = None

    def context(self) -> ssl.SSLContext | None:
        """How TLS is spoken; None without. UnusableInput."""
        if not self.is_tls:
            return None
        try:
            told = foreign.read_text(self.trust, _TRUST_LIMIT) if self.trust else None
            if told == "":
                raise ValueError("it is empty")
            return ssl.create_default_context(cadata=told)
        except (ssl.SSLError, ValueError, TypeError) as wrong:
            raise UnusableInput(f"{self.trust}: no certificate that can be trusted: {wrong}") from wrong


def read_address(url: str, account: Path | None = None, trust: Path | None = None) -> Address:
    """`mqtt://HOST:PORT` or `mqtts://HOST:PORT`; account: a file of one line, `NAME PASSWORD`. UnusableInput."""
    try:
        parts = urlsplit(url)
        port = parts.port
        (parts.hostname or "").encode("idna")
    except ValueError as wrong:
        raise UnusableInput(f"{url}: {wrong}") from wrong
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or parts.path not in ("", "/") or parts.username:
        raise UnusableInput(f"{foreign.shorten(url)} is no address of a broker: mqtt://HOST:PORT or mqtts://HOST:PORT")
    is_tls = parts.scheme == "mqtts"
    user = password = ""
    if account is not None:
        words = foreign.read_text(account, 4096).split()
        if len(words) != 2:
            raise UnusableInput(f"{account}: it takes one line, NAME PASSWORD")
        user, password = words
    return Address(parts.hostname, port or (TLS_PORT if is_tls else PLAIN_PORT), is_tls, user, password, trust)


class Link:
    """The connection of one party. `run` ends when `stop` was called."""

    def __init__(self, party: Party, address: Address, on_news: Callable[[str], object] = lambda text: None,
                 thread: ThreadPoolExecutor | None = None) -> None:
        """thread: one that several parties share, because they share a database; else it has its own."""
        self.party = party
        self.address = address
        self.on_news = on_news
        self.is_up = asyncio.Event()
        self.dropped = 0
        self.connections = 0  # that stood so far
        self._since_s = 0.0  # since when the last of them has stood
        self._stops = asyncio.Event()
        self._came: deque[Message] = deque()
        self._wakes = asyncio.Event()
        self._said = ""
        self._trouble = f"not connected to {address.host}:{address.port} yet"
        self._is_new = False  # MQTT 3.1.1, which all understand; a broker that refuses it is asked with MQTT 5 next
        # One thread: what a party keeps in its database is its alone, and no write holds the connection up.
        self._thread = thread or ThreadPoolExecutor(1, "wire")
        self._owns_thread = thread is None

    def stop(self) -> None:
        """End soon, with a farewell if there is a connection."""
        self._stops.set()
        self._wakes.set()

    def wake(self) -> None:
        """Something may be due."""
        self._wakes.set()

    def trouble(self) -> str:
        """Why there is no connection; empty while there is one."""
        return "" if self.is_up.is_set() else self._trouble

    async def run(self) -> None:
        """Connect, talk, and connect again. UnusableInput for what no patience mends."""
        import aiomqtt

        context = self.address.context()
        pause_s = AGAIN_S[0]
        try:
            while not self._stops.is_set():
                try:
                    async with self.connect(context) as client:
                        await self.talk(client)
                except (aiomqtt.MqttError, OSError, asyncio.TimeoutError) as trouble:
                    if is_refused_version(trouble):
                        self._is_new = not self._is_new
                        if self._is_new:
                            continue
                    self.tell_trouble(trouble)
                finally:
                    # A broker may welcome and hang up, again and again: only a connection that lasts ends the pauses.
                    if self.is_up.is_set() and time.monotonic() - self._since_s >= AGAIN_S[1]:
                        pause_s = AGAIN_S[0]
                    self.is_up.clear()
                    self.party.lost()
                # A bridge keeps looking at its folders; what would be due now is due again once `hello` was said.
                try:
                    await asyncio.get_running_loop().run_in_executor(self._thread, self.party.due, time.monotonic())
                except OSError as trouble:
                    self.tell_trouble(trouble)
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._stops.wait(), pause_s * random.uniform(0.5, 1.0))
                pause_s = min(2 * pause_s, AGAIN_S[1])
        finally:
            if self._owns_thread:
                self._thread.shutdown(wait=True)

    def tell_trouble(self, trouble: Exception) -> None:
        """Why there is no connection, or none any more: the broker's end, or a file of the party's own, whose disk may
        be full. Once it can be written, all that was not taken in comes again with the next connection."""
        if isinstance(trouble, OSError) and trouble.filename is not None:
            self._trouble = f"{trouble.filename}: {trouble.strerror}"
        else:
            self._trouble = f"no broker at {self.address.host}:{self.address.port}: {trouble}"
        self.tell(self._trouble)

    def tell(self, text: str) -> None:
        """News of the connection, each only once in a row."""
        if text != self._said:
            self._said = text
            self.on_news(text)

    def connect(self, context: ssl.SSLContext | None) -> Any:
        """A new connection, which remembers nothing of the last one."""
        import aiomqtt

        will = self.party.will
        version = aiomqtt.ProtocolVersion.V5 if self._is_new else aiomqtt.ProtocolVersion.V311
        clean = {"clean_start": True} if self._is_new else {"clean_session": True}
        return make_client_class()(
            self.address.host, self.address.port, username=self.address.user or None,
            password=self.address.password or None, protocol=version, **clean,
            will=aiomqtt.Will(will.topic, will.payload, qos=1, retain=will.retain), keepalive=KEEPALIVE_S,
            timeout=ANSWER_S, logger=_SILENT, tls_context=context, max_inflight_messages=BATCH,
        )

    async def talk(self, client: Any) -> None:
        """Everything between connecting and the end of the connection. Who listens hears of the end first: a message
        that nobody can take any more would be waited for until ANSWER_S is over."""
        self._came.clear()
        tasks = [asyncio.create_task(self.listen(client)), asyncio.create_task(self.speak(client))]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await end_tasks(tasks)

    async def speak(self, client: Any) -> None:
        """Say what is due, and answer what came, until it is stopped."""
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(client.subscribe(topic, qos=1) for topic in self.party.subscriptions))
        await self.send(client, self.party.hello())
        self._since_s = time.monotonic()
        self.is_up.set()
        self.connections += 1
        self.tell(f"connected to {self.address.host}:{self.address.port}")
        while not self._stops.is_set():
            # First what came: who is here, such as another tournament's director, decides what is due.
            self._wakes.clear()
            batch = [self._came.popleft() for _ in range(min(len(self._came), BATCH))]
            if batch:
                await self.send(client, await loop.run_in_executor(self._thread, self.party.heard, batch))
            messages, rest_s = await loop.run_in_executor(self._thread, self.party.due, time.monotonic())
            await self.send(client, messages)
            if not self._came and not self._stops.is_set():
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._wakes.wait(), rest_s)
        await self.send(client, [self.party.will])

    async def listen(self, client: Any) -> None:
        """Take messages in until the connection ends."""
        async for message in client.messages:
            if len(self._came) >= QUEUE:
                self.dropped += 1
                continue
            self._came.append(Message(message.topic.value, bytes(message.payload or b""), bool(message.retain)))
            self._wakes.set()

    async def send(self, client: Any, messages: list[Message]) -> None:
        """All of them; the broker has them at the end. It is given so many at a time: ten thousand orders at once would
        all have to be answered within ANSWER_S."""
        for start in range(0, len(messages), BATCH):
            await asyncio.gather(*(client.publish(message.topic, message.payload, qos=1, retain=message.retain)
                                   for message in messages[start:start + BATCH]))


@functools.cache
def make_client_class() -> Any:
    """The client, which is loaded late. The package's own class would wait until ANSWER_S is over for the answer of a
    broker that has hung up, and would leave the socket of a connection that it gave up open and alive."""
    import aiomqtt

    class Client(aiomqtt.Client):
        async def __aenter__(self) -> Any:
            try:
                return await super().__aenter__()
            except BaseException:
                self.hang_up()
                raise

        async def __aexit__(self, *told: Any) -> None:
            try:
                await super().__aexit__(*told)
            finally:
                self.hang_up()

        def hang_up(self) -> None:
            """Close the socket, if it is open; how the connection ended has been said, so nobody asks for it again."""
            self._client._sock_close()
            if self._disconnected.done() and not self._disconnected.cancelled():
                self._disconnected.exception()

        def _on_socket_register_write(self, client: Any, _: Any, sock: Any) -> None:
            self._loop.call_soon_threadsafe(self.begin_to_write, client, sock)

        def begin_to_write(self, client: Any, sock: Any) -> None:
            """In the loop, where the socket may have been closed meanwhile."""
            if sock.fileno() >= 0:
                self._loop.add_writer(sock.fileno(), self.write, client)

        def write(self, client: Any) -> None:
            """The socket takes bytes again."""
            try:
                client.loop_write()
            except Exception as wrong:  # noqa: BLE001 - whatever it is, this connection is over
                if not self._disconnected.done():
                    self._disconnected.set_exception(wrong)

        def _on_disconnect(self, *told: Any) -> None:
            if not self._connected.done():
                self._connected.set_exception(aiomqtt.MqttError("the connection ended before it stood"))
            else:
                super()._on_disconnect(*told)

    return Client


def is_refused_version(trouble: Any) -> bool:
    """Whether the broker has refused this version of MQTT."""
    return "protocol version" in str(trouble).lower()
