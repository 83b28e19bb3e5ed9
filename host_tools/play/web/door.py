"""The front door of every server: sockets are counted by who they are, and silent ones are let go; a full house drops
the least known of them, so that anyone who has a right secret always gets in. TLS, if the server has a certificate.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.log import ws_logger

from host_tools.base.arenas import give_back
from host_tools.base.bugs import BugLog
from host_tools.play.web.near import is_here

HEADER_S = 10.0  # until the first request of a socket has its header
HANDSHAKE_S = 5.0  # of TLS
IDLE_S = 15.0  # until the next request of a socket
END_S = 2.0  # until a server that ends cuts what is left
SOCKETS = 1024  # at once
FILES = 4096  # that this process may open, where the system lets it
RESERVED = 192  # files for the game, its records and what is accepted in one turn of the loop
SHARE = 4  # one address that is not this machine has at most 1/SHARE of the sockets
BACKLOG = 256  # connections that wait to be accepted
AT_ONCE = 16  # of them are accepted before others are served
READ_SIZE = 16384  # bytes that are asked for at once: asyncio's 256 KB leave holes in the heap that stay
HEADER_LIMIT = 8192  # bytes of a header that are kept for the handler, which refuses longer ones

CROWD = 100  # sockets: what they took is given back once most of them have gone
CROWD_S = 5.0  # so long afterwards

SILENT, ASKED, SPECTATOR, KNOWN = range(4)  # how well a socket is known; KNOWN is never dropped for another one


def count_sockets() -> int:
    """How many sockets this process may have; the limit of open files is raised as far as that needs. Each may send a
    file at the same time."""
    try:
        import resource
    except ModuleNotFoundError:  # on Windows, which has no such limit
        return SOCKETS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < FILES:
        wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    files = FILES if soft == resource.RLIM_INFINITY else soft
    return max(16, min(SOCKETS, (files - RESERVED) // 2))


Refuse = Callable[[bytes, str], bytes]  # of a first header and its address: what is said instead, or b""
REFUSE: web.AppKey[Refuse] = web.AppKey("refuse")  # of an application that refuses before a socket costs a handler


class Guest(asyncio.Protocol):
    """One socket: counted by the door, and handed to a handler of the server once its first header is there. Until then
    it costs no more than what it sent."""

    def __init__(self, door: Door, make: Callable[[], Any]) -> None:
        """make: gives the server's handler."""
        self.door, self._make = door, make
        self.handler: Any = None
        self.standing, self.address = SILENT, ""
        self.transport: Any = None
        self.is_in = self.is_open = self.is_refused = False  # counted; past its handshake; told to go
        self._timer: asyncio.TimerHandle | None = None
        self._early = b""  # its header so far

    def connection_made(self, transport: Any) -> None:
        """As asyncio says; with TLS behind the handshake."""
        if not self.is_in and not self.door.enter(self, transport):
            return
        transport.max_size = READ_SIZE
        self.transport, self.is_open = transport, True
        self.data_received(b"")  # what came together with the end of a handshake

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """The socket is counted from now on."""
        self.is_in = True
        self._timer = loop.call_later(HEADER_S, self._end_silence)

    def _end_silence(self) -> None:
        if self.standing == SILENT:
            self.drop()

    def drop(self) -> None:
        """Cut it."""
        self.door.leave(self)
        if self.transport is not None:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """As asyncio says."""
        self.door.leave(self)
        if self._timer is not None:
            self._timer.cancel()
        if self.handler is not None:
            self.handler.connection_lost(exc)
        # asyncio's transport holds a method of its own: a circle, which would fill the heap until a collection.
        asyncio.get_running_loop().call_soon(vars(self.transport).pop, "_read_ready_cb", None)

    def data_received(self, data: bytes) -> None:
        """As asyncio says."""
        if self.handler is not None:
            self.handler.data_received(data)
            return
        if self.is_refused:
            return
        self._early += data
        if self.is_open and _is_enough(self._early):
            early, self._early = self._early, b""
            refusal = self.door.refuse(early, self.address)
            if refusal:
                self._refuse(refusal)
                return
            self.handler = self._make()
            self.handler.connection_made(self.transport)
            self.handler.data_received(early)

    def _refuse(self, refusal: bytes) -> None:
        """Say so and hang up; what it still says is read and dropped, for a reset could overtake the refusal."""
        self.is_refused = True
        self.transport.write(refusal)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        else:
            self.transport.close()

    def eof_received(self) -> Any:
        """As asyncio says."""
        return self.handler.eof_received() if self.handler is not None else None

    def pause_writing(self) -> None:
        """As asyncio says."""
        if self.handler is not None:
            self.handler.pause_writing()

    def resume_writing(self) -> None:
        """As asyncio says."""
        if self.handler is not None:
            self.handler.resume_writing()


