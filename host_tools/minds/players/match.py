"""Plays whole games between virtual players, without a firmware. This file owns chance, time and who holds which card.

Cards that come by chance (deal, draw, turned trump) come from the shuffled deck of random_play.py. With deal=counted
nobody taps them: the deck then goes into hands that only their owners see, as at a real table. Time passes as the
players think; of two that press in the same millisecond the one that the game says is first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from cardtable.engine.event import LEAD, pack, unpack
from cardtable.engine.hands import count_hand
from cardtable.engine.record import Header, write_event
from cardtable.engine.state import DEAL, STOCK, UNSEEN, State
from host_tools.sight.seen import Choice, Heard, Player, Seen, heard, look
from host_tools.base.random_play import Random, RandomGame

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
        self.players = [player(game, seat, self.seats, seed) for seat, player in enumerate(players, 1)]
        for player in self.players:
            player.line = " ".join(header.game)
        assert len(self.players) == self.seats
        self.event_limit = event_limit
        self.unseen: list[list[int]] = [[] for _ in range(8)]  # deal=counted: the untapped cards of each hand
        self.logs: list[list[Heard]] = [[] for _ in range(8)]
        self.thoughts: dict[int, Thought] = {}
        self.lines: list[str] = header.lines()
        self.watch: Callable[[Seen, Choice | None], None] = lambda seen, choice: None  # told each question and answer
        self.kept = State(game.CARDS, game.REGISTERS)  # the state before the last event
        self.kept.copy(self.session.state)
        self.fill_hands()
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
        self.find_returned(seat, verb)
        if super().take_from_deck(seat, verb):
            return True
        # D4: with the whole deck dealt the dealer turns its own last card.
        own = self.unseen[seat][-1:]
        self.deck += own
        return bool(own) and super().take_from_deck(seat, verb)

    def find_returned(self, seat: int, verb: int) -> None:
        """Put each card that can come by chance and is in no hand into the deck, even one that came before (M2, D4)."""
        options: list[int] = []
        self.game.moves(self.session.state, seat, self.event.at_ms, options)
        self.shuffle_in([packed >> 8 & 255 for packed in options if packed >> 16 == verb])

    def shuffle_in(self, cards: Sequence[int]) -> None:
        """Those of the cards that are neither in the deck nor in a hand go into the deck at random."""
        elsewhere = {*self.deck}.union(*self.unseen)
        for card in cards:
            if card not in elsewhere:
                self.deck.insert(self.random.below(len(self.deck) + 1), card)

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
        self.keep_hands()
        if not self.session.is_over() and not self.is_chance_due():
            self.ask_players(heard_by)  # a secret press (D43) must not even make the others think again
        return True

    def is_chance_due(self) -> bool:
        """Whether a card has to come before anybody can choose anything."""
        self.game.waiting(self.session.state, self.waited)
        return any(self.waited[seat] in self.game.CHANCE for seat in range(1, self.seats + 1))

    # --- deal=counted: who holds what ---

    def keep_hands(self) -> None:
        """After an event: cards tapped are known, cards that went back are in the deck, draws have come."""
        where = self.session.state.where
        for hand in self.unseen:
            # M14: a card that completes a pile goes from the hand straight into the stock.
            hand[:] = [card for card in hand if where[card] == STOCK and card != self.event.card]
        if self.game.is_dealing(self.session.state) and not self.game.is_dealing(self.kept):
            self.unseen = [[] for _ in self.unseen]  # D49: dealt again
        if self.kept.where.count(STOCK) < where.count(STOCK):
            self.shuffle_in([card for card, place in enumerate(where) if place == STOCK])
        self.fill_hands()

    def fill_hands(self) -> None:
        """Each hand gets from the deck what the table counts there; where hands go round (D42) they do after that."""
        state = self.session.state
        if not state.register[DEAL]:
            return
        receivers = self.find_receivers()
        for seat in range(1, self.seats + 1):
            while len(self.unseen[seat]) < state.register[UNSEEN + receivers[seat]]:
                self.unseen[seat].append(self.draw_unseen(state))
        given = [list(hand) for hand in self.unseen]
        for seat in range(1, self.seats + 1):
            self.unseen[receivers[seat]] = given[seat]

    def draw_unseen(self, state: State) -> int:
        """The next card of the deck that comes from the stock."""
        for index in range(len(self.deck) - 1, -1, -1):
            if state.where[self.deck[index]] == STOCK:
                return self.deck.pop(index)
        raise Stuck("the deck has no card for a hand that the table has filled")

    def find_receivers(self) -> list[int]:
        """To which seat each hand has gone by the last event: to its own, or where all pass hands on, to the next."""
        receivers = list(range(8))
        waits = bytearray(8)
        before = bytearray(8)
        self.game.waiting(self.session.state, waits)
        self.game.waiting(self.kept, before)
        passes_on = getattr(self.game, "WAIT_HANDS_THEN_OPEN", -1)
        if waits[0] != passes_on or before[0] == passes_on:
            return receivers
        holders = [seat for seat in range(1, self.seats + 1) if count_hand(self.session.state, seat)]
        for giver, receiver in zip(holders, holders[1:] + holders[:1], strict=True):
            receivers[giver] = receiver
        return receivers

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
