"""`cardtable new game NAME`: what it writes plays and passes its tests in a copy of the project, nothing edited."""

import os
import shutil
import subprocess
import sys

import pytest

from host_tools import cli, new_game
from host_tools.errors import UnusableInput
from tests.conftest import ROOT

ROOMS = ("firmware", "boards", "host_tools", "tests", "docs")
WRITTEN = "tests/games/test_high_card.py"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = tmp_path_factory.mktemp("project")
    ignored = shutil.ignore_patterns("__pycache__", "records")
    for room in ROOMS:
        shutil.copytree(ROOT / room, root / room, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", root)
    new_game.write("high-card", root)
    return root


def run(project, *command):
    path = os.pathsep.join([str(project / "firmware"), str(project)])
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=project, env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_its_rules_have_tests_that_pass_and_can_fail(project):
    code, told = run(project, "pytest", "-q", "-m", "not micropython", WRITTEN, "tests/tidy/test_interface.py")
    assert code == 0, told
    game = project / "firmware/cardtable/games/high_card.py"
    text = game.read_text()
    game.write_text(text.replace("lowest = rank", "lowest = 0"))
    assert run(project, "pytest", "-q", "-m", "not micropython", WRITTEN)[0] == 1
    game.write_text(text)


def test_its_record_replays(project):
    code, told = run(project, "host_tools.cli", "replay", "tests/records/high-card")
    assert code == 0 and "1 passed" in told, told


@pytest.mark.parametrize("name", ["High", "a_b", "-x", "", "durak"])
def test_a_name_that_cannot_be_used_is_one_sentence(name, capsys):
    with pytest.raises(UnusableInput):
        new_game.write(name)
    assert cli.run(["new", "game", name]) == cli.UNUSABLE
