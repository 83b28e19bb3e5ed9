"""Carries out a line typed at a terminal: its own commands, else the plays that typed.py reads out of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.record import SetupError
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.minds.hints.told import hint_text, pack_seen
from host_tools.play.hints import gives_hints, say_what_may_be_played, see_for
from host_tools.play.seating import bot_names, DEFAULT_BOT, guest, HERE, MOST_SEATS, OPEN, read_seats
from host_tools.play.start import usual_seats
from host_tools.play.typed import Unclear, read_number, read_play, read_taps
from host_tools.judge.rulebook.book import plain, read_rules, rule_name
from host_tools.judge.rulebook.summary import summarise, write_lines
from host_tools.judge.sentences import Sentences

HOLD_US = 1_000_000
KEYS = ("OK", "NO", "CALL", "MENU")
CALM = ("hand", "table", "moves", "glass", "rules", "page", "undo", "start", "seats", "seat", "sit", "deal", "speed",
        "next", "lobby", "help", "quit")  # no turn is needed to say these
URGENT = ("undo", "quit", "help", "speed", "rules", "page")  # taken while others still draw


class Commands:
    """`take(words)` does what a line says, and says what comes of it."""

    def __init__(self, terminal: Any) -> None:
        """terminal: the Terminal that makes them; its file imports this one."""
        self.terminal = terminal
        self._given_up = ""  # the start that was typed just now, while a game goes on
        self._hinted: tuple[Any, int] = (None, 0)  # what the last hint was about, and how many steps of it were told
        self._own: dict[str, Callable[[list[str]], None]] = {
            "hand": self.hand, "table": self.table, "moves": self.moves, "glass": self.glass, "rules": self.rules,
            "hint": self.hint,
            "page": self.page,
            "undo": self.undo, "start": self.start, "seats": self.seats, "seat": self.seat, "sit": self.sit,
            "deal": self.deal, "draw": self.draw, "speed": self.speed, "next": self.next, "lobby": self.lobby,
            "help": self.help, "quit": self.quit, "hold": self.hold,
        }  # fmt: skip

    @property
    def words(self) -> Any:
        """The terminal's wording."""
        return self.terminal.wording

    def name_of(self, line: str) -> str:
        """The command that a line begins with; empty: it is a play."""
        first = line.split()[:1]
        return self.words.means(first[0]) if first else "help"

    def needs_turn(self, line: str) -> bool:
        """Whether it makes sense only while the table waits for somebody here."""
        return self.name_of(line) not in CALM

    def is_urgent(self, line: str) -> bool:
        """Whether it need not wait until the others have drawn."""
        return self.name_of(line) in URGENT

    def leaves(self, line: str) -> bool:
        """Whether it leaves a finished game, which has to be written down first."""
        return self.name_of(line) in ("next", "lobby", "start")

    def take(self, words: list[str]) -> None:
        """Do what the line says."""
        terminal = self.terminal
        name = self.words.means(words[0]) if words else ""
        if name != "start":
            self._given_up = ""
        if not words:
            terminal.forget()
            return
        if name in KEYS and len(words) == 1:
            terminal.act({"do": "press", "key": name})
        elif name in self._own:
            self._own[name](words[1:])
        else:
            self.play(words[1:] if name == "play" else words, " ".join(words))

    def play(self, words: list[str], typed: str) -> None:
        """Cards to tap, or a verb with its cards."""
        terminal = self.terminal
        now = terminal.look()
        words = [word.rstrip(".,;!") for word in words]  # "6h, 7h."
        told = now.told(terminal.hand or now.hand())
        try:
            cards = read_taps(words, told) if now.is_played else []
            act = None if cards or not now.is_played else read_play(words, told, self.words)
        except Unclear as unclear:
            terminal.say(self.words.say(unclear.key, **unclear.facts))
            return
        for card in cards:
            if not terminal.act({"do": "tap", "card": card}):
                return
        if act is not None:
            terminal.act(act)
        elif not cards:
            terminal.say(terminal.speaker.unknown(now, foreign.shorten(typed)))

    # --- what is asked ---

    def hand(self, words: list[str]) -> None:
        """The numbered hand."""
        self.terminal.tell_hand(self.terminal.look())

    def table(self, words: list[str]) -> None:
        """All that is public."""
        for line in self.terminal.speaker.whole_table(self.terminal.look()):
            self.terminal.say(line)

    def moves(self, words: list[str]) -> None:
        """Every play that would stand."""
        self.terminal.say(self.terminal.speaker.moves(self.terminal.look()))

    def glass(self, words: list[str]) -> None:
        """The screen."""
        self.terminal.tell_glass(self.terminal.look())

    def rules(self, words: list[str]) -> None:
        """A rule, or that of the last refusal; before any refusal the game's page."""
        name = rule_name(words[0]) if words else self.terminal.rule
        if not name:
            self.page(words)
            return
        rule = read_rules(self.terminal.table.language).get(name)
        if rule is None:
            self.terminal.say(self.words.say("no.rule"))
            return
        note = Sentences(language=self.terminal.table.language).note(rule.language)
        if note:
            self.terminal.say(note)
        if not words[1:]:
            self.terminal.say(f"{rule.name}: {plain(rule.text)}")
            if rule.details:
                self.terminal.say(self.words.say("rule.more", rule=rule.name))
            return
        for text in rule.details:
            self.terminal.say(plain(text))

    def hint(self, words: list[str]) -> None:
        """A hint: what may be played; typed again, what to think of; once more, a play with its chance."""
        terminal, table = self.terminal, self.terminal.table
        seat = terminal.look().seat
        if not seat or not terminal.call(lambda: gives_hints(table)):
            terminal.say(self.words.say("no.hints" if table.is_playing else "no.game"))
            return
        seen = terminal.call(lambda: see_for(table, seat))
        question = (seen.view, seen.moves)
        step = min(3, self._hinted[1] + 1) if self._hinted[0] == question else 1
        self._hinted = (question, step)
        if step == 1:
            terminal.call(table.apart.begin)
            asked = terminal.call(lambda: say_what_may_be_played(table, seat, table.language))
            terminal.say(asked.rstrip(".") + "." if asked else self.words.say("turn.nobody"))
        else:
            # In the table's thread, as its virtual players think: the engine's rows are of one thread.
            facts = (pack_seen(seen), list(table.header.seats), table.language)
            told = json.loads(terminal.call(lambda: table.apart.do(hint_text, *facts)))
            for line in told["think"] if step == 2 else [told["play"]]:
                terminal.say(line)
        if step < 3:
            terminal.say(self.words.say("hint.more"))

    def page(self, words: list[str]) -> None:
        """This game on one page, with the house rules of this table; or the game that is named."""
        header = self.terminal.table.header
        line = self.words.game_line(words) or (" ".join(header.game) if header is not None else "")
        names = header.seats if header is not None and not words else ()
        language = self.terminal.table.language
        try:
            page = summarise(line, language, names) if line else None
            lines = list(write_lines(page, language)) if page else [self.words.say("page.how")]
        except UnusableInput as wrong:
            lines = [self.words.say("not.allowed", why=Sentences(language=language).why(str(wrong)))]
        for text in lines:
            self.terminal.say(text)

    def seats(self, words: list[str]) -> None:
        """List the seats and their players."""
        for line in self.terminal.speaker.seats(self.terminal.look()):
            self.terminal.say(line)

    def help(self, words: list[str]) -> None:
        """List the commands."""
        for line in self.words.helps():
            self.terminal.say(line)

    # --- what is done ---

    def undo(self, words: list[str]) -> None:
        """Take the last move back."""
        self.terminal.act({"do": "play", "verb": "undo"})

    def draw(self, words: list[str]) -> None:
        """The next card of the stock, where players deal themselves."""
        self.terminal.act({"do": "tap", "pile": "stock"})

    def hold(self, words: list[str]) -> None:
        """MENU for a second."""
        terminal = self.terminal
        if not terminal.act({"do": "hold", "key": "MENU"}):
            return
        table, place = terminal.table, terminal.look().place or 1

        def release() -> Any:
            yield HOLD_US
            table.hands[place].let_go("MENU")

        terminal.call(lambda: table.world.people.add(release()))
        terminal.say(self.words.say("held"))

    def next(self, words: list[str]) -> None:
        """The next game of the match."""
        self.terminal.act({"do": "next"})

    def lobby(self, words: list[str]) -> None:
        """Leave a finished game."""
        self.terminal.act({"do": "lobby"})

    def quit(self, words: list[str]) -> None:
        """Leave."""
        self.terminal.is_over = True

    def deal(self, words: list[str]) -> None:
        """Choose who deals and draws."""
        by = self.words.means(words[0], "by.hand", "by.table") if words else ""
        if not by:
            self.terminal.say(self.words.say("deal.how"))
        elif self.terminal.act({"do": "deal", "by": by.partition(".")[2]}):
            self.terminal.say(self.words.say("dealt." + by.partition(".")[2]))

    def speed(self, words: list[str]) -> None:
        """How fast time passes."""
        try:
            number = float(words[0].replace(",", "."))
        except (IndexError, ValueError):
            self.terminal.say(self.words.say("speed.how"))
            return
        if self.terminal.act({"do": "speed", "speed": number}):
            self.terminal.say(self.words.say("speed.set", number=f"{number:g}"))

    def seat(self, words: list[str]) -> None:
        """Another person of this terminal takes the keyboard."""
        terminal = self.terminal
        number = read_number(words[0]) if words else -1
        if number < 0:
            terminal.say(self.words.say("seat.range"))
            return
        now = terminal.look()
        if now.chairs.get(number, (OPEN, ""))[0] != HERE or now.is_played and number > len(now.table["seats"]):
            terminal.say(self.words.say("no.seat", seat=number))
            return
        terminal.seat = number
        for _ in range(shutil.get_terminal_size().lines):
            terminal.say("")
        terminal.forget()
        terminal.say(self.words.say("seated", seat=number, name=now.name(number)))

    def sit(self, words: list[str]) -> None:
        """Choose who plays a seat."""
        terminal = self.terminal
        number = read_number(words[0]) if words else -1
        kind = self.words.means(words[1], "here", "bot", "open") if len(words) > 1 else ""
        if not 1 <= number <= MOST_SEATS or not kind:
            terminal.say(self.words.say("sit.how"))
            return
        name = " ".join(words[2:]) or terminal.look().chairs[number][1]
        if not name:
            language = terminal.table.language
            name = bot_names(language)[number - 1] if kind == "bot" else f"{guest(language)} {number}"
        who = {"here": HERE, "bot": DEFAULT_BOT, "open": OPEN}[kind]
        if terminal.act({"do": "sit", "seat": number, "who": who, "name": name}):
            now = terminal.look()
            for line in terminal.speaker.seats(now)[:]:
                terminal.say(line)

    # --- a game ---

    def start(self, words: list[str]) -> None:
        """Begin a game: the words of a record's game line, then `with` and a list as --seats has it."""
        terminal = self.terminal
        split = next((index for index, word in enumerate(words) if self.words.means(word, "with")), len(words))
        game, people = self.words.game_line(words[:split]), " ".join(words[split + 1 :])
        if not game:
            terminal.say(self.words.say("start.how"))
            return
        try:
            seats = read_seats(people, terminal.table.language) if people else self.people(game)
        except UnusableInput as wrong:
            why = Sentences(language=terminal.table.language).why(str(wrong))
            terminal.say(self.words.say("not.allowed", why=why))
            return
        line = " ".join(words)
        if self._given_up != line and terminal.call(lambda: terminal.table.is_under_way):
            self._given_up = line
            terminal.say(self.words.say("start.again"))
            return
        self._given_up = ""
        said = [{"name": name, "who": who} for name, who in seats]
        if terminal.act({"do": "start", "game": game, "seats": said, "give_up": True}):
            terminal.forget()

    def people(self, game: str) -> list[tuple[str, str]]:
        """Those who sit at the table, if the game can be played by as many; else the usual ones."""
        chairs = self.terminal.look().chairs.values()
        seated = [(name, who) for who, name in chairs if name and who != OPEN]
        try:
            low, high = find_game(game.partition(" ")[0]).SEAT_RANGE[:2]
        except SetupError:
            low = high = 0  # the act says that there is no such game
        if low <= len(seated) <= high and any(who == HERE for _, who in seated):
            return seated
        return usual_seats(game, self.terminal.table.language)
