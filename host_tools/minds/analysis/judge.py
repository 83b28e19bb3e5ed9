"""Judges each decision by what its seat knew, and splits the result into luck and play.

A chance is the share of guesses in which the seat is not the fool, or wins, corrected so that it comes true
(chances.py), also with open cards. The best move is chosen in some guesses and measured in others, so that it gains
nothing from being the luckiest of many. Chances of the curve and of the split are not corrected; they are in
millionths and whole, so the split's parts add up to the result exactly.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cardtable.engine.event import AGREE, UNDO, find_verb
from cardtable.engine.state import DEAL, HAND, OUTCOME, SEATS, STOCK, State
from cardtable.games import cals_bs, durak, malice
from host_tools.base.fast.sources import is_compiled
from host_tools.judge.facts import cals_bs as cals_bs_facts
from host_tools.judge.facts import durak as durak_facts
from host_tools.judge.facts import malice as malice_facts
from host_tools.minds.analysis.chances import Bearing, bend, find_lines_for, is_checked_for
from host_tools.minds.analysis.decisions import Step, check, walk
from host_tools.minds.analysis.last_cards import solve_last
from host_tools.minds.intervals import SURE
from host_tools.sight.recorded import Recorded
from host_tools.minds.players.rollouts import Judged, compare
from host_tools.minds.players.exact import OpenEnd, is_end
from host_tools.minds.players.search import open_state
from host_tools.sight.seen import Seen
from host_tools.minds.players.worlds import World, Worlds, make_memory, make_worlds, scorer_of
from host_tools.base.random_play import Random
from host_tools.minds.thinking.durak_playout import order_cards

GUESSES = 96
# Positions of a game's open end, all its decisions together: some seconds, compiled or from source.
END_NODES = 16_000_000 if is_compiled() else 100_000
LAST_NODES = END_NODES // 4  # of one decision before the last draws, none of which is kept
MOST = 128  # times as many guesses at most, where it is not decided how large a mistake was
WHOLE = 1_000_000  # a chance of one
# From so many points on. They lie as far apart as guesses can tell: of three classes, five points apart, another seed
# gave every fourth mistake another one.
CLASSES = ((15, "blunder"), (5, "mistake"))
_ATTACK = find_verb(durak, "attack")
_DOUBT = find_verb(cals_bs, "doubt")
_LOOKS = 8  # guesses in which a play has to end the game
_CLEARLY = 1.0  # standard errors by which the best must be ahead of what was played
_CHOOSING = 4  # times as many guesses to choose the best: from fewer each seed had another one
_WIDER = 1.3  # times its interval: it is looked at again and again, and the first that holds no bound ends that


@dataclass
class Decision:
    """One decision, its chances in percent."""

    number: int
    seat: int
    seen: Seen
    played: Any
    best: Any
    chance: float
    chance_half: float
    best_chance: float
    best_half: float
    open_chance: float
    open_best: float
    is_exact: bool
    kind: str = ""  # mistake, blunder, or nothing
    lie: float = -1.0  # Cal's BS: how likely the last set was false, by the odds
    needed: float = -1.0  # Cal's BS, of a doubt: how likely a lie had to be for it to pay; 0 always, above 1 never
    loss_low: float = 0.0  # points that it cost at least, in 95 of 100 such analyses
    bout: int = 0  # Durak: which one of the game
    is_later: bool = False  # the seat made the better play after all, in the same bout
    choices: int = 0  # how many there were
    is_rough: bool = False  # nobody has looked whether chances come true at such a table
    is_unsolved: bool = False  # an open end of Durak, too large to be solved: its chances are guesses

    @property
    def loss(self) -> float:
        """How many points it cost."""
        return max(0.0, self.best_chance - self.chance)


@dataclass
class Part:
    """A part of the split: from which chance to which it brought each seat."""

    kind: str  # deal, draws, play; table: what nobody at it decided
    seat: int
    number: int
    changes: list[int]


@dataclass
class Analysis:
    """All that was found. curve: (line, the chances of all seats, open cards) in millionths."""

    record: Recorded
    decisions: list[Decision] = field(default_factory=list)
    curve: list[tuple[int, list[int]]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    outcome: list[int] = field(default_factory=list)

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.record.header.seats)

    def split(self, seat: int) -> dict[str, int]:
        """The result of a seat in millionths: a fair share, the deal, the draws, and what each seat's play brought."""
        fair = fair_share(self.record.game, self.record.course().session.state)
        found = {"fair": fair, "deal": 0, "draws": 0, "table": 0}
        for other in range(1, self.seats + 1):
            found[f"play {other}"] = 0
        for part in self.parts:
            key = f"play {part.seat}" if part.kind == "play" else part.kind
            found[key] += part.changes[seat - 1]
        return found


