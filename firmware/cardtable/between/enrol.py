"""Registers a deck at the table alone: each place asks for a card, and the tag that is tapped there is that card.

All places work at once. A tap is on flash before its green light, so enrolment can be left at any moment and
taken up again later; NO takes the last card of its place back. A tag with a memory is told which card it is. The
arbiter's key opens it (T10): a table without a key takes the first tag as its key. The same panel checks a deck: every
card is tapped once, and what is missing is named. And it takes in the deck of another table, in any order: its tags are
asked which card they are, here alone; in a game the UID counts. The arbiter reads here, too, which readers weaken.
"""

from micropython import const

from cardtable.between.decks import (
    add_line,
    deck_file,
    find_owner,
    free_number,
    list_decks,
    load_deck,
    remove_line,
    uid_text,
)
from cardtable.between.files import tell
from cardtable.between.panel import Panel
from cardtable.between.setup_files import add_other, count_match, forget_match
from cardtable.between import weak
from cardtable.engine.deck import DECK, SIX, STRANGER, card_name, card_number
from cardtable.engine.event import CALL_KEY, MENU_KEY, NO_KEY, OK_KEY
from cardtable.engine.record import SetupError
from cardtable.table.lights import CHOOSING, OFF, WAITED_FOR
from cardtable.table.running import LOBBY
from cardtable.table.tags import ARBITER_KEY, TagError, Tags
from cardtable.table.words import card_text

SIZES = (36, 52, 54, 108)  # cards of a deck

_KEY = const(0)  # the table has no arbiter's key yet
_CHOOSE = const(1)  # what to do
_ENROL = const(2)
_CHECK = const(3)
_READ = const(4)  # the deck of another table
_NONE = const(255)


def deck_cards(size: int) -> list:
    """The cards of a deck of that size, in the order in which they are asked for: suit by suit, then the jokers."""
    if size == 108:
        return list(range(2 * DECK))
    low = SIX if size == 36 else 0
    cards = [suit * 13 + rank for suit in range(4) for rank in range(low, 13)]
    return cards + ([52, 53] if size == 54 else [])


