"""`cardtable tournament attend` and `simulate`: a tournament on the network; host_tools/club/wire/ does the work."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from host_tools.base import foreign
from host_tools.commands._place import metrics_option
from host_tools.commands.tournament_parts._shared import commands, database, opened

if TYPE_CHECKING:
    from host_tools.club.tournament.director import Director


@click.command(short_help="Take records in from the network, and hand orders out.")
@click.option("--broker", "url", default="mqtt://127.0.0.1:1883", show_default=True,
              help="mqtt://HOST:PORT, or mqtts://HOST:PORT with TLS.")
@click.option("--account", type=foreign.PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              help="File with name and password.")
@click.option("--trust", type=foreign.PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              help="The broker's certificate, for mqtts.")
@click.option("--as", "event", default=None, metavar="NAME",
              help="The tournament's name on the network, where another one has it.  [default: of its own name]")
@metrics_option
@database
def attend(url: str, account: Path | None, trust: Path | None, event: str | None, metrics: int | None,
           database: str) -> int:
    """Put the tournament on the network: a table that offers a record gets its receipt once the record is stored, and
    each table gets the set-up of its next game. Stop it at any moment: tables offer their records again. The page
    `docs/network.md` leads through it."""
    from host_tools.base.errors import UnusableInput
    from host_tools.club.wire import attend, topics
    from host_tools.club.wire.link import read_address

    if event is not None and not topics.is_name(event):
        raise UnusableInput(f"--as has a to z, 0 to 9, - and _, at most {topics.NAME_LIMIT} of them:"
                            f" {foreign.shorten(topics.to_name(event) or event)}?")
    address = read_address(url, account, trust)
    with opened(database) as director:
        return asyncio.run(attend.serve(director, address, foreign.note, metrics or 0, event or ""))


@click.command(short_help="Play a whole tournament with virtual players, through a real broker.")
@click.option("--players", type=click.IntRange(2, 10_000), default=500, show_default=True)
@click.option("--game", default="durak throw-in", show_default=True, help='A game and its rules: "durak transfer".')
@click.option("--engine", type=click.Choice(["embedded", "mosquitto"]),
              help="The broker inside Cardtable, or Debian's; by default the first for as many players as it carries.")
@click.option("--seed", type=click.IntRange(0, 2**62), default=1, show_default=True, help="Of lots and games.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes that play; by default one for each core.")
@click.option("--keep", type=foreign.PathName(path_type=Path, dir_okay=False, pipe_okay=False), metavar="FILE",
              help="Keep the tournament in this database.")
@click.option("--page", is_flag=True, help="Serve the tournament's pages meanwhile, and until Ctrl-C.")
@click.option("--no-browser", is_flag=True, help="Open no browser.")
def simulate(players: int, game: str, engine: str | None, seed: int, jobs: int | None, keep: Path | None, page: bool,
             no_browser: bool) -> int:
    """Play a knock-out from the first round to the last: each table is a client of the broker, gets its orders over the
    network, and offers its sealed record until its receipt comes. The report says how many messages it took, and how
    long a receipt.

    Exit codes: 0 every game was counted once, 1 it was not, 2 something cannot be used.
    """
    from host_tools.club.wire import simulate

    engine = simulate.choose_engine(players, engine or "")
    wishes = simulate.Wishes(players, game, engine, seed=seed, jobs=jobs or 0, keep=keep)
    return simulate.run(wishes, foreign.say, functools.partial(served, not no_browser) if page else None)


@contextlib.asynccontextmanager
async def served(opens_browser: bool, director: Director) -> AsyncIterator[None]:
    """The pages of the tournament, while it is played and until Ctrl-C."""
    from host_tools.club.tournament.site import make_site
    from host_tools.play.web import serve as ground
    from host_tools.play.web.door import until_told

    async with ground.opened(make_site(director)) as address:
        foreign.say(f"The standings fill here: {address}/standings")
        if opens_browser:
            await ground.open_browser(f"{address}/standings")
        yield
        foreign.say("Ctrl-C ends the pages.")
        await until_told(foreign.say, "")


COMMANDS = commands(attend, simulate)
