"""Many games at once, arrays in and arrays out (`pip install "cardtable[rl]"`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from host_tools.base.errors import UnusableInput
from host_tools.minds.environments.steps import step_all, write_one
from host_tools.minds.environments.table import EVENT_LIMIT, Table, add_options

# Of acts that are legal at once. The most are in Durak with cheating: any of 27 cards may be laid on any of 27 (D17,
# D43), which are 729, and a few say something else.
LEGAL_LIMIT = 1024


class Games:
    """`count` games of one kind that are stepped together; a game that is over begins anew at once.

    Each row of an array is a game. All arrays but `rewards` and `over` are written in place by `step`, and by it alone:
    copy what shall stay.

        agents         uint8 (count,)          the seat that is asked, 1 and on
        legal          uint16 (count, 1024)    the numbers of its legal acts; those behind legal_counts say nothing
        legal_counts   uint16 (count,)         how many there are
        observations   uint8 (count, bytes)    what that seat observes, as `Table.observe`; (count, 0) where not wanted
        rewards        float32 (count, seats)  of a game that the last step ended, as in tools.py; else 0
        over           bool (count,)           whether the last step ended the game, also by its limit (rewards are 0)
        seeds          int64 (count,)          of the games that go on: `Table(line, seats, seed)` is the same game
    """

    def __init__(self, line: str, seats: int = 2, count: int = 1024, seed: int = 0, observes: bool = True,
                 event_limit: int = EVENT_LIMIT, **options: str | int) -> None:
        """seed: of the first game; the others have those behind it. options: house rules, as in `Table`. UnusableInput
        where the line cannot be played."""
        line = add_options(line, options)
        if count < 1:
            raise UnusableInput("at least one game has to be played")
        self.count, self.seats = count, seats
        self._asked_for, self._observes = (line, seats, event_limit), observes
        self._games = [self._deal(seed + index) for index in range(count)]
        self._next_seed = seed + count
        self.rewards = np.zeros((count, seats), np.float32)
        self.over = np.zeros(count, bool)
        self.seeds = np.arange(seed, seed + count, dtype=np.int64)
        self._lay_out()

    def _deal(self, seed: int) -> Table:
        line, seats, event_limit = self._asked_for
        return Table(line, seats, seed, event_limit)

    def _lay_out(self) -> None:
        """Make the arrays that are written in place, and write the games into them."""
        count = self.count
        self.acts = self._games[0].acts
        self._size = self._games[0].size() if self._observes else 0
        self._rows = [bytearray(count * size) for size in (1, 2, 2 * LEGAL_LIMIT, self._size)]
        agents, counts, legal, seen = self._rows
        self.agents = np.frombuffer(agents, np.uint8)
        self.legal_counts = np.frombuffer(counts, "<u2")
        self.legal = np.frombuffer(legal, "<u2").reshape(count, LEGAL_LIMIT)
        self.observations = np.frombuffer(seen, np.uint8).reshape(count, self._size)
        for array in (self.agents, self.legal_counts, self.legal, self.observations):
            array.flags.writeable = False  # what is legal is read here again when a step is asked for
        for index, one in enumerate(self._games):
            write_one(one, index, self._rows, LEGAL_LIMIT, self._size)

    def __getstate__(self) -> dict[str, Any]:
        """For `copy` and `pickle`: the arrays of a copy are written by its own games."""
        written = ("_rows", "acts", "agents", "legal", "legal_counts", "observations")
        return {name: value for name, value in self.__dict__.items() if name not in written}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lay_out()

    def step(self, numbers: NDArray[Any]) -> None:
        """One act in each game: whole numbers (count,). UnusableInput where one is not legal: no game has made a step
        then."""
        wanted = np.asarray(numbers)
        if wanted.shape != (self.count,) or wanted.dtype.kind not in "iu":
            raise UnusableInput(f"a step of {self.count} games is as many whole numbers in a row, not {wanted.dtype} "
                                f"of shape {wanted.shape}")
        self._check(wanted)
        ended = step_all(self._games, wanted.tolist(), self._rows, LEGAL_LIMIT, self._size)
        self.rewards = np.zeros((self.count, self.seats), np.float32)
        self.over = np.zeros(self.count, bool)
        for index in ended:
            self.rewards[index] = self._games[index].rewards()
            self.over[index] = True
            self._games[index] = self._deal(self._next_seed)
            self.seeds[index] = self._next_seed
            self._next_seed += 1
            write_one(self._games[index], index, self._rows, LEGAL_LIMIT, self._size)

    def _check(self, wanted: NDArray[Any]) -> None:
        """UnusableInput where one of these acts is not among the legal ones of its game."""
        most = int(self.legal_counts.max())
        is_found = (self.legal[:, :most] == wanted[:, None]) & (np.arange(most) < self.legal_counts[:, None])
        is_legal = is_found.any(axis=1)
        if not is_legal.all():
            index = int(is_legal.argmin())
            raise UnusableInput(f"act {wanted[index]} is not legal now for seat {self.agents[index]} of game {index}")

    def masks(self) -> NDArray[np.uint8]:
        """A row for each game, of a 1 for each legal act: (count, acts)."""
        masks = np.zeros((self.count, len(self.acts)), np.uint8)
        most = int(self.legal_counts.max())
        is_filled = np.arange(most) < self.legal_counts[:, None]
        rows, _ = np.nonzero(is_filled)
        masks[rows, self.legal[:, :most][is_filled]] = 1
        return masks

    def draw(self, chance: np.random.Generator) -> NDArray[np.uint16]:
        """A legal act for each game, each as likely as the others."""
        return self.legal[np.arange(self.count), (chance.random(self.count) * self.legal_counts).astype(np.int64)]

    def record(self, index: int) -> str:
        """The game that goes on there, as a record's text."""
        return self._games[index].record()
