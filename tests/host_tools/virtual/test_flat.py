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
from host_tools.virtual.merge import GROUPS, SELDOM, merge

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


def test_a_number_is_said_and_has_no_name():
    """What is bound twice, asked for as a module's, or said by a text keeps its name."""
    found = merge({"b_keys": "SIZE = 7\nASKED = 8\nSAID = 9\ntwice = 1\ntwice = 2\n_a = 3 + 4\nIS = False\n"
                             "def take(x):\n    return x + SIZE + ASKED + _a + twice",
                   "b_files": "from b_keys import SIZE, take\nimport b_keys as keys\n"
                              "x = take(SIZE), keys.ASKED, getattr(keys, 'SAID')"})
    keys = run(found["b_keys"])
    assert not {"SIZE", "_a"} & set(keys) and {"ASKED", "SAID", "IS"} < set(keys) and keys["twice"] == 2
    asked = type("Keys", (), {**keys, "take": staticmethod(keys["take"])})
    assert run(found["b_files"], b_keys=asked)["x"] == (31, 8, 9)
    assert "import take" in found["b_files"]


def test_what_only_a_set_up_asks_for_goes_to_it():
    """A function that what comes for a moment alone imports stands there."""
    found = merge({"e_state": "_names = ['a']\ndef find(x):\n    return _names[x]\ndef both(x):\n    return x",
                   "b_keys": "from e_state import find, both\ny = find(0) + both('b')",
                   "main": "from e_state import both"})
    whole = run(found["t_table"])
    assert "find" not in whole and "both" in whole
    assert run(found["b_keys"], t_table=type("Whole", (), {**whole, "both": staticmethod(whole["both"])}))["y"] == "ab"


GAME = """from e_plain import marks, due
_rank = [2, 3]
def setup(state):
    return helps(state) + _rank[0]
def helps(x):
    return x + 1
def losers(x):
    return 5
def judge(x):
    return losers(x)
"""


def test_what_a_game_is_seldom_asked_for_lies_apart():
    """With what only that calls; what the game itself asks for stays, and both modules have it."""
    found = merge({"g_toy": GAME, "e_plain": "def marks(x):\n    return x\ndef due(x):\n    return 0",
                   "e_match": "def ask(game, x):\n    return game.setup(x), game.losers(x), game.marks(x), game.due(x)",
                   "main": "def look(game):\n    return game.due(0), game.judge(0)"}, ("setup", "losers", "marks"))
    plain = {name: staticmethod(one) for name, one in run(found["e_game"]).items() if name in ("marks", "due")}
    game = run(found["g_toy"], e_game=type("Plain", (), plain))
    assert {"judge", "losers", "due"} < set(game) and not {"setup", "helps", "marks"} & set(game)
    toy = type("Toy", (), {"__name__": "g_toy", **{name: staticmethod(game[name]) for name in ("losers", "due")},
                           "_rank": game["_rank"]})
    toy.__name__ = "g_toy"
    end = run(found["g_toy_end_setup"], e_game=type("Plain", (), plain), g_toy=toy)
    ask = run(found["e_match"], g_toy_end_setup=type("End", (), {
        name: staticmethod(end[name]) for name in ("setup", "losers", "marks")}))["ask"]
    assert ask(toy, 7) == (10, 5, 7, 0)


