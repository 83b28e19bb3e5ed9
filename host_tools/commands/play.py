"""`cardtable play`: its command line; host_tools/play/ and host_tools/play/web/ do the work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from host_tools.commands._place import OWN, SEED_BITS, language_option, make_place, real_options
from host_tools.base.foreign import Number, PathName


@click.command(short_help="Sit down and play at the virtual table, in a browser.")
@click.option("--game", metavar="LINE", help='The game, as in a record: "durak transfer".')
@click.option("--learn", metavar="GAME", help="Begin with a first game of durak, bailiff, malice or cals-bs.")
@click.option("--from", "origin", metavar="RECORD:LINE",
              help="Play on from that line of a finished game, against virtual players.")
@click.option("--as", "own_seat", metavar="SEAT", help="With --from: whom to play, by name or seat; by default who "
              "plays at that line.")
@click.option("--anew", is_flag=True, help="With --from: deal hidden cards again, as that seat could not know better.")
@click.option("--seats", metavar="LIST",
              help="Who plays, clockwise, with commas: NAME (in this browser), phone:NAME, bot, bot:PLAYER, open.")
@click.option("--board", default="virtual", show_default=True, help="The board file, boards/NAME.py.")
@language_option("Language of table and page.")
@click.option("--seed", type=int, help="Seed of shuffles and virtual players; by default a new one each time.")
@click.option("--speed", type=Number(0.25, 8), default=1.0, show_default=True, help="Times real time.")
@click.option("--port", type=click.IntRange(1, 65535),
              help="Port of the page; by default the first free one from 8137.")
@click.option("--lan", is_flag=True, help="Serve your own network, for phones. Each link holds a secret.")
@real_options
@click.option("--no-browser", is_flag=True, help="Open no browser.")
@click.option("--text", is_flag=True, help="Play in this terminal, without a browser.")
@click.option("--games", type=PathName(path_type=Path, file_okay=False), default=Path("games"), show_default=True,
              help="Keep the table and its finished games here.")
@click.option("--runtime", type=click.Choice(["micropython", "cpython"]),
              help="Interpreter of the firmware; by default MicroPython, if it is installed.")
@click.option("--alone", is_flag=True, help="Show one game of virtual players in this terminal, and exit.")
def command(game: str | None, learn: str | None, origin: str | None, own_seat: str | None, anew: bool,
            seats: str | None, board: str, language: str, seed: int | None, speed: float, port: int | None, lan: bool,
            address: str | None, https: Path | None, readers: bool, no_browser: bool, text: bool, games: Path,
            runtime: str | None, alone: bool) -> int:
    """Start a table that runs the real firmware on virtual hardware, and open it in a browser. Play alone against
    virtual players, or with friends: each seat can have a link for a phone.

    It serves until Ctrl-C or SIGTERM. `--alone` starts one game of virtual players through the page's protocol, says
    what happens, and ends with the game.

    Exit codes: 0 all went well, 1 the game did not finish, 2 something cannot be used.
    """
    import secrets
    import sys

    from host_tools.base.errors import UnusableInput
    from host_tools.play.seating import read_seats
    from host_tools.play.start import Wishes, read_origin

    if "" in (game, learn, seats, origin, own_seat):  # such as a shell's variable that is not set
        raise UnusableInput("--game, --learn, --from, --as or --seats is empty")
    if origin is None and (own_seat or anew):
        raise UnusableInput("--as and --anew belong to --from")
    if origin is not None and (game or learn or seats or alone or readers or https == Path(OWN)):
        raise UnusableInput("--from chooses game and seats itself, with cards of this table: leave out --game, "
                            "--learn, --seats, --alone and real cards")
    if learn is not None and (game or seats or alone):
        raise UnusableInput("--learn chooses game and seats itself: leave out --game, --seats and --alone")
    real = readers or https == Path(OWN)
    if real and (alone or text):
        raise UnusableInput("real cards are played with pages: leave out --alone and --text")
    if https == Path(OWN):
        https, lan = make_certificate(games), True
    place = make_place(port, lan, address, https)
    if alone and (address or https):
        raise UnusableInput("--alone plays at its own address, without TLS")
    wishes = Wishes(
        address=place.address, https=https, real=real, readers=readers,
        game=game or "", learn=learn or "",
        origin=read_origin(origin, own_seat or "", anew) if origin else None,
        seats=read_seats(seats, language) if seats else None, board=board, language=language,
        seed=secrets.randbits(SEED_BITS) if seed is None else seed, speed=speed, port=port or 0, lan=lan,
        browser=not no_browser and sys.stdout.isatty(), games=games, runtime=runtime or "", alone=alone)
    try:
        games.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise UnusableInput(f"{games}: {wrong.strerror}") from wrong
    if text:
        from host_tools.play.terminal import run as run_text

        if wishes.origin is not None:
            tell_origin(wishes.origin, language, games)
        return tell_engines(run_text(wishes))
    from host_tools.base.arenas import share_one
    from host_tools.look.beside import add_views
    from host_tools.play.web.run import run

    share_one()
    return tell_engines(run(wishes, add_views))


def tell_engines(code: int) -> int:
    """Say on standard error what engines at the table did wrong; that exit code."""
    from host_tools.base import foreign
    from host_tools.minds.players import engine

    if engine.troubles:
        from host_tools.minds.arena.report import write_troubles

        for text in write_troubles(engine.troubles):
            foreign.say(text, err=True)
    return code


def tell_origin(origin: Any, language: str, games: Path) -> None:
    """How often each play of that moment comes out well, before it is played on in a terminal. UnusableInput."""
    from host_tools.base import foreign
    from host_tools.look.library import Library
    from host_tools.look.tried import moment_lines
    from host_tools.play.continued import find_seat
    from host_tools.sight.recorded import read_record

    record = read_record(origin.path)
    seat = record.find_seat(origin.seat) if origin.seat else find_seat(record, origin.line)
    kept = Library(games, language).kept
    for line in moment_lines(record, origin.line, seat, origin.is_anew, language, kept):
        foreign.say(line)


def make_certificate(games: Path) -> Path:
    """The folder of this table's own certificate. UnusableInput."""
    from host_tools.club.wire.certificate import make_own, own_names

    make_own(games / "certificate", own_names())
    return games / "certificate"
