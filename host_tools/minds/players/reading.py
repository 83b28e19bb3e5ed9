"""Reads the bytes of each game's `view` in a player's terms. This file owns the layout of the views.

A view is the place of each card (all that are hidden alike), then counts, then the public registers. The registers'
names are the games' own.
"""

from __future__ import annotations

from cardtable.engine.deck import ACE, JOKER, RANK, SUIT
from cardtable.engine.event import find_verb
from cardtable.engine.state import DEALER, SEATS, State, read_long
from cardtable.games import bailiff, cals_bs, durak, malice
from host_tools.sight.seen import Seen

_DURAK_COUNTS = 10
_CALS_BS_COUNTS = 18
_BAILIFF_COUNTS = 8
_MALICE_COUNTS = 3


class Table:
    """A view as a state of its game, so that the engine's own questions can be asked of it."""

    def __init__(self, seen: Seen, counts: int) -> None:
        game = seen.game
        self.seen = seen
        self.state = State(game.CARDS, game.REGISTERS)
        self.state.where[:] = seen.view[: game.CARDS]
        self.counts = seen.view[game.CARDS : game.CARDS + counts]
        public = seen.view[game.CARDS + counts :]
        self.state.register[: len(public)] = public
        self.register = self.state.register
        self.seats = self.register[SEATS]
        self.dealer = self.register[DEALER]

    def at(self, place: int) -> list[int]:
        """The cards that lie in plain sight at that place."""
        return [card for card in range(len(self.state.where)) if self.state.where[card] == place]


class DurakTable(Table):
    """A bout of Durak."""

    def __init__(self, seen: Seen) -> None:
        super().__init__(seen, _DURAK_COUNTS)
        register = self.register
        self.held = [self.counts[seat] for seat in range(8)]  # cards of each seat
        self.stock = self.counts[8]  # cards that can still be drawn
        self.trump = register[durak._TRUMP]
        self.attacker = register[durak._ATTACKER]
        self.defender = register[durak._DEFENDER]
        self.is_taken = register[durak._TAKEN] > 0
        self.is_first_bout = register[durak._FIRST_BOUT] > 0
        self.is_cheating_allowed = register[durak._CHEATING] > 0
        attacks: dict[int, int] = {}
        covers: dict[int, int] = {}
        for card, place in enumerate(self.state.where):
            if place >= durak._COVER:
                covers[place - durak._COVER] = card
            elif place >= durak._ATTACK:
                attacks[place - durak._ATTACK] = card
        self.attacks = [attacks[slot] for slot in sorted(attacks)]  # in the order of laying
        self.beaten = {attacks[slot]: covers[slot] for slot in covers if slot in attacks}  # attack card: what covers it
        self.unbeaten = [card for card in self.attacks if card not in self.beaten]

    def is_trump(self, card: int) -> bool:
        """Whether it is a trump, or a joker, which is as good."""
        return SUIT[card] == self.trump or RANK[card] == JOKER

    def cost(self, card: int) -> int:
        """The cost of giving the card away: its height, trumps above all plain cards."""
        return durak.power(self.state, card) + (20 if self.is_trump(card) else 0)

    def fits(self, card: int, target: int) -> bool:
        """Whether the card beats the target without cheating."""
        return not durak.judge_fit(self.state, card, target)

    def is_partner(self, seat: int) -> bool:
        """D34: whether that other seat plays in this one's team."""
        return seat != self.seen.seat and durak.are_partners(self.state, seat, self.seen.seat)


class CalsBsTable(Table):
    """The claims of Cal's BS, and how many cards lie where."""

    def __init__(self, seen: Seen) -> None:
        super().__init__(seen, _CALS_BS_COUNTS)
        register = self.register
        self.pile = self.counts[0]
        self.laid = self.counts[1]  # cards of the last set
        self.held = [self.counts[2 * seat] + self.counts[2 * seat + 1] for seat in range(8)]  # staged ones count
        self.leader = register[cals_bs._LEADER]
        self.last = register[cals_bs._LAST]  # the seat that laid the last set; 0: the leader has to lay
        self.claim = register[cals_bs._CLAIM]  # a rank, or one of the three that follow
        self.is_fours = self.claim == cals_bs._FOURS
        self.is_joker_claimed = self.claim == cals_bs._A_JOKER
        self.is_higher = self.claim == cals_bs._HIGHER
        self.plus = register[cals_bs._PLUS]
        self.has_declared_out = register[cals_bs._OUT] > 0
        self.laid_ms = read_long(register, cals_bs._LAID_MS)
        self.of_a_kind = cals_bs.count_of_a_kind(self.state)
        self.limit = cals_bs.set_limit(self.state)
        self.plus_is_higher = cals_bs.plus_limit(self.state) > 1
        self.ranks = [rank for rank in range(ACE + 1) if cals_bs.has_rank(self.state, rank)]
        self.staged = self.at(cals_bs._STAGED + seen.seat)
        self.has_extras = not register[cals_bs._NO_EXTRAS]  # all fours, plus and going out (C23)
        self.must_lay = register[cals_bs._TURNS] >= cals_bs._ROUND  # C5: nobody passes
        self.is_bound = self.must_lay or register[cals_bs._RANKS_FOLLOW] > 0  # not as Cal's BS is played
        self.is_rising = register[cals_bs._RANKS_FOLLOW] == cals_bs._RISING
        self.claims: list[int] = []  # the ranks that this seat could claim now
        cals_bs.choices(self.state, seen.seat, find_verb(cals_bs, "claim"), self.claims)


class BailiffTable(Table):
    """The stack of Bailiff."""

    def __init__(self, seen: Seen) -> None:
        super().__init__(seen, _BAILIFF_COUNTS)
        self.stock = self.counts[0]
        self.held = [self.counts[seat] if seat else 0 for seat in range(8)]
        self.front = self.at(bailiff._FRONT)  # the top cards
        self.covered = self.at(bailiff._COVERED)
        self.begun = self.at(bailiff._RAISE)  # a raise that is not complete
        self.is_one_more = self.register[bailiff._MORE] > 0


class MaliceTable(Table):
    """The piles of Malice."""

    def __init__(self, seen: Seen) -> None:
        super().__init__(seen, _MALICE_COUNTS)
        self.heights = [self.register[malice._HEIGHTS + pile] for pile in range(1, 5)]
        self.other = 3 - seen.seat

    def turned(self, seat: int) -> int:
        """The card that lies face up on the seat's payoff pile; -1 if none does."""
        return self.state.where.find(malice._TURNED + seat)

    def side(self, seat: int, pile: int) -> list[int]:
        """A side pile (1..4) of the seat, from its top down."""
        cards = []
        card = malice.side_top(self.state, seat, pile)
        while card != malice._NOTHING:
            cards.append(card)
            card = self.register[malice._UNDER + card]
        return cards

    def height(self, card: int) -> int:
        """M1: from the ace, 1, to the king, 13; 0: a joker, or whatever else is wild (M13)."""
        return 0 if malice.is_wild(self.register, card) else malice._HEIGHT[card]

    def is_hand_card(self, card: int) -> bool:
        """Whether the card is in this seat's hand, and not on a pile."""
        return card in self.seen.hand
