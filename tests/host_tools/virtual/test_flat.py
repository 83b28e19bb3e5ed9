"""Lean code lies in one folder, some modules in one file: every name is found there, and means the same."""

import ast
import builtins
import subprocess
import symtable
from pathlib import Path

import pytest

from host_tools.base.interpreters import find_micropython
from host_tools.virtual import flat, image
from host_tools.virtual.flat import flatten, lay_out, name_module
from host_tools.virtual.image import FIRMWARE
from host_tools.virtual.lean import plan
from host_tools.virtual.merge import GROUPS, merge

SOURCE = """
from cardtable.between import prompt, archive
from cardtable.drivers.lights import Lights as Strip
from cardtable.rooms import HOME, forget, load
from cardtable.version import RECORD
def run(chip, tags):
    load("between", "wiring").start(tags.load(["one"]))
    forget("between", "engine.setup", "board", "games." + chip, kept=())
    return load("drivers", "select_" + chip)
"""
FLAT = """
import b_prompt as prompt, b_archive as archive
from d_lights import Lights as Strip
from rooms import HOME, forget
from version import RECORD
def run(chip, tags):
    __import__('b_wiring').start(tags.load(["one"]))
    forget('b_', 'e_setup', 'board', 'g_' + chip, kept=())
    return __import__("d_" + "select_" + chip)
"""


def test_each_module_is_said_by_its_flat_name():
    assert flatten(SOURCE) == FLAT
    assert flatten("from cardtable.rooms import load\nload = 2") == "pass\nload = 2"
    with pytest.raises(ValueError, match="line 3: load"):
        flatten("from cardtable.rooms import load\ndef f(room):\n    return load(room, 'wiring')")
    with pytest.raises(ValueError, match="line 2: forget"):
        flatten("from cardtable.rooms import forget\nforget(names)")
    assert flatten("forget(names)") == "forget(names)"


def test_no_two_rooms_begin_with_one_letter():
    rooms = {path.name for path in (FIRMWARE / "cardtable").iterdir() if path.is_dir() and list(path.glob("*.py"))}
    assert rooms == set(flat.ROOMS) and len({room[0] for room in rooms}) == len(rooms)
    for path in (FIRMWARE / "cardtable").rglob("__init__.py"):
        assert all(isinstance(one, ast.Expr) for one in ast.parse(path.read_text()).body), "it would be left out"


def test_what_others_ask_for_lies_there_under_both_names():
    source = Path("archive.py")
    assert lay_out({Path("cardtable/between/archive.mpy"): source, Path("cardtable/between/__init__.mpy"): source,
                    Path("cardtable/words/table.en"): source, Path("main.mpy"): source}) == {
        Path("b_archive.mpy"): source, Path("cardtable/between/archive.mpy"): source,
        Path("cardtable/words/table.en"): source, Path("main.mpy"): source}
    assert flat.hand_on(Path("cardtable/between/archive.mpy")) == "from b_archive import *\n"
    assert flat.hand_on(Path("b_archive.mpy")) is None
    assert name_module("cardtable.version") == "version" and name_module("between") == "b_"


PARTS = {
    "r_journal": "import os\nfrom rooms import CM\n_a = const(3)\n_b = const(_a + 1)\nSIZE = const(7)\ndef _c(x):\n"
                 "    return x + _a\nclass One:\n    def _c(self):\n        return _c(_b), self._a, SIZE, os.name\n",
    "r_seal": "import os as system\nfrom r_journal import One, SIZE as size\ndef _c(x):\n    _a = _b = x\n"
              "    return One, size, _a, CM\ndef take(_d):\n    return _c(_d), system\nfrom rooms import CM\n",
    "b_keys": "from r_seal import _c, take\nx = __import__('r_seal').take(_c)\n",
}


def test_modules_that_become_one_keep_their_names_apart():
    found = merge(PARTS)
    assert set(found) == {"r_record", "b_keys"}  # the other wholes have no part here
    assert "import os\n" in found["r_record"] and found["r_record"].count("from rooms import CM") == 1
    scope = run(found["r_record"])
    one = object.__new__(scope["One"])
    one._a = 5
    assert scope["One"]._c(one)[:3] == (7, 5, 7) and scope["SIZE"] == 7 and "_a" not in scope
    assert scope["take"](8)[0] == (scope["One"], 7, 8, "kept")
    asked = run(found["b_keys"], r_record=type("Whole", (), scope))
    assert asked["x"][0][2] is asked["_c"] and asked["_c"](1)[2] == 1, "the seal's, not the journal's"


