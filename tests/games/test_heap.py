"""No game allocates anything where a move is judged or happens: random games of each, with the heap locked."""

import micropython
from tests.games.random_games import Refused, catalogue, count_games, first_seed, start_game

from cardtable.engine.event import DRAW, OWN_VERB, Event

# CPython has no heap to lock; there these games are just played.
lock = getattr(micropython, "heap_lock", int)
unlock = getattr(micropython, "heap_unlock", int)
TRIES = 12  # events of any seat that are judged beside each that is played


def judge(session, event) -> int:
    """The verdict; MemoryError if anything was allocated."""
    lock()
    try:
        return session.judge(event)
    finally:
        unlock()


def enact(session, event):
    """Let it happen; MemoryError if anything was allocated."""
    lock()
    try:
        session.enact(event)
    finally:
        unlock()


def try_some(session, random, event):
    """Events of any seat, most of them refused."""
    game = session.game
    for _ in range(TRIES):
        event.verb = DRAW if not random.below(8) else OWN_VERB + random.below(len(game.VERBS))
        event.seat = random.below(8)
        event.card = random.below(game.CARDS)
        event.target = random.below(16)
        judge(session, event)


def test_t6_no_game_allocates_where_a_move_is_judged():
    """DESIGN: no rubbish is made between the tap and the light, so nothing has to be collected there."""
    for game in catalogue():
        for seed in range(first_seed(), first_seed() + count_games(4, 3)):
            play = start_game(game, seed, Refused())
            event = Event()
            for _ in range(300):
                if not play.choose():
                    break
                event.at_ms = play.event.at_ms
                try_some(play.session, play.random, event)
                assert not judge(play.session, play.event)
                enact(play.session, play.event)
                if play.session.is_over():
                    break
