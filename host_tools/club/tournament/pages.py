"""Says what the served pages of an evening show: what is public for everybody, forms for those who may use them."""

from __future__ import annotations

from collections.abc import Sequence

from host_tools.base.errors import UnusableInput
from host_tools.club.tournament.log import tell_log
from host_tools.club.tournament.orders import make_orders
from host_tools.club.tournament.prizes import count_pool, find_prizes
from host_tools.club.tournament.roles import ARBITER, Visitor
from host_tools.club.tournament.room import Room, Seen, read_weak
from host_tools.club.tournament.rounds import find_misfits, is_over
from host_tools.club.tournament.standings import Row
from host_tools.club.tournament.state import Event, State, Unfit
from host_tools.club.tournament.teams import team_rows
from host_tools.club.tournament.templates import fill
from host_tools.club.tournament.wording import Wording

LOG_LINES = 500


def frame(state: State, visitor: Visitor, path: str, title: str, body: str, words: Wording, *, version: str,
          live: bool = False, said: str = "", alert: UnusableInput | None = None, screen: bool = False, me: str = "",
          ) -> str:
    """A whole page. body: what `fill` gave; said, alert: what has just happened; version: of what it shows; me: whose
    phone this is."""
    links = [("/", "menu.evening"), ("/pairings", "menu.pairings"), ("/standings", "menu.standings")]
    links += [("/players", "menu.players"), ("/log", "menu.log")] if visitor.keeps_score else []
    return fill("frame", words, state=state, visitor=visitor, path=path, title=title, body=body, version=version,
                live=live, said=said, alert=alert, screen=screen, me=me, links=links)


def evening(state: State, visitor: Visitor, room: Room, words: Wording) -> str:
    """The lobby: what waits for the arbiter first, then every table, then what comes next."""
    one = state.round
    done = sum((one.number, table, one.games) in state.results for table in one.groups) if one else 0
    return fill("evening", words, state=state, visitor=visitor, room=room, done=done, may=visitor.role == ARBITER,
                is_over=is_over(state), misfits=find_misfits(state) if visitor.role == ARBITER else [])


def live(state: State, room: Room, table: str, visitor: Visitor, words: Wording) -> str:
    """The state of one table: on the network or not, what it plays next, what it brought last, what waits. Unfit."""
    if table not in state.table_keys and not any(table in one.groups for one in state.rounds):
        raise Unfit("no.such.table", table=table[:40])
    seen = room.table(table)
    counted = [result for key, result in state.results.items() if key[1] == table]
    last = max(counted, key=lambda result: (result.key[0], result.key[2]), default=None)
    return fill("live", words, state=state, room=room, visitor=visitor, seen=seen, last=last,
                may=visitor.role == ARBITER,
                order=tell_order(state, table, seen, words), waits=tell_waits(state, table, seen, words),
                weak=[words.say("live.weak", **row) for row in read_weak(seen.weak)] if seen else [],
                disputes=[one for one in state.disputes.values() if one.key and one.key[1] == table])


def tell_order(state: State, table: str, seen: Seen | None, words: Wording) -> list[str]:
    """The director's order for that table, and whether the table has it."""
    one = next((order for order in make_orders(state) if order.table == table), None)
    if one is None:
        return [words.say("live.order.none" if state.round else "round.none")]
    said = dict(line.split(": ", 1) for line in one.setup.split("\n") if ": " in line)
    dealer = one.players[int(said["dealer"]) - 1]
    told = [words.say("live.order", round=one.round, game=one.game, players=", ".join(one.players), dealer=dealer,
                      rules=said["game"])]
    if seen is not None and seen.state != "playing" and (seen.order or seen.bridge):
        is_there = seen.order.startswith(f"r{one.round}-g{one.game}-")
        told.append(words.say("live.order.here" if is_there else "live.order.not"))
    return told


def tell_waits(state: State, table: str, seen: Seen | None, words: Wording) -> list[str]:
    """Games that are not played and records without a receipt, in sentences."""
    one = state.round
    games = sum(key[1] == table for key in state.missing_keys(one)) if one and not one.closed else 0
    told = [words.count("live.waits.games", games)] if games else []
    records = int(seen.waits) if seen and seen.waits.isascii() and seen.waits.isdecimal() else 0
    return told + ([words.count("live.waits.records", records)] if records else [])


def standing(state: State, rows: list[Row], words: Wording) -> str:
    """The standings, teams, and at the end the prizes."""
    pool = count_pool(state)
    prizes = find_prizes(pool, state.the_plan().prizes, rows) if pool and rows else {}
    return fill("standing", words, rows=rows, teams=team_rows(state, rows), pool=pool, prizes=prizes,
                is_over=is_over(state))


def players(state: State, visitor: Visitor, words: Wording) -> str:
    """Everybody, with what the arbiter may change."""
    return fill("players", words, state=state, may=visitor.role == ARBITER, awaited=awaited(state))


def awaited(state: State) -> set[str]:
    """Who sits at a table that has played no game of this round yet, and can turn out not to be there."""
    one = state.round
    if one is None or one.closed:
        return set()
    return {name for table, group in one.groups.items() if not state.results_of(one, table) for name in group}


def result_form(state: State, number: int, table: str, words: Wording, game: int = 0) -> str:
    """Places of one table's game, the letters, and for a game that has a result the reason. game: 0 for the next one
    without a result, or the last one. Unfit."""
    group = state.find_group((number, table, game or 1))
    one = state.rounds[number - 1]
    open_games = [at for at in range(1, one.games + 1) if (number, table, at) not in state.results]
    game = game or (open_games[0] if open_games else one.games)
    return fill("result", words, number=number, table=table, game=game, group=group,
                had=state.results.get((number, table, game)))


def dispute(state: State, number: int, visitor: Visitor, words: Wording) -> str:
    """One dispute, the game itself, and what the arbiter says."""
    one = state.disputes[number]
    return fill("dispute", words, state=state, one=one, had=state.results.get(one.key) if one.key else None,
                may=visitor.role == ARBITER)


def log(events: Sequence[Event], visitor: Visitor, words: Wording) -> str:
    """What was done, the newest first; the arbiter can take it back."""
    told = list(zip(events, tell_log(events, words), strict=True))
    return fill("log", words, told=told[: -LOG_LINES - 1 : -1], may=visitor.role == ARBITER)
