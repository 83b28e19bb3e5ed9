"""Thinks hints over in a process of its own, for a server: an answer for each page, that to its last question."""

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
from host_tools.play.web.desk import Connection, Desk
from host_tools.sight.seen import Seen
from host_tools.sight.viewer import encode


class Thinking:
    """`begin` is for the server's loop, to which `aside` belongs."""

    def __init__(self, desk: Desk, aside: Aside) -> None:
        self.desk, self.aside = desk, aside
        self._tasks: set[asyncio.Task[None]] = set()
        self._last: WeakKeyDictionary[Connection, Any] = WeakKeyDictionary()

    def begin(self, connection: Connection, begun: dict[str, Any], seen: Seen, *facts: Any) -> None:
        """Have it thought over. facts: the names of the seats, the language."""
        thought = self.think(connection, self.note(connection, begun), (pack_seen(seen), *facts))
        task = asyncio.get_running_loop().create_task(thought)
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
