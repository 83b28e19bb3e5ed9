"""Reads the bytes of a game's `view` as a state of that game.

A view is the place of each card (all that are hidden alike), then counts, then the public registers. How many counts
there are, and what each says, stands in the game's own file. `seen` is a `Seen` of host_tools/sight, a wing above.
"""

from __future__ import annotations

from typing import Any

from cardtable.engine.state import DEALER, SEATS, State


def split_view(seen: Any, counts: int) -> tuple[bytes, bytes]:
    """The counts of a view, which are so many bytes, and the public registers behind them."""
    begin = seen.game.CARDS
    return seen.view[begin : begin + counts], seen.view[begin + counts :]


class Table:
    """A view as a state of its game, so that the engine's own questions can be asked of it."""

    def __init__(self, seen: Any, counts: int) -> None:
        game = seen.game
        self.seen = seen
        self.state = State(game.CARDS, game.REGISTERS)
        self.state.where[:] = seen.view[: game.CARDS]
        self.counts, public = split_view(seen, counts)
        self.state.register[: len(public)] = public
        self.register = self.state.register
        self.seats = self.register[SEATS]
        self.dealer = self.register[DEALER]

    def at(self, place: int) -> list[int]:
        """The cards that lie in plain sight at that place."""
        return [card for card in range(len(self.state.where)) if self.state.where[card] == place]
