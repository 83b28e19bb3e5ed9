"""Registers a deck from this computer: tags' UIDs come as lines of text, from a reader that types them or a person.

The deck file is the table's own (docs/decks.md). Each tag is in the file before the next one is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from cardtable.between.decks import uid_text
from cardtable.between.enrol import SIZES, deck_cards
from cardtable.engine.deck import DECK, STRANGER, card_name
from cardtable.table.tags import TagError, Tags
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.files import settle, written

_HEADS = {f"; {size} cards": size for size in SIZES}  # a file's first line; the table goes by it, too
LINE_LIMIT = 100  # characters; no UID is longer
UNDO = "u"
QUIT = "q"


def read_uid(text: str) -> bytes:
    """A UID of 4, 7 or 10 bytes in hexadecimal, with `:`, `-`, blanks or none: ten bytes, zero padded. TagError."""
    digits = text.strip()
    for sign in ":- ":
        digits = digits.replace(sign, "")
    try:
        uid = bytes.fromhex(digits) if len(text) <= LINE_LIMIT else b""
    except ValueError:
        uid = b""
    if len(uid) not in (4, 7, 10):
        raise TagError(f"{text.strip()[:30]} is no UID of 4, 7 or 10 bytes")
    return uid.ljust(10, b"\0")


class Enrolment:
    """A deck file that is being filled; `missing` are the cards without a tag, in the order they are asked for."""

    def __init__(self, path: Path, size: int) -> None:
        """`size` is 36, 52, 54 or 108, or 0: as the file says. UnusableInput if the file is no deck file."""
        assert size in (0, *SIZES)
        self.path = path
        self.lines: list[str] = []
        self.tags = Tags()
        if path.exists() and not path.is_file():
            # It would be replaced by one, a device too.
            raise UnusableInput(f"{path}: not a file")
        if path.exists():
            try:
                self.lines = [line.rstrip("\n") for line in foreign.read_lines(path)]
                self.tags.load(self.lines)
            except TagError as wrong:
                raise UnusableInput(f"{path}, {wrong}") from wrong
        said = _HEADS.get(self.lines[0].strip(), 0) if self.lines else 0
        # The smallest deck that has all of these cards, and is not smaller than the file says.
        self.size = size or next(one for one in SIZES if one >= said and not self.find_others(one))
        self.lines[:1 if said else 0] = [f"; {self.size} cards"]
        self.missing = [card for card in deck_cards(self.size) if not self.tags.has(card)]
        self._done: list[int] = []

    def find_others(self, size: int) -> list[int]:
        """The cards that have a tag, and that a deck of that size does not have."""
        cards = deck_cards(size)
        return [card for card in range(2 * DECK) if self.tags.has(card) and card not in cards]

    def take(self, uid: bytes) -> str:
        """This tag is the next missing card: its name. TagError if it is another card already."""
        known = self.tags.find(uid)
        if known != STRANGER:
            raise TagError(f"{uid_text(uid)} is {card_name(known)} already")
        card = self.missing[0]
        line = f"{uid_text(uid)} {card_name(card)}"
        self._save([*self.lines, line])
        self.tags.load([line])
        self.missing.pop(0)
        self._done.append(card)
        return card_name(card)

    def undo(self) -> str:
        """Ask again for the card that was registered last: its name; empty if there is none."""
        if not self._done:
            return ""
        card = self._done.pop()
        self._save(self.lines[:-1])
        self.tags = Tags()
        self.tags.load(self.lines)
        self.missing.insert(0, card)
        return card_name(card)

    def _save(self, lines: list[str]) -> None:
        """The whole file beside the old one, then in its place: it is never half a file, and on the disk before
        the old one, which has the cards so far, goes."""
        try:
            with written(self.path) as half:
                half.write_bytes("".join(line + "\n" for line in lines).encode())
                settle(half)
        except OSError as wrong:
            raise UnusableInput(f"{self.path}: {wrong.strerror}") from wrong
        self.lines = lines


def enrol(path: Path, size: int, answers: Iterable[str], say: Callable[[str], None]) -> int:
    """Ask for each missing card; `answers` are lines with UIDs, `u` or `q`. How many cards are still missing."""
    deck = Enrolment(path, size)
    answers = iter(answers)
    while deck.missing:
        say(f"{card_name(deck.missing[0])} ({deck.size - len(deck.missing) + 1} of {deck.size})?")
        answer = next(answers, QUIT).strip()
        if answer == QUIT:
            break
        if answer == UNDO:
            say(f"{deck.undo() or 'nothing'} taken back")
        elif answer:
            try:
                deck.take(read_uid(answer))
            except TagError as wrong:
                say(f"{wrong}; once more")
    missing = len(deck.missing)
    say(f"{path}: {missing} missing" if missing else f"{path}: all {deck.size} cards have a tag")
    return missing


def describe(path: Path, size: int) -> tuple[list[str], bool]:
    """Tell a deck file, as a deck of that size or, with 0, of the size that it says: how many cards have a tag, which
    have none, which are of no such deck; and whether it is complete."""
    if not path.exists():
        raise UnusableInput(f"{path}: there is no such file")
    deck = Enrolment(path, size)
    lines = [f"{deck.size - len(deck.missing)} of {deck.size} cards"]
    for what, cards in (("missing", deck.missing), (f"not of {deck.size} cards", deck.find_others(deck.size))):
        if cards:
            lines.append(f"{what}: " + " ".join(card_name(card) for card in cards))
    return lines, not deck.missing
