"""Plays games of virtual players at a table that lives in steps, under whatever Python runs this: a browser's, too.

What is chance there comes from the seed, so two Pythons have to write the same records.
"""

import hashlib
import os
import re
import tempfile
from pathlib import Path

from host_tools.play.browser.table import SteppedTable
from host_tools.play.library import keep
from host_tools.play.start import Wishes, prepare

GAMES = (
    ("durak throw-in", 2), ("durak transfer", 3), ("durak simple jokers=any deck=54", 2),
    ("cals-bs", 3), ("cals-bs", 2), ("cals-bs", 4),
    ("bailiff", 3), ("bailiff", 2), ("bailiff", 4),
    ("malice payoff=5", 2), ("malice kings-wild payoff=5", 3), ("malice payoff=6 side=any", 4),
)
MOST_STEPS = 100_000


def play(game: str, seats: int, seed: int) -> bytes:
    """The record of one game."""
    count = [0]
    real = os.urandom

    def urandom(size: int) -> bytes:
        count[0] += 1
        return hashlib.sha256(f"{seed} {count[0]}".encode()).digest()[:size]

    os.urandom = urandom
    try:
        with tempfile.TemporaryDirectory() as folder:
            return play_in(Path(folder), game, seats, seed)
    finally:
        os.urandom = real


def play_in(folder: Path, game: str, seats: int, seed: int) -> bytes:
    """The same in a folder."""
    table = SteppedTable(folder / "table", seed=seed)
    table.machine.ahead_s = lambda: 0.0  # as fast as it can
    prepare(table, Wishes(game=game, seats=[(name, "bot:beginner") for name in ("Ann", "Bob", "Cy", "Di")[:seats]]))
    setup = table.flash / "next.txt"  # but for the day on which it is played
    setup.write_text(re.sub("(?m)^started: .*$", "started: 2026-11-24T10:00:00Z", setup.read_text("utf-8")), "utf-8")
    table.start()
    for hand in table.hands.values():
        hand._choose = hasten(hand._choose)
    kept: list[str] = []
    try:
        for _ in range(MOST_STEPS):
            table.machine.live()
            if table.known.is_closed and (kept := keep(table.flash, folder / "games")):
                break
        assert kept and not table.bugs.count, (table.known.said, table.known.notice)
    finally:
        table.close()
    return (folder / "games" / kept[0]).read_bytes()


def hasten(choose):
    """The same choices without the time that a player thinks: a table that waits costs as much as one that judges."""
    def at_once():
        choice = choose()
        return choice and (choice[0], 0)

    return at_once


def play_all(numbers: list[int]) -> list[str]:
    """The records of those games of GAMES, as texts."""
    return [play(*GAMES[number], seed=35 + number).decode() for number in numbers]
