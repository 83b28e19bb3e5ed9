"""KiCad itself, from version 9 on: fills the ground of a board, checks board and schematic, plots.

Its command is `kicad-cli`; only the ground is filled by its Python.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput

OLDEST = 9  # the major version whose checks and files this project was made with
COMMAND = "kicad-cli"
PYTHON = "/usr/bin/python3"  # Debian's, which its KiCad extends
OUTER = ("F.Mask", "B.Mask", "F.Paste", "F.SilkS", "Edge.Cuts")  # what is plotted beside the copper
_PATIENCE_S = 300


@cache
def is_there() -> bool:
    """Whether a KiCad that is new enough is here, with its Python. Asked once: that Python takes a second to start."""
    command = shutil.which(COMMAND)
    if command is None or shutil.which(PYTHON) is None:
        return False
    version = subprocess.run([command, "version"], capture_output=True, text=True, timeout=_PATIENCE_S).stdout
    major = version.partition(".")[0]
    if not major.isdecimal() or int(major) < OLDEST:
        return False
    return subprocess.run([PYTHON, "-c", "import pcbnew"], capture_output=True, timeout=_PATIENCE_S).returncode == 0


def fill(board: Path) -> None:
    """Fill the ground plane of a .kicad_pcb. UnusableInput if KiCad does not."""
    _run(board, PYTHON, str(Path(__file__).with_name("kicad_side.py")), str(board))


def plot(board: Path, folder: Path, copper: tuple[str, ...]) -> None:
    """Gerber X2 of each layer, and Excellon files of the holes with and without copper. UnusableInput."""
    folder.mkdir(exist_ok=True)
    into = f"{folder}/"
    _run(board, COMMAND, "pcb", "export", "gerbers", "--layers", ",".join((*copper, *OUTER)), "--no-protel-ext",
         "--subtract-soldermask", "--use-drill-file-origin", "--output", into, str(board))
    _run(board, COMMAND, "pcb", "export", "drill", "--excellon-separate-th", "--drill-origin", "plot", "--output", into,
         str(board))


def check_board(board: Path, report: Path, say: Callable[[str], object]) -> list[str]:
    """What DRC finds wrong with a board, and where it differs from its schematic; the report is kept. UnusableInput."""
    _run(board, COMMAND, "pcb", "drc", "--schematic-parity", "--severity-all", "--format", "json",
         "--output", str(report), str(board))
    said = foreign.read_json(report, dict.fromkeys(("violations", "unconnected_items", "schematic_parity"), list))
    say(f"KiCad's DRC of {board.name}: {len(said['violations'])} violations, {len(said['unconnected_items'])} "
        f"unconnected pads, {len(said['schematic_parity'])} differences from the schematic")
    return list(_tell(*said["violations"], *said["unconnected_items"], *said["schematic_parity"]))


def check_schematic(schematic: Path, report: Path, say: Callable[[str], object]) -> list[str]:
    """What ERC finds wrong with a schematic; the report is kept. UnusableInput."""
    _run(schematic, COMMAND, "sch", "erc", "--severity-all", "--format", "json", "--output", str(report),
         str(schematic))
    found = [one for sheet in foreign.read_json(report, {"sheets": list})["sheets"] for one in sheet["violations"]]
    say(f"KiCad's ERC of {schematic.name}: {len(found)} violations")
    return list(_tell(*found))


def _tell(*found: dict[str, Any]) -> Iterator[str]:
    for one in found:
        where = "; ".join(item["description"] for item in one["items"])
        yield f"{one['type']}: {one['description']} ({where})"


def _run(path: Path, *words: str) -> None:
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_PATIENCE_S)
    except subprocess.TimeoutExpired as late:
        raise UnusableInput(f"{path}: KiCad was not done with it after {_PATIENCE_S} s") from late
    if done.returncode:
        last = ([line for line in done.stderr.splitlines() if line.strip()] or ["it said nothing"])[-1]
        raise UnusableInput(f"{path}: KiCad did not take it: {last}")
