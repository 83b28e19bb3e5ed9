"""Owns the ways in and out of the host's tools: what a caller names as a path; files and lines from elsewhere, read
with a limit; text that may be foreign, printed escaped. tests/tidy/foreign.py holds every other file to that.
"""

from __future__ import annotations

import json
import math
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from host_tools.base.errors import UnusableInput, shorten as shorten
from host_tools.base.ready import is_pipe as is_pipe, wait_ready

if TYPE_CHECKING:
    from host_tools.base.named import Number as Number, PathName as PathName

LIMIT = 16 * 1024 * 1024  # bytes of a file; the longest game has a hundredth of it
_BLOCK = 1 << 20  # bytes that are read at once
LINE_LIMIT = 10_000  # characters of a line that somebody types or a table prints
DEEPEST = 50  # lists and objects inside each other in JSON from elsewhere
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")  # of LOG_LEVEL
PATIENCE_S = 10.0  # for all that comes through a pipe or a terminal


def __getattr__(name: str) -> Any:
    """PathName and Number, once a command asks for them. AttributeError."""
    if name not in ("Number", "PathName"):
        raise AttributeError(f"module {__name__} has no {name}")
    from host_tools.base import named  # here, not above: click comes with it

    return getattr(named, name)


class Unreadable(UnusableInput):
    """A file that cannot be read: `cause` is what follows its path in the sentence."""

    def __init__(self, path: Path | str, cause: str) -> None:
        super().__init__(f"{path}: {cause}")
        self.cause = cause


def read_bytes(path: Path | str, limit: int = LIMIT) -> bytes:
    """The bytes of a file. Unreadable, also for one with more than `limit` bytes, of which no more are read, and for a
    pipe that does not end within PATIENCE_S (Windows waits for it)."""
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            content = _read_blocks(file, limit + 1) if _has_end(file) else _read_in_time(file, limit + 1)
    except TimeoutError as wrong:
        raise Unreadable(path, f"does not end within {PATIENCE_S:g} s") from wrong
    except OSError as wrong:
        raise Unreadable(path, wrong.strerror or str(wrong)) from wrong
    except ValueError as wrong:  # a NUL in the name
        raise Unreadable(path, str(wrong)) from wrong
    if len(content) > limit:
        raise Unreadable(path, f"more than {limit} bytes, no record is as long")
    return content


