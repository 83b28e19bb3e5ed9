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
    A game counts once, however often its record is there; one that has no result yet, that was aborted, or that was
    played on from a finished one counts for nobody, and so does a record that was changed.

    Exit codes: 0 right, 1 a file is no record that can be played or was changed, 2 none can be played.
    """
    from host_tools.base.files import list_files
    from host_tools.judge import standing

    players, count, notes = standing.add_up(list_files(paths, ".rec"))
    for line in standing.tell(players, count):
        foreign.say(line)
    for note in notes:
        foreign.say(foreign.shorten(note, 400), err=True)
    return int(bool(notes))
