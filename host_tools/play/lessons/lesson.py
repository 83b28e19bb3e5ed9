"""One lesson at a live table: where it stands in its script, what the learner shall do now, and what is said.

A lesson is a record (docs/record.md), NAME.rec: its cards come in the order in which they came there, and the other
seats play as they played there. `; step KEY` before an event of the learner, seat 1, names what is said then
(lessons.LANGUAGE.txt). Where the record ends the learner plays alone, and the others play as virtual players do.
Everything here is for the table's thread.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.deck import card_name
from cardtable.engine.event import NO_CARD, Event, pack, unpack
from cardtable.engine.reading import read_event, read_header
from cardtable.engine.record import Header
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.wording import Templates, read_words
from host_tools.judge.sentences import Sentences
from host_tools.sight.seen import NO_VERB
from host_tools.sight.viewer import KEYS

FOLDER = Path(__file__).parent
LEARNER = 1
THINK_US = 1_400_000  # how long an opponent of the script thinks: long enough to see what happened before
SOON_MS = 10_000  # an act stands if it does so long after the last event: what is only too early comes
ALONE = 4  # acts that the learner makes alone before the lesson is done, if the game is not over before


@dataclass
class Script:
    """A lesson's file. `acts`: what people do, (seat, packed); `drawn`: the cards that each seat draws, in order;
    `steps`: by the number of an act, the key of what is said."""

    name: str
    header: Header
    game: Any
    acts: list[tuple[int, int]] = field(default_factory=list)
    drawn: dict[int, list[int]] = field(default_factory=dict)
    steps: dict[int, str] = field(default_factory=dict)

    def game_line(self) -> str:
        """The game that comes after the lesson: the same variant, with the usual deck."""
        return " ".join(self.header.game[:2] if "=" not in "".join(self.header.game[1:2]) else self.header.game[:1])


def list_lessons() -> list[str]:
    """The names of all lessons, which are those of games: that of Durak first."""
    return sorted((path.stem for path in FOLDER.glob("*.rec")), key=lambda name: (name != "durak", name))


@functools.cache
def read_script(name: str) -> Script:
    """The lesson of that name. UnusableInput if there is none."""
    if name not in list_lessons():
        raise UnusableInput(f"there is no lesson {name}: name one of {', '.join(list_lessons())}")
    lines = foreign.read_text(FOLDER / f"{name}.rec").splitlines()
    header, taken = read_header(iter([line + "\n" for line in lines]))
    script = Script(name, header, find_game(header.game[0]))
    event, key = Event(), ""
    for number, line in enumerate(lines[taken:], taken + 1):
        if line.startswith("; step "):
            key = line[7:].strip()
        elif line and line[0] != ";":
            read_event(script.game, line, number, event)
            if event.verb in script.game.CHANCE.values():
                script.drawn.setdefault(event.seat, []).append(event.card)
                continue
            if event.seat == LEARNER:
                script.steps[len(script.acts)] = key or "again"
            script.acts.append((event.seat, pack(event.verb, event.card, event.target)))
            key = ""
    return script


class Held(Exception):
    """An act of the learner that is not what the step asks for, and that stands, or could by the time it is done. Its
    text says which, as the table's refusals do."""


HELD, EARLY = "this lesson asks for something else now", "too early: wait until the lesson asks you"


