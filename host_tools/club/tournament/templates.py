"""Fills the templates of pages: everything that is said stands escaped in them."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any
from urllib.parse import quote

from host_tools.base import templates
from host_tools.club.tournament.director import now
from host_tools.club.tournament.log import tell_time
from host_tools.club.tournament.prizes import money
from host_tools.club.tournament.room import GONE
from host_tools.club.tournament.standings import hundredths
from host_tools.club.tournament.state import Round
from host_tools.club.tournament.wording import Wording

FOLDER = Path(__file__).parent / "templates"


@functools.cache
def read_templates() -> Any:
    """Those of this folder, with what a tournament needs besides."""
    found = templates.read_templates(FOLDER)
    found.filters.update({"in_path": in_path, "hundredths": hundredths, "money": money, "clock": tell_time,
                          "seats": list_seats})
    found.globals.update({"GONE": GONE, "now": now})
    return found


def fill(name: str, words: Wording, /, **facts: object) -> str:
    """NAME.html in the language of `words`."""
    return templates.fill(read_templates(), name, words, **facts)


def in_path(text: str) -> str:
    """A name as a part of an address."""
    return quote(text, safe="")


def list_seats(one: Round) -> list[tuple[str, str, int]]:
    """(name, table, seat) of everybody who is seated, in the order of the alphabet."""
    seats = [(name, table, seat) for table, group in one.groups.items() for seat, name in enumerate(group, 1)]
    return sorted(seats, key=lambda row: (row[0].casefold(), row))
