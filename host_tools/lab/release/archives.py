"""Archives whose bytes depend on their contents alone: files in order, one time for all, no owner."""

from __future__ import annotations

import gzip
import io
import tarfile
import time
import zipfile
from collections.abc import Iterable
from pathlib import Path

_FIRST_S = 315532800  # 1980-01-01: a zip tells no earlier time
_FILE, _PROGRAM = 0o644, 0o755


def mode_of(is_program: bool) -> int:
    """Of a file as every umask would give it."""
    return _PROGRAM if is_program else _FILE


def write_zip(target: Path, files: Iterable[tuple[str, bytes]], at_s: int) -> None:
    """A zip of files by their names. at_s: seconds since 1970, the time of each."""
    moment = time.gmtime(max(at_s, _FIRST_S))[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files):
            info = zipfile.ZipInfo(name, moment)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (0o100000 | _FILE) << 16
            archive.writestr(info, data)


def list_files(folder: Path) -> list[tuple[str, bytes]]:
    """(name within the folder, bytes) of every file below it."""
    return [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in sorted(folder.rglob("*"))
            if path.is_file()]


def settle_tar(file: Path, at_s: int) -> None:
    """Write a .tar.gz again with its members in order, all of that time and of no owner."""
    made = io.BytesIO()
    with tarfile.open(file) as old, tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as new:
        for member in sorted(old.getmembers(), key=lambda one: one.name):
            data = old.extractfile(member) if member.isfile() else None
            member.mtime, member.uid, member.gid, member.uname, member.gname = at_s, 0, 0, "", ""
            member.mode = mode_of(member.isdir() or bool(member.mode & 0o100))
            member.pax_headers = {}
            new.addfile(member, data)
    with file.open("wb") as raw, gzip.GzipFile("", "wb", mtime=at_s, fileobj=raw) as packed:
        packed.write(made.getvalue())
