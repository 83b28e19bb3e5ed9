"""Windows has no fcntl, termios, pty: commands do without them, or say in one sentence that they cannot."""

import ast
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import mypy
import pytest

from tests.conftest import ROOT
from tests.host_tools import test_paths
from tests.host_tools.test_wheel_commands import SERVED

MISSING = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
THINNER = ("os", "select", "signal", "time")  # modules that have less there: mypy's stubs say what
# CPython's own library and what is not ours have other ways on Windows; they are imported before, and keep theirs.
SCRIPT = """
import asyncio, contextlib, importlib, importlib.abc, io, json, multiprocessing, subprocess, sys, tempfile, traceback
import filelock, mpremote.console, serial, serial.tools.list_ports, types
for name in {missing!r}:
    sys.modules.pop(name, None)

class Without(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Without())
for name, lacks in {lacks!r}.items():  # for who imports it from now on, which is our code
    thin = types.ModuleType(name)
    vars(thin).update((key, value) for key, value in vars(importlib.import_module(name)).items() if key not in lacks)
    sys.modules[name] = thin

def refuse(*_):
    raise NotImplementedError

asyncio.SelectorEventLoop.add_signal_handler = refuse
from host_tools import cli
from host_tools.base import on_host
on_host.prepare()

async def leave(*_):
    return 0

for module, name in {served!r}:
    setattr(importlib.import_module(module), name, leave)
answers = {{}}
for name, words in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = cli.run(words)
        except BaseException:
            code = -1
            err.write(traceback.format_exc()[-1500:])
    answers[name] = [code, out.getvalue()[-300:], err.getvalue()]
sys.__stdout__.write(json.dumps(answers))
"""
WITHOUT = "this command works on Linux and macOS; Windows runs it inside WSL\n"
# They stand at a pseudo terminal, or measure with one.
REFUSED = dict.fromkeys(("bench", "twin"), WITHOUT)
# A process talks to the device's by pipes that it hands on by their numbers, and waits for them.
REFUSED |= dict.fromkeys(("demo", "play"), WITHOUT.replace("this command", "a virtual table"))
DEAR = tuple(sorted(set(test_paths.CALLS) - {"play", "replay", "rules", "twin", "device package", "table", "games"}))


def names_of(body, system):
    """The names that the lines of a stub give a module on that system."""
    told = {"sys": SimpleNamespace(platform=system, version_info=sys.version_info)}
    found = set()
    for node in body:
        if isinstance(node, ast.If):
            test = eval(compile(ast.Expression(node.test), "stub", "eval"), dict(told))
            found |= names_of(node.body if test else node.orelse, system)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            found.add(node.target.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


def lacks(name):
    """What this module has here, and not on Windows."""
    stubs = Path(mypy.__file__).parent / "typeshed" / "stdlib"
    stub = next(path for path in (stubs / f"{name}.pyi", stubs / name / "__init__.pyi") if path.exists())
    body = ast.parse(stub.read_text(encoding="utf-8")).body
    return sorted((names_of(body, "linux") - names_of(body, "win32")) & set(dir(importlib.import_module(name))))


def test_what_windows_lacks_is_known():
    assert {"O_NONBLOCK", "fork", "getuid", "mkfifo", "nice", "openpty", "sched_getaffinity"} < set(lacks("os"))
    assert {"SIGHUP", "SIGKILL", "SIGPROF", "SIGUSR1", "pause", "setitimer"} < set(lacks("signal"))
    assert lacks("select")[-1] == "poll" and "clock_gettime" in lacks("time")
    assert not {"getppid", "kill", "open", "pipe"} & set(lacks("os"))


def call(jobs, folder):
    """{name: [exit code, end of its output, its errors]} of calls where those modules are missing."""
    script = SCRIPT.format(missing=MISSING, served=SERVED, lacks={name: lacks(name) for name in THINNER})
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CARDTABLE_")}
    done = subprocess.run([sys.executable, "-c", script], input=json.dumps(jobs), cwd=folder, text=True,
                          env={**kept, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def answers(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("elsewhere")
    test_paths.make_inputs(folder)
    tried = [item.callspec.params["name"] for item in request.session.items if item.path == request.path
             and hasattr(item, "callspec")]
    jobs = [(name, [*name.split(), *(word.format(tmp=folder) for word in words)])
            for name, words in test_paths.CALLS.items() if name in tried]
    return call(jobs, folder)


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.everything) if name in DEAR else name for name in test_paths.CALLS
])
def test_a_command_shows_no_traceback_without_them(name, answers):
    code, _, err = answers[name]
    if name in REFUSED:
        assert [code, err] == [2, REFUSED[name]]
    else:
        assert code in (0, 1, 2) and "Traceback" not in err and "WSL" not in err and len(err.splitlines()) <= 1, err
