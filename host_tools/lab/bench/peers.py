"""Measures other engines that people use from Python beside ours: one process, in turns, time of the processor.

`make bench-peers` runs it, in an environment of its own (peers.txt). Each contender does a small piece of its work in
every round, so a busy machine slows all of them; a row's figure is the median of its rounds, and the ratios come first:
the median of the rounds' ratios, and between which of them it lies with 98.8 % (the second and the last but one of 11).
No game comes twice. The first round is told by itself: what an engine makes once is made then.

Random play stands on both sides of the fence. *Outside*: a small player in Python asks an engine for the legal acts,
draws one and makes it. *Inside*: an engine's own quickest loop. *PettingZoo*: one player again, through that interface.
An engine is only compared on the same side.
"""

import contextlib
import importlib
import itertools
import os
import random
import signal
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.session import Session
from host_tools.base import foreign
from host_tools.lab.bench import peer, workload
from host_tools.lab.bench.timing import now
from host_tools.base.fast.sources import is_compiled
from host_tools.base.project import ROOT
from host_tools.base.random_play import Random, RandomGame, make_header
from host_tools.judge.replay.quick import Judge
from host_tools.minds.environments.table import Table

try:
    from host_tools.minds.environments import batch
except ImportError:  # without NumPy
    batch = None  # type: ignore[assignment]

ROUNDS = 11
SOON_S = 0.05  # of the processor, for a game of some milliseconds
RECORDS = ROOT / "tests" / "records"
OUTSIDE = "random play from outside: a player in Python asks for all legal acts, draws one, makes it"
INSIDE = "random play inside: the engine's own quickest loop"
ZOO = "random play through PettingZoo: `last`, an act drawn from the mask, `step`"
BATCH = "random play of 1,024 games at once, from outside: arrays of legal acts, one drawn in each, all made"
CHECKED = "replay: known events, each checked, then made"
OURS = (("durak throw-in", 2), ("cals-bs", 3), ("bailiff move_limit=20", 2), ("malice", 2))
STEPS = 1000  # of a game from outside: acts at random seldom end Cal's BS
BATCH_SIZE, BATCH_STEPS = 1024, 16  # in four steps what the others have left in the processor's cache still counts
ZOO_GAMES = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6")
SPIEL = ("crazy_eights", "hearts", "go_fish", "gin_rummy")
MISSING = "left out, because it is not installed: "


@dataclass
class Contender:
    """A row: `run` does one piece of work, and returns (games that came to their end, decisions or events). What it
    needs for that `prepare` has made; what takes time to count comes as a function. Neither is timed."""

    name: str
    work: str
    run: Callable[[], tuple[int, int | Callable[[], int]]]
    games_rates: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    prepare: Callable[[], None] | None = None
    first_rate: float = 0

    def turn(self) -> None:
        """One piece of work, timed."""
        if self.prepare:
            self.prepare()
        begun = now()
        games, counted = self.run()
        us = max(1, now() - begun)
        self.games_rates.append(games * 1e6 / us)
        self.rates.append((counted if isinstance(counted, int) else counted()) * 1e6 / us)

    def warm_up(self) -> None:
        """The first piece of work, which counts by itself."""
        self.turn()
        self.first_rate = self.rates.pop()
        self.games_rates.clear()

    @property
    def rate(self) -> float:
        """Decisions or events a second."""
        return statistics.median(self.rates)

    @property
    def games_rate(self) -> float:
        """Games a second."""
        return statistics.median(self.games_rates)


# --- ours -------------------------------------------------------------------------------------------------------------


def ours(records: Path | None = None) -> Iterator[Contender]:
    """The four games at random, and replay of known ones. records: as `ours_known` takes it."""
    seeds = itertools.count()
    for mix, seats in OURS:
        yield from at_random(mix, seats, seeds)
    yield from ours_known(records, seeds)


def ours_known(records: Path | None, seeds: Iterator[int]) -> Iterator[Contender]:
    """Replay of known games: the engine alone, and all that `cardtable replay` does. records: a folder with a folder of
    records for each game, which are replayed in every round; None: new games of these seeds."""
    for mix, seats in OURS:
        name = mix.split()[0]
        if records:
            pattern = "*.rec" if records != RECORDS else "throw-in*.rec" if name == "durak" else "game*.rec"
            kept = [foreign.read_bytes(path) for path in sorted((records / name).glob(pattern))]
            yield from replayed(name, lambda kept=kept: kept)  # type: ignore[misc]
        else:
            yield from replayed(name, write_games(mix, seats, seeds))


