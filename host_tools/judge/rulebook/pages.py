"""The pages of the rulebook as data: what those of each language alone say, and the lines of the texts they cite."""

from __future__ import annotations

import ast
import functools
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from host_tools.base.project import ROOT

PAGES = ROOT / "docs" / "rules"
TESTS = ROOT / "tests"
ENGLISH = "en"
SOURCES = "sources"  # the page that says what each cited line of a text says

_RULE = re.compile(r"^- \*\*([A-Z]\d+)\*\* ")
_DETAIL = re.compile(r"^- \*\*([^*]+)\*\*: ")
_ID = re.compile(r"\b([A-Z]\d{1,2})\b")
_NAMED = re.compile(r"(?:^|_)([a-z]\d{1,2})(?=_|$)")
_CITED = re.compile(r"\b([a-z_]+):(\d+(?:-\d+)?(?:, \d+(?:-\d+)?)*)")
_SHORT = {"bs": "cals_bs", "tr": "cals_bs_translated", "b": "bailiff", "m": "malice"}  # as the games' pages cite
_SAID = re.compile(r"^\| (\d+)(?:-(\d+))? \| (.+) \|$")


@dataclass
class Rule:
    """One rule: its id, its text, the readings under Details that name it, its sources in our words, its tests, and the
    `language` in which all of this is written."""

    name: str
    page: str
    text: str
    details: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    language: str = ENGLISH


def page_names() -> list[str]:
    """The table's page, then those of the games: every page of the folder but its README and the sources."""
    names = sorted(path.stem for path in PAGES.glob("*.md"))
    return ["table"] + [name for name in names if name not in ("README", SOURCES, "table")]


@functools.lru_cache(maxsize=None)
def letters(pages: Path) -> frozenset[str]:
    """The letters that rule ids begin with, of all pages."""
    items = [item for name in page_names() for item in paragraphs(pages / f"{name}.md")]
    return frozenset(found[1][0] for found in map(_RULE.match, items) if found)


def plain(text: str) -> str:
    """A line of the rulebook without the marks of its page."""
    return text.replace("*", "").replace("`", "")


def ids_in(text: str, form: re.Pattern[str] = _ID) -> list[str]:
    """The rule ids in a text, each once; a letter that no page uses makes none (I2, H1)."""
    names = [name.upper() for name in form.findall(text)]
    return [name for name in dict.fromkeys(names) if name[0] in letters(PAGES)]


def paragraphs(page: Path) -> list[str]:
    """The list items of a page, each in one line."""
    items: list[str] = []
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("- "):
            items.append(line)
        elif line.startswith("  ") and items:
            items[-1] += " " + line.strip()
        elif line.strip():
            items.append("")  # a heading or a paragraph ends the list
    return [item for item in items if item]


def languages() -> list[str]:
    """English, then the languages that have pages."""
    return [ENGLISH, *sorted(folder.name for folder in PAGES.iterdir() if (folder / "table.md").exists())]


def pages_in(language: str) -> Path:
    """The folder of a language's pages."""
    return PAGES if language == ENGLISH else PAGES / language


def read_pages(language: str) -> dict[str, Rule]:
    """What the pages of one language alone say."""
    rules: dict[str, Rule] = {}
    details: list[str] = []
    for page in page_names():
        for item in read_items(page, language):
            found = _RULE.match(item)
            if found:
                text = item[found.end() :]
                rules[found[1]] = Rule(found[1], page, text, sources=sources_of(item, language), language=language)
            elif _DETAIL.match(item):
                details.append(item)
    for item in details:
        for name in ids_in(head_of(item)):
            if name in rules:
                rules[name].details.append(item[2:])
    return rules


def read_items(page: str, language: str) -> list[str]:
    """The list items of a page in that language; none where it has no such page."""
    path = pages_in(language) / f"{page}.md"
    return paragraphs(path) if path.exists() else []


def other_readings(language: str = ENGLISH) -> Iterator[tuple[str, str]]:
    """(page, detail) of each reading that stands in a source and is not played, with the reason: its head cites it."""
    for page in page_names():
        for item in read_items(page, language) or read_items(page, ENGLISH):
            if _DETAIL.match(item) and _CITED.search(head_of(item)):
                yield page, item[2:]


def head_of(detail: str) -> str:
    """What a reading is about: the rules that it names, in bold at its beginning."""
    return detail[: detail.index("**", 4)]


@functools.lru_cache(maxsize=None)
def read_sources(pages: Path) -> dict[str, list[tuple[int, int, str]]]:
    """For each text (first line, last line, their content), from the page of sources."""
    texts: dict[str, list[tuple[int, int, str]]] = {}
    page = pages / f"{SOURCES}.md"
    name = ""
    for line in page.read_text(encoding="utf-8").splitlines() if page.exists() else []:
        said = _SAID.match(line)
        if line.startswith("## "):
            name = line[3:].strip()
        elif said and name:
            texts.setdefault(name, []).append((int(said[1]), int(said[2] or said[1]), said[3]))
    return texts


def citations(text: str) -> list[tuple[str, int, int]]:
    """(text, first line, last line) of each citation in a text: `durak:31, 92-93`, in a game's page `b:8`."""
    found = []
    for name, lines in _CITED.findall(text):
        name = _SHORT.get(name, name)
        if name in read_sources(PAGES):
            for part in lines.split(", "):
                first, _, last = part.partition("-")
                found.append((name, int(first), int(last or first)))
    return found


def said_at(name: str, first: int, last: int, language: str = ENGLISH) -> list[str]:
    """The content of these lines of a text, `durak:31: ...`; nothing where the page of sources leaves them out."""
    rows = read_sources(pages_in(language)).get(name, [])
    if not all(any(row[0] <= line <= row[1] for row in rows) for line in (first, last)):
        return []
    return [f"{name}:{row[0]}{f'-{row[1]}' if row[1] > row[0] else ''}: {row[2]}"
            for row in rows if row[0] <= last and row[1] >= first]


def sources_of(text: str, language: str = ENGLISH) -> list[str]:
    """The content of the lines that a text cites, each line once."""
    said = [line for cited in citations(text) for line in said_at(*cited, language)]
    return list(dict.fromkeys(said))


def named_in(function: ast.FunctionDef) -> list[str]:
    """The rules that a test names: in its own name, or at the head of its docstring (`D19, D23: ...`)."""
    names = ids_in(function.name, _NAMED)
    head = (ast.get_docstring(function) or "").partition(":")[0]
    if re.fullmatch(r"[A-Z]\d{1,2}[\w ,()-]*", head):
        names += ids_in(head)
    return list(dict.fromkeys(names))


@functools.cache
def find_tests() -> list[tuple[str, list[str]]]:
    """(`file::test`, rules that it names) of every test."""
    found = []
    for path in sorted(TESTS.rglob("test_*.py")):
        if path.parent.name in ("chips", "drivers"):  # their names speak of registers and data sheets
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        for node in itertools.chain(tree.body, *(one.body for one in classes)):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.append((f"{path.relative_to(ROOT)}::{node.name}", named_in(node)))
    return found
