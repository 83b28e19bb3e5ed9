"""What is called at one place stands there in the lean code, and does the same in the same order."""

import ast
import os
import shutil
import subprocess
import sys

import pytest

from cardtable.catalogue import find_game
from host_tools.judge import situations
from host_tools.maker.new_record import write_play
from host_tools.virtual.fold_in import fold_in
from host_tools.virtual.image import FIRMWARE
from host_tools.virtual.lean import WORD
from tests.conftest import ROOT
from tests.patience import PATIENCE_S

GAMES = ("durak", "cals-bs", "bailiff", "malice")


def run(text: str, **scope):
    exec(text, scope)
    return scope


def fold(text: str, **others: str) -> str:
    return fold_in({"m": text, **others}, ())["m"]


def count_functions(text: str) -> int:
    return sum(isinstance(node, ast.FunctionDef) for node in ast.walk(ast.parse(text)))


# Each with a function that is called once, and what `ask` is asked.
FOLDED = {
    "a statement with early ends": """
def _note(x, by=2):
    if x > 3:
        seen.append(by)
        return
    if x:
        return seen.append(-x)
    seen.append(0)
def ask(x):
    _note(x)
    return list(seen)
""",
    "what is given back": """
def _find(x):
    twice = x * 2
    return twice + 1
def ask(x):
    return _find(x)
""",
    "what falls off its end": """
def _find(x):
    if x > 2:
        return x
def ask(x):
    twice = x * 2
    if x:
        return _find(twice)
    return twice
""",
    "a value with a variable of the same name in both": """
def _find(x):
    y = x + 1
    x = y * 2
    return x
def ask(x):
    y = 7
    z = _find(x + 1)
    return x, y, z
""",
    "a loop that is left": """
def _find(x):
    for one in (1, 2, 3):
        if one == x:
            if seen:
                return 0
            return one * 10
        seen.append(one)
    return -1
def ask(x):
    found = _find(x)
    return found, seen
""",
    "what an `if` asks first": """
def _is_odd(x):
    if x == 4:
        return True
    return x % 2 == 1
def ask(x):
    if not _is_odd(x) and seen == []:
        return "even"
    elif x > 2:
        return "much"
    return "odd"
""",
    "one expression anywhere": """
def _half(x):
    return x // 2 if x else len(seen)
def ask(x):
    return [one for one in range(9) if one > _half(x)] + [lambda: x][0:0]
""",
    "a variable that a function within moves": """
def _add(y, move):
    return move() + y
def ask(x):
    y = x
    def move():
        nonlocal y
        y = 50
        return 1
    return _add(y, move)
""",
    "a method": """
class Table:
    def __init__(self, x):
        self._x = x
    def _add(self, y, z=5):
        self._x += y * z
        return self._x
    def ask(self):
        was = self._x
        now = self._add(z=was, y=2)
        return was, now
def ask(x):
    return Table(x).ask()
""",
}


@pytest.mark.parametrize("what", FOLDED)
def test_what_is_called_once_stands_where_it_was_called(what):
    text = FOLDED[what]
    new = fold(text)
    assert count_functions(new) == count_functions(text) - 1, new
    for x in range(6):
        assert run(new, seen=[])["ask"](x) == run(text, seen=[])["ask"](x), (x, new)
        assert run(new, seen=[8])["ask"](x) == run(text, seen=[8])["ask"](x), (x, new)


