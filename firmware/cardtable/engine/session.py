"""One game from its set-up to its result: what every game shares (undo, arbiter, the end) around one game's rules."""

from micropython import const

from cardtable.engine import plain
from cardtable.engine.event import (
    ABORT,
    AGREE,
    CAN_UNDO,
    DRAW,
    LEAD,
    LEAVES_UNDO,
    NO_CARD,
    OWN_VERB,
    PAIR,
    PAUSE,
    PLACE,
    RESUME,
    UNDO,
    Event,
)
from cardtable.engine.hands import count_stock
from cardtable.engine.state import DEAL, HAND, NOWHERE, OUTCOME, PAUSED, SEATS, STOCK, UNSEEN, State
from cardtable.engine.verdict import (
    OK,
    T2_NO_SUCH_CARD,
    T2_NO_SUCH_SEAT,
    T4_NOT_ASKED,
    T4_NOT_SCANNED,
    T7_NOT_YOUR_EVENT,
    T7_NOTHING_TO_AGREE,
    T7_NOTHING_TO_UNDO,
    T7_TOO_LATE,
    T10_CANNOT_LIE_THERE,
    T10_NOT_PAUSED,
    T10_ONLY_THE_ARBITER,
    T10_PAUSED,
    T14_GAME_IS_OVER,
)

ABORTED = const(255)  # the outcome of a game that the arbiter ended
UNDO_MS = const(10000)  # T7: how long an undo can be agreed to
_NONE = const(255)


def is_said_by_table(game, verb: int) -> bool:
    """Whether it is the table that says this verb of the game, as seat 0."""
    return verb >= OWN_VERB and game.VERBS[verb - OWN_VERB][2] == "TABLE"


