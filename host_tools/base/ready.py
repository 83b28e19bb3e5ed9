"""Waits until pipes, terminals and devices can be read or written, however high their numbers are: `select.select`
takes none above 1023, and a server with a thousand visitors has such.
"""

import math
import os
import select
import stat
from collections.abc import Collection
from pathlib import Path

from host_tools.base.extras import need


def wait_ready(reads: Collection[int], writes: Collection[int], longest_s: float) -> tuple[list[int], list[int]]:
    """Wait until something can be done at once, and say what: which of these descriptors can be read, or have no other
    end any more, and which can be written. Both empty after `longest_s`.

    Windows waits for sockets alone: there all count as ready, and who reads waits for as long as it takes."""
    if not hasattr(select, "poll"):
        return list(reads), list(writes)
    wanted = dict.fromkeys(reads, select.POLLIN)
    for end in writes:
        wanted[end] = wanted.get(end, 0) | select.POLLOUT
    poll = select.poll()
    for end, what in wanted.items():
        poll.register(end, what)
    came = poll.poll(math.ceil(1000 * longest_s))
    return ([end for end, what in came if what & ~select.POLLOUT and end in reads],
            [end for end, what in came if what & ~select.POLLIN and end in writes])


def need_pipes(what: str) -> None:
    """UnusableInput on Windows, for what has a process of its own to talk to; what: as a sentence begins."""
    need("fcntl", what)


def is_pipe(path: Path | str) -> bool:
    """Whether a pipe lies there; False where nothing can be found out."""
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False
