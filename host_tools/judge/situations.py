"""Lists the situations in which the table refuses, each with its sentence. Found by a walk through random games.

    text = write_page(list_rows())      # docs/refusals.md

In states of random games of every mix each seat taps every card and presses every button, as play/seats.py turns that
into an event; nothing is played by it. The walk is the same on every machine: seeds are numbers, and games follow them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from cardtable.catalogue import find_game
from cardtable.engine.event import CALL_KEY, NO_KEY, OK_KEY, SEAT_BITS, Event, unpack
from cardtable.engine.setup import TABLE_OPTIONS, SetupError, set_up
from cardtable.engine.state import HAND, STOCK
from cardtable.engine.verdict import words_key
from cardtable.play.seats import Seat
from cardtable.table.words import Words, list_languages
from host_tools.base.project import ROOT
from host_tools.base.random_play import Random, RandomGame, make_header
from host_tools.judge.rulebook.book import page_names
from host_tools.judge.sentences import Sentences

PAGE = ROOT / "docs" / "refusals.md"
GAMES = 45  # of each game
LOOKS = 12  # one state in so many is looked at
UNASKED = 10  # of 100 events: those that nobody waits for, accusations among them
BUTTONS = {OK_KEY: "OK", NO_KEY: "NO", CALL_KEY: "CALL"}


class Row(NamedTuple):
    """One situation: the game, what the table waits for from the seat (`P5`, or nothing), what the seat does (`OK`, or
    where the card lies that it taps: `hand`, `table`, `elsewhere`), and the key of the words that it is told.
    """

    game: str
    asked: str
    act: str
    key: str


class Look:
    """One state of a random game, in which every seat may try something."""

    def __init__(self, play: RandomGame):
        self.play = play
        self.game = play.game
        self.session = play.session
        self.state = play.session.state
        self.now_ms = play.event.at_ms + 1000
        self.waited = bytearray(8)
        self.event = Event()
        self.game.waiting(self.state, self.waited)

    def judge(self, seat: int, packed: int) -> int:
        """The verdict on that event of the seat, without the table's own words in it."""
        return int(self.session.judge(unpack(packed, seat, self.now_ms, self.event)))

    def try_tap(self, seat: int, card: int) -> int:
        """The packed event as which a tap is refused; 0: it counts, or is offered."""
        return self.refused(Seat(seat, self.session, self.judge).tap(card, self.now_ms), seat)

    def try_press(self, seat: int, key: int) -> int:
        """The packed event as which a press is refused; 0: it counts, or asks for more."""
        return self.refused(Seat(seat, self.session, self.judge).press(key, self.now_ms), seat)

    def refused(self, said: int, seat: int) -> int:
        """`said` without its seat, if it is refused."""
        packed = said & 0xFFFFFF
        is_own = said >> SEAT_BITS == seat  # T4: who leads is said in nobody's name
        return packed if said and is_own and self.judge(seat, packed) else 0

    def place_of(self, seat: int, card: int) -> str:
        """Where a tapped card lies, as its player sees it."""
        place = self.state.where[card]
        if place == HAND + seat:
            return "hand"
        return "elsewhere" if place == STOCK or HAND <= place < HAND + 8 else "table"

    def row(self, seat: int, act: str, packed: int) -> Row:
        """What is told to the seat for that refused event."""
        key = words_key(self.game, self.judge(seat, packed))
        return Row(self.game.NAME, f"P{self.waited[seat]}" if self.waited[seat] else "", act, key)

    def rows(self) -> Iterator[Row]:
        """Every refusal of this state."""
        for seat in range(1, self.play.seats + 1):
            for card in range(self.game.CARDS):
                if self.state.where[card]:
                    packed = self.try_tap(seat, card)
                    if packed:
                        yield self.row(seat, self.place_of(seat, card), packed)
            for key, name in BUTTONS.items():
                packed = self.try_press(seat, key)
                if packed:
                    yield self.row(seat, name, packed)


