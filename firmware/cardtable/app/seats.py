"""Turns the taps and the four buttons of one seat into events; it knows what a tap can mean only by asking the game.

Where a tap can mean one thing, it is that, legal or not. Where it can mean more, the first legal meaning is offered:
MENU steps on, OK takes it, NO drops it. MENU alone lists every verb, `undo` last; a verb that needs a card waits for
the next tap, one that needs a target too for the tap after that: so a player can insist on what would not be offered.
Nothing here is ever chosen because something else is illegal.
"""

from micropython import const

from cardtable.engine.deck import card_name
from cardtable.engine.event import AGREE, DRAW, NO_CARD, OWN_VERB, UNDO, pack, verb_arguments, verb_name

OK_KEY = const(0)
NO_KEY = const(1)
CALL_KEY = const(2)
MENU_KEY = const(3)

_IDLE = const(0)
_OFFER = const(1)  # a tap has more than one meaning
_MENU = const(2)
_ARMED = const(3)  # a verb waits for its card

CHOICE_MS = 30000  # how long a choice may stay open


class Seat:
    """One seat. `say(seat, packed)` judges an event and lets it happen; it answers the verdict."""

    def __init__(self, number: int, session, say) -> None:
        """number: the seat, 1..7; session: engine.session.Session."""
        self.number = number
        self.session = session
        self.say = say
        self.card = NO_CARD  # what lies on the seat's reader
        self.choices: list = []  # packed events (offer), or verbs (menu)
        self.index = 0
        self.since_ms = 0
        self._mode = _IDLE
        self._verb = 0
        self._first = NO_CARD  # the card of an armed verb that still needs its target

    def is_choosing(self) -> bool:
        """Whether the seat has something to choose, and the bottom line of the screen to do it with."""
        return self._mode != _IDLE

    def drop(self) -> None:
        """Forget what was offered."""
        self._mode = _IDLE
        self._first = NO_CARD
        self.choices.clear()

    def tap(self, card: int, now_ms: int) -> None:
        """A card came onto the seat's reader. STRANGER: a tag of no registered deck (T2)."""
        self.card = card
        if self._mode == _ARMED:
            self.tap_for_verb(card)
            return
        self.drop()
        session = self.session
        if card >= session.game.CARDS:
            self.say(self.number, pack(DRAW, card))  # whatever it was meant for: refused T2
            return
        session.game.meanings(session.state, self.number, card, self.choices)
        if len(self.choices) == 1:
            packed = self.choices[0]
            self.choices.clear()
            self.say(self.number, packed)
            return
        self.offer(now_ms)

    def tap_for_verb(self, card: int) -> None:
        """The card, or then the target, of the verb that was chosen."""
        if self._first == NO_CARD and verb_arguments(self.session.game, self._verb) == "CC":
            self._first = card
            return
        packed = pack(self._verb, card) if self._first == NO_CARD else pack(self._verb, self._first, card)
        self.drop()
        self.say(self.number, packed)

    def offer(self, now_ms: int) -> None:
        """Offer the first legal meaning; if none is legal, the first is refused."""
        blindly = self.session.game.offers_blindly(self.session.state)
        for index in range(len(self.choices)):
            if blindly or not self.say(self.number, self.choices[index], True):
                self.open(_OFFER, index, now_ms)
                return
        packed = self.choices[0]
        self.choices.clear()
        self.say(self.number, packed)

    def open(self, mode: int, index: int, now_ms: int) -> None:
        """Begin a choice."""
        self._mode = mode
        self.index = index
        self.since_ms = now_ms

    def left(self) -> None:
        """The card left the reader. What was offered stays: people tap, then choose."""
        self.card = NO_CARD

    def press(self, key: int, now_ms: int) -> None:
        """One press of a button."""
        if self._mode == _OFFER:
            self.press_in_offer(key, now_ms)
        elif self._mode == _MENU:
            self.press_in_menu(key, now_ms)
        elif key == MENU_KEY:
            self.choices.clear()
            for index in range(len(self.session.game.VERBS)):
                self.choices.append(OWN_VERB + index)
            self.choices.append(DRAW)
            self.choices.append(AGREE)
            self.choices.append(UNDO)
            self.open(_MENU, 0, now_ms)
        elif self._mode == _ARMED:
            self.drop()
        elif key == OK_KEY and self.session.undo_seat and self.session.missing() >> self.number & 1:
            self.say(self.number, pack(AGREE))
        else:
            self.choose_verb(self.session.game.button(self.session.state, self.number, key), now_ms)

    def press_in_offer(self, key: int, now_ms: int) -> None:
        """MENU steps to the next legal meaning, OK takes the one that is offered, anything else drops it."""
        if key == MENU_KEY:
            blindly = self.session.game.offers_blindly(self.session.state)
            for _ in range(len(self.choices)):
                self.index = (self.index + 1) % len(self.choices)
                if blindly or not self.say(self.number, self.choices[self.index], True):
                    break
            self.since_ms = now_ms
            return
        packed = self.choices[self.index]
        self.drop()
        if key == OK_KEY:
            self.say(self.number, packed)

    def press_in_menu(self, key: int, now_ms: int) -> None:
        """MENU steps, OK takes, anything else closes."""
        if key == MENU_KEY:
            self.open(_MENU, (self.index + 1) % len(self.choices), now_ms)
            return
        verb = self.choices[self.index]
        self.drop()
        if key == OK_KEY:
            self.choose_verb(verb, now_ms)

    def choose_verb(self, verb: int, now_ms: int) -> None:
        """Say a verb that needs nothing; one that needs a card waits for the tap."""
        if not verb:
            return
        if not verb_arguments(self.session.game, verb):
            self.say(self.number, pack(verb))
            return
        self._verb = verb
        self.open(_ARMED, 0, now_ms)

    def tick(self, now_ms: int) -> None:
        """A choice that nobody makes is dropped."""
        if self._mode != _IDLE and now_ms - self.since_ms >= CHOICE_MS:
            self.drop()

    def prompt(self) -> tuple:
        """(verb's name, card to name or NO_CARD) of what is offered, for the bottom line of the screen."""
        game = self.session.game
        if self._mode == _OFFER:
            packed = self.choices[self.index]
            target = packed & 255 if verb_arguments(game, packed >> 16) == "CC" else NO_CARD
            return verb_name(game, packed >> 16), target
        if self._mode == _MENU:
            return verb_name(game, self.choices[self.index]), NO_CARD
        return verb_name(game, self._verb), NO_CARD


def name_target(target: int) -> str:
    """The card that an offer would beat lies open on the table, so it may be named."""
    return "" if target == NO_CARD else card_name(target)
