"""Finds this machine's MicroPython.

The registries hold MicroPython's unix port for one kind of machine only (pyproject.toml says which), so
everybody who starts it asks here, and everybody who has to do without it says `WITHOUT_MICROPYTHON`.
"""

import functools
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from host_tools.base.files import write_file
from host_tools.base.project import BUILD, IS_CLONE

WITHOUT_MICROPYTHON = (
    "No registry holds MicroPython for this machine: name one with MICROPYTHON=/path/to/micropython; "
    "without it everything that runs under CPython works."
)

PINNED = Path(sysconfig.get_path("scripts"), "micropython")
CHOSEN = Path(sys.prefix, "bin", "micropython-chosen")
# The pinned one is a module of Python's, and most of its start is Python's looking through its packages, which it does
# not need: set-up writes a program beside it that leaves this out. 24 ms of a processor instead of 75, each start.
QUICK = PINNED.with_name("micropython-quick")
_MODULE = "micropython_run"
_LONGEST = 120  # what a system reads of a first line: Linux 256, older ones 127
_QUICK = """#!{python} -IS
import sys
sys.path.append({packages!r})
from {module} import run_main
sys.exit(run_main(sys.argv))
"""


class MicroPythonMissing(Exception):
    """MicroPython should be here and is not; the text is one sentence that says what to do."""


def find_micropython() -> Path | None:
    """The MicroPython to run: what MICROPYTHON names, else what `make setup` was given, else the pinned one.

    None on a machine for which the registries hold none and none was named. Raises MicroPythonMissing
    where the variable names no program, where the chosen one is gone, and where the pinned one should be and is not:
    tests must never leave a half of themselves out by accident.
    """
    named = os.environ.get("MICROPYTHON")
    if named:
        found = shutil.which(named)
        if found is None:
            raise MicroPythonMissing(f"MICROPYTHON={named} is not a program that can be run.")
        return Path(found)
    if CHOSEN.is_symlink() and not CHOSEN.exists():
        raise MicroPythonMissing(f"{os.readlink(CHOSEN)}, which `make setup` was given, is gone: name another one with "
                                 f"MICROPYTHON=, or remove {CHOSEN}.")
    for installed in (CHOSEN, QUICK, PINNED):
        if installed.exists():
            return installed
    if has_wheel() and IS_CLONE:
        raise MicroPythonMissing(f"There is no MicroPython in {sys.prefix}: run `make clean setup`.")
    return None if IS_CLONE else lay_start(BUILD)


def lay_start(folder: Path) -> Path | None:
    """A program there that starts the pinned one where its module came without one, as in the one file of a release,
    which unpacks modules alone. None where there is no such module, or nothing can be written."""
    text = make_start()
    if not text:
        return None
    program = folder / f"micropython-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    try:
        if not (program.is_file() and program.read_bytes() == text.encode()):  # a power cut may have left it cut
            folder.mkdir(parents=True, exist_ok=True)
            write_file(program, text.encode(), 0o755)
    except OSError:
        return None
    return program


@functools.cache  # each table that starts asks
def machine_code_of(micropython: Path | str) -> str | None:
    """The processor whose machine code this MicroPython loads, as mpy-cross names it; None: bytecode alone."""
    asked = [str(micropython), "-c", "import sys; print(sys.implementation._mpy >> 10 & 15)"]
    number = subprocess.run(asked, capture_output=True, text=True).stdout.strip()
    return {"1": "x86", "2": "x64"}.get(number)


def find_machine_code() -> str | None:
    """The same of the MicroPython that is found; None without one. MicroPythonMissing."""
    micropython = find_micropython()
    return machine_code_of(micropython) if micropython else None


def has_wheel() -> bool:
    """True where pyproject.toml's marker installs the unix port."""
    return platform.machine() == "x86_64" and sys.platform == "linux" and sys.version_info < (3, 14)


def choose_micropython(program: Path) -> None:
    """Keep this program for later commands of this environment; raises MicroPythonMissing where it is another thing."""
    command = [str(program), "-c", "import sys; print(sys.implementation.name)"]
    try:
        name = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError as error:
        raise MicroPythonMissing(f"MICROPYTHON={program} cannot be run: {error.strerror}.") from error
    if name != "micropython":
        raise MicroPythonMissing(f"MICROPYTHON={program} is no MicroPython.")
    CHOSEN.unlink(missing_ok=True)
    CHOSEN.symlink_to(program.absolute())


def make_start() -> str:
    """The text of the program that starts the pinned one quickly; empty where that is no module of this Python."""
    found = importlib.util.find_spec(_MODULE)
    can_be_named = len(sys.executable) < _LONGEST and not any(map(str.isspace, sys.executable))
    if found is None or found.origin is None or not can_be_named:
        return ""
    return _QUICK.format(python=sys.executable, packages=str(Path(found.origin).parent), module=_MODULE)


def write_quick_start() -> None:
    """Write that program beside the pinned one; leave none where there is no pinned one, or no such program."""
    QUICK.unlink(missing_ok=True)
    text = make_start()
    if PINNED.exists() and text:
        QUICK.write_text(text, encoding="utf-8")
        QUICK.chmod(0o755)


def main() -> int:
    """`make setup` ends here: silent where all is well, else one sentence."""
    try:
        write_quick_start()
        found = find_micropython()
        if found is not None and os.environ.get("MICROPYTHON"):
            choose_micropython(found)
    except MicroPythonMissing as missing:
        print(missing, file=sys.stderr)
        return 1
    if found is None:
        print(WITHOUT_MICROPYTHON)
    return 0


if __name__ == "__main__":
    sys.exit(main())
