"""No circle of files, no import upward; and that such ones would be found."""

from tests.conftest import ROOT
from tests.tidy import count


def test_no_files_import_each_other_and_no_wing_what_stands_above_it():
    graph = count.draw()
    assert len(graph) > 400 and "host_tools.sight.scene" in graph["host_tools.sight.viewer"]
    assert count.find_circles(graph) == []
    assert count.find_upward(graph) == []


def test_the_design_prints_these_figures():
    rows = [row for row in count.tell_figures(count.draw()) if not row.startswith("|---")]
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8").splitlines()
    assert [row for row in rows if row not in page] == [], "python -m tests.tidy.count prints them anew"


def test_circles_are_found_also_those_of_types_and_late_ones():
    names = {"a", "b", "c.d", "e"}
    sources = {
        "a": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import b",
        "b": "def f():\n    from c.d import g",
        "c.d": "import a, sys",
        "e": "import a",
    }
    graph = {name: count.imports_of(name, source, names) for name, source in sources.items()}
    assert count.find_circles(graph) == [["a", "b", "c.d"]]
    assert count.find_circles({**graph, "c.d": set()}) == []


def test_arrows_and_what_leads_up_are_counted_between_wings():
    graph = {"host_tools.base.x": {"host_tools.play.y"}, "host_tools.play.y": {"host_tools.play.z", "cardtable.engine"},
             "host_tools.play.z": {"host_tools.base.x"}}
    assert count.find_arrows(graph) == {("base", "play"), ("play", "base")}
    assert count.find_upward(graph) == ["host_tools.base.x imports host_tools.play.y"]
