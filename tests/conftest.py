"""What every test finds: our rooms on the path, `micropython.const`, and the runner of shared test files."""

import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
for _room in (ROOT / "firmware", ROOT):
    if str(_room) not in sys.path:
        sys.path.insert(0, str(_room))

# CPython has no module of this name, and firmware that a test imports directly needs no more of it than this.
_micropython = types.ModuleType("micropython")
_micropython.const = lambda value: value  # type: ignore[attr-defined]
sys.modules.setdefault("micropython", _micropython)

from tests.micropython.shared import (  # noqa: E402, F401 - hooks of pytest, and only now on the path
    pytest_collect_file,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_pycollect_makemodule,
    pytest_terminal_summary,
)
