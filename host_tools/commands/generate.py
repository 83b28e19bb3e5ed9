"""`cardtable generate`: its command line; host_tools/minds/corpus/ writes the games."""

from pathlib import Path

import click

from host_tools.base.foreign import PathName
from host_tools.commands._place import language_option


@click.command(short_help="Write realistic games of virtual players, as many as you like.")
@click.option("--game", "line", required=True, help='A game, whose options are drawn, or a line: "durak transfer".')
@click.option("--count", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="Games.")
@click.option("--seed", type=click.IntRange(0, 1_000_000), default=1, show_default=True, help="Seed of all of them.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes; by default one for each core.")
@click.option("--to", "folder", type=PathName(path_type=Path, file_okay=False), default=Path("corpus"),
              show_default=True,
              help="Folder for the records.")
@language_option()
def command(line: str, count: int, seed: int, jobs: int | None, folder: Path, language: str) -> int:
    """Write records of whole games: presets, options, seats and kinds of players chosen at random, human times,
    attempts that are refused, and plays taken back. The same seed writes the same bytes, whatever the number of
    processes.

    Exit codes: 0 written, 2 something cannot be used.
    """
    import sys

    from rich.progress import Progress

    from host_tools.base import foreign
    from host_tools.minds.corpus.generate import write_corpus
    from host_tools.minds.corpus.wording import Wording

    words = Wording(language)
    with Progress(transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(words.say("playing"), total=count)
        for _ in write_corpus(line, count, seed, folder, jobs or 0, lambda done: progress.update(task, completed=done)):
            pass
    foreign.say(words.say("written", games=words.count("games", count), folder=folder))
    return 0
