"""The asking/acting law, tried on functions that break it and on functions that do not."""

import pytest

from tests.tidy.asking import check_asking

GAME = "firmware/cardtable/games/toy.py"


@pytest.mark.parametrize(
    "source",
    [
        "def judge_show(state): state.register[_PRESSED] = 0",
        "def find_drawer(state):\n    register = state.register\n    register[_DRAWER] = 2",
        "def find_drawer(a, b):\n    register = a.register if a else b.register\n    register[_DRAWER] = 2",
        "def find_drawer(a, b):\n    one, other = a.register, b.register\n    other[_DRAWER] += 2",
        "def is_repeat(self): self.count += 1",
        "def is_alive(self):\n    global alive\n    alive = True",
        "def f():\n    over = 0\n    def is_over():\n        nonlocal over\n        over = 1",
        "def count_seats(self):\n    for seat in self.seats:\n        seat.is_counted = True",
        "def may_open(): sys.path.append(folder)",
        "def has_word(self): del self.words[0]",
        "async def can_play(self): self.tries.clear()",
    ],
)
def test_a_question_that_acts(source):
    assert len(check_asking(GAME, source)) == 1
    assert len(check_asking("host_tools/toy.py", source)) == 1
    assert check_asking("tests/games/test_toy.py", source) == []


@pytest.mark.parametrize(
    "source",
    [
        "def enact_show(state): state.register[_PRESSED] = 0",
        "def find_names(self):\n    names = []\n    names.append(1)\n    names[0] = 2\n    return names",
        "def count_places(where):\n    counts = bytearray(8)\n    for place in where:\n        counts[place] += 1",
        "def is_over(self):\n    result = self.result\n    return result",
        "def find_all(self):\n    return [seat for seat in self.seats]",
    ],
)
def test_a_question_that_only_asks(source):
    assert check_asking(GAME, source) == []
