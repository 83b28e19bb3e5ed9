"""Writes an analysis as figures, for programs, text and page (page.py); the same record gives the same bytes."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from cardtable.engine.event import Event, find_verb, pack, unpack, verb_name
from cardtable.engine.record import write_arguments
from cardtable.games import cals_bs
from host_tools.minds.analysis.judge import CLASSES, Analysis, Decision, wins_alone
from host_tools.minds.analysis.likeness import Likeness
from host_tools.minds.analysis.sentences import Told
from host_tools.minds.analysis.slips import find_slip
from host_tools.sight.recorded import Recorded
from host_tools.minds.players.beginner_cals_bs import Plan

_DOUBT, _LAY = find_verb(cals_bs, "doubt"), find_verb(cals_bs, "lay")


def figures(found: Analysis) -> dict[str, Any]:
    """Everything, for programs and for the two other forms."""
    record, game = found.record, found.record.game
    names = list(record.header.seats)
    return {
        "record": record.name.rsplit("/", 1)[-1],
        "sha256": hash_of(record),
        "game": " ".join(record.header.game),
        "players": names,
        "result": record.result,
        "aim": "to win" if wins_alone(game, record.course().session.state) else "not to lose",
        "seats": [tell_seat(found, seat) for seat in range(1, found.seats + 1)],
        "decisions": Told(record).decisions([tell_decision(game, one) for one in found.decisions]),
        "curve": [{"line": number, "millionths": chances} for number, chances in found.curve],
    }


def hash_of(record: Recorded) -> str:
    """By which an analysis knows its record."""
    return hashlib.sha256(record.content).hexdigest()


def tell_seat(found: Analysis, seat: int) -> dict[str, Any]:
    """One seat: its mistakes, where its result came from, and the kind of player that it played like."""
    own = [one for one in found.decisions if one.seat == seat]
    kinds = {kind: sum(one.kind == kind for one in own) for _, kind in CLASSES}
    lost = sum(one.loss for one in own if not one.is_later)
    likeness = Likeness(found.record.game)
    for one in own:
        likeness.add(one.seen, one.played, one.choices)
    return {
        "name": found.record.header.seats[seat - 1],
        "decisions": len(own),
        **kinds,
        "lost_each": round(lost / len(own), 2) if own else 0.0,
        "plays_like": likeness.kind(),
        "likeness": likeness.words(),
        "outcome": found.outcome[seat - 1],
        "split": found.split(seat),
    }


def tell_decision(game: Any, one: Decision) -> dict[str, Any]:
    """One decision, without its sentences (Told.decisions)."""
    told = {
        "line": one.number, "at_ms": one.seen.at_ms, "seat": one.seat,
        "played_as_recorded": as_recorded(game, one.played),
        "chance": round(one.chance, 1), "chance_half": round(one.chance_half, 1),
        "best_chance": round(one.best_chance, 1), "best_half": round(one.best_half, 1),
        "best_as_recorded": as_recorded(game, one.best),
        "with_open_cards": {"chance": round(one.open_chance, 1), "best_chance": round(one.open_best, 1)},
        "is_exact": one.is_exact, "is_rough": one.is_rough, "is_unsolved": one.is_unsolved,
        "class": one.kind, "slip": "",
    }  # fmt: skip
    if one.kind:
        words = [move.word if isinstance(move, Plan) else move for move in (one.played, one.best)]
        told["slip"] = find_slip(game, one.seen, *words)
    word = one.played.word if isinstance(one.played, Plan) else one.played
    if game is cals_bs and word >> 16 == _DOUBT:
        told["doubt"] = {"chance_of_lie": round(100 * one.lie, 1), "needed": round(100 * one.needed, 1)}
    return told


def as_recorded(game: Any, move: Any) -> list[str]:
    """A move as a record writes it, without time and seat; a set of Cal's BS takes several."""
    packed = [move]
    if isinstance(move, Plan):
        packed = [pack(_LAY, card) for card in move.cards] + [move.word]
    events = [unpack(one, 1, 0, Event()) for one in packed]
    return [" ".join([verb_name(game, event.verb), *write_arguments(game, event)]) for event in events]


def as_json(told: dict[str, Any]) -> str:
    """One document."""
    return json.dumps(told, indent=1, sort_keys=True)


