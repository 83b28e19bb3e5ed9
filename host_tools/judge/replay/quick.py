"""Replays records that are as they should be, fast. It only ever says that a record passes: core.py judges every other
one again, from its beginning, and finds the words.

Compiled with the engine (host_tools/base/fast), so written as the engine is: numbers below 2^30, loops, no closures.
"""

from micropython import const

from cardtable.catalogue import find_game
from cardtable.engine.event import Event
from cardtable.engine.reading import read_event, read_header
from cardtable.engine.record import FORMAT, LINE_LIMIT, RecordError
from cardtable.engine.session import Session
from cardtable.engine.state import HAND, SEATS, State
from cardtable.engine.verdict import rule_id
from host_tools.judge.replay.core import HEADER_LIMIT, ODD_SPACES, check_letters, decode

AUDITS = ("none", "moved", "all")
_MOVED = const(1)
_ALL = const(2)

_SEAT_BITS = const(24)
_REFUSED = const(1 << 28)
_UNKNOWN = const(-1)
_NOT_SURE = const(-1)  # the record has to be judged by core.py
_TEXT_LIMIT = const(300)  # of what stands behind the time; a longer line is no line of a game
_KNOWN_LIMIT = 1 << 16  # texts that are kept, of each game
_STARTS_LIMIT = 1 << 12  # set-ups that are kept
_NO_CARD_HERE = bytes([0])


class Known:
    """What the texts behind the time mean in one game: there are few, and each stands in many records."""

    def __init__(self, game):
        self.game = game
        self.said = {}  # bytes: seat, verb, card and target in one number; of a refused line _REFUSED and its index
        self.seen = bytearray()  # compiled, where texts that were looked up are found sooner (rows.pxd)
        self.refused = []  # of each refused line: the same number
        self.found = []  # the verdict of which `names` has said yes last, or 0
        self.rules = []  # the rules that it names
        self.named = set()  # of index << 12 | verdict: of what `names` has said yes
        self.places = {}  # seats: for each place 1 if it is there

    def names(self, index: int, verdict: int) -> bool:
        """Whether the refused line names the verdict's rule."""
        asked = index << 12 | verdict
        if asked not in self.named:
            if rule_id(self.game, verdict) not in self.rules[index]:
                return False
            self.named.add(asked)
        self.found[index] = verdict
        return True

    def forget(self):
        """Forget all texts: the memory for them is full."""
        self.said.clear()
        self.seen[:] = bytes(len(self.seen))
        self.refused.clear()
        self.found.clear()
        self.rules.clear()
        self.named.clear()

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


def learn(known: Known, text: bytes) -> int:
    """Read the text, and keep what it means; _UNKNOWN if it is no event."""
    if len(text) > _TEXT_LIMIT or not text.isascii():
        return _UNKNOWN
    if len(known.said) >= _KNOWN_LIMIT:
        known.forget()
    event = Event()
    try:
        line = text.decode()
        check_letters(line, 0)
        rules = read_event(known.game, "0 " + line, 0, event)
    except RecordError:
        return _UNKNOWN
    said = event.seat << _SEAT_BITS | event.verb << 16 | event.card << 8 | event.target
    if rules:
        known.refused.append(said)
        known.found.append(0)
        known.rules.append(rules.split())
        said = _REFUSED | len(known.rules) - 1
    known.said[text] = said
    return said


def read_time(raw: bytes, at: int, event: Event) -> int:
    """Fill `at_ms` from `SECONDS.PART ` where a line begins; where the rest begins, or 0 for any other beginning, and
    for a time that runs backwards."""
    length = len(raw)
    first = at
    at_ms = 0
    while at < length and 48 <= raw[at] <= 57:
        at_ms = at_ms * 10 + raw[at] - 48
        at += 1
        if at > first + 6:
            return 0
    if at == first or at >= length or raw[at] != 46:
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


