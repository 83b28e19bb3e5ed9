"""Answers a page that asks for a hint: the seat's view is taken in the table's thread, the thinking is done elsewhere
(a server's in thinking.py, the published page's in its second worker).

Two answers of type `hint` come: at once what may be played, then what to think of and the play.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from host_tools.play.acts import NotAllowed
from host_tools.play.hints import gives_hints, say_what_may_be_played, see_for
from host_tools.play.web.desk import Connection, Desk
from host_tools.sight.viewer import encode


class Hinting:
    """`ask` is for the table's thread. begin(connection, what was told at once, what the seat knows, names, language):
    in the desk's loop, has it thought over, and tells the page the rest."""

    def __init__(self, desk: Desk, begin: Callable[..., None]) -> None:
        self.desk, self.begin = desk, begin

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
        desk.loop.call_soon_threadsafe(connection.reply, encode(begun))
        desk.loop.call_soon_threadsafe(self.begin, connection, begun, seen, names, language)

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
