"""Takes a director's orders to a live table: one waits in the table's folder, and its lobby then proposes that game.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Protocol

from cardtable.between.chosen import LAST_FILE, NEXT_FILE
from cardtable.between.prompt import has_unfinished
from host_tools.play.known import Known
from host_tools.play.library import ORDER_FILE
from host_tools.play.machine import Machine
from host_tools.sight.follower import Follower

ORDER_S = 1.0  # how often an order is looked for
QUIET_S = 4.0  # it is taken in once the glass has not changed for so long: nobody chooses


class OrdersTable(Protocol):
    """A live table, as a director's orders need it."""

    folder: Path
    known: Known
    machine: Machine

    @property
    def flash(self) -> Path: ...
    @property
    def follower(self) -> Follower: ...


class Orders:
    """`look()`. asked_s: when it last looked, by this computer's clock."""

    def __init__(self, table: OrdersTable) -> None:
        self.table = table
        self.asked_s = self._moved_s = 0.0

    def note_move(self) -> None:
        """The glass has changed."""
        self._moved_s = time.monotonic()

    def look(self) -> None:
        """Start the table again if an order waits between two games: its lobby then proposes that game, and a player
        confirms it."""
        if time.monotonic() < self.asked_s:
            return
        self.asked_s = time.monotonic() + ORDER_S
        known = self.table.known
        is_between = known.is_up and (known.is_closed or not known.is_in_game)
        is_quiet = time.monotonic() > self._moved_s + QUIET_S
        if is_between and is_quiet and (self.table.folder / ORDER_FILE).exists() and self._is_free():
            self.table.machine.restart(self.propose)

    def propose(self) -> None:
        """Bring the order onto the flash, as the game that the lobby proposes; each order once."""
        order = self.table.folder / ORDER_FILE
        if order.exists() and self._is_free():
            order.replace(self.table.flash / LAST_FILE)

    def _is_free(self) -> bool:
        """Whether no game is under way, and none was chosen."""
        chosen = self.table.flash / NEXT_FILE
        return not has_unfinished(str(self.table.follower.folder)) and not (chosen.exists() and chosen.stat().st_size)
