"""Counts the sequences of events that the rules accept from a position on, so that engines can be compared.

Time stands still, and the undo (T7), the arbiter (T10) and the table's own verbs are left out: what is left are the
events of the seats. A card that comes by chance counts once for each card that could come. Compiled with the engine.
"""

from cardtable.engine.event import Event, unpack
from cardtable.engine.state import OUTCOME, PAUSED, SEATS, State


def make_room(state: State, depth: int) -> list:
    """A copy of the state, and room for one more at each depth."""
    rooms = [State(len(state.where), len(state.register)) for _ in range(depth + 1)]
    rooms[0].copy(state)
    return rooms


def count_events(game, state: State, now_ms: int) -> int:
    """How many events the seats could say now, and all be accepted."""
    if state.register[OUTCOME] or state.register[PAUSED]:
        return 0
    options: list[int] = []
    for seat in range(1, state.register[SEATS] + 1):
        game.moves(state, seat, now_ms, options)
    return len(options)


def count_sequences(game, rooms: list, at: int, depth: int, now_ms: int):
    """How many sequences of `depth` events, each accepted, begin at the state rooms[at]; what stands behind it is
    written over. Sequences that end the game sooner do not count."""
    state = rooms[at]
    if depth <= 1:
        return count_events(game, state, now_ms) if depth else 1
    if state.register[OUTCOME] or state.register[PAUSED]:
        return 0
    event = Event()
    following = rooms[at + 1]
    total = 0
    for seat in range(1, state.register[SEATS] + 1):
        options: list[int] = []
        game.moves(state, seat, now_ms, options)
        for packed in options:
            following.copy(state)
            unpack(packed, seat, now_ms, event)
            game.enact(following, event)
            total += count_sequences(game, rooms, at + 1, depth - 1, now_ms)
    return total


def divide(game, rooms: list, depth: int, now_ms: int) -> list:
    """(seat, packed event, sequences of `depth` events that begin with it) of each event accepted at rooms[0]."""
    state = rooms[0]
    event = Event()
    found: list = []
    if state.register[OUTCOME] or state.register[PAUSED]:
        return found
    for seat in range(1, state.register[SEATS] + 1):
        options: list = []
        game.moves(state, seat, now_ms, options)
        for packed in options:
            rooms[1].copy(state)
            unpack(packed, seat, now_ms, event)
            game.enact(rooms[1], event)
            found.append((seat, packed, count_sequences(game, rooms, 1, depth - 1, now_ms)))
    return found
