"""Checks a seating that anybody made: what is wrong, what it gave up, and what no plan could have spared.

It knows the rounds, and nothing of the way in which they were found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

Groups = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Seated:
    """One round as it was seated: the players of each table by seat, and who sat out."""

    groups: Groups
    byes: Sequence[str] = ()

    @property
    def names(self) -> list[str]:
        """Everybody of that round."""
        return [name for group in self.groups for name in group] + list(self.byes)


@dataclass(frozen=True)
class Told:
    """One line of the verdict: how much was given up, and how much every plan has to give up."""

    what: str
    count: int
    least: int
    who: str = ""

    def tell(self) -> str:
        """`pairs that meet again: 8; no plan has fewer than 4: Anna and Boris, ...`."""
        bound = "which is the least" if self.count == self.least else f"no plan has fewer than {self.least}"
        who = f": {self.who}" if self.who else ""
        return f"{self.what}: {self.count}" + (f"; {bound}" if self.count else "") + who


def spread(count: int, places: int) -> int:
    """How many pairs come together at least, if so many players go to so many places."""
    each, more = divmod(count, places)
    return (places - more) * (each * (each - 1) // 2) + more * (each * (each + 1) // 2)


def count_met(rounds: Iterable[Seated]) -> Counter[frozenset[str]]:
    """How often each pair met."""
    return Counter(frozenset(pair) for one in rounds for group in one.groups for pair in combinations(group, 2))


def shared(now: Seated, before: Seated) -> int:
    """How many pairs of a round sat together in an earlier one, in every plan with tables of these sizes: a table has
    more players who were seated then than there were tables which they can come from."""
    seated = {name for group in before.groups for name in group}
    counts = sorted(map(len, now.groups))
    for _ in range(min(sum(counts), sum(name not in seated for name in now.names))):  # where each spares most
        counts[counts.index(max(counts))] -= 1
    return sum(spread(count, len(before.groups)) for count in counts) if before.groups else 0


def fewest_repeats(rounds: Sequence[Seated]) -> int:
    """How many meetings of an evening are repeats in every plan with tables of these sizes for the same players: the
    larger of two counts. There are so many places for pairs and no more pairs; and each round shares pairs with each
    earlier one."""
    everybody = len({name for one in rounds for name in one.names})
    places = sum(len(group) * (len(group) - 1) // 2 for one in rounds for group in one.groups)
    at_least = sum(max((shared(one, before) for before in rounds[:at]), default=0) for at, one in enumerate(rounds))
    return max(places - everybody * (everybody - 1) // 2, at_least)


def check_round(one: Seated, low: int, high: int, tables: int = 0, names: Iterable[str] | None = None) -> list[str]:
    """A sentence for each thing that is wrong: everybody is there once, at a table of the right size, or sits out.
    tables: how many there are, 0 for enough; names: of everybody, where they are known."""
    seated = Counter(one.names)
    known = Counter(seated.keys() if names is None else names)
    faults = [f"{name} is there {seated[name]} times" for name in known | seated if seated[name] != 1]
    faults += [f"{name} is not in the tournament" for name in seated if name not in known]
    faults += [f"a table has {len(group)} players" for group in one.groups if not low <= len(group) <= high]
    if tables and len(one.groups) > tables:
        faults.append(f"{len(one.groups)} tables are used, and there are {tables}")
    return faults


def tell_rounds(rounds: Sequence[Seated], clubs: dict[str, str], teams: dict[str, str]) -> list[Told]:
    """What the plan of an evening gave up, beside what no plan can spare."""
    met = count_met(rounds)
    again = {pair: times for pair, times in met.items() if times > 1}
    repeats = sum(times - 1 for times in again.values())
    told = [Told("meetings of two who met before", repeats, fewest_repeats(rounds), name_pairs(again))]
    for what, mates in (("team", teams), ("club", clubs)):
        if not any(mates.values()):
            continue
        found = {pair: times for pair, times in met.items()
                 if len({mates.get(name, "") for name in pair}) == 1 and mates.get(min(pair))}
        least = sum(spread(count, len(one.groups)) for one in rounds if one.groups
                    for mate, count in Counter(mates.get(name, "") for group in one.groups for name in group).items()
                    if mate)
        told.append(Told(f"meetings of two of one {what}", sum(found.values()), least, name_pairs(found)))
    out = Counter(name for one in rounds for name in one.byes)
    there = {name for one in rounds for name in one.names}
    twice = {name: count for name, count in out.items() if count > 1}
    told.append(Told("times that somebody sat out once more", sum(twice.values()) - len(twice),
                     max(0, sum(out.values()) - len(there)), ", ".join(sorted(twice))))
    told += tell_seats(rounds)
    return told


def tell_seats(rounds: Sequence[Seated]) -> list[Told]:
    """How evenly seats went round: how far apart a player's commonest and rarest seat are, and the same seat thrice
    running. Only seats that every table has are compared."""
    tables = [group for one in rounds for group in one.groups]
    if not tables:
        return []
    common = range(1, min(map(len, tables)) + 1)
    sat: dict[str, list[int]] = {}
    for one in rounds:
        for group in one.groups:
            for seat, name in enumerate(group, 1):
                sat.setdefault(name, []).append(seat)
    apart = {name: max(map(seats.count, common)) - min(map(seats.count, common)) for name, seats in sat.items()}
    most = max(apart.values())
    running = sorted(name for name, seats in sat.items()
                     if any(seats[at] == seats[at + 1] == seats[at + 2] for at in range(len(seats) - 2)))
    games = {name: sum(seat in common for seat in seats) for name, seats in sat.items()}
    least = max(int(games[name] % len(common) > 0) for name in sat)
    worst = sorted(name for name, far in apart.items() if far == most) if most > least else []
    return [Told("the widest gap between how often a player had one seat and another", most, least, name_some(worst)),
            Told("players with one seat three times running", len(running), 0, name_some(running))]


def name_some(names: Sequence[str], most: int = 4) -> str:
    """The first of them."""
    return ", ".join(names[:most]) + (f", and {len(names) - most} more" if len(names) > most else "")


def name_pairs(pairs: dict[frozenset[str], int]) -> str:
    """The first of them, those who met most often first."""
    order = sorted(pairs, key=lambda pair: (-pairs[pair], sorted(pair)))
    return name_some([" and ".join(sorted(pair)) + (f" ({pairs[pair]} times)" if pairs[pair] > 2 else "")
                      for pair in order])
