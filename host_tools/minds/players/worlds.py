"""Deals the hidden cards of a game anew, as view and memory allow, and plays such guesses to the end."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from cardtable.engine.deck import ACE, JOKER, RANK
from cardtable.engine.event import Event, find_verb, pack, unpack
from cardtable.engine.state import DEAL, HAND, OUTCOME, SEATS, STOCK, UNSEEN, State, move_all
from cardtable.games import bailiff, cals_bs, durak, malice
from host_tools.judge.facts import durak as durak_facts
from host_tools.judge.facts import cals_bs as cals_bs_facts
from host_tools.judge.facts import bailiff as bailiff_facts
from host_tools.judge.facts import malice as malice_facts
from host_tools.judge.facts.view import split_view
from host_tools.minds.players.cals_bs_memory import CalsBsMemory
from host_tools.minds.players.exact import is_end, value_of_opening
from host_tools.minds.players.memory import DurakMemory, Memory
from host_tools.minds.players.odds import chance_of_lie
from host_tools.sight.seen import Seen
from host_tools.base.random_play import Random
from host_tools.minds.thinking.bailiff_playout import play_bailiff_out
from host_tools.minds.thinking.cals_bs_playout import play_cals_bs_out
from host_tools.minds.thinking.durak_playout import draw_card, go_on_out, open_out, order_cards, play_durak_out
from host_tools.minds.thinking.malice_choice import CHOSEN, TO_END, TO_SIDE, choose_skilled
from host_tools.minds.thinking.malice_playout import play_malice_out

_DONE = find_verb(durak, "done")
_CENTRE, _SIDE, _END = (find_verb(malice, name) for name in ("centre", "side", "end"))
NOISE = 10  # of 100 plays of a playout so many are another than the advice
_FEW = 12  # cards in play: with so few each guess ends in a solved end
_FEW_NODES = 3_000  # of one such end: some 5 ms; larger ones are played on
_FEW_STEPS = 2_000  # of a guess that is played to such an end: more than any took
_SHY = 60  # of 100 times a card that a seat hardly holds is dealt elsewhere
_MALICE_STEPS = 60
_MALICE_SPREAD = 3.0  # cards of the payoff piles that decide e : 1 where a playout is broken off


class World:
    """One guess: a state in which every card lies somewhere, and the order of what will be drawn; fool: of an end that
    was solved instead of played, the seat that loses it (0: a draw), else -1."""

    __slots__ = ("fool", "payoffs", "state", "stock")

    def __init__(self, state: State, stock: list[int], payoffs: list[int] | None = None) -> None:
        self.state = state
        self.stock = stock
        self.payoffs = payoffs or []
        self.fool = -1

    def copy(self) -> World:
        """The same guess once more, to play another move in it."""
        state = State(len(self.state.where), len(self.state.register))
        state.copy(self.state)
        return World(state, list(self.stock), list(self.payoffs))


class Worlds(ABC):
    """Guesses for one question: `deal` makes one, `enact` plays a move in it, `play_out` plays it to its end.

    `recount` is the game's own: each keeps the counts that it likes.
    """

    recount: Callable[[State], None]
    solves = False  # whether a guess may end in an end that is solved, or is played by skill: between good players

    def __init__(self, seen: Seen, memory: Any) -> None:
        self.seen = seen
        self.game = seen.game
        self.memory = memory
        self.event = Event()
        self.template = State(self.game.CARDS, self.game.REGISTERS)
        self.hidden = [card for card in range(self.game.CARDS) if seen.view[card] == STOCK and card not in seen.hand]

    def fill_template(self, public: bytes) -> None:
        """What everybody sees, and the own hand; a counted game goes on as a scanned one."""
        self.template.where[:] = self.seen.view[: self.game.CARDS]
        self.template.register[: len(public)] = public
        for card in self.seen.hand:
            self.template.where[card] = HAND + self.seen.seat
        self.template.register[DEAL] = 0
        for seat in range(8):
            self.template.register[UNSEEN + seat] = 0

    def base(self) -> State:
        """A copy of what everybody sees."""
        state = State(self.game.CARDS, self.game.REGISTERS)
        state.copy(self.template)
        return state

    def hold(self, state: State) -> State:
        """The state once its cards are dealt: the counts of the game's registers follow from the places."""
        self.recount(state)
        return state

    def enact(self, world: World, packed: int) -> None:
        """The seat makes that move."""
        self.game.enact(world.state, unpack(packed, self.seen.seat, self.seen.at_ms, self.event))

    @abstractmethod
    def deal(self, draw: Random) -> World:
        """A guess."""

    @abstractmethod
    def play_out(self, world: World, draw: Random) -> bool:
        """Play the guess to its end; whether it came."""

    def score(self, world: World, is_over: bool, seat: int) -> float:
        """The seat's share of the outcome: 1 not the fool, or won."""
        return 0.5 if not is_over else 0.0 if self.game.losers(world.state) >> seat & 1 else 1.0


