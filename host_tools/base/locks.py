"""A file that one process holds at a time, on every system: who comes second waits, or is told."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from host_tools.base.errors import UnusableInput

LOCK = "lock"  # in a folder that one process works in at a time; no backup keeps it


class Taken(Exception):
    """Another process holds it."""


@contextlib.contextmanager
def held(file: Path, waits: bool = True) -> Iterator[None]:
    """Hold the file until the block ends; it is made if it is not there. Taken, where another process holds it and
    nobody waits. OSError where it cannot be made."""
    from filelock import FileLock, Timeout  # for whoever builds or plays; a reader of records has no need of it

    lock = FileLock(file, timeout=-1 if waits else 0)
    try:
        lock.acquire()
    except Timeout:
        raise Taken(str(file)) from None
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def alone_in(folder: Path, told: str) -> Iterator[None]:
    """The folder is ours until the block ends; it is made if it is not there. UnusableInput, with what is told, where
    another process works in it."""
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(held(folder / LOCK, waits=False))
        except Taken:
            raise UnusableInput(told) from None
        yield
