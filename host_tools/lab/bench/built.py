"""Builds the programs that benches run inside MicroPython, compiled as on a device: firmware, shims, our own part."""

import ast
import os
import shutil
import subprocess
from pathlib import Path

from host_tools.base.project import BUILD, HOST, ROOT
from host_tools.virtual import image

BUILT = BUILD / "bench"
# The modules that run inside; source would take the small heap while it is being compiled there.
INSIDE = ("lab/bench/calibration", "lab/bench/on_device", "lab/bench/workload", "lab/bench/worst", "base/random_play")


def compile_file(source: Path, target: Path) -> Path:
    """One .mpy; image.BuildError if it does not compile, or the compiler is missing."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shown = str(source.relative_to(HOST.parent if source.is_relative_to(HOST) else ROOT))
    whole = target.with_name(f"{target.name}.{os.getpid()}")  # another bench or test may be reading the old one
    done = subprocess.run([image.find_mpy_cross(), "-s", shown, "-o", whole, source], capture_output=True, text=True)
    if done.returncode:
        raise image.BuildError(f"{source} does not compile:\n{(done.stderr or done.stdout).strip()}")
    whole.replace(target)
    return target


def build_firmware() -> Path:
    """The image of the virtual board."""
    return image.build("virtual", BUILT / "firmware")


def build_rom(is_lean: bool = False) -> Path:
    """The same as one file, with main.py compiled; it lies alone in its folder."""
    rom = image.build_rom("virtual", BUILT / ("lean-files" if is_lean else "rom-files"), is_lean=is_lean)
    alone = BUILT / ("lean-rom" if is_lean else "rom") / "firmware.romfs"
    alone.parent.mkdir(exist_ok=True)
    whole = alone.with_name(f"{alone.name}.{os.getpid()}")
    shutil.copyfile(rom, whole)
    whole.replace(alone)
    return alone


def build_lean() -> Path:
    """The image for a tight heap, with main.py compiled."""
    return image.build("virtual", BUILT / "lean-files", compiles_main=True, is_lean=True)


def build_whole() -> Path:
    """The same with what only players and tests need: random play asks for all moves of a seat."""
    return image.build("virtual", BUILT / "whole", with_players=True)


def build_main() -> Path:
    """main.py, which lies on a device as source, compiled: a folder with main.mpy alone."""
    return compile_file(image.FIRMWARE / "main.py", BUILT / "main" / "main.mpy").parent


def build_inside() -> Path:
    """The folder of our modules that run inside MicroPython."""
    folder = BUILT / "inside"
    for name in INSIDE:
        compile_file(ROOT / "host_tools" / f"{name}.py", folder / "host_tools" / f"{name}.mpy")
    return folder


def build_probed_shims() -> Path:
    """The shims, and the probe that is started before them."""
    return image.build_shims(BUILT / "shims", more=("probe",))


def build_empty() -> Path:
    """An image whose program does nothing but wait, with all that the firmware would find in an ESP32's ROM."""
    folder = BUILT / "empty"
    folder.mkdir(parents=True, exist_ok=True)
    whole = folder / f".main.{os.getpid()}"
    whole.write_text(
        "import asyncio, gc, json, machine, neopixel, os, struct, sys, time\n"
        "async def wait():\n"
        "    while True:\n"
        "        await asyncio.sleep_ms(100)\n"
        "asyncio.run(wait())\n"
    )
    whole.replace(folder / "main.py")
    return folder


def module_names() -> list[str]:
    """Every module that each board has by its name on the device, each behind those that it imports. What speaks to a
    network is only on boards with Wi-Fi, and in memory only between two games."""
    sources = {
        ".".join(path.relative_to(image.FIRMWARE).with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in sorted((image.FIRMWARE / "cardtable").rglob("*.py"))
        if path.name != "__init__.py" and path.parent.name != "net"
    }
    ordered: list[str] = []

    def add(name: str) -> None:
        if name in ordered:
            return
        for other in find_imports(sources[name]):
            if other in sources and other != name:
                add(other)
        ordered.append(name)

    # A game first needs the engine, the drivers and what runs a table are asked for one after the other by main.py.
    for room in ("engine.", "games.", "drivers.", "record.", "table.", "play.", "between.", ""):
        for name in sources:
            if name.startswith(f"cardtable.{room}"):
                add(name)
    return ordered


def find_imports(source: str) -> list[str]:
    """The names that a module imports when it is imported itself, some of them no modules."""
    found = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [f"{node.module}", *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


def size_of_files(folder: Path, pattern: str) -> int:
    """Bytes of all files of that name in the folder and its folders."""
    return sum(path.stat().st_size for path in folder.rglob(pattern) if not path.name.startswith("."))
