"""One game at a time for a program that learns: whose turn it is, which acts are legal, what each seat sees.

Rules, chance and hidden hands are those of every other game here (players/match.py); this file only asks the seats one
after the other. Nothing needs more than Python.
"""

from __future__ import annotations


from cardtable.engine.setup import SetupError
from cardtable.catalogue import find_game
from cardtable.engine.state import HAND
from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import make_header
from host_tools.minds.environments.acts import WAIT, Acts
from host_tools.minds.players.match import Match, Thought
from host_tools.sight.seen import Choice, Player, Seen

THINK_MS = 500  # from one act to the next, on the game's own clock
EVENT_LIMIT = 4000  # a game that is longer is cut off
WAITS = 8  # bytes of an observation: for what the table waits, of each seat
FACTS = 3  # and behind them: own seat, number of seats, whether the seat is asked now


class _Asked(Player):
    """A seat that does nothing by itself: the table's `step` says what it does."""

    def choose(self, seen: Seen) -> Choice | None:
        return None


class Table:
    """A game that is stepped through by numbers of acts.

    Seats are asked one at a time: of those that may do something, first whom the table does not wait for (to double, to
    catch, to doubt), then the others, each in turn round the table. Number 0 waits: it lets the next seat decide, and
    is illegal where nobody else is left and time alone brings nothing.

    `agent`: the seat that is asked, 1 and on; 0 when the game is over. `is_cut`: whether it was longer than the limit.
    """

    def __init__(self, line: str, seats: int = 2, seed: int = 0, event_limit: int = EVENT_LIMIT) -> None:
        """line: as in a record's `game:` line, such as "durak transfer deck=24". UnusableInput."""
        words = line.split()
        try:
            self.game = find_game(words[0] if words else "")
            header = make_header(line, seats, seed % seats + 1)
            self.match = Match(self.game, header, [_Asked] * seats, seed, event_limit)
        except SetupError as wrong:
            raise UnusableInput(str(wrong)) from wrong
        self.seats = seats
        self.acts = Acts(self.game)
        self.agent = 0
        self.is_cut = False
        self._asked: list[tuple[int, Seen]] = []
        self._go_on()

    @property
    def seen(self) -> Seen:
        """All that the seat knows that is asked now."""
        return self._asked[0][1]

    @property
    def may_wait(self) -> bool:
        """Whether the seat that is asked may leave it to others, or to time."""
        return bool(self.agent) and (len(self._asked) > 1 or self._is_due())

    def legal(self) -> list[int]:
        """The numbers of the acts that the table accepts now from the seat that is asked; empty when it is over."""
        if not self.agent:
            return []
        numbers = [self.acts.numbers[packed] for packed in self.seen.moves]
        return [WAIT, *numbers] if self.may_wait else numbers

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
        seats; own seat, number of seats, whether the seat is asked. What was heard before is not in it.
        """
        view = bytearray(self.game.view(self.match.session.state, seat))
        for card in self.match.unseen[seat]:
            view[card] = HAND + seat
        waits = bytearray(WAITS)
        self.game.waiting(self.match.session.state, waits)
        return bytes(view) + bytes(waits) + bytes((seat, self.seats, seat == self.agent))

    def step(self, number: int) -> None:
        """Do the act of that number for the seat that is asked. UnusableInput where it is not legal."""
        if number not in self.legal():
            raise UnusableInput(f"act {number} is not legal now for seat {self.agent}")
        if number == WAIT:
            self._asked.pop(0)
            if self._asked:
                self.agent = self._asked[0][0]
                return
            self.match.step()  # what the table says by itself
        else:
            due_ms = self.match.event.at_ms + THINK_MS
            self.match.thoughts = {self.agent: Thought(self.acts.packed[number], due_ms)}
            self.match.step()
        self._go_on()

    def scores(self) -> list[float]:
        """For each seat 1 if it did not lose and 0 if it did; a half for all in a draw or while it is not over."""
        lost = self.game.losers(self.match.session.state) if self.match.session.is_over() else 0
        return [0.5 if not lost else float(not lost >> seat & 1) for seat in range(1, self.seats + 1)]

    def record(self) -> str:
        """The game as a record's text."""
        return self.match.record()

    def _is_due(self) -> bool:
        """Whether time brings something."""
        return bool(self.match.table_verb) and self.game.due_ms(self.match.session.state) >= 0

    def _go_on(self) -> None:
        """Let happen what happens by itself, and ask the seats."""
        match, self.agent, self._asked = self.match, 0, []
        while not match.session.is_over():
            if match.events >= match.event_limit:
                self.is_cut = True
                return
            if match.is_chance_due():
                match.step()
                continue
            first = self.game.press_first(match.session.state)
            seen = [match.see(seat, match.event.at_ms + THINK_MS) for seat in range(1, self.seats + 1)]
            able = [one for one in seen if one.moves]
            able.sort(key=lambda one: (one.is_waited_for, (one.seat - first) % self.seats))
            if able:
                self._asked = [(one.seat, one) for one in able]
                self.agent = able[0].seat
                return
            match.step()  # nobody can do anything: the table's own word, or Stuck, which tells a bug
