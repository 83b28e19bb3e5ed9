"""Tells the pages to learn from, for a server or a page's own worker: puzzles with their answers, and the games that
drills ask about.
"""

from __future__ import annotations

import contextlib
import json
from datetime import date
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.project import ROOT
from host_tools.minds.puzzles.puzzle import Puzzle, puzzle_of_day, read_puzzles, stock
from host_tools.minds.puzzles.rating import rate, read_kept

EXAMPLE = ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec"  # who has no games is asked about this one
OWN = "puzzles.txt"  # in the folder of the records: those that `cardtable puzzles make` found in them
_TRIES = 5  # games that are asked for a question


def read_own(folder: Path) -> dict[str, Puzzle]:
    """The puzzles of one's own games; none where nobody looked for any, or the file cannot be used."""
    try:
        return {puzzle.name: puzzle for puzzle in read_puzzles(foreign.read_lines(folder / OWN))}
    except UnusableInput:
        return {}


def find_puzzle(name: str, own: dict[str, Puzzle]) -> Puzzle | None:
    """The puzzle of that name, if there is one."""
    return stock().get(name) or own.get(name)


def list_puzzles(own: dict[str, Puzzle]) -> dict[str, Any]:
    """All names with their ratings, one's own first; which is today's."""
    return {"today": puzzle_of_day(date.today()).name, "puzzles": [
        {"name": name, "rating": one.rating, "theme": one.theme, "own": name in own}
        for name, one in {**own, **stock()}.items()]}


def number_of(text: str, most: int = 1000) -> int:
    """A number that an address says; -1 for none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 and int(text) <= most else -1


def add_rating(text: str, puzzle: Puzzle, mu: str, sigma: str) -> dict[str, Any]:
    """The answer of puzzle_told with the rating of who answered, from what the browser keeps."""
    told: dict[str, Any] = json.loads(text)
    known_mu, known_sigma = read_kept(mu, sigma)
    told["rating"] = rate(known_mu, known_sigma, puzzle.rating, told["is_right"])
    return told


def read_games(paths: list[Path], seed: int) -> list[tuple[str, bytes]]:
    """(name, content) of the finished games that are asked about, another one first for each seed, and last of the one
    that comes along. Files that cannot be read are left out."""
    found = []
    for path in [*(paths[(seed + at) % len(paths)] for at in range(min(_TRIES, len(paths)))), EXAMPLE]:
        with contextlib.suppress(UnusableInput):
            found.append((path.name, foreign.read_bytes(path)))
    return found
