"""A live table: the real firmware on virtual hardware in a thread of its own, and everybody's hands around it.

One thread owns all of it; other threads hand it work with `post`. Nothing is lost with this process: the flash is a
folder on disk, and the firmware goes on from it (T9).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cardtable.between.chosen import NEXT_FILE
from cardtable.between.prompt import has_unfinished
from cardtable.engine.deck import card_name
from host_tools.base.bugs import BugLog
from host_tools.base.errors import UnusableInput
from host_tools.base.files import write_file
from host_tools.play.apart import Apart
from host_tools.play.hands import Hands
from host_tools.play.hints import gives_hints
from host_tools.play.known import Known
from host_tools.play.library import give_up
from host_tools.play.machine import Machine
from host_tools.play.orders import Orders
from host_tools.play.seating import PHONE, Seating
from host_tools.play.tags import AWAY_MS, LiveFingers, Tags
from host_tools.play.watch import Watch
from host_tools.sight.follower import Follower
from host_tools.sight.scene import Scene
from host_tools.virtual.world import World

People = Sequence[tuple[str, str]]  # (name, who) of seat 1 and on


class LiveTable:
    """`start()`, `post(work)`, `close()`. Its parts: the machine, tags on its readers, hands around it, a director's
    orders, what is known of the game, the process that thinks apart, and the watch that tells a listener of changes.

    folder: where flash, links and hands are kept. The rest is explained where it goes: board, seed, speed and runtime
    in Machine, library and on_line in Known, on_change in Watch.
    """

    make_machine: type[Machine] = Machine
    away_ms = AWAY_MS  # after so long a card has left a reader
    machine: Machine
    known: Known
    apart: Apart
    hands: Hands
    tags: Tags
    fingers: LiveFingers
    orders: Orders
    watch: Watch

    def __init__(self, folder: Path, *, board: str = "virtual", language: str = "en", seed: int = 0, speed: float = 1.0,
                 runtime: str = "", library: Path | None = None, on_change: Callable[[], None] | None = None,
                 on_line: Callable[[str], None] | None = None) -> None:
        try:
            module = importlib.import_module(f"boards.{board}")
        except ImportError:
            raise UnusableInput(f"there is no board {board} in boards/") from None
        self.folder, self.language = folder, language
        self.flash.mkdir(parents=True, exist_ok=True)
        self.bugs = BugLog(folder)
        self.seating = Seating(folder)
        self.machine = self.make_machine(self, module, seed=seed, speed=speed, runtime=runtime)
        self.known = Known(self, seed=seed, library=library, on_line=on_line or (lambda line: None))
        self.lesson: Any = None  # a first game, while one goes on (play/lessons)
        self.apart = Apart()
        self.hands = Hands(self, module.SEATS)
        self.tags = Tags(self)
        self.fingers = LiveFingers(self)
        self.orders = Orders(self)
        self.watch = Watch(self, on_change or (lambda: None))

    # --- for other threads ---

    def start(self) -> None:
        """Write what lies on the flash of every table, build the firmware, power up. UnusableInput."""
        self.tags.write_deck()
        (self.flash / "learned.txt").write_text(f"away_ms {self.away_ms}\n", encoding="utf-8")
        (self.flash / "language.txt").write_text(self.language + "\n", encoding="utf-8")
        self.tags.write_keys()
        self.orders.propose()
        self.world.people.add(self.watch.run())
        for hands in self.hands.values():
            self.world.people.add(hands.run())
        self.machine.start()

    def post(self, work: Callable[[], None]) -> None:
        """Have the table's thread do that soon, at one moment of the table's time."""
        self.machine.post(work)

    def close(self) -> None:
        """Cut the power and end the thread; comes back when it has ended."""
        self.machine.close()
        self.apart.close()

    # --- what a table whose cards are real has besides (host_tools/play/readers/real.py) ---

    is_real = False

    def acts_for(self, role: str) -> dict[str, Callable[[Any, dict[str, Any]], Any]]:
        """The acts that pages of that role may do here beside those of every table."""
        return {}

    def note_setup(self, setup: str) -> str:
        """The set-up of a game that begins here."""
        return setup

    def note_pages(self, pages: frozenset[object]) -> None:
        """Those who play have these pages open."""

    def more_to_tell(self) -> str:
        """What else somebody could see here: another text, and the listener is told."""
        return ""

    # --- what is so now (in the table's thread) ---

    @property
    def flash(self) -> Path:
        """The folder that is the device's flash."""
        return self.folder / "flash"

    @property
    def world(self) -> World:
        """What the device's chips, and people's hands, act on."""
        return self.machine.world

    @property
    def follower(self) -> Follower:
        """Follows the record as it grows."""
        return self.known.follower

    @property
    def cards(self) -> Any:
        """Which cards lie hidden where, or None."""
        return self.known.cards

    @property
    def now_us(self) -> int:
        """The table's time."""
        return self.world.now_us

    @property
    def now_ms(self) -> int:
        """The game's time."""
        return self.follower.now_ms(self.world.now_us)

    @property
    def session(self) -> Any:
        """The game that is under way or was played last since the power came, or None."""
        return self.follower.course.session if self.follower.course else None

    @property
    def game(self) -> Any:
        """Its module."""
        return self.follower.course.game if self.follower.course else None

    @property
    def header(self) -> Any:
        """Its header, or None."""
        return self.follower.course.header if self.follower.course else None

    @property
    def waits(self) -> bytes:
        """Whom the table waits for, and for what."""
        return self.follower.course.waits if self.follower.course else bytes(8)

    @property
    def is_playing(self) -> bool:
        """Whether a game goes on."""
        return self.session is not None and not self.session.is_over()

    @property
    def is_under_way(self) -> bool:
        """Whether another game would put one away: also while the table has no power, or starts. OSError."""
        phase = self.phase
        return phase in ("deal", "play") or phase in ("off", "start") and has_unfinished(str(self.follower.folder))

    @property
    def phase(self) -> str:
        """One word of docs/play-protocol.md."""
        if not self.machine.has_power:
            return "off"
        if not self.known.is_up:
            return "start"
        if self.known.is_in_game and self.follower.course is not None:
            return self.follower.course.phase
        if self.known.is_in_game:
            return "start"
        return "lobby" if any(any(self.light(place)) for place in self.hands) else "stopped"

    def light(self, place: int) -> tuple[int, int, int]:
        """The colour of a place's light."""
        return self.world.lights.colour(place - 1)

    def may_choose(self, place: int) -> bool:
        """Whether a choice may be open at that place."""
        return self.watch.may_choose(place)

    def seat_at(self, place: int) -> int:
        """The seat of this game that sits at the place; 0: none."""
        return self.follower.course.seat_at(place) if self.follower.course else 0

    def place_of(self, seat: int) -> int:
        """The place of a seat; in the lobby, before seats are given, the place of that number; 0: none."""
        if self.follower.course and self.known.is_in_game:
            return self.follower.course.place_of(seat)
        return seat if seat in self.hands else 0

    def scene(self) -> Scene:
        """All of the table that somebody could be told now."""
        phase, (hertz, duty) = self.phase, self.world.buzzer
        known, seating, chairs = self.known, self.seating, self.seating.chairs
        cards = known.cards if phase in ("deal", "play", "over") else None
        course = known.follower.course if cards is not None else None
        return Scene(
            phase, course, self.language, self.now_ms, self.waits, cards.held if cards is not None and course else {},
            known.follower.told, known.notice, known.digest, known.is_closed,
            places=len(self.hands), lights={place: self.light(place) for place in self.hands},
            glasses=[self.watch.glass(index) for index in range(len(self.world.screens))], hertz=hertz if duty else 0,
            lying=self.tags.lying, busy={self.seat_at(place) for place, hands in self.hands.items() if hands.has_work},
            present=seating.present, deals_itself=self.hands.by_themselves, free_hand=self.hands.are_free,
            speed=self.machine.speed,
            chairs={seat: (chair.who, chair.stands_in) for seat, chair in chairs.items()},
            proposals=seating.proposals, records=known.records, record=known.kept,
            crowded=seating.crowded, awaited=self.awaited(), gives_hints=gives_hints(self),
            screen_language=self.language, lesson=self.lesson.tell if self.lesson is not None else None,
            came={seat for seat, chair in chairs.items() if chair.came},
            guests={seat: chair.name for seat, chair in chairs.items() if chair.who == PHONE and chair.came})

    def awaited(self) -> list[int]:
        """The seats whose phones have never come, while the game that was chosen waits for them."""
        return self.seating.awaited(len(self.header.seats)) if self.header is not None and self.is_playing else []

    def answers(self, seat: int) -> int:
        """How many lines the record holds of the seat."""
        return self.follower.answered[seat]

    def name_of(self, card: int) -> str:
        """A card's name."""
        return card_name(card)

    def lead_seat(self) -> int:
        """T4: the seat that has the lowest trump, if the table asks."""
        return self.cards.find_lead(self.now_ms)

    # --- power ---

    def begin(self, setup: str, people: People = (), lesson: Any = None) -> None:
        """Start the table with that header as the game that was chosen, and these people; without any, those who sit
        there."""
        self.machine.restart(lambda: self.lay_game(setup, people, lesson))

    def go_on(self, write: Callable[[Path], None], people: People) -> None:
        """Start the table with a game under way, and these people."""
        self.machine.restart(lambda: self.lay_beginning(write, people))

    def lay_game(self, setup: str, people: People, lesson: Any = None) -> None:
        """Without power: that header is the game that was chosen (between/chosen.py: NEXT_FILE), and these people play
        it. First everything is written aside: if the disk is full the other game goes on, with its people. OSError."""
        self.tags.gather()
        half = self.folder / f"{NEXT_FILE}.tmp"
        half.write_text(setup, encoding="utf-8")
        sit_down = self.seating.write_aside(people)
        give_up(self.flash)
        half.replace(self.flash / NEXT_FILE)
        sit_down()
        self.seating.begins_without, self.lesson = False, lesson
        self.hands.by_themselves = self.hands.by_themselves or lesson is not None

    def lay_beginning(self, write: Callable[[Path], None], people: People) -> None:
        """The same with a game under way, which `write` puts into the table's folder in place of the one that is there,
        all of it or nothing. OSError."""
        self.tags.gather()
        sit_down = self.seating.write_aside(people)
        write(self.folder)
        sit_down()
        self.seating.begins_without, self.lesson = False, None
        self.hands.by_themselves = True

    def speak(self, language: str) -> None:
        """Start it again with another language on its glass. OSError: it speaks the old one."""
        write_file(self.flash / "language.txt", f"{language}\n".encode())  # which is read at a start alone
        self.language = self.known.feed.language = language
        self.machine.restart(lambda: None)
