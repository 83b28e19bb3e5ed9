"""Powers the virtual device up in a CPython of its own: the shims, then main.py from its source.

What shims/start.py is to MicroPython, with the same port. device.py starts it and is the pipe's other end.
"""

import os
import sys
from pathlib import Path
from typing import Any

from host_tools.base.project import SHIMS
from host_tools.virtual.in_process import FIRMWARE, enter, load, load_shims


class End:
    """This process's end of a pipe, as a file of MicroPython: what is printed goes first."""

    def __init__(self, number: str | int, mode: str) -> None:
        self._number = int(number)

    def write(self, data: Any, start: int, size: int) -> int:
        """Write so many bytes from there on; how many went."""
        sys.stdout.flush()
        try:
            return os.write(self._number, memoryview(data)[start : start + size])
        except BrokenPipeError:
            raise SystemExit("the host of this virtual table is gone") from None

    def readinto(self, into: Any, size: int) -> int:
        """Wait for so many bytes; how many came before the other end was closed."""
        view, came = memoryview(into), 0
        while came < size and (block := os.read(self._number, size - came)):
            view[came : came + len(block)] = block
            came += len(block)
        return came


def start() -> None:
    """The firmware's program, or the one in the folder that the host names; it ends with its own exit code."""
    told = os.environ
    shims = load_shims(lambda clock: load("port", SHIMS / "port.py", open=End))
    shims.console.begin(told["CARDTABLE_CONSOLE"] == "stalls")
    shims.console.time_prints()
    folder = Path(told["CARDTABLE_PROGRAM"] or FIRMWARE)
    sys.path.insert(0, str(folder))
    enter(shims, told["CARDTABLE_BOARD"])
    try:
        exec(compile((folder / "main.py").read_text(encoding="utf-8"), "main.py", "exec"), {"__name__": "__main__"})
    finally:
        # Even a program that ends, or crashes, has its last operations seen.
        shims.port.step()


if __name__ == "__main__":
    start()
