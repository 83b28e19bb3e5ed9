"""Other people's programs as players: an engine sits at a table through docs/engine-protocol.md, and sees one seat's
view and nothing else.

An engine is named on the command line alone; no browser can choose a command. One that hangs, dies, says too much or
plays what it may not loses that act: a random one is played in its place, and a sentence is kept.
"""

from __future__ import annotations

import functools
import os
import signal
import threading
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from host_tools.base.errors import UnusableInput
from host_tools.minds.players.engine_process import START_MS, EngineProcess, Trouble
from host_tools.minds.players.engine_words import read_answer, tell_game, tell_heard, tell_moves, tell_position
from host_tools.minds.players.manners import courtesy
from host_tools.minds.players.random_player import RandomPlayer
from host_tools.sight.seen import Choice, Heard, Player, Seen

LIMIT_MS = 1000  # for one act
THINK_MS = 1000  # what an engine is taken to think at the table, if it does not say `after`
MOST_ALONE = 200  # acts of one seat in a row, while nothing else happens: more than any hand of cards takes
MOST_TROUBLES = 5  # of one seat in one game: then a random player has the seat until the next game

commands: dict[str, str] = {}  # of this process: an engine's name, and what starts it
troubles: Counter[str] = Counter()  # sentences about engines, and how often
_running: dict[tuple[str, int], EngineProcess] = {}  # by name and seat


def register(command: str) -> str:
    """Start that engine once and give the player's name, `engine:NAME`. UnusableInput if it is none."""
    process = EngineProcess(command)
    name, number = process.name, 2
    while commands.get(name, command) != command:
        name, number = f"{process.name}-{number}", number + 1
    process.close()
    commands[name] = command
    return f"{Engine.name}:{name}"


def close_all() -> None:
    """End every engine of this process."""
    while _running:
        _running.popitem()[1].close()


@functools.cache
def end_with_process() -> None:
    """See to it that they end with this process, once; also in the processes of a pool."""
    import multiprocessing.util  # here, not above: most tables have no engine, and a browser's is up sooner

    multiprocessing.util.Finalize(None, close_all, exitpriority=10)
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, end_with_signal)  # a process of a pool ends so, and Ctrl-C reaches no engine


def end_with_signal(number: int, _: object) -> None:
    """End them and this process."""
    close_all()
    os._exit(128 + number)


def find_behind(log: Sequence[Heard], last: Heard | None) -> int:
    """Where the log goes on behind that line; 0 where it is not there: a live table forgets the oldest."""
    return next((at for at in range(len(log), 0, -1) if log[at - 1] is last), 0)


def count_alone(seen: Seen) -> int:
    """How many acts in a row the seat has done while nothing else happened: no act of another, no card by chance."""
    by_chance = set(seen.game.CHANCE.values())
    return sum(1 for _ in takewhile(lambda said: said.seat == seen.seat and said.verb not in by_chance,
                                    reversed(seen.log)))


class Engine(Player):
    """A seat of an engine. `with_setting` makes the class for one of those that are registered."""

    name = "engine"
    needs_setting = True
    engine = ""

    def __init__(self, game: Any, seat: int, seats: int, seed: int) -> None:
        super().__init__(game, seat, seats, seed)
        self.substitute = RandomPlayer(game, seat, seats, seed)
        self.last: Heard | None = None  # the last line of the log that the engine has heard
        self.has_begun = False
        self.failed = 0
        self.asked: tuple[Any, ...] = ()  # the last question and its answer: it is not asked twice
        self.answer: Choice | None = None

    @classmethod
    def plays(cls, game: Any) -> bool:
        return bool(cls.engine)

    @classmethod
    def with_setting(cls, setting: str) -> type[Engine]:
        if setting not in commands:
            there = ", ".join(commands) or "none"
            raise UnusableInput(f"no engine {setting or 'without a name'} was started with this program; "
                                f"there are: {there}")
        return type("Engine", (cls,), {"name": f"engine:{setting}", "engine": setting})

    def choose(self, seen: Seen) -> Choice | None:
        polite = courtesy(self, seen)
        if polite or not seen.moves:
            return polite
        question = (seen.moment_ms, len(seen.log), seen.moves)
        if question != self.asked:
            self.asked, self.answer = question, self._choose(seen)
        return self.answer

    def _choose(self, seen: Seen) -> Choice | None:
        if self.failed >= MOST_TROUBLES:
            return self.substitute.choose(seen)
        try:
            return self.suggest(seen)
        except Trouble as trouble:
            troubles[f"{self.name} {trouble}"] += 1
            return self.substitute.choose(seen)

    def suggest(self, seen: Seen) -> Choice | None:
        """The engine's own answer; None: it waits. Trouble, also after it failed too often to be asked again."""
        if self.failed >= MOST_TROUBLES:
            raise Trouble("is not asked any more in this game")
        try:
            return self._ask(seen)
        except Trouble:
            self.failed += 1
            self._end()
            raise

    def _ask(self, seen: Seen) -> Choice | None:
        if count_alone(seen) >= MOST_ALONE:  # a card laid and taken back for ever would draw every game
            raise Trouble(f"acts {MOST_ALONE} times in a row, and nothing else happens")
        if self.last is not None and not find_behind(seen.log, self.last):
            self.has_begun = False
        process = self._process(seen)
        process.drop_infos()
        news = [tell_heard(self.game, said) for said in seen.log[find_behind(seen.log, self.last):]]
        self.last = seen.log[-1] if seen.log else None
        moves = tell_moves(seen)
        said = process.ask([*news, *tell_position(seen), "legal " + "; ".join(moves), f"go {LIMIT_MS}"], LIMIT_MS)
        try:
            number, after_ms = read_answer(said, moves)
        except ValueError as wrong:
            raise Trouble(f"loses its act: {wrong}") from wrong
        if number < 0:
            if seen.is_waited_for:
                raise Trouble("waits while the table waits for it")
            return None
        return Choice(seen.moves[number], THINK_MS if after_ms < 0 else after_ms)

    def _process(self, seen: Seen) -> EngineProcess:
        """The engine, which knows of this game. An engine that was started again hears everything again."""
        key = (self.engine, self.seat)
        if key not in _running:
            end_with_process()
            try:
                _running[key] = EngineProcess(commands[self.engine])
            except UnusableInput as wrong:
                raise Trouble(f"could not be started again: {wrong}") from wrong
            self.has_begun = False
        process = _running[key]
        if not self.has_begun:
            self.last = None
            answer = process.ask([tell_game(self.line or self.game.NAME, self.seat, self.seats, self.seed)], START_MS)
            if answer != "ready":
                raise Trouble("does not say ready before a game")
            self.has_begun = True
        return process

    def _end(self) -> None:
        process = _running.pop((self.engine, self.seat), None)
        if process is not None:
            process.close()
