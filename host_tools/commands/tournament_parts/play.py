"""`cardtable tournament round, orders, take, result, correct, decide, rehearse`: while a round goes on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from host_tools.base import foreign
from host_tools.commands.tournament_parts._shared import (
    ARBITER, LETTERS, commands, count_things, database, not_empty, opened, say_misfits,
)

if TYPE_CHECKING:
    from host_tools.club.tournament.director import Director
    from host_tools.club.tournament.state import Dispute, State


def tell_round(director: Director) -> None:
    """Who sits where."""
    with director.looking() as state:
        one = state.round
        assert one is not None
        lines = [f"{table:<12} {'; '.join(group)}" for table, group in one.groups.items()]
        lines = [f"Round {one.number}", *lines]
        lines += [f"sits out     {name}" for name in one.byes] + one.gave_up
        if state.disputes:
            waits = count_things(len(state.disputes), "result waits", "results wait")
            lines.append(f"{waits} for the arbiter: `cardtable tournament decide` lists them.")
    for line in lines:
        foreign.say(line)


@click.command("round", short_help="Seat the next round.")
@click.option("--close", "reason", metavar="REASON", default=None,
              help="First close the round that goes on: games without a result count for nobody.")
@click.option("--show", is_flag=True, help="Show the round that goes on, and seat nothing.")
@database
def seat(reason: str | None, show: bool, database: str) -> None:
    """Seat the next round, once every game of the last one has its result. A plan always comes; it says what could not
    be."""
    from host_tools.base.errors import UnusableInput
    from host_tools.club.tournament.people import check_reason
    from host_tools.club.tournament.rounds import close_round, seat_round

    with opened(database) as director:
        one = director.state.round
        if one is None and (show or reason is not None):
            raise UnusableInput("no round has been seated yet")
        why = None
        if reason is not None and one is not None and not show:
            why = close_round(director, ARBITER, one.number, check_reason(reason))
        elif not show:
            seat_round(director, ARBITER)
        if why is not None:
            foreign.say(f"Round {one.number if one else 0} is closed, and no other is seated: {why}")
            return
        tell_round(director)


@click.command(short_help="Write what each table plays next.")
@click.option("--to", "folder", metavar="FOLDER", type=foreign.PathName(path_type=Path, file_okay=False), default=None,
              help="One file TABLE.txt for each table: copied to setup.txt, `cardtable device put` brings it there.")
@database
def orders(folder: Path | None, database: str) -> None:
    """Tell, or write, the set-up of each table's next game: who plays, the rules, and what makes its record count."""
    from host_tools.base.files import write_file
    from host_tools.club.tournament.intake import orders as list_orders
    from host_tools.club.tournament.room import file_names

    with opened(database) as director:
        found, name = list_orders(director), director.plan.name
    names = file_names(order.table for order in found)
    for order in found:
        where = ""
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{names[order.table]}.txt"
            write_file(path, order.setup.encode())
            where = f"  {path}"
        foreign.say(f"{order.table:<12} game {order.game}  {'; '.join(order.players)}{where}")
    if not found:
        foreign.say("No table has a game to play.")
    written = {f"{one}.txt" for one in names.values()}
    for path in sorted(folder.glob("*.txt")) if folder is not None else ():
        if path.name not in written and f"\ntournament: {name}\n" in foreign.read_text(path):
            foreign.say(f"{path} is an order of before, and no game that is due: bring it to no table")


@click.command(short_help="Take in records.")
@click.argument("paths", metavar="RECORD...", nargs=-1, required=True,
                type=foreign.PathName(path_type=Path, exists=True))
