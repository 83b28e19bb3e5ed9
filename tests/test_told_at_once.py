"""A failing test is named while others still run, with one process and with several."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT

TOY = """
    def test_bad():
        assert 1 == 2, "one is not two"

    def test_good():
        pass
"""


@pytest.mark.parametrize("processes", ["-pno:xdist", "-n1"])
def test_it_is_named_before_the_end(tmp_path, processes):
    (tmp_path / "conftest.py").write_text(
        f'import sys\nsys.path.insert(0, {str(ROOT)!r})\npytest_plugins = ("tests.told_at_once",)\n')
    (tmp_path / "test_toy.py").write_text("\n".join(line[4:] for line in TOY.splitlines()))
    asked = [sys.executable, "-m", "pytest", "-pno:cacheprovider", f"--rootdir={tmp_path}", processes, "-q", "."]
    said = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True).stdout
    named = said.index("call of test_toy.py::test_bad: AssertionError: one is not two")
    assert named < said.index("1 failed, 1 passed")
    assert named < said.index("FAILURES")
