"""Makes a game into frames for the page that shows it again: for each reader what it hears of each event, and what has
changed on the table, in pieces of the messages of docs/play-protocol.md.
"""

from __future__ import annotations

from typing import Any

from cardtable.table import lights
from cardtable.engine.event import verb_name
from host_tools.base.errors import UnusableInput
from host_tools.look.answer import Teller, Told, describe_game
from host_tools.look.judged import tell_judged
from host_tools.look.mistakes import Mistake, can_have_mistakes, read_mistakes
from host_tools.play.acts import NotAllowed
from host_tools.play.web.choices import tell_rule
from host_tools.sight.course import Course
from host_tools.sight.recorded import PUBLIC, Line, Reader, Recorded, viewer_of
from host_tools.sight.scene import scene_of
from host_tools.sight.viewer import SAYS

MOST = 100_000  # events; the longest game has a hundredth of that
TAKES = ("take", "doubt")
RGB = {says: lights.colour_of(meaning) for meaning in (lights.WAITED_FOR, lights.ACCEPTED, lights.REFUSED, lights.OFF)
       for says in [SAYS.get(lights.colour_of(meaning), "off")]}


class Roll:
    """The frames of one reader, as they grow."""

    def __init__(self, teller: Teller, course: Course) -> None:
        self.teller, self.reader = teller, teller.reader
        self.frames: list[dict[str, Any]] = []
        self._piles: dict[str, Any] = {}
        self._said: dict[str, Any] = {}
        self.first = self.change(course)

    def change(self, course: Course) -> dict[str, Any]:
        """What is otherwise than the reader saw it last."""
        scene = scene_of(course, self.teller.language)
        viewer = viewer_of(scene, self.reader)
        view = viewer.tell_view()
        piles = {pile["place"]: pile for pile in view["piles"]}
        found: dict[str, Any] = {}
        changed = [pile for place, pile in piles.items() if self._piles.get(place) != pile]
        gone = [place for place in self._piles if place not in piles]
        out = [int(seat) for seat, role in view.get("roles", {}).items() if role == "out"]
        places = [scene.place_of(seat) for seat in out]  # who is out is refused nothing any more
        says = ["off" if light["place"] in places else light["says"] for light in viewer.tell_lights()["lights"]]
        refusals = [one for one in view["refusals"] if one["seat"] not in out]
        facts = {"turn": view["turn"], "refusals": refusals, "lights": says, "phase": course.phase,
                 "roles": view.get("roles", {}), "trump": view.get("trump", "")}
        found.update({name: fact for name, fact in facts.items() if self._said.get(name) != fact})
        found.update({"piles": changed} if changed else {})
        found.update({"gone": gone} if gone else {})
        self._piles, self._said = piles, facts
        return found

    def add(self, told: Told, mark: str, mistake: dict[str, Any], change: dict[str, Any]) -> None:
        """One more event, and what it changed."""
        frame = {"n": told.number, "at": told.at_ms, "seat": told.seat, "text": told.text, **change}
        frame.update({"rule": told.rule} if told.rule else {})
        frame.update({"mark": mark} if mark else {})
        frame.update({"mistake": mistake} if mistake else {})
        self.frames.append(frame)


def mark_of(record: Recorded, line: Line) -> str:
    """The kind of an event that people jump to."""
    if line.verdict:
        return "refusal"
    name = verb_name(record.game, line.event.verb)
    return "take" if name in TAKES else name if name == "undo" else ""


def make_frames(record: Recorded, language: str = "en", readers: list[Reader] | None = None,
                analysis: dict[str, Any] | None = None) -> dict[str, Any]:
    """The whole game, for the readers that it may be shown to. analysis: the figures of its analysis, for its mistakes.
    UnusableInput for more events than any game has."""
    if record.count > MOST:
        raise UnusableInput(f"{record.name}: {record.count} events, and a page shows {MOST} at most")
    course = record.course()
    rolls = [Roll(Teller(record, reader, language), course) for reader in readers or record.readers()]
    mistakes = read_mistakes(record, analysis) if analysis else {}
    heard: list[tuple[Roll, Told, dict[str, Any]]] = []
    mark = ""
    rules: set[str] = set()
    for line in record.walk(course):
        # The game stands behind the line before: that one is shown now.
        for roll, told, mistake in heard:
            roll.add(told, mark, mistake, roll.change(course))
        heard = []
        for roll in rolls:
            told_now = roll.teller.tell(course, line, len(roll.frames) + 1)
            if told_now is not None:
                found = mistakes.get(line.number) if not line.verdict else None
                heard.append((roll, told_now, tell_mistake(found, roll, course) if found else {}))
        rules.update(told.rule for _, told, _ in heard if told.rule)
        mark = mark_of(record, line)
    for roll, told, mistake in heard:
        roll.add(told, mark, mistake, roll.change(course))
    message = viewer_of(scene_of(record.course(), language), Reader(PUBLIC)).tell_table()
    is_open = any(roll.reader.seat == -1 for roll in rolls)
    return {
        "version": 1, **describe_game(record, language), "kind": message["game"], "seats": message["seats"],
        "dealer": message["dealer"], "places": message["places"],
        "colours": RGB, "rules": {name: describe_rule(name, language) for name in sorted(rules)},
        "readers": [roll.reader.name for roll in rolls],
        "can_be_analysed": can_have_mistakes(record) and any(roll.reader.name != PUBLIC for roll in rolls),
        "is_analysed": analysis is not None and "is_part" not in analysis,
        "judged": tell_judged(record, analysis, language) if analysis is not None and is_open else None,
        "views": {roll.reader.name: {"first": roll.first, "frames": roll.frames} for roll in rolls},
    }


def tell_mistake(mistake: Mistake, roll: Roll, course: Course) -> dict[str, Any]:
    """A mistake in the play that comes now, as this reader may hear of it, with the cards of the better play; empty if
    it may not."""
    if not mistake.may_hear(roll.reader):
        return {}
    return {"kind": mistake.kind, "text": mistake.tell(roll.teller.sentences, course.session.state),
            "cards": mistake.better_cards()}


def describe_rule(name: str, language: str) -> dict[str, Any]:
    """A rule as the page's own dialog shows it (the message `rule` of docs/play-protocol.md)."""
    try:
        return {"type": "rule", **tell_rule(name, language)}
    except NotAllowed:  # of a game from elsewhere, which has no page here
        return {"type": "rule", "rule": name, "title": "", "text": "", "source": "", "readings": [],
                "language": language}
