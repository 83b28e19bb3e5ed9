"""Tells one viewer what it may know of a table, in the messages of docs/play-protocol.md.

The only way from a table to a browser: everything is made for one viewer from what its seats may see (Scene.known, the
public feed's rule of what is hidden) and is never filtered later. Messages are bytes, equal if nothing that the viewer
may know has changed, and then they are not sent again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from cardtable.engine.deck import card_name
from cardtable.engine.hands import is_counted
from cardtable.engine.event import AGREE, LEAD, NO_CARD, Event, pack, unpack, verb_arguments, verb_name
from cardtable.games import durak
from cardtable.table import lights as meanings
from host_tools.judge.nearest import tell_nearest
from host_tools.judge.rulebook.summary import tell_goal
from host_tools.judge.sentences import Sentences
from host_tools.sight.course import Refusal, find_words
from host_tools.sight.scene import HERE, Scene
from host_tools.sight.prompts import ask_agreement, left_s, may_take_back, name_ranks, tell_prompt
from host_tools.sight.waited import tell_roles, tell_waits

SAYS = {
    meanings.colour_of(meanings.WAITED_FOR): "turn",
    meanings.colour_of(meanings.MAY): "turn",
    meanings.colour_of(meanings.ACCEPTED): "accepted",
    meanings.colour_of(meanings.CHOOSING): "choosing",
    meanings.colour_of(meanings.REFUSED): "refused",
    meanings.colour_of(meanings.FAULT): "fault",
}
KEYS = ("OK", "NO", "CALL")


class Viewer:
    """One viewer of a scene: `role`, the `seats` it plays. `messages()` is all that it should have now, by type.

    is_open: sees every card whose place the table knows, but for face-down heaps, whose order it does not know.
    """

    def __init__(self, scene: Scene, role: str = "public", seats: Iterable[int] = (), is_open: bool = False) -> None:
        self.scene, self.role, self.is_open = scene, role, is_open
        self.seats = list(seats)

    def messages(self) -> dict[str, bytes]:
        """Each message that says all there is to say on its subject."""
        found = {"table": self.tell_table(), "lights": self.tell_lights(), "sound": self.tell_sound()}
        if self.sees_screen():
            found["screen"] = self.tell_screen()
        found["view"] = self.tell_view()
        if self.role in ("host", "seat"):
            found["can"] = {"type": "can", "seats": [self.tell_can(seat) for seat in self.own_seats()]}
        if self.scene.real is not None and self.role != "public":
            found["readers"] = self.tell_readers(self.scene.real)
        if self.scene.lesson is not None and self.role == "host":
            found["lesson"] = self.scene.lesson(self.scene.language)
        return {name: encode(message) for name, message in found.items()}

    def own_seats(self) -> list[int]:
        """The viewer's seats that are in this game."""
        return [seat for seat in self.seats if seat <= self.scene.seats()]

    # --- the table ---

    def tell_table(self) -> dict[str, Any]:
        """The seats and the game."""
        scene, course = self.scene, self.scene.course
        header = course.header if course else None
        seats = []
        for seat, name in enumerate(header.seats if header else (), 1):
            who, stands_in = scene.chairs.get(seat, HERE)
            seats.append({"seat": seat, "place": scene.place_of(seat), "name": name, "who": who,
                          "there": seat in scene.present, "stands_in": stands_in, "came": seat in scene.came,
                          "twice": seat in scene.crowded})
        over = scene.phase == "over"
        return {
            "type": "table", "phase": scene.phase, "game": " ".join(header.game) if header else "",
            "title": scene.speaker.title(header.game) if header else "", "seats": seats,
            "goal": tell_goal(" ".join(header.game), scene.language) if header else "",
            "dealer": header.dealer if header else 0, "places": scene.places, "language": scene.language,
            "screen_language": scene.screen_language or scene.language,
            "deal": "table" if scene.deals_itself else "hand", "free": scene.free_hand, "speed": scene.speed,
            "result": scene.speaker.result(course.session.result()) if course and over else "",
            "cards": "virtual" if scene.real is None else "real", "ending": self.tell_ending(),
            "record": scene.record if over else "",
            "digest": scene.digest if over else "", "closed": scene.is_closed,
            "proposals": sorted(scene.proposals), "records": scene.records, "awaited": sorted(scene.awaited),
            "hints": scene.gives_hints, "lesson": scene.lesson is not None,
            "guests": {} if course else {str(seat): name for seat, name in scene.guests.items()},
        }

    def tell_ending(self) -> str:
        """The result in words to who plays one seat here; to others as everybody reads it."""
        course, own = self.scene.course, self.own_seats()
        if course is None or self.scene.phase != "over":
            return ""
        seat = own[0] if len(own) == 1 else 0
        state = course.session.state
        order = {one: course.game.went_out(state, one) for one in range(1, self.scene.seats() + 1)}
        first = min((one for one in order if order[one]), key=lambda one: order[one], default=0)
        is_first, is_out = bool(seat) and seat == first, order.get(seat, 0) > 0
        return self.scene.speaker.ending(course.session.result(), seat, is_first, is_out)

    # --- cards ---

    def tell_view(self) -> dict[str, Any]:
        """Piles, whose turn it is, the last refusal and its reason."""
        scene, course, seats = self.scene, self.scene.course, self.own_seats()
        message: dict[str, Any] = {"type": "view", "piles": [], "turn": [], "refusals": [],
                                   "notice": self.tell_notice(), "heard": sum(scene.heard[one] for one in seats or [0])}
        piles = scene.piles(seats, self.is_open) if course else []
        piles += scene.on_readers(piles, scene.free_hand and self.role == "host")
        message["piles"] = [pile.as_message() for pile in piles if pile.count > 0]
        if course is None:
            return message
        for pile in message["piles"]:
            if pile["kind"] == "set":  # what was said of it, as the screen's first line has it: "Gleb: 3 fours"
                pile["said"] = scene.speaker.claim(course.game.status(course.session.state))
        if course.game is durak:
            message["trump"] = course.trump
        message["turn"] = [seat for seat in range(1, 8) if scene.waits[seat]]
        message["waits"] = tell_waits(scene.speaker, course.game, scene.waits, message["piles"])
        late = self.tell_late()
        if late and any(wait in course.game.CHANCE for wait in scene.waits[1:]):
            message["waits"] = [{"seats": sorted(scene.awaited), "words": late}]
        message["roles"] = tell_roles(course.session, scene.waits)
        message["out"] = scene.speaker.is_out(course.session.state)
        for seat, refusal in sorted(course.refusals.items()):
            message["refusals"].append({"seat": seat, "rule": refusal.rule,
                                        "words": refusal.tell(course.game, scene.language),
                                        "near": self.tell_nearest(refusal) if seat in seats else ""})
        return message

    def tell_late(self) -> str:
        """Whom the table waits for before it deals a card: those whose phones have not come. Empty: for nobody."""
        late = sorted(self.scene.awaited) if self.scene.deals_itself else []
        return self.scene.speaker.waits(0, late, []) if late else ""

    def tell_nearest(self, refusal: Refusal) -> str:
        """T15: what a seat of this viewer could do now instead of what was refused."""
        course, seat = self.scene.course, refusal.seat
        assert course is not None
        if self.scene.real is not None and is_counted(course.session.state):
            return ""  # nobody here knows what that hand could do
        state, hand = course.session.state, self.scene.hand(seat)
        return tell_nearest(course.game, state, seat, hand, self.scene.speaker, course.at_ms, refusal.card,
                            refusal.rule)

    def tell_notice(self) -> str:
        """What the firmware said about itself last, in the table's language."""
        words = Sentences(language=self.scene.language)
        return words.notice(self.scene.notice) or words.why(self.scene.notice)

    # --- what it can do ---

    def tell_can(self, seat: int) -> dict[str, Any]:
        """The question to the seat, the meanings of its buttons, and every play that would stand."""
        scene, course = self.scene, self.scene.course
        message: dict[str, Any] = {"seat": seat, "prompt": "", "keys": dict.fromkeys((*KEYS, "MENU"), ""), "moves": [],
                                   "busy": seat in scene.busy}
        if course is None:
            return message
        game, state, words = course.game, course.session.state, scene.speaker
        if scene.waits[seat]:
            prompt = find_words(game.NAME, scene.language, "P%d" % scene.waits[seat])
            message["prompt"] = prompt.replace("#", str(game.count_to_draw(state, seat)))
            if scene.deals_itself and scene.waits[seat] in game.CHANCE:
                message["prompt"] = self.tell_late() or words.drawn()
        seen = scene.look(seat)
        for index, key in enumerate(KEYS):
            verb = game.button(state, seat, index)
            if verb and seen.named(verb):  # an act that would be refused now has no name on the button
                message["keys"][key] = words.key(verb)
        if course.session.undo_seat not in (0, seat) and left_s(course.session, scene.now_ms):
            message["keys"]["OK"] = ""  # it would agree, whatever else it says (T7)
        message["prompt"] = tell_prompt(words, game, scene.waits[seat], message["prompt"], message["keys"])
        message["prompt"] = name_ranks(words, course.session, scene.waits[seat], message["prompt"])
        if pack(AGREE) in seen.moves:
            message["keys"] = {**dict.fromkeys(message["keys"], ""), "OK": words.key(AGREE)}
            message.update(ask_agreement(words, course.session, scene.now_ms))
        for packed in seen.moves:
            event = unpack(packed, seat, 0, Event())
            message["moves"].append(tell_move(words, game, state, event))
        message["back"] = not scene.is_closed and may_take_back(course.session, seat, scene.now_ms)
        return message

    # --- real cards ---

    def tell_readers(self, real: Mapping[str, Any]) -> dict[str, Any]:
        """Who reads where: to the host all, to the others what everybody at the table notices, and their own."""
        message = {"type": "readers", **real}
        if self.role != "host":
            message["readers"] = [one if one["seat"] in self.seats or self.role == "common" and not one["seat"]
                                  else {"seat": one["seat"], "state": one["state"]} for one in real["readers"]]
        return message

    # --- chips ---

    def tell_lights(self) -> dict[str, Any]:
        """The colours that the strip has."""
        return {"type": "lights", "lights": [
            {"place": place, "rgb": list(rgb), "says": SAYS.get(rgb, "filling") if any(rgb) else "off"}
            for place, rgb in self.scene.lights.items()]}

    def sees_screen(self) -> bool:
        """On a board with a screen for each seat each sees its own."""
        return len(self.scene.glasses) == 1 or bool(self.scene.glasses and self.seats)

    def tell_screen(self) -> dict[str, Any]:
        """The dots of the glass, and what they say."""
        glasses = self.scene.glasses
        place = self.scene.place_of(self.seats[0]) if len(glasses) > 1 else 1
        return {"type": "screen", **glasses[max(0, place - 1)]}

    def tell_sound(self) -> dict[str, Any]:
        """The tone of the buzzer."""
        return {"type": "sound", "hz": self.scene.hertz}


def tell_move(words: Sentences, game: Any, state: Any, event: Event) -> dict[str, Any]:
    """One play: how a record writes it, and how a person says it."""
    kinds = verb_arguments(game, event.verb)
    target: str | int | None = None
    if event.verb != LEAD and (len(kinds) > 1 or kinds and kinds != "C"):
        target = card_name(event.target) if kinds[-1] == "C" else event.target
    return {"verb": verb_name(game, event.verb), "card": None if event.card == NO_CARD else card_name(event.card),
            "target": target, "text": words.move(event.verb, event.card, event.target, state, event.seat)}


def encode(message: dict[str, Any]) -> bytes:
    """As it goes over the wire."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
