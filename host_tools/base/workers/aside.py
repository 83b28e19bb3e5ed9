"""Does what is dear for a server, in one process of its own that yields to everything else: one piece of work at a
time, a short queue, the same question once. Once the engine is compiled another process takes over, between two
pieces of work.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from host_tools.base.errors import UnusableInput
from host_tools.base.fast.sources import is_built_since
from host_tools.base.workers import progress
from host_tools.base.workers.pool import Processes, begin_here

QUEUE = 10  # questions that wait or are worked on; one more is refused
EACH_S = 10  # seconds that somebody who was refused shall wait, for each question before
WORK_S = 600  # seconds of processor time for one piece of work
AGAIN_S = 1.0  # later it is told again, if it has not heard: an exception in a destructor is lost
MEMORY = 1 << 30  # bytes of the process; it starts with a tenth
KEPT = 32 * 1024 * 1024  # characters of answers that are kept, the oldest forgotten
IDLE_S = 60.0  # then the process ends, until it is needed again
NICE = 10


class Busy(Exception):
    """The queue is full. `retry_s`: when to ask again."""

    def __init__(self, retry_s: int) -> None:
        super().__init__("too much is being worked out just now: ask again in a moment")
        self.retry_s = retry_s


class TooLong(BaseException):
    """One piece of work took more than WORK_S. No `except Exception` of the work takes it, as a replay's did."""


class Aside:
    """`await ask(key, work, *facts)`; `close()` at the end. Belongs to one loop."""

    def __init__(self, make_pool: Callable[[], Executor] | None = None) -> None:
        """make_pool: for tests."""
        self._make_pool = make_pool or (lambda: make_process())  # looked up when it is needed
        self._pool: Executor | None = None
        self._is_of_build = False  # the process was started after the build that this one lacks
        self._asked: dict[str, asyncio.Task[str]] = {}
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._idle: asyncio.TimerHandle | None = None
        self.done = 0  # pieces of work

    @property
    def waiting(self) -> int:
        """How many questions wait or are worked on."""
        return len(self._asked)

    async def ask(self, key: str, work: Callable[..., str], *facts: Any) -> str:
        """work(*facts), a function of a module, whose answer is a text that depends on `key` alone. Whoever asks may
        leave: the work goes on, for the next one. Busy; UnusableInput as `work` raises it, or if it came to no end."""
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        task = self._asked.get(key)
        if task is None:
            if len(self._asked) >= QUEUE:
                raise Busy(EACH_S * len(self._asked))
            task = self._asked[key] = asyncio.create_task(self._do(key, work, facts))
            task.add_done_callback(lambda task: self._forget(key, task))
        return await asyncio.shield(task)

    def progress(self, key: str) -> dict[str, int]:
        """How far a question is that was asked: `before`, how many are worked on first; `done` of `of` steps, 0 and 0
        before the work has said. Empty for any other question, and for one that is answered."""
        if key not in self._asked:
            return {}
        before = list(self._asked).index(key)
        done, of = (0, 0) if before else getattr(self._pool, "far", progress.HERE)
        return {"before": before, "done": done, "of": of}

    def _forget(self, key: str, task: asyncio.Task[str]) -> None:
        del self._asked[key]
        if not task.cancelled():
            task.exception()  # nobody may have waited for it

    async def _do(self, key: str, work: Callable[..., str], facts: tuple[Any, ...]) -> str:
        loop = asyncio.get_running_loop()
        if self._idle is not None:
            self._idle.cancel()
        if self._pool is not None and len(self._asked) == 1 and not self._is_of_build and is_built_since():
            self.close()  # it has nothing to do, and runs the source
        try:
            pool = self._find_pool()
            begun = loop.run_in_executor(pool, do, work, facts)
        except BrokenProcessPool:  # it has ended while it had nothing to do: that is not this question's fault
            self._pool = None
            pool = self._find_pool()
            begun = loop.run_in_executor(pool, do, work, facts)
        try:
            answer, trouble = await begun
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
            answer, trouble = "", "the process that worked this out has ended: memory, or a signal"
        self.done += 1
        if len(self._asked) <= 1 and self._pool is not None:
            self._idle = loop.call_later(IDLE_S, self.close)
        if trouble:
            raise UnusableInput(trouble)
        self._kept[key] = answer
        while len(self._kept) > 1 and sum(map(len, self._kept.values())) > KEPT:
            self._kept.popitem(last=False)
        return answer

    def _find_pool(self) -> Executor:
        """The process; another one where there is none."""
        if self._pool is None:
            self._is_of_build = is_built_since()
            self._pool = self._make_pool()
        return self._pool

    def close(self) -> None:
        """End the process, also in the middle of its work; the next question starts another one."""
        if self._idle is not None:
            self._idle.cancel()
        pool, self._pool = self._pool, None
        if isinstance(pool, Process):
            pool.end()
        elif pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


class Process(Processes):
    """One process that is no copy of this one: this one has threads, of which a copy would keep the locks. `far`: how
    far its work is (progress.py), two numbers in memory that both processes see."""

    def __init__(self, begin: Callable[[Any], None] | None = None) -> None:
        """begin: the first thing in it, which is handed `far`; else begin_aside."""
        context = multiprocessing.get_context("spawn")
        self.far = context.RawArray("q", 2)
        super().__init__(1, context, begin or begin_aside, (self.far,))


def make_process() -> Executor:
    """A process for an Aside."""
    return Process()


def begin_aside(far: Any) -> None:
    """The first thing in the process: it yields to everything else, and has its limits. far: where its work tells how
    far it is."""
    begin_here()
    progress.share(far)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with contextlib.suppress(ModuleNotFoundError, ValueError, OSError):  # Windows has none of these limits
        import resource

        os.nice(NICE)
        signal.signal(signal.SIGPROF, _stop)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def begin_beside(far: Any) -> None:
    """The same in a process for whose answers a table waits: it yields to nothing. In this file, which is loaded before
    the engine can be imported."""
    begin_here()
    progress.share(far)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # it can be ended, whatever its caller hears


def _stop(*_: object) -> None:
    raise TooLong


def do(work: Callable[..., str], facts: tuple[Any, ...]) -> tuple[str, str]:
    """(answer, "") or ("", why there is none), within the limits where this is a process of its own."""
    is_own = (threading.current_thread() is threading.main_thread() and hasattr(signal, "SIGPROF")
              and signal.getsignal(signal.SIGPROF) is _stop)
    if is_own:
        signal.setitimer(signal.ITIMER_PROF, WORK_S, AGAIN_S)
    progress.tell(0, 0)
    try:
        return work(*facts), ""
    except UnusableInput as wrong:
        return "", str(wrong)
    except TooLong:
        return "", f"this takes more than {WORK_S} s of processor time"
    except MemoryError:
        return "", f"this takes more than {MEMORY >> 20} MB of memory"
    finally:
        progress.tell(0, 0)  # the next work has not begun, and has no part in this one's steps
        if is_own:
            signal.setitimer(signal.ITIMER_PROF, 0)
