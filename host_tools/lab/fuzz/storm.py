"""Weather at the virtual table: what breaks, for how long, and what is broken now."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from host_tools.virtual.chips.iso14443a import Noise, chance, flicker

SECOND = 1_000_000
PAUSE_US = (SECOND // 2, 6 * SECOND)  # from one to the next
LASTS_US = (SECOND // 10, 4 * SECOND)
SETTLE_US = 3 * SECOND  # so long after a fault that stops the game it is taken to go on: T13 allows two to notice
BUTTONS_OF_A_PLACE = 4
ASIDE = ".aside"  # where the record lies while the flash is full for the firmware

# A kind of weather begins with a generator: it breaks something, yields how long that lasts, and mends it.
Weather = Generator[int, None, None]


class Storm:
    """The troubles at `places` of a world. `count` has how often each kind has come; `stops_us` until when the game
    may stand still because of what was.

    Everything is drawn from `rng`; `kinds` are the names of those that may come.
    """

    def __init__(self, world: Any, rng: random.Random, places: list[int], flash: Path, kinds: tuple[str, ...]) -> None:
        self.world = world
        self.rng = rng
        self.places = places
        self.flash = flash
        self.kinds = kinds
        self.count = dict.fromkeys(kinds, 0)
        self.stops_us = 0
        self.disturbs_us = dict.fromkeys(places, 0)  # until when a place's reader may be wrong about what lies there
        self.stuck_us: dict[int, int] = {}  # place: until when a button there was closed by itself last
        self.lies: Callable[[int], Any] = lambda place: None  # the tag that people have laid there
        self.seen: Callable[[int, Any], None] = lambda place, tag: None  # told what a reader sees from next door
        self.bounces = False
        self.rest_us: tuple[int, int] | None = None  # how long cards are left lying after their light, from and to
        self.is_cut = False  # the supply of the whole table is gone
        self.rests = False  # nothing new comes meanwhile
        self.is_over = False

    def blow(self) -> Weather:
        """An actor of the world: one thing after the other, until `is_over`."""
        while not self.is_over:
            yield self.rng.randrange(*PAUSE_US)
            while self.rests and not self.is_over:
                yield SECOND
            if self.is_over or not self.kinds:
                return
            kind = self.rng.choice(self.kinds)
            self.count[kind] += 1
            yield from getattr(self, kind)(self.rng.randrange(*LASTS_US))

    def hear(self, line: str) -> None:
        """A line of the feed: weather takes no notice."""

    def stop(self, lasts_us: int) -> None:
        """The game may have to wait for so long, and a little longer."""
        self.stops_us = max(self.stops_us, self.world.now_us + lasts_us + SETTLE_US)

    def disturb(self, place: int, lasts_us: int) -> None:
        """That reader may be wrong for so long, and a little longer."""
        self.disturbs_us[place] = max(self.disturbs_us[place], self.world.now_us + lasts_us + SETTLE_US)

    def pick(self) -> int:
        """Where something breaks."""
        return self.rng.choice(self.places)

    def field(self) -> tuple[int, Any]:
        """Some place, and the field of its antenna."""
        place = self.pick()
        return place, self.world.readers[place - 1].field

    # --- the kinds ---

    def noise(self, lasts_us: int) -> Weather:
        """Frames are lost, damaged, or made up."""
        place, field = self.field()
        self.disturb(place, lasts_us)
        field.noise = chance(self.rng.uniform(0.02, 0.4), random.Random(self.rng.random()))
        yield lasts_us
        field.noise = None

    def misses(self, lasts_us: int) -> Weather:
        """Tags are not heard, half of the time."""
        place, field = self.field()
        self.disturb(place, lasts_us)
        field.noise = chance(self.rng.uniform(0.1, 0.6), random.Random(self.rng.random()), (Noise.REPLY_LOST,))
        yield lasts_us
        field.noise = None

    def flicker(self, lasts_us: int) -> Weather:
        """A card lies badly: it is in the field for a part of each period."""
        place = self.pick()
        tag = self.lies(place)
        if tag is None:
            return
        self.disturb(place, lasts_us)
        period_us = self.rng.randrange(20_000, 400_000)
        tag.contact = flicker(period_us, self.rng.randrange(period_us // 2, period_us))
        yield lasts_us
        tag.contact = None

    def bleed(self, lasts_us: int) -> Weather:
        """A neighbour's antenna sees the card, too."""
        place = self.pick()
        tag = self.lies(place)
        others = [other for other in self.places if abs(other - place) == 1]
        if tag is None or not others:
            return
        other = self.rng.choice(others)
        self.disturb(place, lasts_us)
        self.disturb(other, lasts_us)
        field = self.world.readers[other - 1].field
        self.seen(other, tag)
        field.put(tag, self.world.now_us)
        yield lasts_us
        field.take(tag, self.world.now_us)

    def dead_reader(self, lasts_us: int) -> Weather:
        """A reader says nothing any more, or always the same."""
        place = self.pick()
        reader = self.world.readers[place - 1]
        self.stop(lasts_us)
        self.disturb(place, lasts_us)
        reader.dead(self.rng.choice(("low", "high", "floating")))
        yield lasts_us
        reader.dead(None)

    def loose_wire(self, lasts_us: int) -> Weather:
        """Bytes on a reader's wires are wrong now and then."""
        place = self.pick()
        self.stop(lasts_us)
        self.disturb(place, lasts_us)
        self.world.readers[place - 1].cut_wire(self.rng.uniform(0.001, 0.01))
        yield lasts_us
        self.world.readers[place - 1].cut_wire(0.0)

    def dark_screen(self, lasts_us: int) -> Weather:
        """The screen loses its supply, and comes back with snow."""
        self.world.screen.unplug()
        yield lasts_us
        self.world.screen.plug()

    def cut_chain(self, lasts_us: int) -> Weather:
        """A wire of the buttons' chain is open."""
        self.stop(lasts_us)
        self.world.buttons.cut_after(self.rng.randrange(1, 32), self.rng.randrange(2))
        yield lasts_us
        self.world.buttons.cut_after(32)

    def stuck_button(self, lasts_us: int) -> Weather:
        """A button stays closed, long enough to be called stuck. As it closes it is a press like any other."""
        lasts_us += 2 * SECOND
        place = self.pick()
        index = BUTTONS_OF_A_PLACE * (place - 1) + self.rng.randrange(BUTTONS_OF_A_PLACE)
        self.stop(lasts_us)
        self.stuck_us[place] = self.world.now_us + lasts_us
        self.world.buttons.tie(index, 0)
        yield lasts_us
        self.world.buttons.untie(index)

    def bounce(self, lasts_us: int) -> Weather:
        """Contacts bounce for a while."""
        self.bounces = True
        yield lasts_us
        self.bounces = False

    def full_flash(self, lasts_us: int) -> Weather:
        """Every write to the record fails."""
        folder = next(reversed(sorted(self.flash.glob("games/[0-9][0-9][0-9][0-9]"))), None)
        if folder is None or not folder.is_dir():
            return  # there is no record, or it is one text already
        self.stop(lasts_us)
        aside = folder.with_suffix(ASIDE)
        folder.rename(aside)
        folder.touch()  # in a file no piece and no page can be made
        yield lasts_us
        folder.unlink()
        aside.rename(folder)

    def power_cut(self, lasts_us: int) -> Weather:
        """The supply goes and comes back: the caller has to do that to the device. Cards stay where they lie."""
        self.stop(lasts_us)
        for place in self.places:
            self.disturb(place, lasts_us)
        self.is_cut = True
        yield lasts_us


KINDS = (
    "noise", "misses", "flicker", "bleed", "dead_reader", "loose_wire", "dark_screen", "cut_chain", "stuck_button",
    "bounce", "full_flash", "power_cut",
)
