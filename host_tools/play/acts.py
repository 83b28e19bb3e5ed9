"""Decides what a browser may do at the table, act by act. Called in the table's thread.

Every act is judged here by who asks: a seat's browser plays its seat with the cards that it sees; the host does so for
the seats that sit there, and arranges the table. What is refused here never reaches the firmware; what reaches it is
judged by it alone.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.deck import card_number
from cardtable.engine.event import LEAD, NO_CARD, PAIR, find_verb, pack, verb_arguments
from cardtable.engine.hands import is_counted
from cardtable.engine.reading import close_header, read_key
from cardtable.engine.record import Header, RecordError, SetupError
from cardtable.engine.session import Session
from cardtable.engine.state import STOCK
from cardtable.play.seats import menu_verbs
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.sight.recorded import Recorded
from host_tools.sight.scene import FACE_DOWN
from host_tools.play.continued import ANEW, LIE, Beginning, find_beginning
from host_tools.play.hints import with_hints
from host_tools.play.lessons.guide import guide, seat_for
from host_tools.play.lessons.lesson import Held, Lesson
from host_tools.play.library import RECORD
from host_tools.play.seating import DEFAULT_BOT, HERE, PHONE, check_different, check_name, check_who, name_bots
from host_tools.play.table import LiveTable, People
from host_tools.play.tags import ARBITER, STRANGER, TOKEN
from host_tools.judge.sentences import languages
from host_tools.virtual.world import KEYS

SPEEDS = (0.25, 8.0)
NEXT_US = 12_000_000  # how long a table may take to come back with the next game of a match
TEXT_LIMIT = 200  # characters of any text in an act
NO_ACTS = "spectators do not play"


class NotAllowed(Exception):
    """An act that is not taken; one sentence in English, which Sentences.why says in the table's language."""


def has_acts(table: LiveTable, role: str) -> bool:
    """Whether pages of that role may do anything here."""
    return role in ("host", "seat") or bool(table.acts_for(role))


