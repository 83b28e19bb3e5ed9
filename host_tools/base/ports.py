"""Free ports on loopback, for a server that has to be told one. They lie below those that a system hands out by itself,
and each process mostly begins at another one and gives none twice before all were given: so hardly anybody takes one
meanwhile.
"""

import contextlib
import itertools
import os
import socket

FIRST, END = 20000, 32000
MOST = 10  # in a row

_starts = itertools.cycle(range(FIRST, END, MOST))
for _ in range(os.getpid() * 61 % ((END - FIRST) // MOST)):
    next(_starts)


def free_ports(count: int) -> int:
    """The first of so many ports in a row that nobody uses, at most MOST. OSError if there are none."""
    for _ in range(FIRST, END, MOST):
        first = next(_starts)
        with contextlib.ExitStack() as held, contextlib.suppress(OSError):
            for port in range(first, first + count):
                held.enter_context(socket.socket()).bind(("127.0.0.1", port))
            return first
    raise OSError("no ports are free")


def free_port() -> int:
    """One that nobody uses."""
    return free_ports(1)
