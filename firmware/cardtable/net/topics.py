"""Owns what tables and directors say to each other over MQTT (docs/network.md), for both ends: topics, states, receipts
and their limits. It sends nothing and keeps nothing."""

from cardtable.record.seal import CHAIN_BYTES, digest_words
from micropython import const

ROOT = const("cardtable/1")
OFFER_LIMIT = const(262144)  # bytes of a record: the longest recorded game has a tenth of it
SMALL_LIMIT = const(8192)  # bytes of every other payload; a table reads no longer set-up
NAME_LIMIT = const(40)  # characters of the name of a tournament, a table or a bridge
FIRST_S = const(5)  # an offer without a receipt is made again after this, then after twice as long each time,
MOST_S = const(300)  # and at most after this
KEEPALIVE_S = const(20)  # who is silent for half as long again counts as gone

HERE = const("here")
GONE = const("gone")
PLAYING = const("playing")  # a board has gone off the network for its game
# What a receipt says of a record. These four end its offers; anything else leaves them going.
COUNTED = const("counted")  # stored durably, and it counts
KNOWN = const("known")  # the same record had come before
DISPUTED = const("disputed")  # stored durably, and the arbiter decides
REFUSED = const("refused")  # not stored; the reason says why, and the sender keeps it
FINAL = (COUNTED, KNOWN, DISPUTED, REFUSED)

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def write_topic(event: str, role: str, name: str, what: str) -> str:
    """event: the tournament; role: table, bridge or director, and its name."""
    return "%s/%s/%s/%s/%s" % (ROOT, event, role, name, what)


def write_weak(weak: list) -> str:
    """What a state says of readers that weaken, as between/weak.py lists them: the date of the measurement, then
    READER:THEN>NOW of each, in reads of a hundred; empty if none does."""
    return " ".join([row[3] for row in weak[:1]] + ["%d:%d>%d" % row[:3] for row in weak])


def is_name(text: str) -> bool:
    """Whether a topic may have this as the name of a tournament, a table or a bridge."""
    return 0 < len(text) <= NAME_LIMIT and text[0] in _LETTERS and not text.strip(_LETTERS + "-_")


def find_seal(end: bytes) -> str:
    """The twelve letters that the table shows, from the last bytes of a record: by the chain of its last seal. Empty
    for a record without its `~ end`. Nothing is checked."""
    for line in reversed(end.split(b"\n")[:-1]):
        words = line.split(b" ")
        if line.startswith(b"~ end ") and len(words) == 5 and len(words[3]) == 2 * CHAIN_BYTES:
            try:
                return digest_words(bytes.fromhex(words[3].decode()))
            except ValueError:
                return ""
        if line[:1] not in (b";", b"~"):
            break
    return ""
