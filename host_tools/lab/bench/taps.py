"""How long a tap takes to its light, at worst, for each game and board: and what of that is whose.

    .venv/bin/cardtable bench --taps

The real firmware inside this Python, its computing charged (host_tools/virtual/computing.py). The seats draw their
first cards in turn: when a card lies on every reader, one is lifted after the other and the next card is laid there at
another moment of the sweep, so the table looks at as many full readers as it ever does.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardtable.catalogue import find_game
from cardtable.table import lights
from cardtable.table.readers import CAME, Readers
from host_tools.base.project import ROOT
from host_tools.base.random_play import make_header
from host_tools.lab.bench.results import Row
from host_tools.lab.bench.timing import Room
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.virtual.computing import FRAME, Computing
from host_tools.virtual.fingers import deck_lines, uid_of
from host_tools.virtual.in_process import InProcessDevice
from host_tools.virtual.table import header_text
from host_tools.virtual.world import World

ROOM = "tap to light, modelled"
SHARES = ("sweep", "debounce", "interpreter", "gc", "journal", "light", "held")
GAMES = (
    ("durak", "durak throw-in cheating=2 transfer=yes"), ("cals-bs", "cals-bs cheat-up-down"),
    ("bailiff", "bailiff"), ("malice", "malice"),
)  # fmt: skip
AIM_MS, COLLECTED_MS = 150, 250
QUICK_TAPS = 4
TAPS = 14  # that are measured
AWAY_US, STEP_US = 2_500_000, 9_700  # a card is away for so long, and each tap comes so much later in the sweep
PATIENCE_US, LIMIT_US = 5_000_000, 600_000_000
_DONE = (lights.colour_of(lights.ACCEPTED), lights.colour_of(lights.REFUSED))


@dataclass
class Tap:
    """One tap: microseconds from the card to its light, and of these each share, in the order of SHARES."""

    us: int = 0
    shares: tuple[int, ...] = ()


def list_boards() -> list[str]:
    """The names of all boards."""
    return sorted(path.stem for path in (ROOT / "boards").glob("[a-z]*.py"))


class Watch:
    """Sees, from outside of the firmware, how far a tap has come."""

    def __init__(self, world: World, computing: Computing) -> None:
        self.world = world
        self.computing = computing
        self.place = 0
        self.marks: list[tuple[int, dict[str, int]]] = []  # laid, read, believed: when, and what was charged till then

    def mark(self, at_least: int) -> None:
        """The tap has come so far, if it has not before."""
        if self.place and len(self.marks) == at_least:
            frames = sum(reader.frames for reader in self.world.readers)
            spent = dict(self.computing.spent_us)
            spent["interpreter"] += frames * self.computing.cost_us(FRAME)
            self.marks.append((self.computing.clock.now_us, spent))

    def begin(self, place: int) -> None:
        """A card is laid there, now."""
        self.place, self.marks = place, []
        self.mark(0)

    def end(self, light_us: int) -> Tap:
        """Its light shines."""
        self.mark(3)
        self.place = 0
        (laid_us, none), (read_us, first), (believed_us, second), (_, last) = self.marks
        done_us = self.world.now_us
        charged = {name: last[name] - none[name] for name in last}
        # What is charged on the way, a line of the journal too, is a share of its own and no part of a wait.
        sweep = read_us - laid_us - (sum(first.values()) - sum(none.values()))
        debounce = believed_us - read_us - (sum(second.values()) - sum(first.values()))
        held = done_us - believed_us - (sum(last.values()) - sum(second.values())) - light_us
        return Tap(done_us - laid_us, (sweep, debounce, charged["interpreter"], charged["gc"], charged["journal"],
                                       light_us, max(0, held)))

    @contextmanager
    def on_readers(self) -> Generator[None, None, None]:
        """While the firmware's readers tell it what they see."""
        hit, post, watch = Readers.hit, Readers.post, self

        def see(self: Any, index: int, uid: Any) -> int:
            is_new = not self._reads[index] or self._uid[index] != uid
            answer = hit(self, index, uid)
            if index + 1 == watch.place and is_new:
                watch.mark(1)
            return answer

        def believe(self: Any, what: int, index: int, card: int) -> None:
            post(self, what, index, card)
            if index + 1 == watch.place and what == CAME:
                watch.mark(2)

        Readers.hit, Readers.post = see, believe  # type: ignore[method-assign]
        try:
            yield
        finally:
            Readers.hit, Readers.post = hit, post  # type: ignore[method-assign]


