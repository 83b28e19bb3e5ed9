"""House rules under a name: finds a profile's game line on flash."""

import os

from cardtable.between.files import is_there, read_lines
from cardtable.engine.record import SetupError
from cardtable.layout import IS_FLAT
from cardtable.rooms import HOME

OWN_FILE = "profiles.txt"  # the table's own, on its flash; they come before those that come with the firmware
NAMED = 12  # so many are listed where none is right
SHIPPED_FILE = HOME + "/profiles.txt"


def read_profiles(name: str) -> list:
    """[profile, game line] of every line of a profile file; nothing if there is no such file. SetupError."""
    if name == OWN_FILE and not is_there(name):
        return []
    return read_lines(name, take_rows)


def take_rows(lines) -> list:
    """[profile, game line] of every line that is one; one without a game is none."""
    rows = []
    for line in lines:
        key, _, game = line.partition(":")
        if game.strip() and line[0] != ";":
            rows.append([key.strip(), " ".join(game.split())])
    return rows


def list_shipped() -> list:
    """The names of the profiles that come with the firmware."""
    return [row[0] for row in read_profiles(SHIPPED_FILE)]


def list_all_games() -> list:
    """The names of all games of this table."""
    if IS_FLAT:  # g_durak
        names = [name[2:] for name in os.listdir(HOME.rsplit("/", 1)[0]) if name.startswith("g_")]
    else:
        names = os.listdir(HOME + "/games")
    names = [name.split(".")[0].replace("_", "-") for name in names]
    return sorted([name for name in names if name and name[0] != "-" and name[-6:] != "-setup"])


def list_games(rows: list) -> list:
    """The games that none of these profiles plays, by name: each is offered as its own file has it."""
    played = [row[1].split(" ")[0] for row in rows]
    return [name for name in list_all_games() if name not in played]


def list_profiles() -> list:
    """The names of all profiles, the table's own first, then games without one. SetupError."""
    rows = read_profiles(OWN_FILE) + read_profiles(SHIPPED_FILE)
    return [row[0] for row in rows] + list_games(rows)


def find_profile(name: str) -> str:
    """The game line of that profile. SetupError names the profiles that there are."""
    rows = []
    first: SetupError | None = None
    for file_name in (OWN_FILE, SHIPPED_FILE):
        try:
            rows += read_profiles(file_name)
        except SetupError as wrong:
            first = first or wrong
    if first and name not in [row[0] for row in rows]:
        raise first
    return pick_profile(name, rows)


def pick_profile(name: str, rows: list) -> str:
    """The game line of the first of these profiles that has that name, or of a game without one. SetupError."""
    for row in rows:
        if row[0] == name:
            return row[1]
    if name in list_games(rows):
        return name
    names = " ".join([row[0] for row in rows[:NAMED]])
    raise SetupError("profile: %s is none of: %s%s" % (name, names, " ..." if len(rows) > NAMED else ""))
