"""Which tests every change runs, and what a run says of their cost: tried on a toy file by a pytest of its own."""

import json
import os
import re
import subprocess
import sys
import textwrap
from types import SimpleNamespace

import pytest

from tests import cost, left_out
from tests.chosen import pick, take_share
from tests.conftest import ROOT
from tests.load import RUNS, WAITS

CONFTEST = f"""
    import sys
    from pathlib import Path
    sys.path.insert(0, {str(ROOT)!r})
    from tests import cost
    cost.COSTS = Path(__file__).parent / "build" / "test-costs.json"
    cost.DEAREST = 3
    pytest_plugins = ("tests.chosen", "tests.cost")
"""
TOY = """
    import pytest

    def test_always():
        pass

    @pytest.mark.everything
    def test_at_night():
        pass

    @pytest.mark.sampled(4)
    @pytest.mark.parametrize("number", range(9))
    def test_some(number):
        pass

    @pytest.mark.sampled(4)
    @pytest.mark.parametrize("number", range(2))
    def test_one(number):
        pass
"""
ALL = {"test_always", "test_at_night", *(f"test_some[{n}]" for n in range(9)), "test_one[0]", "test_one[1]"}


@pytest.fixture(scope="module")
def run_toy(tmp_path_factory):
    """Run pytest over the toy with these options; gives the names of the tests that ran, and the whole text."""
    folder = tmp_path_factory.mktemp("toy")
    (folder / "conftest.py").write_text(textwrap.dedent(CONFTEST))
    (folder / "test_toy.py").write_text(textwrap.dedent(TOY))

    def run(*options):
        command = [sys.executable, "-m", "pytest", "-vv", "-p", "no:cacheprovider", "--rootdir", folder, *options]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=folder,
            env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        )
        return set(re.findall(r"::(test_\S+) PASSED", done.stdout)), done.stdout + done.stderr

    return run


def test_the_day_and_the_rest_are_all(run_toy):
    day, told = run_toy()
    rest, of_rest = run_toy("--set=rest")
    assert day | rest == ALL and not day & rest
    assert {"test_always"} < day and "test_at_night" in rest
    assert len([name for name in day if name.startswith("test_some")]) == 3
    assert len([name for name in day if name.startswith("test_one")]) == 1
    assert f"{len(rest)} tests of further combinations were left out: make test-all runs them." in told
    assert "left out" not in of_rest


def test_two_processes_leave_out_the_same(run_toy):
    two = ("-p", "xdist", "--numprocesses=2")
    assert len(run_toy("--set=all")[0]) == len(ALL)
    ran, told = run_toy(*two)
    text = re.findall(r"PASSED \S*::(test_\S+)|::(test_\S+) PASSED", told)
    assert {a or b for a, b in text} == run_toy()[0] and "8 tests of further combinations" in told


def test_a_test_that_is_named_runs(run_toy):
    assert run_toy("test_toy.py::test_at_night")[0] == {"test_at_night"}


def test_a_choice_is_the_same_everywhere():
    """By checksum, not by Python's hash, which differs from process to process."""
    names = [f"test[{number}]" for number in range(100)]
    assert pick(names, 10) == pick(names[::-1], 10) and len(pick(names, 10)) == 10
    assert pick(names[:1], 10) == set(names[:1])


def test_runs_in_a_row_share_what_differs_in_parameters_alone_or_only_runs_programs():
    """Each test has run after the last one; one that waits, without parameters, runs in each."""
    busy = dict.fromkeys([*(f"a.py::one[{number}]" for number in range(25)), "a.py::two",
                          *(f"b.py::one[{at}]" for at in range(3))], WAITS)
    busy |= {f"c.py::test_{number}[micropython]": RUNS for number in range(30)}
    runs = [take_share(busy, f"{number}/10") for number in range(1, 11)]
    assert set().union(*runs) == set(busy) == take_share(busy, "1/1")
    assert all("a.py::two" in run and 7 <= len(run) <= 8 for run in runs)


def test_a_run_tells_what_it_will_cost_and_what_it_did(run_toy):
    _, told = run_toy("--set=all")
    assert "13 tests; about half a minute or less on this machine" in told
    assert re.search(r"\d+ s of processor time, \d+ of them in 13 tests", told)


