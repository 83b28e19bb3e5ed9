"""Where the project's files lie: `ROOT` has firmware/, docs/rules/ and tests/records/, `BUILD` takes what is made.

In a clone both are the clone. An installed package has copies of those folders in `cardtable_project` (setup.py), and
builds in the user's cache.
"""

import os
from pathlib import Path

_HERE = Path(__file__).resolve().parents[1]
IS_CLONE = (_HERE / "pyproject.toml").is_file()
ROOT = _HERE if IS_CLONE else _HERE / "cardtable_project"
BUILD = _HERE / "build" if IS_CLONE else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cardtable"
