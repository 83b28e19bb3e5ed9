"""`cardtable table`: how the virtual table is called; what it does is in host_tools/virtual/."""

from pathlib import Path

import click

from host_tools import foreign
from host_tools.languages import list_languages

RECORD = Path(__file__).parents[2] / "tests" / "records" / "durak" / "throw-in-0001.rec"
PACE = 3.0  # times real time: what a person can follow


class Speed(click.ParamType):
    """A number above 0, or `max`."""

    name = "speed"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """As a float; infinity for `max`."""
        try:
            speed = float("inf") if value == "max" else float(str(value))
        except ValueError:
            speed = 0.0
        if not speed > 0:
            self.fail(f"{value} is neither a number above 0 nor max", param, ctx)
        return speed


@click.command(short_help="Play a recorded game on the virtual table.")
@click.option("--record", "path", type=foreign.PathName(path_type=Path), default=RECORD,
              help="The record that is played.")
@click.option("--speed", type=Speed(), help="Times real time, or max. On a terminal 3, else max.")
@click.option("--board", default="virtual", show_default=True, help="The board file, boards/NAME.py.")
@click.option("--language", type=click.Choice(list_languages()), default="en", show_default=True, help="Of the screen.")
@click.option("--runtime", type=click.Choice(["micropython", "cpython"]), default="micropython", show_default=True,
              help="What runs the firmware: MicroPython in its own process, or this Python.")
@click.option("--keep", type=foreign.PathName(path_type=Path, file_okay=False), help="Keep the flash in this folder.")
@click.option("--picture", type=(click.IntRange(0), foreign.PathName(path_type=Path)), metavar="EVENT FILE",
              default=None,
              help="Save what a terminal shows after that many events as SVG, and stop.")
@click.option("--plain", is_flag=True, help="Plain lines, also on a terminal.")
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

    from host_tools.virtual.show import play, save_picture

    if picture is not None:
        return save_picture(path, picture[0], language, picture[1], runtime)

    is_terminal = sys.stdout.isatty() and not plain
    if speed is None:
        speed = PACE if is_terminal else float("inf")
    return play(path, None if speed == float("inf") else speed, board, language, keep, is_terminal, runtime)
