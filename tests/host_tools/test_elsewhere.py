"""Windows has no fcntl, termios, pty: commands do without them, or say in one sentence that they cannot."""

import json
import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.host_tools import test_paths
from tests.host_tools.test_wheel_commands import SERVED

MISSING = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
# CPython's own library and what is not ours have other ways on Windows; they are imported before, and keep theirs.
SCRIPT = """
import asyncio, contextlib, importlib, importlib.abc, io, json, multiprocessing, subprocess, sys, tempfile, traceback
import filelock, mpremote.console, serial, serial.tools.list_ports, signal, os
for name in {missing!r}:
    sys.modules.pop(name, None)

class Without(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Without())
for name in ("SIGPROF", "SIGHUP", "SIGUSR1", "setitimer", "ITIMER_PROF"):
    delattr(signal, name)
for name in ("nice", "fork", "mkfifo", "openpty"):
    delattr(os, name)

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
REFUSED = ("bench", "twin")
DEAR = tuple(sorted(set(test_paths.CALLS) - {"play", "replay", "rules", "twin", "device package", "table", "games"}))


def call(jobs, folder):
    """{name: [exit code, end of its output, its errors]} of calls where those modules are missing."""
    script = SCRIPT.format(missing=MISSING, served=SERVED)
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
        assert [code, err] == [2, WITHOUT]
    else:
        assert code in (0, 1, 2) and "Traceback" not in err and "WSL" not in err and len(err.splitlines()) <= 1, err
