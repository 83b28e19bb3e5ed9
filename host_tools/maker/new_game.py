"""Writes the files of a new game: the toy of the tests under another name and letter, with its page, words and tests.

The toy is the smallest whole game, is played in the tests itself, and so never falls behind the interface.
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

TOY = ROOT / "tests" / "host_tools" / "toy"
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_RULES = (
    "Two to seven seats with two cards each, of 36.",
    "The seat left of the dealer names a rank, once.",
    "Then each seat lays one card, clockwise from there, but none of that rank.",
    "The lowest card loses; of several lowest the one that was laid first.",
    "Anyone whose turn it is may give up instead of laying.",
)
_RULES_IN = {  # the same in the other languages of the rulebook: (its head, its rules, "(decided)")
    "ru": ("Один вид", (
        "От двух до семи мест, каждому по две карты, из 36.",
        "Сосед сдающего слева называет достоинство, один раз.",
        "Потом все, начиная с него, по часовой стрелке кладут по карте, но не этого достоинства.",
        "Проигрывает младшая карта; если младших несколько, та, что легла первой.",
        "В свой ход можно сдаться, ничего не кладя.",
    ), "(решено здесь)"),
}
_TESTS = '''"""The rules of docs/rules/MODULE.md, each by its id, in the language of the record."""

from tests.games.table_talk import Table, refuse

HANDS = "2 draw 7S / 1 draw 6S / 3 draw 8S / 3 draw 8H / 2 draw 9S / 1 draw KS"


def deal():
    """A game of three, dealt; seat 1 is left of the dealer."""
    table = Table("toy", 3)
    table.talk(HANDS)
    return table


def test_y1_two_to_seven_seats_with_two_cards_each():
    """Y1: one seat alone is refused when the game is set up; a seat draws no third card."""
    assert "Y1" in refuse("toy", 1)
    Table("toy", 3).talk("1 draw 6S / 1 draw KS / 1 draw KH ! T3 / 1 lay 6S ! T3")


def test_y2_a_rank_is_named_once():
    """Y2: by the seat left of the dealer, before anyone lays a card."""
    deal().talk("1 lay 6S ! Y2 / 2 name 9 ! Y3 / 1 name K / 1 name 9 ! Y2 / = waits 1 lay")


def test_y3_clockwise_and_not_the_rank():
    """Y3: each seat in its turn, with any other card of its hand."""
    deal().talk("1 name K / 1 lay KS ! Y3 / 2 lay 9S ! Y3 / 1 lay 7S ! T2 / 1 lay 6S / = waits 2 lay")


def test_y4_the_lowest_card_loses():
    """Y4: the first of those that are lowest."""
    deal().talk("1 name A / 1 lay KS / 2 lay 9S / 3 lay 8S / = result loser 3")


def test_y5_giving_up():
    """Y5: instead of laying, in one's turn."""
    deal().talk("2 surrender ! Y3 / 1 name A / 1 surrender / = result loser 1")
'''


def write(name: str, root: Path = ROOT) -> list[Path]:
    """The files of a game of that name, as paths in the project. UnusableInput: the name, or a file that is there, or
    there is no clone to write them into."""
    find_in_clone("tests/host_tools/toy")
    if not _NAME.fullmatch(name) or len(name) > 20:
        raise UnusableInput(f"{name!r} is no name for a game: use a-z, 0-9 and - between them, at most 20 in all.")
    if keyword.iskeyword(name) or name.endswith("-setup") or name == TOY.name:
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
        if (TOY / f"sentences.{language}").exists() and (root / path).exists():
            lines = read(f"sentences.{language}").replace("NAME", name)
            (root / path).write_text(foreign.read_text(root / path) + "\n" + lines, encoding="utf-8")
            texts[path] = lines
    return list(texts)


def title_of(name: str) -> str:
    """`high-card` as people write it."""
    return name.replace("-", " ").capitalize()


def free_letter() -> str:
    """The first letter that begins no rule yet. UnusableInput: every letter does."""
    taken = pages.letters(pages.PAGES) | set("FHI")  # F and H number faults in tests; I reads as a one
    for letter in string.ascii_uppercase:
        if letter not in taken:
            return letter
    raise UnusableInput("every letter begins the rules of a game already.")


def make_texts(name: str, module: str, letter: str) -> dict[Path, str]:
    """The text of each file, by its path in the project."""
    title = title_of(name)
    source = _rename(read("toy.py"), name, letter)
    head = f'"""{title}: {_RULES[0]}\n\nThe rules are docs/rules/{module}.md.\n"""\n'
    source = head + source[source.index('"""', 3) + 4 :]
    rules = [f"- **{letter}{number}** {text} (decided)" for number, text in enumerate(_RULES, 1)]
    texts = {
        Path(f"docs/rules/{module}.md"): f"# {title}\n\nOne preset, `{name}`.\n\n" + "\n".join(rules) + "\n",
        Path(f"firmware/cardtable/games/{module}.py"): source,
        Path(f"tests/games/test_{module}.py"): _rename(_TESTS, name, letter).replace("MODULE", module),
        Path(f"tests/records/{name}/first.rec"): _rename(read("toy.rec"), name, letter),
    }
    for language in book.languages()[1:]:
        if language in _RULES_IN:
            one_preset, told, decided = _RULES_IN[language]
            lines = [f"- **{letter}{number}** {text} {decided}" for number, text in enumerate(told, 1)]
            page = f"# {title}\n\n{one_preset}, `{name}`.\n\n" + "\n".join(lines) + "\n"
            texts[Path(f"docs/rules/{language}/{module}.md")] = page
    for language in list_languages():
        if (TOY / f"toy.{language}").exists():
            path = Path(f"firmware/cardtable/words/{module}.{language}")
            texts[path] = _rename(read(f"toy.{language}"), name, letter)
            asked = read(f"ask_toy.{language}").replace("NAME", name).replace("TITLE", title)
            texts[path.with_name(f"ask_{path.name}")] = asked
        if (TOY / f"page.{language}").exists():
            path = Path(f"host_tools/judge/rulebook/summaries/{module}.{language}.txt")
            texts[path] = _rename(read(f"page.{language}"), name, letter)
    return texts


def read(name: str) -> str:
    """A file of the toy."""
    return foreign.read_text(TOY / name)


def _rename(text: str, name: str, letter: str) -> str:
    """The same text with that name and letter for the toy's."""
    text = text.replace('"toy"', f'"{name}"').replace("game: toy", f"game: {name}").replace('"Y"', f'"{letter}"')
    return re.sub(r"(?<![A-Za-z0-9])(_?)Y(?=\d)", rf"\1{letter}", text).replace("test_y", "test_" + letter.lower())
