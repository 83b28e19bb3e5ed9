"""Owns what the network says of the room: which tables are there, which play, what waits at them. For people who look;
nothing that counts depends on it.
"""

from __future__ import annotations

import datetime
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardtable.net.topics import GONE, HERE, NAME_LIMIT, PLAYING
from host_tools.base import foreign

if TYPE_CHECKING:
    from host_tools.club.tournament.store import Store

__all__ = [
    "ALIVE_S", "DIRECTOR", "GONE", "HERE", "PLAYING", "Room", "Seen", "file_name", "file_names", "find_pages",
    "look_round", "note_pages", "note_room", "to_name",
]

DIRECTOR = "director main"
PAGES = "pages"  # no role and name: the row of the server of the evening's pages
ALIVE_S = 10.0  # how often the director's end of the network says that it is alive
_STALE_S = 45.0  # older than that, nobody listens any more
_WEAK = re.compile(r"(\d{4}-\d\d-\d\d|unknown)( [1-7]:\d{1,3}>\d{1,3}){1,7}", re.ASCII)
_NO_TIME = "1970-01-01T00:00:00Z"


def to_name(text: str) -> str:
    """The name as a topic has it: `Club North 2` is `club-north-2`; empty if nothing of it can be used."""
    return re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-_")[:NAME_LIMIT].rstrip("-_")


def file_name(text: str) -> str:
    """A name as a file may have it: of foreign text only letters, digits and dashes stay."""
    return re.sub(r"[^\w-]+", "-", text).strip("-")[:60] or "table"


def file_names(tables: Iterable[str]) -> dict[str, str]:
    """The name of each table's file. A log from before twins were refused (people.name_table) may have some: the later
    one's has a number."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for table in tables:
        at, name = 1, file_name(table)
        while name.casefold() in taken:
            at += 1
            name = f"{file_name(table)}-{at}"
        taken.add(name.casefold())
        found[table] = name
    return found


@dataclass(frozen=True)
class Seen:
    """What was heard of a table last. `at`: since when, UTC; all but these two may be empty."""

    state: str
    at: str
    bridge: str = ""
    order: str = ""  # the number of the order that the table proposes
    waits: str = ""  # how many of its records have no receipt yet
    weak: str = ""  # which of its readers weaken


@dataclass(frozen=True)
class Room:
    """Who was seen, by role and name as topics have them. `is_heard`: the director's end is on the network now."""

    seen: Mapping[str, Seen]
    is_heard: bool = False
    version: str = "0"  # changes with everything that a page shows of it

    def table(self, name: str) -> Seen | None:
        """What is known of the table of that name; gone with the bridge that speaks for it."""
        found = self.seen.get(f"table {to_name(name)}")
        if found is None or not found.bridge:
            return found
        bridge = self.seen.get(f"bridge {found.bridge}")
        if bridge is not None and bridge.state == GONE:
            return Seen(GONE, max(bridge.at, found.at), found.bridge, found.order, found.waits, found.weak)
        return found


def note_room(store: Store, told: Mapping[str, Mapping[str, str]], at: str) -> None:
    """Keep what was heard; the time stays for what has not changed. The director's row tells by its time that somebody
    listens."""
    rows = {}
    kept = {name: said for name, (_, said) in store.room(list(told)).items()}
    for name, said in told.items():
        text = json.dumps(dict(said), ensure_ascii=False, sort_keys=True)
        if name == DIRECTOR or kept.get(name) != text:
            rows[name] = (at, text)
    if rows:
        store.keep_room(rows)


def note_pages(store: Store, address: str, at: str) -> None:
    """Keep where the pages of the evening are served."""
    store.keep_room({PAGES: (at, address)})


def find_pages(store: Store) -> str:
    """The address at which they were served last; empty: they never were."""
    return store.room([PAGES]).get(PAGES, ("", ""))[1]


def look_round(store: Store, now: str) -> Room:
    """The room as it is known now. now: UTC, as the log writes times."""
    rows = store.room()
    seen = {name: read_seen(at, said) for name, (at, said) in rows.items() if name != PAGES}
    director = seen.get(DIRECTOR, Seen(GONE, _NO_TIME))
    # Also a time that lies ahead is old: the computer's clock was set back since.
    is_heard = director.state == HERE and abs(seconds_between(director.at, now)) < _STALE_S
    shown = "".join(f"{name} {one}" for name, one in sorted(seen.items()) if name != DIRECTOR)
    return Room(seen, is_heard, f"{zlib.crc32(shown.encode()):08x}{'+' if is_heard else '-'}")


def read_seen(at: str, said: str) -> Seen:
    """A row, of which any client of the broker may have written anything."""
    try:
        told = foreign.parse_json(said, {str: str})
    except foreign.Misshapen:
        told = {}  # a damaged row: it is heard again
    state = told.get("state", GONE)
    return Seen(state if state in (HERE, PLAYING) else GONE, at, told.get("bridge", ""), told.get("order", ""),
                told.get("waits", ""), told.get("weak", ""))


def read_weak(text: str) -> list[dict[str, str]]:
    """`place`, `then`, `now` (reads of a hundred) and `date` of each reader that weakens, as topics.write_weak of the
    firmware says it. Anything else says nothing."""
    date, _, rows = text.partition(" ")
    if not _WEAK.fullmatch(text):
        return []
    names = ("place", "then", "now")
    return [dict(zip(names, re.split("[:>]", row), strict=True), date=date) for row in rows.split(" ")]


def seconds_between(early: str, late: str) -> float:
    """Of two times as the log writes them."""
    return (datetime.datetime.fromisoformat(late) - datetime.datetime.fromisoformat(early)).total_seconds()
