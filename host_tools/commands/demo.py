"""`cardtable demo`: its command line; host_tools/play/scripted/demo.py does the work."""

from pathlib import Path

import click

from host_tools.base.foreign import Number, PathName
from host_tools.commands._place import language_option


@click.command(short_help="Watch the table settle five disputes.")
@language_option("Language of the table.")
@click.option("--runtime", type=click.Choice(["micropython", "cpython"]), default=None,
              help="Interpreter of the firmware; by default MicroPython, if it is installed.")
@click.option("--speed", type=Number(min=0, min_open=True), default=None,
              help="Times real time. By default 1 on a terminal, elsewhere as fast as possible.")
@click.option("--scene", type=PathName(path_type=Path, dir_okay=False), default=None, help="Play another record.")
@click.option("--picture", type=(int, PathName(path_type=Path, pipe_okay=False)), metavar="EVENT FILE", default=None,
              help="Save the terminal's picture after that many events as SVG, and stop.")
@click.option("--plain", is_flag=True, help="Print plain lines, even on a terminal.")
def command(
    language: str,
    runtime: str | None,
    speed: float | None,
    scene: Path | None,
    picture: tuple[int, Path] | None,
    plain: bool,
) -> int:
    """Watch the real firmware, on virtual hardware, settle five disputes of a game of Durak in half a minute.

    Exit codes: 0 the table wrote down what was played, 1 it did not, 2 the scene cannot be played.
    """
    from rich.console import Console

    from host_tools.play.scripted import demo

    chosen = "cpython-process" if runtime == "cpython" else runtime
    if picture is not None:
        return demo.save_picture(scene or demo.SCENE, picture[0], language, chosen, picture[1])
    console = Console(highlight=False)
    is_picture = console.is_terminal and not plain and console.width >= demo.SIZE[0] and console.height >= demo.SIZE[1]
    if speed is None and console.is_terminal:
        speed = 1.0
    return demo.play(scene or demo.SCENE, language, chosen, speed, console, is_picture)
