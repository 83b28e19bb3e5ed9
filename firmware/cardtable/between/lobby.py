"""Owns the choice of the next game, made with one seat's buttons. It loads no game and needs no rules.

At power-up OK plays the last game again. MENU of any place makes that place the chooser: which game, who plays, who
deals; MENU steps (held, it repeats), OK goes on, NO goes back. While it is asked who plays, OK of any other place sits
down or gets up, and so does a player's token, whose name goes into the record. A set-up tag chooses its game at
once, and any card of a deck that it is played with.
"""

from micropython import const

from cardtable.between.decks import find_owner
from cardtable.between.files import tell
from cardtable.between.panel import Panel
from cardtable.between.profiles import find_profile, list_profiles, list_shipped
from cardtable.between.setup_files import choose
from cardtable.engine.deck import STRANGER
from cardtable.engine.event import MENU_KEY, NO_KEY, OK_KEY
from cardtable.engine.record import Header, SetupError
from cardtable.table.lights import CHOOSING, OFF, WAITED_FOR
from cardtable.table.running import ENROL, PLAY
from cardtable.table.tags import ARBITER_KEY, PLAYER, SETUP

_START = const(0)
_GAME = const(1)
_WHO = const(2)
_DEALER = const(3)
PROMPTS = ("L.start", "L.game", "L.who", "L.dealer")
FEWEST = 2  # who can play anything


