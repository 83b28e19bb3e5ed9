"""Checks the seals of a record (T12; docs/record.md says what they are); it runs no rules and trusts nothing it reads.

It computes by itself what record/seal.py computes on the table: the two share a page, not their code.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass, field

from cardtable.engine.record import FORMAT
from cardtable.record.seal import GROUPS, LETTERS

INTACT = "intact"
CUT = "cut off"
CHANGED = "changed"
NO_RECORD = "no sealed record"
OTHER_ENDS = "its lines end otherwise than the table's: some program has rewritten them"

_SEAL = re.compile(rb"~ ((seal|end) ([1-9]\d{0,8})-([1-9]\d{0,8}) ([0-9a-f]{32})) ([0-9a-f]{32})")
_NONCE = b"nonce: "


@dataclass
class Finding:
    """The verdict on a record: `kind`; `lines`: how many whole ones it has; `sealed`: up to which line from the first
    on all is vouched for; `changed`: ranges of lines; `notes`: sentences; `digest`: its letters, if it is intact.
    """

    kind: str
    lines: int = 0
    sealed: int = 0
    changed: list[tuple[int, int]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    digest: str = ""

    def change(self, first: int, last: int, note: str = "") -> None:
        """These lines are not what the table wrote."""
        self.kind = CHANGED
        if self.changed and first <= self.changed[-1][1] + 1:
            first = self.changed.pop()[0]
        self.changed.append((first, last))
        if note:
            self.notes.append(note)

    def ranges(self) -> str:
        """`lines 3-40, 57 and 107-120`."""
        spans = [f"{first}-{last}" if first < last else f"{first}" for first, last in self.changed]
        told = " and ".join(filter(None, (", ".join(spans[:-1]), spans[-1])))
        return ("line " if spans[0].isdigit() and len(spans) == 1 else "lines ") + told


def count_lines(count: int) -> str:
    """`1 line is`, `3 lines are`."""
    return f"{count} line is" if count == 1 else f"{count} lines are"


def sign(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256."""
    return hmac.new(key, message, "sha256").digest()


def link(chain: bytes, line: bytes) -> bytes:
    """The chain behind one more line."""
    return hashlib.sha256(chain + line + b"\n").digest()[:16]


def digest_words(chain: bytes) -> str:
    """The digest that players write down."""
    number = int.from_bytes(hashlib.sha256(b"digest" + chain).digest()[:8], "big")
    letters = ""
    for _ in range(4 * GROUPS):
        number, letter = divmod(number, len(LETTERS))
        letters += LETTERS[letter]
    return " ".join(letters[at : at + 4] for at in range(0, len(letters), 4))


def read_digest(text: str) -> str:
    """A digest that was written down by hand, in the table's spelling; empty if it cannot be one."""
    letters = re.sub(r"[\s-]", "", text).upper()
    if len(letters) != 4 * GROUPS or letters.strip(LETTERS):
        return ""
    return " ".join(letters[at : at + 4] for at in range(0, len(letters), 4))


class Check:
    """One record on its way, line by line."""

    def __init__(self, key: bytes | None) -> None:
        """key: the table's; without it only the chain is checked."""
        self.key = key
        self.game_key: bytes | None = None
        self.chain = bytes(16)
        self.first = 1  # where the segment begins whose seal comes next
        self.said = 1  # and which number that line has, as the table counted
        self.number = 0
        self.seals = 0
        self.good_tags = 0
        self.is_ended = False
        self.finding = Finding(CUT)

    def take(self, line: bytes) -> None:
        """The next whole line."""
        self.number += 1
        if self.is_ended:
            self.finding.change(self.number, self.number)
            return
        seal = _SEAL.fullmatch(line)
        if seal:
            self.take_seal(seal)
            return
        if line.startswith(b"~ "):
            self.finding.change(self.number, self.number, f"line {self.number} is no seal that a table writes")
        self.chain = link(self.chain, line)
        if line.startswith(_NONCE) and self.key is not None:
            self.game_key = sign(self.key, line)

    def take_seal(self, seal: re.Match[bytes]) -> None:
        """Does the seal fit the lines before it?"""
        self.seals += 1
        first, last, chain = int(seal[3]), int(seal[4]), bytes.fromhex(seal[5].decode())
        is_the_tables = self.is_signed(seal[1], seal[6])
        self.good_tags += is_the_tables
        missing = last - first - (self.number - 1 - self.first)
        if not is_the_tables or chain != self.chain or first != self.said or missing:
            note = ""
            if is_the_tables and first > self.said:
                note = f"before line {self.first} {count_lines(first - self.said)} missing"
            elif is_the_tables and missing:
                what = "missing" if missing > 0 else "too many"
                note = f"before line {self.number} {count_lines(abs(missing))} {what}"
            self.finding.change(self.first, self.number, note)
        elif self.finding.kind != CHANGED:
            self.finding.sealed = self.number
        # Behind a seal of the table everything is as the table made it, even if the lines before were changed.
        if is_the_tables:
            self.chain = chain
            self.said = last + 2
        else:
            self.said += self.number + 1 - self.first
        self.first = self.number + 1
        self.is_ended = seal[2] == b"end"

    def is_signed(self, said: bytes, tag: bytes) -> bool:
        """Whether the tag is one that this table made for this game; True where that cannot be known."""
        if self.key is None:
            return True
        if self.game_key is None:
            return False
        return hmac.compare_digest(sign(self.game_key, said)[:16].hex().encode(), tag)

    def end(self, rest: bytes) -> Finding:
        """Nothing more comes but a line without its end."""
        finding = self.finding
        finding.lines = self.number
        if self.is_ended:
            if rest:
                finding.change(self.number + 1, self.number + 1)
            if finding.changed and finding.changed[-1][1] > self.first - 1:
                finding.notes.append(f"the table's record ends with line {self.first - 1}")
            if finding.kind == CUT:
                finding.kind = INTACT
                finding.digest = digest_words(self.chain)
        if self.key is not None and self.seals and not self.good_tags:
            finding.notes.append("not one seal is of this key and nonce: another table's record, or sealed by a forger")
        return finding


def header_length(lines: list[bytes]) -> int:
    """How many lines the header has, the empty one included; 0 if these lines begin no record."""
    stripped = [line.rstrip(b"\r") for line in lines]  # a program that rewrites the ends of lines changes a record
    if not lines or stripped[0] != FORMAT.encode() or b"" not in stripped:
        return 0
    return stripped.index(b"") + 1


def verify(record: bytes, key: bytes | None = None) -> Finding:
    """Check the seals of a whole record; a last line without its end does not count, it was cut off."""
    *lines, rest = record.split(b"\n")
    length = header_length(lines)
    if not length:
        return Finding(NO_RECORD, notes=[f"it does not begin with `{FORMAT}` and a header up to an empty line"])
    has_nonce = any(line.startswith(_NONCE) for line in lines[:length])
    if not has_nonce and not any(line.startswith(b"~ ") for line in lines):
        return Finding(NO_RECORD, notes=["it has neither a nonce nor a seal, so nothing proves who wrote it"])
    check = Check(key)
    if b"\r" in record:
        check.finding.notes.append(OTHER_ENDS)
    for line in lines:
        check.take(line)
    return check.end(rest)