class Enrol(Panel):
    """`tags` are those of the deck that is being registered, or checked."""

    def __init__(self, parts, chooser: int) -> None:
        """chooser: the place at which the key was tapped."""
        super().__init__(parts)
        self.chooser = chooser
        self.tags = Tags()
        self.number = 0  # of the deck
        self.cards: list = []  # that are still to come
        self.asked = bytearray([_NONE] * (self.places + 1))  # of each place
        self.last = bytearray([_NONE] * (self.places + 1))  # the card that each place tapped last
        self.items: list = []  # (words' key, deck or size) to choose from
        self.index = 0
        self.weak = weak.read(self.places)
        self.mode = _CHOOSE if parts.tags.find_code(ARBITER_KEY) else _KEY
        self.list_items()
        self.show()

    # --- what to do ---

    def list_items(self) -> None:
        """A new deck of each size, or of another table; then each deck that there is: to check, and to go on with. In a
        match first of all whether it ends here (D45)."""
        number = free_number()
        self.items = [("E.new", size) for size in SIZES] + [("E.read", number)] if number else []
        for number in list_decks():
            self.items.append(("E.check", number))
            self.items.append(("E.more", number))
        games = count_match()
        if games:
            self.items.insert(0, ("E.match", games))

    def begin(self, key: str, value: int) -> None:
        """Do what was chosen."""
        if key == "E.match":
            forget_match()
            self.wants = LOBBY
            return
        self.tags = Tags()
        self.number = free_number() if key == "E.new" else value
        if key == "E.new":
            add_line(self.number, "; %d cards" % value)
        elif key == "E.read":
            add_line(self.number, "; as its tags say")
        load_deck(self.number, self.tags)
        if key == "E.check":
            self.mode = _CHECK
            self.cards = self.list_tagged()
        else:
            self.mode = _READ if key == "E.read" else _ENROL
            self.cards = self.list_untagged()
        self.ask_all()

    def list_tagged(self) -> list:
        """The cards that have a tag."""
        return [card for card in range(2 * DECK) if self.tags.has(card)]

    def list_untagged(self) -> list:
        """The cards of the deck that have none yet."""
        return [card for card in deck_cards(self.read_size()) if not self.tags.has(card)]

    def read_size(self) -> int:
        """How many cards the deck is to have: its first line says it, else the smallest deck with all that it has."""
        with open(deck_file(self.number)) as lines:
            words = lines.readline().split()
        if len(words) == 3 and words[0] == ";" and words[1] in [str(size) for size in SIZES]:
            return int(words[1])
        tagged = self.list_tagged()
        for size in SIZES:
            cards = deck_cards(size)
            if not [card for card in tagged if card not in cards]:
                return size
        return SIZES[-1]

    def ask_all(self) -> None:
        """Let every place ask for a card, as long as there are any."""
        for place in range(1, self.places + 1):
            self.asked[place] = self.cards.pop(0) if self.mode == _ENROL and self.cards else _NONE

    def count_missing(self) -> int:
        """How many cards are still to come."""
        return len(self.cards) + sum([1 for place in range(1, self.places + 1) if self.asked[place] != _NONE])

    # --- what people do ---

    def tap(self, place: int, card: int) -> None:
        """A tag: the table's key, or the card that the place asks for, or one that is being checked."""
        uid = self.parts.readers.uid(place)
        if self.mode == _KEY:
            self.attempt(place, self.take_key, place, uid)
        elif self.mode == _ENROL:
            self.attempt(place, self.take_card, place, uid)
        elif self.mode >= _CHECK:
            self.attempt(place, self.check, place, uid)

    def attempt(self, place: int, deed, *arguments) -> None:
        """Do it; say so if the flash is full or a deck file cannot be used."""
        try:
            deed(*arguments)
        except (OSError, TagError, SetupError) as wrong:
            self.answer(place, False)
            self.parts.screen.paragraph(4, 3, tell(self.parts.words, wrong))

    def take_key(self, place: int, uid) -> None:
        """Make the first tag of all the arbiter's key, unless it is something else already."""
        owner = find_owner(uid, 0)
        if owner or self.is_no_card(uid):
            self.answer(place, False)
            self.say(5, "other" if owner else "E.known", str(owner or ""))
            return
        add_other(self.parts.tags, uid_text(uid) + " arbiter")
        self.mode = _CHOOSE
        self.answer(place, True)
        self.show()

    def take_card(self, place: int, uid) -> None:
        """This tag is the card that the place asks for, unless it is something else already."""
        card = self.asked[place]
        known = self.tags.find(uid)
        if known != STRANGER or self.is_no_card(uid):
            self.answer(place, False)
            self.show()
            self.say(5, "E.known", self.tell(known) if known != STRANGER else "")
            return
        if card == _NONE:
            self.answer(place, False)
            return
        self.register(place, uid, card)
        self.asked[place] = self.cards.pop(0) if self.cards else _NONE
        self.answer(place, True)
        self.show()
        self.parts.on_tags.append((place, card_name(card), self.wrote))

    def tell(self, card: int) -> str:
        """A card for people; of the second of two decks with a stroke behind it."""
        return card_text(self.parts.words, card) + ("'" if card >= DECK else "")

    def is_no_card(self, uid) -> bool:
        """Whether this tag is the table's key, a player's token or a set-up."""
        return ARBITER_KEY <= self.parts.tags.find(uid) < STRANGER

    def register(self, place: int, uid, card: int) -> None:
        """Register this tag as that card."""
        line = "%s %s" % (uid_text(uid), card_name(card))
        add_line(self.number, line)
        self.tags.load([line])
        self.last[place] = card

    def wrote(self, place: int, name: str, is_written: bool) -> None:
        """Say so if the tag could not take the name of its card: then its UID alone registers it."""
        if not is_written:
            self.say(5, "E.plain", self.tell(card_number(name)))

    def renewed(self, place: int, name: str, is_written: bool) -> None:
        """A tag that says its card in the old form, or not at all, says it as a message now, if it takes that."""

    def heard(self, place: int, name: str) -> None:
        """The text that an unknown tag carries; empty if none."""
        self.attempt(place, self.bring, place, name)

    def take_back(self, place: int) -> None:
        """NO: ask for the last card of that place again."""
        card = self.last[place]
        if card == _NONE:
            self.answer(place, False)
            return
        remove_line(self.number, "%s %s" % (uid_text(self.tags.uid_of(card)), card_name(card)))
        self.tags = Tags()
        load_deck(self.number, self.tags)
        self.last[place] = _NONE
        if self.mode == _READ:
            self.cards = self.list_untagged()
        elif self.mode == _ENROL:
            if self.asked[place] != _NONE:
                self.cards.insert(0, self.asked[place])
            self.asked[place] = card
        self.show()

    def check(self, place: int, uid) -> None:
        """One card of the deck is there. An unknown tag is asked which card it is; `heard` gets the answer."""
        card = self.tags.find(uid)
        owner = find_owner(uid, self.number) if card == STRANGER else 0
        if card == STRANGER and not owner and not self.is_no_card(uid):
            self.parts.on_tags.append((place, "", self.heard))
            return
        if card in self.cards:
            self.cards.remove(card)
        self.answer(place, card != STRANGER)
        self.show()
        if self.mode == _CHECK and card < ARBITER_KEY:
            self.parts.on_tags.append((place, card_name(card), self.renewed))
        if owner:
            self.say(5, "other", str(owner))

    def bring(self, place: int, name: str) -> None:
        """A tag says that it is that card. It is, if the deck has none yet; else either may be right."""
        card = card_number(name)
        is_card = 0 <= card < 2 * DECK
        is_new = is_card and not self.tags.has(card)
        if is_new:
            self.register(place, self.parts.readers.uid(place), card)
            if self.mode == _READ:
                self.cards = self.list_untagged()
        self.answer(place, is_new)
        self.show()
        if not is_new:
            self.say(5, "E.known" if is_card else "E.mute", self.tell(card_number(name)) if is_card else "")

    def press(self, place: int, key: int) -> None:
        """MENU steps, OK chooses or is done, NO takes a card back or leaves."""
        if self.mode == _CHOOSE:
            self.attempt(place, self.press_in_list, place, key)
        elif key == NO_KEY:
            self.attempt(place, self.take_back, place)
        elif key == CALL_KEY or (key == OK_KEY and not self.count_missing()):
            self.wants = LOBBY

    def press_in_list(self, place: int, key: int) -> None:
        """MENU steps through the choices, OK takes one, any other button leaves."""
        self.chooser = place
        if key == MENU_KEY:
            self.index = (self.index + 1) % len(self.items)
        elif key == OK_KEY:
            self.begin(*self.items[self.index])
            self.chooser = 0
        else:
            self.wants = LOBBY
        self.show()

    # --- what people see ---

    def light(self, place: int) -> int:
        """Blue where a card is asked for."""
        if place == self.chooser:
            return CHOOSING
        return WAITED_FOR if self.mode >= _CHECK or self.asked[place] != _NONE else OFF

    def show(self) -> None:
        """Show the card that each place asks for, or the cards that are missing."""
        screen = self.parts.screen
        for row in range(8):
            screen.line(row, "")
        if self.mode == _KEY:
            screen.paragraph(0, 4, self.parts.words.find("key"))
            return
        if self.mode == _CHOOSE:
            self.say(0, "E.what")
            screen.paragraph(1, 6, " ".join([self.parts.words.find("weak") % row[:3] for row in self.weak]))
            key, value = self.items[self.index]
            self.say(7, key, str(value))
            return
        self.say(0, "E.missing", str(self.count_missing()))
        if self.mode >= _CHECK:
            screen.paragraph(1, 4, " ".join([self.tell(card) for card in self.cards[:24]]))
        else:
            asked = ["%d:%s" % (place, self.tell(self.asked[place]))
                     for place in range(1, self.places + 1) if self.asked[place] != _NONE]
            screen.paragraph(1, 4, "  ".join(asked))
        self.say(7, "E.done" if not self.count_missing() else "E.leave")
