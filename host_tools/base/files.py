"""Writes files whole or not at all, puts nothing but files in the place of files, and leaves none of a folder out."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from host_tools.base.errors import UnusableInput

OWNERS = 0o600  # the mode of what only its owner reads
SHEET = "\ufeff"  # begins a CSV that people open: without it Excel shows Russian names as rubbish
_LINKS = 40  # that lead to each other; Linux follows no more
_UNSETTLED = (errno.EACCES, errno.EBADF, errno.EINVAL, errno.ENOTSUP)  # of a folder that cannot be settled


@contextlib.contextmanager
def written(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """A new, empty file beside the path, which is there once the block has ended, and is gone if the block fails.

    What a link leads to is replaced, and never the link; of its mode it keeps what `mode` has. What is no file, such as
    a device, is itself what the block gets. Where the path is a name for what is open already (/dev/stdout), the file
    is written there in the end: in a log, behind what stands there. An OSError names the path.

    A cut of the power may leave the new name with nothing in it: where that would lose what is nowhere else, `settle`
    the new file within the block, before it replaces the old one, or the path behind it, before a source goes."""
    half = None
    try:
        if (already := find_open(path)) >= 0:
            os.fstat(already)
            with tempfile.TemporaryDirectory() as folder:
                made = Path(folder, path.name)
                made.touch()
                yield made
                pour(made, already)
            return
        try:
            old = os.stat(path).st_mode
        except FileNotFoundError:
            old = 0
        if old and not stat.S_ISREG(old):
            yield path
            return
        target, its_mode = Path(os.path.realpath(path)), stat.S_IMODE(old) & mode
        half = target.with_name(f".{os.urandom(8).hex()}.tmp")
        os.close(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, its_mode | stat.S_IWUSR if old else mode))
        yield half
        if old:
            os.chmod(half, its_mode)
        os.replace(half, target)
    except OSError as wrong:
        if wrong.errno is None or wrong.filename is not None and wrong.filename != os.fspath(half or path):
            raise
        raise OSError(wrong.errno, wrong.strerror, os.fspath(path)) from wrong
    finally:
        if half is not None:
            half.unlink(missing_ok=True)


def find_open(path: Path) -> int:
    """The number of what this process has open, and what that path is a name for; -1: it is the name of a file."""
    name = os.fspath(path)
    for _ in range(_LINKS):
        folder = os.path.realpath(os.path.dirname(name))
        number = os.path.basename(name)
        if number.isdecimal() and len(number) < 10 and folder in ("/dev/fd", os.path.realpath("/proc/self/fd")):
            return int(number)
        try:
            name = os.path.join(folder, os.readlink(name))
        except OSError:
            break
    return -1


def pour(made: Path, already: int) -> None:
    """Write what stands in that file to what is open, behind all that was printed."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()
    with made.open("rb") as content, open(already, "wb", closefd=False) as to:
        shutil.copyfileobj(content, to)


def write_file(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file whole or not at all."""
    with written(path, mode) as half:
        half.write_bytes(content)


def settle(path: Path) -> None:
    """Have a file on the disk, and its name in the folder, before somebody else lets go of what stands in it: behind
    this no cut of the power takes it. A file system that settles no folder, as on some shares of a network, keeps the
    name as it will. OSError."""
    if os.name != "posix":
        sync(path, os.O_RDWR)  # Windows opens no folder
        return
    sync(path, os.O_RDONLY)
    try:
        sync(path.parent, os.O_RDONLY)
    except OSError as wrong:
        if wrong.errno not in _UNSETTLED:
            raise


def sync(path: Path, flags: int) -> None:
    """Have what stands there on the disk. flags: to open it by. OSError."""
    number = os.open(path, flags)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def no_formula(cell: str) -> str:
    """A text of a SHEET that no spreadsheet takes for a formula."""
    return "'" + cell if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def path_as_text(path: Path | str) -> str:
    """A path as text that can be kept and sent: bytes that are no UTF-8 are written `\\xe9`."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def walk(folder: Path | str, tell: Callable[[str, str], object]) -> Iterator[str]:
    """What lies in a folder and its folders and is no folder. `tell(path, cause)` hears of each folder that was left
    out: nobody may read it, or it is a link. One that goes away meanwhile is no news."""

    def leave_out(wrong: OSError) -> None:
        if not isinstance(wrong, (FileNotFoundError, NotADirectoryError)):
            tell(str(wrong.filename), wrong.strerror or str(wrong))

    for at, folders, files in os.walk(folder, onerror=leave_out):
        folders.sort()
        for name in folders:
            if os.path.islink(os.path.join(at, name)):
                tell(os.path.join(at, name), "a link to a folder, which is not followed: name that folder itself")
        yield from (os.path.join(at, name) for name in sorted(files))


def refuse(path: str, cause: str) -> None:
    """As `tell` of `walk`, where nothing may be left out."""
    raise UnusableInput(f"{path}: {cause}")


def list_files(paths: Sequence[Path], ending: str, *, is_needed: bool = True) -> list[Path]:
    """The files that somebody named, each once; a folder stands for those of that ending in it and in its folders.
    UnusableInput for a folder that has none, where they are needed."""
    found: dict[str, Path] = {}
    for path in paths:
        files = [path]
        if path.is_dir():
            files = sorted(Path(name) for name in walk(path, refuse) if name.endswith(ending))
            if is_needed and not files:
                raise UnusableInput(f"{path}: the folder holds no *{ending} file")
        for file in files:
            found.setdefault(os.path.realpath(file), file)
    return list(found.values())
