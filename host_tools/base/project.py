"""The places of the project's files: `ROOT` has firmware/, docs/rules/ and tests/records/, `BUILD` takes what is made.

In a clone both are the clone. An installed package has copies of those folders in `cardtable_project` (setup.py), and
builds in the user's cache. No other file goes up from where it lies: such a path is right in one of the two alone.
"""

import os
from pathlib import Path

from host_tools.base.errors import UnusableInput

_HERE = Path(__file__).resolve().parents[2]
IS_CLONE = (_HERE / "firmware" / "main.py").is_file()
ROOT = _HERE if IS_CLONE else _HERE / "cardtable_project"
PACKAGES = _HERE  # where host_tools and boards are imported from, by MicroPython too
HOST = _HERE / "host_tools"
SHIMS = HOST / "virtual" / "shims"
PAGE = HOST / "play" / "web" / "page"
BOARDS = ROOT / "boards"
FIRMWARE = ROOT / "firmware"
BUILD = _HERE / "build" if IS_CLONE else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cardtable"


def find_in_clone(name: str) -> Path:
    """The path of a file or folder that developers have. UnusableInput in an installed package, which has it not."""
    if not IS_CLONE:
        raise UnusableInput(f"this needs {name} of a clone; what is installed here has only what a table needs")
    return ROOT / name
