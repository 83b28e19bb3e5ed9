"""Short names of the lean code stand for several things, where no module and no object can tell; texts go with the
modules that say them."""

import ast

import pytest

from host_tools.virtual.loose_texts import loosen
from host_tools.virtual.share_names import IN_ROM, share
from tests.host_tools.rom_names import count_new

ONE = """
class TA:
    def __init__(self):
        self.TB = 1
        self._a = 2
    def TC(self):
        return self.TB + self._a
def TD(x):
    return TA().TC() + x
"""
TWO = """
from one import TD
class TE:
    def TF(self):
        self._a = 3
        return TD(self._a)
"""
THREE = """
from two import TE
def TG():
    return TE().TF() + TE()._b
"""


def named(texts, kept=(), foreign=()):
    found = share(texts, kept, set(foreign))
    return found, {name: list_said(text) for name, text in found.items()}


def list_said(text):
    return {getattr(node, field) for node in ast.walk(ast.parse(text)) for field in ("id", "attr", "name")
            if isinstance(getattr(node, field, None), str)} - {"self", "x", "__init__", "one", "two"}


def play(texts):
    """What the last of the modules finds, each behind those that it imports."""
    modules = {}
    for name, text in texts.items():
        scope = {"__builtins__": {"__import__": lambda name, *_: modules[name], "__build_class__": __build_class__},
                 "__name__": name}
        exec(text, scope)
        modules[name] = type(name, (), {key: staticmethod(value) if callable(value) and not isinstance(value, type)
                                        else value for key, value in scope.items()})
    return modules


def test_a_name_is_used_again_where_nothing_says_both():
    found, said = named({"one": ONE, "two": TWO})
    everything = said["one"] | said["two"]
    assert len(everything) < len(list_said(ONE) | list_said(TWO)) and everything <= set(IN_ROM)
    modules = play(found)
    (taken,) = [node.name for node in ast.parse(found["two"]).body if isinstance(node, ast.ClassDef)]
    (asked,) = [node.name for node in ast.walk(ast.parse(found["two"])) if isinstance(node, ast.FunctionDef)]
    assert getattr(getattr(modules["two"], taken)(), asked)() == 6


def test_names_of_kin_stay_apart():
    """An object of a derived class has what both modules say of it."""
    base = "class TA:\n    def __init__(self):\n        self.TB = self._a = 1\n    def TC(self):\n        return 1"
    derived = "from one import TA\nclass TD(TA):\n    def TE(self):\n        self.TF = self._a + self._b"
    found, said = named({"one": base, "two": derived})
    assert len(said["one"] | said["two"]) == len({"TA", "TB", "TC", "TD", "TE", "TF", "_a", "_b"})


def test_some_names_stay():
    """What is set from outside, what a text says, what others know, what a computer asks for."""
    found, said = named({"one": ONE, "two": TWO, "four": "def TH(x):\n    x.TZ = 'TB'\n    x.TY()\ndef _c():\n    pass",
                         "asked": "def TX():\n    return _d\n_d = 1"}, kept=("asked",), foreign=("TY",))
    assert {"TZ", "TY"} <= said["four"] and "_c" not in said["four"] and "TB" in said["one"]
    assert said["asked"] == {"TX", "_d"}


@pytest.mark.micropython
def test_the_first_names_cost_nothing():
    assert len(set(IN_ROM)) == len(IN_ROM) > 90 and count_new(IN_ROM) == 0


BRIEF = '''
def ask(name):
    """A docstring."""
    found = ["no", "a text of more letters", ("on", "off"), f"is {name}", getattr(name, "file"), "stay"]
    return found + [name % ("x", name)]
'''


def test_a_text_that_a_brief_module_says_goes_with_it():
    """Not one that another module says, nor what becomes a name anyway; the module finds the same."""
    found = loosen({"b_toy": BRIEF, "g_toy": "WORD = 'stay'"}, ())
    assert "('no',)[0]" in found["b_toy"] and found["b_toy"].count(",)[0]") == 2, found
    assert found["g_toy"] == "WORD = 'stay'"
    name = type("Name", (), {"file": 1, "__mod__": lambda self, told: told[:1], "__str__": lambda self: "n"})()
    results = []
    for text in (BRIEF, found["b_toy"]):
        scope = {}
        exec(text, scope)
        results.append(scope["ask"](name))
    assert results[0] == results[1]
