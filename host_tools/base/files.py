"""Writes files whole or not at all, and puts nothing but files in the place of files."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

OWNERS = 0o600  # the mode of what only its owner reads


@contextlib.contextmanager
def written(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """A new, empty file beside the path, which is there once the block has ended, and is gone if the block fails.

    What a link leads to is replaced, and never the link; it keeps its mode. What is no file, such as a device, is
    itself what the block gets. An OSError names the path."""
    half = None
    try:
        try:
            told: os.stat_result | None = os.stat(path)
        except FileNotFoundError:
            told = None
        if told is not None and not stat.S_ISREG(told.st_mode):
            yield path
            return
        target = Path(os.path.realpath(path))
        half = target.with_name(f".{secrets.token_hex(8)}.tmp")
        os.close(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        if told is not None:
            os.chmod(half, stat.S_IMODE(told.st_mode) & mode)
        yield half
        os.replace(half, target)
    except OSError as wrong:
        if wrong.errno is None or wrong.filename is not None and wrong.filename != os.fspath(half or path):
            raise
        raise OSError(wrong.errno, wrong.strerror, os.fspath(path)) from wrong
    finally:
        if half is not None:
            half.unlink(missing_ok=True)


def write_file(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file whole or not at all."""
    with written(path, mode) as half:
        half.write_bytes(content)