class Actor:
    """Who acts: `role`, the `seats` it plays; `page`, which of all open pages it is, and `write`, by which that page is
    told what to write on a tag."""

    def __init__(self, table: LiveTable, role: str, seats: list[int], page: object = None,
                 write: Callable[[bytes, str], object] | None = None) -> None:
        self.table: Any = table
        self.role = role
        self.seats = seats
        self.page, self.write = page, write

    def do(self, message: dict[str, Any]) -> str:
        """Take one act; a sentence if there is something to say of it. NotAllowed."""
        name = self.text(message, "do")
        more = self.table.acts_for(self.role)
        if self.role not in ("host", "seat") and name not in more:
            raise NotAllowed(NO_ACTS)
        if name in FOR_HOST and self.role != "host":
            raise NotAllowed("only the host arranges the table")
        act = {**FOR_ALL, **FOR_HOST, **more}.get(name)
        if act is None:
            raise NotAllowed("there is no such act")
        try:
            return act(self, message) or ""
        except UnusableInput as wrong:
            raise NotAllowed(str(wrong)) from wrong

    # --- what a message says ---

    def text(self, message: dict[str, Any], key: str) -> str:
        """A text of the message. NotAllowed."""
        value = message.get(key, "")
        if not isinstance(value, str) or len(value) > TEXT_LIMIT:
            raise NotAllowed(f"{key} is no text")
        return value

    def number(self, message: dict[str, Any], key: str, low: int, high: int) -> int:
        """A whole number of the message. NotAllowed."""
        value = message.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise NotAllowed(f"{key} is no number from {low} to {high}")
        return value

    def flag(self, message: dict[str, Any], key: str) -> bool:
        """True or false. NotAllowed."""
        value = message.get(key, False)
        if not isinstance(value, bool):
            raise NotAllowed(f"{key} is neither true nor false")
        return value

    def place(self, message: dict[str, Any]) -> int:
        """The place of the seat for which this browser may act. NotAllowed."""
        seat = self.number(message, "seat", 1, 7)
        table = self.table
        is_free = self.has_free_hand or self.role == "host" and table.phase in ("lobby", "over", "stopped")
        if seat not in self.seats and not is_free:
            raise NotAllowed("that is not your seat")
        place = self.table.place_of(seat)
        if not place:
            raise NotAllowed("nobody sits there in this game")
        return place

    @property
    def has_free_hand(self) -> bool:
        """Whether this browser may do anything with any tag."""
        return self.role == "host" and bool(self.table.hands.are_free)

    def reader(self, message: dict[str, Any]) -> int:
        """A reader on which this browser may lay something. NotAllowed."""
        if "reader" not in message:
            return self.place(message)
        reader = self.number(message, "reader", 1, len(self.table.hands))
        if not self.has_free_hand and self.table.seat_at(reader) not in self.seats:
            raise NotAllowed("that is not your reader: switch on free hand to use it")
        return reader

    def card(self, message: dict[str, Any]) -> str:
        """A card that this browser has in its hands or sees on the table, or the top of a pile. NotAllowed."""
        if self.table.session is None or self.table.cards is None:
            raise NotAllowed("there are no cards yet")
        if "pile" in message:
            return self.top_of(self.text(message, "pile"))
        return self.named(message)

    def named(self, message: dict[str, Any]) -> str:
        """A card that is said by its name: this browser has it in its hands or sees it on the table. NotAllowed."""
        name = self.text(message, "card")
        if not self.sees(name):
            raise NotAllowed("you do not have that card")
        return name

    def sees(self, name: object) -> bool:
        """Whether that is a card which this browser has in its hands or sees on the table. Hands lay no other one on a
        reader: from which pile it went there, everybody would see (T11)."""
        scene = self.table.scene()
        seen = scene.piles([seat for seat in self.seats if seat <= scene.seats()]) if scene.course else []
        return any(name in pile.cards for pile in seen)

    def top_of(self, place: str) -> str:
        """The card that comes next from a pile that lies face down. NotAllowed."""
        table = self.table
        if place.rstrip("0123456789") not in FACE_DOWN or place == "discard":
            raise NotAllowed("you cannot take from there")
        seat = next((seat for seat in self.seats if table.waits[seat] in table.game.CHANCE), 0)
        verb = table.game.CHANCE.get(table.waits[seat], 0) if seat else 0
        card = table.cards.next_card(seat, verb, table.now_ms, frozenset(table.tags.on_their_way)) if verb else None
        if card is None and is_counted(table.session.state):
            raise NotAllowed("you cannot take from there")  # its cards come by themselves (T4)
        if card is None:
            where = table.session.state.where
            lying = [card for card in table.cards.order if where[card] == STOCK and card not in table.cards.held]
            card = lying[-1] if lying else None
        if card is None:
            raise NotAllowed("nothing lies there")
        return table.name_of(card)

    # --- with the hands of a seat ---

    def ask(self, place: int, act: Callable[[], Any]) -> None:
        """Have the hands do it when they are free. NotAllowed."""
        if not self.table.hands[place].ask(act):
            raise NotAllowed("your hands are full: wait a moment")

    def guided(self, place: int, do: str, meant: Any) -> int:
        """What a lesson makes of an act: an event to do in its place, or 0. NotAllowed if it asks for another."""
        try:
            return guide(self.table, self.table.seat_at(place), do, meant)
        except Held as held:
            raise NotAllowed(str(held)) from None

    def tap(self, message: dict[str, Any]) -> str:
        """Lay a card on the seat's reader and take it back after the verdict; says if that has to wait a moment."""
        place = self.place(message)
        card = self.card(message)
        hands = self.table.hands[place]
        # The lesson first: its step may be asked for already while the last card drawn lies on the reader.
        packed = self.guided(place, "tap", card_number(card)) if "pile" not in message else 0
        if hands.is_drawing and "pile" not in message:
            raise NotAllowed("the table draws for you: wait a moment")
        if packed:
            self.ask(place, lambda: hands.play(packed))
            return ""
        is_late = hands.holds_back(card)
        self.ask(place, lambda: hands.tap(card))
        return "that card has to leave the reader first: your tap counts in a moment" if is_late else ""

    def lay(self, message: dict[str, Any]) -> None:
        """Lay a card on a reader and leave it there."""
        self.number(message, "seat", 1, 7)
        reader = self.reader(message)
        card = self.card(message)
        self.guided(reader, "lay", card)
        self.ask(reader, lambda: put(self.table, reader, card))

    def lift(self, message: dict[str, Any]) -> None:
        """Take a card, or all, from a reader. A card face down there goes by no name: a guess would tell it (T11)."""
        reader, wanted = self.reader(message), self.text(message, "card")
        if wanted and not (self.has_free_hand or self.sees(wanted)):
            raise NotAllowed("you do not have that card")
        for name in list(self.table.tags.lying[reader]):
            if name == wanted or not wanted:
                self.table.tags.take(reader, name)

    def key(self, message: dict[str, Any]) -> str:
        """One of the four buttons. NotAllowed."""
        key = self.text(message, "key")
        if key not in KEYS:
            raise NotAllowed(f"a seat has the buttons {', '.join(KEYS)}")
        return key

    def press(self, message: dict[str, Any]) -> None:
        """One press of a button."""
        place, key = self.place(message), self.key(message)
        hands = self.table.hands[place]
        packed = self.guided(place, "press", key)
        self.ask(place, lambda: hands.play(packed) if packed else hands.press(key))

    def hold(self, message: dict[str, Any]) -> None:
        """A button goes down."""
        place = self.place(message)
        self.guided(place, "hold", self.key(message))
        self.table.hands[place].hold(self.key(message))

    def release(self, message: dict[str, Any]) -> None:
        """It goes up again."""
        self.table.hands[self.place(message)].let_go(self.key(message))

    def play(self, message: dict[str, Any]) -> None:
        """Have the hands do whatever says this at the table."""
        place, table = self.place(message), self.table
        if table.session is None:
            raise NotAllowed("no game goes on")
        verb = find_verb(table.game, self.text(message, "verb"))
        if verb < 0 or verb != LEAD and verb not in menu_verbs(table.session, True):
            raise NotAllowed("this game has no such play")  # nor where the house rules leave it out (has_verb)
        kinds = verb_arguments(table.game, verb)
        card = NO_CARD
        if kinds[:1] == "C":
            card = card_number(self.named(message))  # no pile's top one: how hands say it tells what a card can mean
        target: Any = message.get("target") or 0
        if verb == LEAD:
            target = table.seat_at(place)
        elif kinds == PAIR:
            target = card_number(target) if self.sees(target) else -1
        if not isinstance(target, int) or isinstance(target, bool) or not 0 <= target <= 255:
            raise NotAllowed("that is no target")
        hands = table.hands[place]
        packed = pack(verb, card, target)
        self.guided(place, "play", packed)
        self.ask(place, lambda: hands.play(packed))

    # --- a seat whose phone is gone ---

    def propose(self, message: dict[str, Any]) -> None:
        """A virtual player shall take the seat over."""
        seat = self.number(message, "seat", 1, 7)
        if self.table.seating.chairs[seat].who != PHONE or seat in self.table.seating.present:
            raise NotAllowed("somebody plays that seat")
        self.table.seating.proposals.setdefault(seat, set()).update(self.seats)
        self.count(seat)

    def agree(self, message: dict[str, Any]) -> None:
        """So be it."""
        seat = self.number(message, "seat", 1, 7)
        if seat not in self.table.seating.proposals:
            raise NotAllowed("nobody has proposed that")
        self.table.seating.proposals[seat].update(self.seats)
        self.count(seat)

    def count(self, seat: int) -> None:
        """When everybody else who is here, and plays, agrees the virtual player sits down."""
        others = {other for other in self.table.seating.present if other != seat and self.table.place_of(other)}
        if others <= self.table.seating.proposals[seat]:
            del self.table.seating.proposals[seat]
            self.table.seating.stand_in(seat, True)

    def next(self, message: dict[str, Any]) -> None:
        """Leave the finished game for the next one of the match: anybody who plays may press OK."""
        self.leave(True)

    # --- for the host ---

    def check_given_up(self, message: dict[str, Any]) -> None:
        """NotAllowed if another game is under way, and not given up."""
        if not self.flag(message, "give_up") and self.table.is_under_way:
            raise NotAllowed("a game is under way: say that it is given up")

    def start(self, message: dict[str, Any]) -> None:
        """Begin a game: its set-up goes onto the flash, and the table starts with it."""
        table = self.table
        seats = message.get("seats")
        if not isinstance(seats, list) or not all(isinstance(one, dict) for one in seats):
            raise NotAllowed("seats is no list of people")
        people = [(check_name(self.text(one, "name")), check_who(self.text(one, "who"))) for one in seats[:8]]
        people = name_bots(people, table.language)
        dealer = self.number(message, "dealer", 1, 7) if message.get("dealer") else len(people)
        game = with_hints(for_two(self.text(message, "game"), len(people)), [who for _, who in people])
        setup = write_setup(game, [name for name, _ in people], dealer, len(table.hands))
        self.check_given_up(message)
        table.begin(table.note_setup(setup), people)

    def learn(self, message: dict[str, Any]) -> None:
        """Begin a first game of that game, with this person and virtual players."""
        self.check_given_up(message)
        self.table.begin(*begin_lesson(self.table, self.text(message, "game")))

    def continue_(self, message: dict[str, Any]) -> None:
        """Play on from a line of a finished game, with this person at one seat and virtual players at the others."""
        table = self.table
        if table.is_real:
            raise NotAllowed("real cards cannot be laid as they lay")
        self.check_given_up(message)
        record = find_record(table.known.library, self.text(message, "record"))
        line, seat = self.number(message, "line", 1, 10_000_000), self.number(message, "seat", 1, 7)
        found, people = continue_from(table, record, line, seat, self.flag(message, "anew"))
        table.go_on(found.write, people)

    def begin(self, message: dict[str, Any]) -> None:
        """Do not wait any longer for phones that have not come: virtual players sit there until they do."""
        for seat in self.table.awaited():
            self.table.seating.stand_in(seat, True)
        self.table.seating.begins_without = True

    def sit(self, message: dict[str, Any]) -> None:
        """Who plays a seat from now on."""
        name, seat, seating = self.text(message, "name"), self.number(message, "seat", 1, 7), self.table.seating
        if name:
            count = len(self.table.header.seats) if self.table.header is not None else 0
            others = [seating.chairs[other].name for other in range(1, count + 1) if other != seat]
            check_different([check_name(name), *others])
        seating.sit(seat, self.text(message, "who"), name)

    def power(self, message: dict[str, Any]) -> None:
        """The power goes, or comes back."""
        self.table.machine.power(self.flag(message, "on"))

    def deal(self, message: dict[str, Any]) -> None:
        """Who deals and draws."""
        by = self.text(message, "by")
        if by not in ("table", "hand"):
            raise NotAllowed("cards are dealt by table or by hand")
        self.table.hands.by_themselves = by == "table"

    def free(self, message: dict[str, Any]) -> None:
        """Free hand, or not."""
        self.table.hands.are_free = self.flag(message, "on")

    def tag(self, message: dict[str, Any]) -> None:
        """Lay any tag on any reader."""
        if not self.table.hands.are_free:
            raise NotAllowed("switch on free hand first")
        name = self.text(message, "tag")
        reader = self.number(message, "reader", 1, len(self.table.hands))
        if name not in (STRANGER, ARBITER) and not name.startswith(TOKEN) and card_number(name) < 0:
            raise NotAllowed("there is no such tag")
        self.ask(reader, lambda: put(self.table, reader, name))

    def language(self, message: dict[str, Any]) -> None:
        """The table speaks another language from now on."""
        language = self.text(message, "language")
        if language not in languages():
            raise NotAllowed(f"the table speaks {', '.join(languages())}")
        self.table.speak(language)

    def speed(self, message: dict[str, Any]) -> None:
        """Time passes faster or slower."""
        speed = message.get("speed")
        if not isinstance(speed, (int, float)) or not SPEEDS[0] <= speed <= SPEEDS[1]:
            raise NotAllowed(f"speed goes from {SPEEDS[0]} to {SPEEDS[1]:g}")
        self.table.machine.speed = float(speed)

    def lobby(self, message: dict[str, Any]) -> None:
        """Leave the finished game."""
        self.leave(False)

    def leave(self, plays: bool) -> None:
        """OK leads to the lobby, and there to the game that it proposes. NotAllowed."""
        table = self.table
        if table.phase != "over" or not table.known.is_closed:
            raise NotAllowed("the last game is not written down yet")
        seats = self.seats if self.role == "seat" else [1]
        place = next(filter(None, map(table.place_of, seats)), 0)
        if not place:  # a phone that came by the code for a seat that this game has not
            raise NotAllowed("that is not your seat")

        def act() -> Any:
            yield from table.hands[place].press("OK")
            late_us = table.now_us + NEXT_US
            while plays and table.phase != "lobby" and table.now_us < late_us:
                yield 100_000
            if plays and table.phase == "lobby":
                yield from table.hands[place].press("OK")

        table.world.people.add(table.bugs.guard(act(), "on the way to the next game"))


