"""Adds up the games of a match from their records: who played, lost, went out first, and what is counted beside (D45).

A player is counted by name, at whatever seat. A game without a result, that was aborted, or that was played on from a
finished one counts for nobody, and so does a record that was changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.event import Event
from cardtable.engine.match import FROM, list_out
from cardtable.engine.reading import read_header
from cardtable.engine.record import Header, RecordError, SetupError
from cardtable.engine.session import Session
from cardtable.record.seal import find_nonce
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.judge.records.verify import CHANGED, verify
from host_tools.judge.replay.position import walk

ABORTED = "aborted"
MARKS = {"durak": "epaulettes", "malice": "owes"}  # what a game counts beside, in words


@dataclass
class Player:
    """What the games brought one player."""

    games: int = 0
    lost: int = 0
    out_first: int = 0
    marks: dict[str, int] = field(default_factory=dict)  # by game


def add_up(paths: Iterable[Path]) -> tuple[dict[str, Player], int, list[str]]:
    """Each player by name, how many games counted, and a sentence for each file that cannot be played or was changed. A
    game counts once, however often its record is there, cut off or whole. UnusableInput if no file can be played."""
    players: dict[str, Player] = {}
    seen: set[bytes] = set()
    played, notes = 0, []
    for path in paths:
        try:
            record = foreign.read_bytes(path).replace(b"\r\n", b"\n")
            header, session, result, accepted = play(record)
        except (RecordError, SetupError) as wrong:
            notes.append(f"{path}: {wrong}")
            continue
        except foreign.Unreadable as wrong:
            notes.append(str(wrong))
            continue
        played += 1
        finding = verify(record)
        if finding.kind == CHANGED:
            notes.append(f"{path}: changed in {finding.ranges()}, so it counts for nobody")
            continue
        name = find_nonce(header) or hashlib.sha256("\n".join([*header.lines(), *accepted]).encode()).digest()
        if name in seen or FROM in dict(header.keys) or result in ("", ABORTED):
            continue
        seen.add(name)
        out = list_out(session)
        game = session.game
        for seat, name in enumerate(header.seats, 1):
            player = players.setdefault(name, Player())
            player.games += 1
            player.lost += game.losers(session.state) >> seat & 1
            player.out_first += out[:1] == [seat]
            player.marks[game.NAME] = player.marks.get(game.NAME, 0) + game.marks(session.state, seat)
    if notes and not played:
        raise UnusableInput(notes[0])
    return players, len(seen), notes


def play(record: bytes) -> tuple[Header, Any, str, list[str]]:
    """The record's header, its game as far as it goes, its result, if it has one, and the lines of what was accepted; a
    last line without its end was cut off. RecordError, also where the engine judges otherwise; SetupError."""
    lines = iter(f"{line}\n" for line in record.decode("utf-8", "replace").split("\n")[:-1])
    header, head = read_header(lines)
    session = Session(find_game(header.game[0]), header)
    result, accepted = "", []
    for number, text, rules in walk(session, Event(), lines, head):
        if text.startswith("result:"):
            result = " ".join(text[7:].split())
            if not session.is_over() or result != session.result():
                raise RecordError(number, "the game had no such result")
        elif not rules:
            accepted.append(text)
    return header, session, result, accepted


def tell(players: dict[str, Player], count: int) -> Iterator[str]:
    """A line for each player, who has lost least first; columns that nobody has anything in are left out."""
    yield f"{count} games" if count != 1 else "1 game"
    rows = sorted(players.items(), key=lambda row: (row[1].lost, sum(row[1].marks.values()), row[0]))
    has_order = any(player.out_first for player in players.values())
    counted = [game for game in MARKS if any(player.marks.get(game) for player in players.values())]
    for name, player in rows:
        line = f"{foreign.shorten(name):<16} played {player.games:>3}  lost {player.lost:>3}"
        line += f"  out first {player.out_first:>3}" if has_order else ""
        yield line + "".join(f"  {MARKS[game]} {player.marks.get(game, 0):>3}" for game in counted)
