"""Reads what people wrote on the flash: deck, set-up, language; what is wrong is one sentence that names the file."""

import os

from micropython import const

from cardtable.app.catalogue import find_game
from cardtable.app.profiles import expand
from cardtable.app.tags import TagError
from cardtable.app.words import LANGUAGES
from cardtable.engine.deck import card_name
from cardtable.engine.record import RecordError, read_header
from cardtable.engine.setup import SetupError
from cardtable.engine.state import NOWHERE

DECK_FILE = "deck.txt"  # `UID CARD` lines
TAGS_FILE = "tags.txt"  # `UID arbiter`, `UID player NAME`, `UID setup PROFILE`
SETUP_FILE = "setup.txt"  # a record's header
LANGUAGE_FILE = "language.txt"  # en or ru
FILE_LIMIT = 8192  # bytes of any of them: two decks and everybody's tokens have half as many
_SIZE = const(6)  # of what os.stat tells


def read_language() -> str:
    """The language of the screen; English where nothing else is written."""
    try:
        with open(LANGUAGE_FILE) as lines:
            language = lines.read(16).strip()
    except (OSError, UnicodeError):
        return LANGUAGES[0]
    return language if language in LANGUAGES else LANGUAGES[0]


def read_lines(name: str, use):
    """What `use` makes of the lines of that file. SetupError."""
    try:
        if os.stat(name)[_SIZE] > FILE_LIMIT:
            raise RecordError(0, "more than %d bytes" % FILE_LIMIT)
        with open(name) as lines:
            return use(lines)
    except OSError:
        cause = " is missing"
    except UnicodeError:
        cause = " is no text"
    except TagError as wrong:
        cause = ", " + str(wrong)
    except RecordError as wrong:
        cause = "%s: %s" % (", line %d" % wrong.line if wrong.line else "", wrong.cause)
    raise SetupError(name + cause)


def read_deck(tags) -> None:
    """Register the tags of the deck (app.tags.Tags), and the other tags of the table, if it has any. SetupError."""
    read_lines(DECK_FILE, tags.load)
    if TAGS_FILE in os.listdir():
        read_lines(TAGS_FILE, tags.load_others)


def read_setup(places: int) -> tuple:
    """(game's module, header) of the set-up file, for a table of so many places. SetupError."""
    header, _ = read_lines(SETUP_FILE, lambda lines: read_header(expand(lines)))
    if max(header.places) > places:
        raise SetupError("%s: this table has no place %d" % (SETUP_FILE, max(header.places)))
    return find_game(header.game[0]), header


def check_deck(state, tags) -> None:
    """Every card of the game has a tag. SetupError names the first one that has none."""
    for card in range(len(state.where)):
        if state.where[card] != NOWHERE and not tags.has(card):
            raise SetupError("%s has no tag for %s" % (DECK_FILE, card_name(card)))
