"""A Durak of six cards as a Python game of OpenSpiel: small enough that its algorithms follow every line of play.

The deal, the turns and the values are those of host_tools/lab/bench/small_durak.py: which cards play and which one is
turned both seats know; luck deals two of them to each and lays the rest down as the stock. Hands fill up to two.
"""

from itertools import combinations

import numpy as np
import pyspiel

from cardtable.engine.event import pack
from cardtable.engine.state import HAND
from cardtable.games import durak
from host_tools.judge.facts import durak as durak_facts
from host_tools.lab.bench import small_durak
from host_tools.minds.environments.acts import Acts
from host_tools.minds.players import find_player

NAME = "cardtable_small_durak"
CARDS, SIZE, SEED = 6, 2, 3
ACTS = Acts.of(durak)
KIND = pyspiel.GameType(
    short_name=NAME, long_name="Cardtable: a Durak of six cards", dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION, utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL, max_num_players=2, min_num_players=2,
    provides_information_state_string=True, provides_information_state_tensor=False, provides_observation_string=True,
    provides_observation_tensor=False, parameter_specification={})


class SmallGame(pyspiel.Game):
    """One deal by lot, of which each seat knows its own cards and what it hears."""

    def __init__(self, params=None):
        self.deal, _ = small_durak.draw_deal(CARDS, SIZE, SEED, SIZE)
        unseen = [card for card in self.deal.cards if card != self.deal.turned]
        self.worlds = [world for hand in combinations(unseen, SIZE)
                       for world in small_durak.list_worlds(self.deal, hand)]
        self.values = small_durak.Table(self.deal, find_player("random"), SEED)
        super().__init__(KIND, pyspiel.GameInfo(
            num_distinct_actions=len(ACTS), max_chance_outcomes=len(self.worlds), num_players=2, min_utility=-1.0,
            max_utility=1.0, utility_sum=0.0, max_game_length=100), params or {})

    def new_initial_state(self):
        return SmallState(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return Observer()


class Held:
    """Where the game stands; a world is never changed, so a copy may share it."""

    def __init__(self, kind, world=None, is_passed=False):
        self.kind, self.world, self.is_passed = kind, world, is_passed

    def __deepcopy__(self, memo):
        return Held(self.kind, self.world, self.is_passed)


class SmallState(pyspiel.State):
    """A position; draws come by themselves, for the stock's order was luck's first move."""

    def __init__(self, kind):
        super().__init__(kind)
        self.held = Held(kind)

    def is_terminal(self):
        return self.held.world is not None and small_durak.is_known(self.held.world.state)

    def turn(self):
        """(seat, its moves); 0 is to add nothing now."""
        return small_durak.list_turn(self.held.world.state, self.held.is_passed)

    def current_player(self):
        if self.held.world is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.turn()[0] - 1

    def _legal_actions(self, player):
        return sorted(ACTS.numbers[move] if move else 0 for move in self.turn()[1])

    def chance_outcomes(self):
        count = len(self.held.kind.worlds)
        return [(world, 1 / count) for world in range(count)]

    def _apply_action(self, action):
        held = self.held
        if held.world is None:
            held.world = held.kind.worlds[action]
            return
        seat, _ = self.turn()
        held.is_passed = not action
        if action:
            held.world = held.world.after(seat, ACTS.packed[action])
        while not self.is_terminal() and held.world.state.register[durak_facts.PHASE] == durak_facts.DRAWING:
            held.world, held.is_passed = held.world.drawn()[0], False

    def _action_to_string(self, player, action):
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else ACTS.describe(action)

    def returns(self):
        gained = 2 * self.held.kind.values.value(self.held.world.state) - 1 if self.is_terminal() else 0.0
        return [gained, -gained]

    def __str__(self):
        return str(self.history())


class Observer:
    """What a player holds and has heard."""

    def __init__(self):
        self.tensor, self.dict = np.zeros(0, np.float32), {}

    def set_from(self, state, player):
        pass

    def string_from(self, state, player):
        world, seat = state.held.world, player + 1
        if world is None:
            return f"{seat}"
        hand = [card for card in range(durak.CARDS) if world.state.where[card] == HAND + seat]
        heard = [(line.seat, pack(line.verb, line.card, line.target)) for line in world.logs[seat]]
        return repr((seat, hand, heard, state.held.is_passed))


pyspiel.register_game(KIND, SmallGame)