class HandsAndStock(Worlds):
    """Hidden cards lie in hands, in the stock or in the discard: a place in `slots` for each card of `loose`."""

    slots: list[int]
    loose: list[int]  # those of which nobody knows where they lie

    def set_slots(self, known: dict[int, int], counts: bytes, drawn: int, discard: int) -> None:
        """Set where hidden cards can lie. known: who holds a card, 0 the discard; counts: of each hand; drawn: cards
        that are still to be drawn."""
        seen = self.seen
        fixed = {card: seat for card, seat in known.items() if card in self.hidden}
        self.slots = []
        for seat in range(1, seen.seats + 1):
            if seat != seen.seat:
                self.slots += [HAND + seat] * (counts[seat] - sum(1 for holder in fixed.values() if holder == seat))
        self.slots += [STOCK] * drawn
        self.loose = [card for card in self.hidden if card not in fixed]
        self.slots += [discard] * (len(self.loose) - len(self.slots))
        for card, seat in fixed.items():
            self.template.where[card] = HAND + seat if seat else discard

    def fill_slots(self, cards: list[int]) -> World:
        """The guess in which the loose cards lie in this order."""
        state = self.base()
        stock = []
        for card, place in zip(cards, self.slots, strict=True):
            state.where[card] = place
            if place == STOCK:
                stock.append(card)
        return World(self.hold(state), stock)


