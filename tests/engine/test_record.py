"""The record's text: cards, times, header lines and events (docs/record.md)."""

from cardtable.catalogue import find_game
from cardtable.engine.deck import RANK, STRANGER, SUIT, card_name, card_number
from cardtable.engine.event import NO_CARD, Event, pack, unpack
from cardtable.engine.reading import read_event, read_header, read_time
from cardtable.engine.record import RecordError, write_event, write_time

DURAK = find_game("durak")
HEAD = "cardtable 1\ngame: durak throw-in\nseats: Anna; Boris\ndealer: 2\n"


def error_of(function, *arguments) -> str:
    """The sentence of the RecordError, with its line; an empty text if there is none."""
    try:
        function(*arguments)
    except RecordError as error:
        return "%d: %s" % (error.line, error.cause)
    return ""


def header_of(text: str):
    """Read a header from text."""
    return read_header([line + "\n" for line in text.split("\n")])


def test_every_card_has_a_name_and_a_number():
    """Cards: rank then suit, jokers XB XR; the second copy has a 2 behind it."""
    names = [card_name(card) for card in range(108)]
    assert len(set(names)) == 108
    assert [card_number(name) for name in names] == list(range(108))
    assert names[0] == "2S" and names[12] == "AS" and names[13] == "2H" and names[51] == "AC"
    assert names[52:54] == ["XB", "XR"] and names[54] == "2S2" and names[106:] == ["XB2", "XR2"]
    assert card_name(STRANGER) == "QQ" and card_number("QQ") == STRANGER


def test_rank_and_suit_of_every_card():
    """Ranks 2 to A, the jokers one rank; both decks alike."""
    for card in range(108):
        name = card_name(card)
        assert "23456789TJQKAX"[RANK[card]] == name[0]
        assert "SHDCBR"[SUIT[card]] == name[1]


def test_what_is_no_card():
    """What does not parse, and a copy that no game has."""
    for name in ("", "6", "S6", "1S", "6X", "AX", "XS", "X", "XBX", "6S22", "6Sx", "QQ2", "6s", "??", "10S", "6S-"):
        assert card_number(name) == -1, name
    for name in ("6S3", "6S1", "6S0", "XB9"):
        assert card_number(name) == STRANGER, name


def test_times_in_any_spelling():
    """Any spelling of a time is read, in whole milliseconds."""
    for text, at_ms in (
        ("0", 0), ("0.0", 0), ("1", 1000), ("1.", 1000), (".5", 500), ("41.5", 41500), ("106.800", 106800),
        ("0.001", 1), ("00.25", 250), ("5.1000", 5100), ("1073741.823", (1 << 30) - 1),
    ):
        assert read_time(text) == at_ms, text
    for text in ("", ".", "x", "1,5", "-1", "+1", "1e3", "1.0001", "1.2.3", "1073741.824", "99999999", "1 2", "\u0661"):
        assert read_time(text) == -1, text


def test_times_as_they_are_written():
    """At most three decimals without trailing zeros, one at least."""
    for at_ms, text in ((0, "0.0"), (1000, "1.0"), (41500, "41.5"), (1, "0.001"), (10, "0.01"), (123456, "123.456")):
        assert write_time(at_ms) == text
        assert read_time(text) == at_ms


def test_events_are_read_and_written():
    """TIME SEAT VERB [ARGUMENTS] [! RULE ...]."""
    for line, rules in (
        ("0.0 1 draw 6S", ""), ("41.5 3 turn 9D", ""), ("45.8 2 beat 8S 6S", ""), ("47.1 3 attack KD", "D14"),
        ("50.2 2 take", ""), ("1.0 0 place 6S hand2", ""), ("1.0 0 place XB attack54", ""), ("1.0 0 abort", ""),
        ("2.0 7 catch XR2", "D2 T2"), ("3.0 0 lead 4", ""), ("4.0 1 agree", ""), ("4.0 1 beat QQ QQ", "T2"),
    ):
        event = Event()
        assert read_event(DURAK, line + (" ! " + rules if rules else ""), 1, event) == rules
        assert write_event(DURAK, event) == line
        assert write_event(DURAK, event, rules) == line + (" ! " + rules if rules else "")


def test_spaces_between_words_do_not_matter():
    """People write records by hand."""
    event = Event()
    assert read_event(DURAK, "  1.5   2  beat  7S   6S  !  D7   T2 ", 1, event) == "D7   T2"
    assert write_event(DURAK, event) == "1.5 2 beat 7S 6S"