def look_up(said: dict, seen: bytearray, raw: bytes, begin: int, end: int) -> int:
    """What is known of the text that lies there; _UNKNOWN if it was never read."""
    return said.get(raw[begin:end], _UNKNOWN)


def number_at(numbers: list, index: int) -> int:
    """One of them."""
    return numbers[index]


def is_remark(raw: bytes) -> bool:
    """Whether the line is a comment or a seal that every reader takes."""
    if not raw or (raw[0] != 59 and raw[0] != 126) or len(raw) > LINE_LIMIT:  # ; and ~
        return False
    if not raw.isascii():
        try:
            decode(raw, 0)
        except RecordError:
            return False
    return True


def is_sane(session: Session, absent: int) -> bool:
    """T1, and whatever the game's own audit finds."""
    state = session.state
    where = state.where
    return where.count(_NO_CARD_HERE) == absent and not session.game.audit(state)


class Before:
    """A session, and what a refusal must leave as it is: its state (T6), and what an undo would take back and its marks
    (T7)."""

    def __init__(self, session: Session):
        self.session = session
        self.state = State(session.game.CARDS, session.game.REGISTERS)
        self.before = State(session.game.CARDS, session.game.REGISTERS)
        self.blank = State(session.game.CARDS, session.game.REGISTERS)
        self.asked_where = bytearray(session.game.CARDS)  # where all cards lay when T1 was asked last
        self.last_draw = bytearray(b"\xff" * 8)
        self.no_draw = bytearray(b"\xff" * 8)
        self.last_seat = 0
        self.undo_seat = 0
        self.undo_ms = 0
        self.agreed = 0
        self.is_past = True  # something was accepted after `keep`

    def restart(self, start: State) -> None:
        """The session is as new, its game in that state."""
        session = self.session
        session.state.copy(start)
        session.before.copy(self.blank)
        session.last_draw[:] = self.no_draw
        session.last_seat = 0
        session.last_was_draw = False
        session.undo_seat = 0
        session.undo_ms = 0
        session.agreed = 0
        self.is_past = True

    def keep(self) -> None:
        """Remember it."""
        self.is_past = False
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


def play_refused(before: Before, event: Event, known: Known, index: int, audit: int) -> bool:
    """Play what a line says was refused; whether it was, under a rule that the line names, and changed nothing."""
    verdict = 0
    if audit and before.is_past:
        before.keep()
    verdict = before.session.play(event)
    if not verdict or verdict != number_at(known.found, index) and not known.names(index, verdict):
        return False
    return not audit or before.is_kept()


def is_right(before: Before, places: bytes, absent: int, audit: int) -> bool:
    """What `audit` asks after an accepted event. T1: every card but the absent lies at a place that the game has."""
    session = before.session
    if audit == _MOVED:
        where = session.state.where
        asked_where = before.asked_where  # noqa: F841 - compiled, only what moved since then is asked about (rows.pxd)
        return where.translate(places).count(0) == absent
    return audit != _ALL or is_sane(session, absent)


def play_lines(before: Before, raw: bytes, at: int, known: Known, audit: int) -> int:
    """How many events the lines from `at` on hold, up to a result; _NOT_SURE unless all is as it should be."""
    session = before.session
    event = Event()
    where = session.state.where
    places = known.lay_out_places(session.state.register[SEATS])
    absent = where.count(_NO_CARD_HERE)
    if audit and where.translate(places).count(0) != absent:
        return _NOT_SURE
    before.asked_where[:] = where
    known_texts = known.said
    seen = known.seen
    refused = known.refused
    count = 0
    begin = 0
    said = 0
    while True:
        end = raw.find(b"\n", at)
        if end < 0:
            return count  # a last line without its newline does not count
        begin = read_time(raw, at, event)
        if not begin:
            if not is_remark(raw[at:end]):
                return count if is_end(session, raw[at:end], raw[end + 1 :]) else _NOT_SURE
            at = end + 1
            continue
        at = end + 1
        said = look_up(known_texts, seen, raw, begin, end)
        if said == _UNKNOWN:
            said = learn(known, raw[begin:end])
            if said == _UNKNOWN:
                return _NOT_SURE
        count += 1
        index = -1
        if said & _REFUSED:
            index = said - _REFUSED
            said = number_at(refused, index)
        event.seat = said >> _SEAT_BITS
        event.verb = said >> 16 & 255
        event.card = said >> 8 & 255
        event.target = said & 255
        if index >= 0:
            if not play_refused(before, event, known, index, audit):
                return _NOT_SURE
        elif session.play(event) or not is_right(before, places, absent, audit):
            return _NOT_SURE
        else:
            before.is_past = True


