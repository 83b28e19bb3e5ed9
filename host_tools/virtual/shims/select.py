"""`select` for MicroPython's asyncio: waiting passes virtual time.

It stands for extmod/modselect.c: each interrupt has it look at the clock and at what is waited for.
What can be waited for is an object of Python with an `ioctl`, such as asyncio.ThreadSafeFlag. A socket is one of this
machine: MicroPython's own poll looks at it, and waits for nothing.
"""

import sys

import virtual_clock

# As in time.py: with no path to search, the built-in module is found.
_path = sys.path
sys.path = []
try:
    from select import poll as _system_poll
finally:
    sys.path = _path

POLLIN = 1
POLLPRI = 2
POLLOUT = 4
POLLERR = 8
POLLHUP = 16
_IOCTL_POLL = 3


def _ask(waited, events: int) -> int:
    """What of these events is there now."""
    if hasattr(waited, "ioctl"):
        return waited.ioctl(_IOCTL_POLL, events)
    asked = _system_poll()
    asked.register(waited, events)
    for told in asked.poll(0):
        return told[1]
    return 0


class poll:
    """One poller, of the methods asyncio uses."""

    def __init__(self) -> None:
        self._waited = []  # [object, events]; few, so a list is quicker than a dict
        self._look = self._is_ready  # bound once: binding a method allocates

    def register(self, waited, events: int = POLLIN | POLLOUT) -> None:
        self.unregister(waited)
        self._waited.append([waited, events])

    def modify(self, waited, events: int) -> None:
        for entry in self._waited:
            if entry[0] is waited:
                entry[1] = events

    def unregister(self, waited) -> None:
        for entry in self._waited:
            if entry[0] is waited:
                self._waited.remove(entry)
                return

    def _is_ready(self) -> bool:
        for entry in self._waited:
            if _ask(entry[0], entry[1]):
                return True
        return False

    def _wait(self, timeout_ms: int) -> None:
        if timeout_ms < 0:
            virtual_clock.idle(virtual_clock.NEVER, self._look)
        elif timeout_ms:
            virtual_clock.idle((virtual_clock.now_us // 1000 + timeout_ms) * 1000, self._look)
        else:
            virtual_clock.spend_on_switch()

    def poll(self, timeout_ms: int = -1) -> list:
        """The ready ones as (object, events), after waiting at most this long; -1 waits for an event."""
        if not self._is_ready():
            self._wait(timeout_ms)
        ready = []
        for entry in self._waited:
            events = _ask(entry[0], entry[1])
            if events:
                ready.append((entry[0], events))
        return ready

    def ipoll(self, timeout_ms: int = -1):
        """As `poll`; allocates nothing as long as nothing is registered."""
        if self._waited:
            return self.poll(timeout_ms)
        self._wait(timeout_ms)
        return ()
