"""Replays records that are as they should be, fast. It only ever says that a record passes: core.py judges every other
one again, from its beginning, and finds the words.

Compiled with the engine (host_tools/fast), so it is written as the engine is: numbers below 2^30, loops, no closures.
"""

from micropython import const

from cardtable.catalogue import find_game
from cardtable.engine.event import Event, unpack
from cardtable.engine.record import LINE_LIMIT, RecordError, read_event, read_header
from cardtable.engine.session import Session
from cardtable.engine.setup import SetupError
from cardtable.engine.state import HAND, SEATS, State
from cardtable.engine.verdict import rule_id
from host_tools.replay.core import HEADER_LIMIT, ODD_SPACES, check_letters, decode

AUDITS = ("none", "moved", "all")
_MOVED = const(1)
_ALL = const(2)

_SEAT_BITS = const(24)
_PACKED = const(0xFFFFFF)
_REFUSED = const(1 << 28)
_UNKNOWN = const(-1)
_NOT_SURE = const(-1)  # the record has to be judged by core.py
_TEXT_LIMIT = const(300)  # of what stands behind the time; a longer line is no line of a game
_KNOWN_LIMIT = 1 << 16  # texts that are kept, of each game
_NO_CARD_HERE = bytes([0])


class Known:
    """What the texts behind the time mean in one game: there are few, and each stands in many records."""

    def __init__(self, game):
        self.game = game
        self.said = {}  # bytes: seat, verb, card and target in one number, _REFUSED in it if the line says so
        self.rules = {}  # bytes of a refused line: the rules that it names
        self.ids = {}  # verdict: its rule
        self.places = {}  # seats: for each place 1 if it is there

    def allows(self, text: bytes, verdict: int) -> bool:
        """Whether the refused line names the verdict's rule."""
        rule = self.ids.get(verdict)
        if rule is None:
            rule = self.ids[verdict] = rule_id(self.game, verdict)
        return rule in self.rules[text]

    def lay_out_places(self, seats: int) -> bytes:
        """A byte for each number: 1 if a game of so many seats has that place."""
        found = self.places.get(seats)
        if found is None:
            row = bytearray(256)
            for _, first, count in self.game.PLACES:
                row[first : first + count] = b"\x01" * count
            row[HAND + seats + 1 : HAND + 8] = bytes(7 - seats)
            found = self.places[seats] = bytes(row)
        return found


def learn(known, text: bytes) -> int:
    """Read the text, and keep what it means; _UNKNOWN if it is no event."""
    if len(text) > _TEXT_LIMIT or not text.isascii():
        return _UNKNOWN
    if len(known.said) >= _KNOWN_LIMIT:
        known.said.clear()
        known.rules.clear()
    event = Event()
    try:
        line = text.decode()
        check_letters(line, 0)
        rules = read_event(known.game, "0 " + line, 0, event)
    except RecordError:
        return _UNKNOWN
    said = event.seat << _SEAT_BITS | event.verb << 16 | event.card << 8 | event.target
    if rules:
        said |= _REFUSED
        known.rules[text] = tuple(rules.split())
    known.said[text] = said
    return said


def read_time(raw: bytes, event: Event) -> int:
    """Fill `at_ms` from `SECONDS.PART ` at the line's beginning; where the rest begins, or 0 for any other beginning
    and for a time that runs backwards."""
    length = len(raw)
    at = 0
    at_ms = 0
    while at < length and 48 <= raw[at] <= 57:
        at_ms = at_ms * 10 + raw[at] - 48
        at += 1
        if at > 6:
            return 0
    if at == 0 or at >= length or raw[at] != 46:
        return 0
    at += 1
    first = at
    while at < length and 48 <= raw[at] <= 57:
        at_ms = at_ms * 10 + raw[at] - 48
        at += 1
        if at > first + 3:
            return 0
    if at == first or at >= length or raw[at] != 32:
        return 0
    if at == first + 1:
        at_ms *= 100
    elif at == first + 2:
        at_ms *= 10
    if at_ms < event.at_ms:
        return 0
    event.at_ms = at_ms
    return at + 1


def look_up(raw: bytes, at: int, said: dict) -> int:
    """What is known of the text from `at` on; _UNKNOWN if it was never read."""
    return said.get(raw[at:], _UNKNOWN)


def play_said(session: Session, said: int, event: Event) -> int:
    """Play what a text said, at the event's time; the verdict."""
    unpack(said & _PACKED, said >> _SEAT_BITS & 7, event.at_ms, event)
    return session.play(event)


def is_remark(raw: bytes) -> bool:
    """Whether the line is a comment or a seal that every reader takes."""
    if raw[:1] not in (b";", b"~") or len(raw) > LINE_LIMIT:
        return False
    if not raw.isascii():
        try:
            decode(raw, 0)
        except RecordError:
            return False
    return True


def follow(session: Session, event: Event, seen: bytearray, places: bytes, absent: int) -> bool:
    """T1: whether the cards of the event lie where a game has a place; and if others have moved too, whether the game's
    own audit finds nothing. `seen`: where all cards lay before; afterwards, where they lie now."""
    state = session.state
    where = state.where
    card = event.card
    if card < session.cards:
        if not places[where[card]]:
            return False
        seen[card] = where[card]
    card = event.target
    if session.pairs >> event.verb & 1 and card < session.cards:
        if not places[where[card]]:
            return False
        seen[card] = where[card]
    if seen == where:
        return True
    seen[:] = where
    return where.count(_NO_CARD_HERE) == absent and not session.game.audit(state)


