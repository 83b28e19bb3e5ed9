"""The lean image: short names where no other module, computer or record can tell, and no assert is lost."""

import ast

import pytest

from host_tools.virtual import lean
from host_tools.virtual.constants import read_constants
from host_tools.virtual.image import FIRMWARE, keep_asserts
from host_tools.virtual.lean import Source, plan, rename
from tests.host_tools.rom_names import count_new

ONE = """
from micropython import const
_LIMIT = const(8)
SHOWN = const(1)
_rows = []
shown = None
class Base:
    def __init__(self, size, parts):
        self._size = size
        self.parts = parts
    def _grow(self, amount, by=1):
        self._size += amount * by
        return [amount for size in _rows if "_grow" and shown]
"""
TWO = """
from cardtable.one import Base, SHOWN
def take(_rows, amount):
    return _rows._count + amount
class Wrong(ValueError):
    pass
class Derived(Base):
    def turn(self, times):
        self._size = self._times = times
        self._grow(times, by=2)
"""


def make(folder):
    room = folder / "cardtable"
    room.mkdir()
    (room / "one.py").write_text(ONE)
    (room / "two.py").write_text(TWO)
    return {path.stem: names for path, names in plan(folder).items()}


def test_what_only_one_module_knows_gets_a_short_name(tmp_path):
    """Not a private constant, which the compiler forgets; not a name that a text says, an error, or a keyword. A public
    constant becomes private."""
    names = make(tmp_path)
    assert set(names["one"]) == {"_rows", "_size", "size", "amount", "SHOWN", "shown", "parts", "Base"}
    assert names["one"]["SHOWN"][0] == "_"
    assert "_LIMIT" not in names["one"] and "_grow" not in names["one"]
    assert names["one"]["Base"] == names["two"]["Base"] and "Derived" in names["two"] and "Wrong" not in names["two"]
    assert names["two"]["_size"] == names["one"]["_size"], "both are of one object"
    assert len(set(names["two"].values())) == len(names["two"])
    text = rename(ONE, names["one"])
    assert text.count("\n") == ONE.count("\n") and "def _grow(self" in text and "_LIMIT = const(8)" in text
    ast.parse(text)


def test_names_are_the_same_wherever_the_firmware_lies(tmp_path):
    """Also below folders that are called as something in it: two builds of a release are the same bytes."""
    one, other = tmp_path / "somewhere", tmp_path / "parts" / "times" / "_grow"
    one.mkdir()
    other.mkdir(parents=True)
    assert make(one) == make(other)


@pytest.mark.micropython
def test_no_name_becomes_short_that_micropython_knows():
    """Such a name may be one of its own modules'; and it costs nothing, for it lies in the ROM."""
    constants = read_constants(FIRMWARE)
    sources = [Source(path, FIRMWARE, path.read_text(), constants) for path in sorted(FIRMWARE.rglob("*.py"))]
    names = {name for name in lean._find_private(sources) | lean._find_public(sources) if name[0] != "_"}
    assert len(names) > 700
    assert count_new(names) == len(names)


def test_every_file_of_the_firmware_compiles_to_the_same_but_for_names():
    """Each name becomes one that the file does not have, and no two become the same."""
    constants = read_constants(FIRMWARE)
    for path, names in plan(FIRMWARE).items():
        text = path.read_text()
        source = Source(path, FIRMWARE, text, constants)
        assert len(set(names.values())) == len(names) and not set(names.values()) & source.tokens, path
        assert rename(rename(text, names), {new: name for name, new in names.items()}) == text, path
        assert keep_asserts(text).count("raise AssertionError") == sum(
            isinstance(node, ast.Assert) for node in ast.walk(ast.parse(text))), path


def test_an_assert_is_kept():
    assert keep_asserts("def f(a):\n    assert a < 8 or not a\n") == (
        "def f(a):\n    if not (a < 8 or not a): raise AssertionError\n")


def test_texts_make_no_names():
    """A name that a text may say stays (lean.py): so nothing asks for one that is put together, but modules, drivers of
    a board, the words of a game's set-up, keys of a record's header and MicroPython's own modules."""
    asking = ("getattr", "setattr", "delattr", "hasattr")
    found = {(path.relative_to(FIRMWARE / "cardtable").as_posix(), ast.unparse(node.args[1]))
             for path in FIRMWARE.rglob("*.py") for node in ast.walk(ast.parse(path.read_text()))
             if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in asking
             and not isinstance(node.args[1], ast.Constant)}
    assert found == {
        ("rooms.py", "room"), ("rooms.py", "name"), ("rooms.py", "last"), ("catalogue.py", "word"),
        ("engine/reading.py", "key"), ("between/wiring.py", "chip[0].upper() + chip[1:]"),
        ("between/what_runs.py", "name")}
