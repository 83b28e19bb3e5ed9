"""The rulebook as data: rules, the lines of the texts they come from, and the tests that prove them.

The English pages are the rules. A folder beside them (`docs/rules/ru`) says the same in its language; a rule that it
lacks, or whose options, values or sources differ there, is told in English (host_tools/judge/rulebook/translated.py).
"""

from __future__ import annotations

import ast
import functools
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.project import ROOT

PAGES = ROOT / "docs" / "rules"
TESTS = ROOT / "tests"
WORDS = ROOT / "firmware" / "cardtable" / "words"
ENGLISH = "en"
SOURCES = "sources"  # the page that says what each cited line of a text says

_RULE = re.compile(r"^- \*\*([A-Z]\d+)\*\* ")
_DETAIL = re.compile(r"^- \*\*([^*]+)\*\*: ")
_ID = re.compile(r"\b([A-Z]\d{1,2})\b")
_NAMED = re.compile(r"(?:^|_)([a-z]\d{1,2})(?=_|$)")
_CITED = re.compile(r"\b([a-z_]+):(\d+(?:-\d+)?(?:, \d+(?:-\d+)?)*)")
_BRIEF = 150  # characters of a rule in a list
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


def brief(text: str) -> str:
    """The first sentence of a rule, without the marks of its page, in one line of a wide terminal."""
    first = re.split(r"(?<=[^.A-ZА-Я][.!?])\s+(?=[A-ZА-ЯЁ\d(])", plain(text).strip(), maxsplit=1)[0]
    return foreign.shorten(first, _BRIEF)


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


def read_rules(language: str = ENGLISH) -> dict[str, Rule]:
    """Every rule of every page, by id, in the order of the pages; in English where the language does not have it."""
    from host_tools.judge.rulebook import translated

    rules = read_pages(ENGLISH)
    if language in languages() and language != ENGLISH:
        lacking = translated.lacking(language)
        own = read_pages(language)
        rules.update({name: own[name] for name in rules if name not in lacking})
    return rules


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
    """The faults: rules without a test, tests of rules that do not exist, excuses that are not needed, and rules that a
    language lacks."""
    from host_tools.judge.rulebook import translated

    rules, wrong = read_all()
    free = excused()
    for rule in rules.values():
        if is_built(rule) and not rule.tests and rule.name not in free:
            wrong.append(f"{rule.name} ({rule.page}) has no test that names it")
        if rule.tests and rule.name in free:
            wrong.append(f"{rule.name} is excused in docs/rules/README.md, but {rule.tests[0]} tests it")
    wrong += [f"docs/rules/README.md excuses {name}, which is no rule" for name in sorted(free - set(rules))]
    return wrong + lost_citations() + translated.check()


def lost_citations() -> list[str]:
    """A sentence for each citation, in the rulebook or in a test, that the page of sources does not explain."""
    lost = []
    for path in [*sorted(PAGES.glob("*.md")), *sorted((TESTS / "games").glob("*.py"))]:
        for name, first, last in citations(path.read_text(encoding="utf-8")):
            if not said_at(name, first, last):
                lines = str(first) if first == last else f"{first}-{last}"
                lost.append(f"{path.name} cites {name}:{lines}, which docs/rules/{SOURCES}.md does not explain")
    return list(dict.fromkeys(lost))


def select(names: tuple[str, ...], language: str = ENGLISH) -> list[Rule]:
    """The rules asked for: ids, pages (`durak`) or nothing for all; words of any language find the rules in which
    all of them stand. UnusableInput for what is none of these."""
    proved, _ = read_all()
    rules = read_rules(language)
    for name, rule in rules.items():
        rule.tests = proved[name].tests
    if not names:
        return list(rules.values())
    chosen: list[Rule] = []
    words = []
    for name in names:
        page = name.lower().replace("-", "_")
        found = [rule for rule in rules.values() if rule.name == name.upper() or rule.page == page]
        chosen += found
        words += [] if found else [name]
    if words:
        found = [rules[rule.name] for rule in search(words)]
        if not found:
            said = foreign.shorten(" ".join(words))
            raise UnusableInput(f"{said} is neither a rule nor a page of the rulebook, and no rule has such words")
        chosen += found
    return chosen


@functools.cache
def read_refusals(language: str) -> dict[str, list[str]]:
    """What the table says under each rule, a line for each way to break it: `D8: Nothing beats a joker`."""
    said: dict[str, list[str]] = {}
    for path in sorted(path for page in page_names() for path in WORDS.glob(f"{page}.{language}")):
        for line in path.read_text(encoding="utf-8").splitlines():
            key, equals, words = line.partition("=")
            if equals and re.fullmatch(r"[A-Z]\d+(\.\d+)?", key):
                said.setdefault(key.partition(".")[0], []).append(words)
    return said


def tell_refusal(name: str, words: str, language: str) -> str:
    """The words of a refusal in that language, whichever language the table spoke; where it said none, the words of the
    only way to break the rule, or the rule itself in a sentence."""
    own = read_refusals(language).get(name, [])
    for spoken in languages():
        for way, said in enumerate(read_refusals(spoken).get(name, [])):
            found = re.fullmatch(re.escape(said).replace(r"\#", "(.*)"), words)
            if found and way < len(own):
                return own[way].replace("#", found[1] if found.groups() else "")
    if words or len(own) == 1 and "#" not in own[0]:
        return words or own[0]
    rule = read_rules(language).get(name)
    return shorten(rule.text) if rule else ""


def shorten(text: str) -> str:
    """A rule in one sentence, without its sources: what holds by default, or the first that sets no option."""
    default = re.match(r"`[^`]+` \([^)]*\): ([^;.]+)", text)
    sentences = re.split(r"(?<=\.)\s+", re.sub(r"\s*\([^)]*\)", "", text))
    plainly = [one for one in sentences if len(one) > 20 and not re.search("`[^`]*=", one)]  # `Default no.` is no rule
    said = default[1] if default else (plainly or [sentences[0].rpartition("`: ")[2]])[0]
    head = re.match(r"[^;:]{30,}(?=[;:])", said)  # what follows is more than a refusal has to say
    return plain(said[:1].upper() + (head[0] if head else said)[1:]).strip(" .")


def search(words: list[str]) -> list[Rule]:
    """The rules in which all these words stand, in any language: in their text, their readings, their sources, or in
    what the table says of them. An ending does not matter: `jokers` finds joker."""
    wanted = [stem for word in words for stem in map(stem_of, split_words(word))]
    spoken = [(language, read_rules(language)) for language in languages()]
    found = []
    for name, rule in spoken[0][1].items():
        said: list[str] = []
        for language, rules in spoken:
            told = rules[name]
            said += [told.text, *told.details, *told.sources, *read_refusals(language).get(name, ())]
        there = split_words(" ".join(said))
        if wanted and all(any(word.startswith(stem) for word in there) for stem in wanted):
            found.append(rule)
    return found


def split_words(text: str) -> list[str]:
    """The words of a text in small letters, with one kind of Russian e."""
    return re.findall(r"\w+", text.casefold().replace("ё", "е"))


def stem_of(word: str) -> str:
    """A word without its ending."""
    return word[: max(4, len(word) - 2)]
