"""Loads modules by name, and forgets them: what a game does not need while it goes on takes no heap meanwhile.

A device has no room for all of its modules at once. CPython has enough, and its tests keep theirs.
"""

import gc
import sys


def load(room: str, name: str):
    """That module of that room, loaded now."""
    return getattr(getattr(__import__("cardtable.%s.%s" % (room, name)), room), name)


def forget(*names: str) -> None:
    """Give back the heap that rooms (`between`), modules (`engine.setup`) or the board's file (`board`) take. What of
    them still runs stays until it is done."""
    if sys.implementation.name != "micropython":
        return
    for name in names:
        whole = name if name in sys.modules else "cardtable." + name
        for full in list(sys.modules):
            if full == whole or full.startswith(whole + "."):
                package, _, last = full.rpartition(".")
                del sys.modules[full]
                if package in sys.modules:
                    delattr(sys.modules[package], last)
    gc.collect()
