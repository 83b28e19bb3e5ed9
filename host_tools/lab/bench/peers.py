"""Measures other engines that people use from Python beside ours: one process, in turns, time of the processor.

`make bench-peers` runs it, in an environment of its own (peers.txt). Each contender does a small piece of its work in
every round, so a busy machine slows all of them; a row's figure is the median of its rounds, and the ratios come first:
the median of the rounds' ratios, and between which of them it lies with 98.8 % (the second and the last but one of 11).

Random play stands on both sides of the fence. *Outside*: a small player in Python asks an engine for the legal acts,
draws one and makes it. *Inside*: an engine's own quickest loop. An engine is only compared on the same side.
"""

import importlib
import itertools
import random
import signal
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardtable.engine.session import Session
from host_tools.base import foreign
from host_tools.lab.bench import peer, workload
from host_tools.lab.bench.timing import now
from host_tools.base.fast.sources import is_compiled
from host_tools.base.project import ROOT
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
BATCH = "random play of 1,024 games at once, from outside: arrays of legal acts, one drawn in each, all made"
CHECKED = "replay: known events, each checked, then made"
OURS = (("durak throw-in", 2), ("cals-bs", 3), ("bailiff move_limit=20", 2), ("malice", 2))
STEPS = 1000  # of a game from outside: acts at random seldom end Cal's BS
BATCH_SIZE, BATCH_STEPS = 1024, 16  # in four steps what the others have left in the processor's cache still counts
SPIEL = ("crazy_eights", "hearts", "go_fish", "gin_rummy")
MISSING = "left out, because it is not installed: "


