"""`cardtable puzzles`: its command line; host_tools/minds/puzzles/ mines and proves, host_tools/look/ tells."""

from pathlib import Path

import click

from host_tools.base.foreign import PathName
from host_tools.commands._place import language_option


@click.group(short_help="Solve puzzles from played games, or find new ones.", invoke_without_command=True)
@language_option()
@click.option("--from", "source", type=PathName(path_type=Path, dir_okay=False),
              help="Puzzles of this file; "
              "by default those that come along.")
@click.option("--today", "is_daily", is_flag=True, help="The puzzle of the day alone.")
@click.pass_context
def command(context: click.Context, language: str, source: Path | None, is_daily: bool) -> int:
    """Show one position after the other, and ask for the one play that is right. Wrong or right, the game is then
    played on as well as both sides can. An empty line ends it.

    Exit codes: 0 all went well, 2 something cannot be used.
    """
    if context.invoked_subcommand is not None:
        return 0
    from datetime import date

    from host_tools.base import foreign
    from host_tools.look.puzzles_typed import ask_all
    from host_tools.minds.puzzles.puzzle import puzzle_of_day, read_puzzles, stock

    if source is not None:
        puzzles = read_puzzles(foreign.read_lines(source))
    else:
        puzzles = [puzzle_of_day(date.today())] if is_daily else list(stock().values())
    ask_all(puzzles, language)
    return 0


@command.command("make", short_help="Find puzzles in games.")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=PathName(path_type=Path))
@click.option("--generate", "lines", metavar="LINE", multiple=True,
              help='Also in games of virtual players of this set-up: "durak transfer". Can be said more than once.')
@click.option("--games", type=click.IntRange(1, 100_000), default=200, show_default=True, help="Of each such set-up.")
@click.option("--seed", type=click.IntRange(0, 1_000_000), default=1, show_default=True, help="Seed of those games.")
@click.option("--keep", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Puzzles, at most.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes; by default one for each core.")
@click.option("--to", "target", type=PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              default=Path("games/puzzles.txt"), show_default=True,
              help="File for them; the page of puzzles shows those of games/puzzles.txt as yours.")
def make(paths: tuple[Path, ...], lines: tuple[str, ...], games: int, seed: int, keep: int, jobs: int | None,
         target: Path) -> int:
    """Look for positions in which one play alone is right and every other loses for sure: in finished games (files or
    folders of records), in generated ones, or in both. Those that their player missed come first.

    Exit codes: 0 written, 2 something cannot be used, or no puzzle was found.
    """
    import sys

    from rich.progress import Progress

    from host_tools.base import foreign
    from host_tools.base.errors import UnusableInput
    from host_tools.minds.puzzles.making import find_all, write_all

    if not paths and not lines:
        raise UnusableInput('Name records, or games to generate: cardtable puzzles make --generate "durak transfer"')
    with Progress(transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("Looking", total=None)
        found = find_all(paths, lines, games, seed, jobs or 0,
                         lambda done, of: progress.update(task, completed=done, total=of))
    number = write_all(found, keep, seed, target)
    foreign.say(f"{number} puzzles lie in {target}")
    return 0