class DurakWorlds(HandsAndStock):
    """Hands, stock and discard. Where few cards are in play and `solves` is set, a guess ends where its end can be
    solved."""

    recount = staticmethod(durak.recount)
    is_small = False

    def __init__(self, seen: Seen, memory: DurakMemory) -> None:
        super().__init__(seen, memory)
        memory.recall(seen)
        counts, public = split_view(seen, durak_facts.COUNTS)
        self.fill_template(public)
        where, register = self.template.where, self.template.register
        # Transfers can go round for ever, and so can hands (D42).
        is_plain = not (register[durak_facts.CHEATING] or register[durak_facts.TRANSFER_ALLOWED]
                        or register[durak_facts.ROUND])
        self.cheating = register[durak_facts.CHEATING]  # guesses leave it out
        register[durak_facts.CHEATING] = 0
        for at in range(durak_facts.LIES, durak_facts.HELD):
            register[at] = durak_facts.NOTHING
        for card, place in enumerate(where):
            if place >= durak_facts.ATTACK:
                register[durak_facts.LIES + place - durak_facts.ATTACK] = card
        durak.recount(self.template)
        for seat in range(1, seen.seats + 1):
            register[durak_facts.HELD + seat] = counts[seat]
        register[durak_facts.LEFT] = counts[8]
        register[durak_facts.OPENER] = register[durak_facts.ATTACKER]
        register[durak_facts.SITS] = register[durak_facts.DEFENDER]
        if memory.session and not memory.is_lost:  # what was heard, and a view leaves out
            for kept in (durak_facts.OPENER, durak_facts.SITS):
                register[kept] = memory.session.state.register[kept]
            outs = slice(durak_facts.OUT_AT, durak_facts.OUT_AT + 6)
            register[outs] = memory.session.state.register[outs]
        self.set_slots(memory.known, counts, counts[8] - (durak_facts.TURNED in where), durak_facts.DISCARD)
        self.hardly = {seat: memory.hardly(seat) for seat in range(1, seen.seats + 1)} if not memory.is_lost else {}
        self.is_shy = any(self.hardly.values())
        lie = (*self.slots, *where)
        in_play = sum(place == STOCK or place > HAND or place == durak_facts.TURNED for place in lie)
        in_play -= len(self.hidden)  # they are counted by their slots
        self.is_small = in_play <= _FEW and is_plain and seen.seats == 2
        self.ends: dict[bytes, int | None] = {}  # who loses an end, by its state
        order_cards(self.template)

    def deal(self, draw: Random) -> World:
        cards = list(self.loose)
        draw.shuffle(cards)
        if self.is_shy:
            self.heed_refusals(cards, draw)
        return self.fill_slots(cards)

    def heed_refusals(self, cards: list[int], draw: Random) -> None:
        """A card that a seat hardly holds changes places with any other, most times."""
        for at, place in enumerate(self.slots):
            seat = place - HAND
            if seat > 0 and cards[at] in self.hardly.get(seat, ()) and draw.below(100) < _SHY:
                other = draw.below(len(cards))
                cards[at], cards[other] = cards[other], cards[at]

    def enact(self, world: World, packed: int) -> None:
        register = world.state.register
        if register[durak.PRESET] == durak_facts.SIMPLE and packed >> 16 == _DONE and register[durak_facts.UNBEATEN]:
            register[durak_facts.ACTED] = 1  # D13: the attacker adds nothing; as if the defender had acted
        else:
            super().enact(world, packed)

    def play_out(self, world: World, draw: Random) -> bool:
        if not self.is_small or not self.solves:
            return play_durak_out(world.state, world.stock, draw, NOISE)
        state = world.state
        register = state.register
        for _ in range(_FEW_STEPS):
            if register[OUTCOME]:
                return True
            if register[durak_facts.PHASE] == durak_facts.DRAWING:
                draw_card(state, world.stock)
            elif register[durak_facts.PHASE] != durak_facts.BOUT:
                return False
            elif register[durak_facts.ATTACKS]:
                go_on_out(state, draw, NOISE)
            elif is_end(state) and (fool := self.solve_end(state)) is not None:
                world.fool = fool
                return True
            else:
                open_out(state, draw, NOISE)
        return False

    def solve_end(self, state: State) -> int | None:
        """Who loses this open end between players who make no mistake, 0 a draw; None if that takes too long."""
        key = state.save()
        if key not in self.ends:
            value = value_of_opening(state, _FEW_NODES)
            attacker, defender = state.register[durak_facts.ATTACKER], state.register[durak_facts.DEFENDER]
            self.ends[key] = None if value is None else {1: defender, 0: 0, -1: attacker}[value]
        return self.ends[key]

    def score(self, world: World, is_over: bool, seat: int) -> float:
        if world.fool > 0:
            return float(world.fool != seat)
        if world.fool < 0 and (not is_over or durak.losers(world.state)):
            return super().score(world, is_over, seat)
        return share_of_draw(world.state, seat)


def share_of_draw(state: State, seat: int) -> float:
    """D40, what a draw of Durak counts: the two seats that went out last share the fool between them, a half for each,
    so the seats of any game have the same sum. Of teams each has a half."""
    register = state.register
    if register[durak_facts.TEAMS_ARE]:
        return 0.5
    outs = [register[durak_facts.OUT_AT + other] or 255 for other in range(register[SEATS])]  # 0: it still holds cards
    return 0.5 if sorted(outs).index(outs[seat - 1]) >= len(outs) - 2 else 1.0


class BailiffWorlds(HandsAndStock):
    """Hands, stock and discard."""

    recount = staticmethod(bailiff.recount)

    def __init__(self, seen: Seen, memory: Memory) -> None:
        super().__init__(seen, memory)
        memory.recall(seen)
        counts, public = split_view(seen, bailiff_facts.COUNTS)
        self.fill_template(public)
        self.set_slots(memory.known, counts, counts[0], bailiff_facts.DISCARD)

    def deal(self, draw: Random) -> World:
        cards = list(self.loose)
        draw.shuffle(cards)
        return self.fill_slots(cards)

    def play_out(self, world: World, draw: Random) -> bool:
        return play_bailiff_out(world.state, world.stock, draw, NOISE)


