"""Tells a puzzle to who solves it, in the own seat's view and words; and how the game goes on after an answer."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

from cardtable.engine.deck import card_name
from cardtable.engine.event import NO_CARD, Event, find_verb, unpack
from cardtable.engine.state import HAND, OUTCOME, State
from cardtable.games import bailiff, cals_bs, durak, malice
from cardtable.engine.record import Header
from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import make_header
from host_tools.judge.facts import cals_bs as cals_bs_facts
from host_tools.judge.facts import durak as durak_facts
from host_tools.judge.facts import malice as malice_facts
from host_tools.judge.sentences import Sentences
from host_tools.look.wording import Wording
from host_tools.minds.puzzles.bailiff_proof import BailiffProof
from host_tools.minds.puzzles.cals_bs_proof import bound_set, opened
from host_tools.minds.puzzles.proof import Act, Proof
from host_tools.minds.puzzles.proofs import find_proof
from host_tools.minds.puzzles.puzzle import Puzzle, read_puzzle, write_answer
from host_tools.play.seating import bot_names
from host_tools.sight.course import Course
from host_tools.sight.recorded import Reader, viewer_of
from host_tools.sight.scene import scene_of
from host_tools.sight.seen import look

HIDDEN_KINDS = ("discard", "reader")
_DONE = find_verb(durak, "done")
_DOUBT, _PASS = find_verb(cals_bs, "doubt"), find_verb(cals_bs, "pass")


class Told:
    """A puzzle in one language."""

    def __init__(self, puzzle: Puzzle, language: str) -> None:
        """UnusableInput for a puzzle of a game in which nothing can be proved."""
        self.puzzle, self.language, self.words = puzzle, language, Wording(language)
        self.session, self.at_ms = puzzle.load()
        self.game: Any = self.session.game
        proof = find_proof(self.game)
        if proof is None:
            raise UnusableInput(f"{puzzle.name}: no puzzle of {self.game.NAME} can be proved")
        self.proof: Proof = proof
        self.header = self.make_header()
        self.seen = look(self.session, puzzle.seat, self.at_ms)
        self.moves = self.proof.choices(self.seen)
        self.sentences = Sentences(self.game, self.header.seats, language)

    def make_header(self) -> Header:
        """Its seats have names, and the one who solves it is addressed."""
        said, head = self.puzzle.position.split(";")[:2]
        numbers = dict(word.split() for word in head.split(", ") if not word.endswith("seats"))
        seats = int(head.split()[0])
        header = make_header(said, seats, int(numbers["dealer"]), int(numbers.get("first", 0)))
        others = iter(bot_names(self.language))
        header.seats = [self.words.say("puzzle.own") if seat == self.puzzle.seat else next(others)
                        for seat in range(1, seats + 1)]
        return header

    def course(self, state: State) -> Course:
        """The game in that state, to be looked at."""
        course = Course(self.header, self.game)
        course.session.state.copy(state)
        course.at_ms = self.at_ms
        return course

    def view(self, state: State) -> dict[str, Any]:
        """The piles that the seat sees there; in Durak and Bailiff the other hand, too, which has all the rest."""
        seat, course = self.puzzle.seat, self.course(state)
        view = viewer_of(scene_of(course, self.language), Reader(str(seat), (seat,))).tell_view()
        piles = [pile for pile in view["piles"] if pile["kind"] not in HIDDEN_KINDS]
        for pile in piles:
            if self.game in (durak, bailiff) and pile["kind"] == "hand" and pile["seat"] != seat:
                pile["cards"] = [card_name(card) for card, place in enumerate(state.where)
                                 if place == HAND + pile["seat"]]
            if self.game is malice:
                self.tell_malice(pile, state)
        return {"piles": piles, "trump": course.trump}

    def tell_malice(self, pile: dict[str, Any], state: State) -> None:
        """A side pile from its bottom up; of a centre pile the rank that goes there next, as a sign."""
        if pile["kind"] == "centre":
            height = state.register[malice_facts.HEIGHTS + pile["slot"]]
            rank = next(rank for rank in range(13) if malice_facts.HEIGHT[rank] == height + 1)
            pile.update(cards=[], next=self.sentences.signs([rank]))
        elif pile["kind"].startswith("side"):
            card, cards = malice.side_top(state, pile["seat"], pile["slot"]), []
            while card != malice_facts.NOTHING:
                cards.append(card_name(card))
                card = state.register[malice_facts.UNDER + card]
            pile["cards"] = cards[::-1]

    def move(self, seat: int, packed: int, state: State) -> str:
        """A play as something to do."""
        if self.game is cals_bs and packed >> 16 == _PASS:
            return self.words.say("puzzle.let.stand")
        event = unpack(packed, seat, 0, Event())
        return self.sentences.move(event.verb, event.card, event.target, state, seat)

    def question(self) -> dict[str, Any]:
        """All that is told before the answer; nothing of it says which play is right."""
        puzzle, start = self.puzzle, self.session.state
        choices = []
        for index, packed in enumerate(self.moves):
            cards = [card_name(card) for card in (packed >> 8 & 255,) if card != NO_CARD]
            choices.append({"index": index, "cards": cards, "text": self.move(puzzle.seat, packed, start)})
        return {
            "name": puzzle.name, "title": self.sentences.title(self.header.game), "seat": puzzle.seat,
            "names": list(self.header.seats), "rating": puzzle.rating, "view": self.view(start),
            "question": self.tell_task(), "choices": choices,
            "shape": self.game.NAME,
        }

    def tell_task(self) -> str:
        """What is asked."""
        state, seat = self.session.state, self.puzzle.seat
        if self.game is durak and state.register[durak_facts.LEFT]:
            return self.words.say("puzzle.question.stock")
        plays = 0
        if isinstance(self.proof, BailiffProof):
            plays = self.proof.plays(state, seat, self.puzzle.packed(self.game))
        return self.words.say(f"puzzle.question.{self.game.NAME}", plays=plays)

    def answer(self, index: int) -> dict[str, Any]:
        """Whether that choice is right, and how the game goes on after it. UnusableInput for none of the choices."""
        if not 0 <= index < len(self.moves):
            raise UnusableInput(self.words.say("puzzle.no.number", most=len(self.moves)))
        chosen, seat, start = self.moves[index], self.puzzle.seat, self.session.state
        right = write_answer(self.game, chosen) == self.puzzle.answer
        said = self.words.say("puzzle.right" if right else f"puzzle.wrong.{self.game.NAME}",
                              move=self.move(seat, chosen, start))
        tells = self.open_set if self.game is cals_bs else self.play_on
        line = list(tells(start, chosen)) if right or self.proof.shows_loss else []
        return {
            "is_right": right, "said": said, "line": line,
            "theme": self.words.say(f"puzzle.theme.{self.puzzle.theme}"),
            "missed": self.words.say("puzzle.missed", missed=self.puzzle.missed, asked=self.puzzle.asked),
        }

    def play_on(self, start: State, chosen: int) -> Iterator[dict[str, Any]]:
        """Each act of the line with its sentence and the table behind it."""
        acts = list(self.proof.play_out(start, self.puzzle.seat, chosen))
        for act, following in itertools.pairwise(acts):
            if not self.is_idle(act, following):
                text = f"{self.sentences.seat(act.seat)}: {self.move(act.seat, act.packed, act.state)}"
                yield {"seat": act.seat, "text": text, **self.view(following.state)}
        last = acts[-1].state
        is_over = bool(last.register[OUTCOME])
        result = self.course(last).session.result()
        seat = self.puzzle.seat
        text = (self.sentences.ending(result, seat, False, self.game.went_out(last, seat) > 0) if is_over
                else self.words.say(f"puzzle.goes.on.{self.game.NAME}"))
        if is_over or self.proof.shows_loss:
            yield {"seat": 0, "text": text, **self.view(last)}

    def open_set(self, start: State, chosen: int) -> Iterator[dict[str, Any]]:
        """Cal's BS: what was done, what the odds were, and what lay there."""
        seat, register, words = self.puzzle.seat, start.register, self.words
        cards = opened(start)
        view = self.view(start)
        for pile in view["piles"]:
            if pile["kind"] == "set":
                pile["cards"] = [card_name(card) for card in cards]
        low, high = bound_set(start, seat)
        key = "puzzle.odds.sure" if low == 1 else "puzzle.odds"
        odds = words.say(key, low=round(100 * low), high=round(100 * high))
        is_true = cals_bs.is_set_true(start)
        was = words.say(f"puzzle.set.{str(is_true).lower()}", cards=" ".join(map(self.sentences.card, cards)))
        texts = [f"{self.sentences.seat(seat)}: {self.move(seat, chosen, start)}", odds, was]
        if chosen >> 16 == _DOUBT:
            taker = seat if is_true else register[cals_bs_facts.LAST]
            count = register[cals_bs_facts.PILED] + len(cards)
            texts.append(words.say("puzzle.takes", seat=self.sentences.seat(taker), count=count))
        for text in texts:
            yield {"seat": seat, "text": text, **view}

    def is_idle(self, act: Act, following: Act) -> bool:
        """Whether nothing happens for those who look on: no more is added (which in `simple` nobody says)."""
        if self.game is not durak or act.packed >> 16 != _DONE:
            return False
        has_taken = act.state.register[durak_facts.TAKEN] > 0
        return has_taken or bytes(act.state.where) == bytes(following.state.where)


def question_text(line: str, language: str) -> str:
    """The question as JSON, for a process aside."""
    return json.dumps(Told(read_puzzle(line), language).question(), ensure_ascii=False)


def answer_text(line: str, language: str, index: int) -> str:
    """The answer as JSON, for a process aside. UnusableInput."""
    return json.dumps(Told(read_puzzle(line), language).answer(index), ensure_ascii=False)
