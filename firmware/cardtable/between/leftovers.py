"""Finds the game that was not over when the power failed, and finishes anything left half done (T9).

A finished game becomes one text; so does a game of another set-up. Nothing is played here.
"""

import os

from cardtable.between import prompt, archive, pieces
from cardtable.between.pieces import Damage
from cardtable.between.resume import Resumed
from cardtable.engine.reading import read_header
from cardtable.engine.record import RecordError


def find(folder: str, header, chosen=None, is_wanted: bool = True) -> tuple:
    """(Resumed or None, Damage or None): the game of this set-up that is not over, and the last one that was damaged.

    chosen: the header of the game that was chosen at the table last, or None. Once a card of it was tapped it goes on,
    even if the set-up has changed. Any other game is put away as it stands, because a new set-up asks for another game.
    is_wanted: that other game can be played; otherwise the game under way stays.
    """
    found = None
    damaged = None
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
                    resumed.page, pages = pieces.trim(path)
                    resumed.spares = pages - 1 - resumed.page
                    if found is not None:
                        finish(archive.put_away(found.name))
                    found = resumed
                elif is_wanted or resumed is None or not prompt.is_unfinished(path):
                    finish(archive.put_away(path) if resumed or is_text(path) else pieces.remove(path))
        except Damage as wrong:
            damaged = set_aside(path, wrong)
        except OSError:
            pass  # there is no room to put it away: it stays as it is until there is
    return found, damaged


def remove_half(path: str) -> None:
    """Remove a text that never became whole. It does no harm, so one that cannot be removed stays: a person may have
    put a folder there."""
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
        return None  # the power failed before its header was whole, so no card had been tapped
    try:
        header, _ = read_header(iter([line.decode() for line in lines]))
    except (RecordError, UnicodeError) as wrong:
        raise Damage("%s: %s" % (path, wrong))  # noqa: B904 - MicroPython chains nothing
    return Resumed(path, header)


def is_same(header, other) -> bool:
    """Whether two headers are of one set-up; dealers change from game to game of a match."""
    return header.game == other.game and header.seats == other.seats and header.places == other.places


def finish(steps) -> None:
    """Run a generator to its end."""
    for _ in steps:
        pass


def set_aside(path: str, damage: Damage) -> Damage:
    """Keep an unreadable game under a name that nothing touches, and give the damage that name. If the flash takes no
    more, it keeps the old one."""
    damage.name = path
    try:
        os.rename(path, path + archive.DAMAGED)
        damage.name = path + archive.DAMAGED
    except OSError:
        pass
    return damage
