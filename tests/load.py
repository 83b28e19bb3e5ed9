"""The tests that a busy machine could fail: those that wait, open sockets or start processes; and a run of them under
load.

`--set=load` picks them, of what every change runs, by a rule. A test WAITS if its file, another file of the tests
that this one imports, or the file of one of its fixtures imports `tests.patience` or one of LIVE or starts a process
with `Popen`, or if it bears a mark of WAITING. One that only RUNS programs to their end (`subprocess.run`,
MicroPython) can become slow beside others, and hardly false. `python -m tests.load` (`make test-load`) runs them
beside busy loops, which it starts and ends. Of runs in a row each has every test that waits, and its share of the
others (tests/chosen.py).
"""

import argparse
import ast
import contextlib
import functools
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIVE = {"asyncio", "concurrent", "multiprocessing", "pty", "selectors", "signal", "socket", "threading"}
WAITING = ("browser", "caddy", "mosquitto", "nginx", "postgres")
RUNS, WAITS = 1, 2
# Until the process that started it has ended, however it ends.
_BUSY = "import os, sys\nwhile os.getppid() == int(sys.argv[1]):\n    for _ in range(1_000_000): pass"
_NOTHING_RAN = 5  # pytest's code


@functools.cache
def list_imports(path: Path) -> frozenset[str]:
    """Each module that a file imports, and each name that it takes out of one: `a.b`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


@functools.cache
def find_kind(path: Path) -> int:
    """WAITS, RUNS or 0: what a file and the files of the tests that it imports do."""
    kind, todo, seen = 0, [path], {path, ROOT / "tests" / "conftest.py"}
    while todo:
        file = todo.pop()
        names = list_imports(file)
        rooms = {name.partition(".")[0] for name in names}
        if "tests.patience" in names or rooms & LIVE:
            return WAITS
        if "subprocess" in rooms:
            if "Popen" in file.read_text(encoding="utf-8"):
                return WAITS
            kind = RUNS
        near = {ROOT / (name.replace(".", "/") + ".py") for name in names if name.startswith("tests.")}
        todo += [other for other in near - seen if other.is_file()]
        seen |= near
    return kind


def find_need(item) -> int:
    """WAITS, RUNS or 0: how a collected test can fail because the machine is busy."""
    if any(item.get_closest_marker(mark) for mark in WAITING):
        return WAITS
    fixtures = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    files = {Path(one.func.__code__.co_filename) for found in fixtures.values() for one in found}
    kinds = [find_kind(path) for path in (item.path, *files) if ROOT / "tests" in path.parents and path.suffix == ".py"]
    return max(kinds + [RUNS if item.get_closest_marker("micropython") else 0])


@contextlib.contextmanager
def busy(loops: int):
    """So many processes that do nothing but keep a processor busy, until the block ends."""
    started = [subprocess.Popen([sys.executable, "-c", _BUSY, str(os.getpid())]) for _ in range(loops)]
    try:
        yield
    finally:
        for one in started:
            one.kill()
        for one in started:
            one.wait()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description="Run the tests that a busy machine could "
                                     "fail, beside busy loops. It ends with the first run in which one fails.")
    parser.add_argument("--runs", type=int, default=1, help="how often (1)")
    parser.add_argument("--loops", type=int, default=8, help="busy loops beside them (8)")
    parser.add_argument("words", nargs="*", help="more for pytest, such as a folder")
    told = parser.parse_args()
    if told.runs < 1 or told.loops < 0:
        parser.error("at least one run, and no fewer loops than none")
    for number in range(1, told.runs + 1):
        with busy(told.loops):
            print(f"Run {number} of {told.runs}, beside {told.loops} busy loops.", flush=True)
            code = subprocess.run([
                sys.executable, "-m", "pytest", "--numprocesses=auto", "--dist=loadfile", "--no-loadscope-reorder",
                "--set=load", f"--share={number}/{told.runs}", *told.words,
            ], cwd=ROOT, check=False).returncode
        if code:
            print("No test fits." if code == _NOTHING_RAN else f"Run {number} of {told.runs} failed.", flush=True)
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
