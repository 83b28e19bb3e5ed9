"""Makes the order of each table: the header of its next game, which carries all that standings need from a record."""

from __future__ import annotations

from dataclasses import dataclass

from cardtable.engine.record import LINE_LIMIT
from host_tools.club.tournament.plan import make_setup
from host_tools.club.tournament.results import BEGUN, SITS_OUT, SITS_OUT_COUNT
from host_tools.club.tournament.state import Round, State


@dataclass(frozen=True)
class Order:
    """What a table of the current round plays next."""

    table: str  # its name, `table:` in its records
    round: int
    game: int  # from 1, of the match that it plays in this round
    players: tuple[str, ...]  # by seat
    setup: str  # the whole text of its set-up: a record's header, with the empty line


def make_orders(state: State) -> list[Order]:
    """The next game of each table of the current round that still has one to play."""
    one = state.round
    if one is None or one.closed:
        return []
    found = []
    for table, group in one.groups.items():
        open_games = [game for game in range(1, one.games + 1) if (one.number, table, game) not in state.results]
        if open_games:
            found.append(make_order(state, one, table, group, open_games[0]))
    return found


def make_order(state: State, one: Round, table: str, group: tuple[str, ...], game: int) -> Order:
    """One table's next game. After the first one the rules of the game say who deals and begins (D6)."""
    plan = state.the_plan()
    before = state.results.get((one.number, table, game - 1))
    following = before.following if before else {}
    dealer = following.get("dealer", str(len(group)))
    lines = [("game", plan.game), ("seats", "; ".join(group)), ("dealer", dealer), ("table", table),
             ("tournament", plan.name), (BEGUN, state.begun), ("round", str(one.number)), ("counts", plan.counted_as)]
    if one.byes:
        names = "; ".join(one.byes)
        fits = len(SITS_OUT) + 2 + len(names) <= LINE_LIMIT
        lines.append((SITS_OUT, names) if fits else (SITS_OUT_COUNT, str(len(one.byes))))
    if plan.is_duplicate:
        lines[2] = ("dealer", str((game - 1) % len(group) + 1))
        lines.append(("deal", f"{one.number}.{game}"))
    if game > 1:
        lines.append(("match_game", str(game)))
        lines += [(key, following[key]) for key in ("first", "standing") if key in following and not plan.is_duplicate]
    header = make_setup(lines)
    return Order(table, one.number, game, group, "\n".join(header.lines()) + "\n")
