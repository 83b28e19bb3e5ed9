"""Checks a kept public feed against the full record (T12): its lines, and its commitments.

The feed that the record would have had is made by the table's own feed, from the record and the engine, and compared
line by line. Words of refusals may be in any language; faults and greetings are no events.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.deck import card_name
from cardtable.engine.event import Event
from cardtable.engine.reading import read_event, read_header
from cardtable.engine.record import FORMAT, HIDDEN, RecordError
from cardtable.engine.session import Session
from cardtable.engine.setup import SetupError
from cardtable.play.feed import COMMITMENT, Feed
from cardtable.record.seal import NONCE
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput

FITS = "fits"
CUT = "cut off"
DIFFERS = "differs"

LOST = "feed: lines are lost"  # the table says so behind a gap: nobody had read its lines (firmware/main.py)
_COMMITMENT = re.compile(re.escape(COMMITMENT) + r"[0-9a-f]{16}$")
_SAID = re.compile(r"\d|opened: |result: |digest: |" + NONCE + ": ")  # how a line begins that the record accounts for
_REFUSAL = re.compile(r"(\S+ \d ! \S+) (.*?)(" + re.escape(COMMITMENT) + r"[0-9a-f]{16})?$")
_BOOT = re.compile(r"[^ -~\u00a0-\ufffc].*|(ets [A-Z]|ESP-ROM:|boot: |cardtable on ).*")  # behind a torn line


@dataclass
class Comparison:
    """`kind`; how many `lines` of the feed fit the record; sentences; how many were `lost` where the power failed or
    nobody read, and how many are `left` behind the feed's end."""

    kind: str
    lines: int = 0
    notes: list[str] = field(default_factory=list)
    lost: int = 0
    left: int = 0


def uncommitted(line: str) -> str:
    """A line of the feed without its commitment."""
    return _COMMITMENT.sub("", line)


def plain(line: str) -> str:
    """A line of the feed without the words of a refusal, which depend on the language of the screen."""
    refusal = _REFUSAL.match(line)
    return refusal[1] + (refusal[3] or "") if refusal else line


def make_feed(record: bytes, digest: str) -> tuple[list[str], list[tuple[int, str]]]:
    """The header that the feed of this record begins with, and its lines, each with the record's line it tells of.

    UnusableInput if the engine cannot play the record.
    """
    *lines, _ = record.decode("utf-8", "replace").split("\n")
    said: list[tuple[int, str]] = []
    number = 0
    header_lines: list[str] = []
    try:
        header, length = read_header(line + "\n" for line in lines)
        game = find_game(header.game[0])
        session = Session(game, header)
        feed = Feed(game, header, lambda line: header_lines.append(line))
        feed.begin()
        feed.write = lambda line: said.append((number, line))
        event = Event()
        for number, line in enumerate(lines[length:], length + 1):
            if line.startswith("result:"):
                feed.end(line[7:].strip(), digest)
            elif line[:1] not in (";", "~"):
                tell(session, feed, event, read_event(game, line, number, event), number)
    except RecordError as wrong:
        raise UnusableInput(f"line {wrong.line} of the record: {wrong.cause}") from wrong
    except SetupError as wrong:
        raise UnusableInput(f"the header of the record: {wrong}") from wrong
    return header_lines, said


def tell(session: Any, feed: Feed, event: Event, rules: str, number: int) -> None:
    """Tell one event as the table does (play/judge_and_write.py). UnusableInput."""
    game = session.game
    shows = game.shows(session.state, event.verb)
    if rules:
        if shows:
            feed.refused(event, rules.split()[0], "")
        return
    opened: list[int] = []
    if session.judge(event):
        raise UnusableInput(f"line {number} of the record cannot have been accepted: `cardtable replay` says why")
    game.opens(session.state, event, opened)
    session.enact(event)
    feed.accepted(event, shows)
    if opened:
        feed.say("opened: " + " ".join(card_name(card) for card in opened))


@dataclass
class Heard:
    """A line of a kept feed: its number and text; whether it is the last one before the table restarted or before a
    gap; whether it is the first one behind a gap; after which events the game went on, if restarts came before it."""

    number: int
    text: str
    is_last: bool = False
    is_behind_gap: bool = False
    resumed: list[str] = field(default_factory=list)

    @property
    def texts(self) -> set[str]:
        """What it says; also without what a chip says as it starts, if that may stand behind a torn line."""
        return {self.text, _BOOT.sub("", self.text)} if self.is_last else {self.text}


def read_public(public: bytes, header: list[str]) -> tuple[list[list[Heard]], str]:
    """The games of that header in a kept feed, each the lines that a record accounts for; and what is wrong with the
    first header that is another one.

    A table whose power failed says `resumed after` and its header again, and the game goes on.
    """
    *lines, _ = public.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    games: list[list[Heard]] = []
    wrong = f"no line is `{FORMAT}`: no game begins there"
    is_ours = has_gap = False
    resumed: list[str] = []  # what the game goes on after, from its restarts until its next line
    is_resumed = False
    numbered = enumerate(lines, 1)
    for number, line in numbered:
        if line == FORMAT:
            other = check_header(number, numbered, header)
            is_ours = not other
            if is_ours and is_resumed and games:
                end_here(games[-1])
            elif is_ours:
                games.append([])
                resumed = []
            elif wrong.startswith("no line"):
                wrong = other
            is_resumed = False
        elif line.startswith("resumed after: "):
            resumed = [*resumed, line.partition(": ")[2]]
            is_resumed = True
        elif line == LOST and is_ours:
            has_gap = True
            end_here(games[-1])
        elif is_ours and _SAID.match(line):
            games[-1].append(Heard(number, line, is_behind_gap=has_gap, resumed=resumed))
            has_gap = False
            resumed = []
    return games, wrong


