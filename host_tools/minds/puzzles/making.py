"""Looks for puzzles in many games, over all cores, and writes them down."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import Random
from host_tools.base.workers import pool
from host_tools.minds.arena.plan import read_game
from host_tools.minds.corpus.count import list_records
from host_tools.minds.puzzles.mine import Found, choose, mine, mine_generated
from host_tools.minds.puzzles.proofs import find_proof
from host_tools.minds.puzzles.puzzle import Puzzle
from host_tools.minds.puzzles.second import confirms
from host_tools.sight.recorded import read_record
from host_tools.sight.seen import look

# The path of a record, and how the names of its puzzles begin; or a set-up, nothing, the seed, the number of its game.
Task = tuple[str, str, int, int]
_LONGEST = 60  # letters of a record's name that the names of its puzzles begin with
SHIPPED_SEED = 34
# How many of stock.txt come from how many games of which set-ups.
SHIPPED: tuple[tuple[int, dict[str, int]], ...] = (
    (200, {"durak simple": 450, "durak throw-in": 700, "durak transfer": 350, "durak throw-in deck=54": 350}),
    (35, {"bailiff bailiff": 500}),
    (35, {"cals-bs cals-bs": 300}),
    (30, {"malice malice": 170}),
)


def find_all(paths: Iterable[Path], games: Mapping[str, int], seed: int, jobs: int,
             tell: Callable[[int, int], None]) -> list[Found]:
    """All puzzles of these records and of so many games of each set-up; records that cannot be read are left out.
    tell(done, of). UnusableInput for a set-up that is none."""
    records = dict.fromkeys(path for one in paths for path in list_records(one))
    tasks: list[Task] = [(str(path), stem, 0, 0) for path, stem in zip(records, make_stems(records), strict=True)]
    for line, many in games.items():
        read_game(line)
        tasks += [(line, "", seed, number) for number in range(many)]
    found: list[Found] = []
    for done, some in enumerate(pool.spread(work, tasks, jobs), 1):
        found += some
        tell(done, len(tasks))
    return found


def make_stems(records: Iterable[Path]) -> list[str]:
    """How the names of each record's puzzles begin: as its file is called, in letters that a line of puzzles takes, and
    each otherwise, for two folders may hold records of one name."""
    found: dict[str, None] = {}
    for path in records:
        stem = re.sub(r"[^\w-]", "-", path.stem)[:_LONGEST]
        names = itertools.chain([stem], (f"{stem}-{number}" for number in itertools.count(2)))
        found[next(name for name in names if name not in found)] = None
    return list(found)


def work(task: Task) -> list[Found]:
    """The puzzles of one game."""
    name, stem, seed, number = task
    if not stem:
        return mine_generated(name, seed, number)
    try:
        record = read_record(Path(name))
    except UnusableInput:
        return []
    return list(mine(record, stem))


def is_fit(puzzle: Puzzle) -> bool:
    """Whether a second solver confirms it, and what is said of each wrong play is seen in its line."""
    if not confirms(puzzle):
        return False
    session, at_ms = puzzle.load()
    proof, answer = find_proof(session.game), puzzle.packed(session.game)
    assert proof is not None  # or nobody confirms it
    moves = proof.choices(look(session, puzzle.seat, at_ms))
    return proof.shows_all(session.state, puzzle.seat, moves, answer)


def write_all(puzzles: list[Puzzle], target: Path) -> int:
    """Write them into the file; how many. UnusableInput where there is none, or it cannot be written."""
    if not puzzles:
        raise UnusableInput("no puzzle in these games")
    text = "".join(puzzle.line() + "\n" for puzzle in puzzles)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    except OSError as wrong:
        raise UnusableInput(f"{foreign.shorten(str(target))}: {wrong.strerror}") from wrong
    return len(puzzles)


def make_some(paths: Iterable[Path], lines: Iterable[str], games: int, keep: int, seed: int, jobs: int,
              tell: Callable[[int, int], None]) -> list[Puzzle]:
    """The puzzles of these records and of so many games of each set-up, at most `keep`."""
    return choose(find_all(paths, dict.fromkeys(lines, games), seed, jobs, tell), keep, seed, is_fit)


def make_shipped(seed: int, jobs: int, tell: Callable[[int, int], None]) -> list[Puzzle]:
    """Those that come along: the same for the same seed and the same players."""
    kept: list[Puzzle] = []
    for keep, games in SHIPPED:
        kept += choose(find_all((), games, seed, jobs, tell), keep, seed, is_fit)
    Random(seed).shuffle(kept)
    return kept
