"""Has the heavy thinking at a table done in a process of its own, where this one runs the engine's source and a build
has ended since: a process keeps its modules, and another one finds those that are compiled.

Only what plays games out gains by that, some twenty times: virtual players that search, and hints.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from host_tools.base.fast.sources import is_built_since, is_compiled
from host_tools.minds.players import all_players, find_player
from host_tools.sight.seen import Choice, Player, Seen

LATE_S = 600.0  # 100,000 guesses, the most that can be asked for, take some minutes

_players: dict[int, tuple[tuple[Any, ...], Player]] = {}  # in that process: whose player a seat has, and the player


class Apart:
    """`begin()` as a game begins, then `choose` and `do`; `close()` at the end. Belongs to the table's thread.

    Until the process is up, and if it ends or cannot be had, thoughts are made here: none is lost, and the next game
    tries again.
    """

    def __init__(self) -> None:
        self._pool: Any = None
        self._begun: Any = None  # the answer to whether the process runs the compiled engine

    def begin(self) -> None:
        """Start the process, if there is a reason and it does not run yet. Waits for nothing."""
        if self._pool is not None or not is_built_since():
            return
        from host_tools.base.workers.aside import begin_beside, Process  # not above: a browser has no processes

        try:
            self._pool = Process(begin_beside)
            self._begun = self._pool.submit(load)
        except (OSError, RuntimeError):  # no memory, no thread, a system without semaphores: the source thinks on
            self.close()

    @property
    def is_up(self) -> bool:
        """Whether thoughts are made there now."""
        if self._begun is None or not self._begun.done():
            return False
        if self._begun.exception() is None and self._begun.result():
            return True
        self.close()  # it has ended, or found other sources
        return False

    def choose(self, player: Player, name: str, nonce: str, seen: Seen) -> Choice | None:
        """What the virtual player of that name does now. nonce: of its game."""
        if not player.plays_out or not self.is_up:
            return player.choose(seen)
        from host_tools.minds.hints.told import pack_seen  # not above: most tables have no use for it

        whose = (name, nonce, player.seed, player.line)
        return self._ask(lambda: player.choose(seen), think, whose, pack_seen(seen))

    def do(self, work: Callable[..., Any], *facts: Any) -> Any:
        """work(*facts), a function of a module."""
        return self._ask(lambda: work(*facts), work, *facts) if self.is_up else work(*facts)

    def _ask(self, here: Callable[[], Any], work: Callable[..., Any], *facts: Any) -> Any:
        from concurrent.futures import BrokenExecutor

        try:
            return self._pool.submit(work, *facts).result(LATE_S)
        except (BrokenExecutor, OSError):  # a TimeoutError is one
            self.close()
            return here()

    def close(self) -> None:
        """End the process, also in the middle of a thought."""
        pool, self._pool, self._begun = self._pool, None, None
        if pool is not None:
            pool.end()


def load() -> bool:
    """In that process: load all that thinks. Whether the engine is compiled."""
    all_players()
    return is_compiled()


def think(whose: tuple[Any, ...], facts: tuple[Any, ...]) -> Choice | None:
    """In that process: what the seat's player does now. whose: its name, its game, its seed, the `game:` line."""
    from host_tools.minds.hints.told import unpack_seen

    seen = unpack_seen(facts)
    known, player = _players.get(seen.seat, ((), None))
    if player is None or known != (*whose, seen.seats):
        name, _, seed, line = whose
        player = find_player(name)(seen.game, seen.seat, seen.seats, seed)
        player.line = line
        _players[seen.seat] = ((*whose, seen.seats), player)
    return player.choose(seen)
