"""Writes the files of a new game: Crazy Eights under another name and letter, with its page, words, tests and record.

It is a small real game, with a stock, a pile, turns, a suit that is named and cards that are taken by choice, in the
sections of the games here; so whoever changes it rule by rule finds a place for most of what another game needs. The
project's tests play what is written.
"""

import keyword
import re
import string
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.languages import list_languages
from host_tools.base.project import ROOT, find_in_clone
from host_tools.judge.rulebook import book, pages

PATTERN = ROOT / "tests" / "host_tools" / "crazy_eights"
_NUMBERED = re.compile(r"^ *def test_(?:\w+_)?([a-z])\d{1,2}_", re.MULTILINE)
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def write(name: str, root: Path = ROOT) -> list[Path]:
    """The files of a game of that name, as paths in the project. UnusableInput: the name, or a file that is there, or
    there is no clone to write them into."""
    find_in_clone("tests/host_tools/crazy_eights")
    if not _NAME.fullmatch(name) or len(name) > 20:
        raise UnusableInput(f"{name!r} is no name for a game: use a-z, 0-9 and - between them, at most 20 in all.")
    if keyword.iskeyword(name) or name.endswith("-setup") or name == "toy":
        raise UnusableInput(f"{name!r} is no name for a game: Python or this project uses it for something else.")
    letter = free_letter()
    texts = make_texts(name, name.replace("-", "_"), letter)
    for path in texts:
        if (root / path).exists():
            raise UnusableInput(f"{path} is there already.")
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    for language in list_languages():
        path = Path(f"host_tools/judge/sentences/{language}.txt")
        if (PATTERN / f"sentences.{language}").exists() and (root / path).exists():
            lines = read(f"sentences.{language}").replace("NAME", name)
            (root / path).write_text(foreign.read_text(root / path) + "\n" + lines, encoding="utf-8")
            texts[path] = lines
    return list(texts)


def title_of(name: str) -> str:
    """`high-card` as people write it."""
    return name.replace("-", " ").capitalize()


def free_letter() -> str:
    """The first letter that begins no rule yet, nor a number in the name of a test: that would be taken for a test of
    the rule. UnusableInput: every letter does."""
    tests = (foreign.read_text(path) for path in pages.TESTS.rglob("test_*.py"))
    numbered = {letter for text in tests for letter in _NUMBERED.findall(text)}
    taken = pages.letters(pages.PAGES) | {letter.upper() for letter in numbered} | set("IO")  # these read as 1 and 0
    for letter in string.ascii_uppercase:
        if letter not in taken:
            return letter
    raise UnusableInput("every letter begins the rules of a game already.")


def make_texts(name: str, module: str, letter: str) -> dict[Path, str]:
    """The text of each file, by its path in the project."""
    title = title_of(name)

    def of(file: str) -> str:
        """With the letter first: a name like y8 is none of the pattern's rules."""
        return _reletter(read(file), letter)

    texts = {
        Path(f"docs/rules/{module}.md"): of("rules.en.md"),
        Path(f"firmware/cardtable/games/{module}.py"): of("crazy_eights.py"),
        Path(f"tests/games/test_{module}.py"): of("rules_tests.py").replace("MODULE", module),
        Path(f"tests/records/{name}/first.rec"): of("first.rec"),
    }
    for language in book.languages()[1:]:
        if (PATTERN / f"rules.{language}.md").exists():
            texts[Path(f"docs/rules/{language}/{module}.md")] = of(f"rules.{language}.md")
    for language in list_languages():
        for file, path in (
            ("words", f"firmware/cardtable/words/{module}.{language}"),
            ("ask", f"firmware/cardtable/words/ask_{module}.{language}"),
            ("page", f"host_tools/judge/rulebook/summaries/{module}.{language}.txt"),
        ):
            if (PATTERN / f"{file}.{language}").exists():
                texts[Path(path)] = of(f"{file}.{language}").replace("NAME", name).replace("TITLE", title)
    return {path: text.replace("crazy-eights", name).replace("Crazy Eights", title) for path, text in texts.items()}


def read(name: str) -> str:
    """A file of the pattern."""
    return foreign.read_text(PATTERN / name)


def _reletter(text: str, letter: str) -> str:
    """The same text with that letter before the numbers of its rules."""
    text = re.sub(r"(?<![A-Za-z0-9])(_?)Y(?=\d)", rf"\1{letter}", text.replace('"Y"', f'"{letter}"'))
    return text.replace("test_y", "test_" + letter.lower())
