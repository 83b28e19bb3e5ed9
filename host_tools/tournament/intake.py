"""Takes in the records of tables: each is checked and durable before its receipt is given, and counts exactly once.

This file is the door for everything that brings records: files, USB, MQTT. Say `offer` as often as you like, in any order,
from any process: the key of a result is (round and table, game, seal), the same key twice is nothing, and the same game with
another seal waits for the arbiter. The seal is the twelve letters that the table shows at the end of a game; it follows
from the record's last line alone: `digest_words(bytes.fromhex(CHAIN))` of `~ end FIRST-LAST CHAIN TAG`
(host_tools/records/verify.py, cardtable/record/seal.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

COUNTED = "counted"  # stored, and the standings have it
KNOWN = "known"  # stored before; nothing has changed
DISPUTED = "disputed"  # stored, and waits for the arbiter
REFUSED = "refused"  # not stored: no intact record of a finished game of this tournament


@dataclass(frozen=True)
class Receipt:
    """What became of a record. Of every status but REFUSED the record is durable here, and its table may forget it."""

    status: str
    seal: str  # the record's own, `KHRT 7M4N WX29`; empty if it has no intact one
    reason: str  # one sentence

    @property
    def may_forget(self) -> bool:
        """Whether the table needs to offer the record no more."""
        return self.status != REFUSED


@dataclass(frozen=True)
class Order:
    """What a table of the current round plays next."""

    table: str  # its name, `table:` in its records
    round: int
    game: int  # from 1, of the match that it plays in this round
    players: tuple[str, ...]  # by seat
    setup: str  # the whole text of its set-up: a record's header, with the empty line


def offer(director: Any, record: bytes, source: str) -> Receipt:
    """Take in one record. source: where it came from, for the log, such as `mqtt` or a file's name."""
    return offer_all(director, [(record, source)])[0]


def offer_all(director: Any, records: Iterable[tuple[bytes, str]]) -> list[Receipt]:
    """Take in many with one write to the disk: all are durable when this returns."""
    raise NotImplementedError


def orders(director: Any) -> list[Order]:
    """What each table of the current round plays next; a table whose games have all been counted has none."""
    raise NotImplementedError


def tables(director: Any) -> list[str]:
    """The names of the tables of the current round."""
    raise NotImplementedError