def _is_enough(header: bytes) -> bool:
    """Whether the handler can say something to it: a whole header, one that is too long, or none at all."""
    return b"\n\r\n" in header or len(header) > HEADER_LIMIT or (header != b"" and not header[:1].isalpha())


class Shaking(asyncio.Protocol):
    """A socket before its handshake of TLS: counted, too."""

    def __init__(self, guest: Guest, context: ssl.SSLContext) -> None:
        self.guest, self.context = guest, context
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: Any) -> None:
        """As asyncio says."""
        if self.guest.door.enter(self.guest, transport):
            transport.pause_reading()
            self._task = asyncio.create_task(self._shake(transport))

    async def _shake(self, transport: Any) -> None:
        try:
            tls = await asyncio.get_running_loop().start_tls(
                transport, self.guest, self.context, server_side=True, ssl_handshake_timeout=HANDSHAKE_S)
            if tls is None or tls.is_closing():
                self.guest.drop()
            else:
                self.guest.connection_made(tls)
        except (OSError, ssl.SSLError, asyncio.TimeoutError, TimeoutError):
            self.guest.drop()

    def connection_lost(self, exc: Exception | None) -> None:
        """As asyncio says."""
        self.guest.door.leave(self.guest)


class Door:
    """All sockets of one server. `most`: how many at once; `dropped`: how many were cut for others."""

    def __init__(self, most: int = 0) -> None:
        self.most = most or count_sockets()
        self.share = max(8, self.most // SHARE)
        self.dropped = 0
        self.listen: Any = None  # once it is open: a coroutine that opens one more socket
        self.refuse: Refuse = lambda header, address: b""
        self._guests: tuple[dict[Guest, None], ...] = ({}, {}, {}, {})
        self._by_address: Counter[str] = Counter()
        self._crowd = 0  # the most sockets since memory was given back

    @property
    def count(self) -> int:
        """How many sockets there are."""
        return sum(map(len, self._guests))

    def counts(self) -> dict[str, int]:
        """How many of each standing."""
        return dict(zip(("silent", "asked", "spectator", "known"), map(len, self._guests), strict=True))

    def enter(self, guest: Guest, transport: Any) -> bool:
        """A socket was accepted; False where it is cut at once."""
        peer, guest.transport = transport.get_extra_info("peername"), transport
        guest.address = str(peer[0]) if isinstance(peer, tuple) and peer else ""
        is_full = self.count >= self.most
        is_greedy = not is_here(guest.address) and self._by_address[guest.address] >= self.share
        if (is_full or is_greedy) and not self._make_room(guest.address if is_greedy else ""):
            transport.abort()
            return False
        self._guests[SILENT][guest] = None
        self._crowd = max(self._crowd, self.count)
        self._by_address[guest.address] += 1
        guest.begin(asyncio.get_running_loop())
        return True

    def _make_room(self, address: str) -> bool:
        """Drop the least known socket that has been there for longest; of that address alone, if one is said."""
        for standing in (SILENT, ASKED, SPECTATOR):
            for guest in self._guests[standing]:
                if not address or guest.address == address:
                    self.dropped += 1
                    guest.drop()
                    return True
        return False

    def leave(self, guest: Guest) -> None:
        """The socket is gone."""
        if guest in self._guests[guest.standing]:
            del self._guests[guest.standing][guest]
            self._by_address[guest.address] -= 1
            if not self._by_address[guest.address]:
                del self._by_address[guest.address]
            if self._crowd >= CROWD and self.count < CROWD // 2:
                self._crowd = 0
                asyncio.get_running_loop().call_later(CROWD_S, give_back)

    def drop_silent(self) -> None:
        """Cut every socket that has asked for nothing: no handler knows of it."""
        for guest in [guest for guest in self._guests[SILENT] if guest.handler is None]:
            guest.drop()

    def mark(self, guest: Guest, standing: int) -> None:
        """It is better known now, or less."""
        if guest in self._guests[guest.standing]:
            del self._guests[guest.standing][guest]
            guest.standing = standing
            self._guests[standing][guest] = None


def mark(request: web.Request, standing: int) -> None:
    """The socket of this request is known as well as that, as far as its server has a door."""
    guest = request.transport.get_protocol() if request.transport is not None else None
    if isinstance(guest, Guest) and (standing != ASKED or guest.standing == SILENT):
        guest.door.mark(guest, standing)


SOCKETS_OF = web.AppKey("sockets", set[web.WebSocketResponse])  # those that are open: closed when the server ends


DOOR = web.AppKey("door", Door)


async def close_sockets(app: web.Application) -> None:
    """The server ends: each page is told so, with 1001."""
    every = [socket.close(code=1001, message=b"the server ends") for socket in app.get(SOCKETS_OF, set())]
    with contextlib.suppress(asyncio.TimeoutError, TimeoutError):
        await asyncio.wait_for(asyncio.gather(*every, return_exceptions=True), END_S)


def is_ours(record: logging.LogRecord) -> bool:
    """Whether what is logged is an error of this server, and no request that is none."""
    return record.exc_info is None or not isinstance(record.exc_info[1], HttpProcessingError)


@contextlib.asynccontextmanager
async def opened(app: web.Application, listener: socket.socket, bugs: BugLog, door: Door,
                 context: ssl.SSLContext | None = None) -> AsyncIterator[Door]:
    """Serve the application at that socket, with a door."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(bugs.handle)
    app[SOCKETS_OF], app[DOOR] = set(), door
    door.refuse = app.get(REFUSE, door.refuse)
    app.on_shutdown.append(close_sockets)
    logger = bugs.logger("server")
    logger.addFilter(is_ours)
    ws_logger.setLevel(logging.ERROR)  # its warnings hold a visitor's words, and the terminal is the host's
    runner = web.AppRunner(app, access_log=None, logger=logger, keepalive_timeout=IDLE_S, shutdown_timeout=END_S)
    await runner.setup()
    make_handler = runner.server
    assert make_handler is not None

    def make() -> asyncio.Protocol:
        guest = Guest(door, make_handler)
        return Shaking(guest, context) if context is not None else guest

    servers = []

    async def listen_too(one_more: socket.socket) -> None:
        servers.append(await loop.create_server(make, sock=one_more, backlog=AT_ONCE))
        one_more.listen(BACKLOG)  # asyncio takes one number for both

    await listen_too(listener)
    door.listen = listen_too
    try:
        yield door
    finally:
        for server in servers:
            server.close()
        door.drop_silent()
        await runner.cleanup()


def listen() -> asyncio.Event:
    """From now on Ctrl-C and SIGTERM set this event; a second one ends this process as it stands."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    def end(number: int) -> None:
        if ended.is_set():
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        ended.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, end, number)
        except NotImplementedError:  # on Windows
            signal.signal(number, lambda got, _: loop.call_soon_threadsafe(end, got))
    return ended


async def until_told(say: Callable[[str], None], ending: str, ended: asyncio.Event | None = None) -> None:
    """Until Ctrl-C or SIGTERM, which is answered at once. `ended`: what `listen` gave, where it was asked before."""
    await (ended or listen()).wait()
    say(ending)
