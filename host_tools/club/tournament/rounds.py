"""Makes the next round: who is still in, in which order they are seated, at which tables; when a tournament is over."""

from __future__ import annotations

import copy
import hashlib
import itertools
from typing import Any

from host_tools.club.tournament.director import Director, Draft, now
from host_tools.club.tournament.designed import choose_groups
from host_tools.club.tournament.plan import FOOLS, KNOCK_OUT, POINTS, ROUND_ROBIN
from host_tools.club.tournament.seating import (
    Past, Person, Seating, Wanted, choose_sizes, order_seats, seat, seat_groups,
)
from host_tools.club.tournament.standings import Row, score, standings, whole_points
from host_tools.club.tournament.state import Event, Round, State, Unfit, lacks


def seat_round(director: Director, who: str) -> Round:
    """Seat the next round, and append it. Unfit if there is none."""

    director.transact(who, lambda state: ([draft_round(state)], [], None))
    one = director.state.round
    assert one is not None
    return one


def close_round(director: Director, who: str, number: int, reason: str) -> Unfit | None:
    """Close that round, which goes on, and seat the next one. Both are written at once, so nothing that happens in
    between leaves an evening without a round; and who closes one twice closes no other. Why none could be seated, where
    the tournament is not over. Unfit if the round cannot be closed."""

    def work(state: State) -> tuple[list[Draft], list[dict[str, Any]], Unfit | None]:
        closed: Draft = ("closed", {"round": number, "reason": reason})
        after = copy.deepcopy(state)
        after.apply(Event(state.last + 1, now(), who, *closed))
        if is_over(after):
            return [closed], [], None
        try:
            return [closed, draft_round(after)], [], None
        except Unfit as why:
            return [closed], [], why

    return director.transact(who, work)[1]


def draft_round(state: State) -> Draft:
    """The event of the next round. Unfit if there is none."""
    seating = next_round(state)
    names = name_tables(state, len(seating.groups))
    groups = [[name, list(group)] for name, group in zip(names, seating.groups, strict=True)]
    games = state.the_plan().games
    return "seated", {"groups": groups, "byes": seating.byes, "games": games, "gave_up": seating.gave_up}


