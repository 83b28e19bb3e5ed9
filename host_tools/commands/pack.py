"""`cardtable pack`: its command line; host_tools/judge/replay/sources.py does the work."""

from pathlib import Path

import click

from host_tools.base import foreign


@click.command(short_help="Put many records into one file.")
@click.argument("target", type=foreign.PathName(path_type=Path, dir_okay=False, pipe_okay=False), metavar="FILE")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
def command(target: Path, paths: tuple[str, ...]) -> None:
    """Put many records into one new file, which `cardtable replay` reads. Its ending says of which kind: .sqlite, .zip,
    .tar, .tar.gz, .tar.xz, .tar.bz2, or .tar.zst, which needs `pip install 'cardtable[zst]'`.

    PATH is a record, a folder, or another such file.

    Exit codes: 0 all went well, 2 something cannot be used.
    """
    from host_tools.judge.replay.sources import find_records, pack

    foreign.say(f"{target}: {pack(target, find_records(paths))} records")
