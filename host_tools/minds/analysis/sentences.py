"""Says the decisions of an analysis to players, in one language: `Better: Transfer with 7♦ (71 % instead of 48 %)`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cardtable.engine.event import Event
from cardtable.engine.reading import read_event
from host_tools.base.languages import ENGLISH
from host_tools.base.wording import Templates, read_words
from host_tools.judge.sentences import Sentences
from host_tools.sight.recorded import Recorded

FOLDER = Path(__file__).parent
_EVEN = 50  # percent that a doubt needs where guesses cannot say more
MOST_MOVES = 60  # of one play: a set of Cal's BS lays its cards one by one


def percent(words: Templates, chance: float, is_exact: bool = False, is_rough: bool = False) -> str:
    """A chance as players say it; what is no certainty is never told as one, and one that nobody has checked is only
    said to be rough. words: of a room that says `chance.under`, `chance.over` and `chance.rough`."""
    if is_rough:
        return words.say("chance.rough")
    if not is_exact and (chance < 1 or chance > 99):
        return words.say("chance.under" if chance < 1 else "chance.over")
    return f"{chance:.0f} %"


def read_moves(record: Recorded, seat: int, texts: list[str]) -> tuple[Event, ...]:
    """The moves of one play, each as a record writes it. RecordError."""
    found = []
    for text in texts[:MOST_MOVES]:
        found.append(Event())
        read_event(record.game, f"0 {int(seat)} {text}", 1, found[-1])
    return tuple(found)


class Told(Templates):
    """The words of the analysis of that record in `language`."""

    def __init__(self, record: Recorded, language: str = ENGLISH) -> None:
        super().__init__(read_words(FOLDER, "analysis", language), language)
        self.record = record
        self.sentences = Sentences(record.game, record.header.seats, language)

    def decisions(self, decisions: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The same decisions with `played`, `best` and `sentence`, which is empty where nothing was lost, in order."""
        return self.at_their_lines(decisions, self.decision)

    def engine_plays(self, plays: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What an engine would have played (second.py), each with `move`: its words."""
        return self.at_their_lines(plays, lambda one, state: {
            **one, "move": self.play(one["seat"], one["move_as_recorded"], state)})

    def at_their_lines(
        self, wanted: list[dict[str, Any]], tell: Callable[[dict[str, Any], Any], dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """What `tell` makes of each, with the table as it was before its line."""
        at = {one["line"]: one for one in wanted}
        said = {}
        course = self.record.course()
        for line in self.record.walk(course):
            if line.number in at:
                said[line.number] = tell(at[line.number], course.session.state)
        return [said[one["line"]] for one in wanted]

    def decision(self, one: dict[str, Any], state: Any) -> dict[str, Any]:
        """One of them; state: the table before the play."""
        moves = {key: self.play(one["seat"], one[f"{key}_as_recorded"], state) for key in ("played", "best")
                 if f"{key}_as_recorded" in one}  # what an earlier version kept has the best alone
        told = {**one, **moves, "sentence": ""}
        if one["class"]:
            best, chance = (percent(self, one[key], one["is_exact"]) for key in ("best_chance", "chance"))
            key = "better.rough" if one.get("is_rough") else "better.unsolved" if one.get("is_unsolved") else "better"
            told["sentence"] = self.say(key, move=moves["best"], best=best, chance=chance)
        if "doubt" in one:
            told["doubt"] = {**one["doubt"], "sentence": self.doubt(one["doubt"], bool(one.get("is_rough")))}
        return told

    def play(self, seat: int, texts: list[str], state: Any = None) -> str:
        """A play as something to do; of a set of Cal's BS what is said, and its cards."""
        *laid, last = read_moves(self.record, seat, texts)
        move = self.sentences.move(last.verb, last.card, last.target, state if not laid else None, seat)
        cards = " ".join(self.sentences.card(one.card) for one in laid)
        return self.say("set", move=move, cards=cards) if laid else move

    def doubt(self, doubt: dict[str, Any], is_rough: bool) -> str:
        """Cal's BS: how likely the set that was doubted was false, and from which odds on a doubt of it paid; where
        chances are rough only whether it paid."""
        needed = doubt["needed"]
        if is_rough:
            paid = doubt["chance_of_lie"] >= (needed if needed >= 0 else _EVEN)
            return self.say("odds.rough.paid" if paid else "odds.rough")
        key = "odds" if needed < 0 else "odds.always" if needed == 0 else "odds.never" if needed > 100 else "odds.from"
        return self.say(key, lie=percent(self, doubt["chance_of_lie"]), needed=percent(self, needed, True))

    def title(self, told: dict[str, Any]) -> str:
        """`Durak, simple, 24 cards: Anna, Boris`: no internal name."""
        words = told["game"].split()
        said = [self.sentences.option(self.record.game, *word.split("=", 1)) for word in words if "=" in word]
        return f"{', '.join([self.sentences.title(words), *said])}: {', '.join(told['players'])}"

    def kind(self, seat: dict[str, Any]) -> str:
        """The kind of player that the seat played like; nothing where it is none."""
        kind = seat["plays_like"]
        return self._said.get(f"kind.{kind}") or self.sentences.kind(kind) if kind else ""
