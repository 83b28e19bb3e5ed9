"""`cardtable view`: its command line; host_tools/look/ makes the pages."""

from pathlib import Path

import click

from host_tools.base import foreign
from host_tools.commands._place import make_place, page_options


@click.command(short_help="Watch a finished game again in a browser (also: playback).")
@click.option("--html", "page", metavar="FILE", type=foreign.PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              help="Write the game as one page that needs no network, and serve nothing.")
@click.option("--picture", nargs=2, metavar="LINE FILE", default=None,
              type=(click.IntRange(1, 10_000_000), foreign.PathName(path_type=Path, dir_okay=False, pipe_okay=False)),
              help="Write a picture of the table before that line: .svg, or .png (needs Chromium; after the line).")
@click.option("--as", "reader_name", metavar="SEAT|public|all",
              help="Show it only as this reader sees it; by default one can choose in the page.")
@click.option("--analysis", metavar="FILE", type=foreign.PathName(path_type=Path, dir_okay=False),
              help="Mark the mistakes that `cardtable analyse --json` found in this game.")
@page_options
@click.argument("path", metavar="RECORD", type=foreign.PathName(path_type=Path))
def command(path: Path, page: Path | None, picture: tuple[int, Path] | None, reader_name: str | None,
            analysis: Path | None, language: str, port: int | None, lan: bool,
            address: str | None, https: Path | None, no_browser: bool) -> int:
    """Open a game on the table's own page: step, play, jump to refusals, takes, undos and mistakes, look with each
    player's eyes.
    A game without a result is shown as the public saw it.

    Exit codes: 0 shown, 2 a record, a line or a file that cannot be used.
    """
    from host_tools.base.errors import UnusableInput
    from host_tools.look.bundle import bundle
    from host_tools.look.frames import make_frames
    from host_tools.look.judged import read_analysis
    from host_tools.sight.recorded import read_record
    from host_tools.base.files import write_file

    if reader_name == "":  # such as a shell's variable that is not set
        raise UnusableInput("--as is empty")
    place = make_place(port, lan, address, https)
    record = read_record(path)
    readers = [record.reader(reader_name)] if reader_name else None
    figures = read_analysis(analysis, record) if analysis is not None else None
    if page is not None or picture is not None:
        if page is not None:
            write_file(page, bundle("view", make_frames(record, language, readers, figures)).encode())
            foreign.say(str(page))
        if picture is not None:
            write_picture(record, picture[0], picture[1], reader_name or "", language)
            foreign.say(str(picture[1]))
        return 0
    import asyncio

    from host_tools.look import site
    from host_tools.play.web.serve import serve
    from host_tools.look.library import Library

    app = site.make_site(Library(path.parent, language, only=path, reader=reader_name or "", analysis=figures))
    return asyncio.run(serve(app, foreign.say, place=place, browser=not no_browser))


def write_picture(record, line: int, target: Path, reader_name: str, language: str) -> None:
    """One moment as a file. UnusableInput."""
    from host_tools.base.errors import UnusableInput
    from host_tools.look import answer, picture, screenshot
    from host_tools.look.bundle import bundle
    from host_tools.look.frames import make_frames
    from host_tools.sight.recorded import ALL, PUBLIC
    from host_tools.base.files import write_file

    reader = record.reader(reader_name or (ALL if record.is_over else PUBLIC))
    found = answer.answer(record, reader, line, language)
    if target.suffix == ".svg":
        write_file(target, picture.draw(found).encode())
    elif target.suffix == ".png":
        screenshot.find_browser()
        write_file(target, screenshot.take(bundle("view", make_frames(record, language, [reader])), line, reader.name))
    else:
        raise UnusableInput(f"{target}: a picture is an .svg or a .png")