def put(table: LiveTable, reader: int, name: str) -> Any:
    """Lay it down, as an act of a place's hands."""
    yield table.tags.gone_in_us(reader, name)  # else it would be the tap that was judged already (T5)
    table.tags.put(reader, name)
    yield 0


def begin_lesson(table: LiveTable, name: str) -> tuple[str, People, Lesson]:
    """The set-up with which that lesson begins, and its people: the learner and virtual players. UnusableInput."""
    lesson = Lesson(name)
    people = seat_for(lesson, table.language)
    setup = write_setup(lesson.line, [one for one, _ in people], lesson.script.header.dealer, len(table.hands))
    return setup, people, lesson


def find_record(library: Path | None, name: str) -> Recorded:
    """The finished game of that name. NotAllowed, UnusableInput."""
    path = library / name if library is not None and RECORD.fullmatch(name) else None
    if path is None or not path.is_file():
        raise NotAllowed("there is no such record")
    return Recorded(name, foreign.read_bytes(path))


def continue_from(table: LiveTable, record: Recorded, line: int, seat: int, is_anew: bool) -> tuple[Beginning, People]:
    """The beginning from which is played on, and its people: a person at that seat and virtual players around.
    UnusableInput."""
    found = find_beginning(record, line, seat, ANEW if is_anew else LIE, len(table.hands), table.known.seed)
    names = [check_name(name) for name in record.header.seats]
    check_different(names)
    return found, [(name, HERE if other == seat else DEFAULT_BOT) for other, name in enumerate(names, 1)]


