"""The public feed of a live table in sentences, for all who watch it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardtable.engine.event import DRAW
from host_tools.judge.sentences import Sentences, languages
from host_tools.sight.course import Refusal
from host_tools.sight.follower import Follower
from host_tools.sight.seen import Heard

FEED_FIRST = 50  # lines of the feed that a new connection gets
FEED_LIMIT = 400  # lines that are kept
LASTING = ("set-up: ", "damaged: ")  # lines of the firmware that stay on the page


class Feed:
    """What the follower hears that everybody may hear, numbered from 1 (`number_from`); the last lines are kept in
    `lines`, each with its `texts` in every language."""

    def __init__(self, follower: Follower, language: str = "en") -> None:
        self.follower, self.language = follower, language
        self.lines: list[dict[str, Any]] = []
        self.count = 0
        self._nonce = ""
        self._result = ""
        self._dealt = 0  # cards of this game's deal so far
        self._said = 0  # of this game, and how many of them the follower says again
        self._known = 0
        follower.on_said = self.hear

    def number_from(self, number: int) -> None:
        """The next line has a higher number than that."""
        self.count = max(self.count, number)

    def forget(self) -> None:
        """The device starts anew: the follower reads the record of a game that goes on from its first line again."""
        self._known, self._said, self._dealt = max(self._known, self._said), 0, 0

    def speakers(self) -> dict[str, Sentences]:
        """Sentences of the game that is played, in each language."""
        course = self.follower.course
        return {one: course.speaker(one) if course else Sentences(language=one) for one in languages()}

    def hear(self, said: Heard, refusal: Refusal | None) -> None:
        """Something that everybody may hear; the session stands as it stood before."""
        course = self.follower.course
        assert course is not None
        game, state = course.game, course.session.state
        if self._nonce != course.nonce:
            self._nonce, self._result, self._dealt, self._said, self._known = course.nonce, "", 0, 0, 0
            self.add(lambda words: words.title(course.header.game), "table")
        is_dealt = refusal is None and said.verb == DRAW and game.is_dealing(state)
        self._dealt += is_dealt
        self._said += 1
        if self._said <= self._known:
            return
        if refusal is not None:
            self.add(lambda words: words.refusal(said.seat, refusal.rule, refusal.tell(game, words.language)),
                     "refusal", said.seat, refusal.rule)
            return

        def tell(words: Sentences) -> str:
            text = words.event(said.seat, said.verb, said.card, said.target, before=state)
            return " ".join([text, *map(words.card, said.opened)])

        self.add(tell, "event", said.seat, dealt=self._dealt if is_dealt else 0)

    def note(self, line: str) -> None:
        """A line in which the firmware speaks of itself. What stays true is a notice (tell_notice), no line of this."""
        if not line.startswith(LASTING) and Sentences().notice(line):
            self.add(lambda words: words.notice(line), "table")

    def close(self) -> None:
        """The game may have its result."""
        course = self.follower.course
        result = course.session.result() if course else ""
        if result != self._result:
            self._result = result
            if result:
                self.add(lambda words: words.result(result), "table")

    def add(self, tell: Callable[[Sentences], str], kind: str, seat: int = 0, rule: str = "", dealt: int = 0) -> None:
        """One more line. dealt: which card of the deal it tells of."""
        self.count += 1
        texts = {language: tell(words) for language, words in self.speakers().items()}
        line = {"n": self.count, "text": texts[self.language], "kind": kind, "seat": seat, "rule": rule, "texts": texts}
        self.lines.append({**line, "dealt": dealt} if dealt else line)
        del self.lines[:-FEED_LIMIT]

    def since(self, number: int, language: str = "") -> list[dict[str, Any]]:
        """The lines behind that one, at most FEED_FIRST of them if it is 0, in the table's language or that one."""
        lines = [line for line in self.lines if line["n"] > number][-FEED_FIRST if not number else None :]
        return [{**{key: value for key, value in line.items() if key != "texts"},
                 "text": line["texts"].get(language, line["text"])} for line in lines]
