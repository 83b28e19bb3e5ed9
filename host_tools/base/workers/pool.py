"""Spreads tasks over processes of this machine: results come in the order of the tasks, and few tasks wait."""

import itertools
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from host_tools.base.errors import UnusableInput
from host_tools.base.workers.shared import AHEAD, begin, in_order

NICE = 10  # how far such processes stand behind
FEW = 8  # tasks that are done sooner than a process starts


def count_cores() -> int:
    """How many processes can work at once here."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(work: Callable[[Any], Any], tasks: Iterable[Any], jobs: int = 0, cluster: str = "") -> Iterator[Any]:
    """work(task) of each task, in the order of the tasks, which are only taken as they are needed. `work` is a function
    of a module, tasks and results can be pickled. jobs: how many processes, 0 for one on each core; a few tasks, or one
    job, need none. cluster: the address of a Dask scheduler, which then does the work. Raises what `work` raises,
    and UnusableInput where a process ends or the cluster cannot be had."""
    if cluster:
        from host_tools.base.workers.cluster import spread_over

        return spread_over(work, tasks, cluster)
    jobs = jobs or count_cores()
    tasks = iter(tasks)
    first = list(itertools.islice(tasks, FEW)) if jobs > 1 else []
    if len(first) < FEW:
        return map(work, itertools.chain(first, tasks))
    return _spread(work, itertools.chain(first, tasks), jobs)


def _spread(work: Callable[[Any], Any], tasks: Iterable[Any], jobs: int) -> Iterator[Any]:
    # Processes of their own, not copies: this one may have threads, of which a copy would keep the locks.
    pool = Processes(jobs, multiprocessing.get_context("spawn"), begin_here)
    try:
        yield from in_order((pool.submit(work, task) for task in tasks), jobs * AHEAD)
    except BrokenProcessPool as broken:
        raise UnusableInput("a process that did a part of the work has ended: memory, or a signal") from broken
    except BaseException:  # Ctrl-C, for one: what is worked on now can take minutes, and is for nobody
        pool.end()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class Processes(ProcessPoolExecutor):
    """Processes that can be ended in the middle of their work."""

    def end(self) -> None:
        """End them, also those that only start."""
        processes = list((self._processes or {}).values())  # there from the first task on
        self.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()


def begin_here() -> None:
    """The same in a process of this machine, where Ctrl-C is the caller's, and which ends when the caller does, however
    that was."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    caller = multiprocessing.parent_process()
    if caller is not None:
        threading.Thread(target=end_with, args=(caller,), daemon=True).start()
    begin()


def end_with(caller: Any) -> None:
    """Wait for the end of that process, and end this one."""
    caller.join()
    os._exit(1)


def begin_behind() -> None:
    """The same, for work that gives way to those who have to answer."""
    begin_here()
    if hasattr(os, "nice"):
        os.nice(NICE)
