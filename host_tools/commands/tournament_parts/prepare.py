"""`cardtable tournament new, add, paid, withdraw, table`: who plays what, before and between the rounds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from host_tools.base import foreign
from host_tools.commands.tournament_parts._shared import (
    ARBITER,
    MONEY,
    SEATS,
    SHARES,
    commands,
    count_things,
    database,
    not_empty,
    opened,
)
from host_tools.base.errors import UnusableInput

if TYPE_CHECKING:
    from host_tools.club.tournament.state import State


@click.command(short_help="Begin a tournament.")
@click.argument("name", metavar="NAME")
@click.option("--game", default="durak throw-in", show_default=True, help='A game and its rules: "durak transfer".')
@click.option("--format", "form", type=click.Choice(["points", "round-robin", "knock-out"]), default="points",
              show_default=True, help="Who meets whom.")
@click.option("--counts", type=click.Choice(["places", "fools", "winners"]), default=None,
              help="What a game counts: the order of going out, who is the fool, or who wins.  [default: places]")
@click.option("--rounds", type=click.IntRange(1, 99), default=5, show_default=True)
@click.option("--games", type=click.IntRange(1, 99), default=1, show_default=True, help="Games of a table in a round.")
@click.option("--seats", type=SEATS, default="2-4-6", show_default=True, metavar="FEWEST-BEST-MOST",
              help="Players of a table.")
@click.option("--advance", type=click.IntRange(0, 6), default=0,
              help="Knock-out by winners: how many of a table go on.  [default: the better half]")
@click.option("--fee", type=MONEY, default="0", metavar="MONEY", help="What each player pays.")
@click.option("--added", type=MONEY, default="0", metavar="MONEY", help="What the club adds to the pool.")
@click.option("--prizes", type=SHARES, default="50,30,20", show_default=True, metavar="SHARES",
              help="How the pool is shared, first place first.")
@click.option("--duplicate", is_flag=True, help="Every table plays the same deals.")
@click.option("--minutes", type=click.IntRange(0, 600), default=0,
              help="Of a round: its clock counts them down.  [default: no limit]")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=None, help="Of all lots; without it, by chance.")
@database
def new(name: str, game: str, form: str, counts: str | None, rounds: int, games: int, seats: tuple[int, int, int],
        advance: int, fee: int, added: int, prizes: tuple[int, ...], duplicate: bool, minutes: int,
        seed: int | None, database: str) -> None:
    """Begin a tournament in a new database."""
    import secrets

    from host_tools.club.tournament.director import new_director
    from host_tools.club.tournament.plan import KNOCK_OUT, Plan, check_name

    low, best, high = seats
    counts = counts or ("fools" if form == KNOCK_OUT else "places")
    plan = Plan(check_name(name, "tournament", 60), " ".join(game.split()), form, counts, rounds, games, low,
                high, best, advance, fee, added, prizes, duplicate, secrets.randbits(62) if seed is None else seed,
                minutes)
    new_director(database, plan, ARBITER).close()
    foreign.say(f"{plan.name} begins. Add the players, then seat the first round.")


@click.command(short_help="Add players.")
@click.argument("names", metavar="NAME...", nargs=-1)
@click.option("--from", "path", metavar="FILE", type=foreign.PathName(path_type=Path),
              help="A CSV file: player, club, team; where it says none, --club and --team count.")
@click.option("--club", default=None, callback=not_empty,
              help="Players of one club do not meet as long as that is possible.")
@click.option("--team", default=None, callback=not_empty,
              help="Players of one team are kept apart as far as possible; a team's points are its players'.")
@click.option("--unpaid", is_flag=True, help="They owe their fee: it is not in the pool.")
@database
def add(names: tuple[str, ...], path: Path | None, club: str | None, team: str | None, unpaid: bool,
        database: str) -> None:
    """Add players, also late ones: they play from the next round on. All of them, or nobody."""
    from host_tools.base.errors import UnusableInput
    from host_tools.club.tournament.people import add_players
    from host_tools.club.tournament.typed import read_players

    players = [(name, "", "") for name in names]
    if path is not None:
        try:
            players += read_players(foreign.read_text(path), str(path))
        except foreign.Unreadable as wrong:
            if not isinstance(wrong.__cause__, UnicodeDecodeError):
                raise
            raise UnusableInput(f"{path}: it is not in UTF-8: choose `CSV UTF-8` where the spreadsheet saves it"
                                ) from wrong
    players = [(name, own_club or club or "", own_team or team or "") for name, own_club, own_team in players]
    if not players:
        raise UnusableInput("name the players, or a file with --from")
    with opened(database) as director:
        count = add_players(director, ARBITER, players, not unpaid)
        foreign.say(f"{len(players)} added; {count_things(count, 'player is', 'players are')} there.")


@click.command(short_help="Players who owed their fee have paid it.")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@database
def paid(names: tuple[str, ...], database: str) -> None:
    """Put the fees of players who were added with --unpaid into the pool. All of them, or none."""
    from host_tools.club.tournament.plan import find_name
    from host_tools.club.tournament.prizes import count_pool, money

    with opened(database) as director:
        director.transact(ARBITER, lambda state: ([("player paid", {"name": find_name(name, state.players)})
                                                   for name in names], [], None))
        foreign.say(f"The pool is {money(count_pool(director.state))}.")


@click.command(short_help="A player leaves, does not come, or comes back.")
@click.argument("name", metavar="NAME")
@click.option("--reason", default="left", show_default=True)
@click.option("--no-show", is_flag=True, help="Seated in this round, and not there: the table plays without.")
@click.option("--refund", is_flag=True, help="The fee goes back; only before the first seat.")
@click.option("--back", is_flag=True, help="The player is there again.")
@database
def withdraw(name: str, reason: str, no_show: bool, refund: bool, back: bool, database: str) -> None:
    """Seat a player no more; what was played counts."""
    from host_tools.club.tournament.people import check_reason
    from host_tools.club.tournament.plan import find_name

    reason = check_reason(reason)
    with opened(database) as director:
        name = find_name(name, director.state.players)
        if back:
            director.act(ARBITER, "player back", name=name)
            foreign.say(f"{name} plays again from the next round on.")
            return
        with director.looking() as state:
            number, table = find_seat(state, name)
        if no_show:
            director.act(ARBITER, "no show", name=name)
            few = table and table not in director.state.rounds[number - 1].groups
            foreign.say(f"{name} is not there: "
                        + (f"too few are left at {table}, and sit out." if few else "the table plays without.")
                        + " Withdraw a player who does not come at all.")
            return
        director.act(ARBITER, "player left", name=name, reason=reason, refund=refund)
        foreign.say(f"{name} is seated no more.")
        if table:
            has_played = bool(director.state.results_of(director.state.rounds[number - 1], table))
            foreign.say(f"{table} still owes a game of round {number} with {name}: " + (
                f"enter its result with {name} in the last place, or close the round." if has_played else
                "enter its slip, or say --no-show if it plays without."))


def find_seat(state: State, name: str) -> tuple[int, str]:
    """The round that goes on, and the table at which that player has a game to play; 0 and nothing for none."""
    one = state.round
    owed = {key[1] for key in state.missing_keys(one)} if one and not one.closed else set[str]()
    table = next((table for table in owed if one and name in one.groups[table]), "")
    return (one.number, table) if one and table else (0, "")


@click.command(short_help="Name a table, with its key if you have a copy.")
@click.argument("name", metavar="NAME")
@click.option("--key", "key_path", metavar="FILE", type=foreign.PathName(path_type=Path), default=None,
              help="The table's key, `key.bin` of its flash: its records are then checked against forgers.")
@click.option("--port", default=None, callback=not_empty, metavar="PORT",
              help="Take the key from the table itself, at this serial port, between two games.")
@click.option("--watch", default=None, callback=not_empty, metavar="URL",
              help="The table's spectators' page, as `cardtable watch` serves it.")
@click.option("--gone", is_flag=True, help="Leave it out from the next round on. Its results stay.")
@database
def table(name: str, key_path: Path | None, port: str | None, watch: str | None, gone: bool, database: str) -> None:
    """Name the tables that there are: as many are used, and no more. Without any, tables get numbers. A table that is
    named again keeps what is not said."""
    from host_tools.commands.verify import read_key
    from host_tools.club.tournament.people import check_address, name_table
    from host_tools.club.tournament.plan import check_name

    name = check_name(name, "table")
    watch = check_address(watch, "--watch") if watch is not None else ""
    if key_path and port:
        raise UnusableInput("--key or --port brings the key, not both")
    if gone and (key_path or port or watch):
        raise UnusableInput("--gone stands alone")
    key = read_key(key_path).hex() if key_path else take_key(port).hex() if port else ""
    with opened(database) as director:
        if not gone:
            name_table(director, ARBITER, name, key, watch)
            named = director.state.tables()
            foreign.say(f"{name} is used again from the next round on." if name not in named else
                        "1 table is named. The next round is played at it alone: name the others, too."
                        if len(named) == 1 else
                        f"{len(named)} tables are named. The next round is played at these alone.")
            return
        director.act(ARBITER, "table gone", name=name)
        foreign.say(f"{name} is left out from the next round on.")
        one = director.state.round
        if one and not one.closed and any(owed[1] == name for owed in director.state.missing_keys(one)):
            foreign.say(f"It still owes games of round {one.number}: enter their slips, or close the round.")


def take_key(port: str) -> bytes:
    """The key of the table at that serial port. UnusableInput."""
    from cardtable.between.keys import KEY_BYTES
    from host_tools.maker.device.table import Table, TableError

    try:
        with Table(port) as at_port:
            key = at_port.read("key.bin")
    except TableError as wrong:
        raise UnusableInput(f"{port}: {wrong}") from wrong
    if len(key) != KEY_BYTES:
        raise UnusableInput(f"{port}: the table's key has {len(key)} bytes, not {KEY_BYTES}")
    return key


COMMANDS = commands(new, add, paid, withdraw, table)
