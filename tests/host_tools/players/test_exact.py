"""The solver of Durak's end agrees with brute force through the engine, on random small ends.

CARDTABLE_GAMES=1000 compares a thousand of each kind.
"""

import os

import pytest

from cardtable.engine.deck import SUIT
from cardtable.engine.event import Event, unpack
from cardtable.engine.state import HAND, OUTCOME, State
from cardtable.games import durak
from host_tools.minds.players import exact
from host_tools.minds.players.exact import _DONE, End, OpenEnd, is_end, solve
from host_tools.minds.thinking import durak_end
from host_tools.base.random_play import Random, make_header
from cardtable.engine.session import Session

ENDS = int(os.getenv("CARDTABLE_GAMES") or 60)  # of each line
LINES = (
    "durak", "durak transfer first_transfer=yes", "durak transfer trump_blocks_transfer=no deck=52",
    "durak japanese-spades", "durak deck=54 late_limit=hand", "durak transfer deck=54 jokers=colour",
    "durak first_bout=6", "durak simple", "durak simple lead=any deck=54",
)  # fmt: skip


def deal_end(line, draw, most):
    """A random end of that game: two hands of 1 to `most` cards, a few moves into a bout; None where it is over."""
    session = Session(durak, make_header(line, 2 + draw.below(2)))
    state, register = session.state, session.state.register
    cards = [card for card in range(durak.CARDS) if state.where[card]]
    draw.shuffle(cards)
    for card in cards:
        state.where[card] = durak._DISCARD
    for seat in (1, 2):
        for _ in range(1 + draw.below(most)):
            state.where[cards.pop()] = HAND + seat
    register[durak._TRUMP] = draw.below(5) if "spades" not in line else 9
    if register[durak._TRUMP] == 4:
        register[durak._TRUMP] = 9
    durak.recount(state)
    register[durak._FIRST_BOUT] = draw.below(2)
    durak.start_bout(state, 1 + draw.below(2))
    for _ in range(draw.below(5)):
        seat, moves = list_turn(state)
        if not moves:
            return None
        state = after(state, seat, moves[draw.below(len(moves))])
    return None if register[OUTCOME] else state


def list_turn(state):
    """Who acts, and its moves: the attacker until it says done, or in `simple` waits, then the defender."""
    register = state.register
    moves = []
    if register[OUTCOME]:
        return 0, moves
    attacker, defender = register[durak._ATTACKER], register[durak._DEFENDER]
    answers = (
        register[durak._UNBEATEN]
        and not register[durak._TAKEN]
        and (register[durak._SAID_DONE] >> attacker & 1 or not register[durak._HELD + attacker])
    )
    is_simple = register[durak.PRESET] == durak._SIMPLE
    if is_simple and register[durak._ATTACKS]:
        answers = register[durak._ACTED] or not register[durak._HELD + attacker]
    seat = defender if answers else attacker
    durak.moves(state, seat, 0, moves)
    if seat == attacker and register[durak._ATTACKS] and (is_simple or not moves):
        moves.append(_DONE << 16 | 254 << 8)
    return seat, moves


def brute(start):
    """The value for seat 1 of each state that can follow, by its bytes: all are listed, then solved from the ends.

    What never comes to an end is a draw.
    """
    following, queue, values = {}, [start], {}
    while queue:
        state = queue.pop()
        key = state.save()
        if key in following or key in values:
            continue
        if state.register[OUTCOME]:
            fool = state.register[durak._FOOL]
            values[key] = 0 if state.register[OUTCOME] == 3 else -1 if fool == 1 else 1
            continue
        seat, moves = list_turn(state)
        children = [after(state, seat, packed) for packed in moves]
        following[key] = seat, [child.save() for child in children]
        queue += children
    is_changed = True
    while is_changed:
        is_changed = False
        for key, (seat, children) in following.items():
            sign = 1 if seat == 1 else -1
            found = [sign * values[child] for child in children if child in values]
            if key not in values and (1 in found or len(found) == len(children)):
                values[key] = sign * max(found)
                is_changed = True
    return {key: values.get(key, 0) for key in (*following, *values)}


def after(state, seat, packed):
    """The state after that move."""
    copy = State(durak.CARDS, durak.REGISTERS)
    copy.copy(state)
    if packed >> 16 == _DONE and state.register[durak.PRESET] == durak._SIMPLE:
        copy.register[durak._ACTED] = 1  # D13: it adds nothing, and the lead is closed
    else:
        durak.enact(copy, unpack(packed, seat, 0, Event()))
    return copy


def compare(line, seed, most):
    """One random end: whether it was one, every move compared."""
    state = deal_end(line, Random(seed), most)
    if state is None or not is_end(state):
        return False
    seat, moves = list_turn(state)
    sign = 1 if seat == 1 else -1
    values = brute(state)
    expected = {packed: sign * values[after(state, seat, packed).save()] for packed in moves}
    assert solve(state, seat, moves) == expected, (line, seed)
    end = OpenEnd(1_000_000)
    while is_end(state):  # down one line of the end, with one table for all of it
        attacks = 1 if state.register[durak._ATTACKER] == 1 else -1
        assert end.value(state) == attacks * values[state.save()], (line, seed)
        seat, moves = list_turn(state)
        sign = 1 if seat == 1 else -1
        found = {packed: sign * values[after(state, seat, packed).save()] for packed in moves}
        assert end.solve(state, seat, moves) == found, (line, seed)
        state = after(state, seat, moves[-1])
        if state.save() not in values or end.left < 900_000:
            break
    return True


@pytest.mark.parametrize("line", LINES)
def test_d7_d39_the_solver_agrees_with_brute_force(line):
    """D7 to D40: every move of every end has the value that trying everything finds."""
    compared = seed = 0
    while compared < ENDS:
        seed += 1
        compared += compare(line, seed, 3 if "transfer" in line else 4)