def choose_value(values: Any, random: Random) -> str:
    """One value of an option, as a header says it."""
    if isinstance(values, tuple) and len(values) == 3:
        return f"{random.below(2) + 1}:{values[random.below(2)] // 1000}"
    if isinstance(values, tuple):
        return str(values[0] + random.below(min(values[1] - values[0], 3) + 1))
    words = values.split(" ")
    return str(words[random.below(len(words))])


def start_game(game: Any, seed: int) -> RandomGame:
    """The random game of that seed: any number of seats, any preset, and some of the options that go with them."""
    random = Random(seed)
    low, high = game.SEAT_RANGE[:2]
    seats = low + random.below(high - low + 1)
    dealer = random.below(seats) + 1
    mix = game.NAME + " " + game.PRESETS[random.below(len(game.PRESETS))][0]
    options = list(game.OPTIONS) + list(TABLE_OPTIONS)
    random.shuffle(options)
    for name, _, values, *_ in options:
        if random.below(3):
            continue
        wider = f"{mix} {name}={choose_value(values, random)}"
        try:
            set_up(game, make_header(wider, seats, dealer))
        except SetupError:
            continue
        mix = wider
    play = RandomGame(game, make_header(mix, seats, dealer), random)
    play.unasked = UNASKED
    return play


def list_games() -> list[str]:
    """The names of the games that have a page of rules."""
    return [page.replace("_", "-") for page in page_names() if page != "table"]


def looks(name: str, games: int = GAMES, first: int = 1, every: int = LOOKS) -> Iterator[Look]:
    """States of random games of that name: from each of them about one state in `every`."""
    for seed in range(first, first + games):
        play = start_game(find_game(name), seed)
        chance = Random(seed + 100003)
        while True:
            if not chance.below(every):
                yield Look(play)
            if not play.step():
                yield Look(play)
                break


def list_rows() -> list[Row]:
    """Every situation that the walk has met, each once, in the order of the page."""
    found = {row for name in list_games() for look in looks(name) for row in look.rows()}
    order = {name: at for at, name in enumerate(("hand", "table", "elsewhere", *BUTTONS.values()))}
    return sorted(found, key=lambda row: (row.game, int(row.asked[1:] or 0), order[row.act], row.key))


HEAD = """# What the table says when it refuses

`cardtable rules --refusals > docs/refusals.md` writes this page. It plays random games of every mix, and in
some states of them every seat taps every card and presses every button. A row says what the seat does and what it is
told; above it stands what the table asks of that seat. Seldom situations may be missing. If a sentence does not help
the player who reads it, [change it](contributing.md#changing-a-refusal-in-ten-minutes) and write the page
again.

A tap means what is nearest ([engine/meant.py](../firmware/cardtable/engine/meant.py)): the rank that
transfers, else the suit that the card answers, else what the table asks for. `#` is a number that the table knows.
"""
ACTS = {"hand": "a card of the hand", "table": "a card on the table", "elsewhere": "another card"}


def write_page(rows: list[Row]) -> str:
    """The page as Markdown: a table for each game and each thing that the table asks, in every language."""
    languages = list_languages()
    told: dict[tuple[str, str], dict[str, list[str]]] = {}
    for row in rows:
        told.setdefault((row.game, row.asked), {}).setdefault(row.key, []).append(ACTS.get(row.act, row.act))
    lines = [HEAD.rstrip()]
    game = ""
    for (name, asked), answers in told.items():
        words = [Words(name, language) for language in languages]
        if name != game:
            game = name
            lines += ["", f"## {Sentences().title(name)}"]
        prompts = " · ".join(one.find(asked) for one in words) if asked else "The table asks nothing of the seat"
        lines += ["", f"**{prompts}**", "", f"| the seat's act | rule | {' | '.join(languages)} |"]
        lines.append("|---|---|" + "---|" * len(languages))
        for key, acts in answers.items():
            sentences = " | ".join(one.find(key) for one in words)
            lines.append(f"| {', '.join(acts)} | {key.partition('.')[0]} | {sentences} |")
    return "\n".join(lines) + "\n"
