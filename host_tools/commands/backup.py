"""`cardtable backup`: its command line; host_tools/club/keeping.py does the work."""

from pathlib import Path

import click

from host_tools.base.foreign import PathName
from host_tools.commands._place import kept_options


@click.command(short_help="Keep games, a tournament and keys in one file.")
@click.argument("path", metavar="FILE", type=PathName(path_type=Path, dir_okay=False, pipe_okay=False))
@kept_options
def command(path: Path, games: Path | None, database: str | None, keys: Path | None) -> None:
    """Keep what you name in one file, whole or not at all, while tables play and others work. Only you can read the
    file: with --keys it holds secrets.

    Exit codes: 0 done, 2 something cannot be used.
    """
    from host_tools.base import foreign
    from host_tools.club import keeping

    counts = keeping.backup(keeping.Things(games, database or "", keys), path)
    foreign.say(f"{path}: {keeping.tell(counts)}")
