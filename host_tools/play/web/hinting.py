"""Answers a page that asks for a hint: the seat's view is taken in the table's thread, the thinking is done aside.

Two answers of type `hint` come: at once what may be played, then what to think of and the play.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import Any
from weakref import WeakKeyDictionary

from host_tools.base.errors import UnusableInput
from host_tools.base.workers.aside import Aside, Busy
from host_tools.minds.hints.told import hint_text, pack_seen
from host_tools.play.acts import NotAllowed
from host_tools.play.hints import gives_hints, say_what_may_be_played, see_for
from host_tools.play.web.desk import Connection, Desk
from host_tools.sight.viewer import encode


class Hinting:
    """`ask` is for the table's thread; `aside` belongs to the server's loop."""

    def __init__(self, desk: Desk, aside: Aside) -> None:
        self.desk, self.aside = desk, aside
        self._tasks: set[asyncio.Task[None]] = set()
        self._last: WeakKeyDictionary[Connection, Any] = WeakKeyDictionary()

    def ask(self, connection: Connection, message: dict[str, Any]) -> None:
        """A page asks for one of its seats."""
        desk = self.desk
        try:
            seat, seen = self.look(connection, message)
        except NotAllowed as refusal:
            told = {"why": desk.say_why(refusal, connection)}
            desk.loop.call_soon_threadsafe(connection.reply, encode({"type": "hint", **told}))
            return
        language, names = desk.language_of(connection), list(desk.table.header.seats)
        begun = {"type": "hint", "seat": seat, "ask": say_what_may_be_played(desk.table, seat, language)}
        facts = pack_seen(seen)
        desk.loop.call_soon_threadsafe(connection.reply, encode(begun))
        desk.loop.call_soon_threadsafe(self.begin, connection, begun, (facts, names, language))

    def look(self, connection: Connection, message: dict[str, Any]) -> tuple[int, Any]:
        """(seat, what it knows). NotAllowed."""
        table, seat = self.desk.table, message.get("seat")
        if not isinstance(seat, int) or isinstance(seat, bool) or seat not in connection.seats:
            raise NotAllowed("that is not your seat")
        if not table.is_playing or seat > len(table.header.seats):
            raise NotAllowed("no game goes on")
        if not gives_hints(table):
            raise NotAllowed("this game gives no hints to who asks")
        return seat, see_for(table, seat)

    def begin(self, connection: Connection, begun: dict[str, Any], facts: tuple[Any, ...]) -> None:
        """In the server's loop: have it thought over."""
        task = asyncio.get_running_loop().create_task(self.think(connection, self.note(connection, begun), facts))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def note(self, connection: Connection, begun: dict[str, Any]) -> dict[str, Any]:
        """What that page was told at once, last: the rest of an earlier hint is of an earlier position."""
        self._last[connection] = begun
        return begun

    async def think(self, connection: Connection, begun: dict[str, Any], facts: tuple[Any, ...]) -> None:
        """The rest of the hint."""
        key = "hint " + hashlib.sha256(repr(facts).encode()).hexdigest()
        try:
            told = json.loads(await self.aside.ask(key, hint_text, *facts))
        except (Busy, UnusableInput) as wrong:
            told = {"why": self.desk.say_why(NotAllowed(str(wrong)), connection)}
        except Exception as bug:  # noqa: BLE001 - who asks is told in any case
            told = {"why": self.desk.say_why(NotAllowed(self.desk.table.bugs.note(bug)), connection)}
        if self._last.get(connection) is begun:
            connection.reply(encode({**begun, **told}))
