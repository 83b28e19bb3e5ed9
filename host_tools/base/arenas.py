"""Keeps a server small and its pauses short: one arena for its threads, collections that look only at what is new, and
what a crowd took is given back.
"""

import ctypes
import gc

_M_ARENA_MAX = -8  # glibc, malloc.h
_FULL_AFTER = 1  # collection of the middle generation until a full one, for 10: a request that is over leaves circles


def share_one() -> bool:
    """Let all threads allocate from one arena: glibc gives each its own, and they keep some 5 MB of a table. To be
    called before threads start; False where the C library knows no arenas."""
    try:
        return bool(ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1))
    except (AttributeError, OSError, TypeError):  # musl, macOS; Windows
        return False


def settle() -> None:
    """What is loaded by now stays to the end of the process, and no collection looks at it again: a full one held a
    table's server for 100 ms. So full ones can come more often, before the sockets that have closed fill the heap."""
    gc.collect()
    gc.freeze()
    gc.collect()  # it counts from now on that nothing is old
    first, second, _ = gc.get_threshold()
    gc.set_threshold(first, second, _FULL_AFTER)


def give_back() -> bool:
    """Forget what nobody holds any more, and give what is free of the heap back to the system. False where the C
    library cannot; tens of milliseconds."""
    gc.collect()
    try:
        return bool(ctypes.CDLL(None).malloc_trim(0))
    except (AttributeError, OSError, TypeError):  # as above
        return False
