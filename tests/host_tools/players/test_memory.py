"""What a seat remembers is right: every card that it believes to know lies there, in games of any mix."""

import pytest

from cardtable.engine.state import HAND
from cardtable.games import bailiff, durak
from host_tools.players.memory import DurakMemory, Memory
from host_tools.players.worlds import make_memory, make_worlds
from host_tools.random_play import Random
from tests.host_tools.players.games import BEGINNER, GAMES, mixed_match


@pytest.mark.parametrize(
    ("name", "make"), [("durak", lambda: DurakMemory(durak)), ("bailiff", lambda: Memory(bailiff))]
)
def test_d48_what_is_remembered_is_where_the_cards_are(name, make):
    """Takes and the discard; every known card lies where it is believed to, and the log is never lost."""
    known = 0
    for seed in range(6):
        match = mixed_match(GAMES[name], seed, (BEGINNER,), 400)
        memories = [make() for _ in range(8)]
        while match.step():
            if match.session.is_over() or match.is_chance_due():
                continue
            for seat in range(1, match.seats + 1):
                memories[seat].recall(match.see(seat, 0))
                assert not memories[seat].is_lost
                for card, holder in memories[seat].known.items():
                    place = match.session.state.where[card]
                    assert place == (HAND + holder if holder else 2) or card in match.unseen[holder]
                    known += 1
    assert known > 3000


@pytest.mark.parametrize("name", GAMES)
def test_t11_a_guess_is_a_game_that_the_seat_could_see(name):
    """Every guess has the counts and cards of the view, and can be played to an end."""
    guesses = ended = 0
    for seed in range(5):
        match = mixed_match(GAMES[name], seed, (BEGINNER,), 250)
        memories = [make_memory(match.game) for _ in range(8)]
        draw = Random(seed)
        while match.step():
            waits = bytearray(8)
            match.game.waiting(match.session.state, waits)
            seat = max((other for other in range(1, 8) if waits[other]), default=0)
            if not seat or match.is_chance_due() or match.session.is_over() or match.event.at_ms % 3:
                continue
            seen = match.see(seat, 0)
            world = make_worlds(seen, memories[seat])
            guess = world.deal(draw)
            told, own = match.game.view(guess.state, seat), list(seen.view)
            for card in seen.hand:
                own[card] = HAND + seat  # of a counted game
            places = match.game.CARDS
            assert list(told[:places]) == own[:places]
            counted = {"durak": 10, "bailiff": 8, "cals-bs": 2, "malice": 3}[name]  # others' staged cards go back
            assert told[places : places + counted] == seen.view[places : places + counted]
            guesses += 1
            ended += world.play_out(guess, draw)
            assert not match.game.audit(guess.state) & 1
    assert guesses > 30 and (ended > guesses // 2 or name == "malice"), (guesses, ended)
