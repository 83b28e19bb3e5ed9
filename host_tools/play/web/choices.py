"""Answers to what a page asks besides playing: rules, what can be chosen, links with their QR codes."""

from __future__ import annotations

import functools
from typing import Any

from cardtable.between.options import Options
from cardtable.catalogue import find_game
from cardtable.engine.setup import TABLE_OPTIONS, is_for_seats
from host_tools.base.errors import UnusableInput
from host_tools.play.lessons.lesson import list_lessons
from host_tools.play.acts import NotAllowed
from host_tools.play.seating import bot_names, PHONE
from host_tools.play.table import LiveTable
from host_tools.play.web.coming import tell_address
from host_tools.minds.players import list_levels, list_players
from host_tools.judge.rulebook.book import brief, page_names, plain, read_rules
from host_tools.judge.rulebook.summary import summarise, tell_goal
from host_tools.judge.sentences import Sentences

FREE_NUMBERS = 60  # a number option with more values than this is typed, not chosen


@functools.cache
def rules(language: str) -> dict[str, Any]:
    """The rulebook, read once."""
    return read_rules(language)


def tell_rule(name: object, language: str) -> dict[str, Any]:
    """One rule with its readings and its source; `language` says in which it is written. NotAllowed."""
    rule = rules(language).get(name) if isinstance(name, str) else None
    if rule is None:
        raise NotAllowed("there is no such rule")
    title = Sentences(language=language).title(rule.page.replace("_", "-"))
    return {"rule": rule.name, "title": title, "text": plain(rule.text), "source": " ".join(rule.sources),
            "readings": [plain(text) for text in rule.details], "language": rule.language}


def tell_summary(game_line: object, header: Any, language: str) -> dict[str, Any]:
    """A game on one page; without a line that of this table's header, with its house rules filled in. NotAllowed."""
    line = " ".join(header.game) if game_line is None and header is not None else game_line
    if not isinstance(line, str):
        raise NotAllowed("there is no such game")
    names = header.seats if header is not None and game_line is None else ()
    try:
        page = summarise(line, language, names)
    except UnusableInput as wrong:
        raise NotAllowed("there is no such game") from wrong
    own = line.split(" ")[0].replace("-", "_")
    return {"game": line, "title": page.title, "goal": page.goal,
            "parts": [{"title": title, "sentences": [{"text": text, "rules": names} for text, names in sentences]}
                      for title, sentences in page.parts],
            "house": [vars(one) for one in page.house], "usual": [vars(one) for one in page.usual],
            "rules": [{"rule": rule.name, "text": brief(rule.text), "language": rule.language}
                      for rule in rules(language).values() if rule.page == own]}


@functools.cache
def tell_choices(language: str) -> dict[str, Any]:
    """Every game with its variants and options, in words."""
    words = Sentences(language=language)
    games = []
    for name in page_names():
        if name != "table":
            games.append(tell_game(find_game(name.replace("_", "-")), words))
    lessons = [{"name": name, "title": words.title(name)} for name in list_lessons()]
    return {"games": games, "names": bot_names(language), "lessons": lessons}


def tell_game(game: Any, words: Sentences) -> dict[str, Any]:
    """One game."""
    line = game.NAME
    presets = [{"name": preset[0], "title": words.title(f"{line} {preset[0]}"),
                "goal": tell_goal(f"{line} {preset[0]}", words.language)} for preset in game.PRESETS]
    options = [tell_option(game, words, *option[:3]) for option in (*game.OPTIONS, *TABLE_OPTIONS)]
    needs = [list(need) for need in game.NEEDS]
    return {"name": line, "title": words.title(line), "presets": presets, "options": options,
            "seats": list(game.SEAT_RANGE[:2]), "players": list_players(game), "needs": needs,
            **tell_levels(game, words)}


def tell_levels(game: Any, words: Sentences) -> dict[str, Any]:
    """The virtual players of a game in words: by strength, and by character."""
    levels = list_levels(game)
    plain = [name for name in list_players(game) if name not in dict(levels).values()]
    return {"levels": [{"name": name, "title": words.level(level)} for level, name in levels],
            "kinds": [{"name": name, "title": words.kind(name)} for name in plain]}


def tell_option(game: Any, words: Sentences, name: str, rule: str, values: Any) -> dict[str, Any]:
    """One option: its question, and its answers, the default first; `each`: the seconds that one seat can have."""
    told: dict[str, Any] = {"name": name, "rule": rule, "question": words.question(game, name)}
    if is_for_seats(values):
        told["each"] = Options(game.NAME, "en", game.SEAT_RANGE[1]).list_seconds(name)
        return told
    if isinstance(values, tuple):
        low, high = values
        told.update(low=low, high=high, default=0, values=[], usual=words.option(game, name, "0"))
        if high - low < FREE_NUMBERS:
            answers = [str(one) for one in range(low, high + 1)]
            told["values"] = [{"value": one, "text": words.option(game, name, one)} for one in answers]
        return told
    told["values"] = [{"value": one, "text": words.option(game, name, one)} for one in values.split(" ")]
    return told


def tell_link(table: LiveTable, seat: object, address: str, is_open: bool = True) -> dict[str, Any]:
    """The link of a seat, and the same as a QR code, unless it would lead a phone to itself. NotAllowed."""
    if not isinstance(seat, int) or seat not in table.seating.chairs:
        raise NotAllowed("there is no such seat")
    if table.seating.chairs[seat].who != PHONE:
        raise NotAllowed("that seat is not played on another device")
    return {"seat": seat, **tell_address(address, table.seating.chairs[seat].secret, is_open)}
