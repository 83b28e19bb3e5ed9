"""The rulebook: rules, the lines of the texts they come from, and the tests that prove them.

The English pages are the rules. A folder beside them (`docs/rules/ru`) says the same in its language; a rule that it
lacks, or whose options, values or sources differ there, is told in English (host_tools/judge/rulebook/translated.py).
"""

from __future__ import annotations

import functools
import re

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.project import ROOT
from host_tools.judge.rulebook import pages, translated
from host_tools.judge.rulebook.pages import (
    ENGLISH, SOURCES, Rule, citations, find_tests, languages, page_names, plain, read_pages, said_at,
)

WORDS = ROOT / "firmware" / "cardtable" / "words"
_BRIEF = 150  # characters of a rule in a list
_RUSSIAN = str.maketrans("ВСМТД", "BCMTD")  # four look like the letter that begins a rule's id, and one sounds like it


def brief(text: str) -> str:
    """The first sentence of a rule, without the marks of its page, in one line of a wide terminal."""
    first = re.split(r"(?<=[^.A-ZА-Я][.!?])\s+(?=[A-ZА-ЯЁ\d(])", plain(text).strip(), maxsplit=1)[0]
    return foreign.shorten(first, _BRIEF)


def read_rules(language: str = ENGLISH) -> dict[str, Rule]:
    """Every rule of every page, by id, in the order of the pages; in English where the language does not have it."""
    rules = read_pages(ENGLISH)
    if language in languages() and language != ENGLISH:
        lacking = translated.lacking(language)
        own = read_pages(language)
        rules.update({name: own[name] for name in rules if name not in lacking})
    return rules


def rule_name(typed: str) -> str:
    """The id of a rule as somebody types it: in small letters, in Russian ones, with a full stop behind it."""
    return typed.strip(".,;:!«»\"'()").upper().translate(_RUSSIAN)


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


def is_built(rule: Rule) -> bool:
    """Whether the game of the rule is in the catalogue."""
    return rule.page == "table" or (ROOT / "firmware" / "cardtable" / "games" / f"{rule.page}.py").exists()


def check() -> list[str]:
    """The faults: rules without a test, tests of rules that do not exist, and rules that a language lacks."""
    rules, wrong = read_all()
    wrong += [f"{rule.name} ({rule.page}) has no test that names it" for rule in rules.values()
              if is_built(rule) and not rule.tests]
    return wrong + lost_citations() + translated.check()


def lost_citations() -> list[str]:
    """A sentence for each citation, in the rulebook or in a test, that the page of sources does not explain."""
    lost = []
    for path in [*sorted(pages.PAGES.glob("*.md")), *sorted((pages.TESTS / "games").glob("*.py"))]:
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
        found = [rule for rule in rules.values() if rule.name == rule_name(name) or rule.page == page]
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
    return sentence_of(name, language)


@functools.cache
def sentence_of(name: str, language: str) -> str:
    """That rule in a sentence, "" if there is none: kept, because a table that is watched asks again and again."""
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
