"""The search player: deals the hidden cards anew many times, plays each move on from there, and takes the best.

Its name may say how long it thinks or how many guesses it makes: `search:50ms`, `search:200`. By guesses it is the same
on every machine; by time it is as strong as the machine is quick. Ends of Durak that hide nothing are solved.
"""

from __future__ import annotations

import zlib
from typing import Any

from cardtable.engine.deck import RANK
from cardtable.engine.event import AGREE, find_verb, pack
from cardtable.engine.state import STOCK, State
from cardtable.games import bailiff, cals_bs, durak, malice
from host_tools.judge.facts import durak as durak_facts
from host_tools.base.errors import UnusableInput
from host_tools.minds.players.advised import Advised
from host_tools.minds.players.beginner import Beginner
from host_tools.minds.players.beginner_bailiff import count_needed, rank_of
from host_tools.minds.players.beginner_cals_bs import Plan, carry_out
from host_tools.minds.players.beginner_durak import catch
from host_tools.minds.players.cals_bs_plans import list_plans
from host_tools.minds.players.exact import is_end, solve
from host_tools.minds.players.pace import HARD, NORMAL, RACE, Pace
from host_tools.judge.facts.bailiff import BailiffTable
from host_tools.judge.facts.cals_bs import CalsBsTable
from host_tools.judge.facts.durak import DurakTable
from host_tools.minds.players.rollouts import compare
from host_tools.minds.players.cals_bs_kinds import Sceptic
from host_tools.sight.seen import Player, Seen
from host_tools.minds.players.tree import grow
from host_tools.minds.players.worlds import Worlds, can_guess, make_memory, make_worlds

_DONE, _CHEAT, _CATCH = (find_verb(durak, name) for name in ("done", "cheat", "catch"))
_LAY = find_verb(bailiff, "lay")
_PLAYS = [find_verb(malice, name) for name in ("centre", "side", "end")]
_DOUBT, _PASS, _OUT = (find_verb(cals_bs, name) for name in ("doubt", "pass", "out"))
_MANY = 100_000
_MOST_MS = 10_000
_TRUST = 1.0  # so many standard errors a move must be better than the advice to be played in its place
# In Cal's BS the guesses' players bluff and doubt by fixed rates, and real opponents do not.
_TRUST_IN_LIES = 2.0
_END_NODES = 60_000  # positions of one end: some 100 ms; larger ends are guessed like any other position


class Search(Advised):
    """Plays every game of the project; another game at random."""

    name = "search"
    plays_out = True
    limit_ms = 80
    guesses = _MANY
    grows_tree = True  # in Bailiff; by a number of guesses it tries as many lines for each move that it can make
    is_skilled = True  # it expects good players, and in Malice begins with better advice than the beginner's

    def __init__(self, game: Any, seat: int, seats: int, seed: int) -> None:
        super().__init__(game, seat, seats, seed)
        self.memory = make_memory(game) if can_guess(game) else None
        self.adviser: Any = Beginner(game, seat, seats, seed)
        if game is cals_bs:
            self.adviser = Sceptic(game, seat, seats, seed)
            self.adviser.memory = self.memory
        self.asked: tuple[
            Any, ...
        ] = ()  # the last question and its answer: the same question is not thought over again
        self.answer: Any = None

    @classmethod
    def plays(cls, game: Any) -> bool:
        return can_guess(game)

    @classmethod
    def with_setting(cls, setting: str) -> type[Player]:
        """`50ms` or a number of guesses."""
        is_time = setting.endswith("ms")
        digits = setting[:-2] if is_time else setting
        most = _MOST_MS if is_time else _MANY
        if not digits.isdecimal() or len(digits) > 6 or not 0 < int(digits) <= most:
            raise UnusableInput(
                f"search:{setting}: say how long it thinks, as 50ms, or how many guesses it makes, as 200"
            )
        number = int(digits)
        chosen = {"limit_ms": number, "guesses": _MANY} if is_time else {"limit_ms": 0, "guesses": number}
        return type("Search", (cls,), {"name": f"{cls.name}:{setting}", **chosen})

    def advise(self, seen: Seen) -> tuple[int, Pace] | None:
        if self.game is durak:
            caught = catch(self, seen, DurakTable(seen))
            if caught:
                return caught
        if not seen.is_waited_for:
            return None
        if self.game is cals_bs:
            return self.advise_cals_bs(seen)
        moves = leave_out_vain(seen, list_moves(seen))
        if not moves:
            return None
        moves += list_waiting(seen)
        question = (seen.moment_ms, seen.view, seen.moves)
        if question != self.asked:
            self.asked, self.answer = question, moves[0] if len(moves) == 1 else self.find_best(seen, moves)
        move = self.answer
        if self.game is durak and move >> 16 == _DONE:
            table = DurakTable(seen)
            if table.unbeaten and not table.is_taken and seen.waits[table.defender]:
                return None  # it adds nothing before the defender has answered, in `simple` nothing at all
        return move, NORMAL

    def find_best(self, seen: Seen, moves: list[int]) -> int:
        """The best move: solved where the end is open, else by guesses."""
        worlds = make_worlds(seen, self.memory, solves=self.is_skilled)
        solved = solve_open_end(seen, worlds, moves)
        if solved:
            best = max(solved.values())
            return next(move for move in moves if solved[move] == best)
        if self.game is bailiff and self.grows_tree:
            lines = self.guesses if self.limit_ms else self.guesses * len(moves)
            grown = grow(worlds, moves, self.seed_of(seen), lines, self.limit_ms)
            return max(grown, key=lambda move: grown[move].visits)
        return self.think(worlds, moves, worlds.enact, self.ask_adviser(seen))

    def seed_of(self, seen: Seen) -> int:
        """Of the guesses. The moment belongs to the question: a position that comes back must not be played alike for
        ever (B13)."""
        return zlib.crc32(repr((self.seed, self.seat, seen.moment_ms, seen.view)).encode())

    def ask_adviser(self, seen: Seen) -> Any:
        """What the advice for beginners says here, in Malice a better one; None if it says nothing."""
        if self.game is malice and self.is_skilled and any(move >> 16 in _PLAYS for move in seen.moves):
            return make_worlds(seen, self.memory).advise()
        advised = self.adviser.advise(seen)
        return advised[0] if advised else next(iter(list_waiting(seen)), None)

    def think(self, worlds: Worlds, moves: list[Any], enact: Any, advice: Any, trust: float = _TRUST) -> Any:
        """The best move; the advised one, unless another is better by more than luck."""
        judged = compare(worlds, moves, enact, self.seed_of(worlds.seen), self.guesses, self.limit_ms)
        for one in judged:
            if one.move == advice and not one.is_clearly_worse(judged[0], trust):
                return advice
        return judged[0].move

    def advise_cals_bs(self, seen: Seen) -> tuple[int, Pace] | None:
        """A plan for the whole set, then its taps."""
        table = CalsBsTable(seen)
        if table.is_bound:  # no playout knows these rules: the advice alone
            advised: tuple[int, Pace] | None = self.adviser.advise(seen)
            return advised
        cards = tuple(sorted([*seen.hand, *table.staged]))
        words = tuple(move for move in seen.moves if move >> 16 in (_DOUBT, _PASS, _OUT))
        question = (table.leader, table.last, table.claim, table.laid_ms, cards, bool(words))
        if question != self.asked:
            plans = list_plans(seen, table)
            advice = self.adviser.plan(seen, table)
            if not plans and not advice:
                return None
            self.asked, self.answer = question, self.find_best_plan(seen, plans, advice)
        done = carry_out(self.answer, seen, table)
        if done and done[0] >> 16 == _DOUBT:
            return done[0], RACE
        if done and done[0] >> 16 == _PASS:
            return done[0], HARD
        return done

    def find_best_plan(self, seen: Seen, plans: list[Plan], advice: Plan | None) -> Plan:
        """The advised plan, unless another is surely better; to say that it goes out (C14) is not weighed."""
        if advice and advice.word >> 16 == _OUT:
            return advice
        if advice and advice.cards and advice not in plans:
            plans = [*plans, advice]
        if len(plans) < 2:
            return plans[0] if plans else advice  # type: ignore[return-value]
        worlds = make_worlds(seen, self.memory)
        return self.think(worlds, plans, lambda world, plan: worlds.enact_plan(world, plan.cards, plan.word),
                          advice or Plan((), pack(_PASS)), _TRUST_IN_LIES)


