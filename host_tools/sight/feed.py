"""The public feed of a live table in sentences, for all who watch it."""

from __future__ import annotations

from typing import Any

from cardtable.engine.event import DRAW
from host_tools.judge.sentences import Sentences
from host_tools.sight.course import Refusal
from host_tools.sight.follower import Follower
from host_tools.sight.seen import Heard

FEED_FIRST = 50  # lines of the feed that a new connection gets
FEED_LIMIT = 400  # lines that are kept
LASTING = ("set-up: ", "damaged: ")  # lines of the firmware that stay on the page


class Feed:
    """What the follower hears that everybody may hear, numbered from 1 since this process began; the last lines are
    kept in `lines`."""

    def __init__(self, follower: Follower, language: str = "en") -> None:
        self.follower, self.language = follower, language
        self.lines: list[dict[str, Any]] = []
        self.count = 0
        self._nonce = ""
        self._result = ""
        self._dealt = 0  # cards of this game's deal so far
        follower.on_said = self.hear

    def speaker(self) -> Sentences:
        """Sentences of the game that is played, in the table's language."""
        course = self.follower.course
        return course.speaker(self.language) if course else Sentences(language=self.language)

    def hear(self, said: Heard, refusal: Refusal | None) -> None:
        """Something that everybody may hear; the session stands as it stood before."""
        course, words = self.follower.course, self.speaker()
        assert course is not None
        if self._nonce != course.nonce:
            self._nonce, self._result, self._dealt = course.nonce, "", 0
            self.add(words.title(course.header.game), "table")
        if refusal is not None:
            told = refusal.tell(course.game, self.language)
            self.add(words.refusal(said.seat, refusal.rule, told), "refusal", said.seat, refusal.rule)
            return
        state = course.session.state
        text = words.event(said.seat, said.verb, said.card, said.target, before=state)
        text = " ".join([text, *map(words.card, said.opened)])
        is_dealt = said.verb == DRAW and course.game.is_dealing(state)
        self._dealt += is_dealt
        self.add(text, "event", said.seat, dealt=self._dealt if is_dealt else 0)

    def note(self, line: str) -> None:
        """A line in which the firmware speaks of itself. What stays true is a notice (tell_notice), no line of this."""
        told = "" if line.startswith(LASTING) else self.speaker().notice(line)
        if told:
            self.add(told, "table")

    def close(self) -> None:
        """The game may have its result."""
        course = self.follower.course
        result = course.session.result() if course else ""
        if result != self._result:
            self._result = result
            if result:
                self.add(self.speaker().result(result), "table")

    def add(self, text: str, kind: str, seat: int = 0, rule: str = "", dealt: int = 0) -> None:
        """One more line. dealt: which card of the deal it tells of."""
        self.count += 1
        line = {"n": self.count, "text": text, "kind": kind, "seat": seat, "rule": rule}
        self.lines.append({**line, "dealt": dealt} if dealt else line)
        del self.lines[:-FEED_LIMIT]

    def since(self, number: int) -> list[dict[str, Any]]:
        """The lines behind that one, at most FEED_FIRST of them if it is 0."""
        return [line for line in self.lines if line["n"] > number][-FEED_FIRST if not number else None :]
