"""Functions that run on the table's own flash, sent as text to MicroPython's prompt.

It imports nothing of the application: there may be none.
"""

import binascii
import hashlib
import os


def read_text(name):
    """The text of a file; empty if there is none, and a letter that stands in none of ours if it is no text."""
    try:
        with open(name) as file:
            return file.read()
    except OSError:
        return ""
    except UnicodeError:
        return "\ufffd"


def list_files(folder):
    """{path: size} of all files in a folder and its folders; empty if there is none."""
    found = {}
    try:
        rows = list(os.ilistdir(folder))
    except OSError:
        return found
    for row in rows:
        path = folder + "/" + row[0]
        if row[1] & 0x4000:
            found.update(list_files(path))
        else:
            found[path] = row[3]
    return found


def remove(path):
    """Remove a file or a folder with all that is in it; what is not there is no error."""
    try:
        is_folder = os.stat(path)[0] & 0x4000
    except OSError:
        return
    if is_folder:
        for name in os.listdir(path):
            remove(path + "/" + name)
        os.rmdir(path)
    else:
        os.remove(path)


def make_folder(path):
    """Make a folder and those that it lies in."""
    at = path.find("/", 1)
    while at > 0:
        try:
            os.mkdir(path[:at])
        except OSError:
            pass
        at = path.find("/", at + 1)
    try:
        os.mkdir(path)
    except OSError:
        pass


def hash_file(path):
    """SHA-256 as hex digits; empty if the file cannot be read."""
    found = hashlib.sha256()
    room = bytearray(512)
    try:
        with open(path, "rb") as file:
            while True:
                count = file.readinto(room)
                if not count:
                    break
                found.update(memoryview(room)[:count])
    except OSError:
        return ""
    return binascii.hexlify(found.digest()).decode()


def copy(source, target):
    """Copy a file within the flash."""
    room = bytearray(512)
    with open(source, "rb") as old, open(target, "wb") as new:
        while True:
            count = old.readinto(room)
            if not count:
                break
            new.write(memoryview(room)[:count])


_open = []


def begin(path):
    """Open a file to be written; it is not there, or as it was, until `end`."""
    end()
    _open.append(open(path, "wb"))


def add(text):
    """Write bytes that come as base 64."""
    _open[0].write(binascii.a2b_base64(text))


def end():
    """Close what is open."""
    while _open:
        _open.pop().close()


def read_part(path, start, size):
    """Some bytes of a file, in base 64; empty at its end."""
    with open(path, "rb") as file:
        file.seek(start)
        return binascii.b2a_base64(file.read(size)).decode().strip()


def count_free():
    """Bytes that are free."""
    rows = os.statvfs("/")
    return rows[0] * rows[3] if rows[3] <= rows[2] else 0  # of a full flash littlefs may count more than there are


def describe():
    """[MicroPython, chip, flash in bytes, free bytes of it]."""
    import sys

    rows = os.statvfs("/")
    version = "%d.%d.%d" % tuple(sys.implementation[1][:3])
    chip = getattr(sys.implementation, "_machine", sys.platform)
    return [version, chip, rows[0] * rows[2], count_free()]


def list_games():
    """[name, bytes] of what lies in games/, in the order of its numbers."""
    found = []
    for row in sorted(list_names("/games")):
        size = sum(list_files("/games/" + row).values()) if len(row) == 4 else os.stat("/games/" + row)[6]
        found.append([row, size])
    return found


def list_names(folder):
    """The names in a folder; none if it is not there."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def use_application(folder):
    """From now on its modules can be imported."""
    import sys

    if "/" + folder not in sys.path:
        sys.path.insert(0, "/" + folder)


def name_errors(name):
    """The kinds of error that a traceback names, or that the table hung; empty if there is no such file. The rest may
    hold secrets of a game, and stays on the table."""
    kinds = []
    try:
        with open(name, "rb") as file:
            for line in file:
                kind = line.split(b":")[0].strip()
                if kind.endswith(b"Error") and kind.isalpha():
                    kinds.append(kind.decode())
    except OSError:
        return ""
    return " ".join(kinds) or "the table hung"


def versions():
    """[firmware, rulebook, record] of the application in use."""
    from cardtable.version import FIRMWARE, RECORD, RULEBOOK

    return [FIRMWARE, RULEBOOK, RECORD]


def mark_pulled(path):
    """Somebody has a copy of this record."""
    from cardtable.between import archive

    archive.mark_pulled(path)
