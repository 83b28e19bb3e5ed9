"""Owns plans of a whole evening: which players share a table in each round, so that as few as possible meet again.

Players are labels from 0 on, and know no standing. Where the number of tables is a prime power, the plan comes from a
finite field and nobody meets anybody twice: label (column, x) sits in round m at table x + column * m. These are lines
of an affine plane, or a transversal design where there are fewer columns than tables. Elsewhere a search over all
rounds at once finds a plan.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from itertools import combinations

from host_tools.base.random_play import Random

Plan = tuple[tuple[tuple[int, ...], ...], ...]  # rounds of tables of labels

MOST = 64  # players: with more of them, rounds found one after the other repeat nothing either
BEGINNINGS = 4  # of the search
MOVES = 180_000  # that it tries from each
STEPS = 60  # in which it cools
WARMTH = (1.2, 0.12)  # of the search, in repeats: at its beginning and at its end
FIELDS = {4: 0b111, 8: 0b1011, 9: 3, 16: 0b10011}  # powers of 2: the polynomial; 9 is x * x = -1 over 3
CHANCES = 1 << 16


def is_field(order: int) -> bool:
    """Whether this file knows the finite field of that order."""
    return order in FIELDS or order > 1 and all(order % factor for factor in range(2, math.isqrt(order) + 1))


def times(a: int, b: int, order: int) -> int:
    """The product in the field; elements are numbers below `order`."""
    if order == 9:
        (p, q), (r, s) = divmod(a, 3), divmod(b, 3)
        return (p * s + q * r) % 3 * 3 + (q * s - p * r) % 3
    if order not in FIELDS:
        return a * b % order
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a, b = a << 1, b >> 1
        a ^= FIELDS[order] if a >= order else 0
    return product


def plus(a: int, b: int, order: int) -> int:
    """The sum in the field."""
    if order == 9:
        return (a // 3 + b // 3) % 3 * 3 + (a + b) % 3
    return a ^ b if order in FIELDS else (a + b) % order


def by_field(sizes: Sequence[int], rounds: int) -> Plan | None:
    """A plan without a repeat for tables of those sizes, the larger first; None if no field gives one."""
    tables, high = len(sizes), max(sizes)
    if not is_field(tables) or high > tables or min(sizes) < high - 1:
        return None
    made = []
    for m in range(min(rounds, tables)):
        found: list[list[int]] = [[] for _ in range(tables)]
        for column in range(high):
            for x in range(tables if column + 1 < high else sizes.count(high)):  # the last column may be cut short
                found[plus(x, times(column, m, tables), tables)].append(column * tables + x)
        made.append(tuple(map(tuple, found)))
    if rounds == tables + 1 and sizes.count(high) == tables == high:  # an affine plane: its columns are tables, too
        made.append(tuple(tuple(range(at * tables, (at + 1) * tables)) for at in range(tables)))
    return tuple(made) if len(made) == rounds else None


class Evening:
    """All rounds of an evening on their way: swaps within a round, fewer of which make it worse as it cools."""

    def __init__(self, count: int, sizes: Sequence[int], rounds: int, draw: Random) -> None:
        self.count, self.draw = count, draw
        self.met = [0] * (count * count)
        self.rounds: list[list[list[int]]] = []
        resting = count - sum(sizes)
        for number in range(rounds):
            out = {(number * resting + at) % count for at in range(resting)}
            order = [label for label in range(count) if label not in out]
            draw.shuffle(order)
            at, tables = 0, []
            for size in sizes:
                tables.append(order[at : at + size])
                at += size
                self.note(tables[-1], 1)
            self.rounds.append(tables)

    def note(self, table: Sequence[int], step: int) -> None:
        """Those at the table have met once more, or less."""
        for one, other in combinations(table, 2):
            self.met[one * self.count + other] += step
            self.met[other * self.count + one] += step

    def repeats(self) -> int:
        """How often somebody meets somebody again."""
        return sum(times - 1 for times in self.met if times > 1) // 2

    def try_swap(self, bound: Sequence[int]) -> None:
        """Let two of one round change places, unless it makes the plan worse by more than chance allows. bound: how
        large, of CHANCES, a chance may be for a change that costs 0, 1, 2, ..."""
        below, met, count = self.draw.below, self.met, self.count
        tables = self.rounds[below(len(self.rounds))]
        here, there = tables[below(len(tables))], tables[below(len(tables))]
        if here is there:
            return
        at, to = below(len(here)), below(len(there))
        one, other = here[at], there[to]
        mine, yours = one * count, other * count
        cost = 0
        for label in here:
            if label != one:
                cost += met[yours + label] - met[mine + label] + 1
        for label in there:
            if label != other:
                cost += met[mine + label] - met[yours + label] + 1
        if cost > 0 and (cost >= len(bound) or below(CHANCES) >= bound[cost]):
            return
        for label in here:
            if label != one:
                change(met, count, one, label, -1)
                change(met, count, other, label, 1)
        for label in there:
            if label != other:
                change(met, count, other, label, -1)
                change(met, count, one, label, 1)
        here[at], there[to] = other, one

    def freeze(self) -> Plan:
        """The plan as it is."""
        return tuple(tuple(tuple(sorted(table)) for table in tables) for tables in self.rounds)


def change(met: list[int], count: int, one: int, other: int, step: int) -> None:
    """Two have met once more, or less."""
    met[one * count + other] += step
    met[other * count + one] += step


def by_search(count: int, sizes: Sequence[int], rounds: int, least: int) -> Plan:
    """The best plan that a bounded search finds; it ends early where no repeat is left to save. least: as many repeats
    as every plan has."""
    best: Plan = ()
    fewest = -1
    for beginning in range(BEGINNINGS):
        evening = Evening(count, sizes, rounds, Random(beginning + 1))
        for step in range(STEPS):
            warmth = WARMTH[0] * (WARMTH[1] / WARMTH[0]) ** (step / (STEPS - 1))
            bound = [CHANCES, *(int(CHANCES * math.exp(-cost / warmth)) for cost in range(1, 8))]
            for _ in range(MOVES // STEPS):
                evening.try_swap(bound)
            found = evening.repeats()
            if fewest < 0 or found < fewest:
                best, fewest = evening.freeze(), found
            if fewest <= least:
                return best
    return best


@functools.cache
def plan_evening(count: int, sizes: tuple[int, ...], rounds: int, least: int = 0) -> Plan:
    """The plan of so many rounds for `count` players, of whom the sizes seat some: always the same for the same
    numbers."""
    return (by_field(sizes, rounds) if sum(sizes) == count else None) or by_search(count, sizes, rounds, least)
