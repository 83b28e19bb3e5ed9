"""A live table: the real firmware on virtual hardware in a thread of its own, and everybody's hands around it.

One thread owns the device, its world and the follower; other threads hand it work with `post`. It stands still
whenever nothing can happen, and costs nothing then. Nothing is lost with this process: the flash is a folder on disk,
and the firmware goes on from it (T9).
"""

from __future__ import annotations

import hashlib
import importlib
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cardtable.between.chosen import LAST_FILE, NEXT_FILE
from cardtable.between.prompt import has_unfinished
from cardtable.drivers import font6x8
from cardtable.engine.deck import card_name, card_number
from cardtable.engine.state import CLOCK, CLOCKS, OWN
from host_tools.base.bugs import BugLog
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.base.errors import UnusableInput
from host_tools.base.interpreters import find_machine_code, find_micropython
from host_tools.play.cards import Cards
from host_tools.sight.follower import Follower
from host_tools.play.hands import AWAY_MS, GONE_US, SeatHands
from host_tools.play.hints import gives_hints
from host_tools.play.library import ORDER_FILE, give_up, keep, list_names
from host_tools.play.seating import PHONE, Seating
from host_tools.sight.feed import LASTING, Feed
from host_tools.sight.prompts import left_s
from host_tools.sight.scene import Scene
from host_tools.virtual import image
from host_tools.virtual.device import Device, DeviceError
from host_tools.virtual.fingers import Fingers, deck_lines, uid_of
from host_tools.virtual.glass import draw_glass
from host_tools.virtual.table import BUILD
from host_tools.virtual.world import World

WATCH_US = 20_000  # how often everything is looked at
BURST_S = 0.03  # so far the device may be ahead of its time before it is held back
TIDY_US = 1_000_000  # how often finished games are looked for
LATE_S = 0.25  # further behind it does not try to catch up
ORDER_S = 1.0  # how often an order of a director is looked for
QUIET_S = 4.0  # it is taken in once the glass has not changed for so long: nobody chooses
REST_US = 14_000_000  # after so long without anything new the table stands still until somebody touches it
RESTARTS = 3  # a device that falls so often in a row stays off
SETTLED_S = 30.0  # a device that has run so long does not fall in a row any more
ARBITER = "arbiter"
STRANGER = "stranger"
TOKEN = "player:"  # + the player's name
FALLEN = "the firmware stopped, and was started again"