def draw_cards(world: World, places: list[int], watch: Watch, taps: int, found: list[Tap]
               ) -> Generator[Any, None, None]:
    """An actor: the seats draw in turn, and leave their cards lying; `found` gets each tap once all readers are
    full."""
    light_us = 30 * len(world.lights) + 50  # WS2812: the strip's bytes and their latch

    def is_lit(place: int) -> bool:
        return tuple(world.lights.colour(place - 1)) in _DONE

    yield lambda: any(tuple(world.lights.colour(place - 1)) != (0, 0, 0) for place in places)
    yield 1_000_000
    lying: dict[int, Tag] = {}
    for number in range(taps + len(places)):
        place = places[number % len(places)]
        if place in lying:
            world.take(place, lying.pop(place))
        yield AWAY_US + number * STEP_US
        lying[place] = Tag(uid_of(number))
        watch.begin(place)
        world.put(place, lying[place])
        late_us = world.now_us + PATIENCE_US
        yield lambda place=place, late_us=late_us: is_lit(place) or world.now_us > late_us
        if not is_lit(place):
            raise ValueError(f"card {number} got no light at place {place}")
        if number >= len(places):
            found.append(watch.end(light_us))


def measure_taps(board_name: str, line: str, collects: bool = False, taps: int = TAPS) -> tuple[int, list[Tap]]:
    """The seats of such a table, and its taps. ValueError if a tap gets no light."""
    board = importlib.import_module("boards." + board_name)
    game = find_game(line.split()[0])
    seats = min(board.SEATS, game.SEAT_RANGE[1])
    header = make_header(line, seats, first=1)
    world, found = World(board), []  # type: tuple[World, list[Tap]]
    computing = Computing.of(board, collects)
    watch = Watch(world, computing)
    actor = draw_cards(world, header.places, watch, taps, found)
    world.people.add(actor)
    with tempfile.TemporaryDirectory(prefix="cardtable-") as folder, watch.on_readers():
        flash = Path(folder)
        (flash / "deck.txt").write_text("".join(deck_lines()), encoding="utf-8")
        (flash / "setup.txt").write_text(header_text(header), encoding="utf-8")
        device = InProcessDevice(world, flash, computing=computing)
        device.run(lambda: len(found) >= taps or world.now_us > LIMIT_US)
    return seats, found


def worst_of(board: str, line: str, collects: bool = False, taps: int = TAPS) -> tuple[int, Tap]:
    """How many seats, and the tap that took longest."""
    seats, found = measure_taps(board, line, collects, taps)
    return seats, max(found, key=lambda tap: tap.us)


def measure(is_quick: bool) -> list[Row]:
    """Two rows for each game and board: its slowest tap, and the same with a collection of garbage on the way."""
    room = Room(ROOM)
    for name, line in GAMES:
        for board in ["virtual"] if is_quick else list_boards():
            for collects, what, aim_ms in ((False, "", AIM_MS), (True, ", with a collection", COLLECTED_MS)):
                tap = worst_of(board, line, collects, QUICK_TAPS if is_quick else TAPS)[1]
                room.count(f"{name}, {board}{what}", tap.us / 1000, "ms", aim_ms)
    return room.rows


def tell(say: Callable[[str], None]) -> None:
    """The table of docs/benchmarks.md, line by line: the slowest tap of each game and board in ms, its shares, and
    the slowest with a collection of garbage on the way."""
    say(" ".join(("| game | board | seats | tap to light |", " | ".join(SHARES), "| with a collection |")))
    say("| --- | --- |" + " ---: |" * (3 + len(SHARES)))
    for name, line in GAMES:
        for board in list_boards():
            seats, tap = worst_of(board, line)
            collected = worst_of(board, line, True)[1]
            shares = " | ".join(f"{us / 1000:.0f}" for us in tap.shares)
            say(f"| {name} | {board} | {seats} | {tap.us / 1000:.0f} | {shares} | {collected.us / 1000:.0f} |")
