"""Two sites made on two paths are the same bytes. The test has a file of its own because a site takes half a minute."""

import os
import shutil
import sys

import pytest

from host_tools.lab.release.archives import list_files
from tests.conftest import ROOT
from tests.host_tools.test_release import run


def make_site(clone, folder):
    """By `make site`'s command."""
    run(sys.executable, "-m", "host_tools.cli", "site", folder, folder=clone,
        PYTHONPATH=os.pathsep.join([str(clone), str(clone / "firmware")]))
    return dict(list_files(folder))


@pytest.mark.npm
@pytest.mark.everything  # a whole site
def test_two_sites_on_two_paths_are_the_same_bytes(tmp_path):
    """One here, with what was fetched and compiled here before, and one in a clone that has made nothing yet."""
    clone = tmp_path / "far away" / "there"
    run("git", "clone", "--quiet", "--shared", ROOT, clone, folder=ROOT)
    for name in run("git", "ls-files", "--modified", "--deleted", "--others", "--exclude-standard", "-z",
                    folder=ROOT).split("\0")[:-1]:
        (clone / name).unlink(missing_ok=True)
        if (ROOT / name).is_file():  # what is not committed yet
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, clone / name)
    made = [make_site(ROOT, tmp_path / "here"), make_site(clone, tmp_path / "site")]
    assert made[0].keys() == made[1].keys() and len(made[0]) > 150
    assert [name for name in made[0] if made[0][name] != made[1][name]] == []
