"""A table's application: the names, bytes and hashes of its files.

The .mpy files are those that the virtual table runs. docs/flashing.md says what lies where.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from cardtable.version import FIRMWARE
from host_tools.base import project
from host_tools.base.errors import UnusableInput
from host_tools.maker.board.load import load
from host_tools.maker.device.flash import find_chip
from host_tools.virtual import image

BUILD = project.BUILD / "device"
MANIFEST = "manifest.txt"
# What lies beside the application, by its name on the table; main.py needs the loader, so it comes last.
BESIDE = {"loader.py": image.FIRMWARE / "loader.py", "main.py": image.FIRMWARE / "starter.py"}


@dataclass
class Package:
    """An application for one board: the bytes of each file by its name under the application's folder."""

    board: str
    files: dict[str, bytes]

    @property
    def manifest(self) -> bytes:
        """A line for the version and the board, then `SHA256 SIZE NAME` for each file."""
        lines = [f"cardtable {FIRMWARE} {self.board}"]
        lines += [f"{digest(data)} {len(data)} {name}" for name, data in sorted(self.files.items())]
        return ("\n".join(lines) + "\n").encode()

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(map(len, self.files.values()))


def digest(data: bytes) -> str:
    """As it stands in a manifest."""
    return hashlib.sha256(data).hexdigest()


def read_manifest(text: str) -> tuple[str, dict[str, str]]:
    """(first line, hash by name) of a manifest; what is no manifest gives an empty line and nothing."""
    first, *lines = text.splitlines() or [""]
    rows = [line.split(" ", 2) for line in lines]
    if not first.startswith("cardtable ") or any(len(row) != 3 for row in rows):
        return "", {}
    return first, {row[2]: row[0] for row in rows}


def build_package(board: str, firmware: Path = image.FIRMWARE, is_lean: bool = False) -> Package:
    """Compile what is new, and read it all; `is_lean` as of image.build. image.BuildError names what is wrong."""
    folder = image.build(board, BUILD / (f"{board}-lean" if is_lean else board), firmware, compiles_main=True,
                         is_lean=is_lean)
    return Package(board, image.read_files(folder))


def build_for_chip(board: str) -> Package:
    """The application as the heap of that board's chip can hold it: the lean code without PSRAM, for one that nobody
    can ask how much it has. UnusableInput, image.BuildError."""
    return build_package(board, is_lean=not find_chip(load(board)).has_psram)


def offer_package(board: str) -> Package:
    """The same for others to load: UnusableInput names what is wrong."""
    try:
        return build_for_chip(board)
    except image.BuildError as wrong:
        raise UnusableInput(str(wrong).removesuffix(".")) from wrong


def lay_out(package: Package) -> dict[str, bytes]:
    """What lies on a board that has had no application yet, by its path: the application as folder `a`, the loader."""
    inside = {f"a/{name}": data for name, data in {**package.files, MANIFEST: package.manifest}.items()}
    return {**inside, **{name: source.read_bytes() for name, source in BESIDE.items()}}


def write_mip(package: Package, folder: Path) -> Path:
    """Make `folder` what `mpremote mip install` takes, package.json among it; gives the latter.

    UnusableInput if the folder is for something else.
    """
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "package.json").exists():
        raise UnusableInput(f"{folder} is not empty, and holds no package: name another folder")
    files = lay_out(package)
    for name, data in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    urls = [[name, name] for name in files]
    page = folder / "package.json"
    page.write_text(json.dumps({"version": FIRMWARE, "deps": [], "urls": urls}, indent=1) + "\n")
    return page
