"""`cardtable tournament undo, backup, restore, link`: mistakes, copies, and who may do what on the pages."""

from __future__ import annotations

from pathlib import Path

import click

from host_tools.base import foreign
from host_tools.commands._place import make_place, page_options
from host_tools.commands.tournament_parts._shared import ARBITER, commands, database, not_empty, opened, say_misfits


@click.command(short_help="Take an event back.")
@click.argument("event", metavar="NUMBER", type=click.IntRange(1, 2**31 - 1))
@click.option("--reason", default="a mistake", show_default=True)
@database
def undo(event: int, reason: str, database: str) -> None:
    """Take back the event of that number, as `tournament log` shows it. An undo can be undone, too. It is refused
    if what came later depends on the event."""
    from host_tools.club.tournament.people import check_reason

    reason = check_reason(reason)
    with opened(database) as director:
        director.undo(ARBITER, event, reason)
        foreign.say(f"Event {event} is undone.")
        say_misfits(director)


@click.command(short_help="Copy the whole tournament into one file.")
@click.argument("path", metavar="FILE", type=foreign.PathName(path_type=Path, dir_okay=False, pipe_okay=False))
@database
def backup(path: Path, database: str) -> None:
    """Copy everything, log and records, into one SQLite file, whole or not at all; others may go on meanwhile."""
    from host_tools.club.tournament.backup import backup as copy

    with opened(database) as director:
        events, records = copy(director.store, path)
    foreign.say(f"{path}: {events} events, {records} records")


@click.command(short_help="Bring a backup into an empty database.")
@click.argument("path", metavar="FILE",
                type=foreign.PathName(path_type=Path, exists=True, dir_okay=False, pipe_okay=False))
@database
def restore(path: Path, database: str) -> None:
    """Bring a backup into a database that has no tournament: a new SQLite file, or an empty PostgreSQL database."""
    from host_tools.club.tournament.backup import restore as bring

    events, records = bring(path, database)
    foreign.say(f"{events} events, {records} records")


@click.command(short_help="Make a sign-in link for the pages.")
@click.argument("name", metavar="NAME")
@click.option("--role", type=click.Choice(["arbiter", "scorekeeper"]), default="scorekeeper", show_default=True,
              help="A scorekeeper enters results; an arbiter does everything.")
@click.option("--address", default=None, callback=not_empty, metavar="URL",
              help="Of the pages; else where `tournament serve` served them last.")
@database
def link(name: str, role: str, address: str | None, database: str) -> None:
    """Make a link by which that person signs in. It is shown once, and nowhere kept; an undo of its event ends it."""
    from urllib.parse import urlsplit

    from host_tools.club.tournament.people import check_address
    from host_tools.club.tournament.roles import make_link
    from host_tools.club.tournament.room import find_pages

    if address is not None:
        check_address(address, "--address")
    with opened(database) as director:
        address = address or find_pages(director.store) or "http://127.0.0.1:8137"
        secret = make_link(director, ARBITER, role, name)
    foreign.say(f"{address.rstrip('/')}/sign-in/{secret}")
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.startswith("127.") or host == "::1":
        foreign.say("This link is for a browser on this computer. For a phone, serve the pages with `tournament serve"
                    " --lan` first, or name their address with --address.")


@click.command(short_help="Serve the pages of the evening.")
@page_options
@database
def serve(port: int | None, lan: bool, address: str | None, https: Path | None, no_browser: bool,
          language: str, database: str) -> int:
    """Serve the evening: tables, pairings, standings, what waits for the arbiter. Everybody may look; the link that
    this command prints makes you the arbiter, and `tournament link` makes links for others."""
    import asyncio

    from host_tools.club.tournament.director import now
    from host_tools.club.tournament.roles import make_link
    from host_tools.club.tournament.room import note_pages
    from host_tools.club.tournament.site import make_site
    from host_tools.play.web import serve as ground

    def say(line: str) -> None:
        foreign.say(line)
        if line.startswith("http"):
            note_pages(director.store, line.rstrip("/"), now())
            foreign.say(f"You are the arbiter: {line}sign-in/{secret}")

    with opened(database) as director:
        secret = make_link(director, ARBITER, "arbiter", "this computer")
        if unproved := director.tell_proof():
            foreign.say(unproved)
        pages = make_site(director, language=language)
        place = make_place(port, lan, address, https)
        return asyncio.run(ground.serve(pages, say, place=place, browser=not no_browser))


COMMANDS = commands(undo, backup, restore, link, serve)
