"""Tells a player what decided a finished game: one play of theirs or of the one who lost, the better one, the table at
that moment. Only plays that were surely a mistake count, judged by what the player could know; where chances are rough
it says that another play was perhaps better.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cardtable.engine.deck import card_name
from cardtable.engine.event import NO_CARD
from cardtable.games import cals_bs
from host_tools.base.errors import UnusableInput
from host_tools.judge.sentences import Sentences
from host_tools.look.mistakes import PERHAPS, Mistake, kind_of, read_mistakes
from host_tools.look.reasons import say_reason
from host_tools.look.wording import Wording
from host_tools.minds.analysis.chances import is_checked
from host_tools.minds.analysis.decisions import check
from host_tools.minds.analysis.lines import round_parts
from host_tools.minds.analysis.sentences import percent
from host_tools.minds.analysis.served import make_decisions, make_split
from host_tools.sight.course import Course
from host_tools.sight.recorded import Line, Recorded, viewer_of
from host_tools.sight.scene import scene_of
from host_tools.sight.seen import look

POINT = 10_000  # millionths
MOST = 3  # plays that are told to a seat
HIDDEN_KINDS = ("discard", "reader")  # piles that tell nothing of the moment


def lesson_text(name: str, content: bytes, seat: int, language: str, folder: Path | None) -> str:
    """The lesson as JSON, for the process aside; of a game that cannot be analysed one without words. UnusableInput."""
    record = Recorded(name, content)
    try:
        lesson = make_lesson(record, seat, language, folder)
    except UnusableInput as wrong:
        lesson = {"words": "", "moment": None, "own": None, "more": [], "seat": seat, "aim": "", "why": str(wrong)}
    return json.dumps(lesson, ensure_ascii=False)


def make_lesson(record: Recorded, seat: int, language: str, folder: Path | None = None) -> dict[str, Any]:
    """The lesson of a finished game for who played that seat; 0: for everybody. It takes seconds the first time.
    UnusableInput for a game that is under way, or cannot be analysed.

    `words`: one sentence, empty where nobody was judged; `aim`: what its percents are of, empty where none is told;
    `moment`: the play that `words` tell, or None: where it turned, else the seat's worst play; `own`: that one, if it
    is another; `more`: what else cost the seat most, two plays at most.
    """
    check(record)
    seats = len(record.header.seats)
    seat = seat if 0 < seat <= seats else 0
    lost = find_losers(record)
    loser = seat if seat in lost else lost[0] if len(lost) == 1 else 0
    wanted = {one for one in (loser, seat) if one}
    found = {one: find_worst(record, one, folder) for one in wanted}
    worst = {one: told[0] if told else None for one, told in found.items()}
    words = Wording(language)
    # Where several lost each one's worst play cost its own chance: no single one turned the game.
    key = "lesson.other" if seat != loser else "lesson.you" if len(lost) == 1 else "lesson.own"
    moment = tell_moment(record, worst.get(loser), language, key)
    own = tell_moment(record, worst.get(seat), language, "lesson.own") if seat != loser else None
    more = [tell_moment(record, one, language, "lesson.also") for one in found.get(seat, [])[1:]]
    if moment is None:
        moment, own = own, None
    said = [one for one in (moment, own, *more) if one]
    aim = "lesson.aim.win" if record.game is cals_bs else "lesson.aim"
    return {"words": moment["sentence"] if moment else say_none(record, seat, loser, words), "moment": moment,
            "own": own, "more": more, "seat": seat,
            "aim": "" if said and all(one["kind"] == PERHAPS for one in said) else words.say(aim)}


def say_none(record: Recorded, seat: int, loser: int, words: Wording) -> str:
    """That no play was surely a mistake, of those who were judged: that seat and who lost; 0 for nobody."""
    if not (seat or loser):
        return ""
    if not is_checked(record.game, len(record.header.seats), record.course().session.state.register):
        return words.say("lesson.none.rough")
    return words.say("lesson.none.own" if not loser else "lesson.none.lost" if seat == loser else "lesson.none")


def luck_text(name: str, content: bytes, seat: int, language: str, folder: Path | None) -> str:
    """Luck and play of that seat as JSON, for the process aside; of a game that cannot be analysed, and at a
    table whose chances are rough, nothing. UnusableInput."""
    record = Recorded(name, content)
    try:
        luck = make_luck(record, seat, language, folder)
    except UnusableInput:
        luck = {}
    return json.dumps(luck, ensure_ascii=False)


def make_luck(record: Recorded, seat: int, language: str, folder: Path | None = None) -> dict[str, Any]:
    """What luck (deal and draws), the seat's own play and that of the others brought it, in points of a hundred that
    lead from its `fair` share to its `result`. `words`: that as a sentence. Nothing where chances are
    rough. UnusableInput."""
    check(record)
    if not is_checked(record.game, len(record.header.seats), record.course().session.state.register):
        return {}
    if not 0 < seat <= len(record.header.seats):
        raise UnusableInput(f"{record.name}: nobody sits at seat {seat}")
    split = make_split(record, seat, folder)
    others = sum(value for key, value in split.items() if key.startswith("play ") and key != f"play {seat}")
    parts = {"fair": split["fair"], "luck": split["deal"] + split["draws"] + split["table"],
             "play": split[f"play {seat}"], "others": others}
    told: dict[str, Any] = dict(zip(parts, round_parts(list(parts.values()), POINT), strict=True))
    told["result"] = sum(told.values())
    signed = {key: f"{told[key]:+d}".replace("-", "−") for key in ("luck", "play", "others")}
    words = Wording(language)
    return {**told, "words": words.say("luck", fair=told["fair"], result=told["result"], **signed)}


def find_losers(record: Recorded) -> list[int]:
    """The seats that lost."""
    course = record.course()
    for _ in record.walk(course):
        pass
    lost = record.game.losers(course.session.state)
    return [seat for seat in range(1, len(record.header.seats) + 1) if lost >> seat & 1]


def find_worst(record: Recorded, seat: int, folder: Path | None) -> list[tuple[int, Mistake]]:
    """(line, mistake) of the plays that cost the seat most, MOST of them; the later one of those that cost the same
    first. Each is a mistake for sure: the interval of what it cost lies above five points."""
    decisions = [one for one in make_decisions(record, seat, folder)
                 if kind_of(one) and one["line"] >= record.begins]
    found = read_mistakes(record, {"decisions": decisions})
    return sorted(found.items(), key=lambda one: (round(one[1].best_chance - one[1].chance), one[0]))[::-1][:MOST]


def tell_moment(record: Recorded, worst: tuple[int, Mistake] | None, language: str, key: str) -> dict[str, Any] | None:
    """The moment before that play, as its player saw it, in the words of that key."""
    if worst is None:
        return None
    number, mistake = worst
    course = record.course()
    line = next(line for line in record.walk(course) if line.number == number)
    sentences, words = Sentences(record.game, record.header.seats, language), Wording(language)
    state, event = course.session.state, line.event
    played = sentences.move(event.verb, event.card, event.target, state, event.seat)
    better = "; ".join(sentences.move(one.verb, one.card, one.target, state, event.seat) for one in mistake.better)
    chance, best = (percent(words, one, mistake.is_exact, mistake.is_rough)
                    for one in (mistake.chance, mistake.best_chance))
    key += ".rough" if mistake.is_rough else ""
    said = words.say(key, seat=sentences.seat(event.seat), move=played, chance=chance, better=better, best=best)
    reason = say_reason(sentences, words, look(course.session, event.seat, event.at_ms), event, mistake.better)
    return {"line": number, "seat": event.seat, "kind": mistake.kind, "sentence": said, "reason": reason,
            "played": played, "better": better, "chance": chance, "best": best,
            **draw_moment(record, course, line, mistake)}


def draw_moment(record: Recorded, course: Course, line: Line, mistake: Mistake) -> dict[str, Any]:
    """What a small picture of the table needs: the piles that the player saw, the trump, the cards of both plays."""
    view = viewer_of(scene_of(course), record.reader(str(line.event.seat))).tell_view()
    seat = line.event.seat
    piles = [pile for pile in view["piles"] if pile["kind"] not in HIDDEN_KINDS and pile["seat"] in (0, seat)]
    cards = [] if line.event.card == NO_CARD else [card_name(line.event.card)]
    return {"piles": piles, "trump": view.get("trump", ""), "cards": cards, "better_cards": mistake.better_cards()}