class Lobby(Panel):
    """When `wants` is PLAY, `make_header` is the header of the game to play; ENROL: the arbiter's key was tapped."""

    def __init__(self, parts, header) -> None:
        """header: of the last game, or of the next one of its match; None: there was none."""
        super().__init__(parts)
        self.header = header  # as long as nothing was changed
        wrong_file = ""
        try:
            self.profiles = list_profiles()
        except SetupError as wrong:
            wrong_file = tell(parts.words, wrong)
            self.profiles = list_shipped()
        self.profile = self.profiles[0]
        self.line = find_profile(self.profile)  # what the `game:` line will say
        self.names = [""] * (self.places + 1)  # who sits at each place
        self.dealer = 1  # a place
        self.deck = 0  # a card of that deck was tapped; 0: the first deck that has every card
        self.field = _START
        if header:
            self.take(header)
        else:
            self.sit(FEWEST)
        self.show()
        if wrong_file:
            self.refuse(wrong_file)

    def take(self, header) -> None:
        """Begin with what the last game was."""
        self.line = " ".join(header.game)
        self.profile = ""
        for key, value in header.keys:
            if key == "profile":
                self.profile = value
        for index in range(len(header.seats)):
            if header.places[index] <= self.places:
                self.names[header.places[index]] = header.seats[index]
        self.dealer = header.places[header.dealer - 1]

    def make_header(self) -> Header:
        """The header of the game that was chosen."""
        if self.header:
            return self.header
        header = Header()
        seated = self.seated()
        if self.profile:
            header.read_line("profile: " + self.profile, 0)
        header.read_line("game: " + self.line, 0)
        if self.deck:
            header.read_line("deck: %d" % self.deck, 0)
        header.read_line("seats: " + "; ".join([self.names[place] for place in seated]), 0)
        header.read_line("dealer: %d" % (seated.index(self.dealer) + 1), 0)
        header.read_line("places: " + " ".join([str(place) for place in seated]), 0)
        header.close(0)
        return header

    def seated(self) -> list:
        """The places that are taken, clockwise."""
        return [place for place in range(1, self.places + 1) if self.names[place]]

    # --- what is chosen ---

    def choose_game(self, profile: str) -> None:
        """The game of that profile. SetupError."""
        self.line = find_profile(profile)
        self.header = None
        self.profile = profile

    def sit(self, count: int) -> None:
        """The first so many places play; who sits there already stays."""
        self.header = None
        for place in range(1, self.places + 1):
            self.names[place] = (self.names[place] or "Seat %d" % place) if place <= count else ""
        self.mend_dealer()

    def toggle(self, place: int, name: str) -> None:
        """Somebody sits down at that place, or gets up; who sits elsewhere comes over."""
        self.header = None
        gets_up = self.names[place] == name
        for other in range(1, self.places + 1):
            if self.names[other] == name:
                self.names[other] = ""
        if not gets_up:
            self.names[place] = name
        self.mend_dealer()

    def mend_dealer(self) -> None:
        """The dealer is one who plays."""
        seated = self.seated()
        if self.dealer not in seated and seated:
            self.dealer = seated[0]

    # --- what people do ---

    def tap(self, place: int, card: int) -> None:
        """A player's token, a set-up tag, or the arbiter's key."""
        tags = self.parts.tags
        try:
            owner = find_owner(self.parts.readers.uid(place), 0) if card == STRANGER else 0
        except SetupError as wrong:
            self.answer(place, False)
            self.refuse(tell(self.parts.words, wrong))
            return
        if card == ARBITER_KEY or card == STRANGER and not owner and self.takes_key():
            self.chooser = place
            self.wants = ENROL
            return
        is_right = True
        if PLAYER <= card < PLAYER + len(tags.players):
            self.toggle(place, tags.players[card - PLAYER])
        elif SETUP <= card < SETUP + len(tags.setups):
            is_right = self.try_game(tags.setups[card - SETUP])
        elif owner:
            self.header = None
            self.deck = owner
        else:
            is_right = False
        self.answer(place, is_right)
        if is_right:
            self.show()

    def takes_key(self) -> bool:
        """A table without a key takes the first tag for one: not one whose key could not be read, and not in the middle
        of a game (T11)."""
        tags = self.parts.tags
        return tags.knows_others and not tags.find_code(ARBITER_KEY) and not self.keeps_secrets

    def try_game(self, profile: str) -> bool:
        """Choose a profile by its name; show what is wrong with it."""
        try:
            self.choose_game(profile)
        except SetupError as wrong:
            self.refuse(tell(self.parts.words, wrong))
            return False
        self.field = _START
        return True

    def refuse(self, cause: str) -> None:
        """The game cannot be played: one sentence."""
        self.wants = ""
        self.field = _START
        self.show()
        self.parts.screen.paragraph(5, 2, cause)

    def press(self, place: int, key: int) -> None:
        """OK plays, or goes on; MENU chooses; NO goes back."""
        if self.field == _START:
            if key == OK_KEY:
                self.play()
                return
            if key == MENU_KEY:
                self.chooser = place
                self.field = _GAME
        elif place != self.chooser:
            if self.field == _WHO and key == OK_KEY:
                self.toggle(place, self.names[place] or "Seat %d" % place)
        elif key == OK_KEY:
            self.go_on()
            return
        elif key == NO_KEY:
            self.field -= 1
        elif key == MENU_KEY:
            self.change()
        if self.field == _START:
            self.chooser = 0
        self.show()

    def change(self) -> None:
        """MENU: the next game, one seat more, the next dealer."""
        if self.field == _GAME:
            at = self.profiles.index(self.profile) + 1 if self.profile in self.profiles else 0
            self.choose_game(self.profiles[at % len(self.profiles)])
        elif self.field == _WHO:
            count = len(self.seated()) + 1
            self.sit(count if FEWEST <= count <= self.places else FEWEST)
        else:
            self.header = None
            seated = self.seated()
            self.dealer = seated[(seated.index(self.dealer) + 1) % len(seated)]

    def go_on(self) -> None:
        """OK of the chooser: to the next question, or to the game."""
        if self.field == _WHO and len(self.seated()) < FEWEST:
            self.answer(self.chooser, False)
            self.show()
        elif self.field == _DEALER:
            self.play()
        else:
            self.field += 1
            self.show()

    def plan(self) -> None:
        """The game that was chosen is played after the reset. OSError."""
        choose(self.make_header())

    def play(self) -> None:
        """Leave the rest to the caller; the game itself says how many seats it takes."""
        if len(self.seated()) < FEWEST:
            self.field = _WHO
            self.show()
        else:
            self.wants = PLAY

    # --- what people see ---

    def light(self, place: int) -> int:
        """Who chooses, and who plays."""
        if place == self.chooser:
            return CHOOSING
        return WAITED_FOR if self.names[place] else OFF

    def show(self) -> None:
        """The game, the places, the dealer, and what is asked."""
        screen = self.parts.screen
        screen.line(0, self.profile or "Cardtable")
        screen.paragraph(1, 2, self.line)
        places = [str(place) if self.names[place] else "." for place in range(1, self.places + 1)]
        self.say(3, "L.seats", " ".join(places))
        self.say(4, "L.deals", "%d %s" % (self.dealer, self.names[self.dealer]))
        screen.paragraph(5, 2, self.parts.words.find("L.deck") + " %d" % self.deck if self.deck else "")
        self.say(7, PROMPTS[self.field])
