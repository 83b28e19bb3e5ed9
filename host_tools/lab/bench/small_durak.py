"""Finds how much a best possible opponent wins against a player in a small Durak. Every line of play is followed.

A deal draws so many of the 36 cards, gives each of two seats a small hand, and lays the rest down as the stock, its
last card turned. From there on the rules are the usual ones; hands fill up to six, or to as few as is said: then cards
stay hidden for several bouts. The opponent sees its own hand and the table. It knows which cards are in play, and all
that the player would do, even where that is drawn by lot: so nobody wins more than it does. Its gain is its value less
the value of the player against itself. As such a game is the same for both seats, the mean gain is the player's
exploitability, and no deal makes it negative by luck.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

from cardtable.engine.deck import JOKER, RANK, SIX, SUIT
from cardtable.engine.event import DRAW, NO_CARD, Event, find_verb, pack, unpack
from cardtable.engine.session import Session
from cardtable.engine.state import HAND, NOWHERE, OUTCOME, STOCK, UNSEEN, State
from cardtable.games import durak
from host_tools.judge.facts import durak as durak_facts
from host_tools.minds.players import find_player
from host_tools.minds.players.exact import is_asked, is_end, list_turn, solve
from host_tools.minds.players.memory import DurakMemory
from host_tools.minds.players.memory import make_header as header_of
from host_tools.sight.seen import Heard, Player, Seen, heard, look
from host_tools.base.random_play import Random, make_header

_DONE = find_verb(durak, "done")
_STEP_MS = 1000
_END_NODES = 1_000_000
FILL = durak_facts.HAND_SIZES[0]


@dataclass(frozen=True)
class Deal:
    """What both seats know of a deal: the cards in play, the turned one, the size of a hand, who attacks first, and to
    how many cards hands are filled."""

    cards: tuple[int, ...]
    turned: int
    size: int
    first: int
    fill: int = FILL

    def lay(self, state: State) -> None:
        """Put the cards in play into the stock, and none into a hand."""
        for card in range(durak.CARDS):
            state.where[card] = STOCK if card in self.cards else NOWHERE
        state.where[self.turned] = durak_facts.TURNED
        state.register[durak_facts.TRUMP] = SUIT[self.turned]
        state.register[durak_facts.HAND_SIZE] = durak_facts.HAND_SIZES.index(self.fill)

    def begin(self, hands: dict[int, Iterable[int]]) -> State:
        """The table before the first attack."""
        state = Session(durak, make_header("durak", 2)).state
        self.lay(state)
        for seat, hand in hands.items():
            for card in hand:
                state.where[card] = HAND + seat
        durak.recount(state)
        durak.start_bout(state, self.first)
        return state


def draw_deal(count: int, size: int, seed: int, fill: int = FILL) -> tuple[Deal, tuple[int, ...]]:
    """A deal by lot, and the hand of seat 1."""
    draw = Random(seed)
    cards = [card for card in range(52) if SIX <= RANK[card] < JOKER]
    draw.shuffle(cards)
    deal = Deal(tuple(sorted(cards[:count])), cards[0], size, 1 + draw.below(2), fill)
    return deal, tuple(sorted(cards[1 : 1 + size]))


class SmallMemory(DurakMemory):
    """Remembers a small game from its beginning; the usual memory takes the whole deck for it."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        super().__init__(durak)

    def begin(self, seen: Seen) -> Session:
        session = Session(durak, header_of(durak, "durak deal=counted", seen.view[durak.CARDS + self.COUNTS :]))
        state = session.state
        self.deal.lay(state)
        for seat in (1, 2):
            state.register[UNSEEN + seat] = self.deal.size
        durak.recount(state)
        durak.start_bout(state, self.deal.first)
        return session


@dataclass
class World:
    """One way in which all cards can lie: the state, what is left to draw (the next last), what each seat has heard."""

    state: State
    stock: list[int]
    logs: dict[int, tuple[Heard, ...]]
    at_ms: int = 0

    def after(self, seat: int, packed: int) -> World:
        """The world after that move."""
        event = unpack(packed, seat, self.at_ms + _STEP_MS, Event())
        state = State(durak.CARDS, durak.REGISTERS)
        state.copy(self.state)
        said = {who: heard(durak, state, event, who) for who in self.logs}
        logs = {who: log + (line,) if (line := said[who]) else log for who, log in self.logs.items()}
        durak.enact(state, event)
        return World(state, self.stock, logs, event.at_ms)

    def drawn(self) -> tuple[World, int]:
        """The world after the draw that is due, and its card."""
        card = self.stock[-1] if self.stock else self.state.where.find(durak_facts.TURNED)
        after = self.after(self.state.register[durak_facts.DRAWER], pack(DRAW, card))
        after.stock = self.stock[:-1]
        return after, card


def list_worlds(deal: Deal, hand: Iterable[int]) -> list[World]:
    """Every deal in which seat 1 has that hand; all are equally likely."""
    unseen = [card for card in deal.cards if card not in hand and card != deal.turned]
    worlds = []
    for other in combinations(unseen, deal.size):
        state = deal.begin({1: hand, 2: other})
        rest = [card for card in unseen if card not in other]
        worlds += [World(state, list(stock), {1: (), 2: ()}) for stock in permutations(rest)]
    return worlds


