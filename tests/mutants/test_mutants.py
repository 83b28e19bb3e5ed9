"""The mutation run on a toy of one function: what it finds, what it says, how it ends."""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.conftest import ROOT
from tests.mutants import campaign
from tests.mutants.changes import Source, find_code
from tests.mutants.cover import Map
from tests.mutants.explained import find_stale, load, read_explained

TOY = '''
def judge_number(number, seats):
    if number < 1:
        return 3
    if number > seats and seats:
        return 4
    while number > 100:
        number -= 1
    return 0
'''
TESTS = '''
import sys
sys.path.insert(0, {folder!r})
import toy

def test_low():
    assert toy.judge_number(0, 2) == 3 and toy.judge_number(1, 2) == 0

def test_high():
    assert toy.judge_number(2, 2) == 0 and toy.judge_number(3, 2) == 4 and toy.judge_number(9, 0) == 0

def test_endless():
    assert toy.judge_number(102, 0) == 0
'''
LIVES = (
    "while number > 100 -> while number >= 100", "while number > 100 -> while number > 101",
    "while number > 100 -> while number > 99", "number -= 1 -> number -= 2",
)
EXPLAINED = "toy.py judge_number\n{change}\nThe loop changes nothing that is returned.\n"


def run_on_toy(folder, tests: str, explained: str, *words: str) -> tuple[int, str]:
    """How the command ends, and what it prints."""
    (folder / "toy.py").write_text(TOY)
    (folder / "test_toy.py").write_text(tests.format(folder=str(folder)))
    (folder / "explained.txt").write_text(explained)
    done = subprocess.run(
        [
            sys.executable, "-m", "tests.mutants", str(folder / "toy.py"), "--tests", str(folder / "test_toy.py"),
            "--explained", str(folder / "explained.txt"), "--kept", str(folder / "kept"), *words,
        ],
        cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    return done.returncode, done.stdout


def test_survivors_are_listed_with_their_tests_and_fail_the_run(tmp_path):
    """All but the loop is killed, an endless loop by its bound; a test that is gone lets its mutants live."""
    code, text = run_on_toy(tmp_path, TESTS, "", "--kind", "compare", "--kind", "branch", "--kind", "deleted")
    assert code == 1 and "6 mutants: 5 killed (83.3 %), 0 explained, 1 live unexplained" in text, text
    assert f"toy.py:7 judge_number: {LIVES[0]}\n    lives through " in text and "::test_endless" in text, text
    tests = TESTS.replace("assert toy.judge_number(0, 2) == 3 and ", "assert 0 == ")
    code, text = run_on_toy(tmp_path, tests, "", "--kind", "branch")
    assert code == 1 and "toy.py:3 judge_number: if number < 1 -> if False\n" in text, text


@pytest.mark.everything
def test_what_is_explained_may_live_and_an_explanation_has_to_fit(tmp_path):
    """An explanation that fits no change, or whose mutant is killed, fails the run."""
    fit = "\n".join(EXPLAINED.format(change=change) for change in LIVES)
    code, text = run_on_toy(tmp_path, TESTS, fit, "--kind", "compare", "--kind", "constant", "--function", "judge_*")
    assert code == 0 and "4 explained, 0 live unexplained" in text, text
    wrong = "if a -> if b", "if number < 1 -> if number <= 1"
    told = "\n".join([fit, *(EXPLAINED.format(change=change) for change in wrong)])
    code, text = run_on_toy(tmp_path, TESTS, told, "--kind", "compare")
    assert code == 1 and "fits no mutant: toy.py judge_number: if a -> if b\n" in text, text
    assert "test_low kills it: take the explanation out" in text, text


def test_every_explanation_fits_a_change_of_today():
    """A source that has changed takes its explanations with it; the long run would say so last."""
    mutants = [mutant for source in campaign.read_sources([]) for mutant in source.mutants()]
    assert find_stale(load(campaign.EXPLAINED), mutants) == []


def test_tests_that_fail_by_themselves_end_the_run(tmp_path):
    """A mutant that is killed by a broken test says nothing."""
    code, text = run_on_toy(tmp_path, TESTS.replace("== 3", "== 5"), "")
    assert code == 1 and "fail without a mutant" in text and "test_low" in text and "0 mutants" in text, text


def test_lines_of_another_file_join_those_that_are_known(tmp_path):
    """A changed test file begins from nothing; a test that fails, or does not come to its end, is named."""
    known = Map(tmp_path / "map.json", "")
    items = [SimpleNamespace(path="test_a.py", nodeid=f"test_a.py::{name}") for name in ("one", "two")]

    def note(digested, file, *tests):
        found = {name: {"cost": 1, "lines": {file: [1]}} for name in tests}
        return known._note("test_a.py", items, {"test_a.py": digested}, {file}, 1, json.dumps(found))

    both = [item.nodeid for item in items]
    assert note("old", "a", *both) == note("old", "b", *both) == []
    assert known._knows("test_a.py", "old", {"a", "b"}, set(both))
    assert not known._knows("test_a.py", "new", {"a"}, set())
    assert known.files["test_a.py"]["tests"][both[0]]["lines"] == {"a": [1], "b": [1]}
    assert note("new", "b", both[0]) == [f"{both[1]} (1)"] and not known._knows("test_a.py", "new", {"a"}, set())
    found = json.dumps({both[0]: None, both[1]: {"cost": 1, "lines": {}}})
    assert known._note("test_a.py", items, {"test_a.py": "new"}, {"a"}, 0, found) == [both[0]]
    assert known._note("test_a.py", items, {"test_a.py": "new"}, {"a"}, 2, "Traceback") == ["test_a.py (Traceback)"]


@pytest.mark.parametrize("text", ['{"everything": "old", "files": {"test_a.py"', "[]", "{}", ""])
def test_a_map_whose_writing_was_cut_off_is_collected_again(tmp_path, text):
    (tmp_path / "map.json").write_text(text)
    assert Map(tmp_path / "map.json", "old").files == {}


def test_a_file_that_is_not_there_is_no_run_without_survivors(capsys):
    """It once ended well: nothing was changed there."""
    with pytest.raises(SystemExit, match="2"):
        campaign.main(["firmware/cardtable/games/no_such"])
    assert "there is no " in capsys.readouterr().err


def test_a_sample_is_the_same_for_a_seed(tmp_path):
    """`--list` shows them and runs nothing."""
    shown = [run_on_toy(tmp_path, TESTS, "", "--list", "--sample", "5", "--seed", seed)[1] for seed in "77"]
    assert shown[0] == shown[1] and shown[0].endswith("\n5 mutants.\n")


@pytest.mark.parametrize(
    ("kind", "line", "change"),
    [
        ("compare", "return a < b", "return a <= b"),
        ("compare", "return 1 <= a <= 2", "return 1 < a <= 2"),
        ("and-or", "return a and b", "return a or b"),
        ("not", "return not a", "return a"),
        ("constant", "b = 4", "b = 5"),
        ("true-false", "return True", "return False"),
        ("arithmetic", "b |= a", "b &= a"),
        ("return", "return a", "return"),
        ("deleted", "a.append(b)", "pass"),
        ("branch", "if a: return b", "if False"),
    ],
)
def test_each_kind_of_change(kind, line, change):
    """What the list of kinds promises, once in a method; the change is in the code that is compiled."""
    text = f"class Toy:\n    def ask(self, a, b):\n        {line}\n"
    source = Source("toy.py", "toy.py", text)
    found = [mutant for mutant in source.mutants() if mutant.kind == kind]
    assert change in [mutant.after for mutant in found] and {mutant.function for mutant in found} == {"Toy.ask"}
    plain = find_code(compile(text, "toy.py", "exec"), "Toy.ask")
    for mutant in found:
        code = source.compile_function(mutant.number)
        assert (code.co_code, code.co_consts, code.co_names) != (plain.co_code, plain.co_consts, plain.co_names)


def test_what_is_never_changed():
    """Texts, `assert`, defaults, annotations, and what stands outside functions."""
    source = Source("toy.py", "toy.py", 'A = 1\ndef ask(a: "x" = 2) -> 3:\n    """Text."""\n    assert a < 4\n')
    assert source.mutants() == []


def test_an_explanation_needs_a_reason():
    """Else it would be a list of what nobody has looked at."""
    with pytest.raises(ValueError, match="toy.py ask"):
        read_explained("toy.py ask\nif a -> if b\n")
