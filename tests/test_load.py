"""Which tests a busy machine could fail, by what their files import; and the loops that keep it busy."""

import contextlib
import os
import signal
import subprocess
import sys
from types import SimpleNamespace
from unittest import mock

import pytest

from tests import left_out, load
from tests.conftest import ROOT
from tests.host_tools.wire.brokers import has_mosquitto
from tests.load import RUNS, WAITS
from tests.patience import PATIENCE_S

TESTS = ROOT / "tests"


def item(path, marks=(), *fixtures):
    """As much of a collected test as the rule asks for."""
    return SimpleNamespace(path=path, get_closest_marker=lambda mark: mark in marks or None,
                           _fixtureinfo=SimpleNamespace(name2fixturedefs={str(one): [SimpleNamespace(func=one)]
                                                                          for one in fixtures}))


def test_a_file_that_starts_processes_or_imports_one_that_does_is_chosen(tmp_path, monkeypatch):
    monkeypatch.setattr(load, "ROOT", tmp_path)
    folder = tmp_path / "tests"
    folder.mkdir()
    for name, text in (("pure", "import json\n"), ("runs", "def test():\n    from subprocess import run\n"),
                       ("near", "from tests.runs import helper\n"), ("waits", "from tests.patience import wait_for\n"),
                       ("begins", "import subprocess\nsubprocess.Popen\n"),
                       ("round", "from tests import round, runs\n"), ("beside", "import tests.begins\n"),
                       ("other", "from tests import pure\n")):
        (folder / f"{name}.py").write_text(text)
    pure = folder / "pure.py"
    needs = {path.stem: load.find_need(item(path)) for path in folder.iterdir()}
    assert needs == {"pure": 0, "other": 0, "runs": RUNS, "near": RUNS, "round": RUNS, "waits": WAITS, "begins": WAITS,
                     "beside": WAITS}
    assert load.find_need(item(pure, ("browser",))) == WAITS and load.find_need(item(pure, ("micropython",))) == RUNS


def test_a_test_with_a_fixture_of_such_a_file_is_chosen():
    pure = TESTS / "engine" / "test_match.py"
    assert not load.find_need(item(pure))
    assert load.find_need(item(pure, (), has_mosquitto)) == WAITS


@pytest.mark.parametrize("words", [("--runs", "0"), ("--runs", "-1"), ("--loops", "-2")])
def test_no_run_at_all_is_no_success(monkeypatch, capsys, words):
    """`make test-load RUNS=0` once said nothing and ended well."""
    monkeypatch.setattr(sys, "argv", ["tests.load", *words])
    with pytest.raises(SystemExit, match="2"):
        load.main()
    assert "at least one run" in capsys.readouterr().err


def test_busy_loops_are_gone_at_the_end():
    started = []
    real = load.subprocess.Popen

    def start(*words, **more):
        started.append(real(*words, **more))
        return started[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(load.subprocess, "Popen", start)
        with load.busy(2):
            assert [one.poll() for one in started] == [None, None]
    assert [one.returncode for one in started] == [-signal.SIGKILL] * 2


IS_BUSY = """
import sys
from tests import load
with load.busy(2):
    print("busy", flush=True)
    sys.stdin.read()
"""


def test_busy_loops_end_with_the_process_that_started_them():
    """A run that was killed left them, and the machine was busy until somebody looked. They have its end of this pipe,
    which is over when the last of them is."""
    with subprocess.Popen([sys.executable, "-c", IS_BUSY], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          start_new_session=True) as caller:
        try:
            assert caller.stdout.readline() == b"busy\n"
            caller.kill()
            assert caller.communicate(timeout=PATIENCE_S)[0] == b""
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(caller.pid, signal.SIGKILL)


def test_what_is_missing_is_asked_once_for_all_processes(monkeypatch):
    """Each process leaves out what the first one found missing, and asks nobody."""
    asked = []
    toy = left_out.Need("toy", "", lambda: asked.append(1), "toys", "Buy one.")
    monkeypatch.setattr(left_out, "_needs", {"toy": toy})
    config = SimpleNamespace(stash=pytest.Stash(), hook=SimpleNamespace(pytest_deselected=lambda items: None),
                             getoption=lambda *_: "day")
    nodes = [SimpleNamespace(config=config, workerinput={}) for _ in range(2)]
    for node in nodes:
        left_out.pytest_configure_node(node)
        process = SimpleNamespace(stash=pytest.Stash(), hook=config.hook, workerinput=node.workerinput)
        items = [mock.Mock(iter_markers=lambda name=name: [SimpleNamespace(name=name)]) for name in ("toy", "slow")]
        left = items[1]
        left_out.leave_out(process, items)
        assert items == [left]
    assert asked == [1]
