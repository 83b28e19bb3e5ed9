"""Writes the record's text (docs/record.md), line by line; engine/reading.py reads it.

They are apart because a table that plays only writes, and forgets how to read.
"""

from cardtable.engine.deck import RANKS, SUITS, card_name
from cardtable.engine.event import SHOWS_ALL, Event, verb_arguments, verb_name
from cardtable.engine.state import place_name

FORMAT = "cardtable 1"
HIDDEN = "??"  # stands for a card that not everybody may see
LIMIT_MS = 1 << 30
LAST_MS = LIMIT_MS - 1  # the latest time that a record can say; several events may have it
LINE_LIMIT = 400  # characters; a longer line is no line of a record


class RecordError(ValueError):
    """Text that is no record: `.line` from 1 (0: the whole file), and one sentence."""

    def __init__(self, line: int, cause: str) -> None:
        super().__init__(cause)
        self.line = line
        self.cause = cause


class SetupError(ValueError):
    """A header whose game cannot be played; the text is one sentence that names the cause and the rule."""


class Header:
    """What the lines before the empty one say. `keys` keeps every key and value in order, also free ones."""

    def __init__(self) -> None:
        self.keys: list = []
        self.game: list = []  # the words of the `game:` line
        self.seats: list = []  # names, clockwise from seat 1
        self.dealer = 0
        self.first = 0
        self.match_game = 0
        self.places: list = []  # which of the table's places the seats sit at

    def lines(self) -> list:
        """The header as a record writes it, the empty line included."""
        return [FORMAT] + ["%s: %s" % key for key in self.keys] + [""]


def write_time(at_ms: int) -> str:
    """As a record writes it: no trailing zeros, one decimal at least."""
    text = "%d.%03d" % (at_ms // 1000, at_ms % 1000)
    while text[-1] == "0" and text[-2] != ".":
        text = text[:-1]
    return text


def write_arguments(game, event: Event, shows: int = SHOWS_ALL) -> list:
    """The words behind the verb; `shows` is what the game lets everybody see, and its card is hidden if that is not
    all."""
    kinds = verb_arguments(game, event.verb)
    words = []
    for index in range(len(kinds)):
        kind = kinds[index]
        is_card = index == 0 and kind == "C"
        value = event.card if is_card else event.target
        if is_card and shows != SHOWS_ALL:
            words.append(HIDDEN)
        elif kind == "C":
            words.append(card_name(value))
        elif kind == "R":
            words.append(RANKS[value])
        elif kind == "U":
            words.append(SUITS[value])
        else:
            words.append(place_name(game, value) if kind == "P" else str(value))
    return words


def write_event(game, event: Event, rule: str = "", shows: int = SHOWS_ALL) -> str:
    """The event's line, without its newline; `rule` is the id under which it was refused, `shows` as above."""
    words = [write_time(event.at_ms), str(event.seat), verb_name(game, event.verb)]
    words += write_arguments(game, event, shows)
    if rule:
        words.append("! " + rule)
    return " ".join(words)
