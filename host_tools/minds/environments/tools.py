"""The games as environments of PettingZoo and Gymnasium (`pip install "cardtable[rl]"`)."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import Random
from host_tools.minds.environments.table import EVENT_LIMIT, Table, add_options
from host_tools.minds.players import find_player
from host_tools.sight.seen import Player

SEEDS = 2**31  # of games, when the caller names none
Observation = dict[str, Any]


def make_spaces(table: Table) -> tuple[spaces.Dict, spaces.Discrete[Any]]:
    """What a seat observes, and its acts: {"observation": uint8 of shape (bytes,), "action_mask": int8 of shape
    (acts,)}, and a number below `acts`. The bytes are those of `Table.observe`."""
    size, acts = len(table.observe(1)), len(table.acts)
    observed = spaces.Dict({"observation": spaces.Box(0, 255, (size,), np.uint8),
                            "action_mask": spaces.Box(0, 1, (acts,), np.int8)})
    return observed, spaces.Discrete(acts)


def observe(table: Table, seat: int) -> Observation:
    """What that seat observes now; its mask is empty while another seat is asked."""
    mask = table.legal_mask() if seat == table.agent else bytearray(len(table.acts))
    return {"observation": np.frombuffer(table.observe(seat), np.uint8), "action_mask": np.frombuffer(mask, np.int8)}


class CardtableAEC(AECEnv[str, Any, Any]):
    """A game for the agents `seat_1`, `seat_2` and on, who act one after the other.

    Actions, observations and rewards: `make_spaces`, `Table.rewards`; an illegal act is UnusableInput. A game of more
    than `event_limit` events is truncated. render_mode "ansi": the record as text.
    """

    metadata = {"name": "cardtable_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, line: str = "durak", seats: int = 2, event_limit: int = EVENT_LIMIT,
                 render_mode: str | None = None, **options: str | int) -> None:
        """line: as in a record's `game:` line, such as "durak transfer deck=24". options: house rules, as in `Table`.
        UnusableInput."""
        super().__init__()
        line = add_options(line, options)
        self.render_mode = render_mode
        self._asked_for = line, seats, event_limit
        self._numbers = np.random.default_rng()
        self.table = self._deal(0)
        self.possible_agents = [f"seat_{seat}" for seat in range(1, seats + 1)]
        self._observed, self._acts = make_spaces(self.table)

    def _deal(self, seed: int) -> Table:
        line, seats, event_limit = self._asked_for
        return Table(line, seats, seed, event_limit)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observed

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._acts

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new deal: the same seed gives the same cards, and the games behind it, too."""
        if seed is not None:
            self._numbers = np.random.default_rng(seed)
        self.table = self._deal(int(self._numbers.integers(SEEDS)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = f"seat_{self.table.agent}"

    def observe(self, agent: str) -> Observation:
        return observe(self.table, int(agent.removeprefix("seat_")))

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.table.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.table.agent:
            self.agent_selection = f"seat_{self.table.agent}"
        else:
            ends = self.truncations if self.table.is_cut else self.terminations
            ends.update(dict.fromkeys(self.agents, True))
            self.rewards = dict(zip(self.possible_agents, self.table.rewards(), strict=True))
            self.agent_selection = self.agents[0]
        self._accumulate_rewards()

    def render(self) -> str | None:
        return self.table.record() if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass


class CardtableEnv(gymnasium.Env[Observation, Any]):
    """The same game for one seat; virtual players have the others.

    A step is an act of this seat, and all that the others do until it is asked again. An act that is not legal is
    refused as at the table: nothing happens, and `info["refused"]` is true. Reward: as there, at the end. An episode of
    more than `step_limit` steps is truncated.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(self, line: str = "durak", opponents: tuple[str, ...] | str = ("random",),
                 step_limit: int = EVENT_LIMIT, render_mode: str | None = None, **options: str | int) -> None:
        """opponents: names of players (docs/players.md), one for each other seat, or the only one's; this seat is
        drawn again for each game. options: house rules, as in `Table`. UnusableInput."""
        self.render_mode = render_mode
        line = add_options(line, options)
        self._line, self._limit = line, step_limit
        self._opponents = (opponents,) if isinstance(opponents, str) else tuple(opponents)
        self._players = [find_player(name) for name in self._opponents]
        self.table = Table(line, len(self._opponents) + 1)
        for player in self._players:
            if not player.plays(self.table.game):
                raise UnusableInput(f"{player.name} does not play {self.table.game.NAME}")
        self.observation_space, self.action_space = make_spaces(self.table)
        self.seat, self._steps, self._drawn = 1, 0, 0
        self._others: dict[int, Player] = {}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None
              ) -> tuple[Observation, dict[str, Any]]:
        """A new deal; the seat in it is drawn, too."""
        super().reset(seed=seed)
        self._drawn, seats = int(self.np_random.integers(SEEDS)), len(self._players) + 1
        self.table = Table(self._line, seats, self._drawn, hears=True)
        self.seat, self._steps = 1 + int(self.np_random.integers(seats)), 0
        self._seat_others()
        self._draw = Random(self._drawn)
        self._let_others_act()
        return observe(self.table, self.seat), self._facts()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        self._steps += 1
        refused = int(action) not in self.table.legal()
        if not refused:
            self.table.step(int(action))
            self._let_others_act()
        is_over = not self.table.agent and not self.table.is_cut
        reward = self.table.rewards()[self.seat - 1] if is_over else 0.0
        is_cut = not is_over and (self.table.is_cut or self._steps >= self._limit)
        return observe(self.table, self.seat), reward, is_over, is_cut, {**self._facts(), "refused": refused}

    def render(self) -> str | None:
        return self.table.record() if self.render_mode == "ansi" else None

    def _facts(self) -> dict[str, Any]:
        return {"seat": self.seat}

    def _seat_others(self) -> None:
        seats = len(self._players) + 1
        others = [seat for seat in range(1, seats + 1) if seat != self.seat]
        self._others = {seat: player(self.table.game, seat, seats, self._drawn)
                        for seat, player in zip(others, self._players, strict=True)}
        for player in self._others.values():
            player.line = self._line

    def __getstate__(self) -> dict[str, Any]:
        """For `copy` and `pickle`, without the players: their answers follow from the seed and from what they heard,
        so a copy seats others like them."""
        return {**self.__dict__, "_players": [], "_others": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._players = [find_player(name) for name in self._opponents]
        self._seat_others()

    def _let_others_act(self) -> None:
        """Until this seat is asked, or the game is over. Who would do nothing where somebody must draws an act."""
        table = self.table
        while table.agent not in (0, self.seat):
            choice = self._others[table.agent].choose(table.seen)
            legal = table.legal()
            number = table.acts.numbers.get(choice.packed, -1) if choice else 0
            table.step(number if number in legal else legal[self._draw.below(len(legal))])