def test_ends_that_can_go_round_take_few_positions():
    """Six cards against six with transfers: yes or no is asked. To look for the best of win, draw and loss took seven
    times as many positions in these four (1,310,000)."""
    draw, left, solved = Random(5), 300_000, 0
    while solved < 4:
        state = deal_end("durak transfer", draw, 6)
        if state is None or state.register[durak._ATTACKS] or len(End(state).cards) != 12:
            continue
        end = OpenEnd(4 * left)  # of which one question gets a quarter
        assert end.value(state) is not None, solved
        left -= 4 * left - end.left
        solved += 1


def test_an_end_too_large_is_left_alone():
    draw = Random(3)
    state = None
    while (
        state is None
        or state.register[durak._ATTACKS]
        or min(bin(hand).count("1") for hand in End(state).hands.values()) < 5
    ):
        state = deal_end("durak", draw, 6)
    seat, moves = list_turn(state)
    assert solve(state, seat, moves, 3) is None and solve(state, seat, moves) is not None


def test_an_end_too_large_leaves_positions_for_the_smaller_ones():
    """One question gets a quarter of the limit."""
    end = OpenEnd(40)
    draw = Random(3)
    states = [state for state in (deal_end("durak", draw, 6) for _ in range(60)) if state and is_end(state)]
    large = max(states, key=lambda state: len(End(state).cards) if OpenEnd(40).value(state) is None else 0)
    assert end.value(large) is None and 25 <= end.left <= 30


@pytest.mark.parametrize("seed", [283, 54])
def test_d26_a_lead_that_may_be_handed_back_is_not_taken_for_a_safe_one(seed):
    """Ends where a card more bars the transfer, so that the attacker can't wait; and where a lead that nothing beats
    comes back."""
    assert compare("durak transfer first_transfer=yes", seed, 4)


def test_two_jokers_are_not_folded():
    """They have one suit and one rank between them, so a folded name could not tell who holds them."""
    fits = bytes(2 * 32)
    assert durak_end.can_fold(fits, bytes([3, 3]), bytes([0, 0])) == 0
    assert durak_end.can_fold(bytes([0, 1, *bytes(62)]), bytes([0, 0]), bytes([0, 1])) == 1


def test_a_position_that_takes_anothers_place_takes_nothing_that_was_known_of_it():
    """In a pair of places the one with more cards stays, and what was tried of the other is forgotten."""
    end = End(next(one for one in (deal_end("durak", Random(3), 4) for _ in range(50)) if one and is_end(one)))
    end.load()
    first, *others = [name for name in range(1, 60_000) if durak_end.find_pair(name) == durak_end.find_pair(1)][:3]
    large, small = durak_end.take_place(first, 9), durak_end.take_place(others[0], 5)
    assert large != small and durak_end.find_place(first) == large and durak_end.find_place(others[0]) == small
    for at in (large, small):
        durak_end._KNOWN[at + 7] |= 1 << 4
        durak_end._KNOWN[at + 8:at + 10] = bytes([6, 6])
    assert durak_end.take_place(others[1], 5) == small and durak_end.find_place(others[0]) == -1
    assert durak_end._KNOWN[small + 7] >> 4 == 0 and durak_end._KNOWN[small + 8:small + 10] == bytes(2)
    assert durak_end._KNOWN[large + 7] >> 4 == 1 and durak_end.find_place(first) == large


def test_ends_that_are_alike_but_for_names_are_worth_the_same():
    """Folded, so that one stands for all, or each on its own: the same answer, of fewer positions; and with its plain
    suits exchanged, too. The table of what is known has grown by then."""
    draw, looked = Random(11), [0, 0]
    dealt = (deal_end("durak", draw, 8) for _ in range(400))
    large = [state for state in dealt if state and is_end(state) and not state.register[durak._ATTACKS]
             and state.register[durak._TRUMP] < 4 and min(map(int.bit_count, End(state).hands.values())) > 5]
    for state in large[:8]:
        values = []
        for folds in (1, 0):
            end = End(state)
            end.load()
            assert durak_end._FOLDS[0] == 1
            durak_end._FOLDS[0] = folds
            durak_end.allow(4_000_000, 250)
            values.append(end.value())
            looked[folds] += durak_end.count_nodes()
        first, second = [suit for suit in range(4) if suit != state.register[durak._TRUMP]][:2]
        turned = State(durak.CARDS, durak.REGISTERS)
        turned.copy(state)
        for card in range(52):
            if SUIT[card] in (first, second):
                turned.where[card + 13 * (first + second - 2 * SUIT[card])] = state.where[card]
        assert [exact.value_of_opening(turned, 4_000_000)] * 2 == values and exact.UNKNOWN not in values
    assert len(large) >= 8 and 2000 < looked[1] < looked[0]


def test_an_option_that_nobody_has_looked_at_is_not_solved(monkeypatch):
    """exact.OPTIONS lists the options whose rules are played here, or refused: add a new one to it, with its rule."""
    assert exact.UNKNOWN_OPTIONS == []
    draw = Random(7)
    state = next(one for one in (deal_end("durak", draw, 3) for _ in range(50)) if one and is_end(one))
    monkeypatch.setattr(exact, "UNKNOWN_OPTIONS", ["kind_take"])
    assert not is_end(state)


def test_d40_where_two_empty_hands_are_no_draw_nothing_is_called_exact():
    """The last defender is the fool then; the search knows draws alone."""
    usual, other = (deal_end(line, Random(3), 3) for line in ("durak", "durak draws=no"))
    assert usual and other and is_end(usual) and not is_end(other)