def wins_alone(game: Any, state: State) -> bool:
    """Whether one wins and all others lose: in Malice, and in Cal's BS, unless the others play on for places (C22)."""
    return game is malice or game is cals_bs and not state.register[cals_bs_facts.PLACES_GO_ON]


def fair_share(game: Any, state: State) -> int:
    """The chance of a seat before the deal, in millionths: where one wins, or all but one, or all teams but one."""
    seats = state.register[SEATS]
    if wins_alone(game, state):
        return WHOLE // seats
    if game is durak:
        seats //= sum(durak.are_partners(state, 1, seat) for seat in range(1, seats + 1))
    return WHOLE - WHOLE // seats


def analyse(
    record: Recorded, guesses: int = GUESSES, tell: Callable[[int, int], None] = lambda done, of: None,
    judges: bool = True,
) -> Analysis:
    """Judge a finished game; tell(done, of) while it goes on. judges: not only luck and play are told apart, but each
    decision is judged, too. UnusableInput for any other game."""
    check(record)
    found = Analysis(record)
    game, seats = record.game, found.seats
    memories = [make_memory(game) for _ in range(8)]
    chances = [fair_share(game, record.course().session.state)] * seats
    end = OpenEnd(END_NODES)
    for done, (step, before, kind, bout) in enumerate(moments(record)):
        tell(done, record.count)
        if judges and step.seen is not None and before is not None:
            found.decisions.append(judge(step, before, memories[step.seat], guesses, end))
            found.decisions[-1].bout = bout
        if not kind:
            continue
        now = value_all(game, step.state, seats, 2 * guesses, step.state.register[OUTCOME] > 0, end)
        found.parts.append(Part(kind, step.seat, step.number, difference(chances, now)))
        found.curve.append((step.number, now))
        chances = now
    found.outcome = chances
    spare_later_plays(found.decisions)
    return found


def moments(record: Recorded) -> Iterator[tuple[Step, State | None, str, int]]:
    """Each step, the settled state before it (none while cards are dealt), what it was (deal, draws, play or table;
    nothing where a card still has to come by chance), and in which bout."""
    before: State | None = None
    bout, game = 0, record.game
    for step in walk(record):
        is_chance = step.verb in game.CHANCE.values()
        if step.verb in (UNDO, AGREE):
            is_chance = not step.is_settled  # T7: a card that came is taken back, and comes again
        if (is_chance or before is None) and not step.is_settled and not step.state.register[OUTCOME]:
            yield step, before, "", bout
            continue
        is_play = step.seat and not is_chance
        kind = "play" if is_play else "deal" if before is None else "draws" if is_chance else "table"
        yield step, before, kind, bout
        bout += game is durak and not step.state.register[durak_facts.ATTACKS]
        before = step.state


def judge_seat(record: Recorded, seat: int, guesses: int = GUESSES) -> list[Decision]:
    """The decisions of one seat of a finished game, as `analyse` judges them, in a share of its time. UnusableInput."""
    check(record)
    memory, end = make_memory(record.game), OpenEnd(END_NODES)
    found = []
    for step, before, _, bout in moments(record):
        if step.seat == seat and step.seen is not None and before is not None:
            found.append(judge(step, before, memory, guesses, end))
            found[-1].bout = bout
    spare_later_plays(found)
    return found


