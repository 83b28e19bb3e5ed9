"""`cardtable match`: its command line; host_tools/judge/standing.py does the work."""

from pathlib import Path

import click

from host_tools.base import foreign


@click.command(short_help="Add up the games of a match.")
@click.argument("paths", metavar="RECORD...", nargs=-1, required=True,
                type=foreign.PathName(path_type=Path, exists=True))
def command(paths: tuple[Path, ...]) -> int:
    """Add up the games of a match from their records: for each player, by name, games played and lost, how often
    the player went out first, epaulettes in Durak, and what is owed in Malice. A folder stands for the records in it.

    Exit codes: 0 right, 2 a file is no record.
    """
    from host_tools.judge import standing

    files = [file for path in paths for file in (sorted(path.rglob("*.rec")) if path.is_dir() else [path])]
    players, count = standing.add_up(files)
    for line in standing.tell(players, count):
        foreign.say(line)
    return 0
