"""The rulebook as data: rules with their sources, and the tests that prove them; it knows no game's code."""

from __future__ import annotations

import ast
import functools
import re
from dataclasses import dataclass, field
from pathlib import Path

from host_tools.errors import UnusableInput

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "rules"
TESTS = ROOT / "tests"
MARK = "## Tests"

_RULE = re.compile(r"^- \*\*([A-Z]\d+)\*\* ")
_DETAIL = re.compile(r"^- \*\*([^*]+)\*\*: ")
_ID = re.compile(r"\b([A-Z]\d{1,2})\b")
_NAMED = re.compile(r"(?:^|_)([a-z]\d{1,2})(?=_|$)")


@dataclass
class Rule:
    """One rule: its id, its text, the readings under Details that name it, and the tests that do."""

    name: str
    page: str
    text: str
    details: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)


def page_names() -> list[str]:
    """The table's page, then those of the games: every page of the folder but its README."""
    names = sorted(path.stem for path in PAGES.glob("*.md"))
    return ["table"] + [name for name in names if name not in ("README", "table")]


@functools.lru_cache(maxsize=None)
def letters(pages: Path) -> frozenset[str]:
    """What rule ids begin with: the letters of all pages."""
    items = [item for name in page_names() for item in paragraphs(pages / f"{name}.md")]
    return frozenset(found[1][0] for found in map(_RULE.match, items) if found)


def ids_in(text: str, form: re.Pattern[str] = _ID) -> list[str]:
    """The rule ids in a text, each once; a letter that no page uses makes none (I2, H1)."""
    names = [name.upper() for name in form.findall(text)]
    return [name for name in dict.fromkeys(names) if name[0] in letters(PAGES)]


def paragraphs(page: Path) -> list[str]:
    """The list items of a page, each in one line."""
    items: list[str] = []
    for line in page.read_text(encoding="utf-8").partition(MARK)[0].splitlines():
        if line.startswith("- "):
            items.append(line)
        elif line.startswith("  ") and items:
            items[-1] += " " + line.strip()
        elif line.strip():
            items.append("")  # a heading or a paragraph ends the list
    return [item for item in items if item]


def read_rules() -> dict[str, Rule]:
    """Every rule of every page, by id, in the order of the pages."""
    rules: dict[str, Rule] = {}
    details: list[str] = []
    for page in page_names():
        for item in paragraphs(PAGES / f"{page}.md"):
            found = _RULE.match(item)
            if found:
                rules[found[1]] = Rule(found[1], page, item[found.end() :])
            elif _DETAIL.match(item):
                details.append(item)
    for item in details:
        for name in ids_in(item[: item.index("**", 4)]):
            if name in rules:
                rules[name].details.append(item[2:])
    return rules


def named_in(function: ast.FunctionDef) -> list[str]:
    """The rules that a test names: in its own name, or at the head of its docstring (`D19, D23: ...`)."""
    names = ids_in(function.name, _NAMED)
    head = (ast.get_docstring(function) or "").partition(":")[0]
    if re.fullmatch(r"[A-Z]\d{1,2}[\w ,()-]*", head):
        names += ids_in(head)
    return list(dict.fromkeys(names))


def find_tests() -> list[tuple[str, list[str]]]:
    """(`file::test`, rules that it names) of every test."""
    found = []
    for path in sorted(TESTS.rglob("test_*.py")):
        if path.parent.name in ("chips", "drivers"):  # their names speak of registers and data sheets
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.append((f"{path.relative_to(ROOT)}::{node.name}", named_in(node)))
    return found


def read_all() -> tuple[dict[str, Rule], list[str]]:
    """The rules with their tests, and a sentence for each test that names a rule which does not exist."""
    rules = read_rules()
    strangers = []
    for test, names in find_tests():
        for name in names:
            if name in rules:
                rules[name].tests.append(test)
            else:
                strangers.append(f"{test} names {name}, which is no rule")
    return rules, strangers


def excused() -> set[str]:
    """Rules that need no test: docs/rules/README.md says which bind only people, and which are not built yet."""
    lines = (PAGES / "README.md").read_text(encoding="utf-8").splitlines()
    return {name for line in lines if line.startswith("No test") for name in ids_in(line)}


def is_built(rule: Rule) -> bool:
    """Whether the game of the rule is in the catalogue."""
    return rule.page == "table" or (ROOT / "firmware" / "cardtable" / "games" / f"{rule.page}.py").exists()


def check() -> list[str]:
    """What is wrong: rules without a test, tests of rules that do not exist, excuses that are not needed."""
    rules, wrong = read_all()
    free = excused()
    for rule in rules.values():
        if is_built(rule) and not rule.tests and rule.name not in free:
            wrong.append(f"{rule.name} ({rule.page}) has no test that names it")
        if rule.tests and rule.name in free:
            wrong.append(f"{rule.name} is excused in docs/rules/README.md, but {rule.tests[0]} tests it")
    wrong += [f"docs/rules/README.md excuses {name}, which is no rule" for name in sorted(free - set(rules))]
    for page in page_names():
        if with_tests(page, rules) != (PAGES / f"{page}.md").read_text(encoding="utf-8"):
            wrong.append(f"docs/rules/{page}.md: its list of tests is old; `cardtable rules --update` writes it anew")
    return wrong


def with_tests(page: str, rules: dict[str, Rule]) -> str:
    """The page with, at its end, each rule's tests."""
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8").partition(MARK)[0].rstrip() + "\n"
    own = [rule for rule in rules.values() if rule.page == page and rule.tests]
    if not own:
        return text
    text += f"\n{MARK}\n\nWhat proves each rule; `cardtable rules --update` writes this list.\n\n"
    for rule in own:
        by_file: dict[str, list[str]] = {}
        for test in rule.tests:
            path, _, name = test.partition("::")
            by_file.setdefault(path, []).append(f"`{name}`")
        files = "; ".join(f"[{Path(path).name}](../../{path}): {', '.join(names)}" for path, names in by_file.items())
        text += f"- {rule.name}: {files}\n"
    return text


def update() -> list[str]:
    """Write the lists of tests into the pages; the names of those that changed."""
    rules, _ = read_all()
    changed = []
    for page in page_names():
        path = PAGES / f"{page}.md"
        text = with_tests(page, rules)
        if text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8")
            changed.append(page)
    return changed


def select(names: tuple[str, ...]) -> list[Rule]:
    """The rules asked for: ids, pages (`durak`) or nothing for all. UnusableInput for what is neither."""
    rules, _ = read_all()
    if not names:
        return list(rules.values())
    chosen = []
    for name in names:
        page = name.lower().replace("-", "_")
        found = [rule for rule in rules.values() if rule.name == name.upper() or rule.page == page]
        if not found:
            raise UnusableInput(f"{name} is neither a rule nor a page of the rulebook")
        chosen += found
    return chosen
