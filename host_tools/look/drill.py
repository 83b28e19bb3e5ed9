"""Drills from real games: a moment of a finished game as one seat saw it, and a question about what has gone.

`left`: how many trumps the seat does not see and are still in play. `out`: which two of four cards have gone. In
Cal's BS `claim`: how likely the hand that laid the last set had so many fitting cards, by the own hand alone.
"""

from __future__ import annotations

import contextlib
import json
import zlib
from typing import Any

from cardtable.engine.deck import ACE, JOKER, RANK, SUIT, SUITS, card_name
from cardtable.engine.hands import is_counted
from cardtable.engine.state import HAND, NOWHERE, STOCK
from cardtable.games import cals_bs, durak
from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import Random
from host_tools.judge.facts import durak as durak_facts
from host_tools.judge.facts.cals_bs import CalsBsTable
from host_tools.judge.sentences import Sentences
from host_tools.look.wording import Wording
from host_tools.minds.players.odds import chance_to_hold
from host_tools.sight.course import Course
from host_tools.sight.recorded import Recorded, viewer_of
from host_tools.sight.scene import scene_of
from host_tools.sight.seen import look

MOST = 12  # questions of one game
_FEWEST_GONE = 6  # cards in the discard, before it is worth asking
_SHARE = 20  # of 100 moments are asked about
_CARDS = 4  # to choose among
_STEPS = (0, 5, 15, 30, 50, 70, 85, 95, 100)  # percent that can be answered


def drills_text(games: list[tuple[str, bytes]], language: str, seed: int) -> str:
    """Questions about the first of these records (name, content) that has some, as JSON, for a process aside. One that
    cannot be used, or whose game is not over, has none."""
    drills: list[dict[str, Any]] = []
    for name, content in games:
        with contextlib.suppress(UnusableInput):
            drills = make_drills(Recorded(name, content), language, seed)
        if drills:
            break
    return json.dumps({"drills": drills}, ensure_ascii=False)


def make_drills(record: Recorded, language: str, seed: int) -> list[dict[str, Any]]:
    """Up to MOST questions, the same for the same seed; none about a counted deal (T4), whose record does not tell who
    holds what."""
    if not record.is_over or record.game not in (durak, cals_bs) or record.result == "aborted":
        return []
    draw = Random(zlib.crc32(record.content) ^ seed)
    course = record.course()
    if is_counted(course.session.state):
        return []
    found: list[dict[str, Any]] = []
    for line in record.walk(course):
        if line.verdict or not line.event.seat or draw.below(100) >= _SHARE or len(found) >= 2 * MOST:
            continue
        if record.game is durak:
            found += ask_durak(record, course, line.event.seat, language, draw)
        else:
            found += ask_claim(record, course, line.event.seat, language)
    draw.shuffle(found)
    return found[:MOST]


def ask_durak(record: Recorded, course: Course, seat: int, language: str, draw: Random) -> list[dict[str, Any]]:
    """The questions of that moment."""
    state = course.session.state
    gone = [card for card in range(durak.CARDS) if state.where[card] == durak_facts.DISCARD]
    trump = state.register[durak_facts.TRUMP]
    if len(gone) < _FEWEST_GONE or trump >= len(SUITS) or state.register[durak_facts.CHEATING]:
        return []
    words, base = Wording(language), tell_moment(record, course, seat, language)
    hidden = list_hidden(state, seat)
    left = sum(SUIT[card] == trump for card in hidden)
    all_trumps = sum(SUIT[card] == trump and state.where[card] != NOWHERE for card in range(durak.CARDS))
    found = [{**base, "kind": "left", "question": words.say("drill.left"), "answer": [str(left)],
              "choices": [str(number) for number in range(all_trumps + 1)]}]
    # As many of both as there are, so that a guess gains nothing.
    some, others = draw_some(gone, draw), draw_some(hidden, draw)
    if len(some) == len(others) == _CARDS // 2:
        cards = sorted(some + others)
        found.append({**base, "kind": "out", "question": words.say("drill.out"), "answer": list(map(card_name, some)),
                      "choices": list(map(card_name, cards))})
    return found


def list_hidden(state: Any, seat: int) -> list[int]:
    """The cards in play that the seat does not see: in the stock and in other hands."""
    return [card for card in range(durak.CARDS)
            if state.where[card] == STOCK or HAND < state.where[card] < HAND + 8 and state.where[card] != HAND + seat]


def draw_some(cards: list[int], draw: Random) -> list[int]:
    """Half of what can be chosen among."""
    cards = list(cards)
    draw.shuffle(cards)
    return sorted(cards[: _CARDS // 2])


def ask_claim(record: Recorded, course: Course, seat: int, language: str) -> list[dict[str, Any]]:
    """Cal's BS: how likely the hand that laid the last set holds so many cards of that rank, by counting alone."""
    table = read_claim(course, seat)
    if table is None:
        return []
    laid, held, hidden, fitting = table
    chance = 100 * chance_to_hold(laid, held, hidden, fitting)
    nearest = min(_STEPS, key=lambda step: abs(step - chance))
    words = Wording(language)
    return [{**tell_moment(record, course, seat, language), "kind": "claim", "question": words.say("drill.claim"),
             "facts": words.say("drill.claim.facts", laid=laid, held=held, hidden=hidden, fitting=fitting),
             "answer": [f"{nearest} %"], "choices": [f"{step} %" for step in _STEPS]}]


def read_claim(course: Course, seat: int) -> tuple[int, int, int, int] | None:
    """(cards of the last set, cards of its player before it, cards that the seat does not see, those of them that the
    claim allows); None where no plain claim lies, or it is the seat's own."""
    seen = look(course.session, seat, course.at_ms)
    table = CalsBsTable(seen)
    if table.last in (0, seat) or table.claim > ACE or table.is_bound:
        return None
    own = {*seen.hand, *table.staged}
    hidden = [card for card in range(cals_bs.CARDS) if seen.view[card] == STOCK and card not in own]
    fitting = sum(RANK[card] in (table.claim, JOKER) for card in hidden)
    return table.laid, table.held[table.last] + table.laid, len(hidden), fitting


def tell_moment(record: Recorded, course: Course, seat: int, language: str) -> dict[str, Any]:
    """The table as the seat saw it; the discard shows no face."""
    view = viewer_of(scene_of(course, language), record.reader(str(seat))).tell_view()
    piles = [{**pile, "cards": [] if pile["kind"] == "discard" else pile["cards"]} for pile in view["piles"]
             if pile["kind"] not in ("reader",)]
    return {"game": Sentences(record.game, record.header.seats, language).title(record.header.game), "seat": seat,
            "names": list(record.header.seats), "view": {"piles": piles, "trump": view.get("trump", "")}}
