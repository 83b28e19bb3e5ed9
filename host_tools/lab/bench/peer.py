"""The peer that stands beside the engine in the same run: python-chess, which judges every move."""

import importlib
import random
from typing import Any

from host_tools.lab.bench.results import Row
from host_tools.lab.bench.timing import QUICK_REPEATS, REPEATS, Found, Room, now, rate, repeat

ROOM = "peer, CPython"
MISSING = "peer: not at hand (the package chess is not installed)."
HALF_MOVES_WITHOUT_CAPTURE = 150  # a game of random moves must end some time: the 75-move rule


def load() -> Any | None:
    """python-chess, or None: only measuring needs a peer, so the tools do not depend on the package."""
    try:
        return importlib.import_module("chess")
    except ImportError:
        return None


def play_game(chess: Any, chance: random.Random) -> list[Any]:
    """A game at random, each move drawn from all legal ones; its moves."""
    board = chess.Board()
    while board.halfmove_clock < HALF_MOVES_WITHOUT_CAPTURE and not board.is_insufficient_material():
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(chance.choice(moves))
    return board.move_stack


def time_checked(chess: Any, played: list[list[Any]]) -> float:
    """Moves a second of known games, each move checked before it is made: what a replay does."""
    begun = now()
    for moves in played:
        board = chess.Board()
        for move in moves:
            if not board.is_legal(move):
                raise ValueError(f"{move} was legal before")
            board.push(move)
    return rate(sum(map(len, played)), now() - begun)


def measure(is_quick: bool) -> list[Row]:
    """All rows of the room; none if python-chess is not installed."""
    chess = load()
    if chess is None:
        return []
    room = Room(ROOM)
    games = 1 if is_quick else 5
    repeats = QUICK_REPEATS if is_quick else REPEATS
    played = play_games(chess, games)
    moves = sum(map(len, played))
    checked = repeat(repeats, lambda: time_checked(chess, played))
    room.rate("python-chess: known moves checked and made", checked, "moves/s")
    found = repeat(repeats, lambda: time_random_play(chess, games))
    of_moves = Found([moves * rate_of_game / games for rate_of_game in found.rates], found.turns)
    room.rate("python-chess: random play, games", found, "games/s")
    room.rate("python-chess: random play, decisions", of_moves, "decisions/s")
    return room.rows


def play_games(chess: Any, games: int) -> list[list[Any]]:
    """The moves of some games at random, always the same."""
    chance = random.Random(1)
    return [play_game(chess, chance) for _ in range(games)]


def time_random_play(chess: Any, games: int) -> float:
    """Games a second."""
    begun = now()
    play_games(chess, games)
    return rate(games, now() - begun)