def end_here(heard: list[Heard]) -> None:
    """Behind the last of these lines the feed broke off, perhaps within it."""
    for line in heard[-1:]:
        line.is_last = True


def check_header(first: int, lines: Iterator[tuple[int, str]], header: list[str]) -> str:
    """Take the lines of a header out of the feed; a sentence if it is another one."""
    for wanted in header[1:]:
        number, line = next(lines, (0, ""))
        if number and line != wanted:
            return f"line {number} is `{line[:60]}`, and the record's header has `{wanted[:60]}`"
    return ""


def compare(record: bytes, public: bytes, digest: str) -> Comparison:
    """Hold the feed against the record; of several games the one that fits best. `digest` is the record's, empty while
    it is not complete. UnusableInput.
    """
    header, said = make_feed(record, digest)
    games, wrong = read_public(public, header)
    found = [compare_game(heard, said, bool(digest)) for heard in games] or [Comparison(DIFFERS, 0, [wrong])]
    return max(found, key=lambda one: (one.kind == FITS, one.lines))


class Follower:
    """Follows the lines of one game along those that its record gives."""

    def __init__(self, said: list[tuple[int, str]]) -> None:
        self.said = said
        self.plain = [plain(text) for _, text in said]
        self.names = list_names(said)
        self.at = 0  # of `said`: what comes next
        self.lost = 0  # of those before it: lines that nobody heard to their end
        self.has_gap = False
        self.notes: list[str] = []

    def take(self, line: Heard) -> str:
        """Take the next line of the feed; what is wrong with it, or an empty sentence."""
        if self.find(line):
            self.at += 1
        elif line.is_last and self.find(line, is_torn=True):
            self.notes.append(f"line {line.number} was not said to its end: there the power failed, or nobody read on")
        else:
            return self.tell(line)
        return ""

    def find(self, line: Heard, is_torn: bool = False) -> bool:
        """Go to where the line comes next: here, or behind what was lost. False if it does not come."""
        texts = line.texts if is_torn else {plain(text) for text in line.texts}
        end = len(self.said) if line.is_behind_gap or line.resumed else min(self.at + 1, len(self.said))
        for at in range(self.at, end):
            is_said = any(self.begins(text, at) for text in texts) if is_torn else self.plain[at] in texts
            if is_said and self.goes_on(line, at):
                self.skip_to(at, line)
                return True
        return False

    def begins(self, text: str, at: int) -> bool:
        """Whether that is a beginning of the line which the table would have said there; of a refusal the words may be
        any."""
        refusal = _REFUSAL.match(self.said[at][1])
        if refusal and text.startswith(refusal[1] + " "):
            return (refusal[3] or "").startswith("".join(text.partition(COMMITMENT)[1:]))
        return (refusal[1] if refusal else self.plain[at]).startswith(text)

    def goes_on(self, line: Heard, at: int) -> bool:
        """Whether the table would have named those events, had the line at `at` come next."""
        if not line.resumed:
            return True
        return line.resumed[-1] == self.names[at] and set(line.resumed) <= set(self.names[self.at : at + 1])

    def skip_to(self, at: int, line: Heard) -> None:
        """Leave out what was lost before that line."""
        lost = at - self.at
        self.has_gap |= line.is_behind_gap
        if lost:
            why = "nobody read what was said" if line.is_behind_gap else "the power failed"
            lines = "1 line is" if lost == 1 else f"{lost} lines are"
            self.notes.append(f"{why} before line {line.number}: {lines} lost")
        self.lost += lost
        self.at = at

    def tell(self, line: Heard) -> str:
        """What is wrong with that line."""
        if self.at == len(self.said):
            return f"line {line.number} is `{line.text[:80]}`, and the record has ended"
        number, text = self.said[self.at]
        if line.resumed and self.plain[self.at] == plain(line.text):
            return (f"before line {line.number} the game goes on after `{foreign.shorten(line.resumed[-1])}`, and the "
                    f"record after `{self.names[self.at]}`")
        return f"line {line.number} is `{line.text[:80]}`, and the record's line {number} gives `{text}`"


def list_names(said: list[tuple[int, str]]) -> list[str]:
    """The last accepted event before each of these lines, and behind them, as `resumed after` names it."""
    names = ["the set-up"]
    for _, text in said:
        words = uncommitted(text).split()
        name = names[-1]
        if text[0].isdigit() and words[2] != "!":
            name = " ".join(words[1:3] if HIDDEN in words else words[1:])
        names.append(name)
    return names


def compare_game(heard: list[Heard], said: list[tuple[int, str]], is_complete: bool) -> Comparison:
    """Hold the lines of one game against those that its record gives."""
    follower = Follower(said)
    for line in heard:
        wrong = follower.take(line)
        if wrong:
            return Comparison(DIFFERS, follower.at - follower.lost, [*follower.notes, wrong], follower.lost)
    at, notes = follower.at, follower.notes
    if at < len(said):
        notes.append(f"it ends before the record's line {said[at][0]}")
    is_whole = is_complete and at == len(said) and not follower.lost and not follower.has_gap
    return Comparison(FITS if is_whole else CUT, at - follower.lost, notes, follower.lost, len(said) - at)
