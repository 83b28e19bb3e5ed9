"""The one sentence more after a wrong act cannot be lost, in whatever order clicks, the table's answers and the others'
plays come: a table of three parts (an engine, slow hands, a record), and no browser.
"""

from collections import deque
from types import SimpleNamespace

import pytest

from cardtable.engine.event import NO_CARD, OWN_VERB, Event, pack, unpack
from cardtable.engine.session import Session
from host_tools.base.random_play import Random
from host_tools.play.lessons.guide import guide
from host_tools.play.lessons.lesson import LEARNER, Held, Lesson, list_lessons
from host_tools.sight.seen import heard, heard_refusal
from host_tools.sight.viewer import KEYS


class Table:
    """Where a lesson is played in any order: what the learner asks for lies in `waiting` until the hands do it."""

    def __init__(self, name):
        self.lesson, self.log, self.waiting, self.now = Lesson(name), deque(), deque(), 60_000
        script = self.lesson.script
        self.game, self.session = script.game, Session(script.game, script.header)
        self.header = SimpleNamespace(game=self.lesson.line.split(), seats=script.header.seats)
        course = SimpleNamespace(session=self.session, nonce="n", count=0, header=self.header)
        self.follower = SimpleNamespace(course=course, logs={LEARNER: self.log}, at_ms=self.now)
        self.cards, self.repeated = SimpleNamespace(), set()
        self.hands = {LEARNER: self}
        self.lesson.follow(self)
        self.drawn = {seat: deque(cards) for seat, cards in self.cards.dealt.items()}

    is_playing = property(lambda self: not self.session.is_over())
    has_work = property(lambda self: bool(self.waiting))

    def place_of(self, seat):
        return seat

    def enact(self, seat, packed):
        """An event at the table; a refusal that repeats is no new line (T6)."""
        event = unpack(packed, seat, self.now, Event())
        verdict = self.session.judge(event)
        state = self.session.state
        if verdict:
            said = None if (packed, verdict) in self.repeated else heard_refusal(
                self.game, state, event, verdict, LEARNER)
            self.repeated.add((packed, verdict))
        else:
            said = heard(self.game, state, event, LEARNER)
            self.session.enact(event)
            self.repeated.clear()
        if said:
            self.log.append(said)
        self.lesson.follow(self)

    def click(self, do, meant):
        """What the learner does; True if that was wrong."""
        wanted = self.lesson.wanted()
        try:
            packed = guide(self, LEARNER, do, meant)
        except Held:
            return True
        options = [packed]
        if not packed and do == "tap":
            self.game.meanings(self.session.state, LEARNER, meant, options)
        elif not packed:
            verb = self.game.button(self.session.state, LEARNER, KEYS.index(meant))
            options += [pack(verb)] if verb >= OWN_VERB else []
        self.waiting.append(options[-1])
        assert packed in (0, wanted)
        return not packed

    def follow_hands(self):
        if self.waiting:
            packed = self.waiting.popleft()
            if packed:
                self.enact(LEARNER, packed)

    def follow_others(self):
        """A card that comes by chance, or what the script says of another seat."""
        waits = bytearray(8)
        self.game.waiting(self.session.state, waits)
        for seat in range(1, len(self.header.seats) + 1):
            if waits[seat] in self.game.CHANCE and self.drawn.get(seat):
                return self.enact(seat, pack(self.game.CHANCE[waits[seat]], self.drawn[seat].popleft()))
        for seat in range(2, len(self.header.seats) + 1):
            if packed := self.lesson.act_of(seat):
                return self.enact(seat, packed)
        return None


def right_click(table):
    """What the lesson asks for, as a page says it: a card, or a button; None."""
    wanted = table.lesson.wanted()
    if not wanted:
        return None
    card = wanted >> 8 & 255
    if card != NO_CARD:
        return "tap", card
    says = [table.game.button(table.session.state, LEARNER, at) for at in range(len(KEYS))]
    return "press", KEYS[says.index(wanted >> 16)]


@pytest.mark.parametrize("name", list_lessons())
def test_one_sentence_more_stays_until_the_learner_does_what_is_asked(name):
    """Any card of the hand and any button, at any moment: while the hands are busy, others think, cards come."""
    for seed in range(30):
        table, draw, owed, wrong = Table(name), Random(seed), False, 0
        lesson = table.lesson
        for _ in range(5_000):
            if lesson.is_free:
                break
            right = right_click(table)
            what = draw.below(8)
            if what < 2:
                table.follow_others()
            elif what < 4:
                table.follow_hands()
            elif what < 6 and right:
                owed = table.click(*right)
            else:
                own = [card for card in range(table.game.CARDS) if table.session.state.where[card]]
                act = ("press", KEYS[draw.below(len(KEYS))]) if draw.below(2) else ("tap", own[draw.below(len(own))])
                owed = table.click(*act)
                wrong += owed
            for language in ("en", "ru"):
                assert lesson.is_free or bool(lesson.tell(language)["more"]) == owed, (seed, lesson.at, owed)
        assert not lesson.is_off and lesson.at == len(lesson.script.acts) and wrong > 20, (seed, lesson.at, wrong)
