"""Reads the record of a game that lies in pieces, as record.journal writes it, and never holds a whole one.

A record that was cut off by a power failure is all that was durable: a last line without its end does not count.
"""

import os


class Damage(ValueError):
    """Something on flash cannot be the record of a game: one sentence, and the name under which it was put aside."""

    name = ""


def list_numbers(folder: str) -> int:
    """How many files or folders 0, 1, 2 and so on lie there. Damage if one is missing between."""
    names = os.listdir(folder)
    for number in range(len(names)):
        if str(number) not in names:
            raise Damage("%s/%d is missing" % (folder, number))
    return len(names)


def read_pieces(name: str, first: int = 0):
    """Each piece of the game in the folder `name`, from page `first` on: (page, piece, its bytes). Damage."""
    try:
        for page in range(first, list_numbers(name)):
            folder = "%s/%d" % (name, page)
            for piece in range(list_numbers(folder)):
                with open("%s/%d" % (folder, piece), "rb") as file:
                    yield page, piece, file.read()
    except OSError as error:
        raise Damage("%s cannot be read: error %d" % (name, error.args[0]))  # noqa: B904 - MicroPython chains nothing


def read_lines(name: str):
    """Each whole line of that game as bytes, its end included. Damage."""
    line = b""
    for _, _, data in read_pieces(name):
        line += data
        end = line.find(b"\n") + 1
        while end:
            yield line[:end]
            line = line[end:]
            end = line.find(b"\n") + 1


def trim(name: str) -> tuple:
    """Take away a last line without its end; (last page that was written or -1, number of pages). Damage; OSError."""
    pages = list_numbers(name)
    last = -1
    for page in range(pages - 1, -1, -1):
        last = max(last, page if os.listdir("%s/%d" % (name, page)) else -1)
        if last >= 0 and trim_page(name, page, last):
            break
    return last, pages


def trim_page(name: str, first: int, last: int) -> bool:
    """Take away what lies behind the last end of a line in the pages first..last; False if no line ends there."""
    rest: list = []
    has_end = False
    for page, piece, data in read_pieces(name, first):
        end = data.rfind(b"\n") + 1
        if end:
            has_end = True
            rest.clear()
        if end < len(data) or not data:
            rest.append((page, piece, data[:end]))
    # From the end, so that at any moment what is left over is the end of the record.
    while rest:
        page, piece, data = rest.pop()
        file_name = "%s/%d/%d" % (name, page, piece)
        if data:
            with open(file_name, "wb") as file:
                file.write(data)
        else:
            os.remove(file_name)
    return has_end


def from_the_end(folder: str) -> list:
    """What lies there, the highest number first: what a power cut then leaves is the beginning of a record."""
    return sorted(os.listdir(folder), key=lambda name: (len(name), name), reverse=True)


def remove(name: str):
    """Remove a game's pieces and folders, as far as they are there; a generator, because it takes its time. OSError."""
    for page in from_the_end(name):
        folder = "%s/%s" % (name, page)
        for piece in from_the_end(folder):
            os.remove("%s/%s" % (folder, piece))
        os.rmdir(folder)
        yield
    os.rmdir(name)
