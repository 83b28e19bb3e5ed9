"""Turns the taps and the four buttons of one seat into events; it asks the game what a tap can mean.

Where a tap can mean one thing, it is that, legal or not. Where it can mean more but one meaning alone is legal, it is
that one. Where several are legal (with cheating: all count as legal, D43), the first is offered: MENU steps on (held,
it repeats), OK takes it, NO drops it. MENU alone lists every verb, `undo` first where it would stand; a verb that needs
a card waits for the next tap, one that needs a target too for the tap after that: so a player can insist on what would
not be offered. A verb that needs a rank, a suit or a number offers those that the game lists, and from the menu all
there are. OK takes what was shown, judged as the table stands then; if nothing is legal, the first meaning is what is
refused. CALL is never part of a choice, so that a doubt is always one press.
"""

from micropython import const

from cardtable.engine.deck import RANKS, SUITS, card_name
from cardtable.engine.event import (
    AGREE,
    CALL_KEY,
    DRAW,
    LEAD,
    MENU_KEY,
    NO_CARD,
    OK_KEY,
    OWN_VERB,
    PAIR,
    UNDO,
    pack,
    said_by,
    verb_arguments,
    verb_name,
)
from cardtable.engine.hands import is_counted
from cardtable.engine.state import place_name
from cardtable.table.keypad import HOLD_MS, REPEAT_MS

_IDLE = const(0)
_OFFER = const(1)  # a tap has more than one meaning
_MENU = const(2)
_ARMED = const(3)  # a verb waits for its card
_VALUES = const(4)  # a verb waits for its rank or number

CHOICE_MS = 30000  # how long a choice may stay open


def menu_verbs(session, may_undo: bool) -> list:
    """The verbs of MENU, in order: all that a seat can say in this game. may_undo: it has just played, and undo comes
    first (T7)."""
    game = session.game
    own = [verb for verb in range(OWN_VERB, OWN_VERB + len(game.VERBS))
           if game.VERBS[verb - OWN_VERB][2] != "TABLE" and game.has_verb(session.state, verb)]
    own += [AGREE] if is_counted(session.state) else [DRAW, AGREE]  # T4
    return [UNDO] + own if may_undo else own + [UNDO]


def find_tap(session) -> int:
    """A verb that takes any card: DRAW; where draws are counted it is refused under T4, so one of the game's."""
    verbs = session.game.VERBS
    for index in range(len(verbs) if is_counted(session.state) else 0):
        if verbs[index][1] == "C":
            return OWN_VERB + index
    return DRAW


