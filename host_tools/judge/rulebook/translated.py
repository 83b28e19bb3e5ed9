"""Holds the pages of each language to the English ones: the same rules, the same options and values, the same sources.

A rule that a language lacks, or tells otherwise, is not told in it at all: half an old rule is worse than a whole one
in English.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Any

from host_tools.judge.rulebook import pages

_QUOTED = re.compile(r"`([^`]+)`")
_NUMBER = re.compile(r"(?<!\w)\d+(?!\w)")
_TEN = "10"  # in English the rank is T
_OWN = re.compile(r"^- \*\*([A-Z]\d+)\*\* ")
Mark = tuple[tuple[str, ...], tuple[tuple[str, int, int], ...], tuple[str, ...]]


def mark_of(item: str) -> Mark:
    """What may not differ between languages: what stands in code quotes, the lines that are cited, and, in a rule, the
    numbers in figures."""
    quoted, cited = tuple(sorted(set(_QUOTED.findall(item)))), tuple(sorted(set(pages.citations(item))))
    plainly = re.sub(r"`[^`]*`|[a-z_]+:\d[\d, -]*", "", item) if _OWN.match(item) else ""
    return quoted, cited, tuple(sorted(set(_NUMBER.findall(plainly)) - {_TEN}))


def read_marks(page: str, language: str) -> tuple[dict[str, Mark], dict[tuple[str, ...], list[Mark]]]:
    """The marks of a page's rules by id, and those of its readings, in order, by the ids that they name."""
    rules: dict[str, Mark] = {}
    readings: dict[tuple[str, ...], list[Mark]] = {}
    for item in pages.read_items(page, language):
        own = _OWN.match(item)
        if own:
            rules[own[1]] = mark_of(item)
        elif item.startswith("- **"):
            readings.setdefault(tuple(pages.ids_in(pages.head_of(item))), []).append(mark_of(item))
    return rules, readings


def compare(page: str, language: str) -> list[tuple[tuple[str, ...], str]]:
    """(the rules that it concerns, what is wrong) for each rule or reading of a page that the language lacks or tells
    otherwise."""
    english_rules, english_readings = read_marks(page, pages.ENGLISH)
    rules, readings = read_marks(page, language)
    wrong: list[tuple[tuple[str, ...], str]] = []
    wrong += [((name,), differ(name, mark, rules.get(name))) for name, mark in english_rules.items()]
    wrong += [((name,), f"{name} is no rule of the English page") for name in rules if name not in english_rules]
    for names in [*english_readings, *(names for names in readings if names not in english_readings)]:
        what = "a reading of " + (", ".join(names) or "the page as a whole")
        pairs = zip_longest(english_readings.get(names, []), readings.get(names, []))
        wrong += [(names, differ(what, one, other)) for one, other in pairs]
    return [(names, sentence) for names, sentence in wrong if sentence]


def differ(what: str, english: Mark | None, own: Mark | None) -> str:
    """How a rule or reading is otherwise; nothing if it is not."""
    if own is None:
        return f"{what} is missing"
    if english is None:
        return f"{what} is not in English"
    found = []
    for kind, one, other in zip(("quotes", "cites", "says"), english, own, strict=True):
        lacks = [told(part) for part in one if part not in other]
        has = [told(part) for part in other if part not in one]
        found += [f"{kind} no {', '.join(lacks)}"] if lacks else []
        found += [f"{kind} {', '.join(has)}, as the English page does not"] if has else []
    return f"{what} {'; '.join(found)}" if found else ""


def told(part: Any) -> str:
    """A quoted word as it is; a citation, (source, first line, last line), as the pages write it."""
    if isinstance(part, str):
        return part
    name, first, last = part
    return f"{name}:{first}" + (f"-{last}" if last > first else "")


def lost_sources(language: str) -> list[tuple[str, str]]:
    """(id, a sentence) for each rule whose sources the language's page of sources does not tell."""
    found = []
    for name, rule in pages.read_pages(language).items():
        for cited in pages.citations(rule.text):
            if pages.said_at(*cited) and len(pages.said_at(*cited, language)) != len(pages.said_at(*cited)):
                found.append((name, f"{pages.SOURCES}.md does not tell {told(cited)}, which {name} cites"))
    return found


def lacking(language: str) -> set[str]:
    """The ids of the rules that are told in English because the language lacks them or something of theirs."""
    names = {name for page in pages.page_names() for concerned, _ in compare(page, language) for name in concerned}
    return names | {name for name, _ in lost_sources(language)}


def check() -> list[str]:
    """A sentence for each rule that a language lacks or tells otherwise."""
    wrong = []
    for language in pages.languages()[1:]:
        folder = f"docs/rules/{language}"
        for page in pages.page_names():
            wrong += [f"{folder}/{page}.md: {sentence}" for _, sentence in compare(page, language)]
        wrong += [f"{folder}/{sentence}" for _, sentence in lost_sources(language)]
    return wrong
