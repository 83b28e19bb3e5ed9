"""The only gate between a game and its players: all that a player may know, and all that it may answer.

A program that runs a game calls `look` and hands the player the Seen, never the session or its state. A Seen holds
bytes, numbers and the game's module: nothing in it leads back to what is hidden.
"""

from __future__ import annotations

import json
import zlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.event import AGREE, LEAD, NO_CARD, OWN_VERB, SHOWS_ALL, Event, pack
from cardtable.engine.state import HAND, OUTCOME, PAUSED, SEATS, STOCK
from cardtable.engine.verdict import rule_id
from host_tools.base.errors import UnusableInput
from host_tools.base.random_play import Random

NO_VERB = 0  # of a refusal: the public feed does not say what was tried


@dataclass(frozen=True)
class Heard:
    """One thing that happened, as a seat or the public heard it."""

    at_ms: int
    seat: int
    verb: int
    card: int = NO_CARD  # also where the card is hidden
    target: int = 0
    rule: str = ""  # the rule's id if it was refused; verb, card and target are then empty
    opened: tuple[int, ...] = ()  # the cards that it turned face up for all


@dataclass(frozen=True)
class Seen:
    """Everything that one seat knows at one moment."""

    game: Any  # the module
    seat: int
    seats: int
    view: bytes  # game.view(state, seat)
    hand: tuple[int, ...]  # the cards that it holds, in order; those it has staged or put up for a raise are in `view`
    at_ms: int
    moves: tuple[int, ...]  # all that the engine accepts from this seat now, packed (see `list_moves`)
    waits: bytes  # game.waiting: whom the table waits for, and for what
    log: tuple[Heard, ...] = ()  # the events that it has heard, oldest first

    @property
    def is_waited_for(self) -> bool:
        """Whether the table waits for this seat."""
        return self.waits[self.seat] > 0

    @property
    def moment_ms(self) -> int:
        """When the last thing happened that it heard of: the same however often it is asked about it."""
        return self.log[-1].at_ms if self.log else self.at_ms

    def named(self, verb: int) -> list[int]:
        """The moves of that verb."""
        return [move for move in self.moves if move >> 16 == verb]


def seen_text(seen: Seen) -> str:
    """A Seen as JSON, for a program that has the games' modules, too."""
    heard = [vars(one) for one in seen.log]
    return json.dumps([seen.game.NAME, seen.seat, seen.seats, seen.view.hex(), seen.hand, seen.at_ms, seen.moves,
                       seen.waits.hex(), heard])


def read_seen(text: str) -> Seen:
    """The Seen of that text, which is our own."""
    name, seat, seats, view, hand, at_ms, moves, waits, heard = json.loads(text)
    log = tuple(Heard(**{**one, "opened": tuple(one["opened"])}) for one in heard)
    return Seen(find_game(name), seat, seats, bytes.fromhex(view), tuple(hand), at_ms, tuple(moves),
                bytes.fromhex(waits), log)


@dataclass(frozen=True)
class Choice:
    """A player's act, and how long a person would think before it.

    The time counts from the moment in which the player first answered so: who asks again meanwhile, because something
    happened, and gets the same `packed`, lets the clock run on.
    """

    packed: int
    think_ms: int


class Player(ABC):
    """A player of one seat in one game. Its answers follow from its seed and from what it has seen."""

    name = ""  # by which it is chosen; empty: this class is no player yet
    plays_out = False  # it plays guesses to their end: the compiled engine does that some twenty times as fast
    needs_setting = False  # without one it is no player
    likeness = ""  # "collects trumps": said of people who play like it; empty: it is no kind of its own
    line = ""  # the record's `game:` line, which whoever seats a player sets

    def __init__(self, game: Any, seat: int, seats: int, seed: int) -> None:
        self.game = game
        self.seat = seat
        self.seats = seats
        self.seed = seed

    @classmethod
    def plays(cls, game: Any) -> bool:
        """Whether it can play this game."""
        return True

    @classmethod
    def with_setting(cls, setting: str) -> type[Player]:
        """The same player with what stands behind its name and a colon. UnusableInput if it takes no setting."""
        raise UnusableInput(f"{cls.name} takes no setting")

    @abstractmethod
    def choose(self, seen: Seen) -> Choice | None:
        """The act to do now: one of `seen.moves`; None: none. Asked after each event at the table."""

    def chance(self, *facts: object) -> Random:
        """Random numbers that follow from the seed, the seat and these facts: the same question has the same answer."""
        return Random(zlib.crc32(repr((self.seed, self.seat, *facts)).encode()))


