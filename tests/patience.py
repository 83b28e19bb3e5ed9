"""How a test waits: for an event, up to a bound that only a hang reaches, which then says who waited for what."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

PATIENCE_S = 240.0  # a machine with ten times as much to do as it can takes a fifth of it
PATIENCE_MS = 1000 * PATIENCE_S  # for a browser, which counts so
_LOOK_S = 0.01


def wait_for(condition: Callable[[], Any], who: str | Callable[[], str], what: str | Callable[[], str]) -> Any:
    """Wait until `condition()` is true, and give its value.

    AssertionError after PATIENCE_S: "WHO waited 240 s for WHAT". A function in place of a text is called only then, so
    it can tell how things stand.
    """
    late_s = time.monotonic() + PATIENCE_S
    while not (value := condition()):
        if time.monotonic() > late_s:
            raise complain(who, what)
        time.sleep(_LOOK_S)
    return value


async def wait_until(condition: Callable[[], Any], who: str | Callable[[], str], what: str | Callable[[], str]) -> Any:
    """The same in an event loop, which goes on meanwhile."""
    late_s = time.monotonic() + PATIENCE_S
    while not (value := condition()):
        if time.monotonic() > late_s:
            raise complain(who, what)
        await asyncio.sleep(_LOOK_S)
    return value


def hear(event: threading.Event, who: str | Callable[[], str], what: str | Callable[[], str]) -> None:
    """The same for an event that another thread sets."""
    if not event.wait(PATIENCE_S):
        raise complain(who, what)


def complain(who: str | Callable[[], str], what: str | Callable[[], str]) -> AssertionError:
    """The error for somebody who has waited for too long."""
    told = (text() if callable(text) else text for text in (who, what))
    return AssertionError("{} waited {:g} s for {}".format(next(told), PATIENCE_S, next(told)))


class SleptClock:
    """A clock to hand in where time passes only while somebody sleeps: what was slept is exactly what was asked for."""

    def __init__(self) -> None:
        self.slept_s = 0.0

    def monotonic(self) -> float:
        return self.slept_s

    def sleep(self, seconds: float) -> None:
        self.slept_s += seconds
