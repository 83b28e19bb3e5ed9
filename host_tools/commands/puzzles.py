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
        context.default_map = {context.invoked_subcommand: {"language": language}}
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
@click.option("--shipped", "is_shipped", is_flag=True, help="Make those that come along again, from their own games.")
@click.option("--seed", type=click.IntRange(0, 1_000_000), help="Seed of those games; by default 1, of the shipped 34.")
@click.option("--keep", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Puzzles, at most.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes; by default one for each core.")
@click.option("--to", "target", type=PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              default=Path("games/puzzles.txt"), show_default=True,
              help="File for them; the page of puzzles shows those of games/puzzles.txt as yours.")
@language_option()
def make(paths: tuple[Path, ...], lines: tuple[str, ...], games: int, is_shipped: bool, seed: int | None, keep: int,
         jobs: int | None, target: Path, language: str) -> int:
    """Look for positions in which one play alone is right: in finished games (files or folders of records), in
    generated ones, or in both. A second solver confirms each. Those that their player missed come first.

    Exit codes: 0 written, 2 something cannot be used, or no puzzle was found.
    """
    import sys

    from rich.progress import Progress

    from host_tools.base import foreign
    from host_tools.base.errors import UnusableInput
    from host_tools.look.wording import Wording
    from host_tools.minds.puzzles.making import SHIPPED_SEED, make_shipped, make_some, write_all

    if is_shipped == bool(paths or lines):
        raise UnusableInput('Name records, or games to generate: cardtable puzzles make --generate "durak transfer"; '
                            "or say --shipped alone")
    words = Wording(language)
    with Progress(transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(words.say("puzzle.looking"), total=None)

        def tell(done: int, of: int) -> None:
            progress.update(task, completed=done, total=of)

        if is_shipped:
            puzzles = make_shipped(SHIPPED_SEED if seed is None else seed, jobs or 0, tell)
        else:
            puzzles = make_some(paths, lines, games, keep, 1 if seed is None else seed, jobs or 0, tell)
    count = write_all(puzzles, target)
    foreign.say(words.say("puzzle.written", puzzles=words.count("puzzles", count), file=target))
    return 0
