"""Plays a game again from its own record, line by line, so that it stands as it stood when the power failed (T9).

Everything that follows from the record is as it was, even an undo that was asked for.
"""

from cardtable.between import pieces
from cardtable.between.pieces import Damage
from cardtable.engine.event import NO_CARD, PAIR, Event, verb_arguments
from cardtable.engine.reading import read_event
from cardtable.engine.record import RecordError, SetupError
from cardtable.engine.session import UNDO_MS
from cardtable.engine.verdict import rule_id
from cardtable.rooms import load


class Resumed:
    """A game that goes on: its folder and header, and what its record ends with."""

    def __init__(self, name: str, header) -> None:
        self.name = name
        self.header = header
        self.page = -1  # the last one that was written, and how many are ready behind it
        self.spares = 0
        self.at_ms = 0  # of the last line
        self.waits = False  # there for a repair
        self.lines = 0  # of its record, the header too
        self.is_over = False  # it has its result, and the seal behind it (T12)
        self.is_sealed = False
        self.judged = bytearray([NO_CARD] * 16)  # two for each seat: the cards of its last line that names one
        self.last = Event()  # the last accepted event that all may see
        self.shows = 0  # what of it, as the game says


def replay(resumed: Resumed, session, turns=None):
    """Play the record again in a fresh session: a generator of its lines. Damage if this is no record of that game.

    turns: a play.turns.Turns, whose clocks run as they ran (T8).
    """
    event = Event()
    number = 0
    is_header = True
    for line in pieces.read_lines(resumed.name):
        number += 1
        resumed.lines = number
        if is_header or line[:1] in (b"\n", b";", b"~"):
            is_header = is_header and line != b"\n"
            resumed.is_sealed = line.startswith(b"~ end ")
            if turns and line.startswith(b"; waits "):
                try:
                    pass_repair(resumed, session, line.decode().split(), turns)
                except (ValueError, IndexError):
                    pass  # it rotted on the flash: no reason to give the game up
        elif line.startswith(b"result:"):
            resumed.is_over = True
        else:
            try:
                play_line(resumed, session, line.decode(), number, event, turns)
            except (RecordError, UnicodeError) as wrong:
                raise Damage("line %d: %s" % (number, wrong))  # noqa: B904 - MicroPython chains nothing
        yield line
    bits = session.game.audit(session.state)
    if bits:
        raise Damage("the cards cannot lie like that: audit %d" % bits)


def go_on(parts, session, turns, resumed):
    """Bring a game back as it stood; one that has its result already becomes one text. The Damage if its record is no
    record of that game, else None. SetupError if the flash takes no more."""
    journal = parts.journal
    try:
        journal.resume(replay(resumed, session, turns))
    except Damage as wrong:
        return load("between", "leftovers").set_aside(resumed.name, wrong)
    journal.go_on(resumed.name, resumed.page, resumed.spares)
    if not resumed.is_over:
        return None
    try:
        if not resumed.is_sealed:
            journal.close()
        load("between", "next_game").remember_next(session, resumed.header)  # the cut may have come before that
        for _ in journal.put_away():
            pass
    except OSError:
        raise SetupError(parts.words.find("F.flash")) from None
    return None


def play_line(resumed: Resumed, session, line: str, number: int, event: Event, turns=None) -> None:
    """Play one line again. A refusal changed nothing but the time. RecordError."""
    game = session.game
    rules = read_event(game, line.rstrip(), number, event)
    # A press of the time in which the game waited (T13) stands behind the comment that it goes on.
    resumed.at_ms = max(resumed.at_ms, event.at_ms)
    if turns and turns.is_on:
        pass_time(turns, session, resumed.at_ms)
    if event.card != NO_CARD:
        resumed.judged[2 * event.seat] = event.card
        is_pair = verb_arguments(game, event.verb) == PAIR
        resumed.judged[2 * event.seat + 1] = event.target if is_pair else NO_CARD
    if rules:
        return
    verdict = session.judge(event)
    if verdict:
        raise RecordError(number, "refused under %s" % rule_id(game, verdict))
    shows = game.shows(session.state, event.verb)
    if shows:
        last = resumed.last
        last.seat, last.verb, last.card, last.target = event.seat, event.verb, event.card, event.target
        resumed.shows = shows
    session.enact(event)
    if turns:
        turns.note(event, shows)


def pass_repair(resumed: Resumed, session, words: list, turns) -> None:
    """T8, T13: a fault came or went, and the game waits for a repair (1) or does not (0): that time is left out."""
    resumed.at_ms = int(words[4])
    if resumed.waits:
        turns.hold(resumed.at_ms)
    pass_time(turns, session, resumed.at_ms)
    resumed.waits = words[2] == "1"


def pass_time(turns, session, at_ms: int) -> None:
    """T8: the table had waited until then, but for the time in which an undo could be agreed to."""
    waits = bytearray(8)
    session.game.waiting(session.state, waits)
    if session.undo_seat:
        turns.hold_until(min(at_ms, session.undo_ms + UNDO_MS))
    if not session.is_undo_open(at_ms):
        turns.pass_time(at_ms, waits)