def at_random(mix: str, seats: int, seeds: Iterator[int]) -> Iterator[Contender]:
    """One of the games, from inside, from outside and many at once. A game of Cal's BS is long."""
    name, chance, game = f"ours: {mix}, {seats} seats", random.Random(4), find_game(mix.split()[0])
    many, few = (1, 1) if mix == "cals-bs" else (8, 4)

    def play() -> tuple[int, int]:
        header = make_header(mix, seats)
        games = [RandomGame(game, header, Random(next(seeds))) for _ in range(many)]
        ended = sum(bool(one.play()) for one in games)
        return ended, sum(one.decisions for one in games)

    def ask() -> tuple[int, int]:
        tables = [Table(mix, seats, next(seeds)) for _ in range(few)]
        count = sum(play_table(table, chance) for table in tables)
        return sum(not table.agent for table in tables), count

    yield Contender(name, INSIDE, play)
    yield Contender(name, OUTSIDE, ask)
    if batch is not None:
        together = batch.Games(mix, seats, BATCH_SIZE, observes=False)
        scatter(together)
        yield Contender(name, BATCH, play_batch(together))


def write_games(mix: str, seats: int, seeds: Iterator[int]) -> Callable[[], list[bytes]]:
    """Records of games at random, others whenever it is asked."""
    chance = random.Random(8)

    def write() -> list[bytes]:
        tables = [Table(mix, seats, next(seeds)) for _ in range(1 if mix == "cals-bs" else 8)]
        for table in tables:
            play_table(table, chance)
        return [table.record().encode() for table in tables]

    return write


def replayed(name: str, write: Callable[[], list[bytes]]) -> Iterator[Contender]:
    """The engine and the command replay what was written for each."""
    known: list[Any] = []
    texts: list[bytes] = []
    judge = Judge("moved")

    def read() -> None:
        known[:] = [workload.read_lines(iter(text.decode().splitlines(True)), name) for text in write()]

    def take() -> None:
        texts[:] = write()

    def replay() -> tuple[int, int]:
        for one in known:
            play = Session(one.game, one.header).play
            for event in one.events:
                play(event)
        return len(known), sum(len(one.events) for one in known)

    def command() -> tuple[int, int]:
        return len(texts), sum(judge.replay(text) for text in texts)

    yield Contender(f"ours: {name}, engine", CHECKED, replay, prepare=read)
    yield Contender(f"ours: {name}, `cardtable replay`", CHECKED, command, prepare=take)


def play_table(table: Table, chance: random.Random) -> int:
    """A game of ours from outside, or its first STEPS acts; how many were done."""
    steps = 0
    while table.agent and steps < STEPS:
        legal = table.legal()
        table.step(legal[int(chance.random() * len(legal))])
        steps += 1
    return steps


def scatter(games: Any) -> None:
    """Play until as many games have ended as there are, or each had STEPS acts: then they stand at any place, and new
    games are as many as they are in the long run. Begun at once they would all be measured in their first deal."""
    draw, ended = batch.np.random.default_rng(6), 0
    for _ in range(STEPS):
        if ended >= games.count:
            return
        games.step(games.draw(draw))
        ended += int(games.over.sum())


def play_batch(games: Any) -> Callable[[], tuple[int, int]]:
    """Goes on with all games of a batch; how many ended and how many acts were done."""
    draw = batch.np.random.default_rng(5)

    def play() -> tuple[int, int]:
        ended = 0
        for _ in range(BATCH_STEPS):
            games.step(games.draw(draw))
            ended += int(games.over.sum())
        return ended, BATCH_STEPS * len(games.over)

    return play


def ends_soon(play_one: Callable[[int], int], seed: int) -> bool:
    """Whether the game of that seed ends within SOON_S."""
    def stop(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SOON_S)
    try:
        return play_one(seed) > 0
    except TimeoutError:
        return False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# --- theirs -----------------------------------------------------------------------------------------------------------


def durakgame() -> Iterator[Contender]:
    """The Durak of two in PyPI, which checks nothing. Some of its games do not end within seconds, because it lists
    every set of cards that could be thrown in behind a take; it plays those that do."""
    durak = importlib.import_module("durakgame")

    def play_one(seed: int) -> int:
        random.seed(seed)
        history = durak.play(durak.MrRandom(), durak.MrRandom())
        return len(history.p1Moves) + len(history.p2Moves)

    ending = (seed for seed in itertools.count() if ends_soon(play_one, seed))
    those: list[int] = []

    def find() -> None:
        those[:] = itertools.islice(ending, 8)

    def play() -> tuple[int, int]:
        return len(those), sum(map(play_one, those))

    for work in (OUTSIDE, INSIDE):  # it asks two players in Python: it has no loop but this
        yield Contender("durakgame: Durak, 2 seats, checks nothing", work, play, prepare=find)


