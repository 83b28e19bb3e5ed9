"""Says a decision in players' words: `You could have transferred with 7♦: 71 % instead of 48 %`."""

from __future__ import annotations

from typing import Any

from cardtable.engine.deck import JOKER, RANK, RANKS, card_name
from cardtable.engine.event import NO_CARD, verb_name
from host_tools.minds.analysis.judge import Decision
from host_tools.minds.players.beginner_cals_bs import Plan

_PIPS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
# Verb by verb: what could have been done, and what was.
_WORDS = {
    "attack": "attacked with {card}",
    "beat": "beaten {target} with {card}",
    "transfer": "transferred with {card}",
    "show": "shown {card}",
    "done": "added nothing",
    "take": "taken",
    "lay": "laid {card}",
    "unlay": "taken {card} back",
    "centre": "laid {card} on centre pile {number}",
    "side": "laid {card} on side pile {number}",
    "end": "ended the turn",
    "pass": "passed",
    "doubt": "doubted",
    "out": "announced going out",
}


def card(number: int) -> str:
    """`10♦`; a joker is a star with its colour."""
    name = card_name(number)
    if name[0] == "X":
        return "★" + name[1].lower()
    return ("10" if name[0] == "T" else name[0]) + _PIPS[name[1]]


def act(game: Any, move: Any) -> str:
    """What a move is, as a past participle."""
    if isinstance(move, Plan):
        return act_of_set(game, move)
    name = verb_name(game, move >> 16)
    number, target = move >> 8 & 255, move & 255
    of = card(number) if number != NO_CARD else ""
    under = card(target) if name == "beat" else ""
    return _WORDS.get(name, name).format(card=of, target=under, number=target)


def act_of_set(game: Any, plan: Plan) -> str:
    """Cal's BS: what was laid and what was said, and whether that was true."""
    name = verb_name(game, plan.word >> 16)
    if not plan.cards:
        return _WORDS.get(name, name)
    laid = " ".join(card(number) for number in plan.cards)
    if name == "fours":
        return f"laid all fours ({laid})"
    said = plan.word & 255
    if name == "plus":
        return f"laid {laid} as plus {said}"
    rank = "10" if RANKS[said] == "T" else RANKS[said]
    is_true = all(RANK[number] in (said, JOKER) for number in plan.cards)
    return f"laid {laid} {'truly' if is_true else 'falsely'} as {rank}"


def percent(chance: float, is_exact: bool = False) -> str:
    """A chance as players say it; what is no certainty is never told as one."""
    if chance < 1 and not is_exact:
        return "under 1 %"
    if chance > 99 and not is_exact:
        return "over 99 %"
    return f"{chance:.0f} %"


def tell_mistake(game: Any, decision: Decision) -> str:
    """The sentence to the player."""
    is_exact = decision.is_exact
    chances = f"{percent(decision.best_chance, is_exact)} instead of {percent(decision.chance, is_exact)}"
    return f"You could have {act(game, decision.best)}: {chances}"


def tell_doubt(decision: Decision) -> str:
    """Cal's BS: how likely the set that was doubted was false, and from which odds on a doubt of it paid."""
    odds = f"The set was false with {percent(100 * decision.lie)}"
    if decision.needed < 0:
        return odds
    if decision.needed == 0:
        return f"{odds}: a doubt paid here in any case"
    if decision.needed > 1:
        return f"{odds}: no doubt paid here"
    return f"{odds}; from {percent(100 * decision.needed, True)} on a doubt paid here"
