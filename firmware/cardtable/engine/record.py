"""Reads and writes the record's text (docs/record.md), line by line."""

from cardtable.engine.deck import RANKS, card_name, card_number
from cardtable.engine.event import NO_CARD, SHOWS_ALL, Event, find_verb, verb_arguments, verb_name
from cardtable.engine.state import find_place, place_name

FORMAT = "cardtable 1"
HIDDEN = "??"  # stands for a card that not everybody may see
LIMIT_MS = 1 << 30
LAST_MS = LIMIT_MS - 1  # the latest time that a record can say; several events may have it
LINE_LIMIT = 400  # characters; a longer line is no line of a record


def is_number(text: str) -> bool:
    """Whether the text is ASCII digits alone."""
    return bool(text) and not text.strip("0123456789")


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

    def read_line(self, line: str, number: int) -> None:
        """Take in one `key: value` line."""
        key, colon, value = line.partition(":")
        key = key.strip()
        value = value.strip()
        if not colon or not key or " " in key:
            raise RecordError(number, "the header takes `key: value` lines up to an empty line, not %r" % line[:40])
        if key in [said[0] for said in self.keys]:
            raise RecordError(number, "%s: is said twice" % key)
        self.keys.append((key, value))
        if key == "game":
            self.game = value.split()
        elif key == "seats":
            self.seats = [name.strip() for name in value.split(";")]
            if "" in self.seats:
                raise RecordError(number, "seats: a seat without a name")
        elif key in ("dealer", "first", "match_game"):
            if not is_number(value) or len(value) > 9 or not int(value):
                raise RecordError(number, "%s: %s is no number from 1" % (key, value or "nothing"))
            setattr(self, key, int(value))
        elif key == "places":
            words = value.split()
            if [word for word in words if word not in tuple("1234567")] or len(words) != len(tuple(set(words))):
                raise RecordError(number, "places: %s: it takes different numbers from 1 to 7" % value)
            self.places = [int(word) for word in words]

    def close(self, number: int) -> None:
        """The empty line came: all that is required must be there."""
        said = [key[0] for key in self.keys]
        for key in ("game", "seats", "dealer"):
            if key not in said or not (self.game if key == "game" else True):
                raise RecordError(number, "the header has no %s:" % key)
        if not self.places:
            self.places = [seat + 1 for seat in range(len(self.seats))]
        if len(self.places) != len(self.seats):
            raise RecordError(number, "places: names %d places for %d seats" % (len(self.places), len(self.seats)))

    def lines(self) -> list:
        """The header as a record writes it, the empty line included."""
        return [FORMAT] + ["%s: %s" % key for key in self.keys] + [""]


def read_header(lines) -> tuple:
    """(Header, number of lines it took) from an iterator of lines. RecordError if it is none or does not end."""
    header = Header()
    number = 0
    for line in lines:
        number += 1
        if not line.endswith("\n"):
            break
        line = line.strip()
        if len(line) > LINE_LIMIT:
            raise RecordError(number, "a line of more than %d characters" % LINE_LIMIT)
        if number == 1:
            if line != FORMAT:
                raise RecordError(1, "a record begins with the line %r, not with %r" % (FORMAT, line[:40]))
        elif line:
            header.read_line(line, number)
        else:
            header.close(number)
            return header, number
    raise RecordError(number, "the file is empty" if not number else "the header does not end with an empty line")


def read_time(text: str) -> int:
    """Seconds with a decimal point, in any spelling, as whole milliseconds; -1 if it is no time."""
    whole, _, part = text.partition(".")
    whole = whole.lstrip("0") or ("0" if whole else "")
    if not (whole or part) or not is_number(whole + part) or len(whole) > 7:
        return -1
    while len(part) > 3 and part[-1] == "0":
        part = part[:-1]
    if len(part) > 3:
        return -1
    at_ms = int(whole or "0") * 1000 + int((part + "000")[:3])
    return at_ms if at_ms < LIMIT_MS else -1


def write_time(at_ms: int) -> str:
    """As a record writes it: no trailing zeros, one decimal at least."""
    text = "%d.%03d" % (at_ms // 1000, at_ms % 1000)
    while text[-1] == "0" and text[-2] != ".":
        text = text[:-1]
    return text


def read_argument(game, kind: str, word: str, number: int) -> int:
    """One argument of a verb as a small number."""
    if kind == "C":
        card = card_number(word)
        if card < 0:
            raise RecordError(number, "%s is no card" % word)
        return card
    if kind == "R":
        if len(word) != 1 or word not in RANKS:
            raise RecordError(number, "%s is no rank" % word)
        return RANKS.find(word)
    if kind == "P":
        place = find_place(game, word)
        if place < 0:
            raise RecordError(number, "%s is no place of %s" % (word, game.NAME))
        return place
    if not is_number(word):
        raise RecordError(number, "%s is no whole number" % word)
    return min(int((word.lstrip("0") or "0")[:9]), 255)  # a game refuses anything larger, too


def read_event(game, line: str, number: int, event: Event) -> str:
    """Fill `event` from `TIME SEAT VERB [ARGUMENTS] [! RULE ...]`; the rules behind the `!`, or an empty text."""
    said, mark, rules = line.partition("!")
    words = said.split()
    if len(words) < 3:
        raise RecordError(number, "an event is TIME SEAT VERB [ARGUMENTS], not %r" % line[:40])
    at_ms = read_time(words[0])
    if at_ms < 0:
        raise RecordError(number, "%s is no time in seconds" % words[0])
    if at_ms < event.at_ms:
        raise RecordError(number, "the time runs backwards: %s after %s" % (words[0], write_time(event.at_ms)))
    if len(words[1]) != 1 or words[1] not in "01234567":
        raise RecordError(number, "%s is no seat" % words[1])
    verb = find_verb(game, words[2])
    if verb < 0:
        raise RecordError(number, "%s is no verb of %s" % (words[2], game.NAME))
    kinds = verb_arguments(game, verb)
    if len(words) - 3 != len(kinds):
        plural = "" if len(kinds) == 1 else "s"
        raise RecordError(number, "%s takes %d argument%s, not %d" % (words[2], len(kinds), plural, len(words) - 3))
    if mark and not rules.split():
        raise RecordError(number, "a refusal without a rule behind the !")
    event.card = NO_CARD
    event.target = 0
    for index in range(len(kinds)):
        value = read_argument(game, kinds[index], words[3 + index], number)
        if index == 0 and kinds[0] == "C":
            event.card = value
        else:
            event.target = value
    event.at_ms = at_ms
    event.seat = int(words[1])
    event.verb = verb
    return rules.strip()


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