class Seat:
    """One seat. A tap or a press answers with the event that the seat says (engine.event.said_by), or with 0."""

    def __init__(self, number: int, session, judge) -> None:
        """number: the seat, 1..7; session: engine.session.Session; judge(seat, packed): the verdict, only asked."""
        self.number = number
        self.session = session
        self.judge = judge
        self.card = NO_CARD  # on the seat's reader
        self.is_held = False  # it came while the table could not judge it
        self.came_ms = 0
        self.choices: list = []  # packed events (offer), verbs (menu), ranks or numbers (values)
        self.index = 0
        self.since_ms = 0
        self.began_ms = 0  # when the choice began that is open
        self._mode = _IDLE
        self._verb = 0
        self._first = NO_CARD  # the card of an armed verb that still needs its target
        self._insists = False
        self._repeat_ms = HOLD_MS

    def is_choosing(self) -> bool:
        """Whether the seat has something to choose, and the bottom line of the screen to do it with."""
        return self._mode != _IDLE

    def open(self, mode: int, index: int, now_ms: int) -> None:
        """Begin a choice, or go on in it."""
        if self._mode == _IDLE:
            self.began_ms = now_ms
        self._mode = mode
        self.index = index
        self.since_ms = now_ms

    def drop(self) -> None:
        """Close the choice."""
        self._mode = _IDLE
        self._first = NO_CARD
        self.choices.clear()

    # --- taps ---

    def hold(self, card: int, now_ms: int) -> None:
        """Keep a card that cannot be judged now; if it still lies there later, it is judged then (T13)."""
        self.card = card
        self.is_held = True
        self.came_ms = now_ms

    def left(self) -> None:
        """Note that the card left the reader. An offer stays: people tap, then choose."""
        self.card = NO_CARD
        self.is_held = False

    def tap(self, card: int, now_ms: int) -> int:
        """A card came onto the seat's reader. STRANGER: a tag of no registered deck (T2)."""
        self.card = card
        self.is_held = False
        if self._mode == _ARMED:
            return self.tap_for_verb(card, now_ms)
        self.drop()
        session = self.session
        if card >= session.game.CARDS:
            return said_by(self.number, pack(find_tap(session), card))  # always refused under T2
        session.game.meanings(session.state, self.number, card, self.choices)
        packed = self.choices[0]
        if len(self.choices) > 1 and self.offer(-1, now_ms):
            first = self.index
            self.offer(first, now_ms)  # steps to the next legal meaning, or comes back to the only one
            if self.index != first:
                self.index = first
                return 0
            packed = self.choices[first]
        self.drop()
        return said_by(self.number, packed)

    def say(self, packed: int) -> int:
        """An event that was chosen by buttons alone, in this seat's name; a tap is always the seat's own."""
        return said_by(self.number, packed)

    def tap_for_verb(self, card: int, now_ms: int) -> int:
        """Take the card, and then the target, of the verb that was chosen."""
        kinds = verb_arguments(self.session.game, self._verb)
        if self._first == NO_CARD and len(kinds) == 2:
            self._first = card
            self.since_ms = now_ms
            return 0 if kinds == PAIR else self.offer_values(now_ms)
        packed = pack(self._verb, card) if self._first == NO_CARD else pack(self._verb, self._first, card)
        self.drop()
        return said_by(self.number, packed)

    def offer(self, index: int, now_ms: int) -> bool:
        """Offer the next meaning behind `index` that is legal, or any where fit is secret; False if there is none."""
        blindly = self.session.game.offers_blindly(self.session.state)
        for _ in range(len(self.choices)):
            index = (index + 1) % len(self.choices)
            if blindly or not self.judge(self.number, self.choices[index]):
                self.open(_OFFER, index, now_ms)
                return True
        return False

    # --- buttons ---

    def press(self, key: int, now_ms: int) -> int:
        """One press of a button; the event that it says, or 0."""
        self._repeat_ms = HOLD_MS
        if key == CALL_KEY and self._mode != _ARMED:
            self.drop()
        if self._mode == _OFFER:
            return self.press_in_offer(key, now_ms)
        if self._mode == _MENU or self._mode == _VALUES:
            return self.press_in_list(key, now_ms)
        if key == MENU_KEY:
            self.open_menu(now_ms)
            return 0
        if self._mode == _ARMED:
            self.drop()
            return 0
        if key == OK_KEY and self.session.is_undo_open(now_ms) and self.session.undo_seat != self.number:
            return said_by(self.number, pack(AGREE))  # never the game's verb, which would cancel the undo (T7)
        return self.choose_verb(self.session.game.button(self.session.state, self.number, key), now_ms)

    def open_menu(self, now_ms: int) -> None:
        """List what this seat can say."""
        self.drop()
        for verb in self.list_verbs():
            self.choices.append(verb)
        self.open(_MENU, 0, now_ms)

    def list_verbs(self) -> list:
        """The verbs of the menu."""
        return menu_verbs(self.session, not self.judge(self.number, pack(UNDO)))

    def press_in_offer(self, key: int, now_ms: int) -> int:
        """MENU steps to the next meaning as the table stands now, OK takes the one shown, anything else drops it."""
        packed = self.choices[self.index]
        if key != MENU_KEY:
            self.drop()
            return said_by(self.number, packed) if key == OK_KEY else 0
        self.choices.clear()
        self.session.game.meanings(self.session.state, self.number, packed >> 8 & 255, self.choices)
        if not self.offer(self.choices.index(packed) if packed in self.choices else -1, now_ms):
            self.drop()
        return 0

    def press_in_list(self, key: int, now_ms: int) -> int:
        """MENU steps through the verbs of the menu or the values of a verb, OK takes, anything else closes."""
        mode = self._mode
        if key == MENU_KEY:
            self.open(mode, (self.index + 1) % len(self.choices), now_ms)
            return 0
        chosen = self.choices[self.index]
        card = self._first
        self.drop()
        if key != OK_KEY:
            return 0
        return self.choose_verb(chosen, now_ms, True) if mode == _MENU else self.say(pack(self._verb, card, chosen))

    def choose_verb(self, verb: int, now_ms: int, insists: bool = False) -> int:
        """Say a verb that needs nothing; one with a card waits for the tap, one with a rank or number offers some.

        insists: it was chosen from the menu, so that what the game would not offer is offered too.
        """
        self._insists = insists
        if not verb:
            return 0
        if verb == LEAD:  # T4: the players' answer, which the table writes down
            return said_by(0, pack(LEAD, NO_CARD, self.number))
        kinds = verb_arguments(self.session.game, verb)
        if not kinds:
            return self.say(pack(verb))
        self.drop()
        if kinds[0] == "C":
            self.arm(verb, now_ms)
            return 0
        self._verb = verb
        return self.offer_values(now_ms)

    def arm(self, verb: int, now_ms: int) -> None:
        """Let the next tap give this verb its card."""
        self._verb = verb
        self.open(_ARMED, 0, now_ms)

    def is_armed_for(self, verb: int) -> bool:
        """Whether the next tap gives this verb its card."""
        return self._mode == _ARMED and self._verb == verb

    def list_values(self) -> None:
        """Put the targets of the chosen verb into `choices`."""
        choices = self.choices
        self.session.game.choices(self.session.state, self.number, self._verb, choices)
        if self._insists:
            is_suit = verb_arguments(self.session.game, self._verb)[-1] == "U"
            for value in range(len(SUITS) if is_suit else len(RANKS)):
                if value not in choices:
                    choices.append(value)

    def offer_values(self, now_ms: int) -> int:
        """Offer the ranks, numbers or places of the verb that was chosen; a single one is said at once."""
        self.list_values()
        if len(self.choices) > 1:
            self.open(_VALUES, 0, now_ms)
            return 0
        card = self._first
        value = self.choices[0] if self.choices else 0
        self.drop()
        return self.say(pack(self._verb, card, value))

    # --- time ---

    def tick(self, now_ms: int) -> bool:
        """Drop a choice that is left open too long; True if one was."""
        if self._mode == _IDLE or now_ms - self.since_ms < CHOICE_MS:
            return False
        self.drop()
        return True

    def repeat(self, held_ms: int, now_ms: int) -> bool:
        """Step on if MENU has been held long enough; True if it was another step through an offer or the menu."""
        if held_ms < self._repeat_ms or self._mode in (_IDLE, _ARMED):
            return False
        next_ms = self._repeat_ms + REPEAT_MS
        self.press(MENU_KEY, now_ms)
        self._repeat_ms = next_ms
        return True

    # --- what the screen says ---

    def prompt(self) -> tuple:
        """(verb's name, its target or an empty text) of the choice that is offered, for the bottom line."""
        game = self.session.game
        if self._mode == _OFFER:
            packed = self.choices[self.index]
            return verb_name(game, packed >> 16), self.name_target(packed >> 16, packed & 255)
        if self._mode == _MENU:
            return verb_name(game, self.choices[self.index]), ""
        if self._mode == _VALUES:
            return verb_name(game, self._verb), self.name_target(self._verb, self.choices[self.index])
        return verb_name(game, self._verb), ""

    def name_target(self, verb: int, target: int) -> str:
        """The target of an offer: a card that lies open on the table, a pile, a number, a rank, a suit or a place."""
        kinds = verb_arguments(self.session.game, verb)
        if not kinds or kinds == "C":
            return ""
        kind = kinds[-1]
        if kind == "P":
            return place_name(self.session.game, target)
        if kind == "U":
            return SUITS[target]
        return card_name(target) if kind == "C" else RANKS[target] if kind == "R" else str(target)
