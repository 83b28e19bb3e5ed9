"""`cardtable device`: how a table at a serial port is talked to; what is done is in host_tools/device/."""

from pathlib import Path

import click

from host_tools import foreign

_PORT = click.option("--port", required=True, envvar="PORT", show_envvar=True,
                     help="The table's serial port, such as /dev/ttyUSB0.")
_BOARD = click.option("--board", required=True, envvar="BOARD", show_envvar=True,
                      help="The board file, boards/NAME.py.")


class Device(click.Group):
    """Its commands end with 1 where something failed on the table."""

    def invoke(self, ctx: click.Context) -> object:
        from host_tools.device.table import TableError

        try:
            return super().invoke(ctx)
        except TableError as trouble:
            foreign.say_lines(str(trouble), err=True)
            return 1


@click.group(cls=Device, short_help="Talk to a table at a serial port.")
def command() -> None:
    """Talk to a table at a serial port, by mpremote's own transport. A table with a game under way gives no prompt: end
    the game, or use the arbiter's key.

    Exit codes: 0 right, 1 something is wrong with the table, 2 no table, or the input cannot be used.
    """


@command.command()
@_PORT
def info(port: str) -> None:
    """What the table is: versions, board, heap, flash, games."""
    from host_tools.device.about import describe
    from host_tools.device.table import Table

    with Table(port) as table:
        table.stop()
        for what, how in describe(table):
            foreign.say(f"{what:<12} {how}")


@command.command()
@_PORT
@click.option("--seconds", type=foreign.Number(0), help="How long; until Ctrl-C without it.")
def logs(port: str, seconds: float | None) -> None:
    """Follow the public feed. The game goes on meanwhile."""
    from host_tools.device.table import Table

    with Table(port) as table:
        for line in table.lines(seconds):
            foreign.say(line)


@command.command()
@_PORT
@click.option("--to", "folder", type=foreign.PathName(path_type=Path, file_okay=False),
              default="records", show_default=True)
@click.option("--all", "wants_all", is_flag=True, help="Also those that were pulled before.")
def pull(port: str, folder: Path, wants_all: bool) -> None:
    """Bring the records to this computer. The table keeps them, until it needs their room for a new game."""
    from host_tools.device.about import pull as pull_records
    from host_tools.device.table import Table

    with Table(port) as table:
        table.stop()
        count = pull_records(table, folder, wants_all, foreign.say)
    foreign.say(f"{count} records")


@command.command()
@_PORT
@click.option("--quick", is_flag=True, help="Only what the table finds without anybody's help.")
def doctor(port: str, quick: bool) -> int:
    """Examine a table that was just built: every reader, button, light and screen, and the flash; it says in words what
    to check, and asks for presses, looks and a card. The table does the same by itself if MENU of seat 1 is held
    while its power comes.
    """
    from host_tools.device.about import examine
    from host_tools.device.table import Table

    with Table(port) as table:
        table.stop()
        return 1 if examine(table, not quick, foreign.say) else 0


@command.command()
@_PORT
@_BOARD
@click.option("--force", is_flag=True, help="Even if a game is under way.")
@click.option("--rom/--files", default=None,
              help="Run from MicroPython's ROM partition, or not; by default wherever there is one.")
def deploy(port: str, board: str, force: bool, rom: bool | None) -> None:
    """Bring the application onto a table that has MicroPython. Whatever happens meanwhile, the table starts: with the
    old application or with the new one. Players' files stay as they are."""
    _deploy(port, board, force, rom)


@command.command()
@_PORT
@_BOARD
@click.option("--image", type=foreign.PathName(path_type=Path, dir_okay=False, exists=True, pipe_okay=False),
              envvar="IMAGE", help="Of MicroPython, a .bin.")
@click.option("--erase", is_flag=True, help="Erase the whole flash first, players' files and records too.")
@click.option("--force", is_flag=True, help="Even if a game is under way.")
def flash(port: str, board: str, image: Path | None, erase: bool, force: bool) -> None:
    """Bring MicroPython onto a chip, then the application. Without an image mpflash fetches one."""
    from host_tools.board.load import load
    from host_tools.device import flash as chips

    chip = chips.find_chip(load(board))
    chips.write(chip, port, image or chips.fetch(chip), erase)
    _deploy(port, board, force)


@command.command()
@_BOARD
@click.option("--to", "folder", type=foreign.PathName(path_type=Path, file_okay=False),
              help="build/mip/BOARD by default.")
def package(board: str, folder: Path | None) -> None:
    """Make a folder with a package.json that `mpremote mip install --target / FOLDER/package.json` takes: for a first
    installation without this project. It needs no table."""
    from host_tools.board.load import load
    from host_tools.device.package import BUILD, build_package, write_mip
    from host_tools.errors import UnusableInput
    from host_tools.virtual.image import BuildError

    load(board)
    try:
        foreign.say(str(write_mip(build_package(board), folder or BUILD.with_name("mip") / board)))
    except BuildError as wrong:
        raise UnusableInput(str(wrong)) from wrong


def _deploy(port: str, board: str, force: bool, uses_rom: bool | None = None) -> None:
    from host_tools.board.load import load
    from host_tools.device import deploy as deploying
    from host_tools.device import rom
    from host_tools.device.about import running_games
    from host_tools.device.package import build_package
    from host_tools.device.table import Table
    from host_tools.errors import UnusableInput
    from host_tools.virtual.image import BuildError

    load(board)
    try:
        package = build_package(board)
    except BuildError as wrong:
        raise UnusableInput(str(wrong)) from wrong
    with Table(port) as table:
        table.stop()
        games = running_games(table)
        if games and not force:
            raise UnusableInput(f"game {', '.join(games)} is under way: end it first, or say --force (the new"
                                " application then has to go on with it).")
        with click.progressbar(length=package.size, label=f"{board} to {port}") as bar:
            is_new = deploying.deploy(table, package, lambda text: None, bar.update)
        foreign.say("The table keeps its old application until the new one has come up." if is_new
                   else "The table has this application already; every file was compared.")
        if uses_rom is None:
            uses_rom = rom.find_room(table) > 0
        is_in_rom = not is_new and deploying.look(table).folder == deploying.ROM
        warning = "" if uses_rom else rom.warn_of_heap(table)
        said = deploying.wait_until_up(table)
        if uses_rom and not is_in_rom:
            table.stop()
            rom.deploy(table, package, foreign.say)
            said = deploying.wait_until_up(table)
        for line in said:
            foreign.say("  " + line)
        if warning:
            foreign.say(warning, err=True)
