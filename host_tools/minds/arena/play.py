"""Plays the games of an arena on all cores or a cluster, and keeps each result in a file from which it can go on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from cardtable.engine.state import OUTCOME
from cardtable.games import durak
from host_tools.base import foreign
from host_tools.minds.arena.luck import play_and_weigh
from host_tools.minds.arena.plan import Job, header_of, read_game
from host_tools.base.errors import UnusableInput
from host_tools.base.files import write_file
from host_tools.base.workers import pool

EVENT_LIMIT = 4000  # a game that is longer counts as a draw


def play_job(line: str, seats: int, job: Job, guesses: int = 0) -> tuple[str, list[float], list[float]]:
    """Play one game: its key, the score of each seat (1 not lost, or won; a half for a draw, and for the two of a
    Durak's seats that share the fool), and how much of it the draws brought by so many guesses a chance; 0 guesses: an
    empty list."""
    from host_tools.minds.players import find_player
    from host_tools.minds.players.match import Match
    from host_tools.minds.players.worlds import share_of_draw

    game = read_game(line)
    match = Match(
        game, header_of(line, seats, job.deal), [find_player(name) for name in job.seating], job.deal, EVENT_LIMIT
    )
    luck: list[float] = []
    if guesses:
        luck = play_and_weigh(match, guesses)
    else:
        match.play()
    state = match.session.state
    lost = game.losers(state)
    if not lost:
        is_shared = game is durak and state.register[OUTCOME] > 0
        return job.key, [share_of_draw(state, seat) if is_shared else 0.5 for seat in range(1, seats + 1)], luck
    return job.key, [0.0 if lost >> seat & 1 else 1.0 for seat in range(1, seats + 1)], luck


Engines = dict[str, str]  # an engine's name, and the command that starts it


def play_task(
    task: tuple[str, int, Job, int, Engines]
) -> tuple[str, list[float], list[float], Counter[str]]:
    """The same for a process of its own, and what it has to say about engines since it was last asked."""
    from host_tools.minds.players import engine

    line, seats, job, guesses, engines = task
    engine.commands.update(engines)
    done = play_job(line, seats, job, guesses)
    said = Counter(engine.troubles)
    engine.troubles.clear()
    return (*done, said)


class Results:
    """The scores of all games by their keys, and the file that keeps them: a line that says what is played, then one
    a game: key, scores, and the luck in them if it was asked for. A line that was cut off is played again."""

    def __init__(self, path: Path | None, settings: dict[str, object]) -> None:
        """UnusableInput if the file belongs to another arena."""
        self.path = path
        self.scores: dict[str, list[float]] = {}
        self.lucks: dict[str, list[float]] = {}
        self.troubles: Counter[str] = Counter()  # with engines: sentences, and how often
        if path is None:
            return
        if not path.exists():
            path.write_text(json.dumps(settings) + "\n", encoding="utf-8")
            return
        first, *lines = foreign.read_text(path).split("\n")
        try:
            kept = foreign.parse_json(first)
        except foreign.Misshapen:
            kept = None
        if kept != settings:
            raise UnusableInput(f"{path} keeps the results of another arena")
        for text in lines:
            try:
                key, *scores = foreign.parse_json(text, [(str, [float])])
            except ValueError:
                continue
            if isinstance(key, str) and 1 <= len(scores) <= 2 and all(isinstance(one, list) for one in scores):
                self.scores[key] = scores[0]
                if len(scores) == 2:
                    self.lucks[key] = scores[1]
        whole = [json.dumps(settings), *(self.line(key) for key in self.scores)]
        write_file(path, ("\n".join(whole) + "\n").encode())

    def line(self, key: str) -> str:
        """One result in the file."""
        luck = [self.lucks[key]] if key in self.lucks else []
        return json.dumps([key, self.scores[key], *luck])

    def add(self, key: str, scores: list[float], luck: list[float]) -> None:
        """Keep one result; luck: empty if nobody asked for it."""
        self.scores[key] = scores
        if luck:
            self.lucks[key] = luck
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(self.line(key) + "\n")


def run(
    line: str, seats: int, jobs: list[Job], results: Results, tell: Callable[[int], None], processes: int = 0,
    cluster: str = "", guesses: int = 0, engines: Engines | None = None,
) -> None:
    """Play what is missing; tell(n): so many games are done. processes: 0 for one on each core; cluster: the address
    of a Dask scheduler; guesses: of each chance, to find the luck in the scores; engines: those among the players.
    UnusableInput where neither can be had."""
    missing = [job for job in jobs if job.key not in results.scores]
    done = len(jobs) - len(missing)
    tell(done)
    tasks = ((line, seats, job, guesses, engines or {}) for job in missing)
    for key, scores, luck, troubles in pool.spread(play_task, tasks, processes, cluster):
        results.add(key, scores, luck)
        results.troubles += troubles
        done += 1
        tell(done)