def chess() -> Iterator[Contender]:
    """python-chess, which checks if it is asked."""
    chess = importlib.import_module("chess")
    chance = random.Random(2)
    moves: list[Any] = []
    names: list[str] = []

    def find() -> None:
        moves[:] = peer.play_game(chess, chance)

    def name_all() -> None:
        names[:] = [move.uci() for move in peer.play_game(chess, chance)]

    def replay() -> tuple[int, int]:
        peer.time_checked(chess, [moves])
        return 1, len(moves)

    def push() -> tuple[int, int]:
        board = chess.Board()
        for name in names:
            board.push_uci(name)
        return 1, len(names)

    yield Contender("python-chess", OUTSIDE, lambda: (1, len(peer.play_game(chess, chance))))
    yield Contender("python-chess: is_legal and push", CHECKED, replay, prepare=find)
    yield Contender("python-chess: push_uci, from text", CHECKED, push, prepare=name_all)


def play_spiel(theirs: Any, chance: random.Random) -> tuple[list[int], int]:
    """A game of OpenSpiel's at random: all its actions, and how many of them were decisions."""
    state = theirs.new_initial_state()
    actions: list[int] = []
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            action = outcomes[int(chance.random() * len(outcomes))][0]
        else:
            decisions += 1
            legal = state.legal_actions()
            action = legal[int(chance.random() * len(legal))]
        state.apply_action(action)
        actions.append(action)
    return actions, decisions


def spiel() -> Iterator[Contender]:
    """OpenSpiel's card games in C++, driven from Python, and played by its own random bots in C++."""
    pyspiel = importlib.import_module("pyspiel")
    chance = random.Random(3)
    for name in SPIEL:
        theirs = pyspiel.load_game(name)
        known: list[list[int]] = []
        seeds = itertools.count()

        def find(theirs: Any = theirs, known: list[list[int]] = known) -> None:
            known[:] = [play_spiel(theirs, chance)[0] for _ in range(8)]

        def play(theirs: Any = theirs) -> tuple[int, int]:
            return 8, sum(play_spiel(theirs, chance)[1] for _ in range(8))

        def replay(theirs: Any = theirs, known: list[list[int]] = known) -> tuple[int, int]:
            for actions in known:
                state = theirs.new_initial_state()
                for action in actions:
                    state.apply_action_with_legality_check(action)
            return len(known), sum(map(len, known))

        def bots(theirs: Any = theirs, seeds: Iterator[int] = seeds) -> tuple[int, Callable[[], int]]:
            states = [play_bots(pyspiel, theirs, next(seeds)) for _ in range(8)]
            return 8, lambda: sum(map(count_decisions, states))

        yield Contender(f"OpenSpiel: {name}", OUTSIDE, play)
        yield Contender(f"OpenSpiel: {name}", INSIDE, bots)
        yield Contender(f"OpenSpiel: {name}, checked apply", CHECKED, replay, prepare=find)


def play_bots(pyspiel: Any, theirs: Any, seed: int) -> Any:
    """A game of OpenSpiel's by its own random bots; the same seed is the same game. Its last position."""
    state = theirs.new_initial_state()
    bots = [pyspiel.make_uniform_random_bot(player, seed + player) for player in range(theirs.num_players())]
    pyspiel.evaluate_bots(state, bots, seed)
    return state


def count_decisions(state: Any) -> int:
    """How many there were in that game of OpenSpiel's: what chance does is none."""
    return sum(step.player >= 0 for step in state.full_history())


def rlcard() -> Iterator[Contender]:
    """RLCard's UNO: the engine alone, and its environment for learners."""
    uno = importlib.import_module("rlcard.games.uno.game")
    make = importlib.import_module("rlcard").make
    theirs = uno.UnoGame()
    environment = make("uno")

    def core() -> tuple[int, int]:
        decisions = 0
        for _ in range(4):
            theirs.init_game()
            while not theirs.is_over():
                theirs.step(random.choice(theirs.get_legal_actions()))
                decisions += 1
        return 4, decisions

    def whole() -> tuple[int, int]:
        state, _ = environment.reset()
        decisions = 0
        while not environment.is_over():
            state, _ = environment.step(random.choice(list(state["legal_actions"])))
            decisions += 1
        return 1, decisions

    yield Contender("RLCard: UNO, core", OUTSIDE, core)
    yield Contender("RLCard: UNO, environment", OUTSIDE, whole)


