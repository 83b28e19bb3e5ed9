"""Solves one deal of a small Durak: every line of play as a tree, CFR+ on it, and what a best opponent gains there.

CFR+ (Tammelin 2014) with alternating updates; an average counts a turn by its number. Both seats know which cards are
in play and which one is turned; luck deals the hands and the stock. Values are points of 100 for seat 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from cardtable.engine.event import pack
from cardtable.engine.state import HAND
from host_tools.judge.facts import durak as durak_facts
from host_tools.lab.bench.small_durak import Deal, Table, World, is_known, list_worlds
from host_tools.minds.players import find_player
from host_tools.minds.players.exact import list_turn

TURNS = 1000  # of CFR+ at most
Policy = Any  # the chance of each act of each question, in the tree's order


@dataclass
class Node:
    """A position on the way: of its parent the number and who acted there; acts: the last one of each seat, or -1."""

    world: World
    is_passed: bool = False
    parent: int = -1
    by: int = 0
    acts: tuple[int, int, int] = (-1, -1, -1)


@dataclass
class Level:
    """What was played as often: of each node its parent above, the act that led here, its question (-1: it is known),
    and its value if it is."""

    parent: list[int] = field(default_factory=list)
    act: list[int] = field(default_factory=list)
    question: list[int] = field(default_factory=list)
    value: list[float] = field(default_factory=list)


class Tree:
    """All lines of all worlds of a deal. A question is what a seat holds and has heard; it has a row of acts."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        unseen = [card for card in deal.cards if card != deal.turned]
        self.worlds = [world for hand in combinations(unseen, deal.size) for world in list_worlds(deal, hand)]
        self.table = Table(deal, find_player("random"), 0)
        self.first: dict[Any, int] = {}  # of a question: its first act
        self.moves: list[int] = []  # of each act
        self.of: list[int] = []  # of each act: its question
        self.asked: list[tuple[World, int, int]] = []  # of each question: a world, the seat, its own last act or -1
        self.levels: list[Level] = []
        here = [Node(world) for world in self.worlds]
        while here:
            here = self.add_level(here)
        self.question = np.array(self.of)
        self.count = len(self.asked)
        self.seat = np.array([seat for _, seat, _ in self.asked])[self.question]
        self.before = np.array([before for _, _, before in self.asked])
        self.rows = [(np.array(level.parent), np.array(level.act), np.array(level.question), np.array(level.value))
                     for level in self.levels]

    def add_level(self, here: list[Node]) -> list[Node]:
        """Keep these nodes as the next level: the nodes behind them."""
        level, behind = Level(), []
        for number, node in enumerate(here):
            world, is_passed = node.world, node.is_passed
            while not is_known(world.state) and world.state.register[durak_facts.PHASE] == durak_facts.DRAWING:
                world, is_passed = world.drawn()[0], False
            is_over = is_known(world.state)
            seat, moves = (0, []) if is_over else list_turn(world.state, is_passed)
            level.parent.append(node.parent)
            level.act.append(node.acts[node.by])
            level.question.append(-1)
            level.value.append(100 * self.table.value(world.state) if is_over else 0.0)
            if not is_over:
                first = self.ask(world, seat, is_passed, moves, node.acts[seat])
                level.question[-1] = self.of[first]
                for at, move in enumerate(moves):
                    acts = (first + at, node.acts[2]) if seat == 1 else (node.acts[1], first + at)
                    after = world.after(seat, move) if move else world
                    behind.append(Node(after, not move, number, seat, (-1, *acts)))
        self.levels.append(level)
        return behind

    def ask(self, world: World, seat: int, is_passed: bool, moves: list[int], before: int) -> int:
        """The first act of the question; a new one gets a row."""
        hand = bytes(card for card, place in enumerate(world.state.where) if place == HAND + seat)
        heard = tuple((line.seat, pack(line.verb, line.card, line.target)) for line in world.logs[seat])
        key = seat, hand, heard, is_passed, len(self.levels)
        if key not in self.first:
            self.first[key] = len(self.moves)
            self.moves += moves
            self.of += [len(self.asked)] * len(moves)
            self.asked.append((world, seat, before))
        return self.first[key]

    # --- policies ---

    def normal(self, weights: Any) -> Policy:
        """These weights as chances; where a question has none, all acts alike."""
        sums = np.bincount(self.question, weights, self.count)[self.question]
        sizes = np.bincount(self.question, minlength=self.count)[self.question]
        return np.where(sums > 0, weights / np.where(sums > 0, sums, 1), 1 / sizes)

    def uniform(self) -> Policy:
        """All acts alike."""
        return self.normal(np.zeros(len(self.moves)))

    def policy_of(self, name: str, seed: int) -> Policy:
        """What a player does in both seats, by that seed. It is not asked where its own play never leads."""
        table = Table(self.deal, find_player(name), seed)
        policy = np.zeros(len(self.moves))
        ends = [*self.first.values(), len(self.moves)][1:]
        for (world, seat, before), first, end in zip(self.asked, self.first.values(), ends, strict=True):
            if before < 0 or policy[before]:
                row = self.moves[first:end]
                policy[first + (row.index(table.decide(world, seat)) if len(row) > 1 else 0)] = 1.0
        return self.normal(policy)

    def hidden(self, policy: Policy) -> tuple[float, float]:
        """How many bouts of a deal begin while cards are hidden, and how many choices are made in them, if both seats
        play by that policy."""
        bouts = decisions = 0.0
        sizes = np.bincount(self.question, minlength=self.count)
        leads = np.array([not world.state.register[durak_facts.ATTACKS] for world, _, _ in self.asked])
        for reach, (_, _, question, _) in zip(self.reach(policy, 0), self.rows, strict=True):
            asked = question >= 0
            bouts += float(reach[asked] @ leads[question[asked]])
            decisions += float(reach[asked] @ (sizes[question[asked]] > 1))
        return bouts, decisions

    # --- values ---

    def reach(self, policy: Policy, but: int) -> list[Any]:
        """How likely each node is by luck and by the acts of the seats, those of one seat left out."""
        found = [np.full(len(self.worlds), 1 / len(self.worlds))]
        chances = np.where(self.seat == but, 1.0, policy)
        for parent, act, _, _ in self.rows[1:]:
            found.append(found[-1][parent] * chances[act])
        return found

    def fold(self, reach: list[Any], seat: int, policy: Policy, is_best: bool = False) -> tuple[float, Any]:
        """The value for seat 1, weighed by `reach`, which leaves out that seat, and what each of its acts is worth.
        is_best: it does what is worth most, not what the policy says."""
        sign = 1 if seat == 1 else -1
        worth = np.zeros(len(self.moves))
        chosen = np.array(policy)
        value = reach[-1] * self.rows[-1][3]
        for depth in range(len(self.rows) - 1, 0, -1):
            parent, act, _, _ = self.rows[depth]
            above = self.rows[depth - 1]
            is_own = self.seat[act] == seat
            if is_own.any():
                level = np.bincount(act[is_own], sign * value[is_own], len(self.moves))
                worth += level
                here = np.unique(act[is_own])
                if is_best:
                    chosen[here] = self.greedy(level)[here]
            up = value * np.where(is_own, chosen[act], 1.0)
            value = reach[depth - 1] * above[3] + np.bincount(parent, up, len(above[0]))
        return float(value.sum()), worth

    def value(self, policy: Policy) -> float:
        """With that policy in both seats."""
        return self.fold(self.reach(policy, 1), 1, policy)[0]

    def best(self, policy: Policy, seat: int) -> float:
        """The value for seat 1 if that seat plays as well as can be against the policy in the other."""
        return self.fold(self.reach(policy, seat), seat, policy, is_best=True)[0]

    def greedy(self, worth: Any) -> Policy:
        """The best act of each question, surely."""
        order = np.lexsort((-worth, self.question))
        firsts = np.concatenate(([True], self.question[order][1:] != self.question[order][:-1]))
        policy = np.zeros(len(self.moves))
        policy[order[firsts]] = 1.0
        return policy

    def exploitability(self, policy: Policy) -> float:
        """What a best opponent gains against it, the mean of both seats."""
        return (self.best(policy, 1) - self.best(policy, 2)) / 2

    def solve(self, enough: float, most: int) -> tuple[Policy, int]:
        """CFR+ until a best opponent gains no more than that, or so many turns are over: the average, and the turns."""
        regret, total = np.zeros(len(self.moves)), np.zeros(len(self.moves))
        for turn in range(1, most + 1):
            for seat in (1, 2):
                policy = self.normal(regret)
                _, worth = self.fold(self.reach(policy, seat), seat, policy)
                mean = np.bincount(self.question, worth * policy, self.count)[self.question]
                own = self.seat == seat
                regret = np.where(own, np.maximum(0, regret + worth - mean), regret)
                now = self.normal(regret)
                total += turn * np.where(own, now * self.own_reach(now), 0)
            if turn % 25 == 0 and self.exploitability(self.normal(total)) <= enough:
                return self.normal(total), turn
        return self.normal(total), most

    def own_reach(self, policy: Policy) -> Any:
        """Of each act: how likely the own earlier acts of its seat lead to its question."""
        found = np.ones(self.count)
        for _, _, question, _ in self.rows:
            here = np.unique(question[question >= 0])
            here = here[self.before[here] >= 0]
            before = self.before[here]
            found[here] = found[self.question[before]] * policy[before]
        return found[self.question]
