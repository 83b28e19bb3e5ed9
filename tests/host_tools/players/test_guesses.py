"""Guesses that are played on: by the rules, in rare house rules too, and in so many steps at most."""

import pytest

from cardtable.engine.state import OUTCOME, State
from cardtable.games import durak, malice
from host_tools.base.random_play import Random
from host_tools.judge.facts import malice as malice_facts
from host_tools.judge.position_line import read_position
from host_tools.minds.players.memory import DurakMemory
from host_tools.minds.players.worlds import DurakWorlds, MaliceWorlds, World
from host_tools.minds.thinking.malice_playout import play_malice_out
from host_tools.sight.seen import look
from tests.host_tools.players.games import BEGINNER, plain_match

ALL = [rank + suit for suit in "SHDC" for rank in "6789TJQKA"]


@pytest.mark.parametrize("options, ends", [("", True), ("round=yes", False)])
def test_d42_hands_that_go_round_for_ever_are_left_in_the_end(options, ends):
    """D42: neither can beat the other's card, and each gets the other's hand."""
    held = ("6S", "7H", "8D")
    gone = " ".join(card for card in ALL if card not in held)
    state, at_ms = read_position(
        f"durak throw-in {options}; 2 seats, dealer 1; hand1 6S 7H, hand2 8D, discard {gone}; phase 1, attacker 1, "
        "defender 2, turn_to_throw 1, throwers 2, first_bout 0, trump 3, opener 1, sits 2; 60 s")
    worlds = DurakWorlds(look(state, 1, at_ms), DurakMemory(durak))
    worlds.solves = True
    world = World(state.state, [])
    assert worlds.play_out(world, Random(1)) == ends
    assert worlds.score(world, ends, 1) in ((0.0, 1.0) if ends else (0.5,))


@pytest.mark.parametrize("is_skilled", [False, True])
@pytest.mark.parametrize("kings", ["wild", "wild-not-ace"])
def test_m13_a_guess_lays_wild_kings_where_the_judge_takes_them(kings, is_skilled):
    """M13: with kings=wild-not-ace none begins a pile."""
    lays = kings_laid = 0
    for seed in range(1, 7):
        match = plain_match(f"malice jokers=none kings={kings}", [BEGINNER] * 2, seed, 200)
        asked = []
        match.watch = lambda seen, choice, asked=asked: asked.append(seen) if choice and seen.is_waited_for else None
        while match.step():
            pass
        for seen in asked[::10]:
            worlds, draw = MaliceWorlds(seen, None), Random(seed)
            world = worlds.deal(draw)
            for _ in range(40):
                state, register = world.state, world.state.register
                if register[OUTCOME] or register[malice_facts.PHASE] != malice_facts.PLAY:
                    break
                before = State(malice.CARDS, malice.REGISTERS)
                before.copy(state)
                play_malice_out(state, world.stock, world.payoffs, draw, 10, 1, is_skilled)
                for card in range(malice.CARDS):
                    pile = state.where[card] - malice_facts.CENTRE
                    if 0 < pile <= malice_facts.PILES and before.where[card] != state.where[card]:
                        lays += 1
                        kings_laid += malice.is_wild(before.register, card)
                        height = bytes(before.where).count(state.where[card])
                        assert not malice.judge_follow(before.register, card, height), (card, height)
    assert lays > 300 and kings_laid > 5
