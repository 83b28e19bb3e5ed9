"""Lets people come to a table: the code that phones scan, the seat that they choose, the network it is opened to."""

from __future__ import annotations

import asyncio
import contextlib
import io
import socket
from collections.abc import Callable
from typing import Any

from host_tools.play.acts import NotAllowed
from host_tools.play.seating import BOT, HERE, OPEN, PHONE, check_different, check_name
from host_tools.play.table import LiveTable
from host_tools.play.web.near import LOOPBACK, listen_at, own_address

IN_GAME = ("deal", "play", "over")


def draw_code(url: str) -> str:
    """The QR code of a link, as SVG."""
    import segno  # here, not above: a table that nobody scans does without

    out = io.BytesIO()
    segno.make(url, micro=False).save(out, kind="svg", xmldecl=False, svgns=True, border=2, omitsize=True)
    return out.getvalue().decode()


def print_code(url: str) -> str:
    """The same for a terminal, in half blocks."""
    import segno

    out = io.StringIO()
    segno.make(url, micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


def tell_address(address: str, secret: str, is_open: bool) -> dict[str, Any]:
    """A link and its code; no code where it would lead a phone to itself."""
    url = f"{address}/#{secret}"
    return {"url": url, "qr": draw_code(url) if is_open else "", "closed": not is_open}


def tell_code(desk: Any, role: str) -> dict[str, Any]:
    """The one code by which phones find a free seat, for the host's screen. NotAllowed."""
    if role != "host":
        raise NotAllowed("only the host hands out links")
    return tell_address(desk.address, desk.table.seating.join, desk.is_open)


def tell_common(desk: Any, role: str) -> dict[str, Any]:
    """The link of the page whose reader is for all, for the host's screen. NotAllowed."""
    if role != "host" or not desk.table.is_real:
        raise NotAllowed("only the host hands out links")
    return tell_address(desk.address, desk.table.seating.common, desk.is_open)


def free_seats(table: LiveTable) -> list[int]:
    """The seats that a phone which comes now may take: in a game those kept for phones that have not come, and the open
    ones; before it all but the host's. While the table of an unfinished game starts nobody knows: none."""
    chairs = table.seating.chairs
    if table.phase in IN_GAME and table.header is not None:
        return [seat for seat in range(1, len(table.header.seats) + 1) if seat not in table.seating.present
                and (chairs[seat].who == OPEN or chairs[seat].who == PHONE and not chairs[seat].came)]
    if table.is_under_way:
        return []
    return [seat for seat, chair in chairs.items() if chair.who == OPEN or chair.who.startswith(BOT)
            or chair.who == PHONE and not chair.came and seat not in table.seating.present]


def take_seat(table: LiveTable, role: str, message: dict[str, Any]) -> str:
    """Who came by the code sits down; the secret of that seat's own link. NotAllowed or UnusableInput."""
    if role != "join":
        raise NotAllowed("only the code of the table gives a seat")
    name, seat = message.get("name", ""), message.get("seat", 0)
    if not isinstance(name, str) or len(name) > 200 or not isinstance(seat, int):
        raise NotAllowed("name is no text")
    free = free_seats(table)
    if table.phase in IN_GAME:
        if seat not in free:
            raise NotAllowed("somebody sits there: choose another seat")
        return table.seating.take(seat, "")
    if not free:
        raise NotAllowed("no seat is free")
    name = check_name(name)
    chairs = table.seating.chairs
    check_different([name, *(chair.name for chair in chairs.values()
                             if chair.who == HERE or chair.who == PHONE and chair.came)])
    return table.seating.take(seat if seat in free else free[0], name)


def open_network(desk: Any, role: str, listen: Callable[[socket.socket], Any]) -> dict[str, Any]:
    """The host opens a table of this computer alone to its network: one more listener, links with that address."""
    if role != "host":
        raise NotAllowed("only the host arranges the table")
    if not desk.is_open:
        host = own_address()
        if host == LOOPBACK:
            raise NotAllowed("this computer is in no network")
        scheme, _, rest = desk.address.partition("://")
        listener = bind(host, int(rest.rpartition(":")[2]))
        name = f"{host}:{listener.getsockname()[1]}"
        desk.names.add(name)
        desk.address, desk.is_open = f"{scheme}://{name}", True
        desk.opening = asyncio.ensure_future(listen(listener))
    return tell_code(desk, role)


def bind(host: str, port: int) -> socket.socket:
    """Listen there, at another port if that one is taken. NotAllowed."""
    for number in (port, 0):
        with contextlib.suppress(OSError):
            return listen_at(host, number)
    raise NotAllowed("this computer is in no network")