@pytest.mark.parametrize("name", SELDOM)
def test_every_game_has_what_it_is_seldom_asked_for_apart(lean, name):
    """And the one module that asks looks for it there."""
    _, texts = lean
    (short,) = find_short(texts, "games/durak.py", name)
    ends = [text for module, text in texts.items() if module.endswith("_end_setup")]
    assert len(ends) == len([module for module in texts if module[:2] == "g_" and not module.endswith("_setup")]) == 4
    assert all(short in list_bound(text) for text in ends)
    asking = [module for module, text in texts.items() if f"__import__(game.__name__ + '_end_setup').{short}(" in text]
    assert asking == ["e_setup" if name == "setup" else "e_match"]


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
    with pytest.raises(ValueError, match="b_keys: r_seal is loaded as a whole"):
        merge({**PARTS, "b_keys": "x = __import__('r_seal')"})
    with pytest.raises(ValueError, match="r_seal: _c is a parameter"):
        merge({**PARTS, "r_seal": "def _c(x):\n    return x\ndef take(_c):\n    return _c"})
    own = "def _c(x):\n    return x\n"  # it becomes another name, because the journal has it, too
    for text, why in (("def take():\n    try:\n        pass\n    except OSError as _c:\n        return _c.args",
                       "_c is what an `except` caught"),
                      ("def take():\n    def _c(x):\n        return 3\n    return _c(1)", "_c within take"),
                      ("def take():\n    class _c:\n        pass\n    return _c", "_c within take"),
                      ("def take():\n    _c = 1\n    def put():\n        nonlocal _c\n        _c = 2",
                       "_c is nonlocal")):
        with pytest.raises(ValueError, match=f"r_seal: {why}"):
            merge({**PARTS, "r_seal": own + text})


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


def test_a_lean_image_that_is_there_is_not_reckoned_again(monkeypatch, tmp_path):
    """That takes seconds, for each board and process. It is where something has changed, is missing or cut, or lies
    there besides."""
    made = []

    def make_it(firmware, contents):
        made.append(len(contents))
        return {Path("main.mpy"): b"print(1)", Path("words.txt"): b"words"}

    def build():
        image.build("virtual", tmp_path / "lean", firmware, is_lean=True)
        assert sorted(path.name for path in (tmp_path / "lean").iterdir() if path.name[0] != ".") == [
            "main.mpy", "words.txt"]
        return len(made)

    firmware = tmp_path / "firmware"
    firmware.mkdir()
    (firmware / "main.py").write_text("print(1)\n")
    monkeypatch.setattr(image, "make_lean", make_it)
    monkeypatch.setattr(image.flat, "lay_out", lambda wanted: wanted)
    assert [build(), build()] == [1, 1]
    (tmp_path / "lean" / "foreign.txt").write_text("")
    assert [build(), build()] == [2, 2]
    (tmp_path / "lean" / "main.mpy").unlink()
    assert [build(), build()] == [3, 3]
    (firmware / "main.py").write_text("print(2)\n")
    assert [build(), build()] == [4, 4]
    (firmware / "loader.py").write_text("SAYS = 'a name that stays'\n")  # in no image, and its words keep their names
    assert [build(), build()] == [5, 5]
    (tmp_path / "lean" / ".stamps.json").write_text("{")
    assert [build(), build()] == [6, 6]
    (tmp_path / "lean" / "words.txt").write_bytes(b"")  # a power cut
    assert [build(), build()] == [7, 7] and (tmp_path / "lean" / "words.txt").read_bytes() == b"words"


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


def find_short(texts, path, name) -> set[str]:
    """What a function of the firmware is called in the lean code, which keeps its docstring."""
    told = {one.name: ast.get_docstring(one) for one in ast.parse((FIRMWARE / "cardtable" / path).read_text()).body
            if isinstance(one, ast.FunctionDef)}[name]
    return {one.name for text in texts.values() for one in ast.walk(ast.parse(text))
            if isinstance(one, ast.FunctionDef) and ast.get_docstring(one) == told is not None}


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
    short = {name: find_short(lean[1], path, name).pop() for path, name in (
        ("between/profiles.py", "list_all_games"), ("between/profiles.py", "list_shipped"), ("rooms.py", "forget"))}
    script.write_text(OUTSIDE.format(folder=str(lean[0]), **short))
    done = subprocess.run([find_micropython(), script], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [
        "True ['bailiff', 'cals-bs', 'durak', 'malice'] True", "[] True True"], done.stdout + done.stderr
