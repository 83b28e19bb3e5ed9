"""Tells one viewer of a live table what it may know, in the messages of docs/play-protocol.md.

Called in the table's thread.

The only way from the table to a browser: everything is made for one viewer from what that viewer's seats may see
(game.view, the public feed's rule of what is hidden) and is never filtered later. Messages are bytes, equal if nothing
that the viewer may know has changed, and then they are not sent again.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

from cardtable.drivers import font6x8
from cardtable.engine.deck import card_name
from cardtable.engine.event import AGREE, DRAW, LEAD, NO_CARD, Event, pack, unpack, verb_arguments, verb_name
from cardtable.engine.state import STOCK, place_name
from cardtable.table import lights as meanings
from cardtable.table.words import Words
from host_tools.sight.layout import Pile, lay_out
from host_tools.sight.seen import Heard, look
from host_tools.sight.waited import tell_roles, tell_waits
from host_tools.judge.nearest import tell_nearest
from host_tools.judge.sentences import Sentences
from host_tools.virtual.glass import read_text

if TYPE_CHECKING:
    from host_tools.sight.follower import Refusal

FEED_FIRST = 50  # lines of the feed that a new connection gets
FEED_LIMIT = 400  # lines that are kept
SAYS = {
    meanings.colour_of(meanings.WAITED_FOR): "turn",
    meanings.colour_of(meanings.MAY): "turn",
    meanings.colour_of(meanings.ACCEPTED): "accepted",
    meanings.colour_of(meanings.CHOOSING): "choosing",
    meanings.colour_of(meanings.REFUSED): "refused",
    meanings.colour_of(meanings.FAULT): "fault",
}
KEYS = ("OK", "NO", "CALL")
LASTING = ("set-up: ", "damaged: ")  # lines of the firmware that stay on the page


class Seen(Protocol):
    """What is asked of whatever is shown: a table that people play at, a recording, or a feed that is followed."""

    board: Any  # its data: boards/NAME.py
    cards: Any  # where the cards are, and who holds which; None before a game
    came: Any  # card: when it came to where it lies
    deals_itself: bool
    digest: str
    feed: Any
    follower: Any
    free_hand: Any
    game: Any
    hands: Any
    header: Any
    is_closed: bool
    kept: str
    language: str
    lying: Any
    notice: Any
    now_ms: Any
    phase: str
    present: Any
    proposals: Any
    records: Any
    seating: Any
    session: Any
    speed: float
    waits: Any
    world: Any

    def glass(self, number: int) -> dict[str, Any]: ...
    def has_work(self, seat: int) -> bool: ...
    def light(self, place: int) -> Any: ...
    def number_of(self, name: str) -> int: ...
    def place_of(self, seat: int) -> int: ...
    def seat_at(self, place: int) -> int: ...


class Feed:
    """The public feed in sentences, numbered from 1 since this process began; the last ones are kept in `lines`."""

    def __init__(self, table: Seen) -> None:
        self.table = table
        self.lines: list[dict[str, Any]] = []
        self.count = 0
        self.trump = ""  # the suit that was turned up in this game, for those who come later
        self._nonce = ""
        self._result = ""
        self._dealt = 0  # cards of this game's deal so far

    def hear(self, said: Heard, refusal: Refusal | None) -> None:
        """Something that everybody may hear; the session stands as it stood before."""
        words = speaker(self.table)
        if self._nonce != self.table.follower.nonce:
            self._nonce, self._result, self.trump = self.table.follower.nonce, "", ""
            self._dealt = 0
            self.add(words.title(self.table.header.game), "table")
        if refusal is not None:
            told = refusal_words(self.table, refusal.key, refusal.fact)
            self.add(words.refusal(said.seat, refusal.rule, told), "refusal", said.seat, refusal.rule)
            return
        if verb_name(self.table.game, said.verb) == "turn" and card_name(said.card)[1:] in tuple("SHDC"):
            self.trump = card_name(said.card)[1]
        text = words.event(said.seat, said.verb, said.card, said.target, before=self.table.session.state)
        if said.opened:
            text += " " + " ".join(words.card(card) for card in said.opened)
        if said.verb == DRAW and self.table.game.is_dealing(self.table.session.state):
            self._dealt += 1
            self.add(text, "event", said.seat, dealt=self._dealt)
        else:
            self.add(text, "event", said.seat)

    def note(self, line: str) -> None:
        """A line in which the firmware speaks of itself. What stays true is a notice (tell_notice), no line of this."""
        told = "" if line.startswith(LASTING) else speaker(self.table).notice(line)
        if told:
            self.add(told, "table")

    def close(self) -> None:
        """The game may have its result."""
        session = self.table.session
        result = session.result() if session is not None else ""
        if result != self._result:
            self._result = result
            if result:
                self.add(speaker(self.table).result(result), "table")

    def add(self, text: str, kind: str, seat: int = 0, rule: str = "", dealt: int = 0) -> None:
        """One more line. dealt: which card of the deal it tells of."""
        self.count += 1
        line = {"n": self.count, "text": text, "kind": kind, "seat": seat, "rule": rule}
        self.lines.append({**line, "dealt": dealt} if dealt else line)
        del self.lines[:-FEED_LIMIT]

    def since(self, number: int) -> list[dict[str, Any]]:
        """The lines behind that one, at most FEED_FIRST of them if it is 0."""
        return [line for line in self.lines if line["n"] > number][-FEED_FIRST if not number else None :]


def speaker(table: Seen) -> Sentences:
    """Sentences of the game that is played, in the table's language."""
    return Sentences(table.game, table.header.seats if table.header else (), table.language)


