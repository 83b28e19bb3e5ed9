"""The weighed advice of Malice, from which the search begins: by the rules, and better than the beginner."""

import pytest

from cardtable.games import malice
from host_tools.minds.players.pace import NORMAL
from host_tools.minds.players.search import Search, Sound
from tests.host_tools.players.games import BEGINNER, plain_match
from tests.host_tools.players.test_strength import chance_of



class Weigher(Search):
    """Follows the advice, and searches nothing."""

    name = ""

    def advise(self, seen):
        return (self.ask_adviser(seen), NORMAL) if seen.is_waited_for else None


LINES = [
    ("malice", 2), ("malice deal=counted", 2), ("malice kings-wild", 2), ("malice kings-wild payoff=5", 4),
    ("malice kings=wild-not-ace", 3), ("malice side=any", 2), ("malice centre_cards=one", 3),
    ("malice refill=empty-hand jokers=none", 4),
]  # fmt: skip


@pytest.mark.parametrize(("line", "seats"), LINES)
def test_m4_to_m13_the_advice_is_a_play_that_the_judge_takes(line, seats):
    """By every house rule; a match stops where a player does what may not be."""
    asked = []
    for seed in range(1, 3):
        match = plain_match(line, [Weigher] * seats, seed, 600)
        match.watch = lambda seen, choice: asked.append(choice.packed in seen.moves) if choice else None
        match.play()
    assert len(asked) > 60 and all(asked)


def test_the_advice_alone_is_better_than_the_beginner():
    wins = games = 0
    for seed in range(50):
        for own in (0, 1):
            match = plain_match("malice", [Weigher if seat == own else BEGINNER for seat in range(2)], seed)
            match.play()
            losers = malice.losers(match.session.state)
            wins += losers > 0 and not losers >> (own + 1) & 1
            games += 1
    assert chance_of(wins, games, 0.5) < 0.01, f"{wins} of {games}"


def test_sound_keeps_to_the_beginners_advice():
    """It is the quick opponent of the same games, one step below."""
    told = {Search: [], Sound: []}
    match = plain_match("malice", [BEGINNER] * 2, 3)

    def ask(seen, choice):
        if choice and seen.is_waited_for:
            for kind, said in told.items():
                said.append(kind(malice, seen.seat, 2, 1).ask_adviser(seen) == choice.packed)

    match.watch = ask
    match.play()
    assert all(told[Sound]) and not all(told[Search])
