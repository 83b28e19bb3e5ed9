"""Chooses the folder whose application starts, and another one if that application does not come up.

It stays when the application is replaced. app.txt is `FOLDER WORD`: good (it has come up before), new (it never
has), 1, 2 or 3 (so often it was tried), last (it is what there is, after another one failed). It is only ever replaced
as a whole, because a rename on littlefs happens or does not.
"""

import os
import sys

import micropython

POINTER = "app.txt"
FOLDERS = ("a", "b", "rom")
MANIFEST = "manifest.txt"  # written last: a folder that has one has everything
TRIES = 3
CRASH_FILE = "crash.txt"  # the traceback of the application that crashed last
NOTHING = "no application starts on this table: start it again, or connect it and type `make deploy`"
PROMPT = 3  # Ctrl-C
POINTER_LIMIT = 64  # bytes
GAMES = "games"
PAUSE_MS = 10000  # before a table that cannot open its prompt tries its applications again
_ABSENT = 2  # ENOENT


def is_whole(folder: str) -> bool:
    """Whether there is an application in that folder."""
    try:
        os.stat("/%s/%s" % (folder, MANIFEST))
    except OSError:
        return False
    return True


def read_pointer() -> list:
    """[folder, word]; without a pointer the first whole folder."""
    try:
        with open(POINTER) as file:
            words = file.read(POINTER_LIMIT).split()
        if len(words) == 2 and words[0] in FOLDERS:
            return words
    except (OSError, UnicodeError):
        pass
    return [find_whole(""), "last"]


def write_pointer(folder: str, word: str) -> bool:
    """Replace the pointer in one step; False if the flash does not take it."""
    try:
        with open(POINTER + ".new", "w") as file:
            file.write("%s %s\n" % (folder, word))
        os.rename(POINTER + ".new", POINTER)
    except OSError:
        return False
    return True


def find_whole(other_than: str) -> str:
    """A whole application in another folder; empty if there is none."""
    for folder in FOLDERS:
        if folder != other_than and is_whole(folder):
            return folder
    return ""


def choose() -> tuple:
    """(folder, word, the function to call once it is up or None). A new application is counted before it is tried."""
    folder, word = read_pointer()
    if word == str(TRIES) or not is_whole(folder):
        print("the application in %s did not come up" % folder)
        folder, word = give_up(folder, word)
    elif word == "new" or word.isdigit():
        word = str(int(word) + 1) if word.isdigit() else "1"
        write_pointer(folder, word)
    return folder, word, None if word == "good" else lambda: write_pointer(folder, "good")


def give_up(folder: str, word: str) -> tuple:
    """Leave that application for another one, unless it is one for which another was left already. The only one is left
    for one start, in which the prompt can open: it may have been the power that failed."""
    other = "" if word == "last" else find_whole(folder)
    if other and not write_pointer(other, "last"):
        other = ""
    if not other and word == str(TRIES):
        write_pointer(folder, "new")
    return other, "last"


def reach_applications() -> None:
    """Make every application importable: one of them answers `may_open`."""
    for folder in FOLDERS:
        if "/" + folder not in sys.path:
            sys.path.append("/" + folder)


def handle_crash(folder: str, word: str, error: Exception, is_up: bool) -> None:
    """The application has crashed: keep its traceback, and restart if there is something to start."""
    import machine

    reach_applications()
    if may_open():
        sys.print_exception(error)  # it may name a card
    else:
        print("the application in %s crashed: %s" % (folder, type(error).__name__))
    try:
        with open(CRASH_FILE, "w") as file:
            sys.print_exception(error, file)
    except OSError:
        pass
    if not is_up:
        print("the application in %s does not start" % folder)
    if is_up or give_up(folder, word)[0]:
        machine.reset()


def may_open() -> bool:
    """Whether the prompt may open (T11): an application answers that. If none can, only a table on which every game is
    one text already, as a game is that is over."""
    try:
        from cardtable.between import prompt
    except Exception:
        try:
            names = os.listdir(GAMES)
        except OSError as error:
            return error.args[0] == _ABSENT
        return not [name for name in names if len(name) == 4 and not {name + ".rec", name + ".old"} & set(names)]
    return prompt.may_open()


def end() -> None:
    """No application runs: the prompt, or another try where it must not open."""
    print(NOTHING)
    reach_applications()
    if may_open():
        micropython.kbd_intr(PROMPT)
        return
    import time

    import machine

    print("a game is under way, so there is no prompt")
    time.sleep_ms(PAUSE_MS)
    machine.reset()
