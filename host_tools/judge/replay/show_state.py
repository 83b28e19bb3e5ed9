"""Writes a game's state in a few lines that people can read, under CPython and MicroPython."""

from cardtable.engine.deck import card_name
from cardtable.engine.state import NOWHERE, PAUSED, SEATS, place_name

# Face-down heaps and what was played away: how many lie there is in the game's own status line.
HEAPS = ("stock", "discard", "payoff")


def waiting_name(game, number: int) -> str:
    """The game's name for the thing it waits for: `beat` for its WAIT_BEAT."""
    for name in dir(game):
        if name.startswith("WAIT_") and getattr(game, name) == number:
            return name[5:].lower().replace("_", " ")
    return "P%d" % number


def describe_waiting(game, state) -> str:
    """`beat; seat 2: beat`: what the screen says, then what each seat is waited for; empty for nothing."""
    waited = bytearray(8)
    game.waiting(state, waited)
    parts = [waiting_name(game, waited[0])] if waited[0] else []
    for seat in range(1, 8):
        if waited[seat]:
            parts.append("seat %d: %s" % (seat, waiting_name(game, waited[seat])))
    return "; ".join(parts)


def places_with_cards(game, state) -> list:
    """(name of the place, cards that lie there) in the order of places, heaps left out."""
    cards_at: dict[int, list[str]] = {}
    for card in range(len(state.where)):
        place = state.where[card]
        if place != NOWHERE:
            cards_at.setdefault(place, []).append(card_name(card))
    # MicroPython's dictionaries have no order of their own.
    named = [(place_name(game, place), cards_at[place]) for place in sorted(cards_at)]
    return [row for row in named if row[0] not in HEAPS]


def describe_state(session) -> list:
    """The session's state as lines: status, the act that is waited for, every card that lies outside of the heaps."""
    game = session.game
    state = session.state
    lines = ["%s, %d seats: %s" % (game.NAME, state.register[SEATS], game.status(state))]
    if session.is_over():
        lines.append("over: " + session.result())
    elif state.register[PAUSED]:
        lines.append("paused by the arbiter")
    else:
        lines.append("waits for " + (describe_waiting(game, state) or "nothing"))
    if session.undo_seat:
        lines.append("seat %d has said undo" % session.undo_seat)
    for name, cards in places_with_cards(game, state):
        lines.append("%s: %s" % (name, " ".join(cards)))
    return lines