@database
def take(paths: tuple[Path, ...], database: str) -> int:
    """Take in the records of tables, or folders of them. Each is checked, and counts once, however often it comes.

    Exit codes: 0 all of them count, 1 one waits for the arbiter or does not count, 2 something cannot be used.
    """
    from host_tools.base.files import list_files, path_as_text
    from host_tools.club.tournament.intake import DISPUTED, REFUSED, offer_all

    files = list_files(paths, ".rec")
    with opened(database) as director:
        receipts = offer_all(director, [(foreign.read_bytes(file), path_as_text(file.name)[:80]) for file in files])
    for file, receipt in zip(files, receipts, strict=True):
        foreign.say(f"{file}: {receipt.status}. {foreign.shorten(receipt.reason, 400)}")
    return int(any(receipt.status in (DISPUTED, REFUSED) for receipt in receipts))


def place_options(usual_game: str) -> Any:
    """Which game, and what it brought."""
    return lambda function: add_place_options(function, usual_game)


def add_place_options(function: Any, usual_game: str) -> Any:
    """Which game is meant where --game says none: a sentence tells it."""
    for option in reversed((
        click.argument("table", metavar="TABLE"),
        click.argument("places", metavar="PLACES"),
        click.option("--lost", default=None, callback=not_empty, metavar="NAMES",
                     help="Who lost, separated by ;  [default: who stands last]"),
        click.option("--draw", is_flag=True, help="Nobody lost."),
        click.option("--round", "number", type=click.IntRange(1, 999), default=None, help="[default: the last one]"),
        click.option("--game", type=click.IntRange(1, 99), default=None, help=f"[default: {usual_game}]"),
    )):  # fmt: skip
        function = option(function)
    return function


@click.command(short_help="Enter a result by hand.")
@place_options("the table's next one")
@click.option("--letters", type=LETTERS, default="", help="The twelve letters that the table showed.")
@database
def result(table: str, places: str, lost: str | None, draw: bool, number: int | None, game: int | None, letters: str,
           database: str) -> int:
    """Enter a result by hand: "Anna; Boris; Vera", first place first, equals as "Anna = Boris". With the twelve letters
    of the slip it is the same game as its record: whichever comes second changes nothing.

    Exit codes: 0 it counts, 1 it waits for the arbiter, 2 it cannot be.
    """
    from host_tools.club.tournament.by_hand import enter_places
    from host_tools.club.tournament.intake import DISPUTED

    with opened(database) as director:
        receipt = enter_places(director, ARBITER, (number, table, game), places, lost, draw, letters)
    foreign.say(f"{receipt.status}. {receipt.reason}")
    return int(receipt.status == DISPUTED)


@click.command(short_help="Correct a result, with a reason.")
@place_options("the only one with a result")
@click.option("--reason", required=True)
@database
def correct(table: str, places: str, lost: str | None, draw: bool, number: int | None, game: int | None, reason: str,
            database: str) -> None:
    """Put another result in the place of one that counts."""
    from host_tools.club.tournament.by_hand import correct_places

    with opened(database) as director:
        foreign.say(correct_places(director, ARBITER, (number, table, game), places, lost, draw, reason))
        say_misfits(director)


_PLACE = "Where the record does not say it, or says it wrongly."


@click.command(short_help="Decide what waits for the arbiter.")
@click.argument("dispute", metavar="[NUMBER]", type=click.IntRange(1, 2**31 - 1), required=False)
@click.option("--take/--aside", "takes", default=None, help="It counts, in the place of what counted; or not at all.")
@click.option("--reason", default=None, callback=not_empty)
@click.option("--round", "number", type=click.IntRange(0, 999), default=0, help=_PLACE)
@click.option("--table", default=None, callback=not_empty, help=_PLACE)
@click.option("--game", type=click.IntRange(1, 99), default=None, help=_PLACE)
@database
def decide(dispute: int | None, takes: bool | None, reason: str | None, number: int, table: str | None,
           game: int | None, database: str) -> int:
    """List what waits for the arbiter, or decide one of it.

    Exit codes: 0 nothing waits, or it is decided, 1 something waits, 2 it cannot be.
    """
    from host_tools.base.errors import UnusableInput
    from host_tools.club.tournament.people import check_reason
    from host_tools.club.tournament.state import tell_key

    place, moved = (number or 0, table or "", game or 1), False
    with opened(database) as director:
        if dispute is None:
            for one in director.state.disputes.values():
                for line in tell_dispute(director.state, one):
                    foreign.say(line)
            if not director.state.disputes:
                foreign.say("Nothing waits for the arbiter.")
            return int(bool(director.state.disputes))
        if takes is None:
            raise UnusableInput("say --take or --aside")
        with director.looking() as state:
            waiting = state.disputes.get(dispute)
            if takes and waiting is not None and waiting.key is None:
                check_place(state, dispute, number, table, game)
            elif takes and waiting is not None and waiting.key is not None:
                place = (number or waiting.key[0], table or waiting.key[1], game or waiting.key[2])
                moved = place != waiting.key
        said: dict[str, Any] = {"round": place[0], "table": place[1], "game": place[2]}
        if moved:
            said["moved"] = True
        director.act(ARBITER, "decided", dispute=dispute, takes=takes, reason=check_reason(reason or ""), **said)
        foreign.say("It is set aside." if not takes else
                    f"It counts as {tell_key(place)}." if moved else "It counts.")
        say_misfits(director)
    return 0


