"""Tells a game on one page, in plain words, with the house rules of one table filled in; the rulebook stands behind it.

A page is summaries/GAME.LANGUAGE.txt: `== ` begins a part, every other line is a sentence with the rules that it tells
behind it. A condition may stand before it, `[deck=54 & teams!=no]`, values apart by `|`: the sentence is told where it
holds. `{option}` is what this table says to the option, in the words of the option itself. The lines `goal:` say what
one has to do to win; the last that holds counts. What the table plays otherwise than usual is listed behind the page,
from the options alone: so a new option is in it by itself.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.record import Header, SetupError
from cardtable.engine.setup import TABLE_OPTIONS, is_for_seats, read_option, set_up
from cardtable.engine.state import State
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.judge.rulebook.pages import ENGLISH, ids_in
from host_tools.judge.sentences import Sentences

FOLDER = Path(__file__).parent / "summaries"
_LINE = re.compile(r"(?:\[(?P<when>[^]]+)\] )?(?P<goal>goal: )?(?P<text>.+?)"
                   r"(?: \((?P<rules>[A-Z]\d+(?:, [A-Z]\d+)*)\))?")
_CONDITION = re.compile(r"(\w+)(!?=)(\S+)")


@dataclass
class Line:
    """One line of a page's file: its text, the `rules` that it tells, what has to hold for it, and its part."""

    text: str
    rules: list[str]
    when: list[tuple[str, bool, list[str]]]
    part: str = ""
    is_goal: bool = False


@dataclass
class House:
    """One option of a table: its rule, its question, what is played here, and what is usual."""

    name: str
    rule: str
    question: str
    answer: str
    usual: str


@dataclass
class Summary:
    """A page: `parts` with (sentence, rules) each; `house`: what is played otherwise than usual; `usual`: all else."""

    title: str
    goal: str
    language: str
    parts: list[tuple[str, list[tuple[str, list[str]]]]] = field(default_factory=list)
    house: list[House] = field(default_factory=list)
    usual: list[House] = field(default_factory=list)


def read_lines(page: str, language: str) -> list[Line]:
    """The page's file, in English where the language has none; empty where the game has no page."""
    path = FOLDER / f"{page}.{language}.txt"
    if not path.is_file():
        return read_lines(page, ENGLISH) if language != ENGLISH else []
    lines, part = [], ""
    for text in foreign.read_text(path).splitlines():
        if text.startswith("== "):
            part = text[3:]
        elif text.strip():
            lines.append(_read_line(text, part))
    return lines


def _read_line(text: str, part: str) -> Line:
    found = _LINE.fullmatch(text)
    assert found is not None
    when = []
    for condition in (found["when"] or "").split(" & "):
        said = _CONDITION.fullmatch(condition)
        if said:
            when.append((said[1], said[2] == "=", said[3].split("|")))
    return Line(found["text"], ids_in(found["rules"] or ""), when, part, bool(found["goal"]))


def summarise(game_line: str, language: str = ENGLISH, names: Sequence[str] = ()) -> Summary:
    """The page of the game that a record's `game:` line names. names: who sits there; without any that is open.
    UnusableInput for a game or an option that there is not."""
    words = game_line.split() or [""]
    try:
        game = find_game(words[0])
        here = _set_up(game, words, len(names))
        usual = _set_up(game, words[:2] if len(words) > 1 and "=" not in words[1] else words[:1], len(names))
    except (SetupError, IndexError) as wrong:
        raise UnusableInput(str(wrong) or "there is no such game") from wrong
    sentences = Sentences(game, names, language)
    values = {name: read_option(game, here, name) for name in ("preset", *_list_names(game))}
    answers = {name: sentences.option(game, name, value) for name, value in values.items()}
    page = Summary(sentences.title(words), "", language)
    for line in read_lines(words[0].replace("-", "_"), language):
        if not all((values[name] in wanted) == is_equal for name, is_equal, wanted in line.when):
            continue
        text = line.text.format(**answers)
        if line.is_goal:
            page.goal = text
            continue
        if not page.parts or page.parts[-1][0] != line.part:
            page.parts.append((line.part, []))
        page.parts[-1][1].append((text, line.rules))
    _fill_house(page, game, words, here, usual, sentences)
    return page


@functools.lru_cache
def tell_goal(game_line: str, language: str = ENGLISH) -> str:
    """What one has to do to win, in a line; empty where the game has no page, or the line is of no game."""
    try:
        return summarise(game_line, language).goal
    except UnusableInput:
        return ""


def write_lines(page: Summary, language: str) -> Iterator[str]:
    """The page as lines of text: title, goal, parts, and what this table plays otherwise than usual."""
    words = Sentences(language=language)
    yield page.title
    if page.goal:
        yield page.goal
    for title, sentences in page.parts:
        yield ""
        yield title
        yield from (f"  {text} ({', '.join(rules)})" if rules else f"  {text}" for text, rules in sentences)
    yield ""
    yield words.heading("house" if page.house else "house.none")
    yield from (f"  {one.question} {one.answer} ({one.rule})" for one in page.house)
    yield ""
    yield words.heading("usual")
    yield from (f"  {one.question} {one.answer} ({one.rule})" for one in page.usual)


def _list_names(game: Any) -> list[str]:
    """The options that have one value for the whole table."""
    return [name for name, _, values, *_ in (*game.OPTIONS, *TABLE_OPTIONS) if not is_for_seats(values)]


def _set_up(game: Any, words: list[str], seats: int) -> State:
    """The state in which such a game begins. SetupError of the fewest players, if no number of them can play it."""
    low, high, _ = game.SEAT_RANGE
    wrong: SetupError | None = None
    for count in [seats] if seats else range(low, high + 1):
        header = Header()
        header.game, header.seats, header.dealer = words, [str(seat) for seat in range(1, count + 1)], 1
        try:
            return set_up(game, header)
        except SetupError as refusal:
            wrong = wrong or refusal
    assert wrong is not None
    raise wrong


def _fill_house(page: Summary, game: Any, words: list[str], here: State, usual: State, sentences: Sentences) -> None:
    """Every option that means something at this table: as usual, or otherwise."""
    for name, rule, values, *_ in (*game.OPTIONS, *TABLE_OPTIONS):
        question = sentences.question(game, name)
        if is_for_seats(values):
            said = [word.partition("=")[2] for word in words if word.startswith(name + "=")]
            nobody = sentences.option(game, name, "0")
            answer = "; ".join(sentences.option(game, name, value) for value in said) or nobody
            (page.house if said else page.usual).append(House(name, rule, question, answer, nobody))
        elif not _is_idle(game, here, name):
            value, was = read_option(game, here, name), read_option(game, usual, name)
            told = House(name, rule, question, sentences.option(game, name, value), sentences.option(game, name, was))
            (page.house if value != was else page.usual).append(told)


def _is_idle(game: Any, state: State, name: str) -> bool:
    """Whether the other options leave this one nothing to say: what a joker beats in a deck without one."""
    return any(name in options.split() and read_option(game, state, needed) not in allowed.split()
               for options, needed, allowed, _ in game.NEEDS)
