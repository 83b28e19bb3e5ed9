"""`cardtable device`: its command line; host_tools/maker/device/ does the work."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from host_tools.base import foreign
from host_tools.commands._place import language_option

if TYPE_CHECKING:
    from host_tools.maker.device.package import Package

_PORT = click.option("--port", required=True, envvar="PORT", show_envvar=True,
                     help="The table's serial port, such as /dev/ttyUSB0.")
_BOARD = click.option("--board", required=True, envvar="BOARD", show_envvar=True,
                      help="The board file, boards/NAME.py.")


class Device(click.Group):
    """Commands that exit with 1 if something failed on the table."""

    def invoke(self, ctx: click.Context) -> object:
        from host_tools.maker.device.table import TableError

        try:
            return super().invoke(ctx)
        except TableError as trouble:
            foreign.say_lines(str(trouble), err=True)
            return 1


@click.group(cls=Device, short_help="Talk to a table at a serial port.")
def command() -> None:
    """Talk to a table at a serial port, by mpremote's own transport. A table keeps its prompt closed during a game: end
    the game, or use the arbiter's key.

    Exit codes: 0 right, 1 something is wrong with the table, 2 no table, or the input cannot be used.
    """


@command.command()
@_PORT
def info(port: str) -> None:
    """Show the table's versions, board, heap, flash and games."""
    from host_tools.maker.device.about import describe
    from host_tools.maker.device.table import Table

    with Table(port) as table:
        table.stop()
        for what, how in describe(table):
            foreign.say(f"{what:<12} {how}")


@command.command()
@_PORT
@click.option("--seconds", type=foreign.Number(0), help="Stop after this time; without it, at Ctrl-C.")
def logs(port: str, seconds: float | None) -> None:
    """Follow the public feed. The game goes on."""
    from host_tools.maker.device.table import Table

    with Table(port) as table:
        for line in table.lines(seconds):
            foreign.say(line)


@command.command()
@_PORT
@click.option("--to", "folder", type=foreign.PathName(path_type=Path, file_okay=False),
              default="records", show_default=True)
@click.option("--all", "wants_all", is_flag=True, help="Also bring records that were pulled before.")
def pull(port: str, folder: Path, wants_all: bool) -> None:
    """Copy the records to this computer. The table keeps them until it needs their room for a new game."""
    from host_tools.maker.device.about import pull as pull_records
    from host_tools.maker.device.table import Table

    with Table(port) as table:
        table.stop()
        count = pull_records(table, folder, wants_all, foreign.say)
    foreign.say(f"{count} records")


@command.command()
@_PORT
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=foreign.PathName(path_type=Path))
def put(port: str, files: tuple[Path, ...]) -> None:
    """Check files that you wrote, then copy them to the table: house rules (profiles.txt), tags.txt, setup.txt, a deck,
    language.txt, sound.txt, delays.txt, network.txt with broker.pem. The table reads them when it starts again, which
    it does at once."""
    from host_tools.maker.device.put import put as put_file
    from host_tools.maker.device.table import Table

    with Table(port) as table:
        for path in files:
            foreign.say(f"{path.name}: {put_file(table, path)}")


@command.command()
@_PORT
@click.option("--quick", is_flag=True, help="Only the checks that need no help.")
@click.option("--learn", is_flag=True,
              help="Measure the readers and their bus with a card on each in turn, and keep it on the table.")
def doctor(port: str, quick: bool, learn: bool) -> int:
    """Examine a table that was just built: every reader, button, light and screen, and the flash; it says what
    to check, and asks for presses, looks and a card. The table does the same by itself if MENU of seat 1 is held
    while its power comes.

    With --learn the table measures wrong bytes by clock, reads of a hundred by gain, for how long a card is missed and
    which neighbours see it. It names what is weak, and keeps what it found in learned.txt on its flash.
    """
    from datetime import date

    from host_tools.base.errors import UnusableInput
    from host_tools.maker.device.about import examine
    from host_tools.maker.device.table import Table

    if quick and learn:
        raise UnusableInput("--learn needs a card on each reader, and --quick asks for none")
    with Table(port) as table:
        table.stop()
        learns = date.today().isoformat() if learn else ""
        return 1 if examine(table, not quick, foreign.say, learns) else 0


@command.command()
@_PORT
@_BOARD
@click.option("--force", is_flag=True, help="Deploy even during a game.")
@click.option("--rom/--files", default=None,
              help="Run from MicroPython's ROM partition, or from files; by default the chip's memory decides.")
def deploy(port: str, board: str, force: bool, rom: bool | None) -> None:
    """Bring the application onto a table that has MicroPython. If it is interrupted, the table still starts, with the
    old application or the new one. Players' files stay."""
    from host_tools.maker.device.package import build_package

    _load(board)
    _deploy(port, build_package(board), force, rom)