class Session:
    """judge(event) asks, enact(event) acts after 0, play(event) does both; `state` is all there is to know."""

    def __init__(self, game, header, state=None) -> None:
        """Set the game up, unless `state` is what `set_up` makes of it. Raises SetupError."""
        if state is None:
            from cardtable.engine.setup import set_up  # here, so that a device can drop it once the game goes on

            state = set_up(game, header)
        self.game = game
        self._judge = game.judge  # these three are asked for each event: looked up once
        self._enact = game.enact
        self.cards = game.CARDS
        self.undoes = None if game.undoes is plain.undoes else game.undoes  # T7: the usual answer need not be asked
        self.pairs = 0  # a bit for each verb that takes two cards
        verbs = game.VERBS
        for index in range(len(verbs)):
            if verbs[index][1] == PAIR:
                self.pairs |= 1 << (OWN_VERB + index)
        self.state = state
        self.before = State(game.CARDS, game.REGISTERS)  # as it was before the last accepted event
        self._trial = self.before  # a third state, made when the arbiter first corrects a place (T10)
        self.last_seat = 0  # the seat whose event may be taken back; 0: none
        self.last_was_draw = False
        self.last_draw = bytearray(b"\xff" * 8)  # in the deal: each seat's own last draw (T3)
        self.undo_seat = 0  # the seat that has said undo and waits for the others to agree
        self.undo_ms = 0
        self.agreed = 0  # a bit a seat

    def is_over(self) -> bool:
        """Whether the game has its result."""
        return self.state.register[OUTCOME] != 0

    def result(self) -> str:
        """The text behind `result:`, or an empty one while the game goes on."""
        if self.state.register[OUTCOME] == ABORTED:
            return "aborted"
        return self.game.describe_result(self.state) if self.is_over() else ""

    def judge(self, event: Event) -> int:
        """The first broken rule, or 0. Changes nothing. The hot path: no allocation."""
        verb = event.verb
        if verb < OWN_VERB and verb != DRAW:
            return self.judge_common(event)
        state = self.state
        register = state.register
        seat = event.seat
        if not 0 < seat <= register[SEATS] and (seat or not is_said_by_table(self.game, verb)):
            return T2_NO_SUCH_SEAT
        if register[OUTCOME] or register[PAUSED]:
            return T14_GAME_IS_OVER if register[OUTCOME] else T10_PAUSED
        if verb == DRAW and register[DEAL]:
            return T4_NOT_SCANNED
        card = event.card
        if card != NO_CARD and (card >= self.cards or state.where[card] == NOWHERE):
            return T2_NO_SUCH_CARD
        if self.pairs >> verb & 1 and (event.target >= self.cards or state.where[event.target] == NOWHERE):
            return T2_NO_SUCH_CARD
        return self._judge(state, event)

    def judge_common(self, event: Event) -> int:
        """The verbs that no game judges by itself: undo and agree (T7), and the arbiter's (T4, T10)."""
        verb = event.verb
        register = self.state.register
        if verb == UNDO or verb == AGREE:
            if not 0 < event.seat <= register[SEATS]:
                return T2_NO_SUCH_SEAT
            return self.judge_undo(event) if verb == UNDO else self.judge_agree(event)
        if event.seat:
            return T10_ONLY_THE_ARBITER
        if register[OUTCOME]:
            return T14_GAME_IS_OVER
        if verb == LEAD:
            if register[PAUSED]:
                return T10_PAUSED  # the seats say it with their own buttons
            is_seat = 0 < event.target <= register[SEATS]
            return self.game.judge_lead(self.state, event.target) if is_seat else T4_NOT_ASKED
        if verb == PAUSE:
            return T10_PAUSED if register[PAUSED] else OK
        if verb == RESUME:
            return OK if register[PAUSED] else T10_NOT_PAUSED
        if verb == PLACE:
            return self.judge_place(event.card, event.target)
        return OK

    def judge_place(self, card: int, place: int) -> int:
        """T10, T1: a card may be put where the game would still make sense with it: tried on a copy, then audited."""
        if card >= self.cards or self.state.where[card] == NOWHERE:
            return T2_NO_SUCH_CARD
        if place == NOWHERE:
            return T10_CANNOT_LIE_THERE
        trial = self.make_trial()
        self.put(trial, card, place)
        return T10_CANNOT_LIE_THERE if count_stock(trial) < 0 or self.game.audit(trial) else OK

    def make_trial(self) -> State:
        """A copy of the state to try something on; its room is taken at the first try."""
        if self._trial is self.before:
            self._trial = State(self.cards, self.game.REGISTERS)
        self._trial.copy(self.state)
        return self._trial

    def put(self, state: State, card: int, place: int) -> None:
        """T10: correct a card's place. T4: an unseen card that is put into a hand was there unseen, if any was."""
        if HAND < place < HAND + 8 and state.where[card] == STOCK and state.register[UNSEEN + place - HAND]:
            state.register[UNSEEN + place - HAND] -= 1
        self.game.put(state, card, place)

    def judge_undo(self, event: Event) -> int:
        """T7, T3: in the deal each seat's own last draw, else the last accepted event of all."""
        if self.game.is_dealing(self.state):
            return OK if self.last_draw[event.seat] != _NONE else T7_NOTHING_TO_UNDO
        if not self.last_seat:
            return T7_NOTHING_TO_UNDO
        return OK if event.seat == self.last_seat else T7_NOT_YOUR_EVENT

    def judge_agree(self, event: Event) -> int:
        """T7: every other seat still in agrees once, within ten seconds."""
        if not self.undo_seat or event.seat == self.undo_seat or not self.missing() >> event.seat & 1:
            return T7_NOTHING_TO_AGREE
        return OK if self.is_undo_open(event.at_ms) else T7_TOO_LATE

    def is_undo_open(self, now_ms: int) -> bool:
        """T7: whether a seat has said undo and the others can still agree."""
        return self.undo_seat > 0 and now_ms - self.undo_ms < UNDO_MS

    def missing(self) -> int:
        """A bit for each seat that still has to agree to the undo: it was in before the event and is not asking."""
        state = self.state if self.game.is_dealing(self.state) else self.before
        seats = 0
        for seat in range(1, state.register[SEATS] + 1):
            if seat != self.undo_seat and not self.agreed >> seat & 1 and self.game.is_in(state, seat):
                seats |= 1 << seat
        return seats

    def enact(self, event: Event) -> None:
        """Let happen what `judge` has just accepted; what of it can be taken back (T7) is the game's to say."""
        verb = event.verb
        is_draw = verb == DRAW
        if verb < OWN_VERB and not is_draw:
            self.enact_common(event)
            return
        state = self.state
        taken_back = CAN_UNDO if self.undoes is None else self.undoes(state, verb)
        if taken_back == LEAVES_UNDO:  # it must stay hidden that it happened, also from what an undo does then (D43)
            self._enact(state, event)
            return
        self.before.copy(state)
        self.last_seat = event.seat if taken_back else 0
        self.last_was_draw = is_draw
        if is_draw:
            self.last_draw[event.seat] = event.card
        self._enact(state, event)
        if not taken_back and self.game.is_dealing(state):  # dealt again: no draw of before can be taken back
            for seat in range(8):
                self.last_draw[seat] = _NONE
        # T3: in the deal, others' draws do not cancel an undo.
        if self.undo_seat and (not is_draw or event.seat == self.undo_seat or not self.game.is_dealing(state)):
            self.undo_seat = 0

    def enact_common(self, event: Event) -> None:
        """Undo and agree (T7), and what the arbiter says."""
        if event.verb == UNDO:
            self.undo_seat = event.seat
            self.undo_ms = event.at_ms
            self.agreed = 0
        elif event.verb == AGREE:
            self.agreed |= 1 << event.seat
        else:
            self.before.copy(self.state)
            self.undo_seat = 0
            self.last_seat = 0
            self.enact_arbiter(event)
            return
        if not self.missing():
            self.take_back()

    def take_back(self) -> None:
        """The undo takes effect."""
        seat = self.undo_seat
        self.undo_seat = 0
        if self.game.is_dealing(self.state):
            self.game.undo_draw(self.state, seat, self.last_draw[seat])
            self.last_draw[seat] = _NONE
        else:
            self.state.copy(self.before)
            if self.game.is_dealing(self.state) and self.last_was_draw:
                self.last_draw[seat] = _NONE  # the last draw of all, which had begun the game
        self.last_seat = 0

    def enact_arbiter(self, event: Event) -> None:
        """T10, T4: abort, pause and resume, a card's place, who begins."""
        register = self.state.register
        if event.verb == ABORT:
            register[OUTCOME] = ABORTED
            for seat in range(8):  # no more than what was played last
                self.last_draw[seat] = _NONE
        elif event.verb == PLACE:
            self.put(self.state, event.card, event.target)
            for seat in range(8):
                if self.last_draw[seat] == event.card:
                    self.last_draw[seat] = _NONE
        elif event.verb == LEAD:
            self.game.enact_lead(self.state, event.target)
        else:
            register[PAUSED] = 1 if event.verb == PAUSE else 0

    def play(self, event: Event) -> int:
        """Judge the event and, if it is accepted, let it happen. The verdict."""
        verdict = self.judge(event)
        if not verdict:
            self.enact(event)
        return verdict
