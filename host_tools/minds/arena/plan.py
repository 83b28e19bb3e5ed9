"""The plan of an arena: which players sit together, and each deal in all seatings, so good cards help all alike."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.record import Header, SetupError
from cardtable.engine.setup import set_up
from host_tools.base.errors import UnusableInput
from host_tools.minds.players import find_player
from host_tools.base.random_play import make_header

MOST_PERMUTED = 3  # seats; at larger tables each goes once to each seat


@dataclass(frozen=True)
class Job:
    """One game: its deal, and who sits where."""

    deal: int
    seating: tuple[str, ...]

    @property
    def key(self) -> str:
        """Its name in the file of results."""
        return f"{self.deal} {' '.join(self.seating)}"


def list_seatings(players: list[str], seats: int) -> list[tuple[str, ...]]:
    """Every line-up of the players in every seating; with fewer players than seats, one of them among others alike."""
    if len(players) >= seats:
        lineups = list(combinations(players, seats))
    else:
        lineups = [(one, *[other] * (seats - 1)) for one in players for other in players if one != other]
    found: dict[tuple[str, ...], None] = {}
    for lineup in lineups:
        if seats <= MOST_PERMUTED:
            found.update(dict.fromkeys(permutations(lineup)))
        else:
            found.update(dict.fromkeys(lineup[turn:] + lineup[:turn] for turn in range(seats)))
    return list(found)


def make_jobs(players: list[str], seats: int, deals: int, seed: int, only: str = "") -> list[Job]:
    """All games, deal by deal; only: a player who sits in each of them."""
    seatings = [seating for seating in list_seatings(players, seats) if not only or only in seating]
    return [Job(seed + deal, seating) for deal in range(deals) for seating in seatings]


def read_game(line: str) -> Any:
    """The module of a `game:` line. UnusableInput."""
    words = line.split()
    try:
        return find_game(words[0] if words else "")
    except SetupError as wrong:
        raise UnusableInput(str(wrong)) from wrong


def check_game(line: str, seats: int, players: list[str]) -> Any:
    """The game, if it can be set up so and the players play it. UnusableInput."""
    game = read_game(line)
    try:
        set_up(game, header_of(line, seats, 1))
    except SetupError as wrong:
        raise UnusableInput(str(wrong)) from wrong
    if len(set(players)) < 2 or len(set(players)) < len(players):
        raise UnusableInput("an arena needs two players or more, each once")
    for name in players:
        if not find_player(name).plays(game):
            raise UnusableInput(f"{name} does not play {game.NAME}")
    return game


def header_of(line: str, seats: int, deal: int) -> Header:
    """The header of that deal: the dealer goes round."""
    return make_header(line, seats, deal % seats + 1)