def tell_dispute(state: State, one: Dispute) -> list[str]:
    """Which game it is, why it waits, and both results."""
    from host_tools.club.tournament.state import tell_key

    had = state.results.get(one.key) if one.key else None
    lines = [f"{one.number}: {tell_key(one.key) if one.key else 'a game'}: {foreign.shorten(one.reason, 400)}",
             f"    It says: {one.outcome.tell() if one.outcome else 'aborted'}, sealed {one.seal or 'nothing'}"
             f" ({one.source})"]
    if had is not None:
        lines.append(f"    What counts now: {had.outcome.tell()}, sealed {had.seal or 'nothing'} ({had.source})")
    return lines


def check_place(state: State, dispute: int, number: int, table: str | None, game: int | None) -> None:
    """Unfit unless the arbiter has said which game it is: a match has several, and one that counts would be lost."""
    from host_tools.club.tournament.state import Unfit

    games = state.rounds[number - 1].games if 1 <= number <= len(state.rounds) else 1
    if not number or table is None or game is None and games > 1:
        raise Unfit("which.game", number=dispute)


@click.command(short_help="Let virtual players play the round.")
@click.option("--seed", type=click.IntRange(0, 1_000_000), default=1, show_default=True)
@click.option("--to", "folder", metavar="FOLDER", type=foreign.PathName(path_type=Path, file_okay=False), default=None,
              help="Write the records there, and take none in.")
@database
def rehearse(seed: int, folder: Path | None, database: str) -> None:
    """Play every game of this round that has no result yet, with virtual players: to rehearse an evening."""
    from host_tools.base.errors import UnusableInput
    from host_tools.base.files import write_file
    from host_tools.club.tournament.intake import offer_all
    from host_tools.club.tournament.intake import orders as list_orders
    from host_tools.club.tournament.room import file_names
    from host_tools.club.tournament.rehearse import play_order

    count = 0
    with opened(database) as director:
        keyed = [order.table for order in list_orders(director) if director.state.table_keys.get(order.table)]
        if keyed and folder is None:
            raise UnusableInput(f"only the table's own records count where it has a key, as {', '.join(keyed)} here:"
                                " rehearse a tournament whose tables have none")
        while found := list_orders(director):
            records = [(order, play_order(order, seed, plan=director.plan)) for order in found]
            count += len(records)
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
                names = file_names(order.table for order in found)
                for order, record in records:
                    write_file(folder / f"{order.round}-{names[order.table]}-{order.game}.rec", record)
                break
            receipts = offer_all(director, [(record, "rehearsal") for _, record in records])
            if list_orders(director) == found:  # a game that was set aside comes again with the same seed
                raise UnusableInput(f"{found[0].table}: {receipts[0].reason} Say another --seed.")
    foreign.say(f"{count_things(count, 'game was', 'games were')} played.")


COMMANDS = commands(seat, orders, take, result, correct, decide, rehearse)
