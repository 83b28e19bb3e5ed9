"""`cardtable twin`: a virtual table behind a serial port; host_tools/virtual/ has its parts."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from host_tools.base import foreign
from host_tools.base.project import BUILD

TWIN = BUILD / "twin"


@click.command(short_help="Start a virtual table behind a serial port.")
@click.option("--board", default="virtual", show_default=True, help="The board file, boards/NAME.py.")
@click.option("--link", type=foreign.PathName(path_type=Path), default=TWIN / "tty",
              help="Name of the port; by default build/twin/tty.")
@click.option("--flash", type=foreign.PathName(path_type=Path, dir_okay=False), default=TWIN / "flash.bin",
              help="File of its flash, kept afterwards; by default build/twin/flash.bin.")
@click.option("--speed", type=foreign.Number(0), default=1.0, show_default=True,
              help="Times real time; 0 is as fast as possible.")
@click.option("--maker", is_flag=True, help="Add a virtual person who does what the doctor asks.")
@click.option("--raw", is_flag=True, help="Show every line of the port instead: the protocol of deployments too.")
@click.option("--page", is_flag=True, help="Serve a page with its screen, lights, buttons, readers and tags.")
@click.option("--page-port", type=click.IntRange(1, 65535),
              help="Port of the page; by default the first free one from 8137.")
@click.option("--seconds", type=foreign.Number(0), help="Stop after this time; without it, at Ctrl-C.")
def command(board: str, link: Path, flash: Path, speed: float, maker: bool, raw: bool, page: bool,
            page_port: int | None, seconds: float | None) -> None:
    """Start MicroPython with the chips and flash of a virtual table behind a serial port. Every program for tables can
    talk to it, such as `make deploy PORT=build/twin/tty BOARD=virtual`. Its screen, its lights and the public feed are
    shown.

    Exit codes: 0 ended, 2 it cannot start.
    """
    import contextlib
    import sys
    import time

    from host_tools.maker.board.load import load
    from host_tools.base.errors import UnusableInput
    from host_tools.base.interpreters import MicroPythonMissing
    from host_tools.virtual import image
    from host_tools.virtual.maker import Maker
    from host_tools.virtual.quiet import Quiet
    from host_tools.virtual.serial_board import SerialBoard
    from host_tools.virtual.world import World

    world = World(load(board))
    flash.parent.mkdir(parents=True, exist_ok=True)
    someone = Maker(world)
    quiet = Quiet(world, foreign.say)

    def hear(line: str) -> None:
        someone.hear(line)
        foreign.say(line) if raw else quiet.hear(line)

    try:
        twin = SerialBoard(world, flash, image.build_shims(TWIN / "shims"), link=link, speed=speed or None)
    except (MicroPythonMissing, image.BuildError) as missing:
        raise UnusableInput(str(missing)) from missing
    twin.on_line = hear
    if maker:
        world.people.add(someone.play())
    with twin:
        foreign.say(f"a virtual table is at {link}", err=True)
        sys.stdout.flush()
        ends_s = time.monotonic() + seconds if seconds is not None else float("inf")
        look = (lambda: None) if raw else quiet.look
        if page or page_port:
            _serve(twin, quiet, page_port or 0, look, ends_s)
        while time.monotonic() < ends_s and twin.trouble is None:
            with contextlib.suppress(RuntimeError):  # it has stopped, and `trouble` says why
                twin.call(look)
            time.sleep(0.1)
    if twin.trouble is not None:
        raise UnusableInput(f"the virtual table has stopped: {twin.trouble}")


def _serve(twin: Any, quiet: Any, port: int, look: Callable[[], None], ends_s: float) -> None:
    import asyncio

    from host_tools.play.scripted.sitting import Sitting
    from host_tools.play.web.twin import serve

    sitting = Sitting(twin)
    quiet.on_public = sitting.feed.append
    asyncio.run(serve(sitting, port, look, ends_s))