class Sound(Search):
    """Checks the advice of its game with a few guesses: a quick and sound opponent for Bailiff and Malice."""

    name = "sound"
    limit_ms = 0
    guesses = 16
    grows_tree = False
    is_skilled = False

    @classmethod
    def plays(cls, game: Any) -> bool:
        return game in (bailiff, malice)


def list_moves(seen: Seen) -> list[int]:
    """The moves worth a thought: cheating and accusing are not searched; an answer to an undo (T7) is no play."""
    unsearched = (AGREE, _CHEAT, _CATCH) if seen.game is durak else (AGREE,)
    return [move for move in seen.moves if move >> 16 not in unsearched]


def leave_out_vain(seen: Seen, moves: list[int]) -> list[int]:
    """Bailiff: without the raises that the hand cannot finish (B5), and one card of each rank: its suit tells nothing.
    Where a raise is begun, it is finished: before the first card it was thought over as a whole."""
    if seen.game is not bailiff:
        return moves
    table = BailiffTable(seen)
    ranks = [RANK[card] for card in (*seen.hand, *table.begun)]
    front = RANK[table.front[0]] if table.front else -1
    found: dict[int, int] = {}
    for move in moves:
        if move >> 16 == _LAY:
            rank = rank_of(move)
            if table.is_one_more or ranks.count(rank) >= count_needed(rank, front, table):
                found.setdefault(rank, move)
    if table.begun and found:
        return list(found.values())
    return [*found.values(), *(move for move in moves if move >> 16 != _LAY)]


def list_waiting(seen: Seen) -> list[int]:
    """Durak `simple`, D13: an attacker may also leave its lead as it is. Nobody says so there; here it is `done`."""
    if seen.game is not durak:
        return []
    table = DurakTable(seen)
    is_lead_open = table.register[durak.PRESET] == durak_facts.SIMPLE and table.attacks and not table.beaten
    return [pack(_DONE)] if is_lead_open and seen.seat == table.attacker and not seen.named(_DONE) else []


def solve_open_end(seen: Seen, worlds: Any, moves: list[int], nodes: int = _END_NODES) -> dict[int, int] | None:
    """Durak: the value of each move where nothing is hidden any more; None elsewhere, or where it takes too long."""
    if seen.game is not durak or worlds.memory.is_lost:
        return None
    state = open_state(worlds)
    return solve(state, seen.seat, moves, nodes) if state and is_end(state) else None


def open_state(worlds: Any) -> State | None:
    """The state where it is the only one that can be: all cards that the seat cannot see lie in one hand."""
    places = set(worlds.slots)
    if len(places) > 1 or STOCK in places:
        return None
    state = worlds.base()
    state.register[durak_facts.CHEATING] = worlds.cheating  # D43: what is solved is a game in which nobody may
    for card, place in zip(worlds.loose, worlds.slots, strict=True):
        state.where[card] = place
    return worlds.hold(state)
