"""docs/port.md has a row for every shim, and shim and row name the same files of MicroPython."""

import ast
import re

import pytest

from tests.conftest import ROOT

SHIMS = ROOT / "host_tools" / "virtual" / "shims"
PORT = "ports/esp32/"  # where a path of the page begins that names no other folder
FILE = re.compile(r"[\w/]+\.(?:c|py)\b")


def read_rows(text):
    """{shim: files of MicroPython that the rows for it name, as whole paths}."""
    rows = {}
    for line in text.splitlines():
        cells = line.split(" | ")
        if not line.startswith("| `") or len(cells) != 3:
            continue
        files = {file if file.startswith(("extmod/", "shared/", "py/")) else PORT + file
                 for file in FILE.findall(cells[1])}
        for shim in FILE.findall(cells[0]):
            rows.setdefault(shim, set()).update(files)
    return rows


ROWS = read_rows((ROOT / "docs" / "port.md").read_text(encoding="utf-8"))


def find_named(text, files):
    """Which of these files a docstring names, by their path or, where it says their folder once, by their names."""
    names = set(FILE.findall(text))
    return {file for file in files for folder, _, name in [file.rpartition("/")]
            if file in names or name in names and folder in text}


@pytest.mark.parametrize("shim", sorted(path.name for path in SHIMS.glob("*.py")))
def test_every_shim_names_what_it_stands_for_and_has_a_row(shim):
    """Somebody who reads either knows which file of the port to compare it with."""
    told = ast.get_docstring(ast.parse((SHIMS / shim).read_text(encoding="utf-8"))) or ""
    assert ROWS.get(shim), f"docs/port.md has no row that says what {shim} stands for"
    assert find_named(told, ROWS[shim]), f"{shim} names none of {sorted(ROWS[shim])}"


def test_every_row_is_of_a_shim():
    """And no row outlives one."""
    assert set(ROWS) == {path.name for path in SHIMS.glob("*.py")}


def test_a_shim_that_names_another_file_is_found():
    """Nor is a file that is named in passing enough."""
    rows = read_rows("| `new.py`, `old.py` | `machine_pin.c`, `extmod/vfs.c` | nothing |\n| `text` | none | - |\n")
    assert rows == {"new.py": {"ports/esp32/machine_pin.c", "extmod/vfs.c"}, "old.py": rows["new.py"]}
    assert find_named("It stands for ports/esp32/machine_pin.c.", rows["new.py"])
    assert not find_named("It stands for uart.c, and is no machine_pin.c.", rows["new.py"])