def is_sane(session: Session, absent: int) -> bool:
    """T1, and whatever the game's own audit finds."""
    state = session.state
    where = state.where
    return where.count(_NO_CARD_HERE) == absent and not session.game.audit(state)


class Before:
    """What a refusal must leave as it is: the state (T6), and what an undo would take back and its marks (T7)."""

    def __init__(self, session: Session):
        self.session = session
        self.state = State(session.game.CARDS, session.game.REGISTERS)
        self.before = State(session.game.CARDS, session.game.REGISTERS)
        self.last_draw = bytearray(session.last_draw)
        self.last_seat = 0
        self.undo_seat = 0
        self.undo_ms = 0
        self.agreed = 0

    def keep(self) -> None:
        """Remember it."""
        session = self.session
        self.state.copy(session.state)
        self.before.copy(session.before)
        self.last_draw[:] = session.last_draw
        self.last_seat = session.last_seat
        self.undo_seat = session.undo_seat
        self.undo_ms = session.undo_ms
        self.agreed = session.agreed

    def is_kept(self) -> bool:
        """Whether all of it is still so."""
        session = self.session
        if not self.state.is_equal(session.state) or not self.before.is_equal(session.before):
            return False
        if self.last_seat != session.last_seat or self.undo_seat != session.undo_seat or self.agreed != session.agreed:
            return False
        return self.undo_ms == session.undo_ms and self.last_draw == session.last_draw


def play_lines(session: Session, lines: list, known, audit: int) -> int:
    """How many events the lines behind the header hold, up to a result; _NOT_SURE unless all is as it should be."""
    event = Event()
    before = Before(session)
    where = session.state.where
    places = known.lay_out_places(session.state.register[SEATS])
    absent = where.count(_NO_CARD_HERE)
    seen = bytearray(where)
    known_texts = known.said
    count = 0
    at = 0
    said = 0
    verdict = 0
    for line in lines:
        at = read_time(line, event)
        if not at:
            if is_remark(line):
                continue
            return count if is_end(session, line, lines) else _NOT_SURE
        said = look_up(line, at, known_texts)
        if said == _UNKNOWN:
            said = learn(known, line[at:])
            if said == _UNKNOWN:
                return _NOT_SURE
        count += 1
        if said & _REFUSED:
            if audit:
                before.keep()
            verdict = play_said(session, said, event)
            if not verdict or not known.allows(line[at:], verdict) or (audit and not before.is_kept()):
                return _NOT_SURE
        elif play_said(session, said, event):
            return _NOT_SURE
        elif audit == _MOVED:
            if not follow(session, event, seen, places, absent):
                return _NOT_SURE
        elif audit == _ALL and not is_sane(session, absent):
            return _NOT_SURE
    return count


def is_end(session: Session, line: bytes, lines: list) -> bool:
    """Whether the line is the result that the game has, and only remarks come behind it."""
    if line[:7] != b"result:" or not line.isascii() or not session.is_over():
        return False
    behind = lines[lines.index(line) + 1 :]
    said = " ".join(line[7:].decode().split())
    return said == session.result() and len([one for one in behind if not is_remark(one)]) == 0


def read_head(data: bytes) -> tuple:
    """(Header, where the lines behind it begin). RecordError if there is none that every reader takes so."""
    end = data.find(b"\n\n") + 2
    if end < 2:
        raise RecordError(0, "no header")
    text = data[:end].decode()
    lines = text.split("\n")
    if len(lines) > HEADER_LIMIT or not text.isascii() and [space for space in ODD_SPACES if space in text]:
        raise RecordError(0, "an odd header")
    if "\x1c" in text or "\x1d" in text or "\x1e" in text or "\x1f" in text:
        raise RecordError(0, "an odd header")
    if len(text) > LINE_LIMIT and max([len(line) for line in lines]) > LINE_LIMIT:
        raise RecordError(0, "an odd header")
    header, number = read_header([line + "\n" for line in lines])
    if number != len(lines) - 1:
        raise RecordError(0, "a line of spaces ends it earlier")
    return header, end


class Judge:
    """Replays record after record, and remembers what the games' lines mean."""

    def __init__(self, audit: str):
        """audit: one of AUDITS."""
        self.audit = AUDITS.index(audit)
        self.known = {}

    def replay(self, data: bytes) -> int:
        """How many events the record has, if it passes; -1 if core.py has to say what it is."""
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n")
        try:
            header, end = read_head(data)
            name = header.game[0]
            game = find_game(name)
            if game.NAME != name:
                return _NOT_SURE
            session = Session(game, header)
        except (RecordError, SetupError, UnicodeError):
            return _NOT_SURE
        known = self.known.get(name)
        if known is None:
            known = self.known[name] = Known(game)
        lines = data[end:].split(b"\n")
        lines.pop()  # a last line without its newline does not count
        try:
            if self.audit and not is_sane(session, session.state.where.count(_NO_CARD_HERE)):
                return _NOT_SURE
            count = play_lines(session, lines, known, self.audit)
            if count >= 0 and self.audit and session.game.audit(session.state):
                return _NOT_SURE
        except Exception:  # the engine broke: core.py says how
            return _NOT_SURE
        return count