def run(text, **modules):
    """What is there once that module was run."""
    class Rooms:
        CM = "kept"

    def find(name, scope=None, *_):
        return __import__(name) if name == "os" else {"rooms": Rooms, **modules}[name]

    scope = {"const": lambda value: value, "__builtins__": {**vars(builtins), "__import__": find}}
    exec(text, scope)
    return scope


def test_what_cannot_become_one_is_said():
    with pytest.raises(ValueError, match="b_keys: r_seal is imported as a whole"):
        merge({**PARTS, "b_keys": "import r_seal as seal"})
    with pytest.raises(ValueError, match="r_seal: _c is a parameter"):
        merge({**PARTS, "r_seal": "def _c(x):\n    return x\ndef take(_c):\n    return _c"})


@pytest.fixture(scope="module")
def lean(tmp_path_factory):
    """The lean image of a board with Wi-Fi, and what each of its modules was made of."""
    texts = {}
    make = image._make_one

    def keep(compiler, source, target, content, is_lean):
        texts[target] = content
        make(compiler, source, target, content, is_lean)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(image, "_make_one", keep)
        folder = image.build("esp32s3_4seat", tmp_path_factory.mktemp("lean"), compiles_main=True, is_lean=True)
    return folder, {path.stem: content.decode() for path, content in texts.items()
                    if path.suffix == ".mpy" and path.parent == folder}


def test_every_name_of_the_lean_code_is_found(lean):
    """Those that a module says as its own, and those that it imports of another."""
    _, texts = lean
    bound = {name: list_bound(text) for name, text in texts.items()}
    assert set(GROUPS) < set(texts) and "n_link" in texts and not {part for parts in GROUPS.values() for part in parts
                                                                    } & set(texts)
    for name, text in texts.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module in texts:
                assert {alias.name for alias in node.names} <= bound[node.module], (name, node.module)
        unknown = list_globals(symtable.symtable(text, name, "exec")) - bound[name] - set(dir(builtins)) - {"const"}
        assert not unknown - {"__file__"}, (name, unknown)


def list_bound(text: str) -> set[str]:
    return {symbol.get_name() for symbol in symtable.symtable(text, "", "exec").get_symbols()
            if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()}


def list_globals(table: symtable.SymbolTable) -> set[str]:
    found = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global() or table.get_type() == "module"}
    return found.union(*(list_globals(child) for child in table.get_children()))


OUTSIDE = """import sys
for name in ("machine", "neopixel"):
    sys.modules[name] = type(name, (), {{"NeoPixel": None}})()  # in a chip's ROM
sys.path[:] = [{folder!r}, ".frozen"]
from cardtable.version import FIRMWARE, RECORD, RULEBOOK
from cardtable.between import archive, prompt
from cardtable.between.health import list_health
archive.mark_pulled, prompt.may_open
from b_profiles import {list_all_games} as list_all_games, {list_shipped} as list_shipped
from rooms import {forget} as forget
print(FIRMWARE != "", list_all_games(), len(list_shipped()) > 3)
forget("b_", kept=("prompt",))
print([name for name in sys.modules if name[:2] == "b_"], bool(prompt.__dict__), bool(archive.__dict__))
"""


@pytest.mark.micropython
def test_a_computer_finds_what_it_asks_a_table_for(lean, tmp_path):
    script = tmp_path / "ask.py"
    short = {name: plan(FIRMWARE)[FIRMWARE / "cardtable" / path][name] for path, name in (
        ("between/profiles.py", "list_all_games"), ("between/profiles.py", "list_shipped"), ("rooms.py", "forget"))}
    script.write_text(OUTSIDE.format(folder=str(lean[0]), **short))
    done = subprocess.run([find_micropython(), script], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [
        "True ['bailiff', 'cals-bs', 'durak', 'malice'] True", "[] True True"], done.stdout + done.stderr
