"""`cardtable hall`: its command line; host_tools/play/web/hall.py does the work."""

from __future__ import annotations

from pathlib import Path

import click

from host_tools.base.foreign import Number, PathName
from host_tools.commands._place import SEED_BITS, language_option

MOST = 64
LAST_PORT = 65535


@click.command(short_help="Serve many virtual tables from one computer.")
@click.argument("count", type=click.IntRange(1, MOST), metavar="TABLES")
@click.option("--game", metavar="LINE", help='The first game of each table, as in a record: "durak transfer".')
@click.option("--seats", metavar="LIST",
              help="Who plays at each, clockwise, with commas: NAME (in this browser), phone:NAME, bot, bot:PLAYER,"
                   " open.")
@language_option("Language of tables and pages.")
@click.option("--speed", type=Number(0.25, 8), default=1.0, show_default=True, help="Times real time.")
@click.option("--port", type=click.IntRange(1, LAST_PORT), default=8137, show_default=True,
              help="Port of the first table; the others have those behind it.")
@click.option("--lan", is_flag=True, help="Serve your own network, for phones. Each link holds a secret.")
@click.option("--games", type=PathName(path_type=Path, file_okay=False), default=Path("games"), show_default=True,
              help="Keep the tables and their finished games here.")
def command(count: int, game: str | None, seats: str | None, language: str, speed: float, port: int, lan: bool,
            games: Path) -> int:
    """Serve TABLES tables until Ctrl-C or SIGTERM: each is the table of `cardtable play`, at a port and in a folder of
    its own. One line gives the link of each host's page; with --lan another one gives the link for all who join.

    If a table ends by itself, a line says which, and the others play on. Start the hall again with the same --port and
    --games, and every game goes on where it stopped.

    Exit codes: 0 all were ended, 1 one of them ended by itself, 2 something cannot be used.
    """
    import secrets

    from host_tools.base.errors import UnusableInput
    from host_tools.play.seating import read_seats
    from host_tools.play.start import Wishes

    if "" in (game, seats):
        raise UnusableInput("--game or --seats is empty")
    if port + count - 1 > LAST_PORT:
        raise UnusableInput(f"--port {port} leaves no room for {count} tables: the last port is {LAST_PORT}")
    wishes = Wishes(game=game or "", seats=read_seats(seats, language) if seats else None, language=language,
                    speed=speed, port=port, lan=lan, games=games)
    try:
        games.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise UnusableInput(f"{games}: {wrong.strerror}") from wrong
    from host_tools.look.beside import add_views
    from host_tools.play.web import hall

    return hall.run(hall.list_wishes(count, wishes, lambda: secrets.randbits(SEED_BITS)), add_views)
