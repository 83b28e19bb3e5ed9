"""`cardtable tournament standings, prizes, check, log, print, export, recompute`: what the tournament says."""

from __future__ import annotations

from pathlib import Path

import click

from host_tools.commands._place import language_option
from host_tools.base import foreign
from host_tools.commands.tournament_parts._shared import commands, count_things, database, not_empty, opened


@click.command(short_help="Show the standings.")
@database
def standings(database: str) -> None:
    """Show the standings: rank, player, points, then what breaks ties: the opponents' points a game, games lost,
    first places, marks."""
    from host_tools.club.tournament.standings import hundredths
    from host_tools.club.tournament.teams import team_rows

    with opened(database) as director:
        rows = director.standings()
        with director.looking() as state:
            teams = team_rows(state, rows)
    if not rows:
        foreign.say("No game has been counted yet.")
        return
    width = max(6, *(len(row.name) for row in rows))
    foreign.say(f"{'':>4} {'player':<{width}} points opponents games lost first marks")
    for row in rows:
        foreign.say(f"{row.rank:>4} {row.name:<{width}} {row.points:>6} {hundredths(row.opponents):>9} {row.games:>5}"
                    f" {row.lost:>4} {row.first:>5} {row.marks:>5}")
    for rank, team, points, count in teams:
        foreign.say(f"{rank:>4} team {team}: {points} points of {count_things(count, 'player', 'players')}")


@click.command(short_help="Show who gets which prize.")
@database
def prizes(database: str) -> None:
    """Show how the pool is divided: to the last cent, with the prizes of shared ranks put together."""
    from host_tools.club.tournament.prizes import count_pool, find_prizes, money
    from host_tools.club.tournament.rounds import is_over

    with opened(database) as director:
        rows = director.standings()
        with director.looking() as state:
            pool, shares, over = count_pool(state), director.plan.prizes, is_over(state)
    found = find_prizes(pool, shares, rows)
    note = "" if over else " The tournament is not over: these are not the prizes yet."
    foreign.say(f"The pool is {money(pool)}.{note}")
    for row in rows:
        if found.get(row.name):
            foreign.say(f"{row.rank:>4} {row.name}  {money(found[row.name])}")


@click.command("log", short_help="Show everything that was done.")
@database
def show_log(database: str) -> None:
    """Show every event with its number, its time and who did it. An event that was undone says so."""
    from host_tools.club.tournament.log import tell_log
    from host_tools.club.tournament.wording import Wording

    with opened(database) as director:
        for line in tell_log(director.events, Wording()):
            foreign.say(line)


@click.command("print", short_help="Write pages to print.")
@click.option("--to", "folder", metavar="FOLDER", type=foreign.PathName(path_type=Path, file_okay=False),
              default=Path("printed"), show_default=True)
@click.option("--address", default=None, callback=not_empty, metavar="URL",
              help="Of the pages, for the QR codes of the seat cards.")
@language_option()
@database
def print_pages(folder: Path, address: str | None, language: str, database: str) -> None:
    """Write pairings.html, seats.html (a card for each seat), slips.html, standings.html, and for duplicate deals
    deck-ROUND-GAME.html, which nobody but who stacks the decks may see."""
    from host_tools.base.files import write_file
    from host_tools.club.tournament.people import check_address
    from host_tools.club.tournament.printed import make_pages

    address = check_address(address, "--address") if address is not None else ""

    with opened(database) as director:
        pages = make_pages(director, address, language)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        write_file(folder / name, text.encode())
        foreign.say(str(folder / name))


@click.command(short_help="Write standings, rounds, rulings and records as files.")
@click.option("--to", "folder", metavar="FOLDER", type=foreign.PathName(path_type=Path, file_okay=False),
              default=Path("exported"), show_default=True)
@database
def export(folder: Path, database: str) -> None:
    """Write standings.csv, players.csv, tournament.json, rulings.json, and every record. With the last two any other
    computer gets the same standings: `cardtable tournament recompute`."""
    from host_tools.base.files import write_file
    from host_tools.club.tournament.exported import check_folder, make_files

    with opened(database) as director:
        files = make_files(director)
    check_folder(folder, files)
    (folder / "records").mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write_file(folder / name, content)
    foreign.say(f"{len(files)} files lie in {folder}")


@click.command(short_help="Compute the standings again, from records alone.")
@click.argument("paths", metavar="RECORD...", nargs=-1, required=True,
                type=foreign.PathName(path_type=Path, exists=True))
@click.option("--rulings", "rulings_path", metavar="FILE", type=foreign.PathName(path_type=Path), default=None,
              help="What people decided, as `export` wrote it.")
def recompute(paths: tuple[Path, ...], rulings_path: Path | None) -> int:
    """Compute the standings from the sealed records, without any database. The same records give the same bytes as the
    director's standings.csv, on every computer.

    Exit codes: 0 every record counts, 1 one does not, 2 nothing can be computed.
    """
    from host_tools.base.files import list_files
    from host_tools.club.tournament import recompute as again
    from host_tools.club.tournament.standings import write_csv

    files = list_files(paths, ".rec", is_needed=rulings_path is None)
    rulings = None
    if rulings_path is not None:
        rulings = again.read_rulings(foreign.read_text(rulings_path), str(rulings_path))
    rows, notes = again.recompute(((str(file), foreign.read_bytes(file)) for file in files), rulings)
    for line in write_csv(rows).splitlines():
        foreign.say(line)
    for note in notes:
        foreign.say(foreign.shorten(note, 400), err=True)
    return int(bool(notes))


@click.command(short_help="Check the seating of all rounds: what it gave up, and what had to be.")
@database
def check(database: str) -> int:
    """Check all rounds that were seated, from the log alone: everybody once, tables of the right size; then how many
    meetings were repeats, who sat with a club or team mate, who sat out twice, how seats went round. Behind each number
    stands the least that any plan gives up, as far as that can be counted.

    Exit codes: 0 right, 1 a round is wrong.
    """
    from host_tools.club.tournament.checking import Seated, check_round, tell_rounds
    from host_tools.club.tournament.seating import tell_sizes

    with opened(database) as director, director.looking() as state:
        plan = state.the_plan()
        rounds = [Seated(list(one.groups.values()), one.byes) for one in state.rounds]
        clubs = {entrant.name: entrant.club for entrant in state.players.values()}
        teams = {entrant.name: entrant.team for entrant in state.players.values()}
    faults = [f"round {number}: {fault}" for number, one in enumerate(rounds, 1)
              for fault in check_round(one, plan.low, plan.high)]
    if not rounds:
        foreign.say("No round has been seated yet.")
        return 0
    for line in faults or [f"{count_things(len(rounds), 'round', 'rounds')}: everybody once in each, tables of"
                           f" {tell_sizes(plan.low, plan.high)}"]:
        foreign.say(line)
    for told in tell_rounds(rounds, clubs, teams):
        foreign.say(told.tell())
    return int(bool(faults))


COMMANDS = commands(standings, prizes, check, show_log, print_pages, export, recompute)
