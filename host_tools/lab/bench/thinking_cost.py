"""Measures one player in one game: decisions a second by the processor's time, and the memory that a game takes.

    python -m host_tools.lab.bench.thinking_cost search:60 durak 4
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Iterator

from host_tools.base import foreign, on_host

EVENTS = 400  # of a game
LINES = ("durak", "cals-bs", "bailiff", "malice")


def list_cells(guesses: int) -> Iterator[tuple[str, str]]:
    """Every player with each game that it plays."""
    from host_tools.minds.arena.plan import read_game
    from host_tools.minds.players import all_players

    for name, player in all_players().items():
        chosen = f"{name}:{guesses}" if name in ("search", "sound") else name
        for line in LINES:
            if player.plays(read_game(line)):
                yield chosen, line


def measure(name: str, line: str, games: int) -> tuple[float, float]:
    """Decisions a second; and how many KB a game takes at its peak, the table, its record and what all seats remember
    included."""
    from host_tools.minds.arena.plan import header_of, read_game
    from host_tools.minds.players import find_player
    from host_tools.minds.players.match import Match
    from host_tools.sight.seen import Choice, Seen

    game = read_game(line)
    seats = game.SEAT_RANGE[0]
    player = find_player(name)
    spent, count = 0.0, 0

    class Timed(player):  # type: ignore[valid-type, misc]
        """The player, with a clock."""

        def choose(self, seen: Seen) -> Choice | None:
            nonlocal spent, count
            begun = time.process_time()
            choice = super().choose(seen)
            spent += time.process_time() - begun
            count += choice is not None
            return choice

    for deal in range(1, games + 1):
        Match(game, header_of(line, seats, deal), [Timed] * seats, deal, EVENTS).play()
    pace = count / max(spent, 1e-9)
    tracemalloc.start()
    Match(game, header_of(line, seats, 1), [player] * seats, 1, EVENTS).play()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return pace, peak / 1024


def main() -> None:
    """A row of the table."""
    name, line, games = sys.argv[1:]
    on_host.prepare()
    pace, memory = measure(name, line, int(games))
    foreign.say(f"| `{name}` | {line} | {pace:,.0f} | {memory:,.0f} KB |")


if __name__ == "__main__":
    main()
