"""Owns the choice of the next game, made with one seat's buttons: what is played, who plays, who deals.

At power-up OK plays the last game again. MENU of any place makes that place the chooser: MENU steps forwards, held it
steps backwards, OK takes, NO goes back. What is played is asked by between/walk.py. While it is asked who plays, OK of
any other place sits down or gets up, and so does a player's token, whose name goes into the record. A set-up tag
chooses its game at once, and any card of a deck that it is played with.
"""

from micropython import const

from cardtable.between.chosen import choose
from cardtable.between.decks import DECK_NUMBERS, find_owner, uid_text
from cardtable.between.delays import keep_delays, read_delays
from cardtable.between.files import tell
from cardtable.between.options import Options
from cardtable.between.panel import Panel
from cardtable.between.profiles import find_profile, list_profiles, list_shipped
from cardtable.between.walk import Page, Walk, shorten, show_page
from cardtable.engine.deck import STRANGER
from cardtable.engine.event import CALL_KEY, MENU_KEY, NO_KEY, OK_KEY
from cardtable.engine.reading import close_header, read_key
from cardtable.engine.record import Header, SetupError
from cardtable.table.lights import CHOOSING, OFF, WAITED_FOR
from cardtable.table.running import ENROL, PLAY
from cardtable.table.tags import ARBITER_KEY, PLAYER, SETUP
from cardtable.table.words import Words

_START = const(0)
_WHAT = const(1)  # the walk through the questions
_WHO = const(2)
_DELAYS = const(3)  # what is said seat by seat
_DEALER = const(4)
PROMPTS = ("L.start", "", "L.who", "", "L.dealer")
FEWEST = 2  # who can play anything


