"""Seats players at tables of 2 to 6: there is always a plan, in bounded time, and it names what it had to give up.

First the sizes of the tables, then who sits out, then a plan in the order of the players, which swaps between tables
improve as long as they can and the steps last. What counts, heaviest first: team-mates apart, nobody meets the same
opponent again, clubs apart, and players of like standing together. At the table, each player gets the seats in turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from host_tools.base.random_play import Random
from host_tools.club.tournament.checking import Seated, name_some, shared, spread

STEPS = 120_000  # swaps that are tried at most: about a second, for whatever number of players
STEPS_EACH = 600  # for each player, where there are few
TEAM = 400
AGAIN = 100  # for each time that two have met
CLUB = 30
SAME = 12  # at a table of two, if both have had the same seat too often
FAR = 1  # for each table between a player and where the standing would put it
SEAT_HAD, SEAT_LAST, SEAT_LAST_TWO = 8, 2, 12  # for each time a seat was had; for the last; the last two
NEAR = 24  # candidates that are tried for one player at a time
RESTARTS = 40
SMALL = 64  # players; so few are tried from many beginnings
MOST_TOLD = 4  # pairs that a sentence names


@dataclass(frozen=True)
class Wanted:
    """Sizes of tables, how many there are (0: enough), whether standing counts, and whether the larger ones go by lot:
    else those who stand first have them in every round."""

    low: int
    best: int
    high: int
    tables: int = 0
    by_standing: bool = True
    larger_by_lot: bool = False


@dataclass(frozen=True)
class Person:
    """Whom to seat."""

    name: str
    club: str = ""
    team: str = ""


@dataclass
class Past:
    """What has been: who met whom how often, who sat at which seat how often, who sat out how often."""

    met: dict[str, Counter[str]] = field(default_factory=dict)
    seats: dict[str, Counter[int]] = field(default_factory=dict)
    byes: Counter[str] = field(default_factory=Counter)
    rounds: list[list[tuple[str, ...]]] = field(default_factory=list)
    line: dict[str, list[int]] = field(default_factory=dict)  # the seats of each player, one after the other

    def add(self, groups: Iterable[Sequence[str]], byes: Iterable[str] = ()) -> None:
        """One more round."""
        self.rounds.append([tuple(group) for group in groups])
        for group in self.rounds[-1]:
            for seat, name in enumerate(group, 1):
                self.seats.setdefault(name, Counter())[seat] += 1
                self.line.setdefault(name, []).append(seat)
                self.met.setdefault(name, Counter()).update(other for other in group if other != name)
        self.byes.update(byes)

    def due(self, name: str) -> int:
        """The seat of a table of two that a player has to get: the other one was had twice more often, or twice
        running. 0: either will do."""
        had, line = self.seats.get(name, Counter()), self.line.get(name, [])
        if abs(had[1] - had[2]) > 1:
            return 2 if had[1] > had[2] else 1
        return 3 - line[-1] if len(line) > 1 and line[-1] == line[-2] else 0


@dataclass
class Seating:
    """A plan: `groups` by seat, who sits out, and sentences about what could not be."""

    groups: list[tuple[str, ...]]
    byes: list[str]
    gave_up: list[str]


def choose_sizes(count: int, wanted: Wanted) -> list[int]:
    """The sizes of the tables for at most `count` players: as many players as can be, sizes that differ by one at most,
    near the best one."""
    for seated in range(count, 0, -1):
        fewest = -(-seated // wanted.high)
        most = seated // wanted.low
        if wanted.tables:
            most = min(most, wanted.tables)
        if fewest <= most:
            tables = min(range(fewest, most + 1), key=lambda number: (abs(seated - number * wanted.best), -number))
            size, more = divmod(seated, tables)
            return [size + 1] * more + [size] * (tables - more)
    return []


def choose_byes(people: Sequence[Person], count: int, past: Past) -> list[str]:
    """Who sits out: never anybody a second time before all others have; then the last in order."""
    order = sorted(range(len(people)), key=lambda at: (past.byes[people[at].name], -at))
    chosen = sorted(order[:count])
    return [people[at].name for at in chosen]


class Search:
    """One plan on its way: players are numbers in their order, tables lists of them."""

    def __init__(self, people: Sequence[Person], sizes: Sequence[int], past: Past, wanted: Wanted) -> None:
        self.people, self.sizes, self.wanted = people, sizes, wanted
        number = {person.name: at for at, person in enumerate(people)}
        self.costs: list[dict[int, int]] = [
            {number[other]: AGAIN * times for other, times in past.met.get(person.name, Counter()).items()
             if other in number} for person in people]
        self.clubs = [person.club for person in people]
        self.teams = [person.team for person in people]
        self.due = [past.due(person.name) if max(sizes, default=0) == 2 else 0 for person in people]
        self.tables: list[list[int]] = []
        self.table_of: list[int] = [0] * len(people)
        self.home: list[int] = [0] * len(people)
        self.steps = 0

    def begin(self, order: Sequence[int]) -> None:
        """Fill the tables in that order."""
        self.tables, at = [], 0
        for size in self.sizes:
            self.tables.append(list(order[at : at + size]))
            at += size
        for number, table in enumerate(self.tables):
            for player in table:
                self.table_of[player] = number
        if self.wanted.by_standing:
            at = 0
            for number, size in enumerate(self.sizes):
                self.home[at : at + size] = [number] * size
                at += size

    def pair(self, one: int, other: int) -> int:
        """What it costs to seat those two together."""
        cost = self.costs[one].get(other, 0)
        if self.clubs[one] and self.clubs[one] == self.clubs[other]:
            cost += CLUB
        if self.teams[one] and self.teams[one] == self.teams[other]:
            cost += TEAM
        if self.due[one] and self.due[one] == self.due[other]:
            cost += SAME
        return cost

    def at_table(self, player: int, number: int, without: int = -1) -> int:
        """What the player costs at that table, beside its own people."""
        cost = FAR * abs(number - self.home[player]) if self.wanted.by_standing else 0
        for other in self.tables[number]:
            if other != player and other != without:
                cost += self.pair(player, other)
        return cost

    def gain(self, one: int, other: int) -> int:
        """What is saved if the two change places."""
        here, there = self.table_of[one], self.table_of[other]
        before = self.at_table(one, here) + self.at_table(other, there)
        return before - self.at_table(one, there, other) - self.at_table(other, here, one)

    def swap(self, one: int, other: int) -> None:
        """Let them change places."""
        here, there = self.table_of[one], self.table_of[other]
        self.tables[here][self.tables[here].index(one)] = other
        self.tables[there][self.tables[there].index(other)] = one
        self.table_of[one], self.table_of[other] = there, here

    def cost(self) -> int:
        """Of the whole plan."""
        far = sum(abs(self.table_of[at] - self.home[at]) for at in range(len(self.people)))
        pairs = sum(self.pair(one, other) for table in self.tables for one, other in combinations(table, 2))
        return pairs + (FAR * far if self.wanted.by_standing else 0)

    def conflicts(self) -> list[int]:
        """The players who sit with somebody they should not."""
        return [player for player in range(len(self.people))
                if any(other != player and self.pair(player, other) for other in self.tables[self.table_of[player]])]

    def candidates(self, player: int, draw: Random) -> list[int]:
        """With whom to change: with those of the tables nearby, or where standing does not count with anybody."""
        here, count = self.table_of[player], len(self.tables)
        found: list[int] = []
        if self.wanted.by_standing:
            far = 1
            while len(found) < NEAR and far < count:
                for number in (here - far, here + far):
                    if 0 <= number < count:
                        found += self.tables[number]
                far += 1
            return found
        if len(self.people) <= SMALL:
            return [other for other in range(len(self.people)) if self.table_of[other] != here]
        for _ in range(NEAR):
            found.append(draw.below(len(self.people)))
        return [other for other in found if self.table_of[other] != here]

    def improve(self, draw: Random, limit: int) -> None:
        """Swap as long as it helps and the steps last."""
        while True:
            gained = False
            for player in self.conflicts():
                best, with_whom = 0, -1
                for other in self.candidates(player, draw):
                    self.steps += 1
                    saved = self.gain(player, other)
                    if saved > best:
                        best, with_whom = saved, other
                if with_whom >= 0:
                    self.swap(player, with_whom)
                    gained = True
                if self.steps >= limit:
                    return
            if not gained:
                return


def seat(people: Sequence[Person], past: Past, wanted: Wanted, seed: int) -> Seating:
    """A plan for the people, best standing first. The same facts and seed give the same plan."""
    sizes = choose_sizes(len(people), wanted)
    byes = choose_byes(people, len(people) - sum(sizes), past)
    seated = [person for person in people if person.name not in set(byes)]
    draw = Random(seed)
    if wanted.larger_by_lot:
        draw.shuffle(sizes)
    search = Search(seated, sizes, past, wanted)
    order = list(range(len(seated)))
    if not wanted.by_standing:
        draw.shuffle(order)
    limit = min(STEPS, STEPS_EACH * len(seated))
    best: list[list[int]] = []
    best_cost = -1
    for again in range(RESTARTS if len(seated) <= SMALL else 1):
        if again:
            nudge(order, draw, wanted.by_standing)
        search.begin(order)
        search.improve(draw, limit)
        cost = search.cost()
        if best_cost < 0 or cost < best_cost:
            best, best_cost = [list(table) for table in search.tables], cost
        if not any(search.conflicts()) or search.steps >= limit:
            break
    return seat_groups(people, [[seated[player].name for player in table] for table in best], past, wanted)


def seat_groups(people: Sequence[Person], tables: Sequence[Sequence[str]], past: Past, wanted: Wanted) -> Seating:
    """The plan of these tables: who sits on which seat, who sits out, what could not be."""
    seated = {name for table in tables for name in table}
    byes = [person.name for person in people if person.name not in seated]
    groups = [order_seats(table, past) for table in tables]
    return Seating(groups, byes, tell_given_up(groups, byes, people, past, wanted))


def nudge(order: list[int], draw: Random, by_standing: bool) -> None:
    """Another beginning; where standing counts, not far from the first."""
    if not by_standing:
        draw.shuffle(order)
        return
    order.sort()
    for at in range(len(order) - 1):
        other = min(at + draw.below(6), len(order) - 1)
        order[at], order[other] = order[other], order[at]


def order_seats(names: Sequence[str], past: Past) -> tuple[str, ...]:
    """The players by seat: each where it sat least often, and not where it has just sat; swaps as long as they help."""
    cost = [[seat_cost(name, seat, past) for seat in range(1, len(names) + 1)] for name in names]
    order = list(range(len(names)))
    gained = True
    while gained:
        gained = False
        for one, other in combinations(range(len(order)), 2):
            a, b = order[one], order[other]
            if cost[a][one] + cost[b][other] > cost[a][other] + cost[b][one]:
                order[one], order[other] = b, a
                gained = True
    return tuple(names[at] for at in order)


def seat_cost(name: str, seat: int, past: Past) -> int:
    """What that seat costs a player: the more often it was had the more, and more yet when it was the last one, or the
    last two."""
    line = past.line.get(name, [])
    again = SEAT_LAST * (line[-1:] == [seat]) + SEAT_LAST_TWO * (line[-2:] == [seat, seat])
    return SEAT_HAD * past.seats.get(name, Counter())[seat] + again


def tell_given_up(groups: Sequence[Sequence[str]], byes: Sequence[str], people: Sequence[Person], past: Past,
                  wanted: Wanted) -> list[str]:
    """What could not be, in sentences."""
    person = {one.name: one for one in people}
    pairs = [pair for group in groups for pair in combinations(group, 2)]
    said = []
    again = [(a, b) for a, b in pairs if past.met.get(a, Counter())[b]]
    if again:
        least = max(shared(Seated(groups, byes), Seated(before)) for before in past.rounds)
        bound = f"; no plan has fewer than {least}" if least else ""
        said.append(f"{count_pairs(again)} again: {name_pairs(again)}{bound}.")
    for what, mates in (("team", [(a, b) for a, b in pairs if person[a].team and person[a].team == person[b].team]),
                        ("club", [(a, b) for a, b in pairs if person[a].club and person[a].club == person[b].club])):
        if mates:
            least = fewest_pairs(Counter(getattr(person[name], what) for group in groups for name in group), groups)
            bound = f"; no plan has fewer than {least}" if least else ""
            said.append(f"{count_pairs(mates)} of one {what}: {name_pairs(mates)}{bound}.")
    if byes:
        second = [name for name in byes if past.byes[name]]
        sit = "sits" if len(byes) == 1 else "sit"
        at, sizes = f" at {wanted.tables} tables" if wanted.tables else "", tell_sizes(wanted.low, wanted.high)
        said.append(f"{', '.join(byes[:MOST_TOLD * 2])} {sit} out: tables of {sizes} do not fit"
                    f" {len(people)} players{at}.")
        if second:
            fewest = min(past.byes[one.name] for one in people)
            others = all(past.byes[name] == fewest for name in byes)
            said.append(f"{', '.join(second)} sat out before" + (": so has everybody else." if others else "."))
    return said


def tell_sizes(low: int, high: int) -> str:
    """`3 to 5`, or `4`."""
    return f"{low} to {high}" if low < high else f"{low}"


def fewest_pairs(sizes: Counter[str], groups: Sequence[Sequence[str]]) -> int:
    """How many pairs of one club or team must sit together, because there are more of them than tables."""
    return sum(spread(count, len(groups)) for club, count in sizes.items() if club)


def count_pairs(pairs: Sequence[tuple[str, str]]) -> str:
    """`2 pairs meet`."""
    return f"{len(pairs)} pairs meet" if len(pairs) != 1 else "1 pair meets"


def name_pairs(pairs: Sequence[tuple[str, str]]) -> str:
    """The first of them."""
    return name_some([f"{a} and {b}" for a, b in pairs], MOST_TOLD)
