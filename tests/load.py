"""The tests that a busy machine could fail: those that start processes, open sockets or wait; and a run of them under
load.

`--set=load` picks them by a rule: what every change runs of a file that imports one of LIVE, or `tests.patience`,
itself or by way of another file of the tests, or whose fixtures come from such a file; and each test with a mark that
says what it needs beside this Python. `python -m tests.load` (`make test-load`) runs them beside busy loops, which it
starts and ends. Runs in a row share what differs in parameters alone (tests/chosen.py).
"""

import argparse
import ast
import contextlib
import functools
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIVE = {"asyncio", "concurrent", "multiprocessing", "pty", "selectors", "signal", "socket", "subprocess", "threading"}
# Of what tests need beside this Python.
MARKS = ("browser", "caddy", "micropython", "mosquitto", "nginx", "postgres")
_BUSY = "while True: pass"
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
def is_live(path: Path) -> bool:
    """Whether a file starts processes, opens sockets or waits, or another file of the tests that it imports does."""
    todo, seen = [path], {path, ROOT / "tests" / "conftest.py"}
    while todo:
        names = list_imports(todo.pop())
        if "tests.patience" in names or any(name.partition(".")[0] in LIVE for name in names):
            return True
        near = {ROOT / (name.replace(".", "/") + ".py") for name in names if name.startswith("tests.")}
        todo += [other for other in near - seen if other.is_file()]
        seen |= near
    return False


def needs_more(item) -> bool:
    """Whether a collected test can fail because the machine is busy."""
    if any(item.get_closest_marker(mark) for mark in MARKS):
        return True
    fixtures = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    files = {Path(one.func.__code__.co_filename) for found in fixtures.values() for one in found}
    return any(is_live(path) for path in (item.path, *files) if ROOT / "tests" in path.parents and path.suffix == ".py")


@contextlib.contextmanager
def busy(loops: int):
    """So many processes that do nothing but keep a processor busy, until the block ends."""
    started = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(loops)]
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
