"""Forges sealed records at random: drops, doubles, swaps and edits lines, and makes whole chains again under another
key."""

from __future__ import annotations

import random
from collections.abc import Callable

from host_tools.judge.records.verify import CHANGED, CUT, NO_RECORD, Finding, link, sign, verify

FORGERIES = 12  # of one record
SEAL_LINES = 32

Forger = Callable[[list[bytes], int, random.Random], list[bytes]]


def drop(lines: list[bytes], at: int, rng: random.Random) -> list[bytes]:
    """A line is missing."""
    return lines[:at] + lines[at + 1 :]


def double(lines: list[bytes], at: int, rng: random.Random) -> list[bytes]:
    """A line stands there twice."""
    return lines[: at + 1] + lines[at:]


def swap(lines: list[bytes], at: int, rng: random.Random) -> list[bytes]:
    """Two lines have changed places."""
    other = rng.randrange(len(lines))
    lines = list(lines)
    lines[at], lines[other] = lines[other], lines[at]
    return lines


def edit(lines: list[bytes], at: int, rng: random.Random) -> list[bytes]:
    """One byte is another one; never an end of a line."""
    line = bytearray(lines[at] or b" ")
    line[rng.randrange(len(line))] = rng.choice(b"0123456789 ;~!abcSHDC")
    return [*lines[:at], bytes(line), *lines[at + 1 :]]


def rechain(lines: list[bytes], at: int, rng: random.Random) -> list[bytes]:
    """A byte is another one, and every seal is made again as a table with another key would."""
    game_key, chain, first = bytes(32), bytes(16), 1
    made: list[bytes] = []
    for line in edit(lines, at, rng):
        if line[:2] == b"~ ":
            continue
        made.append(line)
        chain = link(chain, line)
        if line.startswith(b"nonce: "):
            game_key = sign(rng.randbytes(32), line)
        is_end = line.startswith(b"result:")
        if is_end or len(made) - first + 1 == SEAL_LINES:
            said = b"%s %d-%d %s" % (b"end" if is_end else b"seal", first, len(made), chain.hex().encode())
            made.append(b"~ " + said + b" " + sign(game_key, said)[:16].hex().encode())
            first = len(made) + 1
    return made


FORGERS: tuple[Forger, ...] = (drop, double, swap, edit, rechain)


def find_undetected(record: bytes, key: bytes, rng: random.Random, count: int = FORGERIES) -> str:
    """Forge it so many times; the name of a forgery of which a line passes that the table did not write, or that is not
    told where it is; or nothing."""
    lines = record.split(b"\n")[:-1]
    for _ in range(count):
        forger = rng.choice(FORGERS)
        forged = forger(lines, rng.randrange(len(lines)), rng)
        finding = verify(b"\n".join(forged) + b"\n", key)
        if forged != lines and not is_told(lines, forged, finding):
            return f"{forger.__name__}, {finding.kind}, {finding.sealed} lines, {finding.changed}"
    return ""


def is_told(lines: list[bytes], forged: list[bytes], finding: Finding) -> bool:
    """Whether the finding names a range with the first line that is not as it was, or vouches for none behind the last
    seal before it; what has no header any more is no record."""
    first = next((at for at, (line, other) in enumerate(zip(lines, forged, strict=False), 1) if line != other),
                 min(len(lines), len(forged)) + 1)
    if finding.sealed >= first:
        return False
    if finding.kind == CHANGED:
        return any(begin <= first <= end for begin, end in finding.changed)
    if finding.kind == CUT:
        return not any(line.startswith(b"~ ") for line in forged[first - 1 :])
    return finding.kind == NO_RECORD and first <= lines.index(b"") + 1
