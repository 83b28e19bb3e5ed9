"""Lists the options of a game: each with its rule, its question and the meaning of its values, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.record import SetupError
from cardtable.engine.setup import TABLE_OPTIONS, is_for_seats
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.judge.rulebook.book import page_names, read_rules
from host_tools.judge.rulebook.pages import pages_in
from host_tools.judge.sentences import Sentences


def tell(names: Sequence[str], language: str = "en") -> Iterator[str]:
    """Lines about each of these games, or about all. UnusableInput: no such game, or language."""
    words = Sentences(language=language)
    for name in names or [page for page in page_names() if page != "table"]:
        try:
            game = find_game(name.lower().replace("_", "-"))
        except SetupError as wrong:
            raise UnusableInput(f"{wrong}.") from wrong
        yield from _tell_game(game, words)


def _tell_game(game: Any, words: Sentences) -> Iterator[str]:
    low, high, rule = game.SEAT_RANGE
    yield f"{words.title(game.NAME)}: {low if low == high else f'{low} to {high}'} players ({rule})"
    for preset, _ in game.PRESETS:
        yield f"  {preset}: {words.option(game, 'preset', preset)}"
    for name, rule, values, *_ in game.OPTIONS + TABLE_OPTIONS:
        yield f"{name} ({rule}): {words.question(game, name)}"
        if is_for_seats(values):
            yield f"  SEAT:SECONDS, {values[0] / 1000:g} to {values[1] / 1000:g}"
        elif isinstance(values, tuple):
            yield f"  0: {words.option(game, name, '0')}"
            yield f"  {values[0] or 1} to {values[1]}: such as {words.option(game, name, str(values[1]))}"
        else:
            for value in values.split():
                yield f"  {value}: {words.option(game, name, value)}"
        for options, needed, allowed, because in game.NEEDS:
            for option in options.split():
                if option.partition("=")[0] == name:
                    yield f"    {option} needs {needed}={' or '.join(allowed.split())} ({because})"


def find_undescribed(language: str) -> list[str]:
    """A sentence for each option that no rule or heading of its game's page describes: its name, and each of its values
    that has to be said to be chosen."""
    found = []
    for page in page_names():
        game = None if page == "table" else find_game(page.replace("_", "-"))
        texts = [rule.text for rule in read_rules(language).values() if rule.page == page]
        texts += re.findall("^##.*", foreign.read_text(pages_in(language) / f"{page}.md"), re.MULTILINE)
        quoted = [set(re.findall(r"[\w-]+", " ".join(re.findall(r"`([^`]+)`", text)))) for text in texts]
        for name, rule, values, *_ in game.OPTIONS if game else TABLE_OPTIONS:
            said = {word for words in quoted if name in words for word in words}
            wanted = [name, *(values.split()[1:] if isinstance(values, str) else ())]
            if missing := [word for word in wanted if word not in said]:
                values = ", ".join(f"`{name}={value}`" for value in missing if value != name)
                found.append(f"{page}, {language}: no rule quotes {values or f'`{name}`'}, as {rule} should")
    return found
