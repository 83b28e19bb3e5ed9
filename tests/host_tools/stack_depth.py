"""Plays the beginning of a record at the virtual table in this Python, and prints how deep the firmware's calls went.

A process of its own, with the engine's source: a compiled function is no frame. `python -m tests.host_tools.stack_depth
RECORD EVENTS`.
"""

import sys
import tempfile
from pathlib import Path
from types import CodeType

from host_tools.base import on_host
from host_tools.base.project import ROOT

on_host.prepare()

from host_tools.virtual import in_process  # noqa: E402 - only now can the firmware be imported
from host_tools.virtual.fingers import deck_lines  # noqa: E402
from host_tools.virtual.table import Table, load_script  # noqa: E402

FIRMWARE = str(ROOT / "firmware")
WIRES = in_process.__file__  # what is called behind a pin is the world, and the people in it, who judge with our engine


class Depth:
    """Counts the firmware's frames that are open at one time; the shims' and the world's are no part of a chip."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.behind_wires = 0
        self.where = ""
        self._is_firmware: dict[CodeType, bool] = {}

    def watch(self, frame, event, argument):
        """As sys.settrace wants it: each call comes here, and only those that count say when they return."""
        code = frame.f_code
        is_firmware = self._is_firmware.get(code)
        if is_firmware is None:
            is_firmware = self._is_firmware[code] = code.co_filename.startswith(FIRMWARE)
        if not is_firmware:
            if not self.now or code.co_filename != WIRES:
                return None
            self.behind_wires += 1
            leave = self._leave_wires
        elif self.behind_wires:
            return None
        else:
            self.now += 1
            if self.now > self.most:
                self.most = self.now
                self.where = name(frame)
            leave = self._leave
        frame.f_trace_lines = False
        return leave

    def _leave(self, frame, event, argument) -> None:
        if event == "return":
            self.now -= 1

    def _leave_wires(self, frame, event, argument) -> None:
        if event == "return":
            self.behind_wires -= 1


def name(frame) -> str:
    """The functions that are open, the first one first."""
    names = []
    while frame is not None:
        if frame.f_code.co_filename.startswith(FIRMWARE):
            names.append(frame.f_code.co_name)
        frame = frame.f_back
    return " ".join(reversed(names))


def main(path: str, events: int) -> None:
    """Print the depth, then the functions."""
    game, script = load_script(Path(path))
    del script.lines[events:]
    script.result = ""
    table = Table(game, script, is_quick=True)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "deck.txt").write_text("".join(deck_lines()))
        Path(folder, "setup.txt").write_text("\n".join(script.header.lines()) + "\n")
        device = in_process.InProcessDevice(table.world, folder, on_line=table.hear)
        depth = Depth()
        sys.settrace(depth.watch)
        is_played = device.run(until=lambda: table.hands.is_done)
        sys.settrace(None)
    assert is_played, table.says
    print(depth.most, depth.where)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
