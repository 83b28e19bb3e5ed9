"""Writes records of virtual players: every preset and option, players of all kinds, human times, refused attempts and
undos. Game n of a seed is the same wherever and by however many processes it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cardtable.engine.event import AGREE, NO_CARD, OWN_VERB, UNDO, Event
from cardtable.engine.record import SetupError, write_event
from cardtable.engine.setup import set_up
from cardtable.engine.verdict import rule_id
from host_tools.minds.arena.plan import read_game
from host_tools.base.errors import UnusableInput
from host_tools.minds.players import all_players, find_player
from host_tools.minds.players.match import Match
from host_tools.base.random_play import Random, make_header
from host_tools.base.workers import pool

EVENT_LIMIT = 3000
_SLOW = ("search", "sound")  # players that think too long for thousands of games
_MIXED = ("novice",)  # plays as two others do, by turns: it adds no games of another kind
_CHANGES = 2  # options of a game that are not the usual ones, at most
_ATTEMPTS = 8  # of 100 events one comes after an attempt that is refused
_UNDOS = 2  # of 100 events one is taken back, and made again by whoever may
_ANNOYED_MS = 300  # from a refusal to the next thing that happens, at least


def list_kinds(game: Any) -> list[str]:
    """The players of the game that are quick."""
    return [name for name, player in all_players().items() if player.plays(game) and name not in (*_SLOW, *_MIXED)]


def draw_line(game: Any, draw: Random) -> tuple[str, int]:
    """A `game:` line with a preset and up to two options, and a number of seats; only what can be set up."""
    low, high, _ = game.SEAT_RANGE
    while True:
        words = [game.NAME, game.PRESETS[draw.below(len(game.PRESETS))][0]]
        for _ in range(draw.below(_CHANGES + 1) if game.OPTIONS else 0):
            name, _, values = game.OPTIONS[draw.below(len(game.OPTIONS))]
            if isinstance(values, str):
                choices = values.split()
                words.append(f"{name}={choices[draw.below(len(choices))]}")
        seats = low + draw.below(high - low + 1)
        line = " ".join(words)
        try:
            set_up(game, make_header(line, seats))
        except SetupError:
            continue
        return line, seats


def list_seats(game: Any, line: str) -> list[int]:
    """The numbers of seats with which that line can be set up. UnusableInput if there is none."""
    low, high, _ = game.SEAT_RANGE
    numbers, why = [], ""
    for seats in range(low, high + 1):
        try:
            set_up(game, make_header(line, seats))
            numbers.append(seats)
        except SetupError as wrong:
            why = why or str(wrong)
    if not numbers:
        raise UnusableInput(why)
    return numbers


def write_game(name: str, seed: int, number: int) -> tuple[int, str]:
    """Game `number` of the seed as a record's text."""
    game = read_game(name)
    draw = Random(seed * 1_000_003 + number)
    if " " in name:
        numbers = list_seats(game, name)
        line, seats = name, numbers[draw.below(len(numbers))]
    else:
        line, seats = draw_line(game, draw)
    kinds = list_kinds(game)
    players = [find_player(kinds[draw.below(len(kinds))]) for _ in range(seats)]
    try:
        header = make_header(line, seats, draw.below(seats) + 1)
        match = People(game, header, players, seed * 1_000_003 + number, draw)
    except SetupError as wrong:
        raise UnusableInput(str(wrong)) from wrong
    while match.step():
        match.behave()
    return number, match.record()


class People(Match):
    """Virtual players who also err: they try what is refused, and take a play back now and then."""

    def __init__(self, game: Any, header: Any, players: Any, seed: int, draw: Random) -> None:
        super().__init__(game, header, players, seed, EVENT_LIMIT)
        self.draw = draw

    def behave(self) -> None:
        """What happens between two plays."""
        if self.session.is_over() or self.is_chance_due():
            return
        if self.draw.below(100) < _ATTEMPTS:
            self.attempt()
        elif self.draw.below(100) < _UNDOS:
            self.take_back()

    def attempt(self) -> None:
        """A seat tries a card that it holds, or a word, at the wrong moment: a line of the record, and nothing else."""
        session, game = self.session, self.game
        seat = 1 + self.draw.below(self.seats)
        chance = set(game.CHANCE.values())
        verbs = [OWN_VERB + at for at, (_, kinds, key) in enumerate(game.VERBS) if key != "TABLE" and "S" not in kinds]
        verb = verbs[self.draw.below(len(verbs))]
        if verb in chance:
            return
        kinds = game.VERBS[verb - OWN_VERB][1]
        hand = self.see(seat, self.event.at_ms).hand
        if "C" in kinds and not hand:
            return
        event = Event(seat, verb, NO_CARD, 0, self.event.at_ms + _ANNOYED_MS)
        if "C" in kinds:
            event.card = hand[self.draw.below(len(hand))]
        if kinds == "CC":
            lying = [card for card, place in enumerate(session.state.where) if place > 15]
            event.target = lying[self.draw.below(len(lying))] if lying else event.card
        elif kinds not in ("", "C"):
            event.target = self.draw.below(4) + (kinds[-1] != "U")  # suits count from 0
        verdict = session.judge(event)
        if verdict:
            self.lines.append(f"{write_event(game, event)} ! {rule_id(game, verdict)}")
            self.event.at_ms = event.at_ms

    def take_back(self) -> None:
        """T7: the last to play says undo, and all agree; then the players think again."""
        session = self.session
        if not session.last_seat or self.state_is_counted():
            return
        at_ms = self.event.at_ms + _ANNOYED_MS
        event = Event(session.last_seat, UNDO, NO_CARD, 0, at_ms)
        if session.judge(event) or session.last_was_draw:
            return
        before = session.before.save()
        if self.game.is_dealing(session.state) or self.deck_differs(before):
            return
        self.say(event)
        for seat in range(1, self.seats + 1):
            agree = Event(seat, AGREE, NO_CARD, 0, at_ms + 200 * seat)
            if not session.judge(agree):
                self.say(agree)
        self.thoughts.clear()
        if not session.is_over() and not self.is_chance_due():
            self.ask_players(range(1, self.seats + 1))

    def say(self, event: Event) -> None:
        """An event that is no play."""
        assert not self.session.play(event)
        self.lines.append(write_event(self.game, event))
        self.event.at_ms = event.at_ms

    def state_is_counted(self) -> bool:
        """T4: hands that nobody has tapped are not followed back."""
        return any(self.unseen)

    def deck_differs(self, before: bytes) -> bool:
        """Whether taking back would bring a card into the deck that has been drawn, or the other way round."""
        where = self.session.state.where
        return bytes(before[: len(where)]).count(1) != bytes(where).count(1)


def write_corpus(
    name: str, count: int, seed: int, folder: Path, processes: int, tell: Callable[[int], None]
) -> Iterator[Path]:
    """Write the games into the folder: NAME-SEED-0000.rec and so on; each path as it is there."""
    read_game(name)
    folder.mkdir(parents=True, exist_ok=True)
    stem = name.split()[0]
    tasks = ((name, seed, number) for number in range(count))
    for done, (number, text) in enumerate(pool.spread(write_task, tasks, processes), 1):
        path = folder / f"{stem}-{seed}-{number:04}.rec"
        path.write_text(text, encoding="utf-8")
        tell(done)
        yield path


def write_task(task: tuple[str, int, int]) -> tuple[int, str]:
    """A game for a process of its own."""
    return write_game(*task)
