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
    """The unpacked package in that folder, brought by npm if it is not there yet: the files that `wants` takes, by
    their names in it. UnusableInput."""
    home = folder / f"{package.name}-{package.version}"
    if (home / "complete").is_file():
        return home
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise UnusableInput("the site needs npm and node, which bring Python for browsers and compile for it")
    folder.mkdir(parents=True, exist_ok=True)
    said = subprocess.run([npm, "pack", "--silent", f"{package.name}@{package.version}"], cwd=folder,
                          capture_output=True, text=True)
    packed = folder / f"{package.name}-{package.version}.tgz"
    if said.returncode or not packed.is_file():
        last = foreign.shorten((said.stderr or said.stdout).strip().splitlines()[-1:].__str__(), 200)
        raise UnusableInput(f"npm brought no {package.name} {package.version}: {last}")
    content = foreign.read_bytes(packed)
    if base64.b64encode(hashlib.sha512(content).digest()).decode() != package.integrity:
        packed.unlink()
        raise UnusableInput(f"{package.name} {package.version} of this registry is not the file that this project was"
                            " tried with")
    with tarfile.TarFile.gzopen(home.name, fileobj=io.BytesIO(content)) as archive:
        for member in archive:
            name = member.name.removeprefix("package/")
            if member.isfile() and wants(name):
                (home / name).parent.mkdir(parents=True, exist_ok=True)
                (home / name).write_bytes(archive.extractfile(member).read())  # type: ignore[union-attr]
    (home / "complete").touch()
    return home