def spare_later_plays(decisions: list[Decision]) -> None:
    """What a seat adds to a bout is one plan: a card that it could have laid now and lays later in the same bout is no
    mistake, and of several moments in which it could have laid the same one the costliest alone is told."""
    told: dict[tuple[int, int, Any], Decision] = {}
    for at, one in enumerate(decisions):
        if not one.kind or one.seen.game is not durak or one.best >> 16 != _ATTACK:
            continue
        follows = (two for two in decisions[at + 1 :] if two.bout == one.bout and two.seat == one.seat)
        one.is_later = any(two.played == one.best for two in follows)
        before = told.setdefault((one.seat, one.bout, one.best), one)
        if before is not one:
            (before if before.loss < one.loss else one).is_later = True
            told[one.seat, one.bout, one.best] = max(before, one, key=lambda each: each.loss)
        for each in (before, one):
            each.kind = "" if each.is_later else each.kind


def difference(old: list[int], new: list[int]) -> list[int]:
    """Seat by seat."""
    return [after - was for was, after in zip(old, new, strict=True)]


def judge(step: Step, before: State, memory: Any, guesses: int, end: OpenEnd | None = None, salt: int = 0) -> Decision:
    """One decision: what was played and the best, by what the seat knew; and with open cards. end: that of the game, if
    several of its decisions are judged. salt: another one makes other guesses."""
    seen = step.seen
    assert seen is not None
    end = end or OpenEnd(END_NODES)
    worlds = make_worlds(seen, memory)
    lie = worlds.lie if seen.game is cals_bs else -1.0
    solved: Mapping[int, float] | None = None
    if seen.game is durak:
        solved = solve(step, worlds, end)
        if solved is None and find_end(worlds) is None:
            solved = solve_last(worlds, step.seat, list(step.choices), LAST_NODES)
    if solved:
        points_of = {one: 50.0 + 50 * value for one, value in solved.items()}  # D40: a draw counts a half
        move = step.played
        if solved[move] < max(solved.values()):
            move = next(one for one in step.choices if solved[one] == max(solved.values()))
        own, other = points_of[step.played], points_of[move]
        decision = Decision(step.number, step.seat, seen, step.played, move, own, 0, other, 0, own, other, True)
        decision.loss_low = decision.loss
    else:
        decision = judge_by_guesses(step, before, worlds, guesses, lie, salt)
        decision.is_unsolved = seen.game is durak and find_end(worlds) is not None
        if seen.game is cals_bs and step.played.word >> 16 == _DOUBT:
            decision.needed = find_needed(worlds, step, guesses)
    decision.choices = len(step.choices)
    decision.is_rough = not decision.is_exact and not is_checked_for(seen)
    decision.kind = next((kind for points, kind in CLASSES if min(decision.loss, decision.loss_low) >= points), "")
    return decision


def solve(step: Step, worlds: Any, end: OpenEnd) -> dict[int, int] | None:
    """The value of each choice where the seat cannot but know all cards; None elsewhere."""
    state = find_end(worlds)
    return end.solve(state, step.seat, list(step.choices)) if state else None


def find_end(worlds: Any) -> State | None:
    """The open end of Durak that the seat sees before it, if it sees one."""
    state = None if worlds.memory.is_lost else open_state(worlds)
    return state if state is not None and is_end(state) else None


def judge_by_guesses(step: Step, before: State, worlds: Any, guesses: int, lie: float, salt: int) -> Decision:
    """Where cards are hidden. Where the guesses do not decide whether the play was a mistake, more are made."""
    seen = worlds.seen
    enact = enact_of(worlds)
    seed = zlib.crc32(repr((step.number, seen.view)).encode(), salt)
    own, other = choose(worlds, step, enact, seed, guesses)
    both = [own.move] if other is own else [own.move, other.move]
    bearing = Bearing.of([score for one in (own, other)[: len(both)] for score in one.scores], worlds, step.alike)
    if other is not own:
        decide(worlds, own, other, enact, seed, guesses, bearing)
    if other is not own and not own.is_clearly_worse(other, _CLEARLY):
        other = own
    best = other.move
    opened = OpenWorlds(worlds, before)
    judged = compare(opened, both, enact, seed + 2, guesses, is_racing=False)
    open_own = next(one for one in judged if one.move is both[0])
    open_chance, open_best = (percent(worlds, one, enact, bearing, is_open=True)[0] for one in (open_own, judged[0]))
    chance, half = percent(worlds, own, enact, bearing)
    best_chance, best_half = percent(worlds, other, enact, bearing)
    decision = Decision(
        step.number, step.seat, seen, step.played, best, chance, half, best_chance, best_half,
        open_chance, max(open_chance, open_best), False, lie=lie,
    )  # fmt: skip
    decision.loss_low = decision.loss * (1 - reach(own, other)) if other is not own else 0.0
    return decision


