"""Owns what a finished game brought its players, and reads it from a record by playing the record again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.event import DRAW, Event
from cardtable.engine.match import FROM, list_out, next_header
from cardtable.engine.reading import read_event, read_header
from cardtable.engine.record import Header, RecordError, SetupError
from cardtable.engine.session import Session
from host_tools.base.foreign import shorten
from host_tools.base.languages import ENGLISH
from host_tools.base.wording import read_words
from host_tools.club.tournament.refused import FOLDER, WORDS, Unfit
from host_tools.judge.records import verify

ABORTED = "aborted"
MOST_ROUNDS = 9999  # that a header may say
BEGUN = "begun"  # of a header: when its tournament began, which tells it from an earlier one of that name
SITS_OUT = "sits_out"  # of a header: who sits out the round
SITS_OUT_COUNT = "sits_out_count"  # how many do, where a line cannot hold their names


def is_round(number: str, last: int) -> bool:
    """Whether a header says a round there: whoever forges a record may write anything."""
    return number.isascii() and number.isdecimal() and len(number) <= len(str(MOST_ROUNDS)) and 1 <= int(number) <= last


def reseat(following: dict[str, str], seats: Sequence[str], group: Sequence[str]) -> dict[str, str]:
    """What the next game begins with, by the seats of `group`; it was played by the same people on `seats`."""
    if list(seats) == list(group) or sorted(seats) != sorted(group):
        return following
    found = dict(following)
    for key in ("dealer", "first"):
        if key in found:
            found[key] = str(group.index(seats[int(found[key]) - 1]) + 1)
    if "standing" in found:
        lost = dict(zip(seats, found["standing"].split(" "), strict=True))
        found["standing"] = " ".join(lost[name] for name in group)
    return found


class PlayedOn(Exception):
    """A game that was played on from a line of a finished one: it counts for nothing."""


@dataclass(frozen=True)
class Outcome:
    """Who came first, who lost, and what is counted beside. `places`: first place first; equals stand together."""

    places: tuple[tuple[str, ...], ...]
    lost: tuple[str, ...] = ()
    marks: tuple[tuple[str, int], ...] = ()

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody who played."""
        return tuple(name for place in self.places for name in place)

    def agrees(self, other: Outcome) -> bool:
        """Whether both say the same of places and losers: a slip says nothing of marks."""
        return (self.places, self.lost) == (other.places, other.lost)

    def as_data(self) -> dict[str, Any]:
        """As an event keeps it."""
        return {"places": [list(place) for place in self.places], "lost": list(self.lost),
                "marks": [list(mark) for mark in self.marks]}

    def tell(self, language: str = ENGLISH) -> str:
        """`Anna; Boris = Vera; Gleb (lost)`: with semicolons, as places are typed, because a name may hold a comma."""
        words = read_words(FOLDER, WORDS, language)
        places = [" = ".join(words["lost"].format(name=name) if name in self.lost else name for name in place)
                  for place in self.places]
        return "; ".join(places + [words["marks"].format(name=name, count=count) for name, count in self.marks])


def make_outcome(places: Iterable[Iterable[str]], lost: Iterable[str], marks: Iterable[tuple[str, int]] = ()
                 ) -> Outcome:
    """An outcome with equals in the order of their names, so that everybody writes it alike."""
    return Outcome(tuple(tuple(sorted(place)) for place in places), tuple(sorted(lost)), tuple(sorted(marks)))


def read_outcome(data: dict[str, Any]) -> Outcome:
    """The outcome of an event."""
    return Outcome(tuple(tuple(place) for place in data["places"]), tuple(data["lost"]),
                   tuple((name, count) for name, count in data["marks"]))


@dataclass
class Game:
    """A record that was judged. `trouble`: why it cannot count; `doubt`: why a person has to look at it first;
    `following`: what the match's next game begins with."""

    seal: str = ""
    trouble: str = ""
    doubt: str = ""
    header: Header = field(default_factory=Header)
    result: str = ""
    outcome: Outcome | None = None  # None for a game that was aborted
    following: dict[str, str] = field(default_factory=dict)
    dealt: dict[int, list[int]] = field(default_factory=dict)  # the cards that each seat tapped in the deal
    drawn: list[int] = field(default_factory=list)  # those that came by chance afterwards, in order

    def said(self, key: str) -> str:
        """The header's value of that key; empty if it has none."""
        return next((value for name, value in self.header.keys if name == key), "")


