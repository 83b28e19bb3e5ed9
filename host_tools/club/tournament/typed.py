"""Reads what people type at a tournament: places, money, seats, twelve letters, a list of players."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from host_tools.base.errors import UnusableInput
from host_tools.base.foreign import shorten
from host_tools.judge.records.verify import read_digest
from host_tools.club.tournament.plan import MOST_MONEY, check_name, find_name
from host_tools.club.tournament.refused import Unfit
from host_tools.club.tournament.results import Outcome, make_outcome

MOST_PLAYERS = 20_000
_PLAYER = ("player", "name", "игрок", "имя")
_CLUB = ("club", "клуб")
_TEAM = ("team", "команда")


def read_places(text: str, group: Sequence[str], lost: Sequence[str] | None = None, is_draw: bool = False) -> Outcome:
    """`Anna; Boris = Vera; Gleb`: first place first, equals with =. Unless `lost` says who did, the last place has
    lost; in a draw nobody has. UnusableInput."""
    named = [[find_name(name, group) for name in place.split("=")] for place in text.split(";")]
    names = [name for place in named for name in place]
    strange = [name for name in names if name not in group]
    if strange and "," in strange[0] and ";" not in text:
        raise Unfit("commas", text=repr(shorten(text)), places=repr("; ".join(group)))
    if strange:
        raise Unfit("strange", name=repr(shorten(strange[0])), group="; ".join(group))
    missing = [name for name in group if name not in names]
    if missing or len(names) > len(group):
        what = Unfit("is.missing", name=repr(missing[0])) if missing else Unfit("is.twice")
        raise Unfit("places", what=what, places=repr("; ".join(group)))
    if lost is None:
        lost = [] if is_draw or len(named) < 2 else named[-1]
    lost = [find_name(name, group) for name in lost]
    wrong = [name for name in lost if name not in group]
    if wrong or is_draw and lost:
        raise Unfit("stranger", name=repr(shorten(wrong[0]))) if wrong else Unfit("draw.lost")
    return make_outcome(named, set(lost))


def read_letters(text: str) -> str:
    """The twelve letters of a slip as the table shows them; empty for none. UnusableInput."""
    if not text.strip():
        return ""
    letters = read_digest(text)
    if not letters:
        raise Unfit("letters", text=repr(shorten(text)))
    return letters


def read_money(text: str) -> int:
    """`12.50` as 1250. UnusableInput."""
    found = re.fullmatch(r"(\d{1,12})(?:[.,](\d{1,2}))?", text.strip(), re.ASCII)
    units = int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else MOST_MONEY + 1
    if units > MOST_MONEY:
        raise Unfit("money", text=repr(shorten(text)))
    return units


def read_seats(text: str) -> tuple[int, int, int]:
    """`4`, `3-4` or `3-4-5`: fewest, best and most players of a table. UnusableInput."""
    found = re.fullmatch(r"([2-7])(?:-([2-7]))?(?:-([2-7]))?", text.strip(), re.ASCII)
    if not found:
        raise Unfit("seats", text=repr(shorten(text)))
    low = int(found[1])
    high = int(found[3] or found[2] or low)
    best = int(found[2]) if found[2] else low
    if not low <= best <= high:
        raise Unfit("seats.order", text=repr(shorten(text)))
    return low, best, high


def read_shares(text: str) -> tuple[int, ...]:
    """`50,30,20`. UnusableInput."""
    words = [word.strip() for word in text.split(",")]
    if len(words) > 100 or not all(re.fullmatch(r"\d{1,6}", word, re.ASCII) for word in words):
        raise Unfit("shares", text=repr(shorten(text)))
    return tuple(int(word) for word in words)


def read_players(text: str, name: str) -> list[tuple[str, str, str]]:
    """(player, club, team) of each line of a CSV file; its first line may name the columns. UnusableInput."""
    text = text.removeprefix("\ufeff")  # spreadsheets begin a file so
    try:
        comma = ";" if text.split("\n", 1)[0].count(";") > text.split("\n", 1)[0].count(",") else ","
        rows = [row for row in csv.reader(io.StringIO(text), delimiter=comma, strict=True) if any(map(str.strip, row))]
    except csv.Error as wrong:
        raise UnusableInput(f"{name}: {wrong}") from wrong
    heads = [cell.strip().casefold() for cell in rows[0]] if rows else []
    at = [0, 1, 2]
    if any(head in (*_CLUB, *_TEAM) for head in heads) and not any(head in _PLAYER for head in heads):
        raise UnusableInput(f"{name}: its first line names no column of players: call one `player`")
    if any(head in _PLAYER for head in heads):
        at = [next((place for place, head in enumerate(heads) if head in names), 99)
              for names in (_PLAYER, _CLUB, _TEAM)]
        rows = rows[1:]
    if len(rows) > MOST_PLAYERS:
        raise UnusableInput(f"{name}: more than {MOST_PLAYERS} players")
    found = []
    for number, row in enumerate(rows, 1):
        player, club, team = (row[place].strip() if place < len(row) else "" for place in at)
        try:
            found.append((check_name(player, "name"), club and check_name(club, "club"),
                          team and check_name(team, "team")))
        except UnusableInput as wrong:
            raise UnusableInput(f"{name}: player {number}: {wrong}") from wrong
    if not found:
        raise UnusableInput(f"{name}: it names no player")
    return found
