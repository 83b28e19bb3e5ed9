"""Writes a record of a random game, with refused attempts among its events: a first record for rules that are new.

    text = make_record("cals-bs cheat", seats=3, seed=1, events=120)
"""

from __future__ import annotations

from cardtable.catalogue import find_game
from cardtable.engine.event import DRAW, NO_CARD, OWN_VERB, SHOWS_NOTHING, Event, verb_arguments
from cardtable.engine.record import write_event
from cardtable.engine.setup import SetupError
from cardtable.engine.verdict import rule_id
from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import EVENT_LIMIT, Random, RandomGame, make_header

_ATTEMPTS = 15  # of 100 events one comes after an attempt, which is written with its rule if it is refused
_UNASKED = 5  # of 100 events: doubts, accusations, and whatever else nobody waits for
_ATTEMPT_MS = 50  # before the event


def make_record(line: str, seats: int = 0, seed: int = 1, events: int = EVENT_LIMIT) -> str:
    """The record as text: a whole game, or its first `events` events.

    line: a `game:` line; seats: how many, 0: as few as the game takes. UnusableInput: there is no such game or set-up.
    """
    if not line.strip():
        raise UnusableInput("The game line is empty: name a game, such as durak.")
    try:
        game = find_game(line.split()[0])
        header = make_header(line, seats or game.SEAT_RANGE[0])
        play = RandomGame(game, header, Random(seed))
    except SetupError as wrong:
        raise UnusableInput(f"{wrong}.") from wrong
    play.unasked = _UNASKED
    return write_play(play, seed, events)


def write_play(play: RandomGame, seed: int, events: int = EVENT_LIMIT) -> str:
    """The record of a game that has not begun yet: played to its end, or `events` events far."""
    chance = Random(seed + 77)
    lines = play.header.lines()
    while play.events < events:
        if chance.below(100) < _ATTEMPTS:
            lines += _attempt(play, chance)
        if not play.step():
            break
        lines.append(write_event(play.game, play.event))
    result = play.session.result()
    return "\n".join([*lines, *(["result: " + result] if result else [])]) + "\n"


def _attempt(play: RandomGame, chance: Random) -> list[str]:
    """The line of some act of some seat, if it is refused."""
    game, session = play.game, play.session
    if session.is_over():
        return []
    verb = DRAW if not chance.below(8) else OWN_VERB + chance.below(len(game.VERBS))
    kinds = verb_arguments(game, verb)
    cards = [card for card in range(game.CARDS) if session.state.where[card]]
    card = cards[chance.below(len(cards))] if kinds[:1] == "C" else NO_CARD
    kind = kinds[1:] if kinds[:1] == "C" else kinds
    target = {"": 0, "C": cards[chance.below(len(cards))], "R": chance.below(13), "U": chance.below(4)}.get(kind)
    if target is None:
        target = 1 + chance.below(min(4, play.seats))
    event = Event(1 + chance.below(play.seats), verb, card, target, play.event.at_ms + _ATTEMPT_MS)
    verdict = session.judge(event)
    if not verdict or game.shows(session.state, verb) == SHOWS_NOTHING:
        return []
    return [f"{write_event(game, event)} ! {rule_id(game, verdict)}"]
