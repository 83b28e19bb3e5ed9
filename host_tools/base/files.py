"""Writes files whole or not at all, puts nothing but files in the place of files, and leaves none of a folder out."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from host_tools.base.errors import UnusableInput

OWNERS = 0o600  # the mode of what only its owner reads


@contextlib.contextmanager
def written(path: Path, mode: int = 0o666) -> Iterator[Path]:
    """A new, empty file beside the path, which is there once the block has ended, and is gone if the block fails.

    What a link leads to is replaced, and never the link; it keeps its mode. What is no file, such as a device, is
    itself what the block gets. An OSError names the path."""
    half = None
    try:
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


def write_file(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file whole or not at all."""
    with written(path, mode) as half:
        half.write_bytes(content)


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
