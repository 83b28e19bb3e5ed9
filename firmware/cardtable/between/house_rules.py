"""The house rules of this table: kept on flash under names, renamed, deleted, put on tags, the standard first.

They are the lines of the table's own profiles.txt, so a set-up tag or a file can name them. A person may have written
that file: its comments stay where they are.
"""

from cardtable.between.files import append_line, rewrite
from cardtable.between.profiles import OWN_FILE, read_profiles
from cardtable.between.setup_files import TAGS_FILE

NUMBERED = 9  # so many names are ready made
NAME_LENGTH = 12


def list_house_rules() -> list:
    """[name, game line] in order, the standard first. SetupError."""
    return read_profiles(OWN_FILE)


def name_of(line: str) -> str:
    """The name that a line of the file begins with; empty for a comment."""
    name, colon, _ = line.partition(":")
    return name.strip() if colon and line[0] != ";" else ""


def free_name(start: str) -> str:
    """`House 3`: the first that no rules have yet; empty if all are taken."""
    taken = [row[0] for row in list_house_rules()]
    for number in range(1, NUMBERED + 1):
        name = "%s %d" % (start, number)
        if name not in taken:
            return name
    return ""


def keep(name: str, game: str) -> None:
    """These rules have that name from now on, whatever had it before. OSError."""
    if name in [row[0] for row in list_house_rules()]:
        rewrite(OWN_FILE, lambda lines: [name + ": " + game if name_of(line) == name else line for line in lines])
    else:
        append_line(OWN_FILE, name + ": " + game)


def rename(old: str, new: str) -> None:
    """The same rules under another name, on their tags too; rules that had the new name go. OSError."""
    if old != new:
        delete(new)
        rewrite(OWN_FILE, lambda lines: [new + line[line.find(":") :] if name_of(line) == old else line
                                         for line in lines])
        rewrite(TAGS_FILE, lambda lines: [move_tag(line, old, new) for line in lines])


def delete(name: str) -> None:
    """Forget these rules, and their tags. OSError."""
    rewrite(OWN_FILE, lambda lines: [line for line in lines if name_of(line) != name])
    rewrite(TAGS_FILE, lambda lines: [line for line in lines if move_tag(line, name, "") == line])


def make_standard(name: str) -> None:
    """Put them first: `as always` means them. OSError."""
    rewrite(OWN_FILE, lambda lines: [line for line in lines if name_of(line) == name]
            + [line for line in lines if name_of(line) != name])


def move_tag(line: str, old: str, new: str) -> str:
    """A line of the tags' file, with the other name if it is a set-up tag of these rules."""
    words = line.split(";")[0].split()
    return "%s setup %s" % (words[0], new) if words[1:] == ["setup"] + old.split() else line