class MaliceWorlds(Worlds):
    """The other hands, the stock, and what lies face down in the payoff piles."""

    recount = staticmethod(malice.recount)

    def __init__(self, seen: Seen, memory: Any) -> None:
        super().__init__(seen, memory)
        self.counts, public = split_view(seen, malice_facts.COUNTS)
        self.fill_template(public)
        self.payoffs = [card for card, place in enumerate(self.template.where) if place == malice_facts.PAYOFF]

    def deal(self, draw: Random) -> World:
        cards = list(self.hidden)
        draw.shuffle(cards)
        state = self.base()
        for other in range(1, self.seen.seats + 1):
            if other != self.seen.seat:
                for _ in range(self.counts[other - 1]):
                    state.where[cards.pop()] = HAND + other
        payoffs = list(self.payoffs)
        draw.shuffle(payoffs)
        return World(self.hold(state), cards, payoffs)

    def play_out(self, world: World, draw: Random) -> bool:
        # What a move has sent back into the stock (M14) is drawn after all others.
        return play_malice_out(world.state, world.stock, world.payoffs, draw, NOISE, _MALICE_STEPS, self.solves)

    def advise(self) -> int:
        """What weighed advice plays here, packed; the seat has the turn, and its payoff card lies open."""
        kind = choose_skilled(self.hold(self.base()), self.seen.seat, Random(1), 0)
        return pack(_END) if kind == TO_END else pack(_SIDE if kind == TO_SIDE else _CENTRE, CHOSEN[0], CHOSEN[1])

    def score(self, world: World, is_over: bool, seat: int) -> float:
        register = world.state.register
        if is_over:
            return 0.5 if register[OUTCOME] == malice_facts.NOBODY_WON else float(register[malice_facts.WINNER] == seat)
        left = [register[malice_facts.LEFT + other] for other in range(1, register[SEATS] + 1)]
        shares = [math.exp((min(left) - count) / _MALICE_SPREAD) for count in left]
        return shares[seat - 1] / sum(shares)


