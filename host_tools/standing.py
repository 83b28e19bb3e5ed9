"""Adds up the games of a match from their records: who played and lost how many, and what is counted beside (D45).

A player is counted by name, at whatever seat. A game without a result, or that was aborted, counts for nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.event import Event
from cardtable.engine.record import Header, RecordError, SetupError, read_event, read_header
from cardtable.engine.session import Session
from host_tools import foreign
from host_tools.errors import UnusableInput


@dataclass
class Player:
    """What the games brought one player."""

    games: int = 0
    lost: int = 0
    marks: int = 0
    owes: int = 0  # Malice with a stake


def add_up(paths: Iterable[Path]) -> tuple[dict[str, Player], int]:
    """Each player by name, and how many games counted. UnusableInput names a file that is no record."""
    players: dict[str, Player] = {}
    count = 0
    for path in paths:
        try:
            header, session = play(path)
        except (RecordError, SetupError) as wrong:
            raise UnusableInput(f"{path}: {wrong}") from wrong
        if not session.is_over() or session.result() == "aborted":
            continue
        count += 1
        owes = _read_owed(session.result())
        for seat, name in enumerate(header.seats, 1):
            player = players.setdefault(name, Player())
            player.games += 1
            player.lost += session.game.losers(session.state) >> seat & 1
            player.marks += session.game.marks(session.state, seat)
            player.owes += owes.get(seat, 0)
    return players, count


def play(path: Path) -> tuple[Header, Any]:
    """The record's header, and its game as it ended. RecordError, SetupError."""
    lines = iter(f"{line}\n" for line in foreign.read_text(path).splitlines())
    header, number = read_header(lines)
    session = Session(find_game(header.game[0]), header)
    event = Event()
    for number, line in enumerate(lines, number + 1):  # noqa: B020 - it goes on behind the header
        text = line.strip()
        if text and text[0] not in ";~" and not text.startswith("result:"):
            if not read_event(session.game, text, number, event) and session.play(event):
                raise RecordError(number, f"the engine refuses {text!r}")
    return header, session


def _read_owed(result: str) -> dict[int, int]:
    """`winner 1 owes 2 60`: seat 2 owes 60."""
    words = result.split()
    return {int(words[3]): int(words[4])} if words[2:3] == ["owes"] else {}


def tell(players: dict[str, Player], count: int) -> Iterator[str]:
    """A line for each player, who has lost least first; columns that nobody has anything in are left out."""
    yield f"{count} games" if count != 1 else "1 game"
    rows = sorted(players.items(), key=lambda row: (row[1].lost, row[1].marks, row[1].owes, row[0]))
    has_marks = any(player.marks for player in players.values())
    has_owed = any(player.owes for player in players.values())
    for name, player in rows:
        line = f"{foreign.shorten(name):<16} played {player.games:>3}  lost {player.lost:>3}"
        line += f"  epaulettes {player.marks:>3}" if has_marks else ""
        yield line + (f"  owes {player.owes:>5}" if has_owed else "")
