"""A second opinion: what an engine (docs/engine-protocol.md) would have played in each decision of a finished game.

It hears and sees what the seat did, and nothing more. Its play is judged as the seat's own was, by the same guesses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from cardtable.engine.event import Event, unpack
from host_tools.minds.analysis.decisions import Step, find_choices
from host_tools.minds.analysis.judge import END_NODES, GUESSES, Analysis, Decision, judge, moments
from host_tools.minds.analysis.report import as_recorded
from host_tools.minds.arena.report import write_troubles
from host_tools.minds.players import engine
from host_tools.minds.players.exact import OpenEnd
from host_tools.minds.players.worlds import make_memory

SEED = 1  # for the engine's own dice: the same game gets the same answers


@dataclass
class Opinion:
    """What the engine would have played in one decision, and its chances in percent."""

    decision: Decision
    play: Any
    judged: Decision | None  # as if it had been played; None: it was

    @property
    def chance(self) -> float:
        """By what the seat could know."""
        return self.decision.chance if self.judged is None else self.judged.chance

    @property
    def loss(self) -> float:
        """How many points it would have cost."""
        return self.decision.loss if self.judged is None else self.judged.loss

    def figures(self) -> dict[str, Any]:
        """For programs, and for `Told`."""
        return {
            "line": self.decision.number, "seat": self.decision.seat, "at_ms": self.decision.seen.at_ms,
            "move_as_recorded": as_recorded(self.decision.seen.game, self.play), "is_same": self.judged is None,
            "chance": round(self.chance, 1), "loss": round(self.loss, 1),
            "played_chance": round(self.decision.chance, 1), "is_exact": self.decision.is_exact,
            "is_rough": self.decision.is_rough, "class": self.decision.kind,
        }  # fmt: skip


def ask(found: Analysis, name: str, guesses: int = GUESSES,
        tell: Callable[[int, int], None] = lambda done, of: None) -> dict[str, Any]:
    """The figures of that player, `engine:NAME` as `engine.register` gave it, over all decisions of the analysis. Not
    compared: where it waits, answers with a part of a play (cards of Cal's BS that are only laid ready, cheating), or
    does not answer as it should; `troubles` says the last."""
    record, known = found.record, {one.number: one for one in found.decisions}
    made = engine.Engine.with_setting(name.partition(":")[2])
    seats = range(1, found.seats + 1)
    players = {seat: made(record.game, seat, found.seats, SEED) for seat in seats}
    memories = {seat: make_memory(record.game) for seat in seats}
    for player in players.values():
        player.line = " ".join(record.header.game)
    end, opinions, troubles = OpenEnd(END_NODES), [], Counter[str]()
    for done, (step, before, _, _) in enumerate(moments(record)):
        tell(done, record.count)
        if step.number not in known or before is None:
            continue
        play, choices = take_play(players[step.seat], step, troubles)
        if choices:
            decision = known[step.number]
            judged = None
            if play != decision.played:
                asked = replace(step, played=play, choices=choices)
                judged = judge(asked, before, memories[step.seat], guesses, end)
            opinions.append(Opinion(decision, play, judged))
    engine.close_all()
    count = max(1, len(opinions))
    return {
        "name": name.partition(":")[2], "decisions": len(found.decisions), "compared": len(opinions),
        "same": sum(one.judged is None for one in opinions),
        "lost_each": round(sum(one.loss for one in opinions) / count, 2),
        "record_lost_each": round(sum(one.decision.loss for one in opinions) / count, 2),
        "troubles": write_troubles(troubles),
        "plays": [one.figures() for one in opinions],
    }  # fmt: skip


def take_play(player: engine.Engine, step: Step, troubles: Counter[str]) -> tuple[Any, tuple[Any, ...]]:
    """The engine's play as `find_choices` has plays, and all choices; none where there is nothing to compare."""
    seen = step.seen
    assert seen is not None
    try:
        choice = player.suggest(seen)
    except engine.Trouble as trouble:
        troubles[f"{player.name} {trouble}"] += 1
        return None, ()
    if choice is None:
        return None, ()
    return find_choices(seen.game, seen, unpack(choice.packed, seen.seat, seen.at_ms, Event()))