def test_what_is_no_event():
    """What does not parse is an error with line number and cause."""
    for line, cause in (
        ("1.0 1", "an event is"), ("x 1 draw 6S", "no time"), ("1.0 8 draw 6S", "no seat"),
        ("1.0 x draw 6S", "no seat"),
        ("1.0 12 draw 6S", "no seat"), ("1.0 1 lay 6S", "no verb of durak"),
        ("1.0 1 draw", "draw takes 1 argument, not 0"),
        ("1.0 1 beat 6S", "beat takes 2 arguments, not 1"), ("1.0 1 done 6S", "takes 0 arguments, not 1"),
        ("1.0 1 draw 6X", "6X is no card"), ("1.0 1 draw 6S !", "without a rule"), ("1.0 0 place 6S hand7", "no place"),
        ("1.0 0 place 6S pile1", "no place"), ("1.0 0 lead x", "no whole number"),
        ("1.0 0 timeout", "no verb of durak"),
    ):
        said = error_of(read_event, DURAK, line, 7, Event())
        assert said.startswith("7: ") and cause in said, (line, said)


def test_time_does_not_run_backwards():
    """A time that runs backwards is no record; the same time is."""
    event = Event()
    read_event(DURAK, "5.0 1 draw 6S", 1, event)
    read_event(DURAK, "5.0 2 draw 7S", 2, event)
    assert "backwards" in error_of(read_event, DURAK, "4.999 1 draw 8S", 3, event)


def test_a_header_is_read():
    """Required keys, optional ones, and others that are free and kept."""
    header, lines = header_of(HEAD + "first: 1\nmatch_game: 3\nplaces: 2 5\ntable: club: north\n\n0.0 1 draw 6S")
    assert lines == 9
    assert header.game == ["durak", "throw-in"] and header.seats == ["Anna", "Boris"] and header.dealer == 2
    assert header.first == 1 and header.match_game == 3 and header.places == [2, 5]
    assert ("table", "club: north") in header.keys
    assert "\n".join(header.lines()) == HEAD + "first: 1\nmatch_game: 3\nplaces: 2 5\ntable: club: north\n"
    header, _ = header_of(HEAD + "match_game: 999999999\n\n")
    assert header.match_game == 999999999
    header, _ = header_of(HEAD + "\n")
    assert header.first == 0 and header.match_game == 0 and header.places == [1, 2]


def test_what_is_no_header():
    """An error with its line and cause."""
    for text, cause in (
        ("", "1: a record begins"), ("cardtable 2\n", "1: a record begins"), ("hello\n\n", "1: a record begins"),
        (HEAD[:-1], "does not end"), (HEAD.replace("dealer: 2\n", "") + "\n", "no dealer:"),
        (HEAD.replace("seats: Anna; Boris\n", "") + "\n", "no seats:"),
        (HEAD.replace("durak throw-in", "") + "\n", "no game:"),
        (HEAD.replace("game: durak throw-in\n", "") + "\n", "no game:"),
        (HEAD + "dealer: 1\n\n", "5: dealer: is said twice"),
        (HEAD + "nonsense\n\n", "5: the header takes"), (HEAD + "first: x\n\n", "5: first"),
        (HEAD + "first: 0\n\n", "5: first"),
        (HEAD + "match_game: 1000000000\n\n", "5: match_game"),
        (HEAD + "match_game: 0\n\n", "5: match_game"), (HEAD + "places: 1 1\n\n", "5: places"),
        (HEAD + "places: 8 1\n\n", "5: places"), (HEAD + "places: 1\n\n", "places"),
        (HEAD + "two words: 1\n\n", "5: the header"),
        (HEAD.replace("Anna", "") + "\n", "3: seats"),
        (HEAD + "table: " + "x" * 400 + "\n\n", "5: a line of more than"),
    ):
        said = error_of(header_of, text)
        assert cause in said, (text, said)
    assert "empty" in error_of(read_header, [])


def test_a_last_line_without_its_newline_does_not_count():
    """A header that is cut off has no end."""
    assert "does not end" in error_of(read_header, ["cardtable 1\n", "game: durak"])


def test_events_are_packed_and_unpacked():
    """What moves and meanings list: an event without seat and time in one small int of 31 bits."""
    event = unpack(pack(30, 107, 255), 7, 123, Event())
    assert (event.verb, event.card, event.target, event.seat, event.at_ms) == (30, 107, 255, 7, 123)
    assert unpack(pack(21), 1, 0, event).card == NO_CARD
    assert pack(31, 255, 255) < 1 << 30
