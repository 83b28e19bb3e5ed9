"""One game for a program that learns: what steps.py does, from a `game:` line, with a record and a way back."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.event import PACKED, SEAT_BITS, Event, unpack
from cardtable.engine.record import write_event
from cardtable.engine.setup import SetupError
from host_tools.base.errors import UnusableInput
from host_tools.base.foreign import shorten
from host_tools.base.random_play import Random, RandomGame, make_header
from host_tools.minds.environments.acts import Acts
from host_tools.minds.environments.steps import THINK_MS, TIME_BITS, Steps
from host_tools.sight.seen import Heard, Seen, heard, look

EVENT_LIMIT = 4000  # a game that is longer is cut off


def add_options(line: str, options: dict[str, str | int]) -> str:
    """The `game:` line with these house rules behind it: `deck=24` as a keyword is `deck=24` in the line."""
    return " ".join([line, *(f"{name}={value}" for name, value in options.items())])


def play_again(kind: type[Table], asked_for: tuple[Any, ...], done: list[int]) -> Table:
    """The table that was asked for, behind these steps."""
    table = kind(*asked_for)
    for number in done:
        table.step(number)
    return table


_NOTHING_HEARD: list[list[Heard]] = [[] for _ in range(8)]  # of every table that does not hear


@lru_cache(64)
def read_kind(line: str, seats: int, dealer: int) -> tuple[Any, Any, Acts]:
    """The game's module, the header and the acts of a kind of game: to find them takes longer than the rest of a new
    game. SetupError."""
    words = line.split()
    game = find_game(words[0] if words else "")
    return game, make_header(line, seats, dealer), Acts.of(game)


class Table(Steps):
    """A game that is stepped through by numbers of acts: who is asked, and what may be done, says `Steps`.

    Nothing needs more than Python; where a compiler was, most of it is compiled. A copy (`copy`, `pickle`) is a table
    of its own that plays the same steps again: it takes as long as `undo`.
    """

    def __init__(self, line: str, seats: int = 2, seed: int = 0, event_limit: int = EVENT_LIMIT,
                 hears: bool = False, **options: str | int) -> None:
        """line: as in a record's `game:` line, such as "durak transfer deck=24". hears: whether `seen` holds what the
        seat has heard, which virtual players want. options: house rules, which can also stand in the line.
        UnusableInput."""
        if not (isinstance(line, str) and hasattr(seats, "__index__") and hasattr(seed, "__index__")):
            raise UnusableInput("a game is a line of text, and seats and seed are whole numbers, not "
                                + shorten(f"{line!r}, {seats!r} and {seed!r}", 200))
        line = add_options(line, options) if options else line
        self._asked_for = line, seats, seed, event_limit, hears
        self.logs: list[list[Heard]] = [[] for _ in range(8)] if hears else _NOTHING_HEARD
        if seats < 1:
            raise UnusableInput(f"{seats} seats play no game")
        try:
            game, self.header, self.acts = read_kind(line, seats, seed % seats + 1)
            played = RandomGame(game, self.header, Random(seed))
        except SetupError as wrong:
            raise UnusableInput(shorten(str(wrong), 200)) from wrong
        super().__init__(played, self.acts.packed, self.acts.numbers, self.acts.numbering, event_limit,
                         self._hear if hears else None)

    @property
    def game(self) -> Any:
        """The game's module."""
        return self.played.game

    @property
    def session(self) -> Any:
        """What judges."""
        return self.played.session

    @property
    def events(self) -> int:
        """How many there were, chance included."""
        return int(self.played.events)

    @property
    def seen(self) -> Seen:
        """All that the seat knows that is asked now."""
        seat, at_ms = self.agent, self.played.event.at_ms + THINK_MS
        return look(self.session, seat, at_ms, self.dealt.unseen[seat], self.logs[seat])

    def legal_mask(self) -> bytearray:
        """A byte for each act of `acts`: 1 where it is legal."""
        mask = bytearray(len(self.acts))
        for number in self.legal():
            mask[number] = 1
        return mask

    def observe(self, seat: int) -> bytes:
        """What that seat knows, in the same number of bytes for each position of a game.

        A byte for each card: where it lies (`PLACES` of the game; own cards: 8 + seat; 1: it cannot be seen); then the
        rest of the game's `view`, which is counts and public registers; then for what the table waits, of each of 8
        seats; own seat, number of seats, whether the seat is asked. What was heard before is not in it. UnusableInput
        where there is no such seat.
        """
        if not 1 <= seat <= self.seats:
            raise UnusableInput(f"there is no seat {seat}: they are 1 to {self.seats}")
        row = bytearray(self.size())
        self.observe_into(seat, row, 0)
        return bytes(row)

    def undo(self) -> None:
        """Take the last step back, with all that followed of itself. UnusableInput where there was none.

        The game is played anew up to there, so this is for a tree near its leaves or a person who looks.
        """
        if not self.done:
            raise UnusableInput("no step has been done yet")
        done = self.done[:-1]
        self.__init__(*self._asked_for)  # type: ignore[misc]  # the same seed is the same game
        for number in done:
            self.step(number)

    def __reduce__(self) -> tuple[Any, ...]:
        """What a copy is made of: a game is a module, which neither `copy` nor `pickle` takes."""
        return play_again, (type(self), self._asked_for, self.done)

    def scores(self) -> list[float]:
        """For each seat 1 if it did not lose and 0 if it did; a half for all in a draw or while it is not over."""
        lost = self.game.losers(self.session.state) if self.session.is_over() else 0
        return [0.5 if not lost else float(not lost >> seat & 1) for seat in range(1, self.seats + 1)]

    def rewards(self) -> list[float]:
        """Of each seat, at the end: -1 for who lost, what they lose shared by the others; 0 in a draw. The sum is 0."""
        scores = self.scores()
        lost = scores.count(0.0)
        return [0.0 if score == 0.5 else lost / scores.count(1.0) if score else -1.0 for score in scores]

    def record(self) -> str:
        """The game as a record's text."""
        event, lines = Event(), self.header.lines()
        for said in self.said:
            at_ms, said_by = divmod(said, 1 << TIME_BITS)
            lines.append(write_event(self.game, unpack(said_by & PACKED, said_by >> SEAT_BITS, at_ms, event)))
        result = self.session.result()
        return "\n".join([*lines, *(["result: " + result] if result else [])]) + "\n"

    def _hear(self, event: Event) -> None:
        """Before it happens: each seat keeps what it hears of it."""
        for seat in range(1, self.seats + 1):
            line = heard(self.game, self.session.state, event, seat)
            if line:
                self.logs[seat].append(line)
