"""The runner of shared test files, tried on toy files in a folder of their own by a pytest of their own."""

import os
import re
import subprocess
import sys
import textwrap

import pytest

from tests.conftest import ROOT
from tests.micropython.interpreter import with_source
from tests.micropython.shared import find_tests

TWO_AT_ONCE = ("-p", "xdist", "--numprocesses=2")  # as make test does
CONFTEST = f"""
    import sys
    sys.path.insert(0, {str(ROOT)!r})
    from tests.micropython import interpreter
    from tests.left_out import *
    from tests.micropython.shared import *
"""
# One test may say nothing for a second alone. The one before it has started the process.
HURRIED = CONFTEST + """
    run = interpreter.Interpreter.run

    def run_hurried(self, test):
        patience_s, self._test_seconds = self._test_seconds, 1 if test == "test_endless" else self._test_seconds
        try:
            return run(self, test)
        finally:
            self._test_seconds = patience_s

    interpreter.Interpreter.run = run_hurried
"""


@pytest.fixture
def run_toy(tmp_path):
    """Run pytest over one toy file in a shared room; gives a dict of outcomes by test and the whole text."""

    def run(source, *options, conftest=CONFTEST, folder="engine"):
        room = tmp_path / folder
        room.mkdir(exist_ok=True)
        (tmp_path / "conftest.py").write_text(textwrap.dedent(conftest))
        (room / "test_toy.py").write_text(textwrap.dedent(source))
        command = [
            sys.executable, "-m", "pytest", "--import-mode=importlib", "-vv", "-rA", "-p", "no:cacheprovider",
            "--rootdir", str(tmp_path), str(tmp_path), *options,
        ]
        done = subprocess.run(
            command, capture_output=True, text=True,
            cwd=tmp_path, env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        )
        text = done.stdout + done.stderr
        return dict(re.findall(r"::(test_\S+) (PASSED|FAILED|ERROR)", text)), text

    return run


@pytest.mark.micropython
def test_a_shared_test_runs_under_both(run_toy):
    outcomes, text = run_toy("""
        import sys
        def test_where():
            print("runs under", sys.implementation.name)
    """)
    assert outcomes == {"test_where": "PASSED", "test_where[micropython]": "PASSED"}
    assert "runs under cpython" in text and "runs under micropython" in text


@pytest.mark.micropython
def test_a_failure_under_micropython_alone_is_reported_with_its_line(run_toy):
    outcomes, text = run_toy("""
        import sys
        def test_first():
            pass
        def test_toy():
            name = sys.implementation.name
            assert name == "cpython", name
        def test_last():
            pass
    """)
    assert outcomes == {
        "test_first": "PASSED", "test_toy": "PASSED", "test_last": "PASSED",
        "test_first[micropython]": "PASSED", "test_toy[micropython]": "FAILED",
        "test_last[micropython]": "PASSED",
    }
    trace = 'line 7, in test_toy\n    assert name == "cpython", name\nAssertionError: micropython'
    assert trace in text


@pytest.mark.micropython
def test_a_crash_is_told_of_its_test_and_the_others_still_run(run_toy):
    outcomes, text = run_toy("""
        RUNS_ON = "micropython"
        import sys, time
        def test_first():
            pass
        def test_crash():
            # Nothing lies at address 8: the process ends by a signal.
            import uctypes
            uctypes.bytes_at(8, 1)
        def test_between():
            pass
        def test_endless():
            while True:
                time.sleep_ms(100)
        def test_last():
            pass
    """, conftest=HURRIED)
    assert outcomes == {
        "test_first[micropython]": "PASSED", "test_crash[micropython]": "FAILED",
        "test_between[micropython]": "PASSED", "test_endless[micropython]": "FAILED",
        "test_last[micropython]": "PASSED",
    }
    assert re.search(r"MicroPython ended with exit code -\d+ in test_crash\.", text)
    assert "MicroPython said nothing for 1 s in test_endless." in text


@pytest.mark.micropython
def test_the_heap_is_that_of_the_smallest_board(run_toy):
    outcomes, text = run_toy("""
        RUNS_ON = "micropython"
        def test_fits():
            bytearray(150_000)
        def test_too_much():
            bytearray(250_000)
    """)
    assert outcomes == {"test_fits[micropython]": "PASSED", "test_too_much[micropython]": "FAILED"}
    assert "MemoryError" in text


@pytest.mark.micropython
def test_even_a_test_that_ends_the_program_fails_alone(run_toy):
    outcomes, _ = run_toy("""
        RUNS_ON = "micropython"
        import sys
        def test_exit():
            sys.exit(0)
        def test_last():
            pass
    """)
    assert outcomes == {"test_exit[micropython]": "FAILED", "test_last[micropython]": "PASSED"}


@pytest.mark.micropython
def test_what_micropython_cannot_import_fails_every_test_of_the_file(run_toy):
    outcomes, text = run_toy("""
        import bisect
        def test_one():
            pass
        def test_two():
            pass
    """)
    assert outcomes == {
        "test_one": "PASSED", "test_two": "PASSED",
        "test_one[micropython]": "FAILED", "test_two[micropython]": "FAILED",
    }
    assert text.count("no module named 'bisect'") >= 2 and "while it imported the file" in text


