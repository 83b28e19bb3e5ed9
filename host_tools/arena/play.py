"""Plays the games of an arena on all cores or a cluster, and keeps each result in a file from which it can go on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from host_tools import foreign
from host_tools.arena.plan import Job, header_of, read_game
from host_tools.errors import UnusableInput
from host_tools.workers import pool

EVENT_LIMIT = 4000  # a game that is longer counts as a draw


def play_job(line: str, seats: int, job: Job) -> tuple[str, list[float]]:
    """Play one game: its key, and the score of each seat: 1 not lost, or won; a half for a draw."""
    from host_tools.players import find_player
    from host_tools.players.match import Match

    game = read_game(line)
    match = Match(
        game, header_of(line, seats, job.deal), [find_player(name) for name in job.seating], job.deal, EVENT_LIMIT
    )
    match.play()
    lost = game.losers(match.session.state)
    if not lost:
        return job.key, [0.5] * seats
    return job.key, [0.0 if lost >> seat & 1 else 1.0 for seat in range(1, seats + 1)]


def play_task(task: tuple[str, int, Job]) -> tuple[str, list[float]]:
    """The same for a process of its own."""
    return play_job(*task)


class Results:
    """The scores of all games by their keys, and the file that keeps them: a line that says what is played, then one
    a game. A line that was cut off is played again."""

    def __init__(self, path: Path | None, settings: dict[str, object]) -> None:
        """UnusableInput if the file belongs to another arena."""
        self.path = path
        self.scores: dict[str, list[float]] = {}
        if path is None:
            return
        if not path.exists():
            path.write_text(json.dumps(settings) + "\n", encoding="utf-8")
            return
        first, *lines = foreign.read_text(path).split("\n")
        try:
            kept = json.loads(first)
        except ValueError:
            kept = None
        if kept != settings:
            raise UnusableInput(f"{path} keeps the results of another arena")
        for text in lines:
            try:
                key, scores = json.loads(text)
            except ValueError:
                continue
            self.scores[key] = scores
        whole = [json.dumps(settings), *(json.dumps([key, scores]) for key, scores in self.scores.items())]
        path.write_text("\n".join(whole) + "\n", encoding="utf-8")

    def add(self, key: str, scores: list[float]) -> None:
        """Keep one result."""
        self.scores[key] = scores
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([key, scores]) + "\n")


def run(
    line: str, seats: int, jobs: list[Job], results: Results, tell: Callable[[int], None], processes: int = 0,
    cluster: str = "",
) -> None:
    """Play what is missing; tell(n): so many games are done. processes: 0 for one on each core; cluster: the address
    of a Dask scheduler. UnusableInput where neither can be had."""
    missing = [job for job in jobs if job.key not in results.scores]
    done = len(jobs) - len(missing)
    tell(done)
    for key, scores in pool.spread(play_task, ((line, seats, job) for job in missing), processes, cluster):
        results.add(key, scores)
        done += 1
        tell(done)