def choose(
    worlds: Any, step: Step, enact: Callable[[Any, Any], None], seed: int, guesses: int
) -> tuple[Judged, Judged]:
    """What was played and the best, or the same twice, in guesses by which neither was chosen. Where the play may have
    been a mistake, what is about as good as the best is told apart in more guesses, for each seed had another one."""
    ordered = compare(worlds, step.choices, enact, seed, guesses)
    near = [one.move for one in ordered if not one.is_clearly_worse(ordered[0], _CLEARLY) and one.move != step.played]

    def measure(move: Any, salt: int) -> tuple[Judged, Judged]:
        both = [step.played] if move == step.played else [step.played, move]
        told = {id(one.move): one for one in compare(worlds, both, enact, seed + salt, 2 * guesses, is_racing=False)}
        return told[id(both[0])], told[id(both[-1])]

    own, other = measure(near[0] if near else step.played, 1)
    gap = 100 * (other.mean - own.mean)
    if len(near) > 1 and gap > 0 and gap * (1 + reach(own, other)) >= CLASSES[-1][0]:
        best = compare(worlds, near, enact, seed + 3, _CHOOSING * guesses)[0].move
        if best != other.move:
            own, other = measure(best, 5)
    return own, other


def decide(
    worlds: Any, own: Judged, other: Judged, enact: Callable[[Any, Any], None], seed: int, guesses: int,
    bearing: Bearing,
) -> None:
    """Play both on until it is decided which class of mistake that is, or MOST times as many guesses are played."""
    count = 2 * guesses
    while count < MOST * guesses and is_undecided(worlds, own, other, enact, bearing):
        more = compare(worlds, [own.move, other.move], enact, seed + 2 + count, count, is_racing=False)
        for one in more:
            (own if one.move is own.move else other).scores += one.scores
        count *= 2


def find_needed(worlds: Any, step: Step, guesses: int) -> float:
    """How likely the last set had to be false for its doubt to pay: where what the doubt wins over the best other act
    if the set is false, and what it loses if it is true, come to the same."""
    seed = zlib.crc32(repr((step.number, worlds.seen.view)).encode()) + 4
    others = [one for one in step.choices if one != step.played]
    other = compare(worlds, others, enact_of(worlds), seed, guesses)[0].move
    lies: list[bool] = []

    def enact(world: World, plan: Any) -> None:
        if plan is step.played:
            lies.append(not cals_bs.is_set_true(world.state))
        worlds.enact_plan(world, plan.cards, plan.word)

    told = {id(one.move): one for one in compare(worlds, [step.played, other], enact, seed + 1, 2 * guesses,
                                                 is_racing=False)}
    gaps = list(zip(lies, told[id(step.played)].scores, told[id(other)].scores, strict=True))
    sides = [[doubt - rest for is_lie, doubt, rest in gaps if is_lie == side] for side in (True, False)]
    won, lost = (sum(side) / len(side) if side else 0.0 for side in sides)
    if won <= lost:
        return -1.0  # the guesses cannot say
    return min(1.01, max(0.0, -lost / (won - lost)))


def reach(own: Judged, other: Judged) -> float:
    """Half of the 95 % interval of what a play cost, as a share of it: guess by guess, so that luck of the guesses
    falls on both plays alike. Half a point of doubt is never given up."""
    gaps = [better - worse for better, worse in zip(other.scores, own.scores, strict=True)]
    count = len(gaps)
    mean = sum(gaps) / count
    spread = (sum((gap - mean) ** 2 for gap in gaps) + 0.25) / count
    return math.inf if mean <= 0 else SURE * math.sqrt(spread / count) / mean


def is_undecided(
    worlds: Any, own: Judged, other: Judged, enact: Callable[[Any, Any], None], bearing: Bearing
) -> bool:
    """Whether the interval of what the play cost holds the bound of a class."""
    loss = percent(worlds, other, enact, bearing)[0] - percent(worlds, own, enact, bearing)[0]
    half = _WIDER * loss * reach(own, other) if loss > 0 else 0.0
    return any(loss - half < points <= loss + half for points, _ in CLASSES)


