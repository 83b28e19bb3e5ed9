"""Hands and eyes at a virtual board behind a serial port: glass, lights, buttons, readers and tags.

It shows what the chips show and moves what hands move. It knows no game: the firmware on the board says the rest.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from cardtable.drivers import font6x8
from cardtable.engine.deck import card_name, card_number
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.base.errors import UnusableInput
from host_tools.play.tags import ARBITER, uid_of_key
from host_tools.virtual.fingers import uid_of
from host_tools.virtual.glass import draw_glass
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.world import KEYS

TAGS = (*(card_name(card) for card in range(54)), ARBITER, "blank")
FEED_LINES = 12


class Sitting:
    """What lies where on a board, and what the page is told. `hear` and `look` are for the board's thread."""

    def __init__(self, twin: SerialBoard) -> None:
        self.twin = twin
        self.feed: deque[str] = deque(maxlen=FEED_LINES)
        self._tags = {name: Tag(uid_of(card_number(name)) if card_number(name) >= 0 else uid_of_key(name))
                      for name in TAGS}
        self._lying: dict[str, int] = {}  # tag: the seat on whose reader it lies

    def look(self) -> dict[str, Any]:
        """What there is to see now."""
        world = self.twin.world
        seats = range(1, world.board.SEATS + 1)
        return {
            "glass": draw_glass(world.screen, font6x8), "feed": list(self.feed), "tags": TAGS,
            "seats": [{"light": world.lights.colour(seat - 1),
                       "tags": [name for name, at in self._lying.items() if at == seat]} for seat in seats],
        }

    def act(self, what: object, seat: object, thing: object) -> None:
        """What a hand does: press or release a button, put a tag on a reader or take it away. UnusableInput."""
        world = self.twin.world
        if type(seat) is not int or not 1 <= seat <= world.board.SEATS:
            raise UnusableInput("there is no such seat")
        if what in ("press", "release") and thing in KEYS:
            getattr(world, str(what))(seat, thing)
        elif what == "put" and thing in self._tags:
            name = str(thing)
            if name in self._lying:
                world.take(self._lying[name], self._tags[name])
            self._lying[name] = seat
            world.put(seat, self._tags[name])
        elif what == "take" and thing in self._tags and self._lying.get(str(thing)) == seat:
            del self._lying[str(thing)]
            world.take(seat, self._tags[str(thing)])
        else:
            raise UnusableInput("a hand cannot do that")
