"""Puts a tournament's director on the network."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable

from host_tools.base.errors import UnusableInput
from host_tools.base.foreign import shorten
from host_tools.club.tournament.director import Director
from host_tools.club.tournament.intake import offer_all, orders, past_tables, tables
from host_tools.club.tournament.people import find_twins
from host_tools.club.wire.desk import Desk, name_orders
from host_tools.club.wire.link import Address, Link
from host_tools.club.wire.topics import GONE, to_name
from host_tools.club.wire.watched import watched
from host_tools.play.web.metrics import Gauges


def make_desk(director: Director, on_news: Callable[[str], object] = lambda text: None, event: str = "",
              on_rival: Callable[[str], object] = lambda name: None) -> Desk:
    """The desk of a tournament. event: its name on the network; usually that of its plan, as a topic has it."""
    return Desk(event or event_of(director), lambda records: offer_all(director, records),
                lambda: name_orders(orders(director), past_tables(director)), on_news, director.note_room,
                (director.plan.name, director.events[0].at), on_rival)


def event_of(director: Director) -> str:
    """The name of the tournament on the network."""
    return to_name(director.plan.name) or "tournament"


async def serve(director: Director, address: Address, say: Callable[[str], object], metrics: int = 0,
                event: str = "") -> int:
    """Take records in and hand orders out, until somebody ends it. metrics: the port of /health and /metrics; event:
    as of make_desk. UnusableInput if another tournament has that name at the broker."""
    loop, rivals = asyncio.get_running_loop(), list[str]()

    def yield_to(rival: str) -> None:
        rivals.append(rival)
        loop.call_soon_threadsafe(link.stop)

    desk = make_desk(director, say, event, yield_to)
    link = Link(desk, address, say)
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, link.stop)
    say(f"{director.plan.name} is {desk.event} on the network. Ctrl-C ends it; tables then wait.")
    if unproved := director.tell_proof():
        say(unproved)
    if nameless := [table for table in tables(director) if not to_name(table)]:
        say(f"{', '.join(nameless)}: no letter of that name stands in a topic (a to z, 0 to 9), so the network brings"
            " no order there and no record from there")
    for one, other in find_twins(tables(director)):
        say(f"{one} and {other} are one name on the network, or of a file: neither gets an order")
    gauges: Gauges = {
        "receipts": ("receipts that were given", lambda: desk.answered),
        "offers_unanswered": ("offers that were too many or too large, or could not be stored",
                              lambda: desk.unanswered),
        "tables_connected": ("tables that are there, or play", lambda: count_tables(desk)),
    }
    async with watched(link, gauges, metrics, say, lambda: desk.trouble):
        await link.run()
    if rivals:
        raise UnusableInput(f"{desk.event} is the name of another tournament at this broker, {shorten(rivals[0])}: each"
                            " would get the other's games. End that one first, or give this one another name on the"
                            f" network, here and at its tables and bridges: --as {desk.event[:37]}-2")
    return 0


def count_tables(desk: Desk) -> int:
    """How many tables are there, or play, by what they said last."""
    return sum(who.startswith("table ") and state != GONE for who, state in list(desk.present.items()))
