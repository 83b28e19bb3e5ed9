"""How the replay reads lines, under CPython and MicroPython alike; what it makes of them is in test_replay.py."""

import io
import sys

import cardtable.engine.deck
from cardtable.engine.record import RecordError
from host_tools.judge.replay.core import BYTES_LIMIT, Lines, decode
from host_tools.judge.replay.device import forget

RUNS_ON = "both"  # the core is what runs inside both interpreters


def line_of_error(read, *arguments):
    """The line that the RecordError names; 0 if none comes."""
    try:
        read(*arguments)
        return 0
    except RecordError as error:
        return error.line


def test_record_utf8_is_read_as_strictly_by_both_interpreters():
    assert decode("seats: Анна; Łucja ♠".encode(), 1) == "seats: Анна; Łucja ♠"
    for raw in (
        b"\xff",  # no first byte at all
        b"\xc3",  # cut off
        b"\xc0\xaf",  # overlong
        b"\xe0\x80\xaf",
        b"\xed\xa0\x80",  # a surrogate
        b"\xf4\x90\x80\x80",  # above U+10FFFF
        b"\x80",
    ):
        assert line_of_error(decode, b"Anna" + raw, 3) == 3, raw


def test_record_a_last_line_without_its_newline_does_not_count():
    lines = Lines(io.BytesIO(b"one\r\ntwo\nthr"))
    assert [lines.read_text(), lines.read_text(), lines.read_text()] == ["one", "two", None]
    assert lines.ends_within_a_line
    lines = Lines(io.BytesIO(b"one\n"))
    assert [lines.read_text(), lines.read_text()] == ["one", None]
    assert not lines.ends_within_a_line


def test_record_a_line_that_is_too_long_is_none_but_a_comment_may_be_longer():
    long = b"x" * (3 * BYTES_LIMIT)
    lines = Lines(io.BytesIO(b";" + long + b"\n" + b"~" + long + b"\n" + long + b"\n"))
    assert lines.read_text() == ";"
    assert lines.read_text() == "~"
    assert line_of_error(lines.read_text) == 3


def test_record_a_line_just_as_long_as_what_is_read_at_once():
    for length in (BYTES_LIMIT - 2, BYTES_LIMIT - 1):
        lines = Lines(io.BytesIO(b"x" * length + b"\nnext\n"))
        assert [len(lines.read_text()), lines.read_text()] == [length, "next"]
    lines = Lines(io.BytesIO(b"x" * BYTES_LIMIT + b"\nnext\n"))
    assert line_of_error(lines.read_text) == 1
    assert lines.read_text() == "next"


def test_a_game_that_is_forgotten_leaves_its_room_on_the_heap():
    """A game's module is held by two names, and by nothing else once both are gone. Any module will do."""
    deck = cardtable.engine.deck
    forget(deck)
    assert "cardtable.engine.deck" not in sys.modules
    assert not hasattr(cardtable.engine, "deck")
    sys.modules["cardtable.engine.deck"] = cardtable.engine.deck = deck
