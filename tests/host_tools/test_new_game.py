"""`cardtable new game NAME`: what it writes plays and passes its tests in a copy of the project, nothing edited."""

import filecmp
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from host_tools import cli
from host_tools.maker import new_game
from host_tools.base.errors import UnusableInput
from host_tools.base.languages import list_languages
from tests.conftest import ROOT

ROOMS = ("firmware", "boards", "host_tools", "tests", "docs")
NAME = "high-card-of-the-day"  # as long as a name can be, so that lines are as long as they can be
MODULE = NAME.replace("-", "_")
WRITTEN = f"tests/games/test_{MODULE}.py"
# Tests that have a case for each game have one for a new game, named after it.
CASES = re.compile(r"parametrize\(.*(GAMES|KINDS|RECORDS|GUESSED|catalogue\(\)|records\(\)|list_games\(\))")
# Tests that go through all games in a loop: run with the new game alone.
LOOPS = (
    "tests/games/test_every_game.py", "tests/games/test_heap.py", "tests/games/test_words.py",
    "tests/app/test_ask_words.py",
    "tests/host_tools/virtual/test_image.py::test_nothing_on_a_device_needs_what_is_for_players_and_tests",
)
# Tests that count the games, or draw what a table with these games shows: run with the new game beside them.
COUNTS = (
    "tests/app/test_lobby.py", "tests/app/test_house_rules_pictures.py", "tests/games/test_many_games.py",
    "tests/host_tools/test_rules.py::test_every_rule_that_is_kept_has_a_test_and_every_test_a_rule",
    "tests/host_tools/players/test_find_player.py::test_every_game_has_its_players",
)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = tmp_path_factory.mktemp("project")
    ignored = shutil.ignore_patterns("__pycache__")
    for room in ROOMS:
        shutil.copytree(ROOT / room, root / room, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", root)
    new_game.write(NAME, root)
    return root


def run(project, *command):
    path = os.pathsep.join([str(project / "firmware"), str(project)])
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=project, env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=False,
    )
    return done.returncode, done.stdout + done.stderr


def run_tests(project, *arguments):
    """Of CPython alone: what MicroPython would do with them it does with the other games."""
    return run(project, "pytest", "-q", "-m", "not micropython and not browser", *arguments)


def test_its_rules_have_tests_that_pass_and_can_fail(project):
    code, told = run_tests(project, WRITTEN, "tests/tidy/test_interface.py")
    assert code == 0, told
    game = project / f"firmware/cardtable/games/{MODULE}.py"
    text = game.read_text()
    # Of another size: within one second Python takes compiled files for those of a source with the same size.
    game.write_text(text.replace("RANK[card] == RANK[", "RANK[card]  !=  RANK["))
    assert run_tests(project, WRITTEN)[0] == 1
    game.write_text(text)


def test_no_file_outside_the_manual_s_list_is_touched(project):
    """docs/contributing.md: every file that is new stands there, and of the others only sentences have grown."""
    manual = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
    manual = manual.partition("## Adding a game")[2].partition("### What a game lists")[0]
    files = {path.relative_to(project) for room in ROOMS for path in (project / room).rglob("*") if path.is_file()}
    files = {path for path in files if "__pycache__" not in path.parts}
    added = {path for path in files if not (ROOT / path).exists()}
    for path in added:
        said = str(path).replace(NAME, "NAME").replace(MODULE, "NAME")
        assert said in manual or f"`{said.rpartition('/')[0]}/`" in manual or f"`{path.name}`".replace(
            MODULE, "NAME") in manual, said
    changed = {path for path in files - added if not filecmp.cmp(project / path, ROOT / path)}
    assert changed == {Path(f"host_tools/judge/sentences/{language}.txt") for language in list_languages()}
    assert len(added) == 11


def test_it_passes_what_is_tested_game_by_game(project):
    """Players, sentences, records, the table in a storm: each test with a case of its name."""
    files = [str(path.relative_to(project)) for path in sorted((project / "tests").rglob("test_*.py"))
             if CASES.search(path.read_text(encoding="utf-8"))]
    code, told = run_tests(project, *files, "-k", f"{NAME} or {MODULE}")
    assert code == 0 and len(files) > 8, told


def test_it_passes_what_is_tested_for_all_games_at_once(project, tmp_path):
    """Random games, heap, words: in a copy whose only game it is, which costs little."""
    shutil.copytree(project, tmp_path / "project")
    for path in (tmp_path / "project/firmware/cardtable/games").glob("[a-z]*.py"):
        if path.stem != MODULE:
            path.unlink()
    code, told = run_tests(tmp_path / "project", *LOOPS)
    assert code == 0, told


def test_games_of_it_can_be_generated(project, tmp_path):
    """Refused attempts name each suit, and no fifth one."""
    code, told = run(project, "host_tools.cli", "generate", "--game", NAME, "--count", "6", "--to", str(tmp_path))
    assert code == 0 and len(list(tmp_path.iterdir())) == 6, told


def test_nobody_minds_a_game_more(project):
    code, told = run_tests(project, *COUNTS)
    assert code == 0, told


def test_its_source_is_as_the_house_wants_it(project):
    code, told = run(project, "ruff", "check", "--no-cache", "firmware/cardtable/games", "tests/games")
    assert code == 0, told


def test_its_record_replays(project):
    code, told = run(project, "host_tools.cli", "replay", f"tests/records/{NAME}")
    assert code == 0 and "1 passed" in told, told


def test_a_name_that_looks_like_a_rule_of_the_pattern_stays():
    """Y is its letter there."""
    for name in ("y8", "y2k", "test-y"):
        texts = {str(path): text for path, text in new_game.make_texts(name, name.replace("-", "_"), "Q").items()}
        title = new_game.title_of(name)
        assert texts[f"docs/rules/{name.replace('-', '_')}.md"].startswith(f"# {title}\n")
        assert all(re.search(r"\bQ1\b", text) for path, text in texts.items() if path.startswith("docs/rules"))
        assert f'NAME = "{name}"' in texts[f"firmware/cardtable/games/{name.replace('-', '_')}.py"]


def test_its_letter_begins_no_number_of_other_tests():
    """`rules NAME A4` told of the tests of an accessible page, and a rule without a test counted as tested."""
    letter = new_game.free_letter().lower()
    names = [name for path in (ROOT / "tests").rglob("test_*.py")
             for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))]
    assert not [name for name in names if re.search(rf"_{letter}\d{{1,2}}_", name)] and letter not in "io"


@pytest.mark.parametrize("name", ["High", "a_b", "-x", "", "durak", "toy", "class", "deck-setup"])
def test_a_name_that_cannot_be_used_is_one_sentence(name, capsys):
    with pytest.raises(UnusableInput):
        new_game.write(name)
    assert cli.run(["new", "game", name]) == cli.UNUSABLE
