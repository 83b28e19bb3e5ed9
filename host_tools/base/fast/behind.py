"""Compiles the engine behind a table that people play at already.

`python -m host_tools.base.fast.behind` starts that and returns at once; without a compiler, or where all is compiled,
it does nothing. A process that runs keeps its modules. So other processes do the heavy thinking of a running
table: for virtual players from the next game on (host_tools/play/apart.py), for hints and analyses from the next
question on that finds the one before done (host_tools/base/workers/aside.py). What came of it stands in
build/fast/behind.log.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from host_tools.base.fast import build
from host_tools.base.fast.sources import COMPILED, PURE, find_compiled
from host_tools.base.locks import Taken, held
from host_tools.base.project import IS_CLONE, ROOT

NOW = "--now"
LOG = "behind.log"
NICE = 19  # every table and player comes first


def is_wanted() -> bool:
    """Whether there is something to compile, and a compiler."""
    if not IS_CLONE or os.environ.get(PURE, "0") not in ("", "0") or find_compiled() is not None:
        return False
    try:
        build.find_compiler()
    except build.CannotCompile:
        return False
    return True


def start() -> bool:
    """Start compiling in a process of its own, which Ctrl-C at the table does not end; False where none is wanted."""
    if not is_wanted():
        return False
    COMPILED.mkdir(parents=True, exist_ok=True)
    with open(COMPILED / LOG, "a", encoding="utf-8") as log:
        subprocess.Popen([sys.executable, "-m", "host_tools.base.fast.behind", NOW], cwd=ROOT, stdin=subprocess.DEVNULL,
                         stdout=log, stderr=log, start_new_session=True)
    return True


def compile_now() -> int:
    """Compile as a process that gives way to every other, with the Cython that constraints.txt names."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    with contextlib.suppress(Taken), held(COMPILED / "behind.lock", waits=False):
        with contextlib.suppress(OSError):
            os.truncate(COMPILED / LOG, 0)  # of the build before; one that goes on writes at the end
        try:
            build.find_cython()
        except build.CannotCompile:
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            if subprocess.run([*pip, "-c", "constraints.txt", *list_needs()], cwd=ROOT).returncode:
                print("The engine is not compiled: pip brought no Cython.")
                return 1
        return build.main()
    return 0


def list_needs() -> list[str]:
    """The packages of the extra `compiled` for this system, with their versions from constraints.txt."""
    names = ("cython==", "setuptools==") if sys.platform == "win32" else ("cython==",)
    return [line.strip() for line in Path(ROOT, "constraints.txt").read_text(encoding="utf-8").splitlines()
            if line.lower().startswith(names)]


def main(words: Sequence[str] = ()) -> int:
    """`make run` calls this before the table."""
    if words[:1] == [NOW]:
        return compile_now()
    with contextlib.suppress(OSError):  # whatever it is, the sources run
        start()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
