"""Scripted people at a virtual table: they act at exact virtual microseconds.

An actor is a generator. It yields a number of microseconds to let pass, or a callable without arguments to
wait for until that is true. What it does between two yields happens at one moment. Two runs in which the
device does the same get the same acts at the same times, however the processes of the host were scheduled.
"""

from __future__ import annotations

import contextlib
import heapq
from collections.abc import Callable, Generator

Actor = Generator["int | Callable[[], object]", None, None]

NEVER = 1 << 62
# An actor may wait for something that no call announces, such as a time: look this often.
_LOOK_US = 1_000


class People:
    """All who act on the table; `next_us` is when one of them has to be asked next, NEVER if none waits."""

    def __init__(self) -> None:
        self.next_us = NEVER
        self.now_us = 0
        self.error_as: type[BaseException] | None = None  # so that a device in this Python takes it for none of its own
        self._sleeping: list[tuple[int, int, Actor]] = []
        self._waiting: list[tuple[Callable[[], object], Actor]] = []
        self._seen_us = 0
        self._count = 0

    def add(self, actor: Actor, at_us: int | None = None) -> None:
        """Lets an actor begin at a time, at once without one."""
        self._sleep(actor, self.now_us if at_us is None else at_us)
        self._plan()

    def at(self, at_us: int, act: Callable[[], object]) -> None:
        """One act at one time."""

        def actor() -> Actor:
            act()
            return
            yield 0

        self.add(actor(), at_us)

    @property
    def done(self) -> bool:
        """True when every actor has come to its end."""
        return not self._sleeping and not self._waiting

    def catch_up(self, now_us: int, clock: Callable[[int], None]) -> None:
        """Lets everything happen that is due by now, each at its own time, which `clock` is told first."""
        self._guard(lambda: self._catch_up(now_us, clock))

    def _guard(self, act: Callable[[], None]) -> None:
        """Does it; an error comes out as `error_as`."""
        try:
            act()
        except Exception as error:
            if self.error_as is None:
                raise
            raise self.error_as from error

    def _catch_up(self, now_us: int, clock: Callable[[int], None]) -> None:
        while self._sleeping and self._sleeping[0][0] <= now_us:
            due_us, _, actor = heapq.heappop(self._sleeping)
            self.now_us = max(self.now_us, due_us)
            clock(self.now_us)
            self._go_on(actor)
        self.now_us = now_us
        clock(now_us)
        if self._waiting and now_us >= self._seen_us + _LOOK_US:
            self._look()
        self._plan()

    def look(self) -> None:
        """Asks everybody who waits for something whether it has come."""
        self._guard(self._look)

    def _look(self) -> None:
        self._seen_us = self.now_us
        row = iter(self._waiting)
        self._waiting = []
        try:
            for wish, actor in row:
                try:
                    come = wish()
                except Exception as error:
                    self._go_on(actor, error)
                    continue
                if come:
                    self._go_on(actor)
                else:
                    self._waiting.append((wish, actor))
        finally:
            self._waiting += row  # those behind an actor whose error comes out
            self._plan()

    def _go_on(self, actor: Actor, error: Exception | None = None) -> None:
        """Runs an actor until it has to wait. An error of what it waits for, too, is raised in it, where it can be
        caught (base/bugs.py)."""
        with contextlib.suppress(StopIteration):
            while True:
                wish = next(actor) if error is None else actor.throw(error)
                error = None
                if not callable(wish):
                    self._sleep(actor, self.now_us + int(wish))
                    return
                try:
                    if not wish():
                        self._waiting.append((wish, actor))
                        return
                except Exception as wrong:
                    error = wrong

    def _sleep(self, actor: Actor, due_us: int) -> None:
        self._count += 1  # first come, first served
        heapq.heappush(self._sleeping, (due_us, self._count, actor))

    def _plan(self) -> None:
        self.next_us = self._sleeping[0][0] if self._sleeping else NEVER
        if self._waiting:
            self.next_us = min(self.next_us, self._seen_us + _LOOK_US)
