"""The games as Python games of OpenSpiel, where it is installed (`pip install "cardtable[spiel]"`).

    import pyspiel
    from host_tools.minds.environments import spiel

    game = pyspiel.load_game("cardtable_durak(options=transfer deck:24,players=3)")

The first move is luck's: which of `deals` deals it is, each as likely as the others; the seed of a deal is its number.
After it nothing is left to luck. Players count from 0, as OpenSpiel does: player 0 is seat 1. Options are written
with a colon: their `=` is OpenSpiel's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from host_tools.judge.situations import list_games
from host_tools.minds.environments.table import EVENT_LIMIT, Table
from host_tools.sight.seen import Heard

SEATS = 7
DEALS = 1024


def name_of(game: str) -> str:
    """The name under which OpenSpiel knows the game."""
    return "cardtable_" + game.replace("-", "_")


def describe(game: str) -> Any:
    """What OpenSpiel wants to know of a game before it is played."""
    return pyspiel.GameType(
        short_name=name_of(game), long_name=f"Cardtable: {game}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM, reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=SEATS, min_num_players=2, provides_information_state_string=True,
        provides_information_state_tensor=False, provides_observation_string=True, provides_observation_tensor=True,
        parameter_specification={"options": "", "players": 2, "deals": DEALS, "event_limit": EVENT_LIMIT})


class SpielGame(pyspiel.Game):
    """A game of the table. `options`: what stands behind its name in a record's `game:` line; `players`, `deals`."""

    name = ""  # of the game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        said = {"options": "", "players": 2, "deals": DEALS, "event_limit": EVENT_LIMIT, **(params or {})}
        said["options"] = said["options"].replace("=", ":")
        self.line = f"{self.name} {said['options']}".replace(":", "=").strip()
        self.seats, self.deals, self.event_limit = said["players"], said["deals"], said["event_limit"]
        self.asked = self.line, self.seats, self.event_limit
        table = play(self.asked, 0)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(table.acts), max_chance_outcomes=self.deals, num_players=self.seats,
            min_utility=-1.0, max_utility=self.seats - 1.0, utility_sum=0.0,
            max_game_length=self.event_limit * self.seats)
        super().__init__(describe(self.name), info, said)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self, iig_obs_type)


def play(asked: tuple[str, int, int], seed: int) -> Table:
    """That deal, before the first act. UnusableInput."""
    line, seats, event_limit = asked
    return Table(line, seats, seed, event_limit, hears=True)


class Played:
    """A table that can be copied: the copy plays the same acts again once it is looked at. seed: -1 before a deal."""

    def __init__(self, asked: tuple[str, int, int], seed: int, done: list[int]) -> None:
        """asked: the `game:` line, the seats, the limit of events."""
        self.asked, self.seed, self.done = asked, seed, done
        self._table: Table | None = None

    @property
    def table(self) -> Table:
        if self._table is None:
            self._table = play(self.asked, self.seed)
            for number in self.done:
                self._table.step(number)
        return self._table

    def step(self, number: int) -> None:
        self.table.step(number)
        self.done.append(number)

    def __reduce__(self) -> tuple[type[Played], tuple[tuple[str, int, int], int, list[int]]]:
        return Played, (self.asked, self.seed, self.done)

    def __deepcopy__(self, memo: Any) -> Played:
        return Played(self.asked, self.seed, list(self.done))


class SpielState(pyspiel.State):
    """A position; before the deal is drawn there is no table."""

    def __init__(self, kind: SpielGame) -> None:
        super().__init__(kind)
        self.deals, self.players = kind.deals, kind.seats
        self.played = Played(kind.asked, -1, [])

    @property
    def is_dealt(self) -> bool:
        return self.played.seed >= 0

    @property
    def table(self) -> Table:
        """The table, once the deal is drawn."""
        return self.played.table

    def current_player(self) -> int:
        if not self.is_dealt:
            return int(pyspiel.PlayerId.CHANCE)
        return self.table.agent - 1 if self.table.agent else int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.table.legal()) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(deal, 1 / self.deals) for deal in range(self.deals)]

    def _apply_action(self, action: int) -> None:
        if not self.is_dealt:
            self.played = Played(self.played.asked, action, [])
        else:
            self.played.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else str(self.table.acts.describe(action))

    def is_terminal(self) -> bool:
        return self.is_dealt and not self.table.agent

    def returns(self) -> list[float]:
        return self.table.rewards() if self.is_terminal() else [0.0] * self.players

    def __str__(self) -> str:
        return self.table.record() if self.is_dealt else "not dealt yet"


class Observer:
    """What a player knows now (`Table.observe`, as floats from 0 to 1), and for perfect recall what it has heard."""

    def __init__(self, kind: SpielGame, wanted: Any) -> None:
        self.has_memory = bool(wanted is not None and wanted.perfect_recall)
        self.tensor = np.zeros(play(kind.asked, 0).size(), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor.fill(0)
        if state.is_dealt:
            self.tensor[:] = np.frombuffer(state.table.observe(player + 1), np.uint8) / 255

    def string_from(self, state: SpielState, player: int) -> str:
        if not state.is_dealt:
            return f"player {player}"
        table = state.table
        lines = [f"player {player}", table.observe(player + 1).hex()]
        if self.has_memory:
            lines += map(tell, table.logs[player + 1])
        return "\n".join(lines)


def tell(line: Heard) -> str:
    """What was heard, in a line."""
    return " ".join(map(str, (line.at_ms, line.seat, line.verb, line.card, line.target, *line.opened)))


# A class for each: OpenSpiel keeps what it is given until the process ends, and a function cannot be freed then.
KINDS: list[type[SpielGame]] = [type(name_of(game), (SpielGame,), {"name": game}) for game in list_games()]
globals().update({kind.__name__: kind for kind in KINDS})  # for pickle, with which OpenSpiel writes a game down
for kind in KINDS:
    pyspiel.register_game(describe(kind.name), kind)