def _open_at_once(path: str, flags: int) -> int:
    """A file descriptor; of a pipe even if it has no writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # Windows has none


def _has_end(file: BinaryIO) -> bool:
    return stat.S_ISREG(os.fstat(file.fileno()).st_mode)


def _read_blocks(file: BinaryIO, count: int) -> bytes:
    """At most so many bytes of a file; room is taken for those that there are."""
    parts = []
    while count and (part := file.read(min(count, _BLOCK))):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _read_in_time(file: BinaryIO, count: int) -> bytes:
    """At most so many bytes of a pipe, a terminal or another device. TimeoutError after PATIENCE_S."""
    late_s = time.monotonic() + PATIENCE_S
    content = bytearray()
    while len(content) < count:
        if not wait_ready([file.fileno()], [], max(0.0, late_s - time.monotonic()))[0]:
            raise TimeoutError
        part = os.read(file.fileno(), min(count - len(content), _BLOCK))
        if not part:
            break
        content += part
    return bytes(content)


def read_text(path: Path | str, limit: int = LIMIT) -> str:
    """The text of a UTF-8 file, every end of a line as `\\n`. Unreadable."""
    try:
        text = read_bytes(path, limit).decode()
    except UnicodeDecodeError as wrong:
        raise Unreadable(path, f"{wrong.reason}, so it is no text") from wrong
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: Path | str, limit: int = LIMIT) -> list[str]:
    """The lines of a UTF-8 file, each with its `\\n`, which only the last may lack. Unreadable."""
    *lines, rest = read_text(path, limit).split("\n")
    return [line + "\n" for line in lines] + ([rest] if rest else [])


class Misshapen(ValueError):
    """JSON that has not the shape that was asked for. The text says where, and what should stand there."""


def parse_json(text: str | bytes, shape: Any = object) -> Any:
    """What foreign JSON says, if it has that shape. Misshapen, whatever the text.

    A shape is a type (`str`, `int`, `bool`, `float` for any finite number, `dict`, `list`, `object` for anything);
    `[shape]` for a list of such; `{"key": shape, "other?": shape}` for an object with at least these keys, those with ?
    may be missing; `{str: shape}` for an object whose keys nobody knows; a tuple of shapes for any of them; None for
    null.
    No text of it holds a lone surrogate, which cannot be written again.
    """
    try:
        said = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as wrong:
        raise Misshapen("that is no JSON") from wrong
    _check_text(said, 0)
    check_shape(said, shape)
    return said


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _check_text(said: Any, depth: int) -> None:
    """Misshapen for what is too deep, or cannot be written as UTF-8."""
    if depth > DEEPEST:
        raise Misshapen(f"more than {DEEPEST} lists and objects lie inside each other")
    if isinstance(said, str):
        if not said.isascii() and any("\ud800" <= letter <= "\udfff" for letter in said):
            raise Misshapen("a text holds half a character")
    elif isinstance(said, dict):
        for key, value in said.items():
            _check_text(key, depth)
            _check_text(value, depth + 1)
    elif isinstance(said, list):
        for value in said:
            _check_text(value, depth + 1)


_NAMES = {str: "a text", int: "a whole number", bool: "true or false", float: "a number", dict: "an object",
          list: "a list", None: "null"}


def check_shape(said: Any, shape: Any, where: str = "it") -> None:
    """Misshapen where JSON that was read has not that shape."""
    if isinstance(shape, tuple):
        for one in shape:
            try:
                return check_shape(said, one, where)
            except Misshapen:
                continue
        raise Misshapen(f"{where} is none of what it may be")
    if isinstance(shape, list):
        check_shape(said, list, where)
        for number, value in enumerate(said):
            check_shape(value, shape[0], f"{where}[{number}]")
    elif isinstance(shape, dict):
        check_shape(said, dict, where)
        _check_keys(said, shape, where)
    elif shape is not object and not _is_a(said, shape):
        raise Misshapen(f"{where} is not {_NAMES[shape]}")
    return None


def _check_keys(said: dict[str, Any], shape: dict[Any, Any], where: str) -> None:
    for key, inner in shape.items():
        if key is str:
            for name, value in said.items():
                check_shape(value, inner, f"{where}.{shorten(name)}")
        elif key.rstrip("?") in said:
            check_shape(said[key.rstrip("?")], inner, f"{where}.{key.rstrip('?')}")
        elif not key.endswith("?"):
            raise Misshapen(f"{where} has no {key}")


def _is_a(said: Any, kind: Any) -> bool:
    if kind is None:
        return said is None
    if isinstance(said, bool):
        return kind is bool
    if kind is float:
        return isinstance(said, int) and abs(said) < 1 << 53 or isinstance(said, float) and math.isfinite(said)
    return isinstance(said, kind)


def read_json(path: Path | str, shape: Any = object, limit: int = LIMIT) -> Any:
    """The JSON of a file that this program keeps, or somebody hands it, by its shape (parse_json). Unreadable."""
    try:
        return parse_json(read_text(path, limit), shape)
    except Misshapen as wrong:
        raise Unreadable(path, str(wrong)) from wrong


def typed_lines(stream: TextIO) -> Iterator[str]:
    """The lines of standard input as they come. UnusableInput for one that does not end, or is no text."""
    while True:
        try:
            line = stream.readline(LINE_LIMIT + 1)
        except UnicodeDecodeError as wrong:
            raise UnusableInput("standard input: bytes that are no UTF-8 text") from wrong
        if len(line) > LINE_LIMIT:
            raise UnusableInput(f"standard input: a line of more than {LINE_LIMIT} characters")
        if not line:
            return
        yield line


def read_number(text: str) -> int:
    """A whole number from elsewhere, of at most nine digits: int() takes a sign, `_` and digits of every script, and
    numbers that no register, port or float holds. ValueError."""
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise ValueError(f"{shorten(text)} is no number of at most nine digits")
    return int(text)


def printable(text: str) -> str:
    """The text as a terminal may get it: what is not visible is escaped, so that no record can steer it."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def say(text: str, *, err: bool = False, **style: Any) -> None:
    """Print one line, on standard error if `err`; a line's end inside of it is escaped. `style` as for click.secho."""
    import click  # here, not above: a page's table has nothing to print, and would wait a tenth of a second for it

    click.secho(printable(text), err=err, **style)


def log(level: str, text: str) -> None:
    """One line about a server on standard error. With LOG_LEVEL in the environment, as a service has it, it begins with
    time and level, and lines below that level are left out."""
    wanted = os.environ.get("LOG_LEVEL", "").upper()
    if not wanted:
        say(text, err=True)
    elif LEVELS.index(level) >= (LEVELS.index(wanted) if wanted in LEVELS else 1):
        say(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {level} {text}", err=True)


def note(text: str) -> None:
    """One line of a service's news: on standard output for people; where LOG_LEVEL is set, a line of the log."""
    if os.environ.get("LOG_LEVEL"):
        log("INFO", text)
    else:
        say(text)


def say_lines(text: str, *, err: bool = False) -> None:
    """Print a text of our own of several lines, in which only the lines may be foreign."""
    for line in text.split("\n"):
        say(line, err=err)
