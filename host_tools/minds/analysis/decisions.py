"""Walks through a finished record and finds its decisions: who chose what, what else could have been done, and what the
seat knew then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cardtable.engine.deck import RANK
from cardtable.engine.event import AGREE, NO_CARD, OWN_VERB, find_verb, pack
from cardtable.engine.state import DEAL, State
from cardtable.games import cals_bs, durak
from host_tools.base.errors import UnusableInput
from host_tools.minds.analysis.chances import USUAL, find_alike
from host_tools.sight.recorded import SECRET, Recorded
from host_tools.minds.players.beginner import Beginner
from host_tools.minds.players.beginner_cals_bs import Plan
from host_tools.minds.players.cals_bs_plans import list_plans
from host_tools.judge.facts.cals_bs import CalsBsTable, is_bound
from host_tools.minds.players.search import list_moves
from host_tools.sight.seen import Heard, Seen, heard, look
from host_tools.minds.players.worlds import can_guess

_STAGES = (find_verb(cals_bs, "lay"), find_verb(cals_bs, "unlay"), find_verb(cals_bs, "ask"))
_UNSEARCHED = (find_verb(durak, "cheat"), find_verb(durak, "catch"))


@dataclass
class Step:
    """One accepted event: the state behind it, and the decision that it was, if it was one."""

    number: int  # line of the record
    seat: int  # whose event it was; of an agreement (T7) who asked for it, and takes its own play back
    verb: int
    state: State
    is_settled: bool  # no card has to come by chance now
    seen: Seen | None = None
    played: Any = None  # a packed move, or a Plan
    choices: tuple[Any, ...] = ()
    alike: float = USUAL  # the share of the seat's decisions before this one that were those of the advice


TROUBLES = {
    "new": "nobody has taught the players this game yet",
    "bound": "the players cannot weigh Cheat and Ne veryu yet",
    "counted": "its hands were counted and not tapped, so it does not say who held what",
    "aborted": "the arbiter ended this game",
}


def find_trouble(record: Recorded) -> str:
    """Why a finished game cannot be analysed: a key of TROUBLES; empty if it can. UnusableInput while it goes on."""
    if not record.is_over:
        raise UnusableInput(f"{record.name}: {SECRET}")
    if not can_guess(record.game):
        return "new"
    register = record.course().session.state.register
    if register[DEAL]:
        return "counted"
    if record.game is cals_bs and is_bound(register):
        return "bound"
    return "aborted" if record.result == "aborted" else ""


def check(record: Recorded) -> None:
    """UnusableInput for a game that cannot be analysed; above all for one that is under way."""
    trouble = find_trouble(record)
    if trouble:
        raise UnusableInput(f"{record.name}: {TROUBLES[trouble]}")


@dataclass
class Manner:
    """How often a seat has decided as a beginner is advised to."""

    beginner: Beginner
    decisions: int = 0
    same: int = 0

    @property
    def alike(self) -> float:
        """The share so far."""
        return find_alike(self.same, self.decisions)

    def add(self, seen: Seen, played: Any) -> None:
        """One decision; a set of Cal's BS is laid in several moves, and says nothing."""
        if isinstance(played, int):
            choice = self.beginner.choose(seen)
            self.decisions += 1
            self.same += choice is not None and choice.packed == played


def walk(record: Recorded) -> Iterator[Step]:
    """The accepted events of the record."""
    course = record.course()
    game, session = record.game, course.session
    seats = range(1, len(record.header.seats) + 1)
    logs: dict[int, list[Heard]] = {seat: [] for seat in seats}
    manners = {seat: Manner(Beginner(game, seat, len(seats), 0)) for seat in seats}
    pending: Step | None = None
    for line in record.walk(course):
        if pending is not None:
            yield finish(pending, game, session.state)
            pending = None
        if line.verdict:
            continue
        event = line.event
        seat = session.undo_seat if event.verb == AGREE else event.seat
        pending = Step(line.number, seat, event.verb, State(game.CARDS, game.REGISTERS), False)
        if event.seat and event.verb >= OWN_VERB and event.verb not in game.CHANCE.values():
            seen = look(session, event.seat, event.at_ms, (), tuple(logs[event.seat]))
            pending.played, pending.choices = find_choices(game, seen, event)
            if len(pending.choices) > 1:
                pending.seen, pending.alike = seen, manners[event.seat].alike
                manners[event.seat].add(seen, pending.played)
        for seat in seats:
            told = heard(game, session.state, event, seat)
            if told:
                logs[seat].append(told)
    if pending is not None:
        yield finish(pending, game, session.state)


def finish(step: Step, game: Any, state: State) -> Step:
    """The step with the state that it led to."""
    step.state.copy(state)
    waits = bytearray(8)
    game.waiting(state, waits)
    step.is_settled = not any(wait in game.CHANCE for wait in waits[1:])
    return step


def find_choices(game: Any, seen: Seen, event: Any) -> tuple[Any, tuple[Any, ...]]:
    """What was played, and everything that could have been; nothing to choose: one or none."""
    if game is cals_bs:
        return find_plans(seen, event)
    played = pack(event.verb, event.card, event.target)
    moves = list_moves(seen)
    if played not in moves or event.verb in _UNSEARCHED:
        return played, ()
    return played, tuple(moves)


def find_plans(seen: Seen, event: Any) -> tuple[Any, tuple[Any, ...]]:
    """Cal's BS: a set as a whole, judged at its word; cards that are only laid ready are no decision."""
    word = pack(event.verb, NO_CARD, event.target)
    if event.verb in _STAGES or word not in seen.moves:
        return None, ()
    table = CalsBsTable(seen)
    lays = event.verb in (find_verb(cals_bs, "claim"), find_verb(cals_bs, "plus"), find_verb(cals_bs, "fours"))
    played = Plan(tuple(table.staged) if lays else (), word)
    plans = list_plans(seen, table)
    alike = [plan for plan in plans if plan.word == word and like(plan, played)]
    if alike:
        return alike[0], tuple(plans)
    return played, (*plans, played)


def like(plan: Plan, other: Plan) -> bool:
    """Whether two sets have the same ranks: which of two sevens is laid does not matter."""
    return sorted(RANK[card] for card in plan.cards) == sorted(RANK[card] for card in other.cards)
