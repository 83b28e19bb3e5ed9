"""Makes the page of an analysis for a web server: one at a time, each record once."""

from __future__ import annotations

import hashlib
import threading

from host_tools.analysis.judge import analyse
from host_tools.analysis.report import as_page, figures
from host_tools.look.recorded import Recorded

_MOST = 64  # pages that are kept
_lock = threading.Lock()  # the solver of ends keeps one end at a time
_pages: dict[str, str] = {}


def make_analysis(record: Recorded) -> str:
    """The page; it takes seconds the first time. UnusableInput for a game that is under way, or cannot be analysed."""
    key = hashlib.sha256(record.name.encode() + b"\0" + record.content).hexdigest()
    with _lock:
        if key not in _pages:
            if len(_pages) >= _MOST:
                _pages.clear()
            _pages[key] = as_page(figures(analyse(record)))
        return _pages[key]
