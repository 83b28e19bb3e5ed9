"""Owns the order of tasks, and how each process begins: here or on a cluster."""

import importlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from host_tools.base import on_host

AHEAD = 4  # tasks for each process that are handed out before their results are asked for


def in_order(futures: Iterable[Any], ahead: int) -> Iterator[Any]:
    """The results of what is handed out (futures, whosoever), in that order, so many waiting at a time."""
    waiting: deque[Any] = deque()
    for future in futures:
        waiting.append(future)
        if len(waiting) >= ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def begin() -> None:
    """The first thing in each process, here or on a cluster: the firmware can be imported."""
    on_host.prepare()


def find_work(name: str) -> Callable[[Any], Any]:
    """The function `module:function`."""
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(module), function)
