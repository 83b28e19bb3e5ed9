"""CPython's asyncio on a virtual clock, as MicroPython's would be.

The clock is the module host_tools/shims/virtual_clock.py, handed in. Tasks wake at the same times as under
MicroPython: a sleep counts whole milliseconds from the present one, the first to be due goes first, and
waits end with an interrupt.
"""

from __future__ import annotations

import asyncio
import heapq
from asyncio.events import TimerHandle
from collections.abc import Awaitable, Callable
from typing import Any

_real_wait_for = asyncio.wait_for


class _Timer(TimerHandle):
    """Of two that are due at one time the one asked for first goes first."""

    order = 0

    def __lt__(self, other: Any) -> bool:
        return (self._when, self.order) < (other._when, other.order)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is the clock's; it looks at no file.

    MicroPython takes one task after the other: all that are ready first, then the one that has been due
    for longest, and in between whatever has become ready. CPython would take all that are due at once.
    """

    def __init__(self, clock: Any) -> None:
        super().__init__()
        self.clock = clock
        self._order = 0

    def time(self) -> float:
        return self.clock.now_us / 1e6

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> TimerHandle:
        timer = _Timer(when, callback, args, self, context)
        self._order += 1
        timer.order = self._order
        heapq.heappush(self._scheduled, timer)
        timer._scheduled = True
        return timer

    def _is_ready(self) -> bool:
        return bool(self._ready)

    def _run_once(self) -> None:
        """One turn of BaseEventLoop's run_forever: runs one callback, or waits for one."""
        clock = self.clock
        clock.spend_on_switch()
        if not self._ready:
            timer = self._first_timer()
            due_us = clock.NEVER if timer is None else round(timer._when * 1e6)
            if due_us > clock.now_us:
                clock.idle(due_us, self._is_ready)
            elif timer is not None:
                heapq.heappop(self._scheduled)
                timer._scheduled = False
                self._ready.append(timer)
        if self._ready:
            handle = self._ready.popleft()
            if not handle._cancelled:
                handle._run()

    def _first_timer(self) -> Any:
        """The first timer that has not been cancelled."""
        while self._scheduled and self._scheduled[0]._cancelled:
            heapq.heappop(self._scheduled)._scheduled = False
            self._timer_cancelled_count -= 1
        return self._scheduled[0] if self._scheduled else None

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
    loop = asyncio.get_running_loop()
    woken = loop.create_future()
    timer = loop.call_at(_due_s(loop, ms), lambda: woken.done() or woken.set_result(None))
    try:
        await woken
    finally:
        timer.cancel()


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