class LiveTable:
    """`start()`, `post(work)`, `close()`. What it shows: `phase`, `follower`, `lying`, lights and screens of `world`.

    folder: where flash, links and hands are kept. library: where finished games are copied. runtime: micropython or
    cpython. on_change: called in the table's
    thread, at most every WATCH_US, when something that anybody could see may have changed. on_line: each line that the
    firmware prints.
    """

    def __init__(self, folder: Path, *, board: str = "virtual", language: str = "en", seed: int = 0, speed: float = 1.0,
                 runtime: str = "", library: Path | None = None, on_change: Callable[[], None] | None = None,
                 on_line: Callable[[str], None] | None = None) -> None:
        try:
            self.board = importlib.import_module(f"boards.{board}")
        except ImportError:
            raise UnusableInput(f"there is no board {board} in boards/") from None
        self.folder, self.flash = folder, folder / "flash"
        self.language, self.seed, self.speed = language, seed, speed
        self.runtime = runtime or ("micropython" if find_micropython() else "cpython")
        self.library = library
        self.deals_itself = True
        self.free_hand = False
        self.on_change = on_change or (lambda: None)
        self.on_line = on_line or (lambda line: None)
        self.flash.mkdir(parents=True, exist_ok=True)
        self.bugs = BugLog(folder)
        self.seating = Seating(folder)
        self.world = World(self.board, seed)
        self.follower = Follower(self.flash)
        self.feed = Feed(self.follower, language)
        self.cards: Any = None
        self.lesson: Any = None  # a first game, while one goes on (play/lessons)
        self.fingers = LiveFingers(self)
        self.hands = {place: SeatHands(self, place) for place in range(1, self.board.SEATS + 1)}
        self.on_their_way: set[int] = set()  # cards of the stock that a hand has just taken
        self.lying: dict[int, list[str]] = {place: [] for place in self.hands}
        self._left_us: dict[tuple[int, str], int] = {}  # (place, tag): when it was taken away
        self.present: set[int] = set()  # seats whose browser is connected
        self.crowded: set[int] = set()  # seats whose link is open on two phones
        self.waits_for_phones = self.begins_without = False  # the first card of a game waits until every phone has come
        self.proposals: dict[int, set[int]] = {}  # seat that a virtual player shall take over: the seats that agree
        self.records = list_names(library) if library else []  # names of finished games
        self.digest = ""
        self.is_closed = False  # the game is written down: nothing of it can be taken back
        self.kept = ""  # the name of its record, once that lies among the finished games
        self.notice = ""  # the firmware's last line about itself
        self.said: list[str] = []  # its lines since it came up
        self.has_power = True
        self.stands_still = False  # its time does not pass while a program that plays here looks at it
        # How long people have waited here, in seconds: its time at its speed, and this computer's while it rests. On a
        # busy machine the table is slow, and nobody has waited longer for it.
        self.waited_s = 0.0
        self._waited_us = 0
        self._device: Device | None = None
        self._tags: dict[str, Tag] = {}
        self._posts: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self._is_closing = self._leaves = False
        self._is_in_game = self._is_up = False
        self._anchor: tuple[float, int, float] = (0.0, 0, 0.0)  # real seconds, microseconds here, speed
        self._stirred_us = self._tidied_us = 0
        self._drawn: dict[int, Any] = {}
        self._seen: Any = None
        self._looked: Any = None
        self._nonce = ""  # of the last game
        self._deals = 0  # games since this process began: each is shuffled anew, and the same with the same seed
        self._started_s = 0.0
        self._asked_s = self._moved_s = 0.0
        self._glass: Any = None
        self._falls = 0

    # --- for other threads ---

    def start(self) -> None:
        """Write what lies on the flash of every table, build the firmware, power up. UnusableInput."""
        self.prepare_flash()
        try:
            machine_code = None if self.runtime == "cpython" else find_machine_code()
            name = self.board.NAME
            built = image.build_rom(name, BUILD / f"play-{name}", machine_code=machine_code)
            shims = image.build_shims(BUILD / "busy-shims", machine_code)
            self._device = make_device(self.runtime, self.world, self.flash, built, shims, self._hear)
        except image.BuildError as wrong:
            raise UnusableInput(str(wrong)) from wrong
        self.invite()
        self._thread.start()

    def prepare_flash(self) -> None:
        """Write what lies on the flash of every table."""
        self._write_deck()
        (self.flash / "learned.txt").write_text(f"away_ms {AWAY_MS}\n", encoding="utf-8")
        (self.flash / "language.txt").write_text(self.language + "\n", encoding="utf-8")
        self._write_tags()
        self._propose()

    def invite(self) -> None:
        """Everybody who acts on the table's time comes to it."""
        self.world.people.add(self._watch())
        for hands in self.hands.values():
            self.world.people.add(hands.run())

    def _write_deck(self) -> None:
        """Register the cards of the virtual table."""
        (self.flash / "deck.txt").write_text("".join(deck_lines()), encoding="utf-8")

    def _write_tags(self) -> None:
        """Register the arbiter's key, and a token for each player who has a name."""
        lines = [f"{uid_of_key(ARBITER).hex().upper()} arbiter"]
        for name in sorted({chair.name for chair in self.seating.chairs.values() if chair.name}):
            lines.append(f"{uid_of_key(TOKEN + name).hex().upper()} player {name}")
        (self.flash / "tags.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")

    # What a table whose cards are real has besides (host_tools/play/readers/real.py).
    is_real = False

    def acts_for(self, role: str) -> dict[str, Callable[[Any, dict[str, Any]], Any]]:
        """The acts that pages of that role may do here beside those of every table."""
        return {}

    def note_setup(self, setup: str) -> str:
        """The set-up of a game that begins here."""
        return setup

    def note_pages(self, pages: frozenset[object]) -> None:
        """Those who play have these pages open."""

    def post(self, work: Callable[[], None]) -> None:
        """Have the table's thread do that soon, at one moment of the table's time."""
        self._posts.put(work)
        self._wake.set()

    def close(self) -> None:
        """Cut the power and end the thread; comes back when it has ended."""
        self.post(self._close)
        if self._thread.is_alive():
            self._thread.join()

    @property
    def is_alive(self) -> bool:
        """Whether its thread runs."""
        return self._thread.is_alive()

    # --- what is so now (in the table's thread) ---

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
    def phase(self) -> str:
        """One word of docs/play-protocol.md."""
        if not self.has_power:
            return "off"
        if not self._is_up:
            return "start"
        if self._is_in_game and self.follower.course is not None:
            return self.follower.course.phase
        if self._is_in_game:
            return "start"
        return "lobby" if any(any(self.light(place)) for place in self.hands) else "stopped"

    def light(self, place: int) -> tuple[int, int, int]:
        """The colour of a place's light."""
        return self.world.lights.colour(place - 1)

    def seat_at(self, place: int) -> int:
        """The seat of this game that sits at the place; 0: none."""
        return self.follower.course.seat_at(place) if self.follower.course else 0

    def place_of(self, seat: int) -> int:
        """The place of a seat; in the lobby, before seats are given, the place of that number; 0: none."""
        if self.follower.course and self._is_in_game:
            return self.follower.course.place_of(seat)
        return seat if seat in self.hands else 0

    def scene(self) -> Scene:
        """All of the table that somebody could be told now."""
        phase, (hertz, duty) = self.phase, self.world.buzzer
        course = self.follower.course if phase in ("deal", "play", "over") and self.cards is not None else None
        return Scene(
            phase, course, self.language, self.now_ms, self.waits, self.cards.held if course else {},
            self.follower.told, self.notice, self.digest, self.is_closed,
            places=self.board.SEATS, lights={place: self.light(place) for place in self.hands},
            glasses=[self.glass(index) for index in range(len(self.world.screens))], hertz=hertz if duty else 0,
            lying=self.lying, busy={self.seat_at(place) for place, hands in self.hands.items() if hands.has_work},
            present=self.present, deals_itself=self.deals_itself, free_hand=self.free_hand, speed=self.speed,
            chairs={seat: (chair.who, chair.stands_in) for seat, chair in self.seating.chairs.items()},
            proposals=self.proposals, records=self.records, record=self.kept,
            crowded=self.crowded, awaited=self.awaited(), gives_hints=gives_hints(self),
            lesson=self.lesson.tell if self.lesson is not None else None,
            came={seat for seat, chair in self.seating.chairs.items() if chair.came},
            guests={seat: chair.name for seat, chair in self.seating.chairs.items()
                    if chair.who == PHONE and chair.came})

    def awaited(self) -> list[int]:
        """The seats whose phones have never come, while the game that was chosen waits for them."""
        if not self.waits_for_phones or self.begins_without or self.header is None or not self.is_playing:
            return []
        chairs = self.seating.chairs
        return [seat for seat in range(1, len(self.header.seats) + 1)
                if chairs[seat].who == PHONE and not chairs[seat].came and not chairs[seat].stands_in]

    def answers(self, seat: int) -> int:
        """How many lines the record holds of the seat."""
        return self.follower.answered[seat]

    def name_of(self, card: int) -> str:
        """A card's name."""
        return card_name(card)

    def number_of(self, name: str) -> int:
        """The card of that name; -1 if it is none."""
        return card_number(name)

    def glass(self, index: int) -> dict[str, Any]:
        """The picture of a screen, drawn again only when it has changed."""
        chip = self.world.screens[index]
        state = (bytes(chip._ram), chip.display_on, chip.powered)
        if index not in self._drawn or self._drawn[index][0] != state:
            self._drawn[index] = (state, draw_glass(chip, font6x8))
        return self._drawn[index][1]

    @property
    def device_process(self) -> int:
        """The number of the device's process; 0 if it has none now."""
        process = getattr(self._device, "_process", None)
        return process.pid if process else 0

    def lead_seat(self) -> int:
        """T4: the seat that has the lowest trump, if the table asks."""
        return self.cards.find_lead(self.now_ms)

    # --- what hands do ---

    def put(self, place: int, name: str) -> bool:
        """Lay a tag on a reader; False if it lies on one already."""
        if any(name in names for names in self.lying.values()):
            return False
        self.lying[place].append(name)
        self.world.put(place, self._tag(name))
        self.stir()
        return True

    def take(self, place: int, name: str) -> None:
        """Take it away, if it is there."""
        if name in self.lying[place]:
            self.lying[place].remove(name)
            self.world.take(place, self._tag(name))
            self._left_us[place, name] = self.world.now_us
            self.stir()

    def gone_in_us(self, place: int, name: str) -> int:
        """How long until a tag that was on that reader has been away for long enough to be a new tap (T5)."""
        return max(0, self._left_us.get((place, name), -GONE_US) + GONE_US - self.world.now_us)

    def _tag(self, name: str) -> Tag:
        if name not in self._tags:
            number = card_number(name)
            uid = uid_of(number) if number >= 0 else uid_of_key(name)
            self._tags[name] = Tag(uid_of(card_number("QQ")) if name == STRANGER else uid)
        return self._tags[name]

    def stir(self) -> None:
        """Something happens: the table does not rest yet."""
        self._stirred_us = self.world.now_us

    # --- power ---

    def power(self, on: bool) -> None:
        """Take the power away, at any moment, or give it back."""
        self.has_power = on
        self._leaves = True
        self._falls = 0

    def begin(self, setup: str) -> None:
        """Start the table with that header as the game that was chosen (between/chosen.py: NEXT_FILE)."""
        def write() -> None:
            give_up(self.flash)
            (self.flash / "next.txt").write_text(setup, encoding="utf-8")

        self.power(False)
        self._after_off = write

    def go_on(self, write: Callable[[Path], None]) -> None:
        """Start the table with a game under way, which `write` puts into its folder while it has no power."""
        def replace() -> None:
            give_up(self.flash)
            write(self.folder)

        self.power(False)
        self._after_off = replace

    def speak(self, language: str) -> None:
        """Start it again with another language on its glass."""
        self.language = self.feed.language = language
        self.power(False)
        self._after_off = lambda: (self.flash / "language.txt").write_text(language + "\n", encoding="utf-8")

    _after_off: Callable[[], object] | None = None

    # --- the thread ---

    def _run(self) -> None:
        while not self._is_closing:
            self._leaves = False
            if self.has_power:
                self._run_device()
            else:
                self._changed()
                self._wait(1.0)
                self._drain()
        assert self._device is not None
        self._device.power_off()

    def _run_device(self) -> None:
        """Let the device run until it is told to stop; restart one that crashes."""
        assert self._device is not None
        if not self._device.is_on:
            self._forget()
        self._started_s = time.monotonic()
        self._anchor = (time.monotonic(), self.world.now_us, self.speed)
        try:
            self._device.run(until=self._hold)
        except DeviceError as fall:
            self._note_fall(fall)
        if not self.has_power or self._is_closing:
            self._cut_power()

    def _note_fall(self, fall: DeviceError) -> None:
        """The device has crashed: it is started again, unless it does so again and again."""
        self.on_line(str(fall))
        self.notice = FALLEN
        self._falls = 1 if time.monotonic() - self._started_s > SETTLED_S else self._falls + 1
        self.has_power = self._falls < RESTARTS

    def _cut_power(self) -> None:
        """Take the power away, and give it back where that was only for something to be written."""
        assert self._device is not None
        self._device.power_off()
        self._forget()
        if self._after_off is not None:
            self._write_tags()
            self._after_off()
            self._after_off = None
            self.has_power = True

    def _forget(self) -> None:
        """Reset the device."""
        self._is_up = self._is_in_game = False
        self.said.clear()
        self.follower.forget()
        self.cards = None
        self.digest, self.is_closed, self.kept = "", False, ""
        for hands in self.hands.values():
            hands.acts.clear()

    def _hold(self) -> bool:
        """Asked whenever the device waits: True leaves it there; comes back when its time has come."""
        while True:
            self._drain()
            if self._leaves or self._is_closing:
                return True
            self._take_order()
            ahead_s = self._ahead_s()
            if ahead_s <= BURST_S:
                return False
            if ahead_s == float("inf"):
                self._wait(1.0)
            else:
                self._wake.wait(min(ahead_s, 1.0))
                self._wake.clear()

    def _wait(self, longest_s: float) -> None:
        """Until something is posted, while the table's time does not pass."""
        begun_s = time.monotonic()
        self._wake.wait(longest_s)
        self._wake.clear()
        self.waited_s += time.monotonic() - begun_s

    # --- what a director wants played next ---

    def _take_order(self) -> None:
        """Start the table again if an order waits between two games: its lobby then proposes that game, and a player
        confirms it."""
        if time.monotonic() < self._asked_s:
            return
        self._asked_s = time.monotonic() + ORDER_S
        is_between = self._is_up and (self.is_closed or not self._is_in_game)
        is_quiet = time.monotonic() > self._moved_s + QUIET_S
        if is_between and is_quiet and (self.folder / ORDER_FILE).exists() and self._is_free():
            self.power(False)
            self._after_off = self._propose

    def _is_free(self) -> bool:
        """Whether no game is under way, and none was chosen."""
        chosen = self.flash / NEXT_FILE
        return not has_unfinished(str(self.follower.folder)) and not (chosen.exists() and chosen.stat().st_size)

    def _propose(self) -> None:
        """Bring the order onto the flash, as the game that the lobby proposes; each order once."""
        order = self.folder / ORDER_FILE
        if order.exists() and self._is_free():
            order.replace(self.flash / LAST_FILE)

    def _ahead_s(self) -> float:
        """How far the device is ahead of its time; endless while it rests."""
        if self.stands_still or self._rests():
            self._anchor = (0.0, 0, 0.0)
            return float("inf")
        speed = self.speed
        real_s, here_us, was = self._anchor
        ahead_s = (self.world.now_us - here_us) / 1e6 / speed - (time.monotonic() - real_s)
        if was != speed or ahead_s < -LATE_S:
            self._anchor = (time.monotonic(), self.world.now_us, speed)
            return 0.0
        return ahead_s

    def _rests(self) -> bool:
        """Whether the table waits for a person: no clock runs, and no virtual player is about to act."""
        if self.world.now_us - self._stirred_us < REST_US or any(hands.acts for hands in self.hands.values()):
            return False
        session = self.session
        if session is None or not self._is_up:
            return self._is_up
        register = session.state.register
        clocks = bytes(register[CLOCK:CLOCKS]) + bytes(register[CLOCKS + 2:OWN])
        return self.game.due_ms(session.state) < 0 and not any(clocks)

    def _drain(self) -> None:
        while not self._posts.empty():  # asked at each answer to the device: cheaper than the exception of an empty one
            work = self._posts.get_nowait()
            self.stir()
            try:
                work()
            except Exception as bug:  # noqa: BLE001 - one visitor's bug must not stop the table for the others
                self.bugs.note(bug)

    def _close(self) -> None:
        self._is_closing = True

    # --- what it hears and sees ---

    def _hear(self, line: str) -> None:
        """A line that the firmware printed."""
        if line.startswith("cardtable on "):
            self._forget()
        elif line.startswith("boot: "):
            self._is_up = True
        elif line == "cardtable 1":
            self._is_in_game = True
        elif line.startswith("digest: "):
            self.digest = line[8:]
        elif line.startswith("result: "):
            self.is_closed = True
        elif line.startswith(LASTING):
            self.notice = line
        self.feed.note(line)
        self.said.append(line)
        self.stir()
        self.on_line(line)

    def _watch(self) -> Any:
        """An actor that looks at everything, again and again."""
        while True:
            yield WATCH_US
            self.waited_s += (self.world.now_us - self._waited_us) / 1e6 / self.speed
            self._waited_us = self.world.now_us
            try:
                self._look()
            except Exception as bug:  # noqa: BLE001 - the display must not stop the table
                self.bugs.note(bug)

    def _look(self) -> None:
        if self._is_in_game and self.follower.look(self.world.now_us):
            self._take_in()
        lights = bytes(part for place in self.hands for part in self.light(place))
        glass = tuple(bytes(screen._ram) for screen in self.world.screens)
        if glass != self._glass:
            self._glass, self._moved_s = glass, time.monotonic()
        seen = (lights, glass, self.world.buzzer, self.follower.version, self._is_up, self._is_in_game)
        if seen != self._seen:
            self._seen = seen
            self.stir()
        if self.library is not None and self.world.now_us >= self._tidied_us + TIDY_US:
            self._tidied_us = self.world.now_us
            if kept := keep(self.flash, self.library):
                self.records = list_names(self.library)
                self.kept = kept[-1] if self.is_closed else ""
        self._changed()

    def _changed(self) -> None:
        """Tell the listener, if anything is otherwise than it was told."""
        working = [hands.has_work for hands in self.hands.values()]
        looked = (self._seen, self.has_power, working,
                  str(self.lying), self.deals_itself, self.free_hand, self.speed,
                  self.notice, len(self.records), self.kept, left_s(self.session, self.now_ms),
                  str(self.proposals), str(self.crowded), self.awaited(),
                  [(chair.who, chair.name, chair.came) for chair in self.seating.chairs.values()])
        if looked != self._looked:
            self._looked = looked
            self.on_change()

    def _take_in(self) -> None:
        """The record has grown."""
        course = self.follower.course
        if course is None:
            return
        if self.cards is None or self.cards.session is not course.session:
            if course.nonce != self._nonce:
                self._nonce = course.nonce
                self._deals += 1
            self.cards = Cards(course.session, f"{self.seed} {self._deals}", course.nonce, self.folder)
        if self.lesson is not None:
            self.lesson.follow(self)
        self.cards.settle(self.follower.fresh)
        self.feed.close()


