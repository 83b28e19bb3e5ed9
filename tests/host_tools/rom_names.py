"""Asks this machine's MicroPython which names its own ROM has."""

import subprocess
from collections.abc import Iterable

from host_tools.base.interpreters import find_micropython
from tests.patience import PATIENCE_S

_SCRIPT = """import micropython, sys
class Names: pass
names = Names()
micropython.qstr_info()
for line in sys.stdin: setattr(names, line[:-1], 0)
micropython.qstr_info()
"""


def count_new(names: Iterable[str]) -> int:
    """How many of these names no ROM of this MicroPython has."""
    done = subprocess.run([find_micropython(), "-c", _SCRIPT], input="".join(f"{name}\n" for name in sorted(names)),
                          capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    before, after = (int(line.split("n_qstr=")[1].split(",")[0]) for line in done.stdout.splitlines())
    return after - before