class Lesson:
    """`follow(table)` after each event; `act_of(seat)` for the hands of the others; `check(...)` before the learner's
    acts; `tell(language)` for the page."""

    def __init__(self, name: str) -> None:
        """UnusableInput if there is none of that name."""
        self.script = read_script(name)
        self.nonce = ""  # of its game, once that has begun
        self.at = 0  # how many acts of the script have happened
        self.alone = 0  # acts that the learner has made since the script ended
        self.is_off = False  # something else happened than the script says: from then on all play freely
        self.is_over = False
        # What is said more of the learner's last act, if that was wrong: "refused", "held" or "early". It is said until
        # the learner does what is asked, in the order of the acts and not of the record, which knows of them later.
        self.wrong = ""
        self._is_under_way = False  # what was asked for has been done, and the record does not know it yet
        self._heard = 0
        self._session: Any = None
        self._now_ms = 0  # soon after the last event
        self._names: list[str] = []

    @property
    def line(self) -> str:
        """The `game:` line: that of its file, with hints on demand."""
        return " ".join(self.script.header.game) + " hints=alone"

    # --- as the game goes on ---

    def follow(self, table: Any) -> None:
        """Take in what the table's record says."""
        course = table.follower.course
        if not self.nonce:
            if course.count or " ".join(course.header.game) != self.line:
                return  # the game before
            self.nonce = course.nonce
            table.cards.dealt = {seat: list(cards) for seat, cards in self.script.drawn.items()}
        if course.nonce != self.nonce:
            table.lesson = None
            return
        self._session, self._names = course.session, list(course.header.seats)
        log = list(table.follower.logs[LEARNER])
        if len(log) < self._heard:  # the power was gone, and the record is read again
            self.at = self.alone = self._heard = 0
            self.is_off = self._is_under_way = False
        for heard in log[self._heard :]:
            self._take(heard)
        self._heard = len(log)
        self.is_over, self._now_ms = course.session.is_over(), table.follower.at_ms + SOON_MS

    def _take(self, heard: Any) -> None:
        if heard.verb == NO_VERB:
            if heard.seat == LEARNER and not self._is_under_way:
                self.wrong = "refused"
            return
        if heard.verb in self.script.game.CHANCE.values():
            return
        if self.is_free:
            self.alone += heard.seat == LEARNER
            return
        seat, packed = self.script.acts[self.at]
        is_same = (heard.seat, heard.verb, heard.target) == (seat, packed >> 16, packed & 255)
        if is_same and heard.card in (NO_CARD, packed >> 8 & 255):
            self.at += 1
        else:
            self.is_off = True
        if seat == LEARNER and not self._is_under_way:  # at a table of real cards the record alone knows
            self.wrong = ""
        self._is_under_way = self._is_under_way and seat != LEARNER

    @property
    def is_free(self) -> bool:
        """Whether the script has ended: everybody plays as they like."""
        return self.is_off or self.at >= len(self.script.acts)

    @property
    def is_done(self) -> bool:
        """Whether the learner has played the last bout alone."""
        return self.is_over or self.is_free and self.alone >= ALONE

    def wanted(self) -> int:
        """What the learner shall do now, packed; 0: nothing, somebody else is next."""
        if self.is_free or self._session is None or self.script.acts[self.at][0] != LEARNER:
            return 0
        packed = self.script.acts[self.at][1]
        return packed if self._stands(LEARNER, packed) else 0

    def act_of(self, seat: int) -> int | None:
        """What that seat does now by the script; 0: it waits. None: it plays by itself."""
        if self.is_free or self._session is None:
            return None
        who, packed = self.script.acts[self.at]
        return packed if who == seat and self._stands(seat, packed) else 0

    def _stands(self, seat: int, packed: int) -> bool:
        session = self._session
        return not session.judge(unpack(packed, seat, self._now_ms, Event()))

    # --- before the learner's acts ---

    def check(self, options: list[int], may_become: bool, is_busy: bool) -> int:
        """Look at what an act of the learner can mean, packed: the wanted act, if it is one of them, else 0: the table
        may judge it. Held if it is something else, and would stand, or could once others have played.

        may_become: the wanted act may be meant by it. is_busy: what the learner did before is not done yet.
        """
        wanted = self.wanted()
        if not wanted or self._is_under_way and is_busy:
            self.hold("early")
        if may_become and wanted in options:
            self.note_right()
            return wanted
        if any(self._stands(LEARNER, packed) for packed in options):
            self.hold("held")
        self.wrong = "refused"  # a refusal that repeats is no new line of the table's record
        return 0

    def note_right(self) -> None:
        """The learner is about to do what is asked."""
        self.wrong, self._is_under_way = "", True

    def hold(self, why: str) -> None:
        """Raise Held."""
        self.wrong = why
        raise Held(EARLY if why == "early" else HELD)

    # --- what is said ---

    def tell(self, language: str) -> dict[str, Any]:
        """The message of docs/play-protocol.md."""
        say = Templates(read_words(FOLDER, "lessons", language), language)
        name = self.script.name
        ideas = [key for key in self.script.steps.values() if not key.endswith("again")]
        done = [key for at, key in self.script.steps.items() if at <= self.at and not key.endswith("again")]
        message: dict[str, Any] = {
            "type": "lesson", "name": name, "title": say.say(f"{name}.title"), "step": min(len(done), len(ideas)),
            "steps": len(ideas), "more": "", "cards": [], "keys": [], "done": self.is_done,
            "game": self.script.game_line(),
        }
        if self.is_done:
            message["say"] = say.say(f"{name}.end")
        elif self._session is None or self.script.game.is_dealing(self._session.state):
            message["say"] = say.say(f"{name}.begin")
        elif self.is_free:
            message["say"] = say.say(f"{name}.alone" if not self.is_off else "off")
        else:
            self._tell_step(message, say, language)
        if self.wrong and not message["more"] and not self.is_done and not self.is_free:
            message["more"] = say.say("early")
        return message

    def _tell_step(self, message: dict[str, Any], say: Templates, language: str) -> None:
        wanted, name = self.wanted(), self.script.name
        if not wanted:
            message["say"] = say.say("watch")
            return
        key = f"{name}.{self.script.steps[self.at]}" if self.script.steps[self.at] != "again" else "again"
        words = Sentences(self.script.game, self._names, language)
        event = unpack(wanted, LEARNER, 0, Event())
        state = self._session.state
        card = words.card(event.card) if event.card != NO_CARD else ""
        move = words.move(event.verb, event.card, event.target, state, LEARNER)
        message["keys"] = self._keys(event, state)
        message["cards"] = [card_name(event.card)] if event.card != NO_CARD else []
        facts = {"card": card, "move": move, "key": " ".join(message["keys"])}
        message["say"] = say.say(key, **facts)
        if self.wrong == "held":
            message["more"] = say.say("held", **facts)
        elif self.wrong == "refused":
            message["more"] = say.say("wrong.card" if card else "wrong.key", **facts)

    def _keys(self, event: Event, state: Any) -> list[str]:
        """The button that says an act, where a card does not."""
        if event.card != NO_CARD:
            return []
        return [key for at, key in enumerate(KEYS) if self.script.game.button(state, LEARNER, at) == event.verb]
