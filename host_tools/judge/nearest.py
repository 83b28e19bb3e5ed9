"""Tells the nearest act that stands, beside a refusal: beat 7♥ with a higher heart or a spade.

Told from public facts and the seat's own hand alone (T11, D43): what is asked of the state here everybody at the table
can see, and tests change all else in it. A game without sentences of its own is told by whom the table waits for, and
by one of its moves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from cardtable.engine.deck import ACE, JOKER, RANK, SUIT
from cardtable.engine.event import NO_CARD, Event, find_verb, unpack
from cardtable.engine.state import CLOCKS, OUTCOME, PAUSED, SEATS, STOCK
from cardtable.games import bailiff, cals_bs, durak, malice
from host_tools.judge.facts import bailiff as bailiff_facts
from host_tools.judge.facts import cals_bs as cals_bs_facts
from host_tools.judge.facts import durak as durak_facts
from host_tools.judge.facts import malice as malice_facts
from host_tools.judge.sentences import Sentences


@dataclass(frozen=True)
class Asked:
    """A seat that the table waits for: for what, what it holds, and the rule under which it was refused."""

    state: Any
    seat: int
    wait: int
    hand: list[int]
    words: Sentences
    now_ms: int
    rule: str


def tell_nearest(
    game: Any, state: Any, seat: int, hand: Collection[int], words: Sentences, now_ms: int, tapped: int = NO_CARD,
    rule: str = "",
) -> str:
    """What the seat could do now instead, in one sentence; empty: the house gives no hints, or the game is over.

    hand: the cards that it holds; of a counted deal the state does not know them. words: of this game and its seats.
    tapped: the card that was refused; a seat that is asked is reminded of it, if it holds it or sees where it lies.
    rule: under which it was refused.
    """
    register = state.register
    if register[CLOCKS] == 1 or register[OUTCOME] or register[PAUSED]:
        return ""
    waits = bytearray(8)
    game.waiting(state, waits)
    if not waits[seat]:
        return _tell_wait(game, state, seat, waits, words)
    own = _OF_GAME.get(game.NAME)
    told = own(Asked(state, seat, waits[seat], sorted(hand), words, now_ms, rule)) if own is not None else ""
    told = told or _tell_a_move(game, state, seat, hand, words)
    if told and tapped != NO_CARD and _can_tap(game, state, seat, hand, tapped):
        return words.near("tapped", card=words.card(tapped), rest=told)
    return told


def _can_tap(game: Any, state: Any, seat: int, hand: Collection[int], card: int) -> bool:
    """Whether the seat holds the card or sees where it lies; what the deck does not have is neither."""
    return card in hand or card < len(state.where) and bool(game.view(state, seat)[card] > STOCK)


def _tell_wait(game: Any, state: Any, seat: int, waits: bytearray, words: Sentences) -> str:
    """For whom it waits: "Wait for Anna and Boris to throw in or say done"."""
    asked = [other for other in range(1, state.register[SEATS] + 1) if waits[other] and waits[other] == waits[0]]
    asked = asked or [other for other in range(1, state.register[SEATS] + 1) if waits[other]]
    if not asked:
        return ""
    told = words.near(f"{game.NAME}.wait{waits[asked[0]]}", seat=words.seats(asked)) or words.near(
        "wait", seat=words.seats(asked))
    if game is durak and durak_facts.has_beaten_all(state, seat):
        return words.near("durak.beaten", rest=told)
    return told


def _tell_a_move(game: Any, state: Any, seat: int, hand: Collection[int], words: Sentences) -> str:
    """One of the moves of a game that has no sentences here; none where what a tap offers must not depend on fit."""
    if game.offers_blindly(state):
        return ""
    found: list[int] = []
    game.moves(state, seat, 0, found)
    by_chance = set(game.CHANCE.values())
    for packed in found:
        event = unpack(packed, seat, 0, Event())
        if event.verb not in by_chance and (event.card == NO_CARD or _can_tap(game, state, seat, hand, event.card)):
            return words.near("move", move=words.move(event.verb, event.card, event.target, state, seat))
    return ""


# --- Durak ------------------------------------------------------------------------------------------------------------


def _tell_durak(asked: Asked) -> str:
    state, wait, hand, words = asked.state, asked.wait, asked.hand, asked.words
    if wait in (durak.WAIT_BEAT, durak.WAIT_BEAT_OR_TRANSFER, durak.WAIT_BEAT_TRANSFER_OR_SHOW):
        return _tell_beat(state, hand, words)
    if wait in (durak.WAIT_THROW, durak.WAIT_THROW_MORE, durak.WAIT_ADD):
        ranks = durak_facts.ranks_to_add(state, wait)
        signs = words.signs(ranks)
        if any(RANK[card] in ranks for card in hand):
            return words.near("durak.add" if wait == durak.WAIT_ADD else "durak.throw", rank=signs)
        return words.near("durak.add.none" if wait == durak.WAIT_ADD else "durak.throw.none", rank=signs)
    return words.near(f"durak.ask{wait}")


def _tell_beat(state: Any, hand: list[int], words: Sentences) -> str:
    """The first card that the hand can beat, else the first that is not beaten, and what beats it: D7 to D11."""
    register = state.register
    open_cards = [register[durak_facts.LIES + slot] for slot in range(register[durak_facts.ATTACKS])]
    open_cards = [card for card in open_cards if durak.is_unbeaten(state, card)]
    for target in open_cards:
        if any(not durak.judge_fit(state, card, target) for card in hand):
            return words.near("durak.beat", card=words.card(target), beat=_what_beats(state, target, words))
    is_late = len(open_cards) < register[durak_facts.ATTACKS]  # D31: then it is the last card's rank
    rank = RANK[register[durak_facts.LIES + (register[durak_facts.ATTACKS] - 1 if is_late else 0)]]
    passes = register[durak_facts.TRANSFER_ALLOWED] and durak.is_transfer_open(state)
    if passes and any(RANK[card] == rank for card in hand):
        return words.near("durak.transfer", rank=words.signs([rank]))
    return words.near("durak.beat.none", card=words.card(open_cards[0]))


def _what_beats(state: Any, target: int, words: Sentences) -> str:
    """ "a higher heart or a spade": what beats that card, whoever holds it; asked of the rule, card by card."""
    suit = SUIT[target]
    fits = [card for card in range(durak.CARDS) if not durak.judge_fit(state, card, target)]
    highest = max((durak.power(state, card) for card in range(durak.CARDS) if SUIT[card] == suit), default=ACE)
    said = []
    if suit < len("SHDC") and durak.power(state, target) < highest:
        said.append(words.near(f"higher.{'SHDC'[suit]}"))
    trump = state.register[durak_facts.TRUMP]
    if trump != suit and any(SUIT[card] == trump for card in fits):
        said.append(words.near(f"any.{'SHDC'[trump]}"))
    jokers = [card for card in range(durak.CARDS) if RANK[card] == JOKER and state.where[card]]
    beating = [card for card in jokers if card in fits]
    if beating:  # of two, one may beat only its own colour (D1)
        said.append(words.near("any.X") if beating == jokers else words.card(beating[0]))
    return words.either(said)



# --- Bailiff ----------------------------------------------------------------------------------------------------------


def _tell_bailiff(asked: Asked) -> str:
    wait, hand, words = asked.wait, asked.hand, asked.words
    register = asked.state.register
    if wait == bailiff.WAIT_ANSWER:
        low = register[bailiff_facts.FRONT_RANK] - 1
        kind = "answer" if any(RANK[card] >= low for card in hand) else "answer.none"
        return words.near(f"bailiff.{kind}", rank=words.signs([low]))
    if wait in (bailiff.WAIT_RAISE, bailiff.WAIT_MORE):
        of = bailiff_facts.BEGUN_RANK if wait == bailiff.WAIT_RAISE else bailiff_facts.FRONT_RANK
        rank = register[of] - 1
        kind = "raise" if wait == bailiff.WAIT_RAISE else "more"
        none = "" if any(RANK[card] == rank for card in hand) else ".none"
        return words.near(f"bailiff.{kind}{none}", rank=words.signs([rank]))
    return words.near(f"bailiff.ask{wait}")


# --- Cal's BS ---------------------------------------------------------------------------------------------------------


def _tell_cals_bs(asked: Asked) -> str:
    state, wait, words = asked.state, asked.wait, asked.words
    register = state.register
    barred = "-CALL" if cals_bs.judge_doubt(state, asked.seat, asked.now_ms) else ""  # C11, C14: all public
    ranks: list[int] = []
    cals_bs.choices(state, register[cals_bs_facts.LEADER], find_verb(cals_bs, "claim"), ranks)
    said = words.either([words.rank(rank) for rank in ranks])
    is_on_fours = register[cals_bs_facts.CLAIM] > ACE
    act = words.near("cals-bs.plus") if is_on_fours else words.near("cals-bs.claim", rank=said)
    if wait == cals_bs.WAIT_DOUBT:
        return words.near(f"cals-bs.doubt{barred}", seat=words.seat(cals_bs.next_to_answer(state)))
    if wait == cals_bs.WAIT_LEAD and len(ranks) == 1:
        return words.near("cals-bs.lead", rank=said)
    if wait in (cals_bs.WAIT_LAY, cals_bs.WAIT_BELIEVE):
        return words.near(f"cals-bs.{'lay' if wait == cals_bs.WAIT_LAY else 'believe'}{barred}", move=act)
    if wait in (cals_bs.WAIT_ANSWER, cals_bs.WAIT_PLUS, cals_bs.WAIT_ASKED, cals_bs.WAIT_ANY):
        return words.near("cals-bs.pass" if _are_several_fours(state) else f"cals-bs.answer{barred}", move=act)
    return words.near(f"cals-bs.ask{wait}")


def _are_several_fours(state: Any) -> bool:
    """C13b: whether no plus goes on the fours that lie, for nobody could say above which. How many lie, all see."""
    register = state.register
    is_whole = register[cals_bs_facts.CLAIM] == cals_bs_facts.FOURS and cals_bs.plus_limit(state) > 1
    return is_whole and register[cals_bs_facts.LAST_SET] > cals_bs.count_of_a_kind(state)


# --- Malice -----------------------------------------------------------------------------------------------------------


def _tell_malice(asked: Asked) -> str:
    """Which ranks the centre takes now, and which the side piles of the seat whose turn it is: M5, M9, M10, M13. Where
    an ace has to go first (M8) the centre alone; that a hidden one has to, only a refusal says (M17)."""
    if asked.wait != malice.WAIT_PLAY:
        return ""
    state, words, seat = asked.state, asked.words, asked.seat
    register, piles = state.register, range(1, malice_facts.PILES + 1)
    lowest_first = sorted(range(malice.CARDS), key=lambda card: (RANK[card] == JOKER, malice_facts.HEIGHT[card]))
    cards = [card for card in lowest_first if state.where[card]]

    def follows(card: int) -> bool:
        """Whether it goes on any centre pile."""
        return any(not malice.judge_follow(register, card, register[malice_facts.HEIGHTS + pile]) for pile in piles)

    def ranks(fits: Callable[[int], bool]) -> list[int]:
        return list(dict.fromkeys(RANK[card] for card in cards if fits(card)))

    turned = state.where.find(malice_facts.TURNED + seat)
    face_up = {turned, *(malice.side_top(state, seat, pile) for pile in piles)}
    centre = words.signs(ranks(follows))
    if register[malice_facts.SPENT]:  # M6: nothing goes there any more but the payoff card
        face_up = {turned}
        centre = words.card(turned) if turned >= 0 and follows(turned) else ""
    has_ace = any(card in face_up and RANK[card] == ACE for card in cards)
    if asked.rule == "M8" or has_ace and not all(register[malice_facts.HEIGHTS + pile] for pile in piles):
        return words.near("malice.centre", rank=centre)
    side = ranks(lambda card: any(not malice.judge_fit(state, seat, card, pile) for pile in piles))
    rest = words.near("any") if len(side) == len({RANK[card] for card in cards}) else words.signs(side)
    return words.near("malice.play" if centre else "malice.side", rank=centre, rest=rest)


_OF_GAME = {"durak": _tell_durak, "bailiff": _tell_bailiff, "cals-bs": _tell_cals_bs, "malice": _tell_malice}
