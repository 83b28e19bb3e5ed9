"""Stands between the learner's acts and the table while a lesson goes on: what is asked for is done, what would stand
and is something else is held back, and all else goes to the table, which refuses it with its reason.
"""

from __future__ import annotations

from typing import Any

from cardtable.engine.event import LEAD, NO_CARD, OWN_VERB, pack, verb_arguments
from host_tools.play.lessons.lesson import LEARNER
from host_tools.play.seating import bot_names, DEFAULT_BOT, guest, HERE
from host_tools.sight.viewer import KEYS


def seat_for(lesson: Any, language: str) -> list[tuple[str, str]]:
    """(name, who) of each seat: the learner here, virtual players around."""
    others = bot_names(language)[: len(lesson.script.header.seats) - 1]
    return [(guest(language), HERE), *((name, DEFAULT_BOT) for name in others)]


def guide(table: Any, seat: int, do: str, meant: Any) -> int:
    """Look at an act of that seat before it is done, while a lesson goes on: an event to do in its place, or 0.

    do: the act's name; meant: a card's number, a key, or a packed event. Held if the lesson asks for something else.
    """
    lesson = table.lesson
    if lesson is None or seat != LEARNER or not table.is_playing or lesson.is_free:
        return 0
    state, game, wanted = table.session.state, table.game, lesson.wanted()
    is_busy = table.hands[table.place_of(seat)].has_work
    options: list[int] = []
    if do == "play":
        if meant >> 16 == LEAD:
            return 0
        return lesson.check([meant], True, is_busy)
    if do == "tap":
        game.meanings(state, seat, meant, options)
        return lesson.check(options, True, is_busy)
    if do == "press" and meant in KEYS:
        verb = game.button(state, seat, KEYS.index(meant))
        if verb and wanted >> 16 == verb and wanted >> 8 & 255 == NO_CARD:
            return lesson.check([wanted], True, is_busy)
        if verb and verb_arguments(game, verb)[:1] in ("R", "N"):  # the table would ask for a rank or a number
            lesson.hold("held")
        return lesson.check([pack(verb)] if verb >= OWN_VERB else [], False, is_busy)
    lesson.hold("held")
    return 0
