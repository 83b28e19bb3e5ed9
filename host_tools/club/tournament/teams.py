"""Adds up the points of teams."""

from __future__ import annotations

from collections.abc import Sequence

from host_tools.club.tournament.standings import Row
from host_tools.club.tournament.state import State


def team_rows(state: State, rows: Sequence[Row]) -> list[tuple[int, str, int, int]]:
    """(rank, team, points, players) of each team, best first. Ties: fewer games lost, then the rank is shared."""
    points: dict[str, int] = {}
    lost: dict[str, int] = {}
    count: dict[str, int] = {}
    for row in rows:
        entrant = state.players.get(row.name)
        if entrant is not None and entrant.team:
            points[entrant.team] = points.get(entrant.team, 0) + row.points
            lost[entrant.team] = lost.get(entrant.team, 0) + row.lost
            count[entrant.team] = count.get(entrant.team, 0) + 1
    order = sorted(points, key=lambda team: (-points[team], lost[team], team))
    found: list[tuple[int, str, int, int]] = []
    for at, team in enumerate(order):
        same = at and (points[order[at - 1]], lost[order[at - 1]]) == (points[team], lost[team])
        found.append((found[-1][0] if same else at + 1, team, points[team], count[team]))
    return found
