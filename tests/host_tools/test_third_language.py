"""A third language is files only: one made from the English by a rule, in a copy of the project that nobody edits."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

RUNS_ON = "cpython"  # host tools
THIRD = "xx"
ROOMS = ("firmware", "boards", "host_tools", "docs/rules")
RECORD = ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec"
# What stands on a page and is no sentence: words of a command line, of a record, names, and who wrote in the log.
NO_SENTENCE = re.compile(
    r"`[^`]*`|--\w+|https?:\S*|\b\w+=\S+|\b[\w.]+\.(?:csv|json|html|pdf|txt|rec)\b"
    r"|English|[@#]\w+|\bdurak throw-in\b|\barbiter\b|Anna|Boris|Vera|Gleb|Daria"
)
ENGLISH = re.compile(r"[A-Za-z]*[a-z]{2,}[a-z' ]*")


def capitals(template: str) -> str:
    """The rule: everything in capitals but what stands in braces."""
    return "".join(part if part.startswith("{") else part.upper() for part in re.split(r"(\{[^}]+\})", template))


def translate(text: str) -> str:
    """A file of words in the third language."""
    lines = []
    for line in text.splitlines():
        key, equals, template = line.partition("=")
        lines.append(line if line.startswith("#") or not equals else key + "=" + capitals(template))
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What a copy of the project says once the files of the third language lie in it."""
    root = tmp_path_factory.mktemp("third")
    for room in ROOMS:
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*root.glob("firmware/cardtable/words/*.en"), *root.rglob("*.en.txt"),
                 root / "host_tools" / "judge" / "sentences" / "en.txt"]:
        name = path.name.replace("en.txt", f"{THIRD}.txt") if path.suffix == ".txt" else f"{path.stem}.{THIRD}"
        path.with_name(name).write_text(translate(path.read_text(encoding="utf-8")), encoding="utf-8")
    shutil.copy(Path(__file__).parent / "third" / "speak.py", root / "speak.py")
    done = subprocess.run(
        [sys.executable, root / "speak.py", THIRD, RECORD, root], cwd=root, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'firmware'}"},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_is_offered(told):
    assert told["languages"] == ["en", "ru", THIRD]


def test_no_english_sentence_is_left_where_people_read(told):
    assert len(told["told"]) > 25
    left = {where: found for where, text in told["told"].items()
            if (found := ENGLISH.findall(NO_SENTENCE.sub(" ", text)))}
    assert left == {}


def test_nobody_lists_the_languages_by_hand():
    listed = re.compile(r"""["']en["'],\s*["']ru["']""")
    sources = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "host_tools").rglob("*.py")}
    found = [name for name, source in sources.items() if listed.search(source)]
    assert found == []


def test_a_language_says_what_it_lacks_in_english(tmp_path):
    from host_tools.base.wording import read_words

    (tmp_path / "toy.en.txt").write_text("one = One\ntwo#one = 1 card\ntwo#many = {number} cards\nthree = Three\n")
    (tmp_path / "toy.xx.txt").write_text("one = ONE\ntwo#one = 1 CARD\ntwo#few = {number} CARDS\ntwo#many = CARDS\n")
    words = read_words(tmp_path, "toy", THIRD)
    assert words["one"] == "ONE" and words["three"] == "Three"
    assert [words[f"two#{plural}"] for plural in ("one", "few", "many")] == ["1 CARD", "{number} CARDS", "CARDS"]
    assert read_words(tmp_path, "toy", "yy") == read_words(tmp_path, "toy", "en")
