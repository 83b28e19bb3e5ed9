"""Looks at a live table again and again, and tells its listener when somebody could see something new."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardtable.drivers import font6x8
from host_tools.sight.prompts import left_s
from host_tools.virtual.glass import draw_glass

WATCH_US = 20_000  # how often everything is looked at


class Watch:
    """`run()` is an actor. on_change: called in the table's thread, at most every WATCH_US, when something that anybody
    could see may have changed. table: the LiveTable that makes it."""

    def __init__(self, table: Any, on_change: Callable[[], None]) -> None:
        self.table = table
        self.on_change = on_change
        self._drawn: dict[int, Any] = {}
        self._glass: Any = None
        self._seen: Any = None
        self._told: Any = None

    def run(self) -> Any:
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
        glass = tuple(bytes(screen._ram) for screen in world.screens)
        if glass != self._glass:
            self._glass = glass
            table.orders.note_move()
        seen = (lights, glass, world.buzzer, known.follower.version, known.is_up, known.is_in_game)
        if seen != self._seen:
            self._seen = seen
            table.machine.stir()
        known.tidy()
        self.tell()

    def tell(self) -> None:
        """Tell the listener, if anything is otherwise than it was told."""
        table, machine, known, seating = self.table, self.table.machine, self.table.known, self.table.seating
        working = [hands.has_work for hands in table.hands.values()]
        told = (self._seen, machine.has_power, working,
                str(table.tags.lying), table.hands.by_themselves, table.hands.are_free, machine.speed,
                known.notice, len(known.records), known.kept, left_s(table.session, table.now_ms),
                str(seating.proposals), str(seating.crowded), table.awaited(),
                [(chair.who, chair.name, chair.came) for chair in seating.chairs.values()], table.more_to_tell())
        if told != self._told:
            self._told = told
            self.on_change()
