"""Brings MicroPython itself onto a chip, with esptool, from an image that is given or that mpflash fetches."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from host_tools.base import foreign, project
from host_tools.base.errors import UnusableInput
from host_tools.base.files import settle

MICROPYTHON = "1.29.0"  # what the firmware was tested with
_OCTAL_MB = 8  # of PSRAM: less is quad
IMAGES = project.BUILD / "micropython"
SUMS = project.BOARDS / "micropython" / "sums.txt"


@dataclass
class Chip:
    """esptool's name of a chip, where its image begins, and MicroPython's name of a board with it; whether it has
    memory for more than the lean code (memory.py)."""

    name: str
    offset: str
    board: str
    has_psram: bool


# By the module that a board file names. The offset is where the chip's ROM looks for its second boot stage.
CHIPS = {
    "esp32-wroom-32": Chip("esp32", "0x1000", "ESP32_GENERIC", False),
    "esp32-wrover-e": Chip("esp32", "0x1000", "ESP32_GENERIC-SPIRAM", True),
    "esp32-s3-wroom-1": Chip("esp32s3", "0x0", "ESP32_GENERIC_S3", True),
}


def find_chip(board: Any) -> Chip:
    """The chip of a board file. UnusableInput."""
    chip = CHIPS.get(board.MODULE)
    if chip is None:
        raise UnusableInput(f"board {board.NAME}: nobody has said how a module {board.MODULE} is flashed"
                            " (host_tools/maker/device/flash.py)")
    return chip


def look(chip: Chip, port: str) -> Chip:
    """The chip with the image that fits its PSRAM, which an ESP32-S3 tells of: 8 MB are octal, and the standard image
    does not find them (MicroPython, boards/ESP32_GENERIC_S3/board.md). UnusableInput."""
    if chip.name != "esp32s3":
        return chip
    command = [find_tool("esptool"), "--chip", chip.name, "--port", port, "flash-id"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).split("\n")
        last = next((line.strip() for line in reversed(said) if line.strip()), "nothing")
        raise UnusableInput(f"{port}: esptool finds no ESP32-S3 there. Hold BOOT, press RESET, let go of BOOT, and try"
                            f" again; or name an image with IMAGE=... esptool says: {foreign.shorten(last, 200)}")
    size = re.search(r"PSRAM (\d+) ?MB", done.stdout)
    if size and int(size[1]) >= _OCTAL_MB:
        return replace(chip, board=f"{chip.board}-SPIRAM_OCT")
    return chip


def find_tool(name: str) -> str:
    """A program beside this Python, where its version is ours, or else on the PATH. UnusableInput."""
    found = shutil.which(str(Path(sys.executable).with_name(name))) or shutil.which(name)
    if found is None:
        raise UnusableInput(f"{name} is not there: `make flash` brings it, or install cardtable[flash].")
    return found


def fetch(chip: Chip) -> Path:
    """Have mpflash fetch the image, once: it is kept once it is whole. UnusableInput if there is no network, or no such
    image."""
    found = find_image(chip, IMAGES)
    if found is None:
        IMAGES.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=IMAGES.parent) as passing:
            run([find_tool("mpflash"), "--quiet", "--no-interactive", "--dir", passing, "download",
                 "--board", chip.board, "--version", MICROPYTHON])
            brought = find_image(chip, Path(passing))
            if brought is not None:
                settle(brought)
                found = brought.replace(IMAGES / brought.name)
    if found is None:
        raise UnusableInput(f"mpflash has brought no image of MicroPython {MICROPYTHON} for {chip.board}: fetch one"
                            " from micropython.org and name it with IMAGE=...")
    wanted = read_sums().get(found.name)
    if wanted and hashlib.sha256(foreign.read_bytes(found)).hexdigest() != wanted:
        raise UnusableInput(f"{found} is not the file of that name in boards/micropython/sums.txt: remove it, and fetch"
                            " it again")
    return found


def read_sums(path: Path = SUMS) -> dict[str, str]:
    """The published SHA-256 of images, by their names; none where nobody has typed any in. UnusableInput."""
    found: dict[str, str] = {}
    for number, line in enumerate(foreign.read_text(path).splitlines() if path.is_file() else [], 1):
        if not line.strip() or line.startswith("#"):
            continue
        row = re.fullmatch("([0-9a-fA-F]{64}) [ *]([A-Za-z0-9][-A-Za-z0-9._]*[.]bin)", line.rstrip())
        if row is None or row[2] in found:
            raise UnusableInput(f"{path}, line {number}: SHA-256 in 64 digits, two spaces and a new name that ends in"
                                " .bin are expected, as sha256sum writes them")
        found[row[2]] = row[1].lower()
    return found


def find_image(chip: Chip, folder: Path) -> Path | None:
    """An image of that board that was fetched into the folder."""
    found = sorted(folder.rglob(f"{chip.board}-v{MICROPYTHON}*.bin"))
    return found[-1] if found else None


def write(chip: Chip, port: str, file: Path, erases: bool) -> None:
    """Write the image; esptool compares what it wrote. The files of the players stay, unless all is to be erased."""
    esptool = [find_tool("esptool"), "--chip", chip.name, "--port", port]
    if erases:
        run([*esptool, "erase-flash"])
    run([*esptool, "write-flash", chip.offset, str(file)])


def run(command: list[str]) -> None:
    """Run a program whose output people see. UnusableInput if it fails."""
    if subprocess.run(command, check=False).returncode:
        raise UnusableInput(f"{Path(command[0]).name} failed; what it said is above. It can be repeated: the chip's own"
                            " loader cannot be overwritten.")
