"""What lies on flash when the power comes back: a game that was not over stands again as it stood (T9).

It is played again from its own record, line by line, so everything that follows from it is as it was, an undo that is
asked for too. What had been left half done is brought to its end. It knows no game's rules.
"""

import os

from cardtable.app import archive, pieces
from cardtable.app.pieces import Damage
from cardtable.engine.event import NO_CARD, Event, verb_arguments
from cardtable.engine.record import RecordError, read_event, read_header


class Resumed:
    """A game that goes on: its folder and header, and what its record ends with."""

    def __init__(self, name: str, header) -> None:
        self.name = name
        self.header = header
        self.page = -1  # the last one that was written, and how many are ready behind it
        self.spares = 0
        self.at_ms = 0  # of the last line
        self.is_over = False  # it has its result, and the seal behind it (T12)
        self.is_sealed = False
        self.judged = bytearray([NO_CARD] * 16)  # two for each seat: the cards of its last line that names one
        self.last = Event()  # the last accepted event that anybody may see
        self.shows = 0  # what of it, as the game says


def find(folder: str, header) -> tuple:
    """(Resumed or None, what was damaged or ""): the game of this set-up that is not over, if there is one.

    Whatever else was being played is put away as it stands: whoever writes another set-up wants another game.
    """
    found = None
    damaged = ""
    names = archive.list_names(folder)
    for name in names:
        if name.endswith(archive.HALF):
            os.remove(folder + "/" + name)
    for name in names:
        path = folder + "/" + name
        try:
            if len(name) == 4:
                resumed = look_at(path)
                if resumed is not None and is_same(resumed.header, header):
                    if found is not None:
                        finish(archive.put_away(found.name))
                    found = resumed
                    found.page, pages = pieces.trim(path)
                    found.spares = pages - 1 - found.page
                else:
                    finish(archive.put_away(path) if resumed or is_text(path) else pieces.remove(path))
        except Damage:
            damaged = set_aside(path)
        except OSError:
            pass  # there is no room to put it away: it stays as it is until there is
    return found, damaged


def is_text(path: str) -> bool:
    """Whether the record of the game in that folder is one text already."""
    return archive.exists(path + archive.RECORD) or archive.exists(path + archive.PULLED)


def look_at(path: str):
    """The game in that folder, if it is one that had begun and is not one text already; else None. Damage."""
    if is_text(path):
        return None
    lines = []
    for line in pieces.read_lines(path):
        lines.append(line)
        if line == b"\n":
            break
    else:
        return None  # the power failed before its header was whole: nobody had tapped anything
    try:
        header, _ = read_header(iter([line.decode() for line in lines]))
    except (RecordError, UnicodeError) as wrong:
        raise Damage("%s: %s" % (path, wrong))  # noqa: B904 - MicroPython chains nothing
    return Resumed(path, header)


def is_same(header, other) -> bool:
    """Whether two headers are of one set-up; dealers change from game to game of a match."""
    return header.game == other.game and header.seats == other.seats and header.places == other.places


def finish(steps) -> None:
    """Do all that a generator does."""
    for _ in steps:
        pass


def set_aside(path: str) -> str:
    """Keep what cannot be read where nothing touches it; its new name."""
    try:
        os.rename(path, path + archive.DAMAGED)
    except OSError:
        return path
    return path + archive.DAMAGED


def replay(resumed: Resumed, session):
    """Play the record again in a fresh session: a generator of its lines. Damage if this is no record of that game."""
    event = Event()
    number = 0
    is_header = True
    for line in pieces.read_lines(resumed.name):
        number += 1
        if is_header or line[:1] in (b"\n", b";", b"~"):
            is_header = is_header and line != b"\n"
            resumed.is_sealed = line.startswith(b"~ end ")
        elif line.startswith(b"result:"):
            resumed.is_over = True
        else:
            try:
                play_line(resumed, session, line.decode(), number, event)
            except (RecordError, UnicodeError) as wrong:
                raise Damage("line %d: %s" % (number, wrong))  # noqa: B904 - MicroPython chains nothing
        yield line
    bits = session.game.audit(session.state)
    if bits:
        raise Damage("audit %d" % bits)


def play_line(resumed: Resumed, session, line: str, number: int, event: Event) -> None:
    """One event; a refusal changed nothing but the time. RecordError."""
    game = session.game
    rules = read_event(game, line.rstrip(), number, event)
    resumed.at_ms = event.at_ms
    if event.card != NO_CARD:
        resumed.judged[2 * event.seat] = event.card
        is_pair = verb_arguments(game, event.verb) == "CC"
        resumed.judged[2 * event.seat + 1] = event.target if is_pair else NO_CARD
    if rules:
        return
    verdict = session.judge(event)
    if verdict:
        raise RecordError(number, "refused with %d" % verdict)
    shows = game.shows(session.state, event.verb)
    if shows:
        last = resumed.last
        last.seat, last.verb, last.card, last.target = event.seat, event.verb, event.card, event.target
        resumed.shows = shows
    session.enact(event)
