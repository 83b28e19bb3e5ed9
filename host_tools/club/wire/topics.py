"""Owns the topics and payloads of docs/network.md, and their limits. It sends nothing and keeps nothing."""

from __future__ import annotations

import json
import re
import zlib
from typing import Any, NamedTuple

from cardtable.engine.reading import read_header
from cardtable.engine.record import RecordError
from cardtable.net.topics import (
    COUNTED,
    DISPUTED,
    FINAL,
    FIRST_S,
    GONE,
    HERE,
    KNOWN,
    MOST_S,
    NAME_LIMIT,
    OFFER_LIMIT,
    PLAYING,
    REFUSED,
    ROOT,
    SMALL_LIMIT,
    write_topic,
)
from cardtable.record.seal import GROUPS, LETTERS, digest_words
from host_tools.base import foreign
from host_tools.club.tournament.room import to_name

# What both ends must mean alike stands in the firmware: a table with Wi-Fi is one of them.
__all__ = [
    "COUNTED", "DISPUTED", "FINAL", "GONE", "HERE", "KNOWN", "NAME_LIMIT", "OFFER_LIMIT", "PLAYING", "REFUSED", "ROOT",
    "SMALL_LIMIT", "to_name",
]

WINDOW = 16  # offers of one sender that may wait for their receipts
# An offer without a receipt is made again after this, then after twice as long each time, at most this.
RETRY_S = (float(FIRST_S), float(MOST_S))
OFFERS_A_MINUTE = 240  # of one table; a director leaves more without an answer, and they come again

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_TOPIC = re.compile(rf"{ROOT}/([^/]+)/(table|bridge|director)/([^/]+)/([a-z]+)")
_END = re.compile(rb"~ end [1-9]\d{0,8}-[1-9]\d{0,8} ([0-9a-f]{32}) [0-9a-f]{32}")
_SEAL = re.compile(rf"[{LETTERS}]{{4}}( [{LETTERS}]{{4}}){{{GROUPS - 1}}}")


class Message(NamedTuple):
    """One message of MQTT, always with QoS 1. `retain`: the broker shall keep it; of one that came, that it was kept,
    so it is older than the subscription."""

    topic: str
    payload: bytes
    retain: bool = False


class Topic(NamedTuple):
    """The parts of a topic: `event` is the tournament, `role` is table, bridge or director."""

    event: str
    role: str
    name: str
    what: str

    def __str__(self) -> str:
        return write_topic(*self)


def read_topic(text: str) -> Topic | None:
    """The parts of a topic; None if it is none of ours."""
    found = _TOPIC.fullmatch(text)
    return Topic(*found.groups()) if found and is_name(found[1]) and is_name(found[3]) else None


def is_name(text: str) -> bool:
    """Whether a topic may have this as the name of a tournament, a table or a bridge."""
    return bool(_NAME.fullmatch(text))


def find_seal(record: bytes) -> str:
    """The record's own seal: the twelve letters that the table shows, by the chain of its last line. Empty for a record
    without its `~ end`. Nothing is checked."""
    for line in reversed(record.split(b"\n")[:-1]):
        found = _END.fullmatch(line)
        if found:
            return digest_words(bytes.fromhex(found[1].decode()))
        if not line.startswith((b";", b"~")):
            break
    return ""


def find_table(record: bytes) -> str:
    """The name of the table that the header says, as a topic has it; empty if it says none."""
    try:
        header, _ = read_header(line + "\n" for line in record.decode("utf-8", "replace").split("\n"))
    except RecordError:
        return ""
    return to_name(dict(header.keys).get("table", ""))


def state_of(event: str, role: str, name: str, state: str, **more: Any) -> Message:
    """The retained state; with GONE it is the last will."""
    return Message(str(Topic(event, role, name, "state")), write({"state": state, **more}), True)


def offer(event: str, table: str, record: bytes) -> Message:
    """A record is offered. The payload is the record itself, byte for byte."""
    return Message(str(Topic(event, "table", table, "offer")), record)


def receipt(event: str, table: str, seal: str, status: str, reason: str = "") -> Message:
    """The answer to an offer, with the record's own seal."""
    said = {"seal": seal, "status": status, "reason": reason[:400]}
    return Message(str(Topic(event, "table", table, "receipt")), write(said))


def order(event: str, table: str, number: str, setup: str) -> Message:
    """The set-up of the table's next game, retained; an empty number takes it back."""
    payload = write({"order": number, "setup": setup}) if number else b""
    return Message(str(Topic(event, "table", table, "order")), payload, True)


def write(said: dict[str, Any]) -> bytes:
    """A payload that is no record."""
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def read(payload: bytes) -> dict[str, str] | None:
    """The texts that such a payload says; None if it is none. Keys that nobody knows are kept."""
    if len(payload) > SMALL_LIMIT:
        return None
    try:
        said: dict[str, str] = foreign.parse_json(payload, {str: str})
    except foreign.Misshapen:
        return None
    return said


def read_receipt(payload: bytes) -> tuple[str, str, str] | None:
    """(seal, status, reason); None if it is no receipt."""
    said = read(payload) or {}
    seal, status = said.get("seal", ""), said.get("status", "")
    return (seal, status, said.get("reason", "")) if _SEAL.fullmatch(seal) and status else None


def read_order(payload: bytes) -> tuple[str, str] | None:
    """(number, set-up); empty texts where the order was taken back; None if it is no order."""
    if not payload:
        return "", ""
    said = read(payload) or {}
    number, setup = said.get("order", ""), said.get("setup", "")
    return (number, setup) if is_name(number) and setup else None


def number_of(round_number: int, game: int, setup: str) -> str:
    """The name of an order; a set-up that was changed since is another order."""
    return f"r{round_number}-g{game}-{zlib.crc32(setup.encode()):08x}"
