"""`cardtable games`: its command line; host_tools/look/ lists, serves and collects."""

from pathlib import Path

import click

from host_tools.base import foreign
from host_tools.commands._place import make_place, page_options


@click.command(short_help="List, search and watch a folder of games.")
@click.option("--list", "is_list", is_flag=True, help="Print the list, and serve nothing.")
@click.option("--find", metavar="WORDS", help="Only games in which all these words stand.")
@click.option("--export", "target", metavar="FILE",
              type=foreign.PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              help="Write the list as .csv or .json, or whole games to read as .txt.")
@click.option("--pull", "pulls", is_flag=True, help="First bring the records of every connected table here.")
@click.option("--from", "ports", metavar="PORT", multiple=True, type=foreign.PathName(),
              help="With --pull: only from this serial port; can be said more than once.")
@click.option("--all", "wants_all", is_flag=True, help="With --pull: also records that were pulled before.")
@page_options
@click.argument("folder", metavar="DIRECTORY", type=foreign.PathName(path_type=Path, file_okay=False))
def command(folder: Path, is_list: bool, find: str | None, target: Path | None, pulls: bool, ports: tuple[str, ...],
            wants_all: bool, language: str, port: int | None, lan: bool,
            address: str | None, https: Path | None, no_browser: bool) -> int:
    """Show the games of a folder as a list, and open each on a page of its own. Nothing in the folder is ever
    overwritten.

    Exit codes: 0 right, 1 a table could not be read, 2 something cannot be used.
    """
    from host_tools.base.errors import UnusableInput
    from host_tools.look.library import WRITERS, Library, export, matches
    from host_tools.base.files import write_file

    if find == "":  # such as a shell's variable that is not set
        raise UnusableInput("--find is empty")
    failed = 0
    if pulls or ports:
        from host_tools.maker.device.ports import list_ports
        from host_tools.look.collect import collect

        failed = collect(list(ports) or list_ports(), folder, wants_all, foreign.say)
    library = Library(folder, language)
    library.paths()
    if target is not None and target.suffix not in WRITERS:
        raise UnusableInput(f"{target}: a list is a {', '.join(WRITERS)}")
    if is_list or target is not None:
        entries = [entry for entry in library.entries() if matches(entry, find or "")]
        if target is not None:
            write_file(target, export(library, entries, target.suffix).encode())
            foreign.say(str(target))
        for entry in entries if is_list else ():
            said = f"{entry.game}: {', '.join(entry.players)}. {entry.result}" if entry.kind else entry.trouble
            foreign.say(f"{entry.date:16}  {entry.length:>6}  {entry.seal:8} {entry.name}  {said}")
        return 1 if failed else 0
    import asyncio

    from host_tools.look import site
    from host_tools.play.web.serve import serve

    app = site.make_site(library)
    place = make_place(port, lan, address, https)
    return asyncio.run(serve(app, foreign.say, place=place, browser=not no_browser)) or (failed > 0)