def pokerkit() -> Iterator[Contender]:
    """PokerKit's hold'em of three with fixed limits, written in Python, which checks every act."""
    kit = importlib.import_module("pokerkit")
    automate = tuple(kit.Automation)

    def play() -> tuple[int, int]:
        decisions = 0
        for _ in range(3):
            state = kit.FixedLimitTexasHoldem.create_state(automate, True, 0, (1, 2), 2, 4, 100, 3)
            while state.status:
                acts = []
                if state.can_fold():
                    acts.append(state.fold)
                if state.can_check_or_call():
                    acts.append(state.check_or_call)
                if state.can_complete_bet_or_raise_to():
                    acts.append(state.complete_bet_or_raise_to)
                random.choice(acts)()
                decisions += 1
        return 3, decisions

    yield Contender("PokerKit: fixed-limit hold'em, 3 seats", OUTSIDE, play)


def pokers() -> Iterator[Contender]:
    """pokers: hold'em of three without limits, written in Rust. What is not legal ends its game."""
    rust = importlib.import_module("pokers")
    chance, seeds, raises = random.Random(9), itertools.count(), rust.ActionEnum.Raise

    def play() -> tuple[int, int]:
        decisions = 0
        with told_to_nobody():
            for _ in range(8):
                state = rust.State.from_seed(3, 0, 1.0, 2.0, 100.0, next(seeds))
                while not state.final_state:
                    legal = state.legal_actions
                    act = legal[int(chance.random() * len(legal))]
                    state = state.apply_action(rust.Action(act, state.min_bet if act == raises else 0.0))
                    decisions += 1
        return 8, decisions

    yield Contender("pokers: no-limit hold'em, 3 seats, in Rust", OUTSIDE, play)


@contextlib.contextmanager
def told_to_nobody() -> Iterator[None]:
    """What a library prints by itself, past Python, goes nowhere: pokers says who has won."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def zoo() -> Iterator[Contender]:
    """PettingZoo's classic card games, which RLCard plays, and ours: without the wrappers that check acts."""
    theirs = {name: importlib.import_module(f"pettingzoo.classic.{name}") for name in ZOO_GAMES}
    from host_tools.minds.environments.tools import CardtableAEC

    chance = random.Random(7)
    tables = {f"ours: {mix}, {seats} seats": CardtableAEC(mix, seats, STEPS) for mix, seats in OURS}
    others = {f"PettingZoo: {name}": module.raw_env() for name, module in theirs.items()}
    for name, env in (tables | others).items():
        def play(env: Any = env) -> tuple[int, int]:
            games = decisions = 0
            while decisions < 100:
                is_whole, count = play_zoo(env, chance)
                games, decisions = games + is_whole, decisions + count
            return games, decisions

        yield Contender(name, ZOO, play)


def play_zoo(env: Any, chance: random.Random) -> tuple[bool, int]:
    """A game of PettingZoo's kind at random: whether it came to its end, and how many decisions it had."""
    env.reset()
    decisions, is_whole = 0, False
    while env.agents:
        observed, _, is_over, is_cut, _ = env.last()
        if is_over or is_cut:
            is_whole = is_over
            env.step(None)
            continue
        legal = observed["action_mask"].nonzero()[0]
        env.step(legal[int(chance.random() * len(legal))])
        decisions += 1
    return is_whole, decisions


THEIRS = (durakgame, chess, spiel, rlcard, pokerkit, pokers, zoo)