def test_a_whole_run_is_compared_with_the_figure_that_is_kept(tmp_path, monkeypatch):
    """On a machine half as fast twice as much is right; 3 % more have to be accounted for."""
    kept = json.loads(cost.KEPT.read_text())
    assert f"{kept['processor_s']:,}" in (ROOT / "docs" / "benchmarks.md").read_text()
    monkeypatch.setattr(cost, "KEPT", tmp_path / "kept.json")
    cost.KEPT.write_text('{"processor_s": 100, "loop_ms": 10}')
    monkeypatch.setattr(cost, "COMPILED", True)
    monkeypatch.setattr(cost, "calibrate", lambda: 0.02)
    assert cost.weigh(204.0) == "200 s were to be expected here (+2 %)."
    assert cost.weigh(210.0).startswith("200 s were to be expected here: these are 5 % more.")
    assert cost.weigh(150.0) == "200 s were to be expected here (-25 %)."


def test_a_run_from_source_is_compared_with_one_from_source(tmp_path, monkeypatch):
    """It would be told to make its new tests cheaper; what it cost tells a compiled run nothing either."""
    monkeypatch.setattr(cost, "KEPT", tmp_path / "kept.json")
    cost.KEPT.write_text(json.dumps({
        "processor_s": 100, "loop_ms": 10, "files": {"a.py": 9.0}, "rest": {"b.py": 8.0},
        "source": {"processor_s": 160, "loop_ms": 20, "files": {"c.py": 7.0}},
    }))
    assert cost.read_kept(compiled=True)["processor_s"] == 100
    assert cost.read_kept(compiled=False) | {"source": {}} == {
        "processor_s": 160, "loop_ms": 20, "files": {"c.py": 7.0}, "rest": {"b.py": 8.0}, "source": {}}
    asked = "from tests import cost; print(cost.COMPILED, cost.COSTS.name, cost.WHOLE.name)"
    environment = {**os.environ, "CARDTABLE_PURE": "1"}
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert told.stdout == "False test-costs-source.json test-whole-source.json\n", told.stderr


@pytest.mark.parametrize("ran, of, keys", [
    (30, "day", {"rest", "processor_s", "loop_ms", "files"}), (29, "day", {"rest"}),
    (30, "rest", {"rest"}), (30, "", {"rest"}),
])
def test_a_run_that_was_cut_off_is_no_whole_one(tmp_path, monkeypatch, ran, of, keys):
    """Else `--keep` would hold every run after it to the cost of a part. A run of one set leaves the other's."""
    for name in ("COSTS", "WHOLE"):
        monkeypatch.setattr(cost, name, tmp_path / f"{name}.json")
    cost.WHOLE.write_text('{"rest": {"b.py": 2.0}}')
    monkeypatch.setattr(cost, "find_whole", lambda config: of)
    monkeypatch.setattr(cost, "weigh", lambda whole_s: "weighed")
    plugins = SimpleNamespace(get_plugin=lambda name: None)
    config = SimpleNamespace(stash={cost._key: cost.Costs()}, pluginmanager=plugins)
    cost.tell(config, [f"a.py::test[{number}]" for number in range(30)], 1)
    config.stash[cost._key].of_tests = {f"a.py::test[{number}]": 1.0 for number in range(ran)}
    told = []
    cost.pytest_terminal_summary(SimpleNamespace(write_line=told.append), config)
    whole = json.loads(cost.WHOLE.read_text())
    assert whole.keys() == keys and whole["rest"] == ({"a.py": 30.0} if of == "rest" else {"b.py": 2.0})
    assert ("weighed" in told) == ("files" in keys) and len(told) == 1 + ("files" in keys)