def test_runs_on_cpython_keeps_a_file_from_micropython(run_toy):
    outcomes, _ = run_toy("""
        RUNS_ON = "cpython"
        def test_with_fixture(tmp_path):
            pass
    """)
    assert outcomes == {"test_with_fixture": "PASSED"}


@pytest.mark.micropython
def test_what_is_dear_under_micropython_runs_there_in_make_test_all_alone(run_toy):
    with_sets = CONFTEST + '    pytest_plugins = ("tests.chosen",)\n'
    source = 'RUNS_ON = "both-in-all"\ndef test_one():\n    pass\n'
    for options, names in (((), ["test_one"]), (("--set=all",), ["test_one", "test_one[micropython]"])):
        _, text = run_toy(source, "--collect-only", *options, conftest=with_sets)
        assert sorted(re.findall(r"<\w+ (test_one\S*)>", text)) == names, text


@pytest.mark.micropython
def test_runs_on_both_brings_a_file_of_another_folder(run_toy):
    source = """
        RUNS_ON = "both"
        def test_one():
            pass
    """
    outcomes, _ = run_toy(source, folder="elsewhere")
    assert outcomes == {"test_one": "PASSED", "test_one[micropython]": "PASSED"}


def test_a_file_of_another_folder_runs_under_cpython_alone(run_toy):
    outcomes, _ = run_toy("def test_one():\n    pass\n", folder="elsewhere")
    assert outcomes == {"test_one": "PASSED"}


@pytest.mark.micropython
def test_one_test_can_be_picked_by_its_name(run_toy):
    source = "def test_one():\n    pass\ndef test_two():\n    pass\n"
    outcomes, _ = run_toy(source, "-k", "test_two and micropython")
    assert outcomes == {"test_two[micropython]": "PASSED"}


def test_the_mark_divides_the_halves(run_toy):
    outcomes, _ = run_toy("def test_one():\n    pass\n", "-m", "not micropython")
    assert outcomes == {"test_one": "PASSED"}


def test_without_micropython_its_half_is_left_out_and_counted(run_toy, tmp_path):
    conftest = CONFTEST + """
    from tests.micropython import shared
    shared.find_micropython = lambda: None
    """
    (tmp_path / "test_host.py").write_text(
        "import pytest\n@pytest.mark.micropython\ndef test_starts_it():\n    assert False\n"
    )
    outcomes, text = run_toy("def test_one():\n    pass\ndef test_two():\n    pass\n", conftest=conftest)
    assert outcomes == {"test_one": "PASSED", "test_two": "PASSED"}
    assert "3 tests that start MicroPython were left out. No registry holds MicroPython for this machine" in text
    assert "2 passed, 3 deselected" in text
    _, text = run_toy("def test_one():\n    pass\ndef test_two():\n    pass\n", *TWO_AT_ONCE, conftest=conftest)
    assert "3 tests that start MicroPython were left out." in text and "2 passed" in text


def test_a_wrong_micropython_variable_is_an_error(run_toy, monkeypatch):
    monkeypatch.setenv("MICROPYTHON", "no-such-program")
    outcomes, text = run_toy("def test_one():\n    pass\n")
    assert outcomes == {}
    assert "MICROPYTHON=no-such-program is not a program that can be run." in text


def test_an_unknown_runs_on_is_an_error(run_toy):
    outcomes, text = run_toy("RUNS_ON = 'jython'\ndef test_one():\n    pass\n", folder="elsewhere")
    assert "RUNS_ON = 'jython' is none of cpython, micropython, both, both-in-all." in text
    assert "error" in text.splitlines()[-1]


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("import pytest\n", "line 1: MicroPython has no pytest"),
        ("from hypothesis import given\n", "line 1: MicroPython has no hypothesis"),
        ("class TestX:\n    pass\n", "line 1: TestX is a class"),
        ("async def test_x():\n    pass\n", "line 1: test_x is async"),
        ("def test_x(tmp_path):\n    pass\n", "line 1: test_x has arguments or decorators"),
        ("@mark\ndef test_x():\n    pass\n", "line 2: test_x has arguments or decorators"),
    ],
)
def test_what_a_shared_file_must_not_hold(source, complaint):
    with pytest.raises(ValueError, match=re.escape(complaint)):
        find_tests(source)


def test_tests_are_found_in_their_order_and_helpers_are_not():
    source = "def test_b():\n    pass\ndef helper(x):\n    pass\ndef test_a():\n    pass\n"
    assert [test.name for test in find_tests(source)] == ["test_b", "test_a"]


def test_a_traceback_shows_the_source_line(tmp_path):
    path = tmp_path / "toy.py"
    path.write_text("one = 1\nassert one == 2\n")
    trace = f'Traceback (most recent call last):\n  File "{path}", line 2, in test_toy\nAssertionError: \n'
    assert "line 2, in test_toy\n    assert one == 2\nAssertionError" in with_source(trace)


def test_printed_text_without_a_traceback_stays_as_it_is():
    assert with_source("one\ntwo") == "one\ntwo"
