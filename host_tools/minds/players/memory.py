"""Remembers the others' cards in Durak and Bailiff, as a seat that forgets nothing: taken cards, the discard, and in
Durak who did without which cards.

It follows what the seat has heard in a session of its own, in which nobody's cards are known until they are shown: a
game with counted hands (T4) is just that. Where the two do not fit together, it remembers nothing.
"""

from __future__ import annotations

from typing import Any

from cardtable.engine.deck import JOKER, RANK, SUIT
from cardtable.engine.event import DRAW, LEAD, NO_CARD, OWN_VERB, Event, find_verb
from cardtable.engine.hands import count_hand, count_stock, reveal
from cardtable.engine.reading import close_header, read_key
from cardtable.engine.record import Header
from cardtable.engine.session import Session
from cardtable.engine.setup import SetupError, read_option, set_up
from cardtable.engine.state import DEALER, FIRST, HAND, MATCH_GAME, PRESET, SEATS, STOCK, UNSEEN, State
from cardtable.games import durak
from host_tools.judge.facts import bailiff as bailiff_facts
from host_tools.judge.facts import durak as durak_facts
from host_tools.judge.facts.view import split_view
from host_tools.sight.seen import NO_VERB, Heard, Seen

_ATTACK, _DONE, _TAKE, _REDEAL, _SWAP = (
    find_verb(durak, name) for name in ("attack", "done", "take", "redeal", "swap")
)
_LAST_HAND = HAND + 7
_CHEAP = 8  # a ten: a plain card up to it is thrown in if one has it


def make_line(game: Any, register: bytes, counted: bool = True) -> str:
    """The `game:` line of the options that lie in these registers."""
    state = State(game.CARDS, game.REGISTERS)
    state.register[: len(register)] = register
    plain = set_up(game, make_header(game, f"{game.NAME} {game.PRESETS[register[PRESET]][0]}", register))
    said = [f"{game.NAME} {game.PRESETS[register[PRESET]][0]}"]
    for name, _, values in game.OPTIONS:
        if isinstance(values, tuple) and len(values) == 3:
            continue
        value = read_option(game, state, name)
        if value != read_option(game, plain, name):
            said.append(f"{name}={value}")
    return " ".join([*said, "deal=counted"] if counted else said)


def make_header(game: Any, line: str, register: bytes) -> Header:
    """A header of that line with the seats, the dealer and the match of these registers."""
    header = Header()
    for text in (
        f"game: {line}", "seats: " + "; ".join(f"Seat {seat}" for seat in range(1, register[SEATS] + 1)),
        f"dealer: {register[DEALER]}", f"match_game: {max(1, register[MATCH_GAME])}",
    ):  # fmt: skip
        read_key(header, text, 0)
    if register[FIRST]:
        read_key(header, f"first: {register[FIRST]}", 0)
    close_header(header, 0)
    return header


class Memory:
    """`recall(seen)` takes in what is new; then `known` holds, or `is_lost`."""

    COUNTS, DISCARD = bailiff_facts.COUNTS, bailiff_facts.DISCARD

    def __init__(self, game: Any) -> None:
        self.game = game
        self.known: dict[int, int] = {}  # card: the seat that holds it; 0: it is in the discard
        self.is_lost = False
        self.forget()

    def forget(self) -> None:
        """Begin again, as where another game is followed."""
        self.session: Session | None = None
        self.heard = 0  # lines of the log that were followed
        self.last: Heard | None = None

    def recall(self, seen: Seen) -> None:
        """Follow the log to its end."""
        before = seen.log[self.heard - 1] if 0 < self.heard <= len(seen.log) else None
        if self.session is None or self.heard > len(seen.log) or before is not self.last:
            self.forget()
            try:
                self.session = self.begin(seen)
            except SetupError:
                self.is_lost = True
                return
        for line in seen.log[self.heard :]:
            if line.verb not in (NO_VERB, DRAW):  # cards that are drawn come by themselves here
                self.follow(self.session, Event(line.seat, line.verb, line.card, line.target, line.at_ms))
        self.heard = len(seen.log)
        self.last = seen.log[-1] if seen.log else None
        self.compare(seen, self.session.state)

    def begin(self, seen: Seen) -> Session:
        """The game before its first event. SetupError."""
        _, register = split_view(seen, self.COUNTS)
        return Session(self.game, make_header(self.game, make_line(self.game, register), register))

    def follow(self, session: Session, event: Event) -> None:
        """One event that was heard."""
        session.play(event)

    def compare(self, seen: Seen, state: State) -> None:
        """Whether what was followed is what lies there; then who holds what."""
        counts = self.count(seen)
        seats = range(1, seen.seats + 1)
        self.known = {}
        self.is_lost = count_stock(state) != counts[0] or any(count_hand(state, seat) != counts[seat] for seat in seats)
        for card in range(self.game.CARDS):
            place = state.where[card]
            lies = HAND + seen.seat if card in seen.hand else seen.view[card]
            if lies == HAND + seen.seat and place == STOCK and state.register[UNSEEN + seen.seat]:
                reveal(state, seen.seat, card)
            elif lies == STOCK and (place == self.DISCARD or HAND < place <= _LAST_HAND):
                self.known[card] = max(0, place - HAND)
            elif lies != place:
                self.is_lost = True
        if self.is_lost:
            self.known = {}

    def count(self, seen: Seen) -> list[int]:
        """How many cards can be drawn face down, and how many each seat holds."""
        return list(split_view(seen, self.COUNTS)[0])


