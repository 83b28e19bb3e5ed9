"""The finished games of one person on this computer, found by the name: how they ended, and how against whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from host_tools.base import foreign
from host_tools.judge.sentences import Sentences
from host_tools.look.library import Library
from host_tools.look.mistakes import KINDS
from host_tools.look.wording import Wording
from host_tools.minds.analysis.served import FOLDER, read_seat
from host_tools.minds.analysis.slips import OTHER, list_kinds
from host_tools.minds.intervals import measure

FEWEST = 10  # judged games before anything is said of mistakes
MOST = 200  # games that are looked at, the newest ones
MOST_MONTHS = 6
MOST_MOMENTS = 3  # of a kind, to be tried again
MOST_TODO = 30


@dataclass(frozen=True)
class Own:
    """A finished game of the person: its record, the seat, the month in which it was played, the game's name."""

    name: str
    seat: int
    month: str
    game: str


def tell_mine(library: Library, name: str, language: str) -> dict[str, Any]:
    """`names`: of everybody who played; `games`: of that name, the last one first; `opponents`: each with
    how many games there were together, and how many of them the person lost, alone or in a team. Games that were
    played on from finished ones do not count."""
    told: list[dict[str, Any]] = []
    names: Counter[str] = Counter()
    together: Counter[str] = Counter()
    lost_to: Counter[str] = Counter()
    own_games: list[Own] = []
    wanted = name.strip().casefold()
    for entry in library.entries():
        if not entry.is_over or not entry.kind or entry.outcome == "aborted" or entry.is_continued:
            continue
        names.update(entry.players)
        own = [seat for seat, player in enumerate(entry.players, 1) if player.casefold() == wanted]
        if not wanted or len(own) != 1:
            continue
        own_games.append(Own(entry.name, own[0], entry.date[:7], entry.kind.split()[0]))
        has_lost = is_lost(entry.outcome, own[0])
        others = {player for seat, player in enumerate(entry.players, 1) if seat != own[0]}
        together.update(others)
        lost_to.update(others if has_lost else ())
        words = Sentences(None, entry.players, language)
        told.append({"name": entry.name, "date": entry.date, "game": words.title(entry.kind.split()),
                     "players": entry.players, "result": words.result(entry.outcome), "lost": has_lost})
    told.sort(key=lambda one: (one["date"], one["name"]), reverse=True)
    opponents = [{"name": one, "games": count, "lost": lost_to[one]} for one, count in together.most_common()]
    return {"names": [one for one, _ in names.most_common()], "games": told, "opponents": opponents,
            "mistakes": tell_mistakes(library, own_games, language)}


def tell_mistakes(library: Library, games: list[Own], language: str) -> dict[str, Any]:
    """What the person's judged games say of mistakes, by kind and month. `judged` of `of` games; `rough`: others, in
    which chances are rough, so that a play was perhaps no mistake; `todo`: those that are not judged yet; nothing
    more before FEWEST are judged. `months`: games, and mistakes in each with the 95 % interval; `kinds`: the commonest
    first, its count in each of these months, and moments to try again."""
    judged: list[tuple[Own, list[dict[str, Any]]]] = []
    todo: list[dict[str, Any]] = []
    rough = 0
    for own in games[:MOST]:
        path = library.paths().get(own.name)
        found = read_seat(foreign.read_bytes(path), own.seat, library.folder / FOLDER) if path is not None else None
        if found is None:
            todo.append({"name": own.name, "seat": own.seat})
        elif any(one.get("is_rough") for one in found):
            rough += 1
        else:
            judged.append((own, [one for one in found if one.get("class") in KINDS]))
    told: dict[str, Any] = {"judged": len(judged), "of": len(judged) + len(todo), "rough": rough, "fewest": FEWEST,
                            "todo": todo[:MOST_TODO], "months": [], "kinds": []}
    if len(judged) < FEWEST:
        return told
    months = sorted({own.month for own, _ in judged})[-MOST_MONTHS:]
    for month in months:
        share = measure([float(len(mistakes)) for own, mistakes in judged if own.month == month])
        told["months"].append({"month": month, "games": share.count, "each": round(share.mean, 1), **(
            {"low": round(max(0.0, share.low), 1), "high": round(share.high, 1)} if share.is_known else {})})
    moments = [(own, one) for own, mistakes in judged for one in mistakes]
    words = Wording(language)
    for (game, kind), count in Counter((own.game, slip_of(own, one)) for own, one in moments).most_common():
        same = [(own, one) for own, one in moments if (own.game, slip_of(own, one)) == (game, kind)]
        told["kinds"].append({
            "game": game, "kind": kind, "count": count,
            "text": words.say(f"slip.{OTHER}" if kind == OTHER else f"slip.{game}.{kind}"),
            "points": round(sum(one["best_chance"] - one["chance"] for _, one in same)),
            "by_month": [sum(own.month == month for own, _ in same) for month in months],
            "moments": [{"name": own.name, "line": one["line"], "seat": own.seat} for own, one in same[:MOST_MOMENTS]]})
    return told


def slip_of(own: Own, decision: dict[str, Any]) -> str:
    """The kind of a mistake, of an analysis from a time before there were kinds OTHER."""
    kind = decision.get("slip")
    return kind if kind in list_kinds(own.game) else OTHER


def is_lost(outcome: str, seat: int) -> bool:
    """Whether the seat lost, from the result of a record: who is named there lost, or in games with a winner won."""
    words = outcome.split()
    named = words[1].split("+") if len(words) > 1 else []
    return (str(seat) in named) != (words[0] == "winner") if named else False
