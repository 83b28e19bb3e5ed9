"""Hands on the public feed of a table to all who ask: the lines that its firmware prints for all, nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections import Counter

from aiohttp import web

from cardtable.engine.record import FORMAT
from host_tools.judge.records.public_record import LOST
from host_tools.play.table import LiveTable
from host_tools.play.web.door import SPECTATOR, mark
from host_tools.play.web.place import address_of

LISTENERS = 20
LINES_LIMIT = 20_000  # of one game
_SAID = re.compile(r"\d|opened: |result: |digest: |nonce: |feed: ")
_RESUMED = "resumed after: "


class FeedTap:
    """`lines`: the newest game's feed so far. Its listeners are queues that get each further line."""

    def __init__(self, table: LiveTable, loop: asyncio.AbstractEventLoop) -> None:
        self.lines: list[str] = []
        self.listeners: dict[asyncio.Queue[str | None], str] = {}  # where each sits; the oldest first
        self._is_header = False
        self._resumed = ""  # what the table has said of the game that goes on, until its header comes
        self._loop = loop
        self._before = table.known.on_line
        table.known.on_line = self._heard

    def _heard(self, line: str) -> None:
        """In the table's thread."""
        self._before(line)
        self._loop.call_soon_threadsafe(self.take, line)

    def take(self, line: str) -> None:
        """A line that the firmware printed; only what belongs to the public record is kept."""
        if line == FORMAT:
            # After a power failure the table goes on with the same game: what was said of it stays.
            kept = self.lines or [self._resumed] if self._resumed else []
            self.lines, self._is_header, self._resumed = kept, True, ""
        elif line.startswith(_RESUMED):
            self._resumed = line
        elif not self._is_header and not _SAID.match(line) or not self.lines:
            return
        self._is_header = self._is_header and line != ""
        if len(self.lines) < LINES_LIMIT:
            self.lines.append(line)
        else:
            self.lines[-1] = LOST  # who comes later hears this one's place, and what is said from then on
        for listener in list(self.listeners):
            try:
                listener.put_nowait(line)
            except asyncio.QueueFull:
                self.drop(listener)  # it reads too slowly: with a gap it would see a wrong table

    def make_place(self) -> None:
        """For one more: the oldest goes of the address that has most. It has the lines so far, and can ask again."""
        while len(self.listeners) >= LISTENERS:
            [(greedy, _)] = Counter(self.listeners.values()).most_common(1)
            self.drop(next(listener for listener, address in self.listeners.items() if address == greedy))

    def drop(self, listener: asyncio.Queue[str | None]) -> None:
        """It has heard enough, and ends; what it has not read yet by then it can ask for again."""
        self.listeners.pop(listener, None)
        if listener.full():
            while not listener.empty():
                listener.get_nowait()
        listener.put_nowait(None)

    async def close(self, app: web.Application) -> None:
        """The server ends: so do all who listen."""
        for listener in list(self.listeners):
            self.drop(listener)


TAP = web.AppKey("tap", FeedTap)


async def give_feed(request: web.Request) -> web.StreamResponse:
    """The feed as text: what was said of the newest game, then every line as it comes."""
    tap = request.app[TAP]
    tap.make_place()
    mark(request, SPECTATOR)
    response = web.StreamResponse(headers={"Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"})
    queue: asyncio.Queue[str | None] = asyncio.Queue(LINES_LIMIT + len(tap.lines))
    for said in tap.lines:
        queue.put_nowait(said)
    tap.listeners[queue] = address_of(request)
    try:
        with contextlib.suppress(ConnectionError):  # who reads may go away at any time
            await response.prepare(request)
            while (line := await queue.get()) is not None:
                await response.write((line + "\n").encode())
    finally:
        tap.listeners.pop(queue, None)
    return response
