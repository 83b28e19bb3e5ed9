"""Reads every file on the flash that a person may have written: with a limit, and an error is one sentence that
names the file. The caller brings the format along."""

import os

from micropython import const

from cardtable.engine.record import RecordError, SetupError
from cardtable.table.tags import TagError
from cardtable.table.words import ENGLISH

FILE_LIMIT = 8192  # bytes of any of them: two decks and everybody's tokens have half as many
_SIZE = const(6)  # of what os.stat tells
_ABSENT = const(2)  # ENOENT


class FileError(SetupError):
    """A file that cannot be used; `.file` is its name, `.line` the number of its wrong line, or empty."""

    def __init__(self, file: str, cause: str) -> None:
        super().__init__(file + cause)
        self.file = file
        self.line = ""
        if cause.startswith(", line "):
            self.line = cause[7:].split(":")[0]


def tell(words, wrong) -> str:
    """That error as the screen says it; only English has a sentence for each cause. words: table.words.Words."""
    if isinstance(wrong, OSError):
        return words.find("F.flash")
    file = getattr(wrong, "file", "")
    if not file or words.language == ENGLISH:
        return str(wrong)
    line = ", %s %s" % (words.find("line"), wrong.line) if wrong.line else ""
    return "%s %s%s" % (words.find("file"), file, line)


def is_there(name: str) -> bool:
    """Whether the flash has that file."""
    return name in os.listdir()


def read_lines(name: str, use):
    """Hand the lines of that file to `use`, and return its result. SetupError."""
    try:
        if os.stat(name)[_SIZE] > FILE_LIMIT:
            raise RecordError(0, "more than %d bytes" % FILE_LIMIT)
        with open(name) as lines:
            return use(lines)
    except OSError as error:
        cause = " is missing" if error.args[0] == _ABSENT else " cannot be read: error %d" % error.args[0]
    except UnicodeError:
        cause = " is no text"
    except TagError as wrong:
        cause = ", " + str(wrong)
    except RecordError as wrong:
        cause = "%s: %s" % (", line %d" % wrong.line if wrong.line else "", wrong.cause)
    raise FileError(name, cause)


def append_line(name: str, line: str) -> None:
    """Add a line to a file, whose last one may have no end if a person wrote it; durable when this returns. OSError."""
    start = ""
    try:
        size = os.stat(name)[_SIZE]
        with open(name, "rb") as file:
            file.seek(max(0, size - 1))
            start = "\n" if file.read(1) not in (b"\n", b"") else ""
    except OSError:
        pass  # there is none yet
    with open(name, "a") as out:
        out.write(start + line + "\n")


def rewrite(name: str, change) -> None:
    """Write a file anew with what `change` makes of its lines, beside it, then put it in its place; a file that is not
    there, and one that stays as it is, is left alone. OSError, SetupError."""
    if not is_there(name):
        return
    lines = read_lines(name, lambda file: [line.rstrip("\r\n") for line in file])
    changed = change(lines)
    if changed != lines:
        write_text("new.txt", "".join([line + "\n" for line in changed]))
        os.rename("new.txt", name)


def write_text(name: str, text: str) -> None:
    """That file has this text. OSError."""
    with open(name, "w") as out:
        out.write(text)
