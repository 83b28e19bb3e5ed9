"""What MicroPython lacks and what the engine does without, each in one line that has to be found."""

import pytest

from tests.tidy.language import check_judges, check_language

APP = "firmware/cardtable/play/toy.py"
GAME = "firmware/cardtable/games/toy.py"


@pytest.mark.parametrize(
    "source",
    [
        "match x:\n    case 1: pass",
        "def f(a, /): pass",
        "lambda a, /: a",
        "x = [*a, *b]",
        "x = (*a, 1)",
        "x = {*a}",
        "x = {**a}",
        "async def f():\n    return [x async for x in y]",
        "class A(B, metaclass=C): pass",
        "try:\n    pass\nexcept* OSError:\n    pass",
        "x[::2] = y",
        "x = text[::-1]",
        "name.zfill(3)",
        "name.ljust(3)",
        "name.rjust(3)",
        "name.removeprefix('a')",
        "name.title()",
        "n.bit_length()",
        "sum(x, start=1)",
        "zip(a, b, strict=True)",
        "int.from_bytes(b, byteorder='little')",
        "n.to_bytes(2, byteorder='little')",
        "print(1, flush=True)",
        "try:\n    pass\nexcept FileNotFoundError:\n    pass",
        "raise TimeoutError",
        "f.__doc__",
        "isinstance(x, int | str)",
    ],
)
def test_what_micropython_lacks(source):
    found = check_language(APP, source)
    assert len(found) == 1 and found[0].text.startswith("MicroPython")
    assert check_language("host_tools/virtual/toy.py", source) == []


@pytest.mark.parametrize(
    "source",
    [
        "first, *rest = cards",
        "f(*cards, **options)",
        "x = {'a': 1}",
        "x = cards[2:4]",
        "sum(x)",
        "n.to_bytes(2, 'little')",
        "print(1, end='')",
        "def f(a: int | None, *, b: int) -> 'list[int]': pass",
        "isinstance(x, (int, str))",
        "except_title = title",
    ],
)
def test_what_micropython_has(source):
    assert check_language(APP, source) == []


@pytest.mark.parametrize("path", [APP, GAME, "firmware/main.py", "boards/toy.py", "host_tools/virtual/shims/toy.py"])
def test_every_file_of_the_device_is_asked(path):
    assert len(check_language(path, "x = {**a}")) == 1


@pytest.mark.parametrize(
    "source",
    [
        "x = 1.0",
        "x = 1e3",
        "x = a / b",
        "x /= 2",
        "x = float(y)",
        "print(x)",
        "open('x')",
        "for x in seats.items(): pass",
        "for x in {1, 2}: pass",
        "x = [y for y in {1, 2}]",
        "x = list(seats.keys())",
        "seats.popitem()",
    ],
)
def test_what_a_judge_does_without(source):
    assert len(check_judges(GAME, source)) == 1
    assert len(check_judges("firmware/cardtable/engine/toy.py", source)) == 1
    assert check_judges(APP, source) == []


@pytest.mark.parametrize(
    "source",
    ["x = a // b", "x = 10", "for x in sorted(seats.items()): pass", "n = len(seats.keys())", "2 in {1, 2}"],
)
def test_what_a_judge_may_use(source):
    assert check_judges(GAME, source) == []


def test_a_finding_names_its_line():
    assert str(check_judges(GAME, "x = 1\ny = x / 2\n")[0]) == f"{GAME}:2: true division gives a float: x / 2"
