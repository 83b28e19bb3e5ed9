"""A site is the same bytes wherever it is made: in a file of its own, because two take as long as a release."""

import os
import sys

import pytest

from host_tools.lab.release.archives import list_files
from tests.conftest import ROOT
from tests.host_tools.test_release import run


@pytest.mark.npm
@pytest.mark.everything  # two whole sites
def test_two_sites_on_two_paths_are_the_same_bytes(tmp_path):
    """By `make site`'s command, each in a clone of its own that has made nothing before."""
    made = []
    for clone in (tmp_path / "here", tmp_path / "far away" / "there"):
        run("git", "clone", "--quiet", "--shared", ROOT, clone, folder=ROOT)
        run(sys.executable, "-m", "host_tools.cli", "site", clone / "site", folder=clone,
            PYTHONPATH=os.pathsep.join([str(clone), str(clone / "firmware")]))
        made.append(dict(list_files(clone / "site")))
    assert made[0].keys() == made[1].keys() and len(made[0]) > 150
    assert [name for name in made[0] if made[0][name] != made[1][name]] == []