def refusal_words(table: Seen, key: str, fact: str) -> str:
    """The firmware's own words of a refusal."""
    return Words(table.game.NAME, table.language).find(key).replace("#", fact)


class Viewer:
    """One viewer of the table: `role`, the `seats` it plays. `messages()` is all that it should have now, by type."""

    def __init__(self, table: Seen, role: str, seats: Iterable[int]) -> None:
        self.table = table
        self.role = role
        self.seats = list(seats)

    def messages(self) -> dict[str, bytes]:
        """Each message that says all there is to say on its subject."""
        found = {"table": self.tell_table(), "lights": self.tell_lights(), "sound": self.tell_sound()}
        if self.sees_screen():
            found["screen"] = self.tell_screen()
        found["view"] = self.tell_view()
        if self.role != "public":
            found["can"] = {"type": "can", "seats": [self.tell_can(seat) for seat in self.own_seats()]}
        return {name: encode(message) for name, message in found.items()}

    def own_seats(self) -> list[int]:
        """The viewer's seats that are in this game."""
        count = len(self.table.header.seats) if self.table.header else 0
        return [seat for seat in self.seats if seat <= count]

    # --- the table ---

    def tell_table(self) -> dict[str, Any]:
        """The seats and the game."""
        table = self.table
        header, phase = table.header, table.phase
        in_game = header is not None and phase in ("deal", "play", "over")
        seats = []
        for seat in range(1, len(header.seats) + 1) if in_game else ():
            chair = table.seating.chairs[seat]
            seats.append({"seat": seat, "place": header.places[seat - 1], "name": header.seats[seat - 1],
                          "who": chair.who, "there": seat in table.present, "stands_in": chair.stands_in})
        over = phase == "over"
        return {
            "type": "table", "phase": phase, "game": " ".join(header.game) if in_game else "",
            "title": speaker(table).title(header.game) if in_game else "", "seats": seats,
            "dealer": header.dealer if in_game else 0, "places": table.board.SEATS, "language": table.language,
            "deal": "table" if table.deals_itself else "hand", "free": table.free_hand, "speed": table.speed,
            "result": speaker(table).result(table.session.result()) if over else "",
            "ending": self.tell_ending() if over else "",
            "digest": table.digest if over else "", "closed": table.is_closed, "record": table.kept if over else "",
            "proposals": sorted(table.proposals), "records": table.records,
        }

    def tell_ending(self) -> str:
        """The result in words to who plays one seat here; to others as everybody reads it."""
        table, own = self.table, self.own_seats()
        seat = own[0] if len(own) == 1 else 0
        state = table.session.state
        order = {one: table.game.went_out(state, one) for one in range(1, len(table.header.seats) + 1)}
        first = min((one for one in order if order[one]), key=lambda one: order[one], default=0)
        return speaker(table).ending(table.session.result(), seat, bool(seat) and seat == first)

    # --- cards ---

    def tell_view(self) -> dict[str, Any]:
        """Piles, whose turn it is, the last refusal and its reason."""
        table = self.table
        heard = sum(table.follower.told[seat] for seat in self.own_seats() or [0])
        message: dict[str, Any] = {"type": "view", "piles": [], "turn": [], "refusals": [],
                                   "notice": self.tell_notice(), "heard": heard}
        if table.session is None or table.phase not in ("deal", "play", "over") or table.cards is None:
            message["piles"] = [pile.as_message() for pile in self.on_readers([])]
            return message
        seats = self.own_seats()
        held = {seat: table.cards.hand(seat) for seat in seats}
        piles = lay_out(table.session, seats, held, table.came)
        piles += self.on_readers(piles)
        message["piles"] = [pile.as_message() for pile in piles if pile.count > 0]
        self.tell_claim(message["piles"])
        if table.feed.trump:
            message["trump"] = table.feed.trump
        message["turn"] = [seat for seat in range(1, 8) if table.waits[seat]]
        words = speaker(table)
        message["waits"] = tell_waits(words, table.game, table.waits, message["piles"])
        message["roles"] = tell_roles(table.session, table.waits)
        message["out"] = words.is_out()
        for seat, refusal in sorted(table.follower.refusals.items()):
            said = refusal_words(table, refusal.key, refusal.fact)
            message["refusals"].append({"seat": seat, "rule": refusal.rule, "words": said,
                                        "near": self.tell_nearest(seat) if seat in seats else ""})
        return message

    def tell_nearest(self, seat: int) -> str:
        """T15: what a seat of this viewer could do now instead of what was refused."""
        table = self.table
        return tell_nearest(table.game, table.session.state, seat, table.cards.hand(seat), speaker(table))

    def tell_claim(self, piles: list[dict[str, Any]]) -> None:
        """What was said of the last set, as the screen's first line has it for all: "Gleb: 3 fours"."""
        for pile in piles:
            if pile["kind"] == "set":
                pile["said"] = speaker(self.table).claim(self.table.game.status(self.table.session.state))

    def tell_notice(self) -> str:
        """What the firmware said about itself last, in the table's language."""
        notice = self.table.notice
        words = Sentences(language=self.table.language)
        return words.notice(notice) or words.why(notice)

    def on_readers(self, piles: list[Pile]) -> list[Pile]:
        """The cards on the readers: each that this viewer sees, else a back."""
        table = self.table
        places = {name: pile for pile in piles for name in pile.cards}
        found = []
        for place, names in table.lying.items():
            if not names:
                continue
            seat = table.seat_at(place)
            shown = [name for name in names if name in places or table.free_hand and self.role == "host"]
            for name in names:
                pile = places.get(name) or self.pile_of(piles, name)
                if pile is None:
                    continue
                pile.count -= 1
                if name in pile.cards:
                    pile.cards.remove(name)
            found.append(Pile(f"reader{place}", "reader", seat, place, len(names), shown, place))
        return found

    def pile_of(self, piles: list[Pile], name: str) -> Pile | None:
        """The pile out of which a card that this viewer does not see was taken."""
        number = self.table.number_of(name)
        session = self.table.session
        if session is None or not 0 <= number < session.game.CARDS:
            return None
        place = session.state.where[number]
        owner = self.table.cards.held.get(number, 0)
        wanted = f"hand{owner}" if place == STOCK and owner else place_name(session.game, place)
        return next((pile for pile in piles if pile.place == wanted and pile.count > len(pile.cards)), None)

    # --- what it can do ---

    def tell_can(self, seat: int) -> dict[str, Any]:
        """The question to the seat, the meanings of its buttons, and every play that would stand."""
        table = self.table
        message: dict[str, Any] = {"seat": seat, "prompt": "", "keys": dict.fromkeys((*KEYS, "MENU"), ""), "moves": [],
                                   "busy": table.has_work(seat)}
        if table.session is None or table.cards is None or table.phase not in ("deal", "play", "over"):
            return message
        game, session, words = table.game, table.session, speaker(table)
        if table.waits[seat]:
            prompt = Words(game.NAME, table.language).find("P%d" % table.waits[seat])
            message["prompt"] = prompt.replace("#", str(game.count_to_draw(session.state, seat)))
        seen = look(session, seat, table.now_ms, table.cards.hand(seat))
        for index, key in enumerate(KEYS):
            verb = game.button(session.state, seat, index)
            if verb and seen.named(verb):  # an act that would be refused now has no name on the button
                message["keys"][key] = words.key(verb)
        if pack(AGREE) in seen.moves:
            message["keys"]["OK"] = words.key(AGREE)
        for packed in seen.moves:
            event = unpack(packed, seat, 0, Event())
            message["moves"].append(self.tell_move(words, event))
        return message

    def tell_move(self, words: Sentences, event: Event) -> dict[str, Any]:
        """One play: how a record writes it, and how a person says it."""
        game = self.table.game
        kinds = verb_arguments(game, event.verb)
        target: str | int | None = None
        if event.verb == LEAD:
            target = None
        elif len(kinds) > 1 or kinds and kinds != "C":
            target = card_name(event.target) if kinds[-1] == "C" else event.target
        return {"verb": verb_name(game, event.verb), "card": None if event.card == NO_CARD else card_name(event.card),
                "target": target,
                "text": words.move(event.verb, event.card, event.target, self.table.session.state, event.seat)}

    # --- chips ---

    def tell_lights(self) -> dict[str, Any]:
        """The colours that the strip has."""
        lights = []
        for place in self.table.hands:
            rgb = self.table.light(place)
            says = "off" if not any(rgb) else SAYS.get(rgb, "filling")
            lights.append({"place": place, "rgb": list(rgb), "says": says})
        return {"type": "lights", "lights": lights}

    def sees_screen(self) -> bool:
        """On a board with a screen for each seat each sees its own."""
        return len(self.table.world.screens) == 1 or bool(self.seats)

    def tell_screen(self) -> dict[str, Any]:
        """The dots of the glass, and what they say."""
        screens = self.table.world.screens
        place = self.table.place_of(self.seats[0]) if len(screens) > 1 else 1
        return {"type": "screen", **self.table.glass(max(0, place - 1))}

    def tell_sound(self) -> dict[str, Any]:
        """The tone of the buzzer."""
        hertz, duty = self.table.world.buzzer
        return {"type": "sound", "hz": hertz if duty else 0}


class Glass:
    """The picture of a screen at one moment."""

    def __init__(self, chip: Any) -> None:
        self.rows = chip.rows()

    def pixel(self, x: int, y: int) -> bool:
        """Whether a dot shines."""
        return self.rows[y][x] == "#"


def draw_glass(chip: Any) -> dict[str, Any]:
    """A screen as its message has it: dots as base64, rows from the top, the left dot highest; and its text."""
    glass = Glass(chip)
    bits = "".join(glass.rows).replace("#", "1").replace(".", "0")
    dots = int(bits, 2).to_bytes(len(bits) // 8, "big")
    return {"width": len(glass.rows[0]), "height": len(glass.rows), "dots": base64.b64encode(dots).decode(),
            "text": read_text(glass, font6x8)}


def encode(message: dict[str, Any]) -> bytes:
    """As it goes over the wire."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
