"""CPython's asyncio on a virtual clock, as MicroPython's would be.

The clock is the module host_tools/virtual/shims/virtual_clock.py, handed in. Tasks wake at the same times as under
MicroPython: a sleep counts whole milliseconds from the present one, the first to be due goes first, and
waits end with an interrupt.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable
from typing import Any

_real_wait_for = asyncio.wait_for


class _Soon:
    """A callback whose turn comes; what BaseEventLoop has for it asks more."""

    __slots__ = ("_callback", "_args", "_context", "is_over")

    def __init__(self, callback: Any, args: tuple, context: Any) -> None:
        self._callback, self._args, self._context = callback, args, context
        self.is_over = False  # nothing is left to do

    def cancel(self) -> None:
        self.is_over = True

    def cancelled(self) -> bool:
        return self.is_over

    def run(self, loop: VirtualLoop) -> None:
        """Call it, unless it was cancelled; an error in it is told as asyncio tells it."""
        if self.is_over:
            return
        try:
            if self._context is None:
                self._callback(*self._args)
            else:
                self._context.run(self._callback, *self._args)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            loop.call_exception_handler({"message": f"Exception in {self._callback!r}", "exception": error})


class _Timer(_Soon):
    """One whose time comes: at `due_us`."""

    __slots__ = ("due_us",)
    due_us: int

    def when(self) -> float:
        return self.due_us / 1e6


class _Nap:
    """A task that sleeps: its future, until that is done."""

    __slots__ = ("_future",)

    def __init__(self, future: asyncio.Future) -> None:
        self._future = future

    @property
    def is_over(self) -> bool:
        return self._future.done()

    def run(self, loop: VirtualLoop) -> None:
        """Wake it."""
        if not self._future.done():
            self._future.set_result(None)


class VirtualLoop(asyncio.BaseEventLoop):
    """An event loop whose time is the clock's; it looks at no file, and needs no selector: a browser has none.

    MicroPython takes one task after the other: all that are ready first, then the one that has been due
    for longest, and in between whatever has become ready. CPython would take all that are due at once.
    """

    def __init__(self, clock: Any) -> None:
        super().__init__()
        self.clock = clock
        self._order = 0
        self._due: list[tuple[int, int, _Timer | _Nap]] = []  # of two that are due at one time the first asked for

    def _process_events(self, event_list: Any) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """No other thread wakes it."""

    def time(self) -> float:
        return self.clock.now_us / 1e6

    # asyncio promises handles of its own; nothing here asks them for more than these have.
    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> Any:  # type: ignore[override]
        soon = _Soon(callback, args, context)
        self._ready.append(soon)  # type: ignore[attr-defined]
        return soon

    def call_at(  # type: ignore[override]
        self, when: float, callback: Any, *args: Any, context: Any = None
    ) -> Any:
        timer = _Timer(callback, args, context)
        timer.due_us = round(when * 1e6)
        self.wait_until(timer.due_us, timer)
        return timer

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Any, *args: Any, context: Any = None
    ) -> Any:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def wait_until(self, due_us: int, what: _Timer | _Nap) -> None:
        """Have that run when its time comes, unless it is over by then."""
        self._order += 1
        heapq.heappush(self._due, (due_us, self._order, what))

    def _is_ready(self) -> bool:
        return bool(self._ready)  # type: ignore[attr-defined]

    def _run_once(self) -> None:
        """One turn of BaseEventLoop's run_forever: runs one callback, or waits for one."""
        clock, ready, due = self.clock, self._ready, self._due  # type: ignore[attr-defined]
        clock.spend_on_switch()
        if not ready:
            while due and due[0][2].is_over:
                heapq.heappop(due)
            due_us = due[0][0] if due else clock.NEVER
            if due_us > clock.now_us:
                clock.idle(due_us, self._is_ready)
            else:
                ready.append(heapq.heappop(due)[2])
        if ready:
            ready.popleft().run(self)

    def abandon(self) -> None:
        """Forgets all tasks where they are, as a device does that stops: none is cancelled, nothing more is
        said of them.
        """
        self.set_exception_handler(lambda loop, context: None)
        for task in asyncio.all_tasks(self):
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            try:
                task.get_coro().close()
            except BaseException:  # noqa: B036 - what a dead device's tasks say on their way out is nobody's business
                continue
        self.close()


class ThreadSafeFlag:
    """MicroPython's: set from a timer's callback, waited for by one task, which clears it."""

    def __init__(self) -> None:
        self._is_set = False
        self._waiter: asyncio.Future | None = None

    def set(self) -> None:
        self._is_set = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def clear(self) -> None:
        self._is_set = False

    async def wait(self) -> None:
        if not self._is_set:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        self._is_set = False


async def sleep_ms(ms: int) -> None:
    loop: Any = asyncio.get_running_loop()
    woken = loop.create_future()
    loop.wait_until((loop.clock.now_us // 1000 + max(0, ms)) * 1000, _Nap(woken))
    await woken


async def sleep(seconds: float) -> None:
    await sleep_ms(int(seconds * 1000))


async def wait_for_ms(awaited: Awaitable, ms: int) -> Any:
    loop = asyncio.get_running_loop()
    return await _real_wait_for(awaited, _due_s(loop, ms) - loop.time())


async def wait_for(awaited: Awaitable, seconds: float | None) -> Any:
    if seconds is None:
        return await awaited
    return await wait_for_ms(awaited, int(seconds * 1000))


def _due_s(loop: Any, ms: int) -> float:
    """MicroPython counts from the present millisecond's beginning."""
    return (loop.clock.now_us // 1000 + max(0, ms)) / 1000


def make_run(clock: Any) -> Callable[[Any], Any]:
    """`asyncio.run` as MicroPython has it: other tasks are left where they are when the first one ends."""

    def run(main: Any) -> Any:
        loop = VirtualLoop(clock)
        asyncio.set_event_loop(loop)
        try:
            return loop.run_until_complete(main)
        finally:
            asyncio.set_event_loop(None)
            loop.abandon()

    return run


def additions(clock: Any) -> dict[str, Any]:
    """What has to stand in the module asyncio, by name."""
    return {"run": make_run(clock), "sleep": sleep, "sleep_ms": sleep_ms, "wait_for": wait_for,
            "wait_for_ms": wait_for_ms, "ThreadSafeFlag": ThreadSafeFlag}
