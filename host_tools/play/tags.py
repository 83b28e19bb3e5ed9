"""The tags at a live table: cards, the arbiter's key and players' tokens; what lies on its readers, and what has just
left them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

from cardtable.engine.deck import card_name, card_number
from host_tools.play.machine import Machine
from host_tools.play.seating import Seating
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.virtual.fingers import Fingers, deck_lines, uid_of
from host_tools.virtual.people import Actor
from host_tools.virtual.world import World

ARBITER = "arbiter"
STRANGER = "stranger"
TOKEN = "player:"  # + the player's name
AWAY_MS = 600  # after so long a card has left a reader here: virtual readers miss none that lies there
GONE_US = 900_000  # so long off the reader, and the same card is a new tap: AWAY_MS from the first look that missed it


class TagsTable(Protocol):
    """A live table, as its tags and the fingers that lay them need it. hands: iterated, its places."""

    machine: Machine
    seating: Seating

    @property
    def flash(self) -> Path: ...
    @property
    def game(self) -> Any: ...
    @property
    def hands(self) -> Iterable[int]: ...
    @property
    def header(self) -> Any: ...
    @property
    def now_us(self) -> int: ...
    @property
    def session(self) -> Any: ...
    @property
    def tags(self) -> Tags: ...
    @property
    def world(self) -> World: ...
    def answers(self, seat: int) -> int: ...
    def seat_at(self, place: int) -> int: ...


class Tags:
    """`put`, `take`, `gather`, and `lying[place]`: the names of what lies on that reader."""

    def __init__(self, table: TagsTable) -> None:
        self.table = table
        self.lying: dict[int, list[str]] = {place: [] for place in table.hands}
        self.on_their_way: set[int] = set()  # cards of the stock that a hand has just taken
        self._left_us: dict[tuple[int, str], int] = {}  # (place, tag): when it was taken away
        self._made: dict[str, Tag] = {}

    def put(self, place: int, name: str) -> bool:
        """Lay a tag on a reader; False if it lies on one already."""
        if any(name in names for names in self.lying.values()):
            return False
        self.lying[place].append(name)
        self.table.world.put(place, self._tag(name))
        self.table.machine.stir()
        return True

    def take(self, place: int, name: str) -> None:
        """Take it away, if it is there."""
        if name in self.lying[place]:
            self.lying[place].remove(name)
            self.table.world.take(place, self._tag(name))
            self._left_us[place, name] = self.table.now_us
            self.table.machine.stir()

    def gather(self) -> None:
        """Take every card off the readers, as people do before another game: one that lay there was drawn in it."""
        for place, names in self.lying.items():
            for name in [name for name in names if card_number(name) >= 0]:
                self.take(place, name)

    def gone_in_us(self, place: int, name: str) -> int:
        """How long until a tag that was on that reader has been away for long enough to be a new tap (T5)."""
        return max(0, self._left_us.get((place, name), -GONE_US) + GONE_US - self.table.now_us)

    def _tag(self, name: str) -> Tag:
        if name not in self._made:
            number = card_number(name)
            uid = uid_of(number) if number >= 0 else uid_of_key(name)
            self._made[name] = Tag(uid_of(card_number("QQ")) if name == STRANGER else uid)
        return self._made[name]

    def write_deck(self) -> None:
        """Register the cards of the virtual table."""
        (self.table.flash / "deck.txt").write_text("".join(deck_lines()), encoding="utf-8")

    def write_keys(self) -> None:
        """Register the arbiter's key, and a token for each player who has a name."""
        lines = [f"{uid_of_key(ARBITER).hex().upper()} arbiter"]
        for name in sorted({chair.name for chair in self.table.seating.chairs.values() if chair.name}):
            lines.append(f"{uid_of_key(TOKEN + name).hex().upper()} player {name}")
        (self.table.flash / "tags.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


class LiveFingers(Fingers):
    """Fingers that know from the record whether a play stood, and need not wait for a light to go out."""

    def __init__(self, table: TagsTable) -> None:
        self.table = table
        self.world = table.world
        self._anchor = (0, 0)

    # The game changes while the hands stay: they know only what the table's follower knows now.
    game = property(lambda self: self.table.game, lambda self, value: None)  # type: ignore[assignment]
    shadow = property(lambda self: self.table.session, lambda self, value: None)  # type: ignore[assignment]
    places = property(lambda self: self.table.header.places, lambda self, value: None)  # type: ignore[assignment]
    _undo_us = property(lambda self: self.world.now_us, lambda self, value: None)  # type: ignore[assignment]

    def wait_until_ready(self, place: int) -> Actor:
        """Nothing to wait for; what the record holds of the seat so far is remembered."""
        self._answered = {place: self.table.answers(self.table.seat_at(place))}
        return
        yield

    def wait_for_verdict(self, place: int) -> Actor:
        """Until the record has one more line of the seat, for as long as a person would look."""
        seat, late_us = self.table.seat_at(place), self.world.now_us + 1_500_000
        while self.table.answers(seat) == self._answered.get(place) and self.world.now_us < late_us:
            yield 20_000

    def tap(self, place: int, card: int) -> Actor:
        """Lay the card on the reader of the place."""
        yield self.table.tags.gone_in_us(place, card_name(card))
        self.table.tags.put(place, card_name(card))

    def take_off(self, place: int) -> Actor:
        """Take the card on the reader away."""
        for name in list(self.table.tags.lying[place]):
            yield 120_000
            self.table.tags.take(place, name)


def uid_of_key(name: str) -> bytes:
    """The UID of a tag that is no card: the arbiter's key, a player's token."""
    return bytes([0x04]) + hashlib.sha256(name.encode()).digest()[:6]
