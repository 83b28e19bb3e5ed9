"""Brings a file that people write onto the table, once it was read as the table would read it.

A wrong line is found here, in words, and not at the next start. The file is there whole or not at all.
"""

from __future__ import annotations

import codecs
import io
import re
import ssl
from collections.abc import Callable
from pathlib import Path

from cardtable.between.delays import DELAYS_FILE, take_delays
from cardtable.between.files import FILE_LIMIT
from cardtable.between.options import Options
from cardtable.between.profiles import OWN_FILE, expand, take_rows
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
from host_tools.maker.device.table import Table
from host_tools.base.errors import UnusableInput
from host_tools.judge.rulebook.book import page_names

_DECK = re.compile(r"deck[2-9]?\.txt")
_PLACES = 7


def check(name: str, data: bytes) -> str:
    """What that file says, in a few words. UnusableInput says why the table could not use it."""
    checker = _check_deck if _DECK.fullmatch(name) else _CHECKERS.get(name)
    if checker is None:
        raise UnusableInput(f"{name} is no file that a table reads; these are: {', '.join(_CHECKERS)}, deck.txt and"
                            " deck2.txt to deck9.txt.")
    if len(data) > FILE_LIMIT:
        raise UnusableInput(f"{name} has {len(data)} bytes, and a table reads {FILE_LIMIT} at most.")
    try:
        return checker(data.decode("utf-8"))
    except UnicodeDecodeError as wrong:
        raise UnusableInput(f"{name} is no text.") from wrong
    except RecordError as wrong:
        line = f", line {wrong.line}" if wrong.line else ""
        raise UnusableInput(f"{name}{line}: {wrong.cause}") from wrong
    except (TagError, SetupError) as wrong:
        raise UnusableInput(f"{name}: {wrong}") from wrong


def _lines(text: str) -> list[str]:
    return list(io.StringIO(text))


def _check_deck(text: str) -> str:
    tags = Tags()
    tags.load(_lines(text))
    return f"{len(tags)} cards"


def _check_tags(text: str) -> str:
    tags = Tags()
    tags.load_others(_lines(text))
    return f"{len(tags)} tags"


def _check_profiles(text: str) -> str:
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


def _check_setup(text: str) -> str:
    header, _ = read_header(expand(_lines(text)))
    set_up(find_game(header.game[0]), header)
    return " ".join(header.game)


def _check_language(text: str) -> str:
    if text.strip() not in list_languages():
        raise SetupError(f"it takes one of: {' '.join(list_languages())}")
    return text.strip()


def _check_sound(text: str) -> str:
    if text.strip() not in ("yes", "no"):
        raise SetupError("it takes yes or no")
    return text.strip()


def _check_delays(text: str) -> str:
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


def _check_network(text: str) -> str:
    """No password is said."""
    found = settings.take(_lines(text))
    return f"{found.table} of {found.event}, at {'mqtts' if found.is_tls else 'mqtt'}://{found.host}:{found.port}"


def _check_trust(text: str) -> str:
    try:
        ssl.create_default_context(cadata=text)
    except (ssl.SSLError, ValueError) as wrong:
        raise SetupError("it is no certificate: bring the broker's broker.pem") from wrong
    return "a certificate"


_CHECKERS: dict[str, Callable[[str], str]] = {
    OWN_FILE: _check_profiles, TAGS_FILE: _check_tags, SETUP_FILE: _check_setup, LANGUAGE_FILE: _check_language,
    SOUND_FILE: _check_sound, DELAYS_FILE: _check_delays, NETWORK_FILE: _check_network, TRUST_FILE: _check_trust,
}  # fmt: skip


def put(table: Table, path: Path) -> str:
    """Check that file and bring it there under its own name; what it says. UnusableInput, TableError."""
    data = foreign.read_bytes(path).removeprefix(codecs.BOM_UTF8)  # which an editor wrote, and no table looks for
    said = check(path.name, data)
    table.stop()
    table.replace("/" + path.name, data)
    return said