def for_two(game: str, players: int) -> str:
    """The `game:` line as the lobby says it: for two players with what they get who have chosen nothing of it (B13)."""
    words = game.split()
    try:
        usual = getattr(find_game(words[0]), "FOR_TWO", "") if players == 2 else ""
    except (SetupError, IndexError):
        return game  # there is no such game: `write_setup` says so
    said = {word.partition("=")[0] for word in words}
    return " ".join([game, *(word for word in usual.split() if word.partition("=")[0] not in said)])


def write_setup(game: str, names: list[str], dealer: int, places: int) -> str:
    """The text of a set-up file. NotAllowed or UnusableInput says in one sentence why it cannot be played."""
    if len(names) > places:
        raise NotAllowed(f"this table has {places} places")
    check_different(names)
    header = Header()
    started = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        for line in (f"game: {game}", f"seats: {'; '.join(names)}", f"dealer: {dealer}", f"started: {started}"):
            read_key(header, line, 0)
        close_header(header, 0)
        Session(find_game(header.game[0]), header)
    except (RecordError, SetupError, IndexError) as wrong:
        raise NotAllowed(str(wrong) or "there is no such game") from wrong
    if "round=yes" in header.game and "deal=counted" in header.game:
        raise NotAllowed("hands that are passed on (D42) need a scanned deal at the virtual table")
    return "\n".join(header.lines()) + "\n"


FOR_ALL = {
    "tap": Actor.tap, "lay": Actor.lay, "lift": Actor.lift, "press": Actor.press, "hold": Actor.hold,
    "release": Actor.release, "play": Actor.play, "propose": Actor.propose, "agree": Actor.agree,
    "next": Actor.next,
}
FOR_HOST = {
    "start": Actor.start, "sit": Actor.sit, "power": Actor.power, "deal": Actor.deal, "free": Actor.free,
    "tag": Actor.tag, "language": Actor.language, "speed": Actor.speed, "lobby": Actor.lobby,
    "begin": Actor.begin, "learn": Actor.learn, "continue": Actor.continue_,
}