@command.command()
@_PORT
@_BOARD
@click.option("--image", type=foreign.PathName(path_type=Path, dir_okay=False, exists=True, pipe_okay=False),
              envvar="IMAGE", help="MicroPython's image, a .bin file.")
@click.option("--erase", is_flag=True, help="Erase the whole flash first, players' files and records too.")
@click.option("--force", is_flag=True, help="Deploy even during a game.")
def flash(port: str, board: str, image: Path | None, erase: bool, force: bool) -> None:
    """Bring MicroPython onto a chip, then the application. Without an image mpflash fetches one."""
    from host_tools.maker.device import flash as chips
    from host_tools.maker.device.package import build_package

    chip = chips.find_chip(_load(board))
    package = build_package(board)  # what cannot be built must not cost a chip its old one
    chips.write(chip, port, image or chips.fetch(chips.look(chip, port)), erase)
    _deploy(port, package, force)


@command.command()
@_BOARD
@click.option("--to", "folder", type=foreign.PathName(path_type=Path, file_okay=False),
              help="Write here; by default build/mip/BOARD.")
@click.option("--flash", "flash_mb", type=click.Choice(["4", "8", "16"]), metavar="MB",
              help="Make one file instead, for a flash of 4, 8 or 16 MB: esptool writes it at 0x200000.")
def package(board: str, folder: Path | None, flash_mb: str | None) -> None:
    """Make a folder with a package.json for `mpremote mip install --target / FOLDER/package.json`: a first installation
    without this project. With --flash it is one file, FOLDER/BOARD-MB.littlefs. Needs no table."""
    from host_tools.maker.device.package import BUILD, build_for_chip, write_mip

    _load(board)
    target = folder or BUILD.with_name("mip") / board
    if flash_mb:
        from host_tools.maker.device.filesystem import write_filesystem

        foreign.say(str(write_filesystem(board, int(flash_mb), target)))
    else:
        foreign.say(str(write_mip(build_for_chip(board), target)))


@command.command()
@_BOARD
@click.option("--port", default="", envvar="PORT", show_envvar=True,
              help="The table's serial port; without it, the only one there is.")
@click.option("--image", type=foreign.PathName(path_type=Path, dir_okay=False, exists=True, pipe_okay=False),
              envvar="IMAGE", help="MicroPython's image, a .bin file, for a chip that has none.")
@click.option("--step", default="port", show_default=True, help="Begin with this step.",
              type=click.Choice(["port", "chip", "deploy", "doctor", "parts", "learn", "key", "deck", "play"]))
@click.option("--only", is_flag=True, help="Take that step alone.")
@click.option("--seconds", type=foreign.Number(0), default=600.0, show_default=True,
              help="How long the first hand may take.")
@language_option("Language of these steps; the table's own is in its language.txt.")
def bringup(board: str, port: str, image: Path | None, step: str, only: bool, seconds: float, language: str) -> None:
    """Lead through a table's first day: port, chip, application, every part, what the table measures of itself, key,
    deck, first hand. You can repeat each step; one that fails says what to measure and where."""
    from host_tools.maker.device import bringup as steps
    from host_tools.maker.device.package import build_package

    def ask(text: str) -> None:
        foreign.say(f"-> {text}")
        click.prompt(f"   {words.say('enter')}", default="", show_default=False, prompt_suffix=" ")

    found, words = _load(board), steps.read_day(language)
    steps.run(steps.Day(found, port, image, build_package(board), foreign.say, ask, seconds, words), step, only)


def _load(name: str) -> Any:
    """The board. Its faults are said and refuse nothing: a maker may know better, and this is where they are still
    cheap to mend. UnusableInput."""
    from host_tools.maker.board.check import check
    from host_tools.maker.board.load import load

    board = load(name)
    for fault in check(board):
        foreign.say(f"{name}: {fault}", err=True)
    return board


def _deploy(port: str, package: "Package", force: bool, uses_rom: bool | None = None) -> None:
    from host_tools.maker.device import deploy as deploying
    from host_tools.maker.device.about import running_games
    from host_tools.maker.device.start import fit, start
    from host_tools.maker.device.table import Table
    from host_tools.base.errors import UnusableInput

    with Table(port) as table:
        table.stop()
        games = running_games(table)
        if games and not force:
            raise UnusableInput(f"game {', '.join(games)} is under way: end it first, or say --force (the new"
                                " application then has to go on with it).")
        package = fit(table, package, foreign.say, uses_rom)
        with click.progressbar(length=package.size, label=f"{package.board} to {port}") as bar:
            is_new = deploying.deploy(table, package, lambda text: None, bar.update, leaves_rom=uses_rom is False)
        foreign.say("The table keeps its old application until the new one has come up." if is_new
                   else "The table has this application already; every file was compared.")
        for line in start(table, package, is_new, foreign.say, lambda text: foreign.say(text, err=True), uses_rom):
            foreign.say("  " + line)
