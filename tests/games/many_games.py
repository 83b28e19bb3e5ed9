"""Plays random games of random mixes of all options by the hundred thousand, and says what broke.

    python -c "import tests.conftest; from tests.games import many_games; many_games.main(2001, 25000)"

In each state `audit` finds nothing and no card has come or gone (T1); an event tried at random that is refused leaves
every byte as it was (T6); the table waits for somebody. The property tests do the same with some dozen games, more
often in each. There is a line for a thousand seeds, so a run can be stopped and taken up at any of them.
"""

import time
from types import ModuleType

from cardtable.engine.event import DRAW, NO_CARD, OWN_VERB, Event, verb_arguments
from tests.games.random_games import Refused, catalogue, start_game

BATCH = 1000  # seeds


def check(play, kept, event) -> str:
    """What is wrong in this state; empty if nothing is. kept: room for a state; event: room for one that is tried."""
    session = play.session
    game, state = session.game, session.state
    if game.audit(state):
        return f"audit says {game.audit(state)}"
    random = play.tries
    event.verb = DRAW if not random.below(8) else OWN_VERB + random.below(len(game.VERBS))
    kinds = verb_arguments(game, event.verb)
    event.seat = random.below(9)
    event.card = random.below(game.CARDS + 2) if kinds[:1] == "C" else NO_CARD
    event.target = random.below(256) if len(kinds) > (kinds[:1] == "C") else 0
    event.at_ms = play.event.at_ms
    kept.copy(state)  # before the first question: one that writes the same each time would hide behind it
    if session.judge(event):
        if not state.is_equal(kept) or not session.play(event) or not state.is_equal(kept):
            return f"a refusal changed the state: {event.verb} {event.card} {event.target} by {event.seat}"
    if not session.is_over():
        waited = bytearray(8)
        game.waiting(state, waited)
        if not max(waited[1:]) or not waited[0]:
            return "the table waits for nobody"
    return ""


def play_one(game: ModuleType, seed: int, counts: Refused) -> str:
    """One game to its end; what is wrong with it, or nothing."""
    play = start_game(game, seed, counts)
    play.tries = type(play.random)(seed + 1)
    state = play.session.state
    kept, event = type(state)(game.CARDS, game.REGISTERS), Event()
    out_of_play = state.where.count(0)
    wrong = check(play, kept, event)
    while not wrong and play.step():
        wrong = check(play, kept, event)
        if not wrong and state.where.count(0) != out_of_play:
            wrong = "a card came or went"
    counts.games += 1
    counts.unfinished += not play.session.is_over()
    return f"{play.title}, after {play.events} events: {wrong}" if wrong else ""


def main(first: int, many: int) -> int:
    """Play that many games of each game from that seed on; how many broke."""
    broken = 0
    for begin in range(first, first + many, BATCH):
        counts = Refused()
        end = min(begin + BATCH, first + many)
        before = time.process_time()
        for game in catalogue():
            for seed in range(begin, end):
                wrong = play_one(game, seed, counts)
                if wrong:
                    broken += 1
                    print(wrong, flush=True)
        seconds = time.process_time() - before
        print(f"seeds {begin} to {end - 1}: {counts.games} games, {counts.unfinished} unfinished,"
              f" {counts.mixes} impossible mixes, {broken} broken so far, {seconds:.0f} s", flush=True)
    return broken
