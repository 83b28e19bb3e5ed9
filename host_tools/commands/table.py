"""`cardtable table`: its command line; host_tools/virtual/ does the work."""

from pathlib import Path
from typing import Any

import click

from host_tools.base import foreign
from host_tools.base.project import ROOT
from host_tools.commands._place import language_option

RECORD = ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec"
PACE = 3.0  # times real time: what a person can follow
SLOWEST = 0.001  # times real time


class Speed(foreign.Number):
    """A number from SLOWEST, or `max`."""

    name = "speed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As a float; infinity for `max`."""
        if value == "max":
            return float("inf")
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{foreign.shorten(str(value))} is neither a number from {SLOWEST} nor max", param, ctx)


@click.command(short_help="Play a recorded game on the virtual table.")
@click.option("--record", "path", type=foreign.PathName(path_type=Path), default=RECORD,
              help="The record to play.")
@click.option("--speed", type=Speed(SLOWEST),
              help="Times real time, or max. By default 3 on a terminal, elsewhere max.")
@click.option("--board", default="virtual", show_default=True, help="The board file, boards/NAME.py.")
@language_option("Language of the screen.")
@click.option("--runtime", type=click.Choice(["micropython", "cpython"]), default="micropython", show_default=True,
              help="Interpreter of the firmware: MicroPython in its own process, or this Python.")
@click.option("--keep", type=foreign.PathName(path_type=Path, file_okay=False), help="Keep the flash in this folder.")
@click.option("--picture", type=(click.IntRange(0), foreign.PathName(path_type=Path, pipe_okay=False)),
              metavar="EVENT FILE", default=None,
              help="Save the terminal's picture after that many events as SVG, and stop.")
@click.option("--plain", is_flag=True, help="Print plain lines, even on a terminal.")
def command(
    path: Path,
    speed: float | None,
    board: str,
    language: str,
    runtime: str,
    keep: Path | None,
    picture: tuple[int, Path] | None,
    plain: bool,
) -> int:
    """Start the real firmware on virtual hardware, under MicroPython, and play a recorded game on it: tags are put on
    readers and buttons pressed. At the end the journal that the firmware wrote is compared with the record.

    Exit codes: 0 they agree, 1 they differ, 2 the record cannot be used.
    """
    import sys

    from host_tools.play.scripted.show import play, save_picture

    if picture is not None:
        return save_picture(path, picture[0], language, picture[1], runtime)

    is_terminal = sys.stdout.isatty() and not plain
    if speed is None:
        speed = PACE if is_terminal else float("inf")
    return play(path, None if speed == float("inf") else speed, board, language, keep, is_terminal, runtime)