def is_end(session: Session, line: bytes, behind: bytes) -> bool:
    """Whether the line is the result that the game has, and only remarks come behind it."""
    if line[:7] != b"result:" or not line.isascii() or not session.is_over():
        return False
    if " ".join(line[7:].decode().split()) != session.result():
        return False
    remarks = behind.split(b"\n")
    remarks.pop()  # no whole line
    for remark in remarks:
        if not is_remark(remark):
            return False
    return True


def cut_head(data: bytes) -> tuple:
    """(The header's lines, where the lines behind it begin). RecordError if not every reader takes it so."""
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
    return lines, end


def skim(lines: list) -> tuple:
    """What in a header decides how its game begins, if the header is written plainly; else ()."""
    if lines[0] != FORMAT:
        return ()
    keys = {}
    for line in lines[1 : len(lines) - 2]:
        key, colon, value = line.partition(": ")
        if not colon or key in keys or not key.isidentifier():
            return ()
        keys[key] = value
    names = keys.get("seats", "").split(";")
    for name in names:
        if not name or name.isspace():
            return ()
    first, number, places = keys.get("first"), keys.get("match_game"), keys.get("places")
    return keys.get("game"), len(names), keys.get("dealer"), first, number, places


class Judge:
    """Replays record after record, and remembers what the games' lines mean, and how games begin."""

    def __init__(self, audit: str):
        """audit: one of AUDITS."""
        self.audit = AUDITS.index(audit)
        self.known: dict = {}  # name of a game: (Known, Before)
        self.starts: dict = {}  # what `skim` gave: (Known, Before, the state in which the game begins)

    def begin(self, lines: list) -> tuple:
        """(Known, Before, state) for a header. RecordError and SetupError as the engine raises them, RecordError too if
        core.py has to look at it."""
        header, number = read_header([line + "\n" for line in lines])
        name = header.game[0]
        game = find_game(name)
        if number != len(lines) - 1 or game.NAME != name:
            raise RecordError(0, "a line of spaces ends it earlier, or the game has another name")
        session = Session(game, header)
        if self.audit and session.game.audit(session.state):
            raise RecordError(0, "the state cannot be")
        if name not in self.known:
            self.known[name] = Known(game), Before(session)
        known, before = self.known[name]
        start = State(game.CARDS, game.REGISTERS)
        start.copy(session.state)
        return known, before, start

    def replay(self, data: bytes) -> int:
        """How many events the record has, if it passes; -1 if core.py has to say what it is."""
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n")
        try:
            head, end = cut_head(data)
            decides = skim(head)
            begun = self.starts.get(decides)
            if begun is None:
                begun = self.begin(head)
                if decides:
                    if len(self.starts) >= _STARTS_LIMIT:
                        self.starts.clear()
                    self.starts[decides] = begun
            known, before, start = begun
            before.restart(start)
            count = play_lines(before, data, end, known, self.audit)
            if count >= 0 and self.audit and known.game.audit(before.session.state):
                return _NOT_SURE
        except Exception:  # it is no record, or the engine broke: core.py says what and how
            return _NOT_SURE
        return count
