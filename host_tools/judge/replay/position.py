"""Plays a record line by line, up to one of them or to its end."""

from collections.abc import Iterable, Iterator

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
        event = Event()
        for _ in walk(session, event, lines[number : last or None], number):
            pass
    except (RecordError, SetupError) as wrong:
        place = f"{path}:{wrong.line}" if isinstance(wrong, RecordError) else path
        raise UnusableInput(f"{place}: {wrong}") from wrong
    return session, event.at_ms


def walk(session: Session, event: Event, lines: Iterable[str], head: int) -> Iterator[tuple[int, str, str]]:
    """Play the lines behind a header of `head` lines: (number, text, rules that refuse it) of each that was played, and
    of `result:`, which is last. RecordError, also where the engine judges otherwise."""
    is_closed = False
    for number, line in enumerate(lines, head + 1):
        text = line.strip()
        if not text or text[0] in ";~":
            continue
        if is_closed:
            raise RecordError(number, "something stands behind the result")
        is_closed = text.startswith("result:")
        rules = "" if is_closed else read_event(session.game, text, number, event)
        if not is_closed and not agrees(session.game, rules, session.play(event)):
            raise RecordError(number, f"the engine judges otherwise: {foreign.shorten(text, 60)!r}; "
                                      "`cardtable replay` says how")
        yield number, text, rules