def enact_of(worlds: Any) -> Callable[[Any, Any], None]:
    """What makes a choice in a guess: a move, or in Cal's BS a whole plan."""
    if worlds.game is cals_bs:
        return lambda world, plan: worlds.enact_plan(world, plan.cards, plan.word)
    enact: Callable[[Any, Any], None] = worlds.enact
    return enact


def percent(
    worlds: Any, judged: Judged, enact: Callable[[Any, Any], None], bearing: Bearing, is_open: bool = False
) -> tuple[float, float]:
    """The corrected chance and half of its 95 % interval, in percent. What ends the game is no guess. is_open: the
    guesses had open cards."""
    if ends_game(worlds, judged.move, enact):
        return 100 * judged.mean, 100 * SURE * judged.error
    mean, half, count = judged.mean, SURE * judged.error, len(judged.scores)
    lines = find_lines_for(worlds.seen)
    chance, half = bend(lines.opened if is_open else lines.closed, mean, half, count, bearing)
    return 100 * chance, 100 * half


def ends_game(worlds: Any, move: Any, enact: Callable[[Any, Any], None]) -> bool:
    """Whether the game is over with that play, in every guess that is tried."""
    draw = Random(0)
    for _ in range(_LOOKS):
        world = worlds.deal(draw)
        enact(world, move)
        if not world.state.register[OUTCOME]:
            return False
    return True


class OpenWorlds(Worlds):
    """Guesses in which all hands are as they were; only what is still to be drawn is shuffled."""

    def __init__(self, worlds: Worlds, state: State) -> None:
        self.worlds, self.state = worlds, state
        self.seen = worlds.seen

    def deal(self, draw: Random) -> World:
        """The truth, with the stock shuffled."""
        return true_world(self.seen.game, self.state, draw)

    def play_out(self, world: World, draw: Random) -> bool:
        """As in any guess."""
        return self.worlds.play_out(world, draw)

    def score(self, world: World, is_over: bool, seat: int) -> float:
        """As in any guess."""
        return self.worlds.score(world, is_over, seat)


def true_world(game: Any, state: State, draw: Random) -> World:
    """A copy of the state, what is face down to be drawn in another order."""
    copy = State(game.CARDS, game.REGISTERS)
    copy.copy(state)
    copy.register[DEAL] = 0
    if game is durak:
        copy.register[durak_facts.CHEATING] = 0
    stock = list_cards(copy, STOCK)
    payoffs = list_cards(copy, malice_facts.PAYOFF) if game is malice else []
    draw.shuffle(stock)
    draw.shuffle(payoffs)
    assert HAND > STOCK
    return World(copy, stock, payoffs)


def list_cards(state: State, place: int) -> list[int]:
    """The cards that lie there."""
    return [card for card, lies in enumerate(state.where) if lies == place] if place in state.where else []


def value_all(game: Any, state: State, seats: int, guesses: int, is_over: bool,
              end: OpenEnd | None = None) -> list[int]:
    """The chance of each seat in millionths, all cards open; at the end the outcome itself, in an end of Durak that can
    be solved the outcome of perfect play (D40: a draw shares the fool), while cards are dealt (D49) a fair share."""
    if game.is_dealing(state) and not is_over:
        return [fair_share(game, state)] * seats
    valuer = scorer_of(game)
    if is_over:
        world = World(state, [])
        return [round(WHOLE * valuer.score(world, True, seat)) for seat in range(1, seats + 1)]
    if game is durak:
        value = end.value(state) if end else None
        if value is not None:
            attacker, defender = state.register[durak_facts.ATTACKER], state.register[durak_facts.DEFENDER]
            shares = {attacker: (1 + value) * WHOLE // 2, defender: (1 - value) * WHOLE // 2}
            return [shares.get(seat, WHOLE) for seat in range(1, seats + 1)]
        order_cards(state)
    draw = Random(zlib.crc32(state.save()))
    sums = [0.0] * seats
    for _ in range(guesses):
        world = true_world(game, state, draw)
        ended = valuer.play_out(world, draw)
        for seat in range(seats):
            sums[seat] += valuer.score(world, ended, seat + 1)
    return [math.floor(WHOLE * total / guesses + 0.5) for total in sums]
