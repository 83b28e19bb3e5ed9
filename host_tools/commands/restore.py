"""`cardtable restore`: its command line; host_tools/club/keeping.py does the work."""

from pathlib import Path

import click

from host_tools.base.foreign import PathName
from host_tools.commands._place import kept_options


@click.command(short_help="Bring back what a backup holds.")
@click.argument("path", metavar="FILE", type=PathName(path_type=Path, exists=True, dir_okay=False, pipe_okay=False))
@kept_options
def command(path: Path, games: Path | None, database: str | None, keys: Path | None) -> None:
    """Bring what you name back, into folders and a database that hold nothing yet. Every file is compared with the list
    in the backup first; nothing is ever replaced.

    Exit codes: 0 done, 2 something cannot be used.
    """
    from host_tools.base import foreign
    from host_tools.club import keeping

    counts = keeping.restore(path, keeping.Things(games, database or "", keys))
    foreign.say(f"{path}: {keeping.tell(counts)}")
