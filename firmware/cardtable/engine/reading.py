"""Reads the record's text (docs/record.md), line by line; engine/record.py writes it.

A table needs this when a game begins or goes on, and forgets it while it plays.
"""

from cardtable.engine.deck import RANKS, SUITS, card_number
from cardtable.engine.event import NO_CARD, Event, find_verb, verb_arguments
from cardtable.engine.record import FORMAT, LIMIT_MS, LINE_LIMIT, Header, RecordError, write_time
from cardtable.engine.state import NOWHERE, find_place


def is_number(text: str) -> bool:
    """Whether the text is ASCII digits alone."""
    return bool(text) and not text.strip("0123456789")


def read_key(header: Header, line: str, number: int) -> None:
    """Take one `key: value` line into the header. RecordError."""
    key, colon, value = line.partition(":")
    key = key.strip()
    value = value.strip()
    if not colon or not key or " " in key:
        raise RecordError(number, "the header takes `key: value` lines up to an empty line, not %r" % line[:40])
    if key in [said[0] for said in header.keys]:
        raise RecordError(number, "%s: is said twice" % key)
    header.keys.append((key, value))
    if key == "game":
        header.game = value.split()
    elif key == "seats":
        header.seats = [name.strip() for name in value.split(";")]
        if "" in header.seats:
            raise RecordError(number, "seats: a seat without a name")
    elif key in ("dealer", "first", "match_game"):
        if not is_number(value) or len(value) > 9 or not int(value):
            raise RecordError(number, "%s: %s is no number from 1" % (key, value or "nothing"))
        setattr(header, key, int(value))
    elif key == "places":
        words = value.split()
        if [word for word in words if word not in tuple("1234567")] or len(words) != len(tuple(set(words))):
            raise RecordError(number, "places: %s: it takes different numbers from 1 to 7" % value)
        header.places = [int(word) for word in words]


def close_header(header: Header, number: int) -> None:
    """The empty line came: all that is required must be there. RecordError."""
    said = [key[0] for key in header.keys]
    for key in ("game", "seats", "dealer"):
        if key not in said or not (header.game if key == "game" else True):
            raise RecordError(number, "the header has no %s:" % key)
    if not header.places:
        header.places = [seat + 1 for seat in range(len(header.seats))]
    if len(header.places) != len(header.seats):
        raise RecordError(number, "places: names %d places for %d seats" % (len(header.places), len(header.seats)))


def read_header(lines, find_profile=None) -> tuple:
    """(Header, number of lines it took) from an iterator of lines. RecordError if it is none or does not end.

    find_profile(name): in a set-up that people write, `profile: NAME` stands for the game line that this gives; the
    header then has both, so the record can be judged where the profile is unknown.
    """
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
            read_key(header, line, number)
            key, value = header.keys[-1]
            if find_profile and key == "profile":
                read_key(header, "game: " + find_profile(value), number)
        else:
            close_header(header, number)
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
    if kind == "U":
        if len(word) != 1 or word not in SUITS:
            raise RecordError(number, "%s is no suit" % word)
        return SUITS.find(word)
    if kind == "P":
        # An arbiter who asks for no place is refused (T2), and the record has that line.
        place = NOWHERE if word == "nowhere" else find_place(game, word)
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