def next_round(state: State) -> Seating:
    """The seating of the next round. Unfit if there is none."""
    plan = state.the_plan()
    if state.round is not None and not state.is_complete(state.round):
        raise lacks(state, state.round)
    names = still_in(state)
    if plan.format != KNOCK_OUT and len(state.rounds) >= plan.rounds:
        raise Unfit("all.played", rounds=plan.rounds)
    if len(names) < plan.low:
        if plan.format == KNOCK_OUT and state.rounds and names:
            raise Unfit("won", names=", ".join(names))
        raise Unfit("too.few", count=len(names), low=plan.low)
    past = find_past(state)
    tables = len(state.tables())
    by_standing = plan.format == POINTS and bool(state.rounds)
    wanted = Wanted(plan.low, plan.best, plan.high, tables, by_standing, by_standing)
    order = in_order(state, names)
    if plan.format == ROUND_ROBIN and plan.high == 2 and (not tables or len(names) // 2 <= tables):
        pairs = circle(state, names)
        if pairs is not None:
            return pairs
    if plan.format == KNOCK_OUT:
        if len(names) <= plan.high:
            wanted = Wanted(plan.low, len(names), plan.high, tables, False)
        elif state.rounds:
            order = dealt_round(order, wanted)
            wanted = Wanted(plan.low, plan.best, plan.high, tables, True)
    people = [person_of(state, name) for name in order]
    groups = by_plan(state, order, past) if plan.format != KNOCK_OUT else None
    if groups is not None:
        return seat_groups(people, groups, past, wanted)
    number = int.from_bytes(hashlib.sha256(f"{plan.seed} {len(state.rounds)}".encode()).digest()[:4], "big")
    return seat(people, past, wanted, number)


def by_plan(state: State, order: list[str], past: Past) -> list[list[str]] | None:
    """The tables that a plan of the whole evening has for the next round; None where there is none."""
    plan, names = state.the_plan(), order
    if state.rounds:
        first = state.rounds[0]
        names = [name for group in first.groups.values() for name in group] + [*first.byes, *first.missing]
    everybody = [person_of(state, name) for name in sorted(names, key=lambda name: lot(state, name))]
    wanted = Wanted(plan.low, plan.best, plan.high, len(state.tables()), plan.format == POINTS)
    return choose_groups(everybody, order, past, wanted, plan.rounds)


def person_of(state: State, name: str) -> Person:
    """Whom to seat."""
    return Person(name, state.players[name].club, state.players[name].team)


def name_tables(state: State, count: int) -> list[str]:
    """Names for so many tables: those that were named first, then numbers."""
    named = state.tables()[:count]
    numbered = (f"table-{number}" for number in itertools.count(len(named) + 1))
    return named + list(itertools.islice((name for name in numbered if name not in state.gone), count - len(named)))


def find_past(state: State) -> Past:
    """What the rounds so far were."""
    past = Past()
    for one in state.rounds:
        past.add(one.groups.values(), one.byes)
    return past


def in_order(state: State, names: list[str]) -> list[str]:
    """The players by their standing; who has none yet behind them, by lot."""
    plan = state.the_plan()
    rows = standings(state.counted(), state.sat_out(), plan.counted_as)
    place = {row.name: row.rank for row in rows}
    return sorted(names, key=lambda name: (place.get(name, len(names) + 1), lot(state, name)))


def lot(state: State, name: str) -> str:
    """What is drawn for a player once, for this tournament."""
    return hashlib.sha256(f"{state.the_plan().seed} {name}".encode()).hexdigest()


def dealt_round(order: list[str], wanted: Wanted) -> list[str]:
    """The order that brings the best players to different tables: they are dealt round the tables like cards."""
    sizes = choose_sizes(len(order), wanted)
    rest = order[len(order) - (len(order) - sum(sizes)) :] if sum(sizes) < len(order) else []
    tables: list[list[str]] = [[] for _ in sizes]
    at = 0
    for name in order[: sum(sizes)]:
        while len(tables[at % len(tables)]) >= sizes[at % len(tables)]:
            at += 1
        tables[at % len(tables)].append(name)
        at += 1
    return [name for table in tables for name in table] + rest


def circle(state: State, names: list[str]) -> Seating | None:
    """Pairs in which nobody meets anybody twice, by turning a circle; None if players came or left since it began, or
    it has been turned once round."""
    everybody = sorted(state.players, key=lambda name: lot(state, name))
    if set(everybody) != set(names):
        return None
    turning: list[str] = everybody + ([""] if len(everybody) % 2 else [])
    if len(state.rounds) >= len(turning) - 1:
        return None
    for turn, one in enumerate(state.rounds):
        if not {frozenset(group) for group in one.groups.values()} <= set(map(frozenset, turn_circle(turning, turn))):
            return None
    pairs = turn_circle(turning, len(state.rounds))
    past = find_past(state)
    groups = [order_seats(pair, past) for pair in pairs if "" not in pair]
    byes = [name for pair in pairs if "" in pair for name in pair if name]
    gave_up = [f"{byes[0]} sits out: the number of players is odd."] if byes else []
    return Seating(groups, byes, gave_up)


def turn_circle(turning: list[str], turn: int) -> list[tuple[str, str]]:
    """The pairs once the circle has been turned so often; "" is nobody."""
    rest = turning[1:]
    line = [turning[0], *rest[turn:], *rest[:turn]]
    return [(line[at], line[-1 - at]) for at in range(len(line) // 2)]


# --- the knock-out ---


def still_in(state: State) -> list[str]:
    """Who plays the next round. In a knock-out: who has come through the last stage, or sat it out."""
    plan = state.the_plan()
    present = [entrant.name for entrant in state.present()]
    if plan.format != KNOCK_OUT or not state.rounds:
        return present
    alive = come_through(state, state.rounds[-1])
    return [name for name in present if name in alive]


def come_through(state: State, one: Round) -> set[str]:
    """Who goes on from that stage, by the results of it and of those before, as they count now."""
    counted = [result for result in state.counted() if result.round <= one.number]
    sat_out = [row for row in state.sat_out() if row[0] <= one.number]
    whole = whole_points(counted, sat_out, state.the_plan().counts)
    is_final = len(one.groups) == 1 and not one.byes
    rows = standings(counted, sat_out, state.the_plan().counted_as) if is_final else []
    alive = set(one.byes)
    for table in one.groups:
        alive.update(going_on(state, one, table, whole, rows))
    return alive


def find_misfits(state: State) -> list[Unfit]:
    """A sentence for each thing that does not fit between two stages of a knock-out: a result of the earlier one was
    changed after the later one had been seated from it. The arbiter says whether it stays."""
    if state.the_plan().format != KNOCK_OUT:
        return []
    found = []
    for one, later in itertools.pairwise(state.rounds):
        through = come_through(state, one).difference(later.absent)
        seated = {name for group in later.groups.values() for name in group}.union(later.byes, later.missing)
        for key, names in (("out", seated - through), ("through", through - seated)):
            if names:
                told = ", ".join(sorted(names))
                found.append(Unfit(f"misfit.{key}", round=one.number, number=later.number, names=told))
    return [*found, Unfit("misfit")] if found else []


def going_on(state: State, one: Round, table: str, whole: dict[str, int], rows: list[Row]) -> list[str]:
    """Who of a table goes on to the next stage; at the final table, who has won. whole: everybody's points; rows: the
    standings, at the final table."""
    plan = state.the_plan()
    group = one.groups[table]
    is_final = len(one.groups) == 1 and not one.byes
    order = table_order(state, one, table, whole, {row.name: row.key(False) for row in rows})
    if plan.counts == FOOLS:
        return order[:-1]
    if is_final:
        return order[:1]
    count = min(plan.advance or (len(group) + 1) // 2, len(group) - 1)
    return order[: max(1, count)]


def table_order(state: State, one: Round, table: str, whole: dict[str, int], rest: dict[str, tuple[int, ...]]
                ) -> list[str]:
    """The players of a table, the best first: by this stage's games lost (fools) or won (winners), then by its places,
    marks, the whole tournament's points, and the lot. rest: at the final table, what the standings compare before
    that: who has won stands first there, too."""
    plan = state.the_plan()
    group = one.groups[table]
    main: dict[str, int] = dict.fromkeys(group, 0)
    places, marks = dict(main), dict(main)
    for game in range(1, one.games + 1):
        result = state.results.get((one.number, table, game))
        if result is None:
            continue
        for name, points in score(result.outcome, plan.counts).items():
            main[name] += points
        for name, points in score(result.outcome, "places").items():
            places[name] += points
        for name, count in result.outcome.marks:
            marks[name] += count
    return sorted(group, key=lambda name: (-main[name], -places[name], marks[name], -whole.get(name, 0),
                                           rest.get(name, ()), lot(state, name)))


def is_over(state: State) -> bool:
    """Whether the last game of the tournament has been counted."""
    plan = state.the_plan()
    if state.round is None or not state.is_complete(state.round):
        return False
    if plan.format == KNOCK_OUT:
        return len(still_in(state)) < max(2, plan.low)  # a final of three may leave two
    return len(state.rounds) >= plan.rounds
