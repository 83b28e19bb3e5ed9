"""Plays whole games between virtual players, without a firmware. Which cards come and who holds them says dealt.py.

Time passes as the players think; of two that press in the same millisecond the one that the game says is first.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from cardtable.engine.event import LEAD, pack, unpack
from cardtable.engine.record import Header, write_event
from host_tools.minds.players.dealt import Dealt
from host_tools.sight.seen import Choice, Heard, Player, Seen, heard, look
from host_tools.base.random_play import Random, RandomGame

_WIDE = 1 << 32  # a seed from here on
EVENT_LIMIT = 20_000  # a game that is longer counts as unfinished


class Stuck(AssertionError):
    """The table waits and no player does anything, or one does what the engine refuses."""


@dataclass
class Thought:
    """The next act of a seat, and when."""

    packed: int
    due_ms: int


class Match(RandomGame):
    """One game of given players: `play` plays it to its end, `step` its next event."""

    def __init__(
        self, game: Any, header: Header, players: Sequence[type[Player]], seed: int, event_limit: int = EVENT_LIMIT
    ) -> None:
        """players: the class for each seat. SetupError if the header cannot be played."""
        super().__init__(game, header, Random(seed))
        if seed >= _WIDE:  # Random knows 2^32 deals: a program could try them all, and find other hands by its own
            random.Random(seed).shuffle(self.deck)
        self.players = [player(game, seat, self.seats, seed) for seat, player in enumerate(players, 1)]
        for player in self.players:
            player.line = " ".join(header.game)
        assert len(self.players) == self.seats
        self.event_limit = event_limit
        self.logs: list[list[Heard]] = [[] for _ in range(8)]
        self.thoughts: dict[int, Thought] = {}
        self.lines: list[str] = header.lines()
        self.watch: Callable[[Seen, Choice | None], None] = lambda seen, choice: None  # told each question and answer
        self.dealt = Dealt(self)
        self.unseen = self.dealt.unseen  # deal=counted: the untapped cards of each hand
        self.kept = self.dealt.before  # the state before the last event
        if not self.is_chance_due():
            self.ask_players(range(1, self.seats + 1))

    # --- what each seat knows ---

    def see(self, seat: int, at_ms: int) -> Seen:
        """The view of the seat now."""
        return look(self.session, seat, at_ms, self.unseen[seat], self.logs[seat])

    def ask_players(self, seats: Iterable[int]) -> None:
        """These seats have heard that something happened: each says what it is about to do."""
        at_ms = self.event.at_ms
        for seat in seats:
            seen = self.see(seat, at_ms)
            choice = self.players[seat - 1].choose(seen)
            self.watch(seen, choice)
            thought = self.thoughts.get(seat)
            if not choice:
                self.thoughts.pop(seat, None)
            elif not thought or thought.packed != choice.packed:
                self.thoughts[seat] = Thought(choice.packed, at_ms + choice.think_ms)

    # --- the next event ---

    def choose(self) -> bool:
        """Fill `event` with the next event: chance, else the table's own, else the player that is ready first."""
        self.game.waiting(self.session.state, self.waited)
        for seat in range(1, self.seats + 1):
            verb = self.game.CHANCE.get(self.waited[seat], 0)
            if verb and self.take_from_deck(seat, verb):
                return True
        first = min(self.thoughts, key=self.order_of, default=0)
        table_ms = self.game.due_ms(self.session.state) if self.table_verb else -1
        if table_ms >= 0 and (not first or table_ms <= self.thoughts[first].due_ms):
            unpack(pack(self.table_verb), 0, max(table_ms, self.event.at_ms), self.event)
            return True
        if not first:
            raise Stuck(f"nobody does anything: {self.game.status(self.session.state)}, waits {bytes(self.waited)!r}")
        thought = self.thoughts.pop(first)
        speaker = 0 if thought.packed >> 16 == LEAD else first  # the answer to who begins is the table's event (T4)
        unpack(thought.packed, speaker, max(thought.due_ms, self.event.at_ms), self.event)
        self.decisions += 1
        return True

    def order_of(self, seat: int) -> tuple[int, int]:
        """When the seat is ready, and who wins a tie (C5)."""
        start = self.game.press_first(self.session.state)
        return self.thoughts[seat].due_ms, (seat - start) % self.seats

    def take_from_deck(self, seat: int, verb: int) -> bool:
        """Fill `event` with the next card of the deck that can come here; False if none can."""
        return self.dealt.take(seat, verb)

    def step(self) -> bool:
        """Play one event; False when the game is over or too long. Stuck if a player is refused."""
        if self.session.is_over() or self.events >= self.event_limit or not self.choose():
            return False
        event = self.event
        verdict = self.session.judge(event)
        if verdict:
            raise Stuck(f"{write_event(self.game, event)}: refused with {verdict}")
        heard_by = []
        for seat in range(1, self.seats + 1):
            line = heard(self.game, self.session.state, event, seat)
            if line:
                self.logs[seat].append(line)
                heard_by.append(seat)
        self.kept.copy(self.session.state)
        self.session.enact(event)
        self.events += 1
        self.is_judged = False
        self.lines.append(write_event(self.game, event))
        self.dealt.follow()
        if not self.session.is_over() and not self.is_chance_due():
            self.ask_players(heard_by)  # a secret press (D43) must not even make the others think again
        return True

    def is_chance_due(self) -> bool:
        """Whether a card has to come before anybody can choose anything."""
        self.game.waiting(self.session.state, self.waited)
        return any(self.waited[seat] in self.game.CHANCE for seat in range(1, self.seats + 1))

    # --- the end ---

    def record(self) -> str:
        """The record's text as far as it has come."""
        result = self.session.result()
        return "\n".join([*self.lines, *(["result: " + result] if result else [])]) + "\n"


def play_match(
    game: Any, header: Header, players: Sequence[type[Player]], seed: int, event_limit: int = EVENT_LIMIT
) -> tuple[str, str]:
    """Play a whole game: the record's text and the result, which is empty if the game grew too long."""
    match = Match(game, header, players, seed, event_limit)
    result = match.play()
    return match.record(), result
