"""Makes the analysis of a record for a server, in the process aside; what was found is kept beside the record, by its
digest.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.files import write_file
from host_tools.minds.analysis.judge import GUESSES, analyse, judge_seat
from host_tools.minds.analysis.report import figures, hash_of, tell_decision
from host_tools.sight.recorded import Recorded

FOLDER = "analyses"  # in the folder of the records
SHAPE = {"sha256": str, "decisions": [dict], "seats": [dict], "players": [str], "curve": [dict]}
SEAT_SHAPE = {"sha256": str, "decisions": [dict]}
SPLIT_SHAPE = {"sha256": str, "splits": [{str: int}]}
# 1 had three classes of mistakes, 2 solved fewer ends, 3 knew no draws=no, 4 did not say which ends were not solved, 5
# solved ends in which a seat may cheat, and took an undo for a play of who agreed, 6 had one line for all of Durak for
# two and guessed before the last draws, 7 solved fewer of them. Analyses saved by another method are made again.
METHOD = 8


def key_of(kind: str, content: bytes, *facts: object) -> str:
    """By which the same question about the same record is known."""
    return " ".join([kind, hashlib.sha256(content).hexdigest(), *map(str, facts)])


def find_folder(path: Path) -> Path | None:
    """The folder beside that record in which analyses are kept, if one is there."""
    folder = path.parent / FOLDER
    return folder if folder.is_dir() else None


def path_of(content: bytes, folder: Path) -> Path:
    """Where the figures of that record are kept."""
    return folder / f"{hashlib.sha256(content).hexdigest()}.json"


def read_kept(path: Path, shape: dict[str, Any], sha256: str) -> dict[str, Any] | None:
    """What is kept there of the record with that digest, by today's METHOD."""
    try:
        kept: dict[str, Any] = foreign.read_json(path, {**shape, "method": int})
    except foreign.Unreadable:
        return None
    return kept if (kept["sha256"], kept.pop("method")) == (sha256, METHOD) else None


def find_figures(record: Recorded, folder: Path | None) -> dict[str, Any] | None:
    """The figures, if they are kept there."""
    return read_kept(path_of(record.content, folder), SHAPE, hash_of(record)) if folder is not None else None


def find_decisions(record: Recorded, folder: Path | None) -> dict[str, Any] | None:
    """As much of the figures as is kept: of seats that were judged alone their decisions; None: of no seat."""
    whole = find_figures(record, folder)
    if whole is not None or folder is None:
        return whole
    found: list[dict[str, Any]] = []
    for path in list_kept(record.content, folder):
        kept = read_kept(path, SEAT_SHAPE, hash_of(record))
        found += kept["decisions"] if kept is not None else []
    return {"sha256": hash_of(record), "decisions": found, "is_part": True} if found else None


def list_kept(content: bytes, folder: Path) -> list[Path]:
    """All that is kept of that record: its figures, those of seats that were judged alone."""
    return sorted(folder.glob(f"{hashlib.sha256(content).hexdigest()}*.json"))


def make_figures(
    record: Recorded, folder: Path | None, guesses: int = GUESSES,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> dict[str, Any]:
    """The figures; they take seconds the first time, and tell(done, of) is called meanwhile. Figures of another number
    of guesses are not kept. UnusableInput for a game that is under way, or cannot be analysed."""
    folder = folder if guesses == GUESSES else None
    found = find_figures(record, folder)
    if found is None:
        found = figures(analyse(record, guesses, tell))
        if folder is not None:
            keep(path_of(record.content, folder), found)
    return found


def make_decisions(record: Recorded, seat: int, folder: Path | None) -> list[dict[str, Any]]:
    """The decisions of one seat as figures, in a share of the time that the whole game takes. UnusableInput."""
    whole = find_figures(record, folder)
    if whole is not None:
        return [one for one in whole["decisions"] if one["seat"] == seat]
    path = path_of(record.content, folder).with_suffix(f".seat{seat}.json") if folder is not None else None
    kept = read_kept(path, SEAT_SHAPE, hash_of(record)) if path is not None else None
    if kept is not None:
        found: list[dict[str, Any]] = kept["decisions"]
        return found
    decisions = [tell_decision(record.game, one) for one in judge_seat(record, seat)]
    if path is not None:
        keep(path, {"sha256": hash_of(record), "decisions": decisions})
    return decisions


def read_seat(content: bytes, seat: int, folder: Path) -> list[dict[str, Any]] | None:
    """The decisions of that seat, where the record was judged, the whole or that seat alone; None where it was not."""
    path = path_of(content, folder)
    for one, shape in ((path, SHAPE), (path.with_suffix(f".seat{seat}.json"), SEAT_SHAPE)):
        kept = read_kept(one, shape, hashlib.sha256(content).hexdigest())
        if kept is not None:
            return [decision for decision in kept["decisions"] if decision.get("seat") == seat]
    return None


def make_split(record: Recorded, seat: int, folder: Path | None) -> dict[str, int]:
    """Where the seat's result came from, in millionths: `fair`, `deal`, `draws`, `table`, `play 1` and so on, and the
    `outcome`; in a share of the time that the whole analysis takes. UnusableInput."""
    whole = find_figures(record, folder)
    if whole is not None:
        return {**whole["seats"][seat - 1]["split"], "outcome": whole["seats"][seat - 1]["outcome"]}
    path = folder / f"luck-{hash_of(record)}.json" if folder is not None else None
    kept = read_kept(path, SPLIT_SHAPE, hash_of(record)) if path is not None else None
    if kept is not None and len(kept["splits"]) == len(record.header.seats):
        found: dict[str, int] = kept["splits"][seat - 1]
        return found
    told = analyse(record, judges=False)
    splits = [{**told.split(one), "outcome": told.outcome[one - 1]} for one in range(1, told.seats + 1)]
    if path is not None:
        keep(path, {"sha256": hash_of(record), "splits": splits})
    return splits[seat - 1]


def keep(path: Path, found: dict[str, Any]) -> None:
    """Write it down whole, with its METHOD; a folder that cannot be written keeps nothing."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        write_file(path, json.dumps({**found, "method": METHOD}, ensure_ascii=False).encode())
