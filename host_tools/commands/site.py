"""`cardtable site`: its command line; host_tools/look/published/ does the work."""

from pathlib import Path

import click

from host_tools.base import foreign


@click.command(short_help="Make the site: a table to play at, without a server.")
@click.argument("target", type=foreign.PathName(path_type=Path, file_okay=False), metavar="DIRECTORY")
@click.option("--address", help="Where it will stand: the first door of README.md leads there from now on.")
def command(target: Path, address: str | None) -> None:
    """Make a folder that any web server can give out: the table in a page, with virtual players, the rulebook, the
    boards, and a page that shows recorded games. Nothing of it needs a server of ours, nor a network once it is loaded.

    The folder is new, or a site that this command has made before and in which nothing else lies; that goes once the
    new one is written. npm and node have to be installed: they bring Python
    for browsers, once.

    Exit codes: 0 all went well, 2 something cannot be used.
    """
    from host_tools.look.published.build import build, open_door

    if address is not None:
        open_door(address)
    sizes = build(target)
    foreign.say(f"{target}: {len(sizes)} files, {sum(sizes.values()) / 1e6:.1f} MB;"
                f" to try it: python3 -m http.server --directory {target}")
