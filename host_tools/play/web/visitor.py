"""A browser without a page: opens the table's WebSocket, starts a game of virtual players, and leaves at its end.

It knows of the table what its messages say. `cardtable play --alone` is this, and so is `make run` without a terminal.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from typing import Any

import aiohttp

from host_tools.play.seating import KNOCK

GAME = "durak throw-in"
SPEED = 8.0  # a game in half a minute
SEATS = (("Anna", "bot:beginner"), ("Boris", "bot:beginner"))
LONG_S = 600.0  # a game that lasts longer has got stuck
HEAR_S = 3.0  # how long one look for a message takes at most


class Visitor:
    """One browser. `told[type]` is the last message of each type."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.told: dict[str, dict[str, Any]] = {}
        self.count = 0
        self.needed = 0  # acts up to that number must be taken
        self.acks: dict[int, dict[str, Any]] = {}

    async def hello(self, secret: str) -> None:
        """Say who this is."""
        await self.socket.send_json({"type": "hello", "secret": secret, "client": secrets.token_hex(8)})

    async def act(self, do: str, **fields: Any) -> int:
        """Do something; its number."""
        self.count += 1
        await self.socket.send_json({"type": "act", "n": self.count, "do": do, **fields})
        return self.count

    async def hear(self) -> dict[str, Any] | None:
        """The next message; None if the table has nothing to say for HEAR_S. ConnectionError if it hung up."""
        try:
            message = await self.socket.receive(timeout=HEAR_S)
        except TimeoutError:
            return None
        if message.type != aiohttp.WSMsgType.TEXT:
            raise ConnectionError(f"the table hung up: {message.data}")
        told: dict[str, Any] = json.loads(message.data)
        self.told[told["type"]] = told
        if told["type"] == "ack":
            self.acks[told["n"]] = told
            if not told["ok"] and told["n"] <= self.needed:
                raise ConnectionError(told["why"])
        return told


async def visit(address: str, secret: str, say: Callable[[str], None], *, game: str = GAME,
                seats: tuple[tuple[str, str], ...] = SEATS) -> int:
    """Have one game played; 0 when it has its result and is written down, 1 if it never gets there."""
    async with aiohttp.ClientSession() as session, session.ws_connect(
            f"{address}/ws?knock={secret[:KNOCK]}", max_msg_size=1 << 20) as socket:
        visitor = Visitor(socket)
        await visitor.hello(secret)
        try:
            async with asyncio.timeout(LONG_S):
                await play(visitor, game, seats)
        except (TimeoutError, ConnectionError) as wrong:
            say(f"the game did not come to its end: {wrong or 'it took too long'}")
            return 1
        say(f"To prove this game later, keep: {visitor.told['table']['digest']}")  # the result was the game's last line
        return 0


async def play(visitor: Visitor, game: str, seats: tuple[tuple[str, str], ...]) -> None:
    """From the lobby to the result."""
    has_started = False
    while True:
        await visitor.hear()
        table = visitor.told.get("table", {})
        if table.get("phase") in ("lobby", "stopped") and not has_started:
            has_started = True
            people = [{"name": name, "who": who} for name, who in seats]
            await visitor.act("speed", speed=SPEED)
            visitor.needed = await visitor.act("start", game=game, seats=people, dealer=len(seats))
        if table.get("record"):  # a game is over, also one that began by itself, and lies among the finished ones
            return
