"""Spreads tasks over a Dask cluster, which is an extra: pip install 'cardtable[cluster]'. Its workers need this package
too, the same version of it; tasks bring all else that they need, so no folder has to be shared."""

import functools
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from host_tools.base.errors import UnusableInput
from host_tools.base.extras import need
from host_tools.base.fast.sources import make_stamp
from host_tools.base.workers.shared import AHEAD, begin, find_work, in_order

CONNECT_S = 20
# As Dask writes it. Anything else is refused here: a client that has begun gives up late, and leaves threads.
_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?(?:[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\]):\d{1,5}", re.ASCII)

# The engine has rows of its own for work in progress, and a worker may have several threads.
_ONE_AT_A_TIME = threading.Lock()


def spread_over(work: Callable[[Any], Any], tasks: Iterable[Any], address: str) -> Iterator[Any]:
    """As pool.spread, by the workers of the scheduler at that address. UnusableInput if it cannot be had."""
    if not _ADDRESS.fullmatch(address):
        raise UnusableInput(f"{address[:80]!r} is no address of a Dask scheduler, such as tcp://127.0.0.1:8786")
    need("distributed", "--cluster")
    from distributed import Client, KilledWorker
    from distributed.client import FutureCancelledError

    try:
        client = Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as wrong:
        raise UnusableInput(f"no Dask scheduler answers at {address}: {type(wrong).__name__}") from wrong
    name = f"{work.__module__}:{work.__qualname__}"
    try:
        cores = sum(client.ncores().values())
        if not cores:
            raise UnusableInput(f"the cluster at {address} has no workers")
        futures = (client.submit(do, name, make_stamp(), task, pure=False) for task in tasks)
        yield from in_order(futures, cores * AHEAD)
    except (KilledWorker, FutureCancelledError, OSError) as wrong:
        raise UnusableInput(f"the cluster at {address} has failed: {type(wrong).__name__}") from wrong
    except ModuleNotFoundError as missing:
        raise UnusableInput(f"the workers at {address} lack a package: {missing.name}") from missing
    finally:
        client.close()


def do(name: str, stamp: str, task: Any) -> Any:
    """On a worker: the function of that name with the task. UnusableInput if the worker has another engine."""
    begin()
    if stamp != own_stamp():
        raise UnusableInput("a worker of the cluster has another version of the engine, or of Python")
    with _ONE_AT_A_TIME:
        return find_work(name)(task)


@functools.cache
def own_stamp() -> str:
    """The engine of this process."""
    return make_stamp()
