"""The turn clock (T8): how long the table has waited for each seat, and whose time is over.

`clock` seconds are for each turn, for a seat with an `own_clock` that many; any more comes out of the seat's `bank` for
the whole game. A seat without any of them has all the time there is. A turn of a seat
begins when the table begins to wait for it, and again with each event that all can see; cards that a seat only
prepares stop no clock. Time does not run while the game is paused or cannot be played (T10, T13); comments in the
record say from when to when, so that a repair counts for no seat after a power cut either (between/resume.py).
"""

from cardtable.engine.event import OWN_VERB, SHOWS_ALL, verb_name
from cardtable.engine.state import BANK, CLOCK, CLOCKS, OUTCOME, PAUSED, SEATS, read_wide


class Turns:
    """`called` is the seat whose time is over, 0 if none."""

    def __init__(self, session) -> None:
        """session: engine.session.Session."""
        self.session = session
        register = session.state.register
        clock, bank = read_wide(register, CLOCK), read_wide(register, BANK)
        self.turn_ms = [1000 * (read_wide(register, CLOCKS + 2 * seat) or clock) for seat in range(8)]
        self.has_bank = bank > 0
        self.is_on = self.has_bank or max(self.turn_ms) > 0
        self.left_ms = [1000 * bank] * 8  # of each seat's bank
        self.used_ms = [0] * 8  # of each seat's turn
        self.called = 0
        self._last_ms = 0

    def note(self, event, shows: int) -> None:
        """An event has happened, of which all could see so much: it begins a new turn, but for a card that is laid for
        a play that still lacks others, or is taken back (B5)."""
        game = self.session.game
        if shows == SHOWS_ALL and event.verb >= OWN_VERB and verb_name(game, event.verb) != "unlay":
            if not game.count_missing(self.session.state, event.seat):
                self.next_turn()

    def next_turn(self) -> None:
        """Begin a new turn."""
        for seat in range(8):
            self.used_ms[seat] = 0
        self.called = 0

    def hold(self, now_ms: int) -> None:
        """Leave out the time until now: it counts for no seat."""
        self._last_ms = now_ms

    def hold_until(self, end_ms: int) -> None:
        """Leave out the time until then, if it is not past."""
        self._last_ms = max(self._last_ms, end_ms)

    def pass_time(self, now_ms: int, waits) -> int:
        """Let the time run for the seats that are waited for (waits[seat]); the seat that is called now, or 0."""
        passed_ms = now_ms - self._last_ms
        self._last_ms = now_ms
        register = self.session.state.register
        if not self.is_on or register[PAUSED] or register[OUTCOME]:
            return 0
        if self.called and not waits[self.called]:
            self.called = 0
        came = 0
        for seat in range(1, register[SEATS] + 1):
            turn_ms = self.turn_ms[seat]
            if not waits[seat] or not (turn_ms or self.has_bank):
                self.used_ms[seat] = 0
            elif seat != self.called:
                self.used_ms[seat] += passed_ms
                over_ms = min(passed_ms, self.used_ms[seat] - turn_ms)
                if over_ms > 0:
                    self.left_ms[seat] = max(0, self.left_ms[seat] - over_ms)
                if self.used_ms[seat] >= turn_ms and not self.left_ms[seat] and not self.called:
                    self.called = came = seat
        return came

    def move_on(self) -> int:
        """The verb that the called seat would have to say, as the game has it (take, pass, end); 0: none."""
        return self.session.game.move_on(self.session.state, self.called) if self.called else 0