STAYS = {
    "it is called twice": """
def _f(x):
    return x
def ask(x):
    return _f(x) + _f(1)
""",
    "it is handed on": """
def _f(x):
    return x
def ask(x):
    return list(map(_f, [x]))
""",
    "it calls itself": """
def _f(x):
    return _f(x - 1) if x > 0 else 1
""",
    "a call that may not come": """
def _f(x):
    seen.append(x)
    return x
def ask(x):
    return x and _f(x)
""",
    "something else comes first": """
def _f():
    seen.append(2)
    return 1
def ask(x):
    return seen.pop() + _f()
""",
    "each turn of a loop asks": """
def _f(x):
    x -= 1
    return x
def ask(x):
    while _f(x) > 0:
        x -= 1
""",
    "an end within `try`": """
def _f(x):
    try:
        return int(x)
    finally:
        seen.append(1)
def ask(x):
    y = _f(x)
    return y
""",
    "a loop that breaks": """
def _f(x):
    for y in x:
        if y:
            break
        if x:
            return 1
    return 2
def ask(x):
    y = _f(x)
    return y
""",
    "its name is a text": """
def _f(x):
    return x
def ask(x):
    return (_f(x), '_f')
""",
    "a name of the module is a variable there": """
def _f():
    return size
def ask(size):
    return _f()
size = 3
""",
    "another class is derived": """
class A:
    def _f(self):
        return 1
    def ask(self):
        return self._f()
class B(A):
    def _f(self):
        return 2
""",
    "another object is asked": """
class A:
    def _f(self):
        return 1
    def ask(self, other):
        return other._f()
""",
    "a name that others move is read before": """
count = 0
def bump():
    global count
    count += 1
    return count
def _f(x):
    y = bump()
    return y + x
def ask(x):
    return count + _f(x) + bump()
""",
    "it imports what is a name of the module": """
from math import pi
def _f(x):
    from math import e as pi
    x += 1
    return pi * x
def ask(x):
    y = pi
    z = _f(x)
    return y, z
""",
    "a generator reads its variables later": """
def _f(x):
    return (x + y for y in seen)
def ask(x):
    z = x
    found = _f(z)
    z = 100
    return list(found)
""",
    "it is a coroutine": """
async def _f():
    return 1
def ask(run):
    return run(_f())
""",
}


@pytest.mark.parametrize("why", STAYS)
def test_what_cannot_be_said_plainly_stays(why):
    assert fold(STAYS[why]) == ast.unparse(ast.parse(STAYS[why])) + "\n"


def test_what_others_ask_for_stays():
    text = "def take(x):\n    return x\ndef ask(x):\n    return take(x)"
    assert count_functions(fold(text)) == 1
    for other in ("from m import take", "def see(m):\n    return m.take", "NAMES = ('take',)"):
        assert count_functions(fold(text, other=other)) == 2, other
    assert count_functions(fold_in({"m": text}, ("take",))["m"]) == 2, "a computer may ask for it"
    text = "class A:\n    def take(self):\n        return 1\n    def ask(self):\n        return self.take()"
    assert count_functions(fold(text)) == 1
    for other in ("def see(one):\n    return one.take()", "class C:\n    def take(self):\n        return 2"):
        assert count_functions(fold(text, other=other)) == 2, other


def test_a_coroutine_is_folded_into_one():
    text = "async def _f(x):\n    await wait()\n    return x\nasync def ask(x):\n    y = await _f(x)\n    return y"
    assert fold(text).count("async def") == 1 and "await wait()" in fold(text)


# Of each game and seed the record of a random game, attempts that are refused included.
PLAY = """import sys
from host_tools.base import on_host
on_host.prepare()
import cardtable
from tests.host_tools.virtual.test_fold_in import digest
assert cardtable.__file__.startswith(sys.argv[1]), cardtable.__file__
print(digest(int(sys.argv[2])))
"""


def digest(seeds: int) -> str:
    """Every event, verdict and result of that many random games of each kind, any preset and options."""
    return "".join(write_play(situations.start_game(find_game(name), seed), seed) for seed in range(seeds)
                   for name in GAMES)


@pytest.mark.parametrize("seeds", [6, pytest.param(60, marks=pytest.mark.everything)])
def test_every_game_judges_the_same_when_its_rules_are_folded(seeds, tmp_path):
    """Engine and games as they are, folded, under CPython: the same random games, event by event and refusal by
    refusal."""
    firmware = shutil.copytree(FIRMWARE, tmp_path / "firmware", ignore=shutil.ignore_patterns("__pycache__"))
    files = {".".join(path.relative_to(firmware).with_suffix("").parts): path for path in firmware.rglob("*.py")
             if path.parent.name in ("engine", "games")}
    texts = {name: path.read_text() for name, path in files.items()}
    asked = {word for room in (ROOT / "host_tools", firmware) for path in room.rglob("*.py")
             if path not in files.values() for word in WORD.findall(path.read_text())}
    folded = fold_in(texts, asked)
    gone = sum(map(count_functions, texts.values())) - sum(map(count_functions, folded.values()))
    assert gone > 50, gone
    for name, path in files.items():
        path.write_text(folded[name])
    paths = os.pathsep.join(map(str, (firmware, ROOT)))
    done = subprocess.run([sys.executable, "-c", PLAY, str(firmware), str(seeds)], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": paths, "CARDTABLE_PURE": "1"}, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip() == digest(seeds).strip()
