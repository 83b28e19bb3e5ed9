"""Reads the files that people wrote on the flash: deck, set-up, language; an error is a sentence naming the file."""

import os

from micropython import const

from cardtable.between.chosen import LAST_FILE, NEXT_FILE, write_header
from cardtable.between.decks import DECK_NUMBERS, deck_file, list_decks
from cardtable.between.files import append_line, is_there, read_lines
from cardtable.engine.deck import card_name
from cardtable.engine.reading import read_header
from cardtable.engine.record import SetupError
from cardtable.engine.state import NOWHERE
from cardtable.table.words import ENGLISH, list_languages

TAGS_FILE = "tags.txt"  # `UID arbiter`, `UID player NAME`, `UID setup PROFILE`
SETUP_FILE = "setup.txt"  # a record's header: the game that begins when the power comes
LANGUAGE_FILE = "language.txt"  # en or ru
SOUND_FILE = "sound.txt"  # no: the table makes none
NETWORK_FILE = "network.txt"  # Wi-Fi and broker (net.settings); a table without it has no network
TRUST_FILE = "broker.pem"  # the certificate by which it knows its broker
_SIZE = const(6)  # of what os.stat tells


def read_language() -> str:
    """The language of the screen; English where nothing else is written."""
    try:
        with open(LANGUAGE_FILE) as lines:
            language = lines.read(16).strip()
    except (OSError, UnicodeError):
        return ENGLISH
    return language if language in list_languages() else ENGLISH


def is_silent() -> bool:
    """Whether the table was told to make no sound."""
    try:
        with open(SOUND_FILE) as lines:
            return lines.read(16).strip() == "no"
    except (OSError, UnicodeError):
        return False


def is_networked() -> bool:
    """Whether this table is to report to a network between its games."""
    return NETWORK_FILE in os.listdir()


def read_others(tags) -> None:
    """Register the tags of the table that are no cards, if it has any, in place of those before. SetupError."""
    tags.forget_others()
    if is_there(TAGS_FILE):
        read_lines(TAGS_FILE, tags.load_others)
    tags.knows_others = True


def add_other(tags, line: str) -> None:
    """Register one more tag that is no card: on the flash stands only what the table can read again. OSError, TagError:
    it is not registered."""
    tags.load_others([line])
    try:
        append_line(TAGS_FILE, line)
    except OSError:
        read_others(tags)
        raise


def read_deck(state, header, tags) -> None:
    """Register the deck that the header names (`deck: 2`), else the first one with a tag for every card of the game.

    SetupError: what is wrong with the deck that was named, or with the first one.
    """
    numbers = [int(value) for key, value in header.keys if key == "deck" and value in DECK_NUMBERS]
    first: SetupError | None = None
    for number in numbers or list_decks() or [1]:
        tags.forget_cards()
        try:
            read_lines(deck_file(number), tags.load)
            check_deck(state, tags, deck_file(number))
            return
        except SetupError as wrong:
            first = first or wrong
    assert first
    raise first


def read_setup(name: str, places: int):
    """The header in that file, for a table of so many places. SetupError."""
    find = None  # a header that the table wrote has its game line already
    if name == SETUP_FILE:
        from cardtable.between.profiles import find_profile

        find = find_profile
    header, _ = read_lines(name, lambda lines: read_header(lines, find))
    if max(header.places) > places:
        raise SetupError("%s: this table has no place %d" % (name, max(header.places)))
    if max(header.dealer, header.first) > len(header.seats):
        raise SetupError("%s: it has no seat %d" % (name, max(header.dealer, header.first)))
    return header


def read_wanted(places: int) -> tuple:
    """(header, whether it is to be played at once, another header): of the game that was chosen at the table before it
    restarted, else the set-up file's, else the last game's, else None. The other one is that of the last game if the
    set-up file is heard: it was chosen at the table, may be under way, and then goes on. SetupError."""
    names = os.listdir()
    if NEXT_FILE in names and os.stat(NEXT_FILE)[_SIZE]:
        return read_setup(NEXT_FILE, places), True, None
    if SETUP_FILE in names and NEXT_FILE not in names:
        return read_setup(SETUP_FILE, places), True, read_last(places)
    return read_last(places), False, None


def read_last(places: int):
    """The header of the game that was chosen last, or None. The table wrote it, so an error in it is not shown."""
    try:
        return read_setup(LAST_FILE, places)
    except SetupError:
        return None


def count_match() -> int:
    """How many games the match has had that the table proposes to go on with; 0: it proposes none."""
    header = read_last(7)
    return header.match_game - 1 if header and header.match_game > 1 else 0


def forget_match() -> None:
    """The match is over (D45): the table proposes the same game as the first of another one. OSError."""
    from cardtable.engine.match import end_match

    header = read_last(7)
    if header:
        write_header(LAST_FILE, end_match(header))


def check_deck(state, tags, name: str) -> None:
    """Every card of the game has a tag. SetupError names the first one that has none."""
    for card in range(len(state.where)):
        if state.where[card] != NOWHERE and not tags.has(card):
            raise SetupError("%s has no tag for %s" % (name, card_name(card)))
