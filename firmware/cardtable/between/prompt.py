"""Decides whether MicroPython's prompt may open (T11); no other file gives Ctrl-C back, or lets a program end at it.

It owns one question, and asks the flash: can anything there be the record of a game that is not over? What it cannot
read may be one, and so may everything when an error stops it. It imports next to nothing, so that the starter can ask
when nothing else of the application works.
"""

import os

FOLDER = "games"
TEXTS = (".rec", ".old")  # a game beside such a text is over, or was given up; between.archive makes it
_DIGITS = "0123456789"
_ABSENT = 2  # ENOENT


def may_open() -> bool:
    """Whether the flash holds no secret of a game. Never raises."""
    try:
        return not has_unfinished()
    except Exception:  # any error: nothing has said that no game is under way
        return False


def has_unfinished(folder: str = FOLDER) -> bool:
    """Whether a game lies there that has begun and is not over. OSError: it cannot be told."""
    try:
        names = os.listdir(folder)
    except OSError as error:
        if error.args[0] == _ABSENT:
            return False  # no game has ever begun here
        raise
    for name in names:
        if len(name) == 4 and not name.strip(_DIGITS) and not [end for end in TEXTS if name + end in names]:
            if is_unfinished(folder + "/" + name):
                return True
    return False


def is_unfinished(name: str) -> bool:
    """Whether the record in the folder `name` has an event and no result; one that cannot be read may well."""
    try:
        return ask_pieces(name)
    except (OSError, ValueError):
        return True


def ask_pieces(name: str) -> bool:
    """As `is_unfinished`. Only what stands behind the empty line counts: a header may contain anything."""
    is_header = True
    has_begun = False
    line = b""
    for page in range(count_parts(name)):
        for piece in range(count_parts("%s/%d" % (name, page))):
            with open("%s/%d/%d" % (name, page, piece), "rb") as file:
                line += file.read()
            end = line.find(b"\n") + 1
            while end:
                if is_header:
                    is_header = end > 1
                elif line.startswith(b"result:"):
                    return False
                elif line[0] not in b";~\n":
                    has_begun = True  # an event, or what was one
                line = line[end:]
                end = line.find(b"\n") + 1
    return has_begun or bool(line) and not is_header  # half an event names a card, too


def count_parts(folder: str) -> int:
    """How many files or folders 0, 1, 2 and so on lie there. ValueError if one is missing between; OSError."""
    names = os.listdir(folder)
    for number in range(len(names)):
        if str(number) not in names:
            raise ValueError(folder)
    return len(names)
