"""Remembers hidden cards of Cal's BS: sets that the seat laid, sets that a doubt opened, and who took the pile.

What an undo takes back is forgotten (T7); a pile that is discarded is nobody's (C21).
"""

from __future__ import annotations

from cardtable.engine.deck import ACE, JOKER, RANK
from cardtable.engine.event import AGREE, NO_CARD, UNDO, find_verb
from cardtable.games import cals_bs
from host_tools.judge.facts import cals_bs as cals_bs_facts
from host_tools.judge.facts.view import split_view
from host_tools.sight.seen import Heard, Seen

_LAY, _UNLAY, _CLAIM, _FOURS, _PLUS, _DOUBT, _SHOW, _BELIEVE = (
    find_verb(cals_bs, name) for name in ("lay", "unlay", "claim", "fours", "plus", "doubt", "show", "believe")
)


class CalsBsMemory:
    """`recall(seen)` takes in what is new; then `held` says which card was seen to go into which hand."""

    def __init__(self) -> None:
        self.heard = 0
        self.last: Heard | None = None
        self.forget()

    def forget(self) -> None:
        """Begin again."""
        self.heard = 0
        self.held: dict[int, int] = {}  # card: the seat whose hand it went into, and has not laid a set since
        self.piled: set[int] = set()  # own cards on the pile
        self.staged: dict[int, set[int]] = {}  # own staged cards, by seat: only the own seat's are known
        self.layer = 0  # who laid the last set
        self.claim = 0
        self.lies = [[0, 0] for _ in range(8)]  # of each seat: sets that were opened and false, and true
        self.doubts = [[0, 0] for _ in range(8)]  # and its doubts: of a true set, and of a false one
        self.laid = [0] * 8  # and its sets
        self.own = [0, 0]  # the own sets that were false, and true
        self.asked: set[int] = set()  # T7: who asks for an undo, and who has agreed
        self.before: tuple[object, ...] = self.keep()

    def recall(self, seen: Seen) -> None:
        """Follow the log to its end."""
        before = seen.log[self.heard - 1] if 0 < self.heard <= len(seen.log) else None
        if self.heard > len(seen.log) or before is not self.last:
            self.forget()
        register = split_view(seen, cals_bs_facts.COUNTS)[1]
        self.seats = seen.seats - bin(register[cals_bs_facts.GONE]).count("1")
        self.discards = register[cals_bs_facts.DISCARDS] > 0
        for line in seen.log[self.heard :]:
            self.follow(line, seen.seat)
        self.heard = len(seen.log)
        self.last = seen.log[-1] if seen.log else None
        for card in list(self.held):
            if seen.view[card] != 1:  # it is back in the own hand
                del self.held[card]

    def keep(self) -> tuple[object, ...]:
        """All that an undo would bring back."""
        return (dict(self.held), set(self.piled), {seat: set(cards) for seat, cards in self.staged.items()}, self.layer,
                self.claim, *([list(one) for one in rows] for rows in (self.lies, self.doubts)), list(self.laid),
                list(self.own))

    def note_undo(self, line: Heard) -> None:
        """T7: it is done once all others have agreed; it takes back what was heard last."""
        self.asked = {line.seat} if line.verb == UNDO else self.asked | {line.seat}
        if len(self.asked) == self.seats:
            (self.held, self.piled, self.staged, self.layer, self.claim, self.lies, self.doubts, self.laid,
             self.own) = self.before  # type: ignore[assignment]
            self.asked = set()
            self.before = self.keep()

    def follow(self, line: Heard, own: int) -> None:
        """One thing that was heard."""
        if line.rule:
            return
        if line.verb in (UNDO, AGREE):
            self.note_undo(line)
            return
        self.before = self.keep()
        if line.verb == _LAY and line.seat == own and line.card != NO_CARD:
            self.staged.setdefault(own, set()).add(line.card)
        elif line.verb == _UNLAY and line.seat == own:
            self.staged.get(own, set()).discard(line.card)
        elif line.verb in (_CLAIM, _FOURS, _PLUS):
            self.note_set(line, own)
        elif line.verb == _SHOW:
            self.note_doubt(line, (line.card,))
        elif line.verb in (_DOUBT, _BELIEVE) and line.opened:  # else one card is opened after it (C7, show=one)
            self.note_doubt(line, line.opened)

    def note_set(self, line: Heard, own: int) -> None:
        """A set was laid: what is known of the hand it came from is no longer sure."""
        if self.discards and line.seat == self.layer:
            self.piled.clear()  # C8: nobody lays on an own set, so all had passed
        self.laid[line.seat] += 1
        if line.seat == own:
            cards = self.staged.pop(own, set())
            if line.verb != _PLUS:  # its rank is secret
                self.own[line.verb == _FOURS or all(RANK[card] in (line.target, JOKER) for card in cards)] += 1
            self.piled |= cards
        else:
            self.held = {card: seat for card, seat in self.held.items() if seat != line.seat}
        self.layer = line.seat
        self.claim = line.target if line.verb == _CLAIM else JOKER if line.verb == _PLUS else -1
        if line.verb == _PLUS and line.opened:
            self.held.clear()  # a last set of a secret rank: nobody can tell who has it now
            self.piled.clear()
        elif line.verb == _CLAIM and line.opened and any(RANK[card] not in (self.claim, JOKER) for card in line.opened):
            self.take(line.seat, line.opened)  # C9: a last set that was false

    def note_doubt(self, line: Heard, opened: tuple[int, ...]) -> None:
        """The set, or one card of it, was opened, and one of two hands took the pile."""
        if not 0 <= self.claim <= ACE:
            self.held.clear()  # a plus: its rank is secret, so nobody can tell who took the pile
            self.piled.clear()
            return
        is_true = all(RANK[card] in (self.claim, JOKER) for card in opened)
        self.lies[self.layer][is_true] += 1
        if line.verb == _BELIEVE:  # C20: the pile is out of the game, or the believer has it
            if is_true:
                self.piled.clear()
            else:
                self.take(line.seat, opened)
            return
        self.doubts[line.seat][not is_true] += 1
        self.take(line.seat if is_true else self.layer, opened)

    def take(self, taker: int, opened: tuple[int, ...]) -> None:
        """The pile went into that hand."""
        for card in (*opened, *self.piled):
            self.held[card] = taker
        self.piled.clear()

    def bluffs(self, seat: int) -> float:
        """How often that seat bluffs, as far as doubts have shown: half of the time before anything is known."""
        false, true = self.lies[seat]
        return (5 + false) / (10 + false + true)
