"""Which MicroPython is run: the one that is named, the one that was chosen at set-up, the pinned one, or none."""

import subprocess
import sys

import pytest

from host_tools.base import interpreters
from host_tools.base.interpreters import MicroPythonMissing, choose_micropython, find_micropython


@pytest.fixture
def bin_folder(tmp_path, monkeypatch):
    """An environment without any MicroPython."""
    monkeypatch.delenv("MICROPYTHON", raising=False)
    monkeypatch.setattr(interpreters, "PINNED", tmp_path / "micropython")
    monkeypatch.setattr(interpreters, "CHOSEN", tmp_path / "micropython-chosen")
    monkeypatch.setattr(interpreters, "QUICK", tmp_path / "micropython-quick")
    return tmp_path


def make_program(path, says="micropython"):
    path.write_text(f"#!/bin/sh\necho {says}\n")
    path.chmod(0o755)
    return path


def test_the_variable_comes_before_what_was_chosen_and_that_before_the_pinned(bin_folder, monkeypatch):
    pinned = make_program(bin_folder / "micropython")
    assert find_micropython() == pinned
    chosen = make_program(bin_folder / "micropython-chosen")
    assert find_micropython() == chosen
    named = make_program(bin_folder / "another")
    monkeypatch.setenv("MICROPYTHON", str(named))
    assert find_micropython() == named


@pytest.mark.micropython
def test_set_up_lays_a_quick_start_beside_the_pinned_one(bin_folder):
    pinned = make_program(bin_folder / "micropython")
    assert interpreters.main() == 0
    quick = find_micropython()
    assert quick not in (None, pinned)
    asked = [quick, "-X", "heapsize=270336", "-c", "import gc, sys; print(sys.implementation.name, gc.mem_free())"]
    name, free = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    assert name == "micropython" and int(free) < 270336


@pytest.mark.micropython
def test_outside_a_clone_its_module_alone_is_enough(bin_folder, monkeypatch):
    """As in the one file of a release, which unpacks modules and no programs."""
    monkeypatch.setattr(interpreters, "IS_CLONE", False)
    monkeypatch.setattr(interpreters, "BUILD", bin_folder / "cache")
    program = find_micropython()
    assert program == find_micropython() and list((bin_folder / "cache").iterdir()) == [program]
    asked = [program, "-c", "import sys; print(sys.implementation.name)"]
    assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout == "micropython\n"
    program.write_bytes(b"")  # left by a power cut
    assert find_micropython() == program
    assert subprocess.run(asked, capture_output=True, text=True, check=True).stdout == "micropython\n"
    monkeypatch.setattr(interpreters, "_MODULE", "no_such_module")
    assert find_micropython() is None


def test_without_the_pinned_one_a_quick_start_goes(bin_folder, monkeypatch):
    make_program(bin_folder / "micropython-quick")
    monkeypatch.setattr(interpreters, "has_wheel", lambda: False)
    assert interpreters.main() == 0
    assert find_micropython() is None


@pytest.mark.parametrize("python", ["/opt/a b/bin/python", "/" + 120 * "x" + "/python"])
def test_a_python_that_no_first_line_can_name_gets_no_quick_start(bin_folder, monkeypatch, python):
    pinned = make_program(bin_folder / "micropython")
    monkeypatch.setattr(sys, "executable", python)
    interpreters.write_quick_start()
    assert find_micropython() == pinned


def test_a_program_is_chosen_for_later_commands(bin_folder):
    for name in ("first", "second"):
        program = make_program(bin_folder / name)
        choose_micropython(program)
        assert find_micropython().resolve() == program.resolve()


def test_a_program_that_is_no_micropython_is_not_chosen(bin_folder):
    with pytest.raises(MicroPythonMissing, match="is no MicroPython"):
        choose_micropython(make_program(bin_folder / "another", says="cpython"))
    assert not (bin_folder / "micropython-chosen").exists()


def test_a_file_that_is_no_program_of_this_machine_is_not_chosen(bin_folder):
    program = bin_folder / "another"
    program.write_bytes(b"\x7fELF of another machine")
    program.chmod(0o755)
    with pytest.raises(MicroPythonMissing, match="cannot be run: Exec format error"):
        choose_micropython(program)


def test_a_chosen_program_that_is_gone_is_an_error(bin_folder, monkeypatch):
    """The pinned one ran in its place, and nobody was told."""
    make_program(bin_folder / "micropython")
    program = make_program(bin_folder / "mine")
    choose_micropython(program)
    program.unlink()
    with pytest.raises(MicroPythonMissing, match="mine, which `make setup` was given, is gone: name another one"):
        find_micropython()
    monkeypatch.setenv("MICROPYTHON", str(bin_folder / "micropython"))
    assert find_micropython() == bin_folder / "micropython"


def test_a_variable_that_names_no_program_is_an_error(bin_folder, monkeypatch):
    monkeypatch.setenv("MICROPYTHON", "no-such-program")
    with pytest.raises(MicroPythonMissing, match="MICROPYTHON=no-such-program is not a program"):
        find_micropython()


def test_where_registries_hold_it_its_absence_is_an_error(bin_folder, monkeypatch):
    monkeypatch.setattr(interpreters, "has_wheel", lambda: True)
    with pytest.raises(MicroPythonMissing, match="run `make clean setup`"):
        find_micropython()


@pytest.mark.parametrize(
    ("attribute", "value"), [("machine", "aarch64"), ("machine", "arm64"), ("system", "darwin"), ("version", (3, 14))]
)
def test_on_other_machines_there_is_none(bin_folder, monkeypatch, attribute, value):
    machine = {"machine": "x86_64", "system": "linux", "version": (3, 11), attribute: value}
    monkeypatch.setattr(interpreters.platform, "machine", lambda: machine["machine"])
    monkeypatch.setattr(sys, "platform", machine["system"])
    monkeypatch.setattr(sys, "version_info", machine["version"])
    assert find_micropython() is None


def test_setup_says_in_one_line_that_there_is_none(bin_folder, monkeypatch, capsys):
    monkeypatch.setattr(interpreters, "has_wheel", lambda: False)
    assert interpreters.main() == 0
    assert capsys.readouterr().out == interpreters.WITHOUT_MICROPYTHON + "\n"


def test_setup_is_silent_where_there_is_one(bin_folder, capsys):
    make_program(bin_folder / "micropython")
    assert interpreters.main() == 0
    assert capsys.readouterr() == ("", "")


def test_setup_refuses_what_is_no_micropython(bin_folder, monkeypatch, capsys):
    monkeypatch.setenv("MICROPYTHON", str(make_program(bin_folder / "another", says="hello")))
    assert interpreters.main() == 1
    assert capsys.readouterr().err.endswith("another is no MicroPython.\n")
