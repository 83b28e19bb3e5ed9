"""Prepares a table before the first player sits down: wishes, a folder of its own, a first game."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from cardtable.between.prompt import has_unfinished
from cardtable.catalogue import find_game
from cardtable.engine.record import SetupError
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.locks import alone_in
from host_tools.play.acts import NotAllowed, begin_lesson, continue_from, for_two, write_setup
from host_tools.play.continued import find_seat
from host_tools.play.hints import with_hints
from host_tools.play.seating import BOT, bot_names, DEFAULT_BOT, guest, HERE, PHONE
from host_tools.play.table import LiveTable
from host_tools.judge.sentences import Sentences
from host_tools.sight.recorded import read_record

TABLE = "table-"
REAL = "real-"  # a table whose cards are real has a folder of its own: decks and games of the other stay as they are


@dataclass(frozen=True)
class Origin:
    """A line of a finished game, from which somebody plays on. `seat`: a name or number; empty: whose play stands
    there. `is_anew`: hidden cards are dealt again."""

    path: Path
    line: int
    seat: str = ""
    is_anew: bool = False


def read_origin(text: str, seat: str, is_anew: bool) -> Origin:
    """`RECORD:LINE`. UnusableInput."""
    path, _, line = text.rpartition(":")
    if not path or not line.isascii() or not line.isdecimal() or not 0 < len(line) < 9:
        raise UnusableInput("--from takes a record and one of its lines: --from games/NAME.rec:114")
    return Origin(Path(path), int(line), seat, is_anew)


@dataclass
class Wishes:
    """The wishes of the command line."""

    game: str = ""
    learn: str = ""  # the lesson to begin with
    origin: Origin | None = None  # the moment of a finished game from which to play on
    seats: list[tuple[str, str]] | None = None
    board: str = "virtual"
    seed: int = 0
    speed: float = 1.0
    port: int = 0
    lan: bool = False
    browser: bool = True
    games: Path = Path("games")
    language: str = "en"
    runtime: str = ""
    address: str = ""  # the name that a proxy gives the page
    https: Path | None = None  # the folder of a certificate
    waits_for_phones: bool = True  # the first card of a game waits until every phone has come
    alone: bool = False  # no terminal: play one game and end
    real: bool = False  # the cards are real, and read by phones
    readers: bool = False  # and by readers that PC/SC knows
    stands_still: bool = False  # until a program lets the table's time pass


def lock(folder: Path) -> contextlib.AbstractContextManager[None]:
    """This table's folder is ours until the block ends. UnusableInput if another table runs there."""
    return alone_in(folder, f"another table runs in {folder}: use another --port or --games")


def prepare(table: LiveTable, wishes: Wishes) -> None:
    """Seat people, and have the table begin with the game that was asked for. UnusableInput."""
    seats = wishes.seats
    if seats and table.is_real and any(who.startswith(BOT) for _, who in seats):
        raise UnusableInput("a virtual player cannot hold real cards: let people sit there")
    if not wishes.game and not wishes.learn and wishes.origin is None:
        for seat, (name, who) in enumerate(seats or (), 1):
            if table.seating.chairs[seat].who != who or table.seating.chairs[seat].name != name:
                table.seating.sit(seat, who, name)
        return
    if (table.flash / "next.txt").exists() or has_game(table):
        raise UnusableInput(
            f"a game is under way in {table.folder}: leave out --game to go on with it, or name other --games")
    if wishes.origin is not None:
        begin_from(table, wishes.origin)
        return
    if wishes.learn:
        table.lay_game(*begin_lesson(table, wishes.learn))
        return
    seats = seats or (usual_phones(table.language) if table.is_real else usual_seats(wishes.game, table.language))
    table.lay_game(set_up(wishes, seats, len(table.hands)), seats)


def set_up(wishes: Wishes, seats: list[tuple[str, str]], places: int) -> str:
    """The set-up of the game that was asked for, at a table of so many places. UnusableInput."""
    game = wishes.game
    if not wishes.alone:
        game = with_hints(for_two(game, len(seats)), [who for _, who in seats])
    try:
        return write_setup(game, [name for name, _ in seats], len(seats), places)
    except NotAllowed as wrong:
        raise UnusableInput(Sentences(language=wishes.language).why(str(wrong))) from wrong


def begin_from(table: LiveTable, origin: Origin) -> None:
    """Have the table go on from that moment. UnusableInput."""
    record = read_record(origin.path)
    seat = record.find_seat(origin.seat) if origin.seat else find_seat(record, origin.line)
    found, people = continue_from(table, record, origin.line, seat, origin.is_anew)
    table.lay_beginning(found.write, people)


def usual_seats(game: str, language: str) -> list[tuple[str, str]]:
    """The usual players: one person here against virtual players, as many as the game takes, at most 3."""
    most = 4
    try:
        most = min(most, find_game(game.partition(" ")[0]).SEAT_RANGE[1])
    except SetupError:
        pass  # writing the set-up will say it
    return [(guest(language), HERE), *((name, DEFAULT_BOT) for name in bot_names(language)[: most - 1])]


def usual_phones(language: str) -> list[tuple[str, str]]:
    """The usual players with real cards: two people with phones."""
    return [(f"{guest(language)} {seat}", PHONE) for seat in (1, 2)]


def sit_down(table: LiveTable) -> None:
    """Fill the free seats with a person here and virtual players, so that a game that the lobby begins has players."""
    if not table.is_real and not any(chair.name for chair in table.seating.chairs.values()):
        for seat, (name, who) in enumerate(usual_seats("", table.language), 1):
            table.seating.sit(seat, who, name)


def has_game(table: LiveTable) -> bool:
    """Whether an unfinished game lies on the flash."""
    return has_unfinished(str(table.follower.folder))


def complain(line: str) -> None:
    """Send the firmware's report of a bug to standard error."""
    if line.startswith(("bug: ", "Traceback", "The device")):
        foreign.say(line, err=True)
