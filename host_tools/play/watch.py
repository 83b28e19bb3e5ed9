"""Looks at a live table again and again, and tells its listener when somebody could see something new."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from cardtable.drivers import font6x8
from host_tools.base.bugs import BugLog
from host_tools.play.hands import Hands
from host_tools.play.known import Known
from host_tools.play.machine import Machine
from host_tools.play.orders import Orders
from host_tools.play.seating import Seating
from host_tools.play.tags import Tags
from host_tools.sight.prompts import left_s
from host_tools.virtual.fingers import AMBER
from host_tools.virtual.glass import draw_glass
from host_tools.virtual.people import Actor
from host_tools.virtual.world import World

DARK_US = 300_000  # so long, and a look, a light is dark that blinks because its seat chooses
BLINK_US = 5_000_000  # each blinking light has shown by then all that it shows: cardtable/table/lights.py
STEADY_US = 2_500_000  # what has not changed for so long does not blink; a light that tells a verdict is out by then
WATCH_US = 20_000  # how often everything is looked at


class WatchTable(Protocol):
    """A live table, as its watch needs it: all other parts, and all that can be seen."""

    bugs: BugLog
    hands: Hands
    known: Known
    machine: Machine
    orders: Orders
    seating: Seating
    tags: Tags

    @property
    def now_ms(self) -> int: ...
    @property
    def session(self) -> Any: ...
    @property
    def world(self) -> World: ...
    def awaited(self) -> list[int]: ...
    def light(self, place: int) -> tuple[int, int, int]: ...
    def more_to_tell(self) -> str: ...


class Watch:
    """`run()` is an actor. on_change: called in the table's thread, at most every WATCH_US, when something that anybody
    could see may have changed."""

    def __init__(self, table: WatchTable, on_change: Callable[[], None]) -> None:
        self.table = table
        self.on_change = on_change
        self._changed_us = 0  # when something was last seen to change, if only in a blink
        self._drawn: dict[int, Any] = {}
        self._glass: Any = None
        self._seen: Any = None
        self._amber_us: dict[int, int] = {}  # by place: when its light was seen amber last
        self._lately: dict[Any, int] = {}  # what was seen, and when last, in microseconds of the table's time
        self._told: Any = None

    def run(self) -> Actor:
        """For ever."""
        while True:
            yield WATCH_US
            self.table.machine.note_time()
            try:
                self._look()
            except Exception as bug:  # noqa: BLE001 - the display must not stop the table
                self.table.bugs.note(bug)

    def glass(self, index: int) -> dict[str, Any]:
        """The picture of a screen, drawn again only when it has changed."""
        chip = self.table.world.screens[index]
        state = (bytes(chip._ram), chip.display_on, chip.powered)
        if index not in self._drawn or self._drawn[index][0] != state:
            self._drawn[index] = (state, draw_glass(chip, font6x8))
        return self._drawn[index][1]

    def _look(self) -> None:
        table, world, known = self.table, self.table.world, self.table.known
        known.look()
        lights = bytes(part for place in table.hands for part in table.light(place))
        self._amber_us.update({place: world.now_us for place in table.hands if table.light(place) == AMBER})
        glass = tuple(bytes(screen._ram) for screen in world.screens)
        if glass != self._glass:
            self._glass = glass
            table.orders.note_move()
        seen = (lights, glass, world.buzzer, known.follower.version, known.is_up, known.is_in_game)
        if seen != self._seen:
            self._note(seen)
        known.tidy()
        self.tell()

    def may_choose(self, place: int) -> bool:
        """Whether that place may have a choice open: its light is amber, or may be in the dark half of that blink."""
        colour = self.table.light(place)
        return colour == AMBER or not any(colour) and self.table.world.now_us < self._amber_us.get(
            place, -DARK_US) + DARK_US

    def _note(self, seen: Any) -> None:
        """This is to be seen from now on. A light that blinks shows nothing new after its first time."""
        now_us = self._changed_us = self.table.world.now_us
        if self._seen is not None:
            self._lately[self._seen] = now_us
        self._lately = {one: at_us for one, at_us in self._lately.items() if now_us - at_us < BLINK_US}
        if seen not in self._lately:
            self.table.machine.stir()
        self._lately[seen] = now_us
        self._seen = seen

    @property
    def is_steady(self) -> bool:
        """Whether nothing that can be seen changes, and no light blinks."""
        return self.table.world.now_us - self._changed_us >= STEADY_US

    @property
    def is_lit(self) -> bool:
        """Whether no light that blinks is dark now: one that stands still shall be seen."""
        if self.is_steady:
            return True
        now_us = self.table.world.now_us
        same = [one for one, at_us in self._lately.items() if now_us - at_us < BLINK_US and one[3:] == self._seen[3:]]
        return all(sum(one[0]) <= sum(self._seen[0]) for one in same)

    def tell(self) -> None:
        """Tell the listener, if anything is otherwise than it was told."""
        table, machine, known, seating = self.table, self.table.machine, self.table.known, self.table.seating
        working = [hands.has_work for hands in table.hands.values()]
        told = (self._seen, machine.has_power, working,
                str(table.tags.lying), table.hands.by_themselves, table.hands.are_free, machine.speed,
                known.notice, known.records, known.kept, left_s(table.session, table.now_ms),
                str(seating.proposals), str(seating.crowded), table.awaited(),
                [(chair.who, chair.name, chair.came) for chair in seating.chairs.values()], table.more_to_tell())
        if told != self._told:
            self._told = told
            self.on_change()