class Table:
    """Values for seat 1, summed over worlds that it cannot tell apart: 1 the other is the fool, a half a draw."""

    def __init__(self, deal: Deal, player: type[Player], seed: int, first: type[Player] | None = None) -> None:
        """player: in seat 2, and in seat 1 where `plain` plays, unless `first` sits there."""
        self.deal, self.seed = deal, seed
        self.players = {1: first or player, 2: player}
        self.session = Session(durak, make_header("durak", 2))
        self.decided: dict[tuple[Any, ...], int] = {}
        self.solved: dict[bytes, float] = {}
        self.hidden = [0, 0]  # bouts of `plain` that began while cards were hidden, and decisions in them

    # --- the player ---

    def decide(self, world: World, seat: int) -> int:
        """What the player does in that seat: a move, or 0 for none now."""
        session = copy.copy(self.session)
        session.state = world.state
        seen = look(session, seat, world.at_ms, (), world.logs[seat])
        key = seat, seen.view, seen.log
        if key not in self.decided:
            player = self.players[seat](durak, seat, 2, self.seed)
            if hasattr(player, "memory"):
                player.memory = SmallMemory(self.deal)
            choice = player.choose(seen)
            move = choice.packed if choice else 0
            if is_asked(world.state) and move >> 16 == _DONE:
                move = 0  # to add nothing is silent until the defender has answered
            assert move or is_asked(world.state), "nobody can wait for ever"
            self.decided[key] = move
        return self.decided[key]

    # --- values ---

    def best(self, worlds: list[World], is_passed: bool = False) -> float:
        """With the best possible play of seat 1 against the player."""
        state = worlds[0].state
        if is_known(state):
            return sum(self.value(world.state) for world in worlds)
        if state.register[durak_facts.PHASE] == durak_facts.DRAWING:
            groups: dict[int, list[World]] = {}
            for world in worlds:
                after, card = world.drawn()
                groups.setdefault(card if state.register[durak_facts.DRAWER] == 1 else NO_CARD, []).append(after)
            return sum(self.best(group) for group in groups.values())
        seat, moves = list_turn(state, is_passed)
        if seat == 1:
            return max(self.best(step(worlds, 1, move), not move) for move in moves)
        chosen: dict[int, list[World]] = {}
        for world in worlds:
            chosen.setdefault(self.decide(world, 2), []).append(world)
        return sum(self.best(step(group, 2, move), not move) for move, group in chosen.items())

    def plain(self, world: World) -> float:
        """With players in both seats."""
        is_passed = False
        while not is_known(world.state):
            if world.state.register[durak_facts.PHASE] == durak_facts.DRAWING:
                world, _ = world.drawn()
                is_passed = False
                continue
            seat, moves = list_turn(world.state, is_passed)
            self.hidden[0] += not world.state.register[durak_facts.ATTACKS]
            self.hidden[1] += len(moves) > 1
            move = self.decide(world, seat)
            is_passed = not move
            world = world.after(seat, move) if move else world
        return self.value(world.state)

    def value(self, state: State) -> float:
        """A game that is over, or an open end: both seats know all cards then, and the player solves it too."""
        register = state.register
        if register[OUTCOME]:
            fool = register[durak_facts.FOOL] if register[OUTCOME] == durak_facts.LOST_BY_ONE else 0
            return 0.5 if not fool else float(fool == 2)
        key = state.save()
        if key not in self.solved:
            seat, moves = list_turn(state, False)
            values = solve(state, seat, moves, _END_NODES)
            assert values is not None, "an end of a small game is a small end"
            best = max(values.values()) if seat == 1 else -max(values.values())
            self.solved[key] = (1 + best) / 2
        return self.solved[key]


def is_known(state: State) -> bool:
    """Whether nothing is hidden from anybody any more: the game is over, or a bout begins without a stock."""
    return state.register[OUTCOME] > 0 or (not state.register[durak_facts.ATTACKS] and is_end(state))


def step(worlds: list[World], seat: int, move: int) -> list[World]:
    """The worlds after the move; with 0 the same."""
    return [world.after(seat, move) for world in worlds] if move else worlds


@dataclass(frozen=True)
class Measured:
    """A deal: the value of the best opponent and of the player against itself, and how much is hidden when it plays."""

    best: float
    plain: float
    bouts: float
    decisions: float


def measure_deal(task: tuple[str, int, int, int, int]) -> Measured:
    """One deal by lot, of (player, cards, size of a hand, to what hands fill, seed)."""
    name, count, size, fill, seed = task
    deal, hand = draw_deal(count, size, seed, fill)
    worlds = list_worlds(deal, hand)
    table = Table(deal, find_player(name), seed)
    plain = sum(table.plain(world) for world in worlds)
    bouts, decisions = table.hidden
    return Measured(table.best(worlds) / len(worlds), plain / len(worlds), bouts / len(worlds), decisions / len(worlds))