@dataclass
class Contender:
    """A row: `run` does one piece of work, and returns (games that came to their end, decisions or events)."""

    name: str
    work: str
    run: Callable[[], tuple[int, int]]
    games_rates: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)

    def turn(self) -> None:
        """One piece of work, timed."""
        begun = now()
        games, count = self.run()
        us = max(1, now() - begun)
        self.games_rates.append(games * 1e6 / us)
        self.rates.append(count * 1e6 / us)

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
    """The four games at random, and replay of recorded ones: the engine alone, and all that `cardtable replay` does.
    records: a folder with a folder of records for each game; None: the project's own."""
    chance = random.Random(4)
    for mix, seats in OURS:
        def play(mix: str = mix, seats: int = seats) -> tuple[int, int]:
            played = workload.play_random(mix, seats, 1 if mix == "cals-bs" else 8, now)
            return played.games, played.decisions

        def ask(mix: str = mix, seats: int = seats) -> tuple[int, int]:
            tables = [Table(mix, seats, seed) for seed in range(1 if mix == "cals-bs" else 4)]
            count = sum(play_table(table, chance) for table in tables)
            return sum(not table.agent for table in tables), count

        yield Contender(f"ours: {mix}, {seats} seats", INSIDE, play)
        yield Contender(f"ours: {mix}, {seats} seats", OUTSIDE, ask)
        if batch is not None:
            games = batch.Games(mix, seats, BATCH_SIZE, observes=False)
            scatter(games)
            yield Contender(f"ours: {mix}, {seats} seats", BATCH, play_batch(games))
    for folder in ("durak", "cals-bs", "bailiff", "malice"):
        pattern = "*.rec" if records else "throw-in*.rec" if folder == "durak" else "game*.rec"
        paths = sorted((records or RECORDS).joinpath(folder).glob(pattern))
        known = [workload.read_recorded(str(path)) for path in paths]
        texts = [foreign.read_bytes(path) for path in paths]
        judge = Judge("moved")

        def replay(known: list[Any] = known) -> tuple[int, int]:
            for one in known:
                play = Session(one.game, one.header).play
                for event in one.events:
                    play(event)
            return len(known), sum(len(one.events) for one in known)

        def command(texts: list[bytes] = texts, judge: Judge = judge) -> tuple[int, int]:
            return len(texts), sum(judge.replay(text) for text in texts)

        yield Contender(f"ours: {folder}, engine", CHECKED, replay)
        yield Contender(f"ours: {folder}, `cardtable replay`", CHECKED, command)


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
    every set of cards that could be thrown in behind a take; it plays eight of those that do."""
    durak = importlib.import_module("durakgame")

    def play_one(seed: int) -> int:
        random.seed(seed)
        history = durak.play(durak.MrRandom(), durak.MrRandom())
        return len(history.p1Moves) + len(history.p2Moves)

    ending = list(itertools.islice((seed for seed in itertools.count() if ends_soon(play_one, seed)), 8))

    def play() -> tuple[int, int]:
        return len(ending), sum(map(play_one, ending))

    yield Contender("durakgame: Durak, 2 seats, checks nothing", INSIDE, play)


def chess() -> Iterator[Contender]:
    """python-chess, which checks if it is asked."""
    chess = importlib.import_module("chess")
    moves = peer.play_games(chess, 1)
    names = [[move.uci() for move in game] for game in moves]

    def replay() -> tuple[int, int]:
        peer.time_checked(chess, moves)
        return len(moves), sum(map(len, moves))

    def push() -> tuple[int, int]:
        for game in names:
            board = chess.Board()
            for name in game:
                board.push_uci(name)
        return len(names), sum(map(len, names))

    yield Contender("python-chess", OUTSIDE, lambda: (1, len(peer.play_game(chess, random.Random(2)))))
    yield Contender("python-chess: is_legal and push", CHECKED, replay)
    yield Contender("python-chess: push_uci, from text", CHECKED, push)


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
        known = [play_spiel(theirs, chance)[0] for _ in range(8)]

        def play(theirs: Any = theirs) -> tuple[int, int]:
            return 8, sum(play_spiel(theirs, chance)[1] for _ in range(8))

        def replay(theirs: Any = theirs, known: list[list[int]] = known) -> tuple[int, int]:
            for actions in known:
                state = theirs.new_initial_state()
                for action in actions:
                    state.apply_action_with_legality_check(action)
            return len(known), sum(map(len, known))

        decisions = sum(play_bots(pyspiel, theirs, seed) for seed in range(8))

        def bots(theirs: Any = theirs, decisions: int = decisions) -> tuple[int, int]:
            for seed in range(8):
                play_bots(pyspiel, theirs, seed, False)
            return 8, decisions

        yield Contender(f"OpenSpiel: {name}", OUTSIDE, play)
        yield Contender(f"OpenSpiel: {name}", INSIDE, bots)
        yield Contender(f"OpenSpiel: {name}, checked apply", CHECKED, replay)


def play_bots(pyspiel: Any, theirs: Any, seed: int, is_counted: bool = True) -> int:
    """A game of OpenSpiel's by its own random bots; the same seed is the same game. How many decisions it had."""
    state = theirs.new_initial_state()
    players = range(theirs.num_players())
    bots = [pyspiel.make_uniform_random_bot(player, seed + player) for player in players]
    pyspiel.evaluate_bots(state, bots, seed)
    return sum(step.player in players for step in state.full_history()) if is_counted else 0


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


THEIRS = (durakgame, chess, spiel, rlcard, pokerkit)

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
    for work in (OUTSIDE, BATCH, INSIDE, CHECKED):
        mine = fastest(found, ("ours: durak throw-in", "ours: durak, engine"), work, False)
        lines += ["", f"| {work} | games/s | a second | against ours |", "| --- | ---: | ---: | ---: |"]
        for one in sorted((one for one in found if one.work == work), key=lambda one: -one.rate):
            share = one.rate / mine.rate if mine else 0
            ended = f"{one.games_rate:,.0f}" if one.games_rate else ""  # none came to its end
            lines.append(f"| {one.name} | {ended} | {one.rate:,.0f} | {share:.2f} |")
    return lines


def main(rounds: int = ROUNDS) -> None:
    """Measure and print."""
    found, notes = gather()
    for turn in range(rounds + 1):
        for one in found:
            one.turn()
            if not turn:  # the first round warms up
                one.rates.clear()
                one.games_rates.clear()
    for line in [*describe(found), "", *notes]:
        foreign.say(line)
