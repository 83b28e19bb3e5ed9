"""Owns the plan of a tournament, from `tournament new`, and the bounds of plans and names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from cardtable.engine.reading import close_header, read_key
from cardtable.engine.record import Header, SetupError
from cardtable.engine.session import Session
from host_tools.minds.arena.plan import read_game
from host_tools.base.alike import as_seen
from host_tools.base.errors import UnusableInput
from host_tools.base.foreign import shorten
from host_tools.base.random_play import make_header
from host_tools.club.tournament.refused import Unfit

POINTS = "points"  # rounds by points: those who stand near each other play each other
ROUND_ROBIN = "round-robin"  # everybody meets everybody as evenly as can be
KNOCK_OUT = "knock-out"  # stages: who loses a table leaves, until one is left

PLACES = "places"
FOOLS = "fools"
WINNERS = "winners"
COUNTS = (PLACES, FOOLS, WINNERS)

NAME_LENGTH = 32  # seven names fit into the line of a header
TITLE_LENGTH = 60
MOST_MONEY = 1_000_000_000_000  # of the smallest unit: a sum is far from any limit of the database


@dataclass(frozen=True)
class Plan:
    """What stays the same from the first round to the last. Money is counted in the smallest unit, such as cents."""

    name: str
    game: str = "durak throw-in"  # a record's `game:` line
    format: str = POINTS
    counts: str = PLACES
    rounds: int = 5  # a knock-out ends by itself
    games: int = 1  # of the match that a table plays in a round
    low: int = 2  # seats of a table: at least, at most, and best
    high: int = 6
    best: int = 4
    advance: int = 0  # knock-out by winners: how many of a table go on; 0: the better half
    fee: int = 0
    added: int = 0  # to the prize pool, beside the fees
    prizes: tuple[int, ...] = (50, 30, 20)  # shares of the pool, first place first
    is_duplicate: bool = False  # every table plays the same deals
    seed: int = 1
    minutes: int = 0  # of a round, by its clock; 0: no limit. The clock ends nothing, the arbiter does

    def as_data(self) -> dict[str, Any]:
        """As an event keeps it."""
        return {**asdict(self), "prizes": list(self.prizes)}

    @property
    def counted_as(self) -> str:
        """What the header of each record says, so that standings follow from records alone."""
        return f"{KNOCK_OUT} {self.counts}" if self.format == KNOCK_OUT else self.counts


def read_plan(data: dict[str, Any]) -> Plan:
    """The plan of an event."""
    return Plan(**{**data, "prizes": tuple(data["prizes"])})


def check_plan(plan: Plan) -> None:
    """UnusableInput with what cannot be."""
    check_name(plan.name, "tournament", TITLE_LENGTH)
    game = read_game(plan.game)
    fewest, most, rule = game.SEAT_RANGE
    if not fewest <= plan.low <= plan.best <= plan.high <= most:
        raise Unfit("plan.seats", game=game.NAME, fewest=fewest, most=most, rule=rule)
    for seats in range(plan.low, plan.high + 1):
        try:
            Session(game, make_header(plan.game, seats))
        except SetupError as wrong:
            raise UnusableInput(f"--game with {seats} players: {wrong}") from wrong
    if plan.is_duplicate and not plan.low == plan.best == plan.high:
        raise Unfit("plan.duplicate")
    if plan.is_duplicate and "deal=counted" in plan.game.split():
        raise Unfit("plan.counted")
    if plan.format == KNOCK_OUT and plan.counts == PLACES:
        raise Unfit("plan.counts", one=FOOLS, other=WINNERS)
    if plan.advance and (plan.format != KNOCK_OUT or plan.counts != WINNERS):
        raise Unfit("plan.advance", counts=WINNERS)
    if plan.advance >= plan.low and plan.advance:
        raise Unfit("plan.all.advance", count=plan.advance, low=plan.low)


def check_name(name: str, what: str, most: int = NAME_LENGTH) -> str:
    """The name without the blanks around it, each letter as one sign. UnusableInput for one that a record's header, or
    a page, cannot carry."""
    name = " ".join(unicodedata.normalize("NFC", name).split()) if name.isprintable() else name
    if not name:
        raise Unfit("empty", what=Unfit(f"of.{what}"))
    if len(name) > most:
        raise Unfit("long", what=Unfit(f"of.{what}"), name=repr(shorten(name)), most=most)
    if not name.isprintable() or ";" in name or "=" in name or not name[0].isalnum():
        raise Unfit("no.name", what=Unfit(f"of.{what}"), name=repr(shorten(name)))
    return name


def as_heard(name: str) -> str:
    """What is the same of two names that nobody hears apart: capitals, blanks, and how an accent is written."""
    return unicodedata.normalize("NFC", " ".join(name.split()).casefold())


def list_alike(name: str) -> tuple[tuple[str, str], ...]:
    """How it is heard, and how it is seen, in its own letters and in small ones: of two names that share any of these
    only one can come."""
    return ("heard", as_heard(name)), ("seen", as_seen(name).casefold()), ("small", as_seen(name.casefold()))


def find_name(typed: str, names: Iterable[str]) -> str:
    """The one of these names that was typed: letter by letter, or else the only one that sounds or looks so; else what
    was typed."""
    alike = []
    for name in names:
        if name == typed.strip():
            return name
        if set(list_alike(name)) & set(list_alike(typed)):
            alike.append(name)
    return alike[0] if len(alike) == 1 else typed.strip()


def make_setup(lines: list[tuple[str, str]]) -> Header:
    """A header of these keys and values."""
    header = Header()
    for key, value in lines:
        read_key(header, f"{key}: {value}", 0)
    close_header(header, 0)
    return header
