"""Brings a file that people write onto the table, once it was read as the table would read it.

A wrong line is found here, in words, and not at the next start: with the table's own profiles, tags, decks and places.
The file is there whole or not at all.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from cardtable.between.delays import DELAYS_FILE, take_delays
from cardtable.between.files import FILE_LIMIT
from cardtable.between.options import Options
from cardtable.between.profiles import OWN_FILE, SHIPPED_FILE, pick_profile, read_profiles, take_rows
from cardtable.between.setup_files import (
    LANGUAGE_FILE,
    NETWORK_FILE,
    SETUP_FILE,
    SOUND_FILE,
    TAGS_FILE,
    TRUST_FILE,
)
from cardtable.catalogue import find_game
from cardtable.engine.reading import read_header
from cardtable.engine.record import RecordError, SetupError
from cardtable.engine.setup import TABLE_OPTIONS, is_for_seats, set_up, write_option
from cardtable.engine.state import SEATS, State
from cardtable.net import settings
from cardtable.table.tags import TagError, Tags
from cardtable.table.words import list_languages
from host_tools.base import foreign
from host_tools.maker.board.load import load
from host_tools.maker.device.deploy import look
from host_tools.maker.device.table import Table
from host_tools.base.errors import UnusableInput
from host_tools.judge.rulebook.book import page_names

_DECK = re.compile(r"deck[2-9]?\.txt")
_PLACES = 7


@dataclass
class Around:
    """What a table has besides: the texts of its files, and its places."""

    profiles: str = ""
    tags: str = ""
    decks: dict[str, str] = field(default_factory=dict)  # by the file's name
    places: int = _PLACES


def look_around(table: Table, name: str) -> Around:
    """What matters to the file of that name, of a stopped table."""
    names = table.call("list_names", "/")

    def read(wanted: str) -> str:
        return table.read("/" + wanted).decode("utf-8", "replace") if wanted in names else ""

    found = Around()
    if name == SETUP_FILE:
        found.profiles = read(OWN_FILE)
        installed = look(table)
        if installed.kept:
            with contextlib.suppress(UnusableInput):  # a board whose file is not here
                found.places = len(load(installed.whole[installed.kept][0].split()[-1]).READERS)
    elif name == TAGS_FILE:
        found.decks = {deck: read(deck) for deck in names if _DECK.fullmatch(deck)}
    elif _DECK.fullmatch(name):
        found.tags = read(TAGS_FILE)
    return found


def check(name: str, data: bytes, around: Around) -> str:
    """What that file says, in a few words. UnusableInput says why the table could not use it."""
    checker = _check_deck if _DECK.fullmatch(name) else _CHECKERS.get(name)
    if checker is None:
        raise UnusableInput(f"{name} is no file that a table reads; these are: {', '.join(_CHECKERS)}, deck.txt and"
                            " deck2.txt to deck9.txt.")
    if len(data) > FILE_LIMIT:
        raise UnusableInput(f"{name} has {len(data)} bytes, and a table reads {FILE_LIMIT} at most.")
    try:
        return checker(data.decode("utf-8"), around)
    except UnicodeDecodeError as wrong:
        raise UnusableInput(f"{name} is no text.") from wrong
    except RecordError as wrong:
        line = f", line {wrong.line}" if wrong.line else ""
        raise UnusableInput(f"{name}{line}: {wrong.cause}") from wrong
    except (TagError, SetupError) as wrong:
        raise UnusableInput(f"{name}: {wrong}") from wrong


def _lines(text: str) -> list[str]:
    return list(io.StringIO(text))


def _check_deck(text: str, around: Around) -> str:
    tags = Tags()
    tags.load(_lines(text))
    _check_shared(text, {TAGS_FILE: around.tags})
    return f"{len(tags)} cards"


def _check_tags(text: str, around: Around) -> str:
    tags = Tags()
    tags.load_others(_lines(text))
    _check_shared(text, around.decks)
    return f"{len(tags)} tags"


def _check_shared(text: str, others: dict[str, str]) -> None:
    """No tag is a card and something else. SetupError."""
    tags = _list_tags(text)
    for name, other in others.items():
        for tag in _list_tags(other):
            if tag in tags:
                raise SetupError(f"{tag} stands in the table's {name}, too")


def _list_tags(text: str) -> list[str]:
    return [words[0].upper() for line in _lines(text) if (words := line.partition(";")[0].split())]


def _check_profiles(text: str, _: Around) -> str:
    rows = take_rows(_lines(text))
    for number, line in enumerate(_lines(text), 1):
        if line.lstrip()[:1] not in ("", ";") and not take_rows([line]):
            raise RecordError(number, f"{line.strip()[:40]!r}: a line takes NAME: GAME [PRESET] [OPTION=VALUE ...]")
    for name, line in rows:
        try:
            _check_game(line)
        except SetupError as wrong:
            raise SetupError(f"{name}: {wrong}") from wrong
    if not rows:
        raise SetupError("it has no line NAME: GAME [PRESET] [OPTION=VALUE ...]")
    return f"{len(rows)} rules"


def _check_game(line: str) -> None:
    """A game line for the first number of seats that it fits. SetupError."""
    game = find_game(line.partition(" ")[0])
    seats = Options(line, "en", _PLACES).list_seats() or [2]
    header, _ = read_header(iter(["cardtable 1\n", f"game: {line}\n",
                                  f"seats: {'; '.join(f'Seat {seat + 1}' for seat in range(seats[0]))}\n",
                                  "dealer: 1\n", "\n"]))
    set_up(game, header)


def _check_setup(text: str, around: Around) -> str:
    rows = take_rows(_lines(around.profiles)) + read_profiles(SHIPPED_FILE)
    header, _ = read_header(_lines(text), lambda name: pick_profile(name, rows))
    set_up(find_game(header.game[0]), header)
    if max(header.places) > around.places:
        raise SetupError(f"this table has no place {max(header.places)}")
    return " ".join(header.game)


def _check_language(text: str, _: Around) -> str:
    if text.strip() not in list_languages():
        raise SetupError(f"it takes one of: {' '.join(list_languages())}")
    return text.strip()


def _check_sound(text: str, _: Around) -> str:
    if text.strip() not in ("yes", "no"):
        raise SetupError("it takes yes or no")
    return text.strip()


def _check_delays(text: str, _: Around) -> str:
    for line in _lines(text):
        if line.strip() and line[0] != ";" and not take_delays([line]):
            raise SetupError(f"{line.strip()[:40]!r}: a line takes NAME: OPTION=SECONDS ...")
    games = [find_game(name.replace("_", "-")) for name in page_names() if name != "table"]
    has = {row[0]: game for game in games for row in game.OPTIONS + TABLE_OPTIONS if is_for_seats(row[2])}
    players = take_delays(_lines(text))
    for name, own in players.items():
        for option, seconds in own.items():
            if option not in has:
                known = ", ".join(sorted(has))
                raise SetupError(f"{name}: {option} is nothing that is said of a player; these are: {known}")
            state = State(has[option].CARDS, has[option].REGISTERS)
            state.register[SEATS] = 1
            try:
                write_option(has[option], state, option, f"1:{seconds}")
            except SetupError as wrong:
                raise SetupError(f"{name}: {wrong}") from wrong
    return f"{len(players)} players"


def _check_network(text: str, _: Around) -> str:
    """No password is said."""
    found = settings.take(_lines(text))
    return f"{found.table} of {found.event}, at {'mqtts' if found.is_tls else 'mqtt'}://{found.host}:{found.port}"


def _check_trust(text: str, _: Around) -> str:
    try:
        ssl.create_default_context(cadata=text)
    except (ssl.SSLError, ValueError) as wrong:
        raise SetupError("it is no certificate: bring the broker's broker.pem") from wrong
    return "a certificate"


_CHECKERS: dict[str, Callable[[str, Around], str]] = {
    OWN_FILE: _check_profiles, TAGS_FILE: _check_tags, SETUP_FILE: _check_setup, LANGUAGE_FILE: _check_language,
    SOUND_FILE: _check_sound, DELAYS_FILE: _check_delays, NETWORK_FILE: _check_network, TRUST_FILE: _check_trust,
}  # fmt: skip


def put(table: Table, path: Path) -> str:
    """Check that file and bring it there under its own name; what it says. UnusableInput, TableError."""
    data = foreign.read_bytes(path).removeprefix(codecs.BOM_UTF8)  # which an editor wrote, and no table looks for
    table.stop()
    said = check(path.name, data, look_around(table, path.name))
    table.replace("/" + path.name, data)
    return said
