"""A table of real cards in a page of its own: one phone lies in the middle, reads for everybody, and is the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from host_tools.play.browser.table import SteppedMachine, SteppedTable
from host_tools.play.readers import deeds
from host_tools.play.readers.real import RealTable


class SteppedRealTable(SteppedTable, RealTable):
    """A RealTable that lives in steps. Its only page is its host and its reader for all in one."""

    is_alone = True
    make_machine = SteppedMachine  # several play, and a name that was touched counts for some seconds of its time

    @property
    def has_common(self) -> bool:
        """No other reader can come here."""
        return True

    def acts_for(self, role: str) -> dict[str, Callable[[Any, dict[str, Any]], Any]]:
        """The host reads cards, and presses the buttons of every seat, as the page for all does."""
        acts = super().acts_for(role)
        return {**acts, **deeds.FOR_ROLE["common"]} if role == "host" else acts