def heard(game: Any, state: Any, event: Event, listener: int = 0) -> Heard | None:
    """An accepted event as `listener` hears it (0: the public), asked before it happens; None if it must not hear it.

    It hides what the public feed hides (game.shows). A seat knows its own events.
    """
    shows = SHOWS_ALL if listener and event.seat == listener else game.shows(state, event.verb)
    if not shows:
        return None
    opened: list[int] = []
    if event.verb >= OWN_VERB:
        game.opens(state, event, opened)
    card = event.card if shows == SHOWS_ALL else NO_CARD
    return Heard(event.at_ms, event.seat, event.verb, card, event.target, opened=tuple(opened))


def heard_refusal(game: Any, state: Any, event: Event, verdict: int, listener: int = 0) -> Heard | None:
    """A refused event as `listener` hears it: seat and rule; None if it must not hear it."""
    if event.seat != listener and not game.shows(state, event.verb):
        return None
    return Heard(event.at_ms, event.seat, NO_VERB, rule=rule_id(game, verdict))


def look(session: Any, seat: int, at_ms: int, hand: Collection[int] = (), log: Sequence[Heard] = ()) -> Seen:
    """The view of that seat on the session.

    hand: the cards that the seat holds, needed where the state does not know them all (deal=counted).
    """
    game = session.game
    state = session.state
    view = bytes(game.view(state, seat))
    held = find_held(game, view, seat, hand)
    waits = bytearray(8)
    game.waiting(state, waits)
    moves = list_moves(session, seat, at_ms, view, held)
    seats = state.register[SEATS]
    return Seen(game, seat, seats, view, tuple(sorted(held)), at_ms, tuple(moves), bytes(waits), tuple(log))


def find_held(game: Any, view: bytes, seat: int, hand: Collection[int]) -> frozenset[int]:
    """The cards that the seat holds: those that its view shows there, and of `hand` those that nobody has tapped."""
    held = frozenset(card for card in hand if view[card] == STOCK)
    return held.union(card for card, place in enumerate(view[: game.CARDS]) if place == HAND + seat)


def list_moves(session: Any, seat: int, at_ms: int, view: bytes, hand: frozenset[int]) -> list[int]:
    """Every event of the seat that the engine accepts now and that the seat can do: with a card that it holds or sees.

    Cards that come by chance are left out: they are not chosen. LEAD with the own seat answers who begins (T4; the
    table says it as seat 0), AGREE allows an undo (T7).
    """
    game = session.game
    state = session.state
    if state.register[OUTCOME] or state.register[PAUSED]:
        return []
    every: list[int] = []
    game.moves(state, seat, at_ms, every)
    by_chance = set(game.CHANCE.values())
    moves = [move for move in every if move >> 16 not in by_chance and can_tap(move >> 8 & 255, view, hand)]
    if not session.judge(Event(0, LEAD, NO_CARD, seat, at_ms)):
        moves.append(pack(LEAD, NO_CARD, seat))
    if not session.judge(Event(seat, AGREE, NO_CARD, 0, at_ms)):
        moves.append(pack(AGREE))
    return moves


def can_tap(card: int, view: bytes, hand: frozenset[int]) -> bool:
    """Whether the seat holds the card or sees where it lies; no card is always at hand."""
    return card == NO_CARD or card in hand or view[card] > STOCK
