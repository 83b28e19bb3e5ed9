"""The finished games of one person on this computer, found by the name: how they ended, and how against whom."""

from __future__ import annotations

from collections import Counter
from typing import Any

from host_tools.look.library import Library


def tell_mine(library: Library, name: str, language: str) -> dict[str, Any]:
    """`names`: of everybody who played; `games`: of that name, the last one first; `opponents`: each with
    how many games there were together, and how many of them the person lost, alone or in a team. Games that were
    played on from finished ones do not count."""
    told: list[dict[str, Any]] = []
    names: Counter[str] = Counter()
    together: Counter[str] = Counter()
    lost_to: Counter[str] = Counter()
    wanted = name.strip().casefold()
    for entry in library.entries():
        if not entry.is_over or not entry.kind or entry.outcome == "aborted" or entry.is_continued:
            continue
        names.update(entry.players)
        own = [seat for seat, player in enumerate(entry.players, 1) if player.casefold() == wanted]
        if not wanted or len(own) != 1:
            continue
        has_lost = is_lost(entry.outcome, own[0])
        others = {player for seat, player in enumerate(entry.players, 1) if seat != own[0]}
        together.update(others)
        lost_to.update(others if has_lost else ())
        told.append({"name": entry.name, "date": entry.date, "game": entry.game, "players": entry.players,
                     "result": entry.result, "lost": has_lost})
    told.sort(key=lambda one: (one["date"], one["name"]), reverse=True)
    opponents = [{"name": one, "games": count, "lost": lost_to[one]} for one, count in together.most_common()]
    return {"names": [one for one, _ in names.most_common()], "games": told, "opponents": opponents}


def is_lost(outcome: str, seat: int) -> bool:
    """Whether the seat lost, from the result of a record: who is named there lost, or in games with a winner won."""
    words = outcome.split()
    named = words[1].split("+") if len(words) > 1 else []
    return (str(seat) in named) != (words[0] == "winner") if named else False
