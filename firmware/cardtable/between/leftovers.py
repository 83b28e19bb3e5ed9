"""What lies on flash when the power comes back: the game that was not over, and what was left half done (T9).

What was left half done is brought to its end: a finished game becomes one text, a game of another set-up too. It knows
no game's rules, and plays nothing.
"""

import os

from cardtable.between import prompt, archive, pieces
from cardtable.between.pieces import Damage
from cardtable.between.resume import Resumed
from cardtable.engine.record import RecordError, read_header


def find(folder: str, header, chosen=None, is_wanted: bool = True) -> tuple:
    """(Resumed or None, what was damaged or ""): the game of this set-up that is not over, if there is one.

    chosen: the header of the game that was chosen at the table last, or None: if somebody has tapped a card of it, it
    goes on, whatever the set-up says. Whatever else was being played is put away as it stands: whoever writes another
    set-up wants another game. is_wanted: that other game can be played; else nobody gives up one for it.
    """
    found = None
    damaged = ""
    names = archive.list_names(folder)
    for name in names:
        if name.endswith(archive.HALF):
            remove_half(folder + "/" + name)
    for name in names:
        path = folder + "/" + name
        try:
            if len(name) == 4:
                resumed = look_at(path)
                if resumed is not None and (
                    is_same(resumed.header, header)
                    or chosen and is_same(resumed.header, chosen) and prompt.is_unfinished(path)
                ):
                    if found is not None:
                        finish(archive.put_away(found.name))
                    found = resumed
                    found.page, pages = pieces.trim(path)
                    found.spares = pages - 1 - found.page
                elif is_wanted or resumed is None or not prompt.is_unfinished(path):
                    finish(archive.put_away(path) if resumed or is_text(path) else pieces.remove(path))
        except Damage:
            damaged = set_aside(path)
        except OSError:
            pass  # there is no room to put it away: it stays as it is until there is
    return found, damaged


def remove_half(path: str) -> None:
    """A text that never became whole is in nobody's way, so one that cannot be removed stays. A person may have put a
    folder there."""
    try:
        os.remove(path)
    except OSError:
        pass


def is_text(path: str) -> bool:
    """Whether the record of the game in that folder is one text already."""
    return archive.exists(path + archive.RECORD) or archive.exists(path + archive.PULLED)


def look_at(path: str):
    """The game in that folder, if it is one that had begun and is not one text already; else None. Damage."""
    if is_text(path):
        return None
    lines = []
    for line in pieces.read_lines(path):
        lines.append(line)
        if line == b"\n":
            break
    else:
        return None  # the power failed before its header was whole: nobody had tapped anything
    try:
        header, _ = read_header(iter([line.decode() for line in lines]))
    except (RecordError, UnicodeError) as wrong:
        raise Damage("%s: %s" % (path, wrong))  # noqa: B904 - MicroPython chains nothing
    return Resumed(path, header)


def is_same(header, other) -> bool:
    """Whether two headers are of one set-up; dealers change from game to game of a match."""
    return header.game == other.game and header.seats == other.seats and header.places == other.places


def finish(steps) -> None:
    """Do all that a generator does."""
    for _ in steps:
        pass


def set_aside(path: str) -> str:
    """Keep what cannot be read where nothing touches it; its new name, or the old one if the flash takes no more."""
    try:
        os.rename(path, path + archive.DAMAGED)
    except OSError:
        return path
    return path + archive.DAMAGED
