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
from cardtable.engine.record import FORMAT, RecordError
from cardtable.engine.session import Session
from cardtable.engine.setup import SetupError
from cardtable.play.feed import COMMITMENT, Feed
from cardtable.record.seal import NONCE
from host_tools.base.errors import UnusableInput

FITS = "fits"
CUT = "cut off"
DIFFERS = "differs"

LOST = "feed: lines are lost"  # the table says so behind a gap: nobody had read its lines (firmware/main.py)
_COMMITMENT = re.compile(re.escape(COMMITMENT) + r"[0-9a-f]{16}$")
_SAID = re.compile(r"\d|opened: |result: |digest: |" + NONCE + ": ")  # how a line begins that the record accounts for
_REFUSAL = re.compile(r"(\S+ \d ! \S+) (.*?)(" + re.escape(COMMITMENT) + r"[0-9a-f]{16})?$")


@dataclass
class Comparison:
    """`kind`; how many `lines` of the feed fit the record; sentences."""

    kind: str
    lines: int = 0
    notes: list[str] = field(default_factory=list)


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
    gap; whether it is the first one behind a gap, or behind a restart: after which event the game went on there."""

    number: int
    text: str
    is_last: bool = False
    is_behind_gap: bool = False
    resumed: str = ""


def read_public(public: bytes, header: list[str]) -> tuple[list[list[Heard]], str]:
    """The games of that header in a kept feed, each the lines that a record accounts for; and what is wrong with the
    first header that is another one.

    A table whose power failed says `resumed after` and its header again, and the game goes on.
    """
    *lines, _ = public.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    games: list[list[Heard]] = []
    wrong = f"no line is `{FORMAT}`: no game begins there"
    is_ours = has_gap = False
    resumed = ""  # what the game goes on after, from the restart until its next line
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
                resumed = ""
            elif wrong.startswith("no line"):
                wrong = other
            is_resumed = False
        elif line.startswith("resumed after: "):
            is_resumed = True
            resumed = line.partition(": ")[2]
        elif line == LOST and is_ours:
            has_gap = True
            end_here(games[-1])
        elif is_ours and _SAID.match(line):
            games[-1].append(Heard(number, line, is_behind_gap=has_gap, resumed=resumed))
            has_gap = False
            resumed = ""
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
        self.at = 0  # of `said`: what comes next
        self.lost = 0  # of those before it: lines that nobody heard
        self.has_gap = False
        self.notes: list[str] = []
        self._has_broken_off = False

    def take(self, line: Heard) -> bool:
        """Take the next line of the feed; False if it does not fit."""
        if line.is_behind_gap:
            self.has_gap = True
            self.skip_to(line, f"nobody read what was said before line {line.number}")
        elif line.resumed and not self.fits_next(line) and name_last(self.said, self.find(line)) == line.resumed:
            # The power failed while nobody read the feed: only the last event before it is named.
            self.skip_to(line, f"the power failed before line {line.number}, and nobody had read what was said before")
        if self.fits_next(line):
            self.at += 1
            self._has_broken_off = line.is_last
        elif line.is_last:
            self._has_broken_off = True
            self.notes.append(f"line {line.number} was not said to its end: there the power failed, or nobody read on")
        else:
            return False
        return True

    def fits_next(self, line: Heard) -> bool:
        """Whether the line is the next one, or the next but one where the power failed."""
        said, at = self.said, self.at
        if self._has_broken_off and at + 1 < len(said) and not fits(line, said[at]) and fits(line, said[at + 1]):
            self.notes.append(f"the record's line {said[at][0]} was never said: there the power failed")
            self.at += 1
        return self.at < len(said) and fits(line, said[self.at])

    def find(self, line: Heard) -> int:
        """Where in `said` the line comes next; behind its end if it does not come."""
        at = self.at
        while at < len(self.said) and not fits(line, self.said[at]):
            at += 1
        return at

    def skip_to(self, line: Heard, cause: str) -> None:
        """Leave out what was lost before that line, if it comes at all."""
        behind = self.find(line)
        if behind < len(self.said):
            self.notes.append(f"{cause}: {behind - self.at} lines are lost")
            self.lost += behind - self.at
            self.at = behind


def name_last(said: list[tuple[int, str]], end: int) -> str:
    """The last accepted event before that line, as `resumed after` names it; empty if that line never comes."""
    if end < len(said):
        for _, text in reversed(said[:end]):
            words = uncommitted(text).split()
            if text[0].isdigit() and words[2] != "!":
                return " ".join(word for word in words[1:] if word != "??")
    return ""


def compare_game(heard: list[Heard], said: list[tuple[int, str]], is_complete: bool) -> Comparison:
    """Hold the lines of one game against those that its record gives."""
    follower = Follower(said)
    for line in heard:
        if not follower.take(line):
            at = follower.at
            wanted = "the record has ended"
            if at < len(said):
                wanted = f"the record's line {said[at][0]} gives `{said[at][1]}`"
            note = f"line {line.number} is `{line.text[:80]}`, and {wanted}"
            return Comparison(DIFFERS, at - follower.lost, [*follower.notes, note])
    at, notes = follower.at, follower.notes
    if at < len(said):
        notes.append(f"it ends before the record's line {said[at][0]}")
    is_whole = is_complete and at == len(said) and not follower.lost and not follower.has_gap
    return Comparison(FITS if is_whole else CUT, at - follower.lost, notes)


def fits(line: Heard, said: tuple[int, str]) -> bool:
    """Whether that is the line which the table would have said."""
    return plain(line.text) == plain(said[1])
