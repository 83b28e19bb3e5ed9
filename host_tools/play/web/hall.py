"""Many tables of one computer: a process each, forked from one that has loaded everything, so that they share memory.

Each is the table of `cardtable play`, at a port and in a folder of its own, without a terminal: the hall says where it
is. Its firmware runs inside its server's Python (hall_table.py). Such tables take half of what those take that are
started one by one (docs/benchmarks.md).
"""

from __future__ import annotations

import asyncio
import dataclasses
import multiprocessing
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any

from aiohttp import web

from boards import virtual
from host_tools.base import foreign
from host_tools.base.arenas import settle, share_one
from host_tools.base.errors import UnusableInput
from host_tools.play.start import set_up, usual_seats, Wishes
from host_tools.play.web import door
from host_tools.play.web.hall_table import HallTable
from host_tools.play.web.run import opened
from host_tools.play.wording import Wording

BROKEN = 1  # exit codes, as of every command
UNUSABLE = 2


def run(wishes: list[Wishes], extend: Callable[[web.Application], None]) -> int:
    """Serve these tables until Ctrl-C or SIGTERM, or until the last has ended; the worst of their exit codes. A table
    that ends by itself leaves the others alone. UnusableInput where no process can be forked."""
    check(wishes[0])
    if not hasattr(os, "fork"):
        raise UnusableInput("this system cannot fork a process: start each table by `cardtable play`")
    share_one()
    settle()  # before there is a second process: what is loaded by now is everybody's
    alive, ours = os.pipe()  # says to each table when this process is gone
    fork = multiprocessing.get_context("fork")
    tables: dict[int, BaseProcess] = {}
    with forwarded(tables):
        for number, wish in enumerate(wishes, 1):
            tables[number] = fork.Process(target=serve, args=(number, wish, extend, alive, ours))
            tables[number].start()
        words = Wording(wishes[0].language)
        foreign.say(words.say("hall.leave"))
        return see_out(tables, words)


def check(wishes: Wishes) -> None:
    """UnusableInput for a game that no table could play: said once, not by each of them."""
    if wishes.game:
        set_up(wishes, wishes.seats or usual_seats(wishes.game, wishes.language), virtual.SEATS)


@contextmanager
def forwarded(tables: dict[int, BaseProcess]) -> Iterator[None]:
    """Ctrl-C and SIGTERM end every table; they are in groups of their own, so that each hears it once."""
    def end(*_: Any) -> None:
        for table in tables.values():
            if table.is_alive():
                table.terminate()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def see_out(tables: dict[int, BaseProcess], words: Wording) -> int:
    """Wait for all of them; say which ends with a code; the worst of the codes."""
    worst = 0
    running = dict(tables)
    while running:
        ended = wait([table.sentinel for table in running.values()])
        for number in [number for number, table in running.items() if table.sentinel in ended]:
            running.pop(number).join()
            code = tables[number].exitcode or 0
            if code not in (0, UNUSABLE):  # what cannot be used the table has said itself
                foreign.say(words.say("hall.ended", number=number, code=code), err=True)
            worst = max(worst, code if code >= 0 else BROKEN)
    return worst


def serve(number: int, wishes: Wishes, extend: Callable[[web.Application], None], alive: int, ours: int) -> None:
    """In a process of its own: one table. It ends with the hall."""
    os.close(ours)
    os.setpgrp()
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.SIG_DFL)
    random.seed()  # every other table has the same numbers in store
    try:
        asyncio.run(hold(number, wishes, extend, alive))
    except UnusableInput as wrong:
        foreign.say(Wording(wishes.language).say("hall.cannot", number=number, why=wrong), err=True)
        sys.exit(UNUSABLE)


async def hold(number: int, wishes: Wishes, extend: Callable[[web.Application], None], alive: int) -> None:
    """One table until it is told to end, or the hall is gone."""
    words = Wording(wishes.language)
    async with opened(wishes, lambda line: None, extend, HallTable) as (table, _, address):
        ended = door.listen()
        asyncio.get_running_loop().add_reader(alive, ended.set)
        foreign.say(words.say("hall.table", number=number, link=f"{address}/#{table.seating.host}"))
        if wishes.lan:
            foreign.say(words.say("hall.join", number=number, link=f"{address}/#{table.seating.join}"))
        await door.until_told(lambda line: None, "", ended)


def list_wishes(count: int, first: Wishes, seeds: Callable[[], int]) -> list[Wishes]:
    """The wishes of so many tables: the first's, each with a port and a seed of its own."""
    games = first.games.absolute()  # while a table lives its flash is the working folder
    return [dataclasses.replace(first, port=first.port + more, seed=seeds(), browser=False, games=games)
            for more in range(count)]
