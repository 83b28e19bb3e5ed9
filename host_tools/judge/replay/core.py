"""Replays one record line by line, the same under CPython and MicroPython."""

from cardtable.catalogue import find_game
from cardtable.engine.deck import card_name
from cardtable.engine.event import Event
from cardtable.engine.reading import read_event, read_header
from cardtable.engine.record import LINE_LIMIT, RecordError
from cardtable.engine.session import Session
from cardtable.engine.setup import SetupError
from cardtable.engine.state import NOWHERE, State
from cardtable.engine.verdict import rule_id

PASSED = "passed"
FAILED = "failed"  # the record and the engine differ
INVALID = "invalid"  # it is no record

# A longer line cannot be within LINE_LIMIT characters of at most 4 bytes and the line's end.
BYTES_LIMIT = 4 * LINE_LIMIT + 2
# What is asked for at once: MicroPython makes room for all of it each time, and longer rooms would break up its heap.
PIECE = 128
HEADER_LIMIT = 100  # lines

# What CPython takes for a space and MicroPython does not: the two have to read the same.
ODD_SPACES = (
    "\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f"
    "\u205f\u3000"
)
_SURROGATES = (0xD800, 0xDFFF)
_NO_CARD_HERE = bytes([NOWHERE])


class Outcome:
    """How a replay ended: `kind`; unless PASSED the line from 1, one sentence, lines that show the state."""

    def __init__(self, kind: str, line: int = 0, cause: str = "", state: list | tuple = ()):
        self.kind = kind
        self.line = line
        self.cause = cause
        self.state = list(state)


class Difference(Exception):
    """The record and the engine differ; the text is one sentence."""

    def __init__(self, cause: str):
        super().__init__(cause)
        self.cause = cause


class Lines:
    """The whole lines of a record; a last line without its newline does not count."""

    def __init__(self, source):
        """source.readline(limit) gives bytes, as a binary file does."""
        self.source = source
        self.number = 0  # of the line that was read last
        self.ends_within_a_line = False

    def read(self) -> bytes | None:
        """The next line without its end, or None. RecordError if it is too long, unless it is a comment."""
        raw = self.source.readline(PIECE)
        self.number += 1
        begins = raw[:1]
        is_too_long = False
        piece = raw
        while len(piece) == PIECE and not piece.endswith(b"\n"):
            piece = self.source.readline(PIECE)
            is_too_long = is_too_long or len(raw) + len(piece) > BYTES_LIMIT
            raw = piece if is_too_long else raw + piece
        if not raw.endswith(b"\n"):
            self.ends_within_a_line = len(begins) > 0
            return None
        if is_too_long:
            if begins == b";" or begins == b"~":
                return begins
            raise RecordError(self.number, "a line of more than %d characters" % LINE_LIMIT)
        return raw[:-1].rstrip(b"\r")

    def read_text(self):
        """The next line as text, or None."""
        raw = self.read()
        return None if raw is None else decode(raw, self.number)

    def header(self):
        """Every line up to the header's empty one, as `read_header` takes them."""
        while self.number < HEADER_LIMIT:
            line = self.read_text()
            if line is None:
                if self.number == 1 and self.ends_within_a_line:
                    raise RecordError(1, "not one whole line")
                if self.number > 1:
                    yield ""  # the header ends within a line, or none
                return
            for space in ODD_SPACES:
                line = line.replace(space, " ")
            yield line + "\n"
        raise RecordError(HEADER_LIMIT, "a header of more than %d lines" % HEADER_LIMIT)


def decode(raw: bytes, number: int) -> str:
    """The line as text. RecordError if it is not UTF-8, as strictly as CPython judges."""
    try:
        text = raw.decode()
        if len(text) == len(raw):
            return text
        same = "".join([chr(ord(letter)) for letter in text]).encode()
        if same == raw and not [letter for letter in text if _SURROGATES[0] <= ord(letter) <= _SURROGATES[1]]:
            return text
    except (UnicodeError, ValueError):
        pass
    raise RecordError(number, "bytes that are no UTF-8 text")


def check_letters(line: str, number: int):
    """An event is written in ASCII, so that nobody takes one letter for another."""
    for letter in line:
        if not " " <= letter <= "~" and letter != "\t":
            raise RecordError(number, "an event with the character %d, which none has" % ord(letter))


