"""Collects shared test files for MicroPython as well: the pytest side.

A file `test_*.py` in one of SHARED_ROOMS is collected as ever, and once more for MicroPython: items with
`[micropython]` after their name and the mark `micropython`. A line at module level says otherwise, with a
comment that gives the reason:

    RUNS_ON = "cpython"       not under MicroPython: fixtures, hypothesis, tools of the host
    RUNS_ON = "micropython"   not under CPython: the heap, what only MicroPython has
    RUNS_ON = "both"          both, for a file of another folder
    RUNS_ON = "both-in-all"   both, but under MicroPython in `make test-all` alone: what takes many times as long there

A test of the host that starts MicroPython itself bears the mark, too: `@pytest.mark.micropython`.
A file that runs under MicroPython holds plain functions `test_*` without arguments and decorators, and bare
`assert`.
"""

import ast
import re
from pathlib import Path

import pytest

from host_tools.base.interpreters import WITHOUT_MICROPYTHON, MicroPythonMissing, find_micropython
from tests.left_out import need
from tests.micropython.interpreter import CannotImport, Failed, Interpreter

SHARED_ROOMS = ("engine", "games", "drivers", "app")
RUNTIMES = ("cpython", "micropython", "both", "both-in-all")
_HOST_PACKAGES = ("pytest", "hypothesis", "unittest", "typing")
_RUNS_ON = re.compile(r"""^RUNS_ON = (["'])(?P<runtime>.*?)\1""", re.MULTILINE)


def has_micropython() -> bool:
    """Whether there is a MicroPython for this machine; ends the run if the one that was named cannot be used."""
    try:
        return find_micropython() is not None
    except MicroPythonMissing as missing:
        raise pytest.UsageError(str(missing)) from missing


need("micropython", "starts MicroPython", has_micropython, "tests that start MicroPython", WITHOUT_MICROPYTHON)


def pytest_collect_file(file_path, parent):
    if file_path.match("test_*.py") and runtime_of(file_path) not in ("cpython", "micropython"):
        return SharedFile.from_parent(parent, path=file_path)
    return None


def pytest_pycollect_makemodule(module_path, parent):
    if runtime_of(module_path) == "micropython":
        return SharedFile.from_parent(parent, path=module_path)
    return None


def runtime_of(path: Path) -> str:
    """What RUNS_ON says, else what the folder says. Read as text: every test file is asked, and few say anything."""
    said = _RUNS_ON.search(path.read_text(encoding="utf-8", errors="replace"))
    if said:
        return said["runtime"]
    return "both" if path.parent.name in SHARED_ROOMS else "cpython"


def find_tests(source: str) -> list[ast.FunctionDef]:
    """The tests of a shared file; raises ValueError with a sentence for what MicroPython cannot run."""
    tests = []
    for node in ast.parse(source).body:
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [node.module or ""]
        for module in modules:
            if module.split(".")[0] in _HOST_PACKAGES:
                raise ValueError(f"line {node.lineno}: MicroPython has no {module}")
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            raise ValueError(f"line {node.lineno}: {node.name} is a class, not a function")
        if isinstance(node, ast.AsyncFunctionDef) and node.name.startswith("test_"):
            raise ValueError(f"line {node.lineno}: {node.name} is async, not a plain function")
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            if ast.unparse(node.args) or node.decorator_list:
                raise ValueError(f"line {node.lineno}: {node.name} has arguments or decorators")
            tests.append(node)
    return tests


class SharedFile(pytest.File):
    """A test file as MicroPython sees it, with the process that runs its tests."""

    interpreter: Interpreter | None = None
    cannot_import: CannotImport | None = None

    def collect(self):
        runtime = runtime_of(self.path)
        if runtime not in RUNTIMES:
            raise self.CollectError(f"{self.path}: RUNS_ON = {runtime!r} is none of {', '.join(RUNTIMES)}.")
        try:
            tests = find_tests(self.path.read_text(encoding="utf-8"))
        except SyntaxError:
            return  # pytest reports it, where it collects the same file for CPython
        except ValueError as error:
            raise self.CollectError(
                f'{self.path}: {error}: write it plainly, or say RUNS_ON = "cpython" and why.'
            ) from error
        for test in tests:
            yield SharedTest.from_parent(self, name=f"{test.name}[micropython]", test=test)

    def run(self, test: str) -> str:
        """Run one test and return what it printed; raises Failed or CannotImport."""
        if self.cannot_import is not None:
            raise self.cannot_import
        if self.interpreter is None:
            micropython = find_micropython()
            assert micropython is not None, "items are left out where there is no MicroPython"
            self.interpreter = Interpreter(micropython, self.path)
        try:
            return self.interpreter.run(test)
        except CannotImport as error:
            self.cannot_import = error
            raise

    def teardown(self):
        if self.interpreter is not None:
            self.interpreter.close()
            self.interpreter = None


class SharedTest(pytest.Item):
    """One test function under MicroPython."""

    def __init__(self, *, test: ast.FunctionDef, **kwargs):
        super().__init__(**kwargs)
        self.test = test
        self.add_marker("micropython")
        if runtime_of(self.path) == "both-in-all":
            self.add_marker("everything")

    def runtest(self):
        assert isinstance(self.parent, SharedFile)
        print(self.parent.run(self.test.name), end="")

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, (Failed, CannotImport)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, self.test.lineno - 1, self.name
