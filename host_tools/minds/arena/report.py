"""Writes what an arena has found: as figures, and as lines to read."""

from __future__ import annotations

from collections import Counter
from typing import Any

from host_tools.base.languages import ENGLISH
from host_tools.minds.arena.plan import Job
from host_tools.minds.arena.score import Lucks, rate, score_pairs, score_players
from host_tools.minds.arena.wording import Wording
from host_tools.minds.intervals import FEWEST, Share

MOST_TOLD = 10  # sentences about engines


def figures(
    line: str, seats: int, deals: int, jobs: list[Job], scores: dict[str, list[float]], lucks: Lucks | None = None
) -> dict[str, Any]:
    """Everything that the table shows; lucks: to be taken out, with the plain figures beside."""
    ratings = rate(jobs, scores)
    players = sorted(score_players(jobs, scores, lucks).items(), key=lambda row: (-row[1].mean, row[0]))
    played = {name: sum(job.seating.count(name) for job in jobs) for name, _ in players}
    rated = {name: round(ratings[name]) if ratings else None for name, _ in players}
    plain = score_pairs(jobs, scores)
    return {
        "game": line, "seats": seats, "deals": deals, "games": len(jobs), "without_luck": bool(lucks),
        "players": [
            {"name": name, "seats_played": played[name], **numbers(share), "rating": rated[name]}
            for name, share in players
        ],
        "ahead": [
            {"player": one, "of": other, **numbers(share), "plain": numbers(plain[one, other])}
            for (one, other), share in sorted(score_pairs(jobs, scores, lucks).items())
        ],
    }  # fmt: skip


def numbers(share: Share) -> dict[str, float | None]:
    """A share in percent; without an interval where there are too few deals for one."""
    low, high = (round(100 * end, 2) if share.is_known else None for end in (share.low, share.high))
    return {"score": round(100 * share.mean, 2), "low": low, "high": high}


def between(told: dict[str, Any], words: Wording) -> str:
    """The interval, if there is one."""
    return "-" if told["low"] is None else words.say("between", low=f"{told['low']:.1f}", high=f"{told['high']:.1f}")


def write_troubles(troubles: Counter[str]) -> list[str]:
    """What engines did wrong, the most frequent first, at most ten sentences."""
    most = troubles.most_common(MOST_TOLD)
    left = len(troubles) - len(most)
    told = (f"{sentence} ({f'{count} times' if count > 1 else 'once'})" for sentence, count in most)
    return [*told, *([f"and {left} more"] if left else [])]


def write_lines(told: dict[str, Any], language: str = ENGLISH) -> list[str]:
    """The table, and who is ahead of whom."""
    words = Wording(language)
    lines = [words.say("head", **{key: told[key] for key in ("game", "seats", "deals", "games")})]
    if told["without_luck"]:
        lines[0] = words.say("head.luck", head=lines[0])
    player, score, interval, rating = (words.say(f"column.{key}") for key in ("player", "score", "interval", "rating"))
    lines.append(f"{player:20}{score:>9}   {interval:17}{rating:>9}")
    for row in told["players"]:
        rating = "-" if row["rating"] is None else str(row["rating"])
        lines.append(f"{row['name']:20}{row['score']:9.1f}   {between(row, words):>16} {rating:>9}")
    lines.append("")
    if told["deals"] < FEWEST:
        return [*lines, words.say("few", fewest=FEWEST)]
    for row in told["ahead"]:
        if row["score"] > 0:
            ahead = words.say("ahead", player=row["player"], other=row["of"], score=f"{row['score']:.1f}",
                              between=between(row, words))
            ahead = ahead if row["low"] > 0 else words.say("ahead.luck", ahead=ahead)
            if told["without_luck"]:
                plain = row["plain"]
                ahead = words.say("ahead.plain", ahead=ahead, score=f"{plain['score']:.1f}",
                                  between=between(plain, words))
            lines.append(ahead)
    return lines
