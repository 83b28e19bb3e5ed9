"""Asks puzzles in a terminal of 80 columns."""

from __future__ import annotations

import itertools
import textwrap
from typing import Any

from host_tools.base import foreign
from host_tools.judge.sentences import Sentences
from host_tools.look.answer import name_of_pile
from host_tools.look.puzzle_told import Told
from host_tools.look.wording import Wording
from host_tools.minds.puzzles.puzzle import Puzzle
from host_tools.judge.sentences.sentences import PIPS

WIDTH = 79
_FEW = 3  # cards of a pile that shares a line with others
_MANY = 6  # choices


def ask_all(puzzles: list[Puzzle], language: str) -> None:
    """One after the other, until an empty line or the end of the input."""
    words = Wording(language)
    right = tried = 0
    for puzzle in puzzles:
        told = Told(puzzle, language)
        question = told.question()
        for line in as_lines(question, told.sentences, words):
            foreign.say(line)
        index = ask_number(len(question["choices"]), words)
        if index is None:
            break
        answer = told.answer(index)
        tried += 1
        right += answer["is_right"]
        foreign.say("")
        foreign.say(answer["said"])
        foreign.say(f"{answer['theme']}. {answer['missed']}.")
        for line in wrap([one["text"] for one in answer["line"]]):
            foreign.say(f"  {line}")
        foreign.say("")
    if tried:
        foreign.say(words.say("puzzle.score", right=right, tried=tried))


def as_lines(question: dict[str, Any], sentences: Sentences, words: Wording) -> list[str]:
    """The position, the question and its choices."""
    view = question["view"]
    head = question["title"] + (f" · {words.say('trump')} {view['trump'].translate(PIPS)}" if view["trump"] else "")
    lines = [head]
    for pile in (one for one in view["piles"] if one["kind"] != "payoff"):  # its top is a pile of its own
        cards = [sentences.card(card) for card in pile["cards"]]
        hidden = pile["count"] - len(cards)
        text = " ".join(cards + ([words.count("face.down", hidden)] if hidden else []))
        if "next" in pile:
            text = words.say("puzzle.next", rank=pile["next"])
        is_own = pile["seat"] == question["seat"]
        name = words.say(f"puzzle.own.{pile['kind'].rstrip('0123456789.')}", number=pile["slot"]) if is_own else (
            name_of_pile(sentences, pile))
        text = pile.get("said") or text
        if len(pile["cards"]) > _FEW or is_own and pile["kind"] == "hand":
            lines += textwrap.wrap(f"{name}: {text}", WIDTH, initial_indent="  ", subsequent_indent="      ")
        elif lines[-1].startswith("  ") and len(lines[-1]) + len(name) + len(text) + 5 <= WIDTH:
            lines[-1] += f" · {name}: {text}"
        else:
            lines.append(f"  {name}: {text}")
    lines += textwrap.wrap(question["question"], WIDTH)
    told = [f"  {one['index'] + 1:2}  {one['text']}" for one in question["choices"]]
    if len(told) > _MANY:  # two beside each other
        half = (len(told) + 1) // 2
        rows = itertools.zip_longest(told[:half], told[half:], fillvalue="")
        told = [f"{left:<{WIDTH // 2}}{right}".rstrip() for left, right in rows]
    return lines + told


def ask_number(most: int, words: Wording) -> int | None:
    """The choice that was typed, from 0 on; None: an empty line, or nothing more comes."""
    while True:
        try:
            typed = input(words.say("puzzle.ask") + " ").strip()
        except EOFError:
            return None
        if not typed:
            return None
        if typed.isascii() and typed.isdecimal() and 0 < int(typed[:4]) <= most:
            return int(typed[:4]) - 1
        foreign.say(words.say("puzzle.no.number", most=most))


def wrap(texts: list[str]) -> list[str]:
    """Short sentences side by side, as many as fit into a line."""
    lines: list[str] = []
    for text in texts:
        text = text if text.endswith("!") else text.rstrip(".") + "."
        if lines and len(lines[-1]) + len(text) + 3 <= WIDTH - 2:
            lines[-1] += " " + text
        else:
            lines.append(text)
    return lines

