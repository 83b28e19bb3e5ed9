"""Brings packages of the npm registry at pinned versions, each compared with its sum."""

from __future__ import annotations

import base64
import hashlib
import io
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.files import write_file


@dataclass(frozen=True)
class Pinned:
    """A package: its name, its version, the SHA-512 of its archive in base 64, its licence by SPDX's name."""

    name: str
    version: str
    integrity: str
    licence: str


def is_at_top(name: str) -> bool:
    """Whether a file of a package lies in none of its folders."""
    return "/" not in name


def fetch(package: Pinned, folder: Path, wants: Callable[[str], bool] = is_at_top) -> Path:
    """The unpacked package in that folder, its archive brought by npm if it is not there yet, or not whole: the files
    that `wants` takes, by their names in it. UnusableInput."""
    home = folder / f"{package.name}-{package.version}"
    packed = home.with_name(f"{home.name}.tgz")
    if not (packed.is_file() and is_of(foreign.read_bytes(packed), package)):
        bring(package, packed)
    with tarfile.TarFile.gzopen(home.name, fileobj=io.BytesIO(foreign.read_bytes(packed))) as archive:
        for member in archive:
            path = home / member.name.removeprefix("package/")
            if member.isfile() and wants(path.relative_to(home).as_posix()):
                content = archive.extractfile(member).read()  # type: ignore[union-attr]
                if not (path.is_file() and foreign.read_bytes(path) == content):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    write_file(path, content)
    return home


def is_of(archive: bytes, package: Pinned) -> bool:
    """Whether that is the package's archive, by its sum."""
    return base64.b64encode(hashlib.sha512(archive).digest()).decode() == package.integrity


def bring(package: Pinned, packed: Path) -> None:
    """Have npm bring the package's archive to that place. UnusableInput."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise UnusableInput("the site needs npm and node, which bring Python for browsers and compile for it")
    packed.parent.mkdir(parents=True, exist_ok=True)
    said = subprocess.run([npm, "pack", "--silent", f"{package.name}@{package.version}"], cwd=packed.parent,
                          capture_output=True, text=True)
    if said.returncode or not packed.is_file():
        last = foreign.shorten((said.stderr or said.stdout).strip().splitlines()[-1:].__str__(), 200)
        raise UnusableInput(f"npm brought no {package.name} {package.version}: {last}")
    if not is_of(foreign.read_bytes(packed), package):
        packed.unlink()
        raise UnusableInput(f"{package.name} {package.version} of this registry is not the file that this project was"
                            " tried with")