# The aims of the project: what is compared, with what, by games or by decisions, and the ratio for the source and for
# the compiled engine. `fastest` of several counts; a batch is held against what the others do one at a time.
AIMS = (
    *((f"from outside, {name}", (f"ours: {name}",), OUTSIDE, OUTSIDE, ("OpenSpiel",), False, None, 2.0)
      for name in ("durak", "cals-bs", "bailiff", "malice")),
    *((f"1,024 at once, {name}", (f"ours: {name}",), BATCH, OUTSIDE, ("OpenSpiel",), False, None, 4.0)
      for name in ("durak", "cals-bs", "bailiff", "malice")),
    *((f"inside, {name}", (f"ours: {name}",), INSIDE, INSIDE, ("OpenSpiel",), False, None, 1.0)
      for name in ("durak", "cals-bs", "bailiff", "malice")),
    *((f"from outside, {name}", (f"ours: {name}",), OUTSIDE, OUTSIDE, ("RLCard: UNO, core",), False, 1.0, 4.0)
      for name in ("cals-bs", "bailiff", "malice")),
    *((f"from outside, {ours}", (f"ours: {ours}",), OUTSIDE, OUTSIDE, (theirs,), False, None, None)
      for theirs, ours in (("durakgame", "durak"), ("pokers", "durak"), ("pokers", "malice"), ("python-chess", "durak"),
                           ("PokerKit", "durak"))),
    *((f"through PettingZoo, {name}", (f"ours: {name}",), ZOO, ZOO, ("PettingZoo",), False, None, None)
      for name in ("durak", "cals-bs", "bailiff", "malice")),
    ("inside, durak, games", ("ours: durak",), INSIDE, INSIDE, ("durakgame",), True, 1.2, 4.0),
    ("inside, durak, decisions", ("ours: durak",), INSIDE, INSIDE, ("durakgame",), False, 1.2, 4.0),
    ("judged replay, engine", ("ours: durak, engine",), CHECKED, CHECKED, ("python-chess",), False, 4.0, 15.0),
    ("`cardtable replay`, one core", ("ours: durak, `",), CHECKED, CHECKED, ("python-chess",), False, 4.0, 10.0),
    ("judged replay, engine", ("ours: durak, engine",), CHECKED, CHECKED, ("OpenSpiel",), False, None, None),
)


def gather() -> tuple[list[Contender], list[str]]:
    """All that are installed, and a note for each that is not."""
    found = list(ours())
    notes = []
    for theirs in THEIRS:
        try:
            found += theirs()
        except ImportError as missing:
            notes.append(MISSING + str(missing.name))
    return found, notes


def fastest(found: list[Contender], begins: tuple[str, ...], work: str, by_games: bool) -> Contender | None:
    """The fastest of those whose name begins so."""
    those = [one for one in found if one.work == work and one.name.startswith(begins)]
    return max(those, key=lambda one: one.games_rate if by_games else one.rate, default=None)


def between(one: Contender, other: Contender, by_games: bool) -> tuple[float, float, float]:
    """The median of the rounds' ratios, and the second lowest and second highest of them."""
    pairs = (one.games_rates, other.games_rates) if by_games else (one.rates, other.rates)
    found = sorted(mine / theirs for mine, theirs in zip(*pairs, strict=True))
    return statistics.median(found), found[min(1, len(found) - 1)], found[max(-2, -len(found))]


def ratios(found: list[Contender], compiled: bool) -> list[str]:
    """A row of Markdown for each aim."""
    rows = []
    for what, mine, work, their_work, their, by_games, pure_aim, fast_aim in AIMS:
        one, other = fastest(found, mine, work, by_games), fastest(found, their, their_work, by_games)
        if one is None or other is None:
            continue
        ratio, low, high = between(one, other, by_games)
        aim = fast_aim if compiled else pure_aim
        said = "" if aim is None else f"{aim:g}" if ratio >= aim else f"{aim:g}: missed"
        rows.append(f"| {what} | {other.name} | {ratio:.2f} | {low:.2f} to {high:.2f} | {said} |")
    return rows


def describe(found: list[Contender]) -> list[str]:
    """The ratios, then a table for each kind of work."""
    compiled = is_compiled()
    lines = [f"Our engine {'compiled' if compiled else 'as source'}.", "",
             "| ours | against | ratio | between | aim |", "| --- | --- | ---: | ---: | ---: |",
             *ratios(found, compiled)]
    for work in (OUTSIDE, ZOO, BATCH, INSIDE, CHECKED):
        mine = fastest(found, ("ours: durak throw-in", "ours: durak, engine"), work, False)
        lines += ["", f"| {work} | games/s | a second | in the first round | against ours |",
                  "| --- | ---: | ---: | ---: | ---: |"]
        for one in sorted((one for one in found if one.work == work), key=lambda one: -one.rate):
            share = one.rate / mine.rate if mine else 0
            ended = f"{one.games_rate:,.0f}" if one.games_rate else ""  # none came to its end
            lines.append(f"| {one.name} | {ended} | {one.rate:,.0f} | {one.first_rate:,.0f} | {share:.2f} |")
    return lines


def main(rounds: int = ROUNDS) -> None:
    """Measure and print."""
    found, notes = gather()
    for one in found:
        one.warm_up()
    for _ in range(rounds):
        for one in found:
            one.turn()
    for line in [*describe(found), "", *notes]:
        foreign.say(line)