def test_the_sum_is_kept_in_both_places_by_one_command(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(cost.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    kept = json.loads(cost.KEPT.read_text())
    for name, path in (("PAGE", page), ("KEPT", tmp_path / "kept.json"), ("WHOLE", tmp_path / "whole.json")):
        monkeypatch.setattr(cost, name, path)
    cost.KEPT.write_text(json.dumps(kept))
    cost.WHOLE.write_text('{"rest": {}}')
    assert cost.keep(True) == "No whole run has ended here: run make test first."
    sums = {"processor_s": 1234, "loop_ms": 9.5, "files": {"a.py": 3.0}}
    cost.WHOLE.write_text(json.dumps(sums))
    assert cost.keep(True) == "1,234 s are kept in kept.json and page.md."
    assert json.loads(cost.KEPT.read_text()) == {**kept, **sums}
    assert "`tests/kept_cost.json` holds the 1,234 s" in page.read_text()
    page.write_text("nothing")
    assert "mend it first" in cost.keep(True)


def test_the_sum_from_source_is_kept_beside_the_other(tmp_path, monkeypatch):
    for name, path in (("KEPT", tmp_path / "kept.json"), ("WHOLE", tmp_path / "whole.json"), ("COMPILED", False)):
        monkeypatch.setattr(cost, name, path)
    compiled = {"processor_s": 100, "loop_ms": 10}
    cost.KEPT.write_text(json.dumps(compiled))
    assert cost.weigh(900.0) == "No whole run from source has been written down to compare it with."
    sums = {"processor_s": 170, "loop_ms": 9.5, "files": {"a.py": 3.0}}
    cost.WHOLE.write_text(json.dumps(sums))
    assert cost.keep(False) == "170 s are kept in kept.json as those from source."
    assert json.loads(cost.KEPT.read_text()) == {**compiled, "source": sums}
    monkeypatch.setattr(cost, "calibrate", lambda: 0.0095)
    assert cost.weigh(170.0) == "170 s were to be expected here (+0 %)."


class Item:
    """Of a collected test what its order hangs on."""

    def __init__(self, nodeid, *marks):
        self.nodeid, self.marks = nodeid, marks

    def get_closest_marker(self, name):
        return name in self.marks


def test_dear_files_come_first_by_what_is_known_here_or_kept(tmp_path, monkeypatch):
    """A fresh clone has the kept figures alone; a browser counts twice; in one process nothing is moved."""
    monkeypatch.setattr(cost, "KEPT", tmp_path / "kept.json")
    monkeypatch.setattr(cost, "COSTS", tmp_path / "costs.json")
    files = cost.sum_files({"c.py::1": 2, "c.py::2": 3, "d.py::1": 3})
    cost.KEPT.write_text(json.dumps({"files": files, "rest": {"b.py": 1.0}}))
    items = [Item("a.py::1"), Item("b.py::1"), Item("c.py::1"), Item("d.py::1", "browser"), Item("c.py::2")]

    def order(config):
        sorted_items = list(items)
        cost.pytest_collection_modifyitems(config, sorted_items)
        return [item.nodeid for item in sorted_items]

    def work(chosen):
        return SimpleNamespace(workerinput={}, getoption=lambda name: chosen)

    worker = work("day")
    assert order(work("rest"))[0] == "b.py::1"
    assert order(worker) == ["d.py::1", "c.py::1", "c.py::2", "a.py::1", "b.py::1"]
    cost.COSTS.write_text('{"b.py::1": 9, "c.py::2": 4, "d.py::1": 1}')
    assert order(worker) == ["b.py::1", "c.py::1", "c.py::2", "d.py::1", "a.py::1"]
    assert order(SimpleNamespace()) == [item.nodeid for item in items]


def test_what_no_test_of_the_day_needs_is_not_asked_by_day(monkeypatch):
    """pip asks PyPI for seconds, and no process of the tests could start before."""
    asked = []

    def there(mark):
        asked.append(mark)
        return True

    monkeypatch.setattr(left_out, "_needs", {})
    left_out.need("near", "", lambda: there("near"), "", "")
    left_out.need("far", "", lambda: there("far"), "", "", by_day=False)
    for chosen, answers in (("day", {"near": True}), ("rest", {"near": True, "far": True})):
        config = SimpleNamespace(stash=pytest.Stash(), getoption=lambda name, default, chosen=chosen: chosen)
        node = SimpleNamespace(config=config, workerinput={})
        left_out.pytest_configure_node(node)
        assert node.workerinput["there"] == answers and sorted(asked) == sorted(answers)
        asked.clear()


def test_costs_that_cannot_be_read_are_none(tmp_path, monkeypatch):
    monkeypatch.setattr(cost, "COSTS", tmp_path / "costs.json")
    for text in ("", "[1]", '{"a": "b"}', "{", '{"a": [1]}'):
        cost.COSTS.write_text(text)
        assert cost.read_costs() == {}


def test_the_dearest_are_listed_with_their_parameters_added_up(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cost, "COSTS", tmp_path / "costs.json")
    cost.COSTS.write_text('{"a.py::one[1]": 1.5, "a.py::one[2]": 1.5, "a.py::two": 1, "a.py::three": 0}')
    cost.show(2)
    assert capsys.readouterr().out.splitlines() == [
        "     4.0 s      4 tests, in all",
        "     3.0 s      2 times  75.0 %  a.py::one",
        "     1.0 s      1 times  25.0 %  a.py::two",
    ]
