"""Registers tags from lines that people can read: a deck's, or those of keys, players and profiles."""

from micropython import const

from cardtable.engine.deck import STRANGER, card_name, card_number
from cardtable.table.tags import ARBITER_KEY, PLAYER, SETUP, TagError

TAG_LIMIT = 152  # two decks, and some dozens that are no cards
_NAMED_LIMIT = const(16)  # players, and as many profiles


def take_deck(tags, lines) -> None:
    """Take the deck from lines `04A1B2C3D4E580 6S`; empty lines and `;` comments are passed over. TagError."""
    number = 0
    for line in lines:
        number += 1
        words = line.split(";")[0].split()
        if not words:
            continue
        if len(words) != 2:
            raise TagError("line %d: a deck file has `UID CARD` lines" % number)
        add(tags, words[0], words[1], number)


def take_others(tags, lines) -> None:
    """Take tags that are no cards. TagError about the first wrong line, when all others were taken."""
    number = 0
    first: TagError | None = None
    for line in lines:
        number += 1
        words = line.split(";")[0].split()
        try:
            if words != []:
                add_other(tags, words, number)
        except TagError as wrong:
            first = first or wrong
    if first:
        raise first


def add_other(tags, words: list, number: int) -> None:
    """Register a tag that is no card by the words of its line."""
    kind = words[1] if len(words) > 1 else ""
    name = " ".join(words[2:])
    names: list = []
    if kind == "arbiter" and not name:
        code = ARBITER_KEY
    elif kind in ("player", "setup") and name:
        names = tags.players if kind == "player" else tags.setups
        if len(names) >= _NAMED_LIMIT:
            raise TagError("line %d: more than %d tags of this kind" % (number, _NAMED_LIMIT))
        code = (PLAYER if kind == "player" else SETUP) + len(names)
    else:
        raise TagError("line %d: it takes `UID arbiter`, `UID player NAME` or `UID setup PROFILE`" % number)
    append(tags, words[0], code, number)
    names.append(name)


def add(tags, uid: str, name: str, number: int) -> None:
    """Register one card's tag."""
    card = card_number(name)
    if card < 0 or card == STRANGER:
        raise TagError("line %d: %s is no card" % (number, name))
    if tags.has(card):
        raise TagError("line %d: the deck has two tags for %s" % (number, card_name(card)))
    append(tags, uid, card, number)


def append(tags, uid: str, code: int, number: int) -> None:
    """Register one tag: a card's number, or what else it can be."""
    try:
        row = bytes([int(uid[at : at + 2], 16) for at in range(0, len(uid), 2)])
    except ValueError:
        row = b""
    if len(row) not in (4, 7, 10) or len(uid) != 2 * len(row):
        raise TagError("line %d: %s is no UID of 4, 7 or 10 bytes" % (number, uid))
    row += bytes(10 - len(row))
    if tags.find(row) != STRANGER:
        raise TagError("line %d: %s is registered twice" % (number, uid))
    if len(tags) >= TAG_LIMIT:
        raise TagError("line %d: more than %d tags" % (number, TAG_LIMIT))
    tags.append(row, code)