def judge_record(record: bytes, key: bytes | None = None) -> Game:
    """Check the seals, play the game again, and find its outcome. key: the table's, if it is known."""
    finding = verify.verify(record, key)
    game = Game(finding.digest)
    if finding.kind == verify.NO_RECORD:
        game.trouble = "it is no sealed record: " + "; ".join(finding.notes)
    elif finding.kind != verify.INTACT:
        where = f" in {finding.ranges()}" if finding.changed else f" after line {finding.lines}"
        game.trouble = f"it was {finding.kind}{where}"
        if verify.OTHER_ENDS in finding.notes:  # no forgery: a mail program or an editor did it
            game.trouble = f"{verify.OTHER_ENDS}: take the file from the table again"
    if game.trouble:
        game.seal = ""
        return game
    try:
        play(record, game)
    except PlayedOn:
        game.trouble = "it was played on from a finished game"
    except (RecordError, SetupError) as wrong:
        game.trouble = f"the engine cannot play it: {wrong}"
    return game


def play(record: bytes, found: Game) -> None:
    """Fill in what the record's events say. RecordError, SetupError, PlayedOn."""
    lines = iter(f"{line}\n" for line in record.decode("utf-8", "replace").split("\n")[:-1])
    found.header, number = read_header(lines)
    if found.said(FROM):
        raise PlayedOn
    game = find_game(found.header.game[0])
    session = Session(game, found.header)
    event = Event()
    chance = set(game.CHANCE.values())
    seen: set[int] = set()
    for number, line in enumerate(lines, number + 1):  # noqa: B020 - it goes on behind the header
        text = line.strip()
        if text.startswith("result:"):
            found.result = text[7:].strip()
        elif text and text[0] not in ";~" and read_event(game, text, number, event):
            if not found.doubt and not session.judge(event):  # who is refused what is right loses by it
                found.doubt = str(Unfit("allowed", line=number, text=repr(shorten(text, 60))))
        elif text and text[0] not in ";~":
            is_deal = game.is_dealing(session.state) and event.verb == DRAW
            if session.play(event):
                raise RecordError(number, f"the engine refuses {text[:60]!r}")
            if event.verb in chance and event.card not in seen:
                seen.add(event.card)  # a card that was taken back comes again
                (found.dealt.setdefault(event.seat, []) if is_deal else found.drawn).append(event.card)
    if not session.is_over() or session.result() != found.result:
        raise RecordError(number, f"the result is {session.result() or 'open'!r}, not {found.result[:60]!r}")
    names = found.header.seats
    if len(set(names)) < len(names):
        raise RecordError(0, "two of its seats have one name")
    following = dict(next_header(session, found.header).keys)
    found.following = {key: following[key] for key in ("dealer", "first", "standing") if key in following}
    if found.result != ABORTED:
        found.outcome = find_outcome(session, names)


def find_outcome(session: Any, names: Sequence[str]) -> Outcome:
    """Places by the order of going out (D39, B12); without one the losers stand below the others. Partners share a
    place, and so do the last two of a draw."""
    game, state = session.game, session.state
    seats = range(1, len(names) + 1)
    lost = [seat for seat in seats if game.losers(state) >> seat & 1]
    out = [seat for seat in list_out(session) if seat not in lost]
    if len(lost) > 1 or not out or len(lost) + len(out) < len(names):
        places = [[seat for seat in seats if seat not in lost], lost]
    elif lost:
        places = [*([seat] for seat in out), lost]
    else:
        places = [*([seat] for seat in out[:-2]), out[-2:]]
    marks = [(seat, game.marks(state, seat)) for seat in seats]
    return make_outcome([[names[seat - 1] for seat in place] for place in places if place],
                        [names[seat - 1] for seat in lost],
                        [(names[seat - 1], count) for seat, count in marks if count])
