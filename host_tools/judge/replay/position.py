"""Plays a record up to one of its lines."""

from cardtable.catalogue import find_game
from cardtable.engine.event import Event
from cardtable.engine.reading import read_event, read_header
from cardtable.engine.record import Header, RecordError
from cardtable.engine.session import Session
from cardtable.engine.setup import SetupError

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.judge.replay.core import agrees


def read_head(path: str) -> Header:
    """The header of a record. UnusableInput where it has none."""
    try:
        return read_header(foreign.read_lines(path))[0]
    except RecordError as wrong:
        raise UnusableInput(f"{path}:{wrong.line}: {wrong}") from wrong


def play_to(path: str, last: int = 0) -> tuple[Session, int]:
    """The session behind line `last` of the record, or behind all of them if it is 0; and the time of that line in ms.
    UnusableInput where the record is none, or an accepted event is refused."""
    lines = foreign.read_lines(path)
    try:
        header, number = read_header(lines)
        session = Session(find_game(header.game[0]), header)
        if last and not number < last <= len(lines):
            raise RecordError(number, f"events are the lines {number + 1} to {len(lines)}, not {last}")
        event, is_closed = Event(), False
        for line in lines[number : last or None]:
            number += 1
            if line[:1] in (";", "~"):
                continue
            if is_closed:
                raise RecordError(number, "something stands behind the result")
            if line.startswith("result:"):
                is_closed = True
                continue
            rules = read_event(session.game, line.strip(), number, event)
            if not agrees(session.game, rules, session.play(event)):
                raise RecordError(number, "the engine judges otherwise; try `cardtable replay`")
    except (RecordError, SetupError) as wrong:
        place = f"{path}:{wrong.line}" if isinstance(wrong, RecordError) else path
        raise UnusableInput(f"{place}: {wrong}") from wrong
    return session, event.at_ms
