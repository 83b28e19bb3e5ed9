"""Powers the virtual device up in a CPython of its own: the shims, then main.py from its source.

What shims/start.py is to MicroPython. device.py starts it and is the pipe's other end.
"""

import os
import sys
from pathlib import Path

from host_tools.virtual.in_process import FIRMWARE, enter, load_shims
from host_tools.virtual.pipe_port import PipePort


def start() -> None:
    """The firmware's program, or the one in the folder that the host names; it ends with its own exit code."""
    told = os.environ
    ends = int(told["CARDTABLE_TO_HOST"]), int(told["CARDTABLE_FROM_HOST"])
    cause = int(told["CARDTABLE_RESET_CAUSE"])
    shims = load_shims(lambda clock: PipePort(clock, *ends, cause))
    shims.clock.power_up(int(told["CARDTABLE_START_US"]), int(told["CARDTABLE_TICKS_MS"]))
    shims.clock.on_wait = shims.port.on_wait
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
