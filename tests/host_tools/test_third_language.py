"""A third language is files only: one made from the English by a rule, in a copy of the project that nobody edits."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
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


def translate(text: str, is_page: bool = False) -> str:
    """A file of words in the third language; is_page: of a game in plain words, with conditions before lines."""
    lines = []
    for line in text.splitlines():
        key, equals, template = line.partition("=")
        if is_page:
            mark = re.match(r"(?:\[[^]]*\] )?(?:goal: )?", line).end()
            lines.append(line[:mark] + capitals(line[mark:]))
        else:
            lines.append(line if line.startswith("#") or not equals else key + "=" + capitals(template))
    return "\n".join(lines) + "\n"


def add_language(root: Path) -> None:
    """A copy of the project, with the files of the third language in it."""
    for room in ROOMS:
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*root.glob("firmware/cardtable/words/*.en"), *root.rglob("*.en.txt"),
                 root / "host_tools" / "judge" / "sentences" / "en.txt"]:
        name = path.name.replace("en.txt", f"{THIRD}.txt") if path.suffix == ".txt" else f"{path.stem}.{THIRD}"
        text = translate(path.read_text(encoding="utf-8"), path.parent.name == "summaries")
        path.with_name(name).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The copy's folder, and the environment in which its programs run."""
    root = tmp_path_factory.mktemp("third")
    add_language(root)
    return root, {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'firmware'}"}


@pytest.fixture(scope="module")
def told(copy):
    """What the copy says where people read."""
    root, environment = copy
    shutil.copy(Path(__file__).parent / "third" / "speak.py", root / "speak.py")
    done = subprocess.run([sys.executable, root / "speak.py", THIRD, RECORD, root], cwd=root, capture_output=True,
                          text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_is_offered(told):
    assert told["languages"] == ["en", "ru", THIRD]


def test_no_english_sentence_is_left_where_people_read(told):
    assert len(told["told"]) > 25
    left = {where: found for where, text in told["told"].items()
            if (found := ENGLISH.findall(NO_SENTENCE.sub(" ", text)))}
    assert left == {}


# All that is read or read aloud on a page, but for what says itself that it is in another language (a rule, until
# somebody writes the rulebook's page), and the line for browsers without a script.
READ_ALL = """() => {
  const said = [];
  for (const node of document.querySelectorAll("body, body *:not(noscript)")) {
    if (node.closest("[lang]").lang !== document.documentElement.lang) continue;
    said.push(...["aria-label", "title", "placeholder", "alt"].map((name) => node.getAttribute(name) || ""));
    said.push(...[...node.childNodes].filter((one) => one.nodeType === Node.TEXT_NODE).map((one) => one.data));
  }
  return said.filter((text) => text.trim());
}"""


@pytest.mark.browser
@pytest.mark.parametrize("game", ["durak transfer", *(
    pytest.param(game, marks=pytest.mark.everything) for game in ("cals-bs", "bailiff", "malice", ""))])
def test_a_table_s_page_speaks_it_alone(copy, window, tmp_path, game):
    """A table as people start it, in the lobby or in a game, with its dialogs."""
    root, environment = copy
    more = ["--game", game, "--seats", "ANNA,bot,bot"[: None if game != "malice" else 8]] if game else []
    command = [sys.executable, "-m", "host_tools.cli", "play", "--language", THIRD, "--no-browser", "--games",
               str(tmp_path), "--seed", "3", *more]
    with subprocess.Popen(command, cwd=root, env=environment, stdout=subprocess.PIPE, text=True) as served:
        try:
            address = re.search(r"http://\S+", served.stdout.readline())[0]
            page = window.open(address, locale=THIRD)
            page.wait_for_selector(f"body[data-phase={'play' if game else 'lobby'}]")
            read = page.evaluate(READ_ALL)
            for act in ("help", "settings", "feed"):
                page.click(f"[data-act={act}]:visible")
                page.wait_for_selector("dialog[open]")
                read += page.evaluate(READ_ALL)
                page.keyboard.press("Escape")
            assert page.evaluate("document.documentElement.lang") == THIRD
        finally:
            served.terminate()
    assert len(read) > 100
    assert [text for text in read if ENGLISH.search(NO_SENTENCE.sub(" ", text)) and text != "Cardtable"] == []


def test_the_wheel_brings_every_file_of_words():
    found = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packed = found["tool"]["setuptools"]["package-data"]["host_tools"]
    host = ROOT / "host_tools"
    brought = {path for pattern in packed for path in host.glob(pattern)}
    assert sorted(set(host.rglob("*.en.txt")) - brought) == []


def test_nobody_lists_the_languages_by_hand():
    listed = re.compile(r"""(["'])(en\1,\s*\1ru|ru\1,\s*\1en)\1""")
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "host_tools").rglob("*.py")}
    assert [path for path, source in sources.items() if listed.search(source)] == []


def test_a_language_says_what_it_lacks_in_english(tmp_path):
    from host_tools.base.wording import read_words

    (tmp_path / "toy.en.txt").write_text("one = One\ntwo#one = 1 card\ntwo#many = {number} cards\nthree = Three\n")
    (tmp_path / "toy.xx.txt").write_text("one = ONE\ntwo#one = 1 CARD\ntwo#few = {number} CARDS\ntwo#many = CARDS\n")
    words = read_words(tmp_path, "toy", THIRD)
    assert words["one"] == "ONE" and words["three"] == "Three"
    assert [words[f"two#{plural}"] for plural in ("one", "few", "many")] == ["1 CARD", "{number} CARDS", "CARDS"]
    assert read_words(tmp_path, "toy", "yy") == read_words(tmp_path, "toy", "en")
