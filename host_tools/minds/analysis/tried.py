"""Tries the plays of one decision of a finished game: each is played on a hundred times, in the same deals of hidden
cards, and how often it came out well is kept beside the record. It is done in parts, so that one can watch it grow.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

from cardtable.engine.state import State
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.minds.analysis.decisions import Step
from host_tools.minds.analysis.judge import OpenWorlds, enact_of, moments
from host_tools.minds.analysis.report import as_recorded, hash_of
from host_tools.minds.analysis.served import keep
from host_tools.minds.intervals import interval
from host_tools.minds.players.rollouts import compare
from host_tools.minds.players.worlds import make_memory, make_worlds
from host_tools.sight.recorded import Recorded

WHOLE = 100  # continuations of each play
PART = 25  # that are played at once
MOST = 8  # plays that are tried: what was played, and those that look best
_LOOK = 16  # continuations by which those are chosen
SHAPE = {"sha256": str, "moves": [str], "scores": [[float]]}


def find_decision(record: Recorded, line: int, seat: int) -> tuple[Step, State]:
    """The seat's first decision from that line on, and the game before it. UnusableInput if there is none."""
    for step, before, _, _ in moments(record):
        if step.number >= line and step.seat == seat and step.seen is not None and before is not None:
            kept = State(record.game.CARDS, record.game.REGISTERS)
            kept.copy(before)
            return step, kept
    raise UnusableInput(f"{record.name}: line {line}: that seat chooses nothing from there on")


def try_plays(record: Recorded, step: Step, before: State, is_anew: bool, count: int, folder: Path | None
              ) -> list[dict[str, Any]]:
    """Each play with its `share` of good ends and its interval, `low` to `high`, in percent, after `count` of WHOLE
    continuations; the played one has `is_played`. is_anew: hands are dealt again, as the seat could know; else they lie
    as they lay, and the stock is shuffled. folder: where it is kept."""
    assert step.seen is not None
    worlds = make_worlds(step.seen, make_memory(record.game))
    enact, game = enact_of(worlds), record.game
    deals = worlds if is_anew else OpenWorlds(worlds, before)
    seed = zlib.crc32(repr((step.number, is_anew, hash_of(record))).encode())
    named = {name_of(game, one): one for one in step.choices}
    path = folder / f"try-{hash_of(record)}-{step.number}-{'anew' if is_anew else 'lie'}.json" if folder else None
    kept = read_kept(path, record, named)
    if kept is None:
        first = compare(deals, step.choices, enact, seed, _LOOK)[: MOST] if len(named) > MOST else []
        chosen = [one.move for one in first if one.move != step.played][: MOST - 1] or list(step.choices)
        moves = [step.played, *(one for one in chosen if one != step.played)]
        kept = {name_of(game, one): [] for one in moves}
    while len(next(iter(kept.values()))) < min(count, WHOLE):
        at = len(next(iter(kept.values())))
        for one in compare(deals, [named[name] for name in kept], enact, seed + 1 + at, PART, is_racing=False):
            kept[name_of(game, one.move)] += [round(score, 4) for score in one.scores]
    if path is not None and count:
        keep(path, {"sha256": hash_of(record), "moves": list(kept), "scores": list(kept.values())})
    return [tell(name, named[name], scores[:count], named[name] == step.played) for name, scores in kept.items()]


def list_plays(record: Recorded, step: Step) -> list[dict[str, Any]]:
    """The same without figures, where nobody can weigh them: at most MOST, the played one first."""
    moves = [step.played, *(one for one in step.choices if one != step.played)]
    return [tell(name_of(record.game, one), one, [], one == step.played) for one in moves[:MOST]]


def name_of(game: Any, move: Any) -> str:
    """By which a play is known in what is kept."""
    return "; ".join(as_recorded(game, move))


def read_kept(path: Path | None, record: Recorded, named: dict[str, Any]) -> dict[str, list[float]] | None:
    """The scores of each play, so far as they are kept; None where nothing is."""
    try:
        said = foreign.read_json(path, SHAPE) if path is not None else None
    except foreign.Unreadable:
        return None
    if said is None or said["sha256"] != hash_of(record) or not set(said["moves"]) <= set(named):
        return None
    lengths = {len(scores) for scores in said["scores"]}
    if len(said["moves"]) != len(said["scores"]) or len(lengths) != 1 or lengths.pop() % PART:
        return None
    return dict(zip(said["moves"], said["scores"], strict=True))


def tell(name: str, move: Any, scores: list[float], is_played: bool) -> dict[str, Any]:
    """One play."""
    share, low, high = interval(sum(scores), len(scores))
    return {"name": name, "move": move, "is_played": is_played, "count": len(scores), "good": round(sum(scores)),
            "share": round(share), "low": round(low), "high": round(high)}