class Lobby(Panel):
    """When `wants` is PLAY, `make_header` is the header of the game to play; ENROL: the arbiter's key was tapped."""

    def __init__(self, parts, header) -> None:
        """header: of the last game, or of the next one of its match; None: there was none."""
        super().__init__(parts)
        parts.tags.forget_cards()  # of the last game: here a card only says which deck it is of
        self.header = header  # as long as nothing was changed
        self.proposed = header
        self.ask_words = Words("table", parts.language, "ask_")
        wrong_file = ""
        self.delays: dict = {}  # of players: name -> seconds by option
        self.asked = 0  # which of the options that are said seat by seat
        try:
            self.profile = list_profiles()[0]
            self.line = find_profile(self.profile)  # what the `game:` line will say, but for its delays
            self.delays = read_delays()
        except SetupError as wrong:
            wrong_file = tell(parts.words, wrong)
            self.profile = list_shipped()[0]
            self.line = find_profile(self.profile)
        self.walk: Walk = None  # type: ignore[assignment]  # while nothing is asked
        self.page: Page = None  # type: ignore[assignment]  # who has to wait, while that is asked
        self.names = [""] * (self.places + 1)  # who sits at each place
        self.dealer = 1  # a place
        self.deck = 0  # the one of the last game, or of a card that was tapped; 0: the first deck that has every card
        self.is_deck_tapped = False  # so it stays if other rules are chosen, which may need other cards
        self.field = _START
        self.network = ""  # how it stands
        if header:
            self.take(header)
        else:
            self.sit(self.list_seats()[0])
        self.show()
        if wrong_file:
            self.refuse(wrong_file)

    def take(self, header) -> None:
        """Begin with what the last game was."""
        self.profile = ""
        for key, value in header.keys:
            if key == "profile":
                self.profile = value
            elif key == "deck" and value in DECK_NUMBERS:
                self.deck = int(value)
        for index in range(len(header.seats)):
            if header.places[index] <= self.places:
                self.names[header.places[index]] = header.seats[index]
        self.dealer = header.places[header.dealer - 1]
        self.line = " ".join(header.game)
        options = self.read_options()
        if options:
            if len(header.seats) == 2:
                options.forget_for_two()
            self.line = options.line()
            for name, seat, seconds in options.for_seats:
                if not seat.isdigit() or not 0 < int(seat) <= len(header.seats):
                    continue  # a profile for more players, or anything that came over a network
                self.delays.setdefault(header.seats[int(seat) - 1], {})[name] = seconds

    def read_options(self) -> Options | None:
        """What can be said of the game that is chosen; None if this table has no such game."""
        try:
            return Options(self.line, self.parts.language, self.places)
        except (SetupError, ValueError, IndexError):
            return None

    def make_header(self) -> Header:
        """The header of the game that was chosen."""
        if self.header:
            return self.header
        header = Header()
        seated = self.seated()
        if self.profile:
            read_key(header, "profile: " + self.profile, 0)
        options = self.read_options()
        more = options.for_two() if options and len(seated) == 2 else []
        delays = self.say_delays(seated)
        own = [word.partition(":")[0] for word in delays]  # what the rules say of that seat gives way
        line = [word for word in self.line.split() if word.partition(":")[0] not in own]
        read_key(header, "game: " + " ".join(line + more + delays), 0)
        if self.deck:
            read_key(header, "deck: %d" % self.deck, 0)
        read_key(header, "seats: " + "; ".join([self.names[place] for place in seated]), 0)
        read_key(header, "dealer: %d" % (seated.index(self.dealer) + 1), 0)
        read_key(header, "places: " + " ".join([str(place) for place in seated]), 0)
        close_header(header, 0)
        return header

    def say_delays(self, seated: list) -> list:
        """OPTION=SEAT:SECONDS for each player of whom it is said (C11, T8), at whatever seat, if the game has it."""
        options = self.read_options()
        found = []
        for option in options.list_for_seats() if options else []:
            for index in range(len(seated)):
                seconds = self.delays.get(self.names[seated[index]], {}).get(option)
                if seconds:
                    found.append("%s=%d:%s" % (option, index + 1, seconds))
        return found

    def seated(self) -> list:
        """The places that are taken, clockwise."""
        return [place for place in range(1, self.places + 1) if self.names[place]]

    def seat_name(self, place: int) -> str:
        """Of who has no token."""
        return "%s %d" % (self.ask_words.find("L.seat"), place)

    def list_seats(self) -> list:
        """For how many the game is that is chosen."""
        options = self.read_options()
        return options and options.list_seats() or list(range(FEWEST, self.places + 1))

    # --- what is chosen ---

    def choose_game(self, line: str, profile: str) -> None:
        """That game line, and the name of its rules; as many sit down as it needs."""
        if line != self.line and not self.is_deck_tapped:
            self.deck = 0
        self.line = line
        self.header = None
        self.profile = profile
        counts = self.list_seats()
        if len(self.seated()) not in counts:
            self.sit(counts[0])

    def sit(self, count: int) -> None:
        """The first so many places play; who sits there already stays."""
        self.header = None
        for place in range(1, self.places + 1):
            self.names[place] = (self.names[place] or self.seat_name(place)) if place <= count else ""
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
        if self.field in (_DELAYS, _DEALER) and len(self.seated()) not in self.list_seats():
            self.field = _WHO

    def mend_dealer(self) -> None:
        """The dealer is one who plays."""
        seated = self.seated()
        if self.dealer not in seated and seated:
            self.dealer = seated[0]

    # --- what people do ---

    def tap(self, place: int, card: int) -> None:
        """A player's token, a set-up tag, or the arbiter's key; a tag that is to carry the rules."""
        tags = self.parts.tags
        try:
            owner = find_owner(self.parts.readers.uid(place), 0) if card == STRANGER else 0
        except SetupError as wrong:
            self.answer(place, False)
            self.refuse(tell(self.parts.words, wrong))
            return
        if self.walk and self.walk.page.waits_for_tag:
            self.give_tag(place, card == STRANGER and not owner)
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
            self.deck = owner
            self.is_deck_tapped = True
            if self.header:  # a match goes on with any deck (D45)
                keys = [said for said in self.header.keys if said[0] != "deck"]
                self.header.keys = keys + [("deck", "%d" % owner)]
        else:
            is_right = False
        self.answer(place, is_right)
        if is_right:
            self.show()

    def give_tag(self, place: int, is_free: bool) -> None:
        """The tag is to mean the rules that are looked at, if it means nothing yet."""
        if not is_free:
            self.walk.note = self.ask_words.find("L.taken")
        self.answer(place, is_free and self.attempt(self.walk.tap, uid_text(self.parts.readers.uid(place))))
        self.show()

    def attempt(self, deed, *arguments) -> bool:
        """Do it, and return its result; a file that cannot be used, or that the flash does not take, is said."""
        try:
            return deed(*arguments)
        except (OSError, SetupError) as wrong:
            self.walk.note = tell(self.parts.words, wrong)
            return False

    def takes_key(self) -> bool:
        """A table without a key takes the first tag for one: not one whose key could not be read, and not in the middle
        of a game (T11)."""
        tags = self.parts.tags
        return tags.knows_others and not tags.find_code(ARBITER_KEY) and not self.keeps_secrets

    def try_game(self, profile: str) -> bool:
        """Choose a profile by its name; show what is wrong with it."""
        try:
            self.choose_game(find_profile(profile), profile)
        except SetupError as wrong:
            self.refuse(tell(self.parts.words, wrong))
            return False
        self.end_walk()
        return True

    def refuse(self, cause: str) -> None:
        """The game cannot be played: one sentence."""
        self.wants = ""
        self.end_walk()
        self.show()
        self.parts.screen.paragraph(5, 2, cause)

    def press(self, place: int, key: int) -> None:
        """OK plays, or goes on; MENU chooses; NO goes back."""
        if self.field == _START:
            if key == OK_KEY:
                self.play(place)
                return
            if key == MENU_KEY:
                self.chooser = place
                self.begin_walk()
        elif place != self.chooser:
            if self.field == _WHO and key == OK_KEY:
                self.toggle(place, self.names[place] or self.seat_name(place))
        elif self.field == _WHAT:
            self.press_in_walk(key)
        elif key == OK_KEY:
            self.go_on()
            return
        elif key == NO_KEY:
            self.go_back()
        elif key == MENU_KEY:
            self.change(1)
        self.show()

    def hold(self, is_first: bool) -> None:
        """MENU held steps backwards; the press itself was a step forwards."""
        if self.field != _START:
            self.change(-2 if is_first else -1)
            self.show()

    def change(self, by: int) -> None:
        """MENU: another answer, more or fewer seats, another dealer."""
        if self.field == _WHAT:
            self.walk.page.step(by)
        elif self.field == _DELAYS:
            self.page.step(by)
        elif self.field == _WHO:
            counts = self.list_seats()
            at = counts.index(len(self.seated())) + by if len(self.seated()) in counts else 0
            self.sit(counts[at % len(counts)])
        else:
            self.header = None
            seated = self.seated()
            self.dealer = seated[(seated.index(self.dealer) + by) % len(seated)]

    # --- one question after the other ---

    def begin_walk(self) -> None:
        """What is played?"""
        try:
            self.walk = Walk(self.parts, self.profile, self.line)
            self.field = _WHAT
        except (OSError, SetupError) as wrong:
            self.refuse(tell(self.parts.words, wrong))

    def end_walk(self) -> None:
        """Nobody chooses, and the questions need no room any more."""
        self.walk = self.page = None  # type: ignore[assignment]
        self.field = _START
        self.chooser = 0

    def press_in_walk(self, key: int) -> None:
        """The questions have their own keys."""
        walk = self.walk
        if key == MENU_KEY:
            self.change(1)
        else:
            self.attempt({OK_KEY: walk.ok, CALL_KEY: walk.call, NO_KEY: walk.back}[key])
        self.ask_words = walk.words
        if walk.is_done:
            if walk.line != self.line or walk.profile != self.profile:
                self.choose_game(walk.line, walk.profile)
            self.field = _WHO
        elif walk.is_left:
            self.profile = walk.profile
            self.end_walk()

    def go_back(self) -> None:
        """NO: the question before."""
        if self.field == _WHO:
            self.begin_walk()
        else:
            self.field = _WHO

    def go_on(self) -> None:
        """OK of the chooser: to the next question, or to the game."""
        if self.field == _WHO:
            if len(self.seated()) in self.list_seats():
                self.asked = 0
                self.ask_delay()
            else:
                self.answer(self.chooser, False)
            self.show()
        elif self.field == _DELAYS:
            self.take_delay(self.page.answers[self.page.index][1])
            self.show()
        else:
            self.play(self.chooser)

    def ask_delay(self) -> None:
        """What is said seat by seat, after the rules were changed: nobody, or a player and seconds."""
        options = self.walk.options if self.walk and self.walk.changes_rules else None
        names = options.list_for_seats() if options else []
        self.field = _DELAYS if self.asked < len(names) else _DEALER
        if options is None or self.field == _DEALER:
            return
        name = names[self.asked]
        answers: list = [[options.answer(name, "0"), "", ""]]
        for place in self.seated():
            who = self.names[place]
            known = self.delays.get(who, {}).get(name)
            for seconds in ["0"] * bool(known) + options.list_seconds(name):
                if seconds != known:
                    answers.append([options.answer_for(name, who, seconds), [name, who, seconds], ""])
        self.page = Page(options.question(name), answers, None)

    def take_delay(self, said) -> None:
        """That is said of the player, also in later games; then whether it is of another one, or the next question."""
        if said:
            option, who, seconds = said
            self.header = None
            own = self.delays.setdefault(who, {})
            own[option] = seconds
            if seconds == "0":
                own.pop(option)
            if who in self.parts.tags.players:
                self.attempt(keep_delays, who, own)
        else:
            self.asked += 1
        self.ask_delay()

    def takes_order(self) -> bool:
        """Nobody chooses, and nothing was changed since the lobby opened."""
        return self.field == _START and not self.wants and not self.keeps_secrets and self.header is self.proposed

    def tell_network(self, text: str) -> None:
        """In the line that has the name of the house's rules, if there are some."""
        self.network = text
        if self.field == _START:
            self.show_names()

    def plan(self) -> None:
        """The game that was chosen is played after the reset. OSError."""
        choose(self.make_header())

    def play(self, place: int) -> None:
        """Leave the rest to the caller; the game itself says how many seats it takes. place: whose OK it was, who is
        asked who plays if nobody could. Nothing may lie on a reader."""
        if len(self.seated()) < FEWEST:
            self.chooser = place
            self.field = _WHO
            self.show()
        elif self.lying:  # the game that begins would take it for a tap
            places = [str(lying) for lying in range(1, self.places + 1) if self.lying >> lying & 257]
            self.answer(place, False)
            self.refuse("%s %s" % (self.ask_words.find("L.lift"), " ".join(places)))
        else:
            self.wants = PLAY

    # --- what people see ---

    def light(self, place: int) -> int:
        """Who chooses, and who plays."""
        if place == self.chooser:
            return CHOOSING
        return WAITED_FOR if self.names[place] else OFF

    def tell(self, row: int, key: str, more: str = "") -> None:
        """The words of that key on one line, with `more` behind them."""
        self.parts.screen.line(row, self.ask_words.find(key) + (" " + more if more else ""))

    def show(self) -> None:
        """The question; or the game, the name of its rules, places, dealer, what is not as usual, and what to press."""
        screen = self.parts.screen
        if self.field == _WHAT:
            self.walk.show(screen)
            return
        if self.field == _DELAYS:
            show_page(screen, self.page, self.walk.note, self.ask_words)
            return
        options = self.read_options()
        screen.paragraph(0, 2, options.game_title() if options else self.line)
        self.show_names()
        places = [str(place) if self.names[place] else "." for place in range(1, self.places + 1)]
        self.tell(3, "L.seats", " ".join(places))
        name = self.names[self.dealer]
        self.tell(4, "L.deals", str(self.dealer) + (" " + name if name != self.seat_name(self.dealer) else ""))
        if self.field == _WHO:
            counts = " ".join([str(count) for count in self.list_seats()])
            screen.line(5, self.ask_words.find("L.players").replace("#", counts))
            self.tell(6, "L.sit")
        else:
            screen.paragraph(5, 2, shorten(self.tell_match() or (options.changes() if options else ""), 2))
        self.tell(7, PROMPTS[self.field])

    def show_names(self) -> None:
        """The house's name of the rules and the deck that was chosen, else how the network stands."""
        deck = self.ask_words.find("L.deck") + " %d" % self.deck if self.deck else ""
        named = " ".join([text for text in (self.profile if self.is_kept() else "", deck) if text])
        self.parts.screen.line(2, named or self.network)

    def tell_match(self) -> str:
        """D45: who has lost how often in the match that goes on; nothing if none does."""
        header = self.header
        for key, value in header.keys if header else []:
            counts = value.split(" ")
            if key == "standing" and len(counts) == len(header.seats):
                told = [name + " " + count for name, count in zip(header.seats, counts)]
                return Words(header.game[0], self.parts.language).find("standing") + " " + ", ".join(told)
        return ""

    def is_kept(self) -> bool:
        """Whether the name of the rules was given at this table: those of the firmware are told by their title."""
        return self.profile not in list_shipped()
