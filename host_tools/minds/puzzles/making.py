"""Looks for puzzles in many games, over all cores, and writes them down."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.workers import pool
from host_tools.minds.arena.plan import read_game
from host_tools.minds.corpus.count import list_records
from host_tools.minds.puzzles.mine import Found, choose, mine, mine_generated
from host_tools.sight.recorded import read_record

Task = tuple[str, int, int]  # the path of a record; or a set-up, the seed, the number of its game, from 0 on
OF_RECORD = -1


def find_all(paths: Iterable[Path], lines: Iterable[str], games: int, seed: int, jobs: int,
             tell: Callable[[int, int], None]) -> list[Found]:
    """All puzzles of these records and of so many games of each set-up; records that cannot be read are left out.
    tell(done, of). UnusableInput for a set-up that is none, and where there is no puzzle."""
    tasks: list[Task] = [(str(path), 0, OF_RECORD) for one in paths for path in list_records(one)]
    for line in lines:
        read_game(line)
        tasks += [(line, seed, number) for number in range(games)]
    found: list[Found] = []
    for done, some in enumerate(pool.spread(work, tasks, jobs), 1):
        found += some
        tell(done, len(tasks))
    if not found:
        raise UnusableInput(f"no puzzle in {len(tasks)} games")
    return found


def work(task: Task) -> list[Found]:
    """The puzzles of one game."""
    name, seed, number = task
    if number != OF_RECORD:
        return mine_generated(name, seed, number)
    try:
        record = read_record(Path(name))
    except UnusableInput:
        return []
    return list(mine(record, Path(name).stem))


def write_all(found: list[Found], keep: int, seed: int, target: Path) -> int:
    """Write the chosen ones into the file; how many. UnusableInput where it cannot be written."""
    puzzles = choose(found, keep, seed)
    text = "".join(puzzle.line() + "\n" for puzzle in puzzles)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    except OSError as wrong:
        raise UnusableInput(f"{foreign.shorten(str(target))}: {wrong.strerror}") from wrong
    return len(puzzles)
