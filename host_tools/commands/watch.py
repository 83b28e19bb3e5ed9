"""`cardtable watch`: its command line; host_tools/look/watch.py shows the table."""

from pathlib import Path

import click
from click.core import ParameterSource

from host_tools.base import foreign
from host_tools.commands._place import make_place, page_options


@click.command(short_help="Show a running table to spectators.")
@click.option("--delay", type=foreign.Number(0, 3600), default=0.0, show_default=True, help="Seconds behind the table.")
@click.option("--records", type=foreign.PathName(path_type=Path, file_okay=False), metavar="FOLDER",
              help="Where the game's record will lie: each viewer's page then holds it against what it saw.")
@page_options
@click.argument("source", metavar="TABLE")
def command(source: str, delay: float, records: Path | None, language: str, port: int | None, lan: bool,
            address: str | None, https: Path | None,
            no_browser: bool) -> int:
    """Show a table as everybody at it sees it, to up to 2000 viewers. TABLE is the address that `cardtable play`
    printed, the serial port of a real table, or a file into which a public feed is saved.

    /overlay is a transparent page for a stream, /clock a big clock with the score. They speak the language of their
    address (/clock?language=ru), else of --language, if it is said; all other pages that of their viewer's browser.

    Exit codes: 0 ended by Ctrl-C, 2 something cannot be used.
    """
    import asyncio

    from host_tools.maker.device.ports import is_port
    from host_tools.base.errors import UnusableInput
    from host_tools.look import watch
    from host_tools.play.web import serve as ground

    if not watch.is_url(source) and not is_port(source):
        path = foreign.PathName(path_type=Path).convert(source, None, None)
        if not path.exists() or path.is_dir() or foreign.is_pipe(path):
            raise UnusableInput(f"{foreign.shorten(source, 200)}: no table there")
    hub = watch.Hub(language, records)
    is_said = click.get_current_context().get_parameter_source("language") is not ParameterSource.DEFAULT
    app = watch.make_watch(hub, language if is_said else "")
    return asyncio.run(serve(ground, watch, hub, app, source, delay, make_place(port, lan, address, https),
                             not no_browser))


async def serve(ground, watch, hub, app, source: str, delay: float, place, browser: bool) -> int:
    """Follow and serve until Ctrl-C."""
    import asyncio

    from host_tools.base.endings import end_tasks

    def complain(text: str) -> None:
        foreign.say(text, err=True)

    task = asyncio.create_task(watch.run_hub(hub, source, delay, complain))
    try:
        return await ground.serve(app, foreign.say, place=place, browser=browser)
    finally:
        await end_tasks([task])