class Replay:
    """One record on its way through the engine."""

    def __init__(self, source, watch):
        """watch(line number, verdict, rule id) is told of every event that was judged."""
        self.lines = Lines(source)
        self.watch = watch
        self.game = None
        self.session = None
        self.event = Event()
        self.kept = None  # what no refusal may change: the state, the one before it, and the marks of an undo
        self.kept_before = None
        self.kept_marks: tuple = ()
        self.absent = 0

    def run(self) -> Outcome:
        """Replay up to the first thing that is wrong."""
        try:
            self.set_up()
            self.play()
        except RecordError as error:
            return Outcome(INVALID, error.line or 1, error.cause)
        except Difference as difference:
            return Outcome(FAILED, self.lines.number, difference.cause, self.describe_state())
        except Exception as error:
            cause = "the engine broke: %s %s" % (type(error).__name__, error)
            return Outcome(FAILED, self.lines.number, " ".join(cause.split()), self.describe_state())
        return Outcome(PASSED)

    def describe_state(self) -> list:
        """The state as lines; it may be so wrong that even that fails."""
        if self.session is None:
            return []
        try:
            from host_tools.judge.replay.show_state import describe_state

            return describe_state(self.session)
        except Exception as error:
            return ["the state cannot be shown: %s" % type(error).__name__]

    def set_up(self):
        """Read the header and set the game up. RecordError, also for a set-up that cannot be played."""
        header, _ = read_header(self.lines.header())
        try:
            self.game = find_game(header.game[0])
            if self.game.NAME != header.game[0]:
                raise SetupError("no game %s, but %s" % (header.game[0], self.game.NAME))
            self.session = Session(self.game, header)
        except SetupError as error:
            cause = str(error)
            raise RecordError(blamed_line(self.game, header, cause), quote(cause, LINE_LIMIT // 2)) from error
        self.kept = State(self.game.CARDS, self.game.REGISTERS)
        self.kept_before = State(self.game.CARDS, self.game.REGISTERS)
        self.absent = self.session.state.where.count(_NO_CARD_HERE)
        self.check_sane()
        self.keep()

    def play(self):
        """Every line behind the header."""
        is_closed = False
        while True:
            line = self.lines.read_text()
            if line is None:
                return
            if line[:1] in (";", "~"):
                continue
            if is_closed:
                cause = "behind the result come only lines with ~ or ;, not %r" % line[:40]
                raise RecordError(self.lines.number, cause)
            if line.startswith("result:"):
                self.check_result(line)
                is_closed = True
            else:
                self.play_event(line)

    def play_event(self, line: str):
        """Judge one event and compare the verdict with the line."""
        number = self.lines.number
        if len(line) > LINE_LIMIT:
            raise RecordError(number, "a line of more than %d characters" % LINE_LIMIT)
        check_letters(line, number)
        rules = read_event(self.game, line, number, self.event)
        verdict = self.session.play(self.event)
        rule = rule_id(self.game, verdict) if verdict else ""
        self.watch(number, verdict, rule)
        if not agrees(self.game, rules, verdict):
            wanted = expected(quote(rules))
            raise Difference("`%s`: expected %s, came %s" % (quote(line.strip()), wanted, expected(rule)))
        if verdict:
            self.check_unchanged(line)
        else:
            self.check_sane()
            self.keep()

    def check_result(self, line: str):
        """The game must be over, and have ended so."""
        wanted = " ".join(line[len("result:") :].split())
        shown = quote(wanted)
        if not self.session.is_over():
            raise Difference("expected the result %r, came none: the game goes on" % shown)
        result = self.session.result()
        if wanted != result:
            raise Difference("expected the result %r, came %r" % (shown, result))

    def marks(self) -> tuple:
        """What the session itself keeps about undo (T7)."""
        session = self.session
        return session.last_seat, bytes(session.last_draw), session.undo_seat, session.undo_ms, session.agreed

    def keep(self):
        """Remember everything that a refusal must leave as it is."""
        self.kept.copy(self.session.state)
        self.kept_before.copy(self.session.before)
        self.kept_marks = self.marks()

    def check_unchanged(self, line: str):
        """T6: a refusal changes no game state."""
        session = self.session
        if not self.kept.is_equal(session.state):
            changed = changes(self.kept, session.state)
            raise Difference("`%s`: the refusal changed the state (T6): %s" % (quote(line), changed))
        if not self.kept_before.is_equal(session.before) or self.kept_marks != self.marks():
            raise Difference("`%s`: the refusal changed what an undo would take back (T6, T7)" % quote(line))

    def check_sane(self):
        """T1: every card is somewhere exactly once; and whatever else the game's own audit finds."""
        absent = self.session.state.where.count(_NO_CARD_HERE)
        if absent != self.absent:
            raise Difference("%d cards have come into the game or left it (T1)" % abs(absent - self.absent))
        wrong = self.game.audit(self.session.state)
        if wrong:
            raise Difference("the state cannot be: %s" % name_bits(self.game, wrong))


def agrees(game, rules: str, verdict: int) -> bool:
    """Whether a record that names these rules, or none, says of an event what the engine does."""
    return rule_id(game, verdict) in rules.split() if verdict else not rules


def name_bits(game, wrong: int) -> str:
    """The bits of an audit in words."""
    return ", ".join([name for index, name in enumerate(game.AUDIT) if wrong >> index & 1]) or "audit %d" % wrong


def quote(text: str, longest: int = 80) -> str:
    """What a record says, as a sentence may hold it."""
    return text if len(text) <= longest else text[:longest] + "..."


def expected(rules: str) -> str:
    """`acceptance`, `a refusal under D3 or T3`."""
    return "a refusal under " + " or ".join(rules.split()) if rules else "acceptance"


def changes(kept: State, state: State) -> str:
    """The bytes that differ."""
    found = []
    for card in range(len(kept.where)):
        if kept.where[card] != state.where[card]:
            found.append("the place of " + card_name(card))
    for index in range(len(kept.register)):
        if kept.register[index] != state.register[index]:
            found.append("register %d" % index)
    return ", ".join(found)


def blamed_line(game, header, cause: str) -> int:
    """The header's line that a set-up's error is about: the key it begins with, seats, or game."""
    blamed = cause.partition(":")[0]
    if blamed not in ("dealer", "first", "match_game"):
        blamed = "game"
        if game is not None and not game.SEAT_RANGE[0] <= len(header.seats) <= game.SEAT_RANGE[1]:
            blamed = "seats"
    for index in range(len(header.keys)):
        if header.keys[index][0] == blamed:
            return index + 2
    return 1


def replay(source, watch) -> Outcome:
    """Replay what source.readline(limit) gives; watch(line number, verdict, rule id) hears of each event."""
    return Replay(source, watch).run()
