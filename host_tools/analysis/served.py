"""Makes the analysis of a record for a web server: one at a time, each record once."""

from __future__ import annotations

import threading
from typing import Any

from host_tools.analysis.judge import analyse
from host_tools.analysis.report import as_page, figures, hash_of
from host_tools.look.recorded import Recorded

_MOST = 64  # that are kept
_lock = threading.Lock()  # the solver of ends keeps one end at a time
_kept: dict[tuple[str, str], dict[str, Any]] = {}


def find_figures(record: Recorded) -> dict[str, Any] | None:
    """The figures, if somebody has asked for them before."""
    return _kept.get((record.name, hash_of(record)))


def make_figures(record: Recorded) -> dict[str, Any]:
    """The figures; they take seconds the first time. UnusableInput for a game that is under way, or cannot be
    analysed."""
    key = record.name, hash_of(record)
    with _lock:
        if key not in _kept:
            if len(_kept) >= _MOST:
                _kept.clear()
            _kept[key] = figures(analyse(record))
        return _kept[key]


def make_analysis(record: Recorded) -> str:
    """The same as a page."""
    return as_page(make_figures(record))