class LiveFingers(Fingers):
    """Fingers that know from the record whether a play stood, and need not wait for a light to go out."""

    def __init__(self, table: LiveTable) -> None:
        self.table = table
        self.world = table.world
        self._anchor = (0, 0)

    # The game changes while the hands stay: they know only what the table's follower knows now.
    game = property(lambda self: self.table.game, lambda self, value: None)  # type: ignore[assignment]
    shadow = property(lambda self: self.table.session, lambda self, value: None)  # type: ignore[assignment]
    places = property(lambda self: self.table.header.places, lambda self, value: None)  # type: ignore[assignment]
    _undo_us = property(lambda self: self.world.now_us, lambda self, value: None)  # type: ignore[assignment]

    def wait_until_ready(self, place: int) -> Any:
        """Nothing to wait for; what the record holds of the seat so far is remembered."""
        self._answered = {place: self.table.answers(self.table.seat_at(place))}
        return
        yield

    def wait_for_verdict(self, place: int) -> Any:
        """Until the record has one more line of the seat, for as long as a person would look."""
        seat, late_us = self.table.seat_at(place), self.world.now_us + 1_500_000
        while self.table.answers(seat) == self._answered.get(place) and self.world.now_us < late_us:
            yield 20_000

    def tap(self, place: int, card: int) -> Any:
        """Lay the card on the reader of the place."""
        yield self.table.gone_in_us(place, card_name(card))
        self.table.put(place, card_name(card))

    def take_off(self, place: int) -> Any:
        """Take the card on the reader away."""
        for name in list(self.table.lying[place]):
            yield 120_000
            self.table.take(place, name)


def uid_of_key(name: str) -> bytes:
    """The UID of a tag that is no card: the arbiter's key, a player's token."""
    return bytes([0x04]) + hashlib.sha256(name.encode()).digest()[:6]


def make_device(runtime: str, world: World, flash: Path, built: Path, shims: Path,
                hear: Callable[[str], None]) -> Device:
    """The device, under MicroPython where there is one, else inside a CPython of its own."""
    if runtime == "cpython":
        return Device(world, flash, on_line=hear, runtime=runtime)
    return Device(world, flash, built, shims, is_spacious=True, on_line=hear)

