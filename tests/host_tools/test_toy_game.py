"""A game is one source file and its words: a toy dropped into a copy of the project is played, nothing is edited."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

TOY = Path(__file__).parent / "toy"
RECORD = TOY / "toy.rec"
ROOMS = ("firmware", "boards", "host_tools")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of what plays, with the toy in it: one file among the games, its words among the words."""
    root = tmp_path_factory.mktemp("project")
    for room in ROOMS:
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(TOY / "toy.py", root / "firmware" / "cardtable" / "games")
    for language in ("en", "ru"):
        shutil.copy(TOY / f"toy.{language}", root / "firmware" / "cardtable" / "words")
    return root


def run(project, *arguments):
    """What `cardtable` says in that project: exit code and output."""
    path = os.pathsep.join([str(project / "firmware"), str(project)])
    done = subprocess.run(
        [sys.executable, "-m", "host_tools.cli", *arguments],
        cwd=project, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_without_its_file_there_is_no_such_game():
    """The toy is not part of the project."""
    assert not (ROOT / "firmware" / "cardtable" / "games" / "toy.py").exists()
    done = subprocess.run(
        [sys.executable, "-m", "host_tools.cli", "replay", str(RECORD)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )
    assert done.returncode == 2 and "no game toy" in done.stdout + done.stderr


@pytest.mark.micropython
def test_the_toy_is_judged_by_both_interpreters(project):
    """`cardtable replay` finds the game by its name in the record."""
    code, told = run(project, "replay", "--runtime", "both", str(RECORD))
    assert code == 0, told
    assert "1 passed" in told


def test_the_toy_is_played_inside_this_python(project, tmp_path):
    """At the virtual table, by tags and buttons: the firmware writes the record that was played."""
    code, told = run(
        project, "table", "--record", str(RECORD), "--runtime", "cpython", "--speed", "max", "--plain",
        "--keep", str(tmp_path),
    )
    assert code == 0, told
    assert "loser 1" in told
    journal = next((tmp_path / "games").glob("*.rec")).read_text()
    assert " 1 name K\n" in journal and " 1 lay KS ! Y3\n" in journal and "result: loser 1\n" in journal


@pytest.mark.micropython
def test_the_toy_is_played_on_the_device(project):
    """The image that is built for a device holds the game, and its words in Russian."""
    code, told = run(project, "table", "--record", str(RECORD), "--language", "ru", "--speed", "max", "--plain")
    assert code == 0, told
    assert "! Y3 Этот ранг назван" in told


@pytest.mark.micropython
def test_the_toy_is_counted_too(project, tmp_path):
    """T4: a casual game of the same file; two seats."""
    record = tmp_path / "counted.rec"
    record.write_text(
        "cardtable 1\ngame: toy deal=counted\nseats: Anna; Boris\ndealer: 2\n\n"
        "1.0 1 draw 6S ! T4\n2.0 1 name 7\n3.0 1 lay 6S\n4.0 2 lay 6S ! T2\n5.0 2 surrender\nresult: loser 2\n"
    )
    code, told = run(project, "replay", "--runtime", "both", str(record))
    assert code == 0, told
    code, told = run(project, "table", "--record", str(record), "--runtime", "cpython", "--speed", "max", "--plain")
    assert code == 0, told
