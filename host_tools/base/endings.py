"""Ends tasks of asyncio so that they have ended, in bounded time for each try."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

_AGAIN_S = 0.5  # until a task that has not ended is cancelled again


async def end_tasks(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel them until they have ended, and take what they raised. Once is not enough: `wait_for` of CPython 3.11
    loses a cancel that comes together with what it waits for."""
    every = list(tasks)
    pending = set(every)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=_AGAIN_S)
    await asyncio.gather(*every, return_exceptions=True)
