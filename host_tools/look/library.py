"""Lists a folder of games: what each record is, in sentences of its own; exports the list. No file of it is changed."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.files import SHEET, no_formula, path_as_text
from host_tools.look.answer import PUBLIC, Teller, describe_seal
from host_tools.sight.recorded import ALL, Recorded, clock, read_record
from host_tools.look.wording import Wording
from host_tools.minds.analysis.served import FOLDER
from host_tools.judge.records import verify
from host_tools.judge.sentences import Sentences

MOST = 10_000  # records of a folder
FIELDS = ("name", "date", "table", "game", "players", "result", "length", "lines", "refused", "seal", "digest")


@dataclass
class Entry:
    """One record of a folder. `kind` is its `game:` line, `game` the title; `trouble`: why it cannot be read."""

    name: str
    date: str = ""
    table: str = ""
    kind: str = ""
    game: str = ""
    players: list[str] = field(default_factory=list)
    result: str = ""
    outcome: str = ""  # as the record has it
    is_over: bool = False
    is_continued: bool = False  # it was played on from a finished game, and counts for nothing
    length: str = ""
    length_ms: int = 0
    lines: int = 0
    refused: int = 0
    seal: str = ""
    sealed: str = ""
    digest: str = ""
    trouble: str = ""


class Library:
    """A folder of records. `entries()` looks at what has changed since it was asked last."""

    def __init__(self, folder: Path, language: str = "en", only: Path | None = None, reader: str = "",
                 analysis: dict[str, Any] | None = None) -> None:
        """only: one record of the folder, for a page that shows no other. reader: the only one that it is shown to.
        analysis: the figures of that record's analysis."""
        self.folder, self.language, self.only, self.reader = folder, language, only, reader
        self.analysis = analysis
        self._known: dict[str, tuple[tuple[int, int], Entry]] = {}
        self._listed: dict[str, Path] = {}

    def paths(self) -> dict[str, Path]:
        """The records by name. UnusableInput for a folder that cannot be read."""
        if self.only is not None:
            return {path_as_text(self.only.name): self.only}
        try:
            found = sorted(path for path in self.folder.iterdir() if path.suffix == ".rec" and path.is_file())
        except OSError as wrong:
            raise UnusableInput(f"{self.folder}: {wrong.strerror or wrong}") from wrong
        if len(found) > MOST:
            raise UnusableInput(f"{self.folder}: more than {MOST} records")
        self._listed = {path_as_text(path.name): path for path in found}
        return self._listed

    def entries(self) -> list[Entry]:
        """All records, the newest first."""
        paths = self.paths()
        found = [self._entry(name, path) for name, path in paths.items()]
        return sorted(found, key=lambda entry: (entry.date, entry.name), reverse=True)

    def _entry(self, name: str, path: Path) -> Entry:
        try:
            status = path.stat()
        except OSError as wrong:
            return Entry(name, trouble=wrong.strerror or str(wrong))
        mark = (status.st_mtime_ns, status.st_size)
        known = self._known.get(name)
        if known is None or known[0] != mark:
            known = self._known[name] = (mark, read_entry(path, self.language))
        return known[1]

    @property
    def kept(self) -> Path | None:
        """The folder in which the analyses of these records are kept; None: nowhere."""
        return self.folder / FOLDER if self.only is None else None

    def content(self, name: str) -> tuple[str, bytes] | None:
        """(name as a sentence says it, bytes) of the record of that name, or None: no other file is ever read.
        UnusableInput."""
        path = self._listed.get(name)
        if path is None or not path.is_file():  # the folder is not listed again for each of its records
            path = self.paths().get(name)
        return (str(path), foreign.read_bytes(path)) if path is not None else None

    def record(self, name: str) -> Recorded | None:
        """The same, as a game. UnusableInput."""
        found = self.content(name)
        return Recorded(*found) if found is not None else None


def read_entry(path: Path, language: str) -> Entry:
    """What one record is; one of a table that has no clock has no date."""
    try:
        record = read_record(path)
    except UnusableInput as wrong:
        cause = str(wrong).partition(": ")[2] or str(wrong)
        return Entry(path_as_text(path.name), trouble=Sentences(language=language).why(cause))
    teller = Teller(record, record.reader(ALL if record.is_over else PUBLIC), language)
    told = teller.lines()
    keys = dict(record.header.keys)
    words = Wording(language)
    names = {verify.INTACT: "intact", verify.CUT: "cut off", verify.CHANGED: "changed"}
    return Entry(
        path_as_text(path.name), date=keys.get("started", "").replace("T", " ")[:16], table=keys.get("table", ""),
        kind=" ".join(record.header.game), game=teller.sentences.title(record.header.game),
        players=[teller.sentences.seat(seat) for seat in range(1, len(record.header.seats) + 1)],
        result=teller.sentences.result(record.result) if record.is_over else words.say("running"),
        outcome=record.result if record.is_over else "", is_over=record.is_over,
        is_continued=record.begins > 0,
        length=clock(told[-1].at_ms).partition(".")[0] if told else "", length_ms=told[-1].at_ms if told else 0,
        lines=len(told), refused=sum(bool(one.rule) for one in told),
        seal=names.get(record.finding.kind, "none"), sealed=describe_seal(record, words), digest=record.finding.digest,
        trouble=teller.sentences.why(record.trouble))


def matches(entry: Entry, wanted: str) -> bool:
    """Whether all those words stand in what the list says of a record."""
    text = " ".join([entry.name, entry.date, entry.table, entry.kind, entry.game, *entry.players, entry.result,
                     entry.seal, entry.digest]).casefold()
    return all(word in text for word in wanted.casefold().split())


def as_csv(entries: list[Entry]) -> str:
    """For a spreadsheet: one line a game. No cell is a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(FIELDS)
    for entry in entries:
        row = {**asdict(entry), "players": ", ".join(entry.players)}
        writer.writerow([no_formula(str(row[name])) for name in FIELDS])
    return SHEET + out.getvalue()


def as_json(entries: list[Entry]) -> str:
    """All that the list knows."""
    return json.dumps([asdict(entry) for entry in entries], ensure_ascii=False, indent=1) + "\n"


def as_text(library: Library, entries: list[Entry]) -> str:
    """Whole games to read: tags as chess programs write them, then a numbered sentence for each event."""
    return "\n".join(filter(None, (game_as_text(library, entry) for entry in entries)))


def game_as_text(library: Library, entry: Entry) -> str:
    """One game; empty for a record that cannot be read."""
    record = library.record(entry.name) if entry.kind else None
    if record is None:
        return ""
    told = Teller(record, record.reader(ALL if record.is_over else PUBLIC), library.language).lines()
    tags: dict[str, Any] = {"Game": entry.kind, "Date": entry.date, "Table": entry.table}
    tags.update({f"Seat{seat}": name for seat, name in enumerate(entry.players, 1)})
    tags.update({"Result": entry.outcome or "*", "Seal": f"{entry.seal} {entry.digest}".strip(), "Record": entry.name})
    lines = [f'[{name} "{foreign.printable(str(value)).replace(chr(34), chr(39))}"]' for name, value in tags.items()]
    lines += [""] + [f"{one.number}. {clock(one.at_ms)} {one.text}" for one in told]
    return "\n".join([*lines, "", entry.result, ""])


WRITERS = (".csv", ".json", ".txt")


def export(library: Library, entries: list[Entry], kind: str) -> str:
    """The list as .csv, .json or .txt."""
    if kind == ".csv":
        return as_csv(entries)
    return as_json(entries) if kind == ".json" else as_text(library, entries)
