"""The arbiter's key: a tag that gives one seat's buttons the arbiter's commands for a while (T10).

A tap of the key opens the arbiter's menu at that seat: pause or resume, a card's place, moving on for a seat whose time
is over, abort. MENU steps, OK takes, NO leaves; a card's place needs the card, then one of the places where it could
lie. To abort, the key has to be tapped once more: it cannot be done by a wrong press. Any other card is the seat's
own, and ends the arbiter's choice; so is CALL, which leaves it.
"""

from cardtable.engine.event import ABORT, OWN_VERB, PAUSE, PLACE, RESUME, pack, said_by
from cardtable.engine.state import PAUSED, place_name
from cardtable.play.seats import Seat

PLACES = 256  # numbers that a place can have


class Arbiter(Seat):
    """A seat that speaks as seat 0, wherever the key was tapped last: `number` is that seat, 0 while no key was."""

    def __init__(self, session, judge, turns) -> None:
        """judge: as for a seat; turns: a play.turns.Turns, which knows whose time is over (T8)."""
        super().__init__(0, session, judge)
        self.turns = turns

    def say(self, packed: int) -> int:
        """The arbiter acts as seat 0 from any reader; a card tapped on that reader is still the seat's."""
        return said_by(0, packed)

    def is_at(self, number: int) -> bool:
        """T10: whether the buttons and the reader of that seat are the arbiter's for now."""
        return self.number == number and self.is_choosing()

    def use_key(self, number: int, now_ms: int) -> int:
        """Open the menu at the seat where the key was tapped, or confirm an abort."""
        confirms = self.number == number and self.is_armed_for(ABORT)
        self.drop()
        self.number = number
        if confirms:
            return self.say(pack(ABORT))
        self.open_menu(now_ms)
        return 0

    def list_verbs(self) -> list:
        """The verbs that the arbiter can say now; first the one that a seat out of time would have to say (T8)."""
        pause = RESUME if self.session.state.register[PAUSED] else PAUSE
        move_on = self.turns.move_on()
        return ([move_on] if move_on else []) + [pause, PLACE, ABORT]

    def choose_verb(self, verb: int, now_ms: int, insists: bool = False) -> int:
        """Choose as a seat does, but an abort waits for the key, and a game's verb is said for the seat out of time,
        for nobody if it has acted meanwhile (T8)."""
        if verb == ABORT:
            self.arm(verb, now_ms)
            return 0
        if verb >= OWN_VERB:
            return said_by(self.turns.called, pack(verb)) if verb == self.turns.move_on() else 0
        return super().choose_verb(verb, now_ms)

    def list_values(self) -> None:
        """Every other place where the card could lie."""
        session = self.session
        where = session.state.where
        card = self._first
        if card >= len(where):
            return
        for place in range(1, PLACES):
            if place != where[card] and place_name(session.game, place) != "nowhere":
                if not session.judge_place(card, place):
                    self.choices.append(place)
