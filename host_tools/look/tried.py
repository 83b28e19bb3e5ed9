"""Tells a moment of a finished game to somebody who wants to try it: the table as that seat saw it, each play, and how
often it came out well when it was played on.
"""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

from cardtable.engine.deck import card_name
from cardtable.engine.event import NO_CARD
from host_tools.base.errors import UnusableInput
from host_tools.judge.sentences import Sentences
from host_tools.look.wording import Wording
from host_tools.minds.analysis.chances import is_checked
from host_tools.minds.analysis.judge import wins_alone
from host_tools.minds.analysis.decisions import find_trouble
from host_tools.minds.analysis.sentences import read_moves
from host_tools.minds.analysis.tried import WHOLE, find_decision, list_plays, try_plays
from host_tools.sight.recorded import Recorded, viewer_of
from host_tools.sight.scene import scene_of

COLUMNS = 79
HIDDEN_KINDS = ("discard", "reader")  # piles that tell nothing of the moment


def tried_text(name: str, content: bytes, line: int, seat: int, is_anew: bool, count: int, language: str,
               folder: Path | None) -> str:
    """The moment as JSON, for the process aside. UnusableInput."""
    return json.dumps(tell_moment(Recorded(name, content), line, seat, is_anew, count, language, folder),
                      ensure_ascii=False)


def moment_lines(record: Recorded, line: int, seat: int, is_anew: bool, language: str, folder: Path | None
                 ) -> list[str]:
    """The same for a terminal of 80 columns, with all continuations. UnusableInput."""
    told, words = tell_moment(record, line, seat, is_anew, WHOLE, language, folder), Wording(language)
    if not told["plays"]:
        return []  # nothing can be played on from there, and starting the table says why
    if told["why"]:
        return textwrap.wrap(told["why"], COLUMNS)
    how = told["rough"] or f"{words.say('try.how', count=told['count'])} {told['aim']}"
    lines = textwrap.wrap(how, COLUMNS)
    for one in sorted(told["plays"], key=lambda one: -one["share"]):
        played = f" ({words.say('try.played')})" if one["is_played"] else ""
        figures = one["rough"] or words.say("try.share", good=one["good"], low=one["low"], high=one["high"])
        lines.append(textwrap.shorten(f"{figures}  {one['text']}{played}", COLUMNS - 2, placeholder=" …"))
    return lines


def withhold(plays: list[dict[str, Any]], words: Wording) -> None:
    """Replace the figures by a word for each play: these chances were not checked against finished games."""
    top = max(plays, key=lambda one: one["share"])["low"] if plays else 0
    for one in plays:
        one["rough"] = words.say("try.rough.worse" if one["high"] < top else "try.rough.best") if one["count"] else ""
        one.update({key: 0 for key in ("good", "share", "low", "high")})


def tell_moment(record: Recorded, line: int, seat: int, is_anew: bool, count: int, language: str, folder: Path | None
                ) -> dict[str, Any]:
    """`line`: of that seat's first decision from `line` on; `view`, `names`, `title`; `plays`, each with its text and
    cards and, after `count` continuations, its figures; `of`: how many there will be; `why`: why there are no figures,
    or, where `plays` is empty, why the game cannot be played on; `rough`: why a word stands for each play's figures.
    UnusableInput."""
    if not 0 < seat <= len(record.header.seats):
        raise UnusableInput(f"{record.name}: nobody sits at seat {seat}")
    sentences, words = Sentences(record.game, record.header.seats, language), Wording(language)
    trouble = find_trouble(record)
    told = {"line": line, "seat": seat, "names": list(record.header.seats), "count": 0, "of": WHOLE, "plays": [],
            "rough": "",
            "title": sentences.title(record.header.game), "why": words.say(f"try.{trouble}") if trouble else ""}
    if trouble == "counted":
        return told
    step, before = find_decision(record, line, seat)
    course = record.course()
    next(one for one in record.walk(course) if one.number == step.number)
    plays = []
    for one in (list_plays(record, step) if trouble else
                try_plays(record, step, before, is_anew, count, folder)):
        events = read_moves(record, seat, one["name"].split("; "))
        said = [sentences.move(event.verb, event.card, event.target, course.session.state, seat) for event in events]
        plays.append({**{key: one[key] for key in ("is_played", "count", "good", "share", "low", "high")},
                      "rough": "", "text": "; ".join(said),
                      "cards": [card_name(one.card) for one in events if one.card != NO_CARD]})
    view = viewer_of(scene_of(course), record.reader(str(seat))).tell_view()
    piles = [pile for pile in view["piles"] if pile["kind"] not in HIDDEN_KINDS]
    is_rough = not trouble and not is_checked(record.game, len(record.header.seats), course.session.state.register)
    wins = wins_alone(record.game, course.session.state)
    if is_rough:
        withhold(plays, words)
        told["rough"] = words.say("try.rough")
    return {**told, "line": step.number, "count": 0 if trouble else count, "cards": "anew" if is_anew else "lie",
            "aim": words.say("try.win" if wins else "try.aim"), "plays": plays,
            "view": {"piles": piles, "trump": view.get("trump", "")}}
