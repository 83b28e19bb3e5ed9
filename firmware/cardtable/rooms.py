"""Loads modules by name, and forgets them: what a game does not need while it goes on takes no heap meanwhile.

A device has no room for all of its modules at once. CPython has enough, and its tests keep theirs.
"""

import gc
import sys

from cardtable.layout import IS_FLAT

HOME = __file__.rsplit("/", 1)[0]  # the folder of words and profiles
if IS_FLAT:
    HOME += "/cardtable"


def load(room: str, name: str):
    """That module of that room, loaded now."""
    return getattr(getattr(__import__("cardtable.%s.%s" % (room, name)), room), name)


def tidy() -> None:
    """Collect the garbage now, when nobody waits, so that it need not be done when somebody does. CPython has room."""
    if sys.implementation.name == "micropython":
        gc.collect()


def forget(*names: str, kept: "tuple | None" = None) -> None:
    """Give back the heap that rooms (`between`), modules (`engine.setup`) or the board's file (`board`) take. What of
    them still runs stays until it is done.

    kept: the only modules of which anything runs or is used after this, by their last names; None: any may be. All
    others are emptied: an old address on the stack, which the collector takes for one in use, would keep a module with
    all that it names, 9 KB now and then. Then it keeps an empty one."""
    if sys.implementation.name != "micropython":
        return
    for name in names:
        whole = name if IS_FLAT or name in sys.modules else "cardtable." + name
        for full in list(sys.modules):
            if IS_FLAT:
                is_meant, last = full.startswith(whole), full[2:]
            else:
                is_meant = full == whole or full.startswith(whole + ".")
                package, _, last = full.rpartition(".")
            if is_meant:
                module = sys.modules.pop(full)
                if not IS_FLAT and package in sys.modules:
                    delattr(sys.modules[package], last)
                if kept is not None and last not in kept:
                    module.__dict__.clear()
    gc.collect()
