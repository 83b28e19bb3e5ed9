"""/health and /metrics of a program at a broker; the pages of tables and tournaments have their own."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable

from host_tools.club.wire.link import Link
from host_tools.play.web import serve as ground
from host_tools.play.web.metrics import Gauges, add_metrics
from host_tools.play.web.place import Place


@contextlib.asynccontextmanager
async def watched(link: Link, gauges: Gauges, port: int, say: Callable[[str], object],
                  find_trouble: Callable[[], str] = str) -> AsyncIterator[None]:
    """Do so meanwhile at that port, to this computer alone; port 0: not at all. The connection's figures come before
    the gauges. find_trouble: what is wrong although the connection stands. UnusableInput for the port."""
    if not port:
        yield
        return
    app = ground.make_app(most_bytes=1024)
    add_metrics(app, lambda: link.trouble() or find_trouble(), {
        "broker": ("whether the connection to the broker stands", link.is_up.is_set),
        "reconnects": ("connections to the broker after the first", lambda: max(0, link.connections - 1)),
        "messages_dropped": ("messages that came faster than they were looked at", lambda: link.dropped),
        **gauges,
    })
    async with ground.opened(app, Place(port)) as address:
        say(f"{address}/health and {address}/metrics answer programs of this computer")
        yield
