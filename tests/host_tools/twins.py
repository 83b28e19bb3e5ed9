"""Random games with their twins, in which everything is equal that one seat and the public may know.

Of half the games a twin is the game itself: all cards have been seen, or none of the hidden ones has been played yet.
To hold these side by side proves nothing, so they are left out.
"""

from collections.abc import Iterator
from itertools import count, islice

from cardtable.engine.event import NO_CARD, Event
from tests.games.random_games import first_seed
from tests.games.test_every_game import History, Refused, start_game

ENOUGH = 3  # events that name another card
TRIES = 60  # games in a row of which none will do


def telling_twins(game, wanted: int, begin: int = 0) -> Iterator[tuple]:
    """(play, seat, its history, for each card the one in its place in the twin) of so many games, in each of which
    some events name other cards than in the twin. Seeds from `begin` on; AssertionError if there are none."""
    seeds = count(first_seed() + begin)
    for _ in range(wanted):
        found = next(filter(None, (find_twin(game, seed) for seed in islice(seeds, TRIES))), None)
        assert found, f"too little is hidden in every game of {game.NAME}"
        yield found


def find_twin(game, seed: int) -> tuple | None:
    """The game of that seed and its twin; None if the two are too much alike."""
    play = start_game(game, seed, Refused(), True)
    if "deal=counted" in play.header.game:  # the table knows no card that is hidden
        return None
    seat = play.random.below(play.seats) + 1
    history = History(play, seat)
    parts = history.find_twin(play)
    return (play, seat, history, parts) if count_unlike(history, parts) >= ENOUGH else None


def count_unlike(history: History, parts: bytearray) -> int:
    """How many events name another card in the twin."""
    event, same = Event(), bytearray(range(len(parts)))
    cards = [history.event_of(index, same, event).card for index in range(len(history.packed))]
    return sum(card != NO_CARD and parts[card] != card for card in cards)
