"""The table of one page, in that page's worker: what a server's WebSocket carries goes through `hear` and `say`.

The desk is the one that `cardtable play` has. There is no other thread and no other page, so what the desk hands over
to its server's loop is done as soon as the table has lived for a moment.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from host_tools.play.acts import NotAllowed
from host_tools.play.browser.table import SteppedTable
from host_tools.play.start import complain, sit_down
from host_tools.play.web.choices import tell_choices, tell_rule, tell_summary
from host_tools.play.web.desk import Connection, Desk, Protocol
from host_tools.play.web.hinting import Hinting
from host_tools.sight.seen import Seen, seen_text
from host_tools.sight.viewer import encode

TABLE, LIBRARY = "table", "games"  # in the page's folder: the table's own, and the finished games
REAL = "real"  # of the table whose cards are real


def decline(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """Other devices cannot come to a table that lives in a page."""
    raise NotAllowed("this table is in your browser alone: other devices cannot come to it")


def kind_of(is_real: bool) -> type[SteppedTable]:
    """The table's class."""
    if not is_real:
        return SteppedTable
    from host_tools.play.browser.real import SteppedRealTable  # here, not above: the first card does not wait for it

    return SteppedRealTable


class Counter:
    """`open()`, `hear(text)`, `live()`. folder: where everything is kept. say: gets each message to the page. on_post:
    called when there is work: somebody has to call `live` soon."""

    def __init__(self, folder: Path, language: str, seed: int, say: Callable[[str], object],
                 on_post: Callable[[], None], is_real: bool = False) -> None:
        """is_real: this phone reads real cards."""
        self.say = say
        self.library = folder / LIBRARY
        self.library.mkdir(parents=True, exist_ok=True)
        self.table = kind_of(is_real)(folder / (REAL if is_real else TABLE), language=language, seed=seed,
                                      library=self.library, on_line=complain)
        sit_down(self.table)
        self.desk: Any = Desk(self.table, self)  # type: ignore[arg-type]
        self.desk.is_open = False
        self.desk.questions = {
            "rule": lambda connection, message: tell_rule(message.get("rule"), self.desk.language_of(connection)),
            "summary": lambda connection, message: tell_summary(
                message.get("game"), self.table.header, self.desk.language_of(connection)),
            "choices": lambda connection, message: tell_choices(self.desk.language_of(connection)),
            "link": decline, "code": decline, "open": decline, "common": decline,
        }
        self.desk.at_table["hint"] = Hinting(self.desk, self.have_thought).ask
        self.connection = Connection()
        self._soon: deque[tuple[Callable[..., object], tuple[Any, ...]]] = deque()
        self.table.start()
        self.table.machine.on_post = on_post

    def call_soon_threadsafe(self, work: Callable[..., object], *facts: Any) -> None:
        """What the desk asks of its server's loop."""
        self._soon.append((work, facts))

    def have_thought(self, connection: Connection, begun: dict[str, Any], seen: Seen, names: list[str],
                     language: str) -> None:
        """A hint would hold the table up: the page has its second worker think it over, and adds `begun` itself."""
        facts = {"seen": seen_text(seen), "names": names, "language": language}
        connection.reply(encode({"type": "think", "begun": begun, "facts": facts}))

    def open(self) -> None:
        """The page has come, or has come back."""
        self.desk.leave(self.connection)
        self.connection = Connection()
        self.desk.join(self.connection)

    def hear(self, text: str) -> None:
        """A message of the page; who says no secret is the host, for nobody else can be here."""
        try:
            message = json.loads(text)
            if message["type"] == "hello" and not message.get("secret"):
                text = json.dumps({**message, "secret": self.table.seating.host})
            self.desk.hear(self.connection, text)
        except (Protocol, ValueError, KeyError, TypeError) as refusal:
            self.say(encode({"type": "error", "why": str(refusal)}).decode())
        self.deliver()

    def live(self) -> float:
        """Let the table live for a moment; the seconds until it wants to go on, or endless."""
        wait_s = self.table.machine.live()
        self.deliver()
        return wait_s

    def deliver(self) -> None:
        """Do what the desk asked for, and send what is ready."""
        while self._soon:
            work, facts = self._soon.popleft()
            work(*facts)
        for message in self.connection.take():
            self.say(message.decode())

    def close(self) -> None:
        """The page goes: the table's power is cut, and it goes on from its flash when the page comes back."""
        self.table.close()
