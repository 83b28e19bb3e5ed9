"""Keeps a process small that has many threads and allocates little in each, and after a crowd has gone."""

import ctypes
import gc

_M_ARENA_MAX = -8  # glibc, malloc.h


def share_one() -> bool:
    """Let all threads allocate from one arena: glibc gives each its own, and they keep some 5 MB of a table. To be
    called before threads start; False where the C library knows no arenas."""
    try:
        return bool(ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1))
    except (AttributeError, OSError, TypeError):  # musl, macOS; Windows
        return False


def give_back() -> bool:
    """Forget what nobody holds any more, and give what is free of the heap back to the system. False where the C
    library cannot; tens of milliseconds."""
    gc.collect()
    try:
        return bool(ctypes.CDLL(None).malloc_trim(0))
    except (AttributeError, OSError, TypeError):  # as above
        return False