class CalsBsWorlds(Worlds):
    """The others' hands, the pile and the last set."""

    recount = staticmethod(cals_bs.recount)
    opened = bytes(16)  # of each seat: how many of its sets were opened and false; + 8: and true

    def __init__(self, seen: Seen, memory: CalsBsMemory) -> None:
        super().__init__(seen, memory)
        memory.recall(seen)
        self.opened = bytes([min(200, row[is_true]) for is_true in (0, 1) for row in memory.lies])
        counts, public = split_view(seen, cals_bs_facts.COUNTS)
        self.fill_template(public)
        register = self.template.register
        register[cals_bs_facts.FOURS_RANK] = cals_bs_facts.SEVERAL
        self.last, self.claim = register[cals_bs_facts.LAST], register[cals_bs_facts.CLAIM]
        self.laid, self.pile = counts[1], counts[0]
        self.held = [counts[2 * seat] + counts[2 * seat + 1] for seat in range(8)]
        self.lie = self.find_lie()

    def find_lie(self) -> float:
        """How likely the last set is false, by the odds (C7)."""
        if not self.last or self.last == self.seen.seat or self.claim == cals_bs_facts.FOURS:
            return 0.0
        free = [card for card in self.hidden if card not in self.memory.held and card not in self.memory.piled]
        wanted = JOKER if self.claim == cals_bs_facts.A_JOKER else self.claim
        if self.claim == cals_bs_facts.HIGHER:
            return 0.6
        fitting = sum(RANK[card] in (wanted, JOKER) for card in free)
        is_leader = self.last == self.template.register[cals_bs_facts.LEADER]
        held = min(self.held[self.last] + self.laid, len(free))
        bluffs = self.memory.bluffs(self.last)
        if self.claim == cals_bs_facts.A_JOKER:
            bluffs = max(bluffs, 0.7)
        return chance_of_lie(self.laid, held, len(free), fitting, is_leader and self.claim <= ACE, bluffs)

    def deal(self, draw: Random) -> World:
        state = self.base()
        where = state.where
        seen = self.seen
        cards = list(self.hidden)
        draw.shuffle(cards)
        room = {HAND + seat: self.held[seat] for seat in range(1, seen.seats + 1) if seat != seen.seat}
        room[cals_bs_facts.PILE], room[cals_bs_facts.SET] = self.pile, self.laid
        room[cals_bs_facts.DISCARD] = len(cards) - sum(room.values())
        self.place_known(cards, where, room)
        if self.last and self.last != seen.seat and self.claim <= JOKER:
            self.place_set(cards, where, room, draw)
        for place, count in room.items():
            for _ in range(count):
                where[cards.pop()] = place
        return World(self.hold(state), [])

    def place_known(self, cards: list[int], where: bytearray, room: dict[int, int]) -> None:
        """Own cards on the pile, and those that were seen to go into a hand."""
        own = cals_bs_facts.SET if self.last == self.seen.seat else cals_bs_facts.PILE
        loose = set(cards)
        for card in self.memory.piled:
            place = own if room[own] else cals_bs_facts.PILE
            if card in loose and room.get(place):
                where[card] = place
                room[place] -= 1
                loose.remove(card)
        for card, seat in self.memory.held.items():
            place = HAND + seat
            if card in loose and room.get(place):
                where[card] = place
                room[place] -= 1
                loose.remove(card)
        if len(loose) < len(cards):
            cards[:] = [card for card in cards if card in loose]

    def place_set(self, cards: list[int], where: bytearray, room: dict[int, int], draw: Random) -> None:
        """The last set is false as often as the odds have it."""
        is_false = draw.below(1000) < 1000 * self.lie
        wanted = JOKER if self.claim == cals_bs_facts.A_JOKER else self.claim
        fitting = [card for card in cards if RANK[card] in (wanted, JOKER)]
        others = [card for card in cards if RANK[card] not in (wanted, JOKER)]
        source = others if is_false and len(others) >= self.laid else fitting
        for card in source[: room[cals_bs_facts.SET]]:
            where[card] = cals_bs_facts.SET
            room[cals_bs_facts.SET] -= 1
            cards.remove(card)

    def enact_plan(self, world: World, cards: tuple[int, ...], word: int) -> None:
        """The seat lays these cards and says the word."""
        where = world.state.where
        staged, hand = cals_bs_facts.STAGED + self.seen.seat, HAND + self.seen.seat
        move_all(where, staged, hand)
        for card in cards:
            where[card] = staged
        cals_bs.recount(world.state)
        self.enact(world, word)

    def play_out(self, world: World, draw: Random) -> bool:
        return play_cals_bs_out(world.state, draw, self.opened)


_WORLDS = {
    "durak": (DurakWorlds, lambda: DurakMemory(durak)),
    "bailiff": (BailiffWorlds, lambda: Memory(bailiff)),
    "cals-bs": (CalsBsWorlds, CalsBsMemory),
    "malice": (MaliceWorlds, lambda: None),
}


def can_guess(game: Any) -> bool:
    """Whether guesses can be made of this game's hidden cards."""
    return game.NAME in _WORLDS


def make_memory(game: Any) -> Any:
    """What a seat of that game remembers; kept from question to question."""
    return _WORLDS[game.NAME][1]()


def make_worlds(seen: Seen, memory: Any, solves: bool = False) -> Any:
    """The guesses for this question. solves: play perfectly where that can be reckoned, in Malice by weighed advice
    (the best move); else everybody plays simply to the end (the chance among people)."""
    worlds = _WORLDS[seen.game.NAME][0](seen, memory)
    worlds.solves = solves
    return worlds


def scorer_of(game: Any) -> Any:
    """What plays worlds of that game out and scores them, without a seat that asks."""
    kind: Any = _WORLDS[game.NAME][0]
    scorer = kind.__new__(kind)
    scorer.game = game
    return scorer
