"""A broker for the club's laptop, with one command: an embedded one (amqtt), or mosquitto where it is installed.

Both have the same accounts, certificate and limits. Neither has to keep anything: a record is offered until its receipt
has come, and states and orders are told again after each connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host_tools.base.errors import UnusableInput
from host_tools.base.locks import alone_in
from host_tools.club.wire import accounts, mosquitto
from host_tools.club.wire.certificate import CERTIFICATE, KEY
from host_tools.club.wire.link import PLAIN_PORT, TLS_PORT
from host_tools.play.web.door import listen

ENGINES = ("embedded", "mosquitto")
LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"
CONNECTIONS = 20_000


@dataclass
class Wishes:
    """The wishes of the command line. Without accounts a broker serves this machine alone."""

    home: Path
    engine: str = ENGINES[0]
    port: int = 0
    lan: bool = False
    tls: bool = False

    @property
    def host(self) -> str:
        """Where it listens."""
        return EVERYWHERE if self.lan else LOOPBACK

    @property
    def number(self) -> int:
        """The port."""
        return self.port or (TLS_PORT if self.tls else PLAIN_PORT)


def check(wishes: Wishes) -> None:
    """UnusableInput says what is missing."""
    if wishes.tls and not ((wishes.home / CERTIFICATE).is_file() and (wishes.home / KEY).is_file()):
        raise UnusableInput(f"{wishes.home} has no certificate: make one with `cardtable broker certificate`")
    if wishes.lan and not (wishes.tls and accounts.read(wishes.home)):
        raise UnusableInput("a broker for the whole network needs --tls and accounts: `cardtable broker account NAME`")


def check_port(host: str, port: int) -> None:
    """UnusableInput for one that nobody may take, or that another program has."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a broker that ended just now has it no more
        try:
            probe.bind((host, port))
        except OSError as wrong:
            raise UnusableInput(f"port {port}: {wrong.strerror}: end that program, or say --port") from wrong


async def serve(wishes: Wishes, say: Callable[[str], object]) -> int:
    """Run a broker until somebody ends it; the exit code."""
    check(wishes)
    check_port(wishes.host, wishes.number)
    ended = listen()
    address = f"{'mqtts' if wishes.tls else 'mqtt'}://{wishes.host}:{wishes.number}"
    if wishes.engine == "mosquitto":
        with alone_in(wishes.home, f"another broker runs in {wishes.home}: end it, or say another --home"):
            return await serve_mosquitto(wishes, address, ended, say)
    async with embedded(wishes):
        from host_tools.club.wire.doors import CLIENTS

        say(f"Broker at {address} (embedded, for {CLIENTS} clients at most). Ctrl-C ends it.")
        await ended.wait()
    return 0


async def serve_mosquitto(wishes: Wishes, address: str, ended: asyncio.Event, say: Callable[[str], object]) -> int:
    """The same with mosquitto in a process of its own."""
    path = mosquitto.write_configuration(wishes.home, wishes.host, wishes.number, wishes.tls, keeps=True)
    process = mosquitto.start(path)
    say(f"Broker at {address} (mosquitto, {path}). Ctrl-C ends it.")
    try:
        while not ended.is_set() and process.poll() is None:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(ended.wait(), 0.2)
        return 0 if ended.is_set() else 1
    finally:
        await asyncio.to_thread(mosquitto.end, process)


@contextlib.asynccontextmanager
async def embedded(wishes: Wishes):  # noqa: ANN201 - an async context manager that gives the broker
    """A broker inside this process."""
    import logging

    from amqtt.errors import BrokerError

    from host_tools.club.wire.doors import Gate

    logging.getLogger("amqtt").setLevel(logging.CRITICAL)
    logging.getLogger("transitions").setLevel(logging.CRITICAL)
    listener: dict[str, Any] = {
        "type": "tcp", "bind": f"{wishes.host}:{wishes.number}", "max_connections": CONNECTIONS,
    }
    if wishes.tls:
        listener |= {"ssl": True, "certfile": str(wishes.home / CERTIFICATE), "keyfile": str(wishes.home / KEY)}
    plugins: dict[str, Any] = {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}}
    counter: dict[str, Any] = {"host_tools.club.wire.doors.Counter": {}}
    if accounts.read(wishes.home):
        home = {"home": str(wishes.home)}
        plugins = {f"host_tools.club.wire.doors.{name}": home for name in ("Doorkeeper", "Warden")}
    broker = Gate({"listeners": {"default": listener}, "plugins": counter | plugins})
    try:
        await broker.start()
    except BrokerError as wrong:
        raise UnusableInput(f"the broker cannot start: {wrong.__cause__ or wrong}") from wrong
    try:
        yield broker
    finally:
        await broker.shutdown()
