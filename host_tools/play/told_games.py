"""Names the finished games of a table as people do: when, what was played, how it ended for the person who asks."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

from cardtable.engine.reading import read_header
from cardtable.engine.record import RecordError
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.judge.sentences import Sentences

_WHEN = re.compile(r"(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)-")  # library.copy names it so, by this computer's clock
_ENDINGS = ("fool", "loser", "winner", "team")


def tell_games(folder: Path, names: list[str], language: str, own: set[str]) -> list[dict[str, Any]]:
    """`name`, `when` (2026-11-24T15:15, or empty), `game`, `players`, `result` and `seat` of each record, in order;
    own: the names under which the person who asks plays: the result is told to that player, whose seat it is (or 0)."""
    return [tell_game(folder / name, language, own) for name in names]


def tell_game(path: Path, language: str, own: set[str]) -> dict[str, Any]:
    """One of them; a record that cannot be read has its name alone."""
    found = _WHEN.match(path.name)
    told = {"name": path.name, "when": f"{found[1]}T{found[2]}:{found[3]}" if found else "", "game": "", "players": [],
            "result": "", "seat": 0}
    try:
        title, players, result = _read(path, path.stat().st_mtime_ns)
    except (OSError, UnusableInput):
        return told
    words = Sentences(None, players, language)
    said = tell_result(words, players, result, own)
    return {**told, "game": words.title(title), "players": list(players), "result": said,
            "seat": own_seat(players, own)}


def own_seat(players: tuple[str, ...], own: set[str]) -> int:
    """The one seat whose name is among these, else 0."""
    mine = [seat for seat, name in enumerate(players, 1) if name in own]
    return mine[0] if len(mine) == 1 else 0


def tell_result(words: Sentences, players: tuple[str, ...], result: str, own: set[str]) -> str:
    """How it ended: "you lost to Vera", where one of two was the person who asks."""
    mine = own_seat(players, own)
    said = result.split()
    if not mine or not said or said[0] not in _ENDINGS:
        return words.result(result)
    named = said[1].split("+") if len(said) > 1 else []
    has_lost = (str(mine) in named) != (said[0] == "winner")
    others = [name for seat, name in enumerate(players, 1) if seat != mine]
    return words.outcome(has_lost, others[0] if len(others) == 1 else "", said[0])


@functools.lru_cache(maxsize=256)
def _read(path: Path, _changed: int) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """(game line, players, result) of a record. UnusableInput."""
    lines = foreign.read_text(path).splitlines()
    try:
        header, _ = read_header(line + "\n" for line in lines)
    except RecordError as wrong:
        raise UnusableInput(f"{path}: {wrong}") from wrong
    result = next((line[8:] for line in reversed(lines) if line.startswith("result: ")), "")
    return tuple(header.game), tuple(header.seats), result
