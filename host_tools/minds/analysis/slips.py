"""Names what kind of mistake a play was, by comparing it with the better one: questions about both plays and the table
as the seat saw it; the first that is true names it. The words stand in look.LANGUAGE.txt, as `slip.GAME.KIND`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardtable.engine.event import NO_CARD, verb_name
from host_tools.judge.facts.durak import DurakTable

OTHER = "other"
Ask = Callable[[str, str], bool]  # (verb that was played, verb of the better play)


def pair(played: tuple[str, ...], better: tuple[str, ...]) -> Ask:
    """Whether the verbs are among these."""
    return lambda one, other: one in played and other in better


LAYS = ("claim", "plus", "fours")
# By the verbs alone. Of Durak what remains is told apart by cards (of_durak).
KINDS: dict[str, dict[str, Ask]] = {
    "durak": {
        "took": pair(("take",), ("beat", "transfer")),
        "beat": pair(("beat",), ("take",)),
        "kept": pair(("beat",), ("transfer",)),
        "transferred": pair(("transfer",), ("beat", "take")),
        "threw": pair(("attack",), ("done",)),
        "stopped": pair(("done",), ("attack",)),
    },
    "cals-bs": {
        "doubted": pair(("doubt",), (*LAYS, "pass", "out")),
        "believed": pair((*LAYS, "pass", "out"), ("doubt",)),
        "passed": pair(("pass",), LAYS),
        "laid": pair(LAYS, ("pass",)),
        "set": pair(LAYS, LAYS),
    },
    "bailiff": {
        "took": pair(("take",), ("lay",)),
        "laid": pair(("lay",), ("take", "done")),
        "card": pair(("lay",), ("lay",)),
        "stopped": pair(("done",), ("lay",)),
    },
    "malice": {
        "ended": pair(("end",), ("centre", "side")),
        "centre": pair(("centre",), ("side", "end")),
        "side": pair(("side",), ("centre",)),
        "card": pair(("centre", "side"), ("centre", "side")),
    },
}


def find_slip(game: Any, seen: Any, played: int, better: int) -> str:
    """The kind; OTHER if none fits. played, better: packed, of a set of Cal's BS its word."""
    one, other = verb_name(game, played >> 16), verb_name(game, better >> 16)
    for kind, is_so in KINDS.get(game.NAME, {}).items():
        if is_so(one, other):
            return kind
    return of_durak(seen, played, better, one, other) if game.NAME == "durak" else OTHER


def of_durak(seen: Any, played: int, better: int, one: str, other: str) -> str:
    """Two cards of one verb: a trump that could have been spared, a wrong lead, card or beat."""
    if one != other or one not in ("attack", "beat", "transfer"):
        return OTHER
    table, card, spared = DurakTable(seen), played >> 8 & 255, better >> 8 & 255
    if NO_CARD not in (card, spared) and table.is_trump(card) and not table.is_trump(spared):
        return "trump"
    if one == "attack":
        return "added" if table.attacks else "led"
    return "card"


def list_kinds(name: str) -> list[str]:
    """All kinds of that game, in the order in which they are told."""
    more = ["trump", "led", "added", "card"] if name == "durak" else []
    return [*KINDS.get(name, {}), *more, OTHER]
