"""Seats a round by a plan of the whole evening, where rounds found one after the other would meet a dead end.

The labels of the plan go to the players of the first round by lot, team-mates and clubs apart as far as swaps can.
So each later round finds the same labels again from the log alone, and takes one of the plan's rounds that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from host_tools.club.tournament.checking import Seated, fewest_repeats
from host_tools.club.tournament.evening import MOST, Plan, plan_evening
from host_tools.club.tournament.seating import CLUB, TEAM, Past, Person, Wanted, choose_sizes

MOST_ROUNDS = 12
TIGHT = (3, 5)  # of all others whom a player meets: from there on, rounds found singly repeat what need not be


def is_tight(count: int, sizes: Sequence[int], rounds: int) -> bool:
    """Whether everybody meets so many of the others that rounds have to be planned together."""
    part, whole = TIGHT
    return bool(sizes) and rounds * (max(sizes) - 1) * whole >= (count - 1) * part


def find_plan(count: int, wanted: Wanted, rounds: int) -> Plan | None:
    """The plan for so many players; None where it would gain nothing, or take too long."""
    sizes = tuple(choose_sizes(count, wanted))
    if len(sizes) < 2 or max(sizes) < 2 or count > MOST or not 1 < rounds <= MOST_ROUNDS:
        return None
    if wanted.by_standing and not is_tight(count, sizes, rounds):
        return None
    return plan_evening(count, sizes, rounds, least_of(count, sizes, rounds))


def least_of(count: int, sizes: Sequence[int], rounds: int) -> int:
    """The repeats that no plan of such rounds can spare."""
    names, groups = list(map(str, range(count))), []
    for size in sizes:
        groups.append(names[:size])
        names = names[size:]
    return fewest_repeats([Seated(groups, names)] * rounds)


def label(people: Sequence[Person], plan: Plan) -> tuple[list[str], int]:
    """The name behind each label, and how often team-mates meet: from that order, swaps part clubs and teams."""
    order = list(people)
    count = len(order)
    together = [[0] * count for _ in range(count)]
    for tables in plan:
        for table in tables:
            for one, other in combinations(table, 2):
                together[one][other] += 1
                together[other][one] += 1

    def cost(at: int, person: Person, without: int) -> int:
        """What that person costs there, beside everybody but who sits at `without`."""
        return sum(times * mates(person, order[other]) for other, times in enumerate(together[at])
                   if times and other not in (at, without))

    gained = any(person.club or person.team for person in order)
    while gained:
        gained = False
        for one, other in combinations(range(count), 2):
            a, b = order[one], order[other]
            if cost(one, b, other) + cost(other, a, one) < cost(one, a, other) + cost(other, b, one):
                order[one], order[other] = b, a
                gained = True
    teams = sum(together[one][other] for one, other in combinations(range(count), 2)
                if order[one].team and order[one].team == order[other].team)
    return [person.name for person in order], teams


def mates(one: Person, other: Person) -> int:
    """What it costs to seat those two together."""
    return TEAM * (one.team != "" and one.team == other.team) + CLUB * (one.club != "" and one.club == other.club)


def choose_groups(everybody: Sequence[Person], present: Sequence[str], past: Past, wanted: Wanted, rounds: int
                  ) -> list[list[str]] | None:
    """The tables of the next round, by the plan; None if there is no plan, or the evening has left it. everybody: who
    was there in the first round, in the order of the lot; present: who plays now, by standing."""
    plan = find_plan(len(everybody), wanted, rounds)
    if plan is None or not set(present) <= {person.name for person in everybody}:
        return None
    names, teams = label(everybody, plan)
    if teams:
        return None  # team-mates apart comes before meeting again
    left = [[{names[at] for at in table} for table in tables] for tables in plan]
    for before in past.rounds:
        used = next((tables for tables in left if follows(before, tables)), None)
        if used is None:
            return None
        left.remove(used)
    if wanted.by_standing and rounds * (len(everybody) - sum(map(len, plan[0]))) > len(everybody):
        left = left[:1]  # who sits out goes by turns: another order would break them
    sizes = choose_sizes(len(present), wanted)
    found = []
    for tables in left:
        groups = [[name for name in present if name in table] for table in tables]
        groups = [group for group in groups if group]
        seated = {name for group in groups for name in group}
        rested = [(past.byes[name], name not in seated) for name in present]
        if sorted(map(len, groups), reverse=True) == sizes and rests_fairly(rested):
            found.append(groups)
    if not found:
        return None
    place = {name: at for at, name in enumerate(present)}
    best = min(found, key=lambda groups: how_far(groups, place)) if wanted.by_standing else found[0]
    return sorted(best, key=lambda group: sum(place[name] for name in group) / len(group))


def rests_fairly(rested: Sequence[tuple[int, bool]]) -> bool:
    """Whether nobody sits out again while another sits who has sat out less often: how often each player did, and
    whether that one does now."""
    sits = [count for count, rests in rested if not rests]
    return all(count <= min(sits, default=count) for count, rests in rested if rests)


def follows(before: Sequence[Sequence[str]], tables: Sequence[set[str]]) -> bool:
    """Whether a round that was played is that round of the plan, without those who did not come."""
    return all(any(set(group) <= table for table in tables) for group in before)


def how_far(groups: Sequence[Sequence[str]], place: dict[str, int]) -> int:
    """How far apart in the standings those are who sit together."""
    return sum(abs(place[one] - place[other]) for group in groups for one, other in combinations(group, 2))