class DurakMemory(Memory):
    """Also remembers what a seat did without."""

    COUNTS, DISCARD = durak_facts.COUNTS, durak_facts.DISCARD

    def forget(self) -> None:
        super().forget()
        self.shy: list[tuple[int, frozenset[int], int]] = []  # seat, cards that it hardly had, cards drawn before
        self.drawn = [0] * 8  # cards that each seat has drawn since the deal

    def count(self, seen: Seen) -> list[int]:
        counts, _ = split_view(seen, self.COUNTS)
        turned = durak_facts.TURNED in seen.view[: durak.CARDS]
        return [counts[8] - turned, *counts[1:8]]

    def follow(self, session: Session, event: Event) -> None:
        register = session.state.register
        is_asking = register[durak_facts.PHASE] == durak_facts.ASKING  # a scanned game asks nobody who begins (D5)
        if is_asking and event.verb == _ATTACK:
            session.play(Event(0, LEAD, NO_CARD, event.seat, event.at_ms))
        elif is_asking and event.verb in (_SWAP, _REDEAL):
            self.follow_early(session, event)
            return
        before = [register[durak_facts.HELD + seat] for seat in range(8)]
        self.note_refusal(session.state, event)
        if register[durak_facts.CHEATING] and event.verb >= OWN_VERB and session.judge(event):
            register[durak_facts.PRESSED] = 1  # D43: a press is not heard
        attacks = register[durak_facts.ATTACKS]
        if session.judge(event):
            return
        if event.verb == _REDEAL:
            self.shy, self.drawn = [], [0] * 8
        if not session.play(event) and attacks and not register[durak_facts.ATTACKS]:
            for seat in range(1, register[SEATS] + 1):
                self.drawn[seat] += max(0, register[durak_facts.HELD + seat] - before[seat])
            if register[durak_facts.ROUND]:
                self.shy = []  # D42: other seats hold these hands now

    def follow_early(self, session: Session, event: Event) -> None:
        """D49, D50: before the first attack, while it is asked here who begins; that would be refused then."""
        register = session.state.register
        register[durak_facts.PHASE] = durak_facts.BOUT
        session.play(event)
        for state in (session.state, session.before):  # T7: also where it is taken back
            if state.register[durak_facts.PHASE] == durak_facts.BOUT:
                state.register[durak_facts.PHASE] = durak_facts.ASKING

    def note_refusal(self, state: State, event: Event) -> None:
        """A defender that takes could hardly beat with a plain card; who is done had no cheap card to add."""
        register = state.register
        if event.verb not in (_TAKE, _DONE):
            return
        trump = register[durak_facts.TRUMP]
        hidden = [card for card in range(durak.CARDS) if state.where[card] == STOCK]
        plain = [card for card in hidden if SUIT[card] != trump and RANK[card] != JOKER]
        cards: list[int] = []
        if event.verb == _DONE:
            cards = [card for card in plain if register[durak_facts.RANKS + RANK[card]] and RANK[card] <= _CHEAP]
        elif register[durak_facts.UNBEATEN] == 1:
            under = next(card for card in range(durak.CARDS) if durak.is_unbeaten(state, card))
            cards = [card for card in plain if not durak.judge_fit(state, card, under)]
        if cards:
            self.shy.append((event.seat, frozenset(cards), self.drawn[event.seat]))

    def hardly(self, seat: int) -> set[int]:
        """The cards that the seat hardly holds, as it has not drawn three cards since it did without them."""
        found: set[int] = set()
        for who, cards, drawn in self.shy[-12:]:
            if who == seat and self.drawn[seat] - drawn < 3:
                found |= cards
        return found
