"""Durak for two while at most one card of the stock is hidden: plays are worth what trying everything finds."""

import contextlib

import pytest

from cardtable.engine.event import Event, unpack
from cardtable.engine.session import Session
from cardtable.engine.state import HAND, OUTCOME, State
from cardtable.games import durak
from host_tools.base.random_play import Random, make_header
from host_tools.lab.bench import exact_answers, reliability, strength
from host_tools.minds.analysis import judge
from host_tools.minds.analysis.last_cards import Perfect, TooLong, list_best
from host_tools.minds.players.exact import list_turn
from host_tools.minds.thinking.durak_playout import draw_card

DEALS = 12


def deal(line, seed, stock):
    """A table of few cards before a lead: hands of one and two, and that many hidden cards above the turned one."""
    state = Session(durak, make_header(line, 2)).state
    draw = Random(seed)
    cards = [card for card in range(durak.CARDS) if state.where[card]]
    draw.shuffle(cards)
    for card in cards:
        state.where[card] = durak._DISCARD
    state.where[cards[0]] = durak._TURNED
    state.register[durak._TRUMP] = cards[0] // 13
    state.register[durak._HAND_SIZE] = durak._HAND_SIZES.index(2)
    hidden = cards[1 : 1 + stock]
    for card in hidden:
        state.where[card] = 1
    first = 1 + stock
    for seat, size in ((1, 2), (2, 2)):
        for card in cards[first : first + size]:
            state.where[card] = HAND + seat
        first += size
    durak.recount(state)
    durak.start_bout(state, 1 + draw.below(2))
    return state, hidden


def brute(state, stock, is_passed=False):
    """What it brings seat 1, by the engine alone."""
    register = state.register
    if register[OUTCOME]:
        return 0 if register[OUTCOME] == 3 else -1 if register[durak._FOOL] == 1 else 1
    if register[durak._PHASE] == durak._DRAWING:
        after, rest = copied(state), list(stock)
        draw_card(after, rest)
        return brute(after, rest)
    seat, moves = list_turn(state, is_passed)
    values = []
    for move in moves:
        if not move:  # it adds nothing
            values.append(brute(state, stock, True))
            continue
        after = copied(state)
        durak.enact(after, unpack(move, seat, 0, Event()))
        values.append(brute(after, stock))
    return max(values) if seat == 1 else min(values)


def copied(state):
    copy = State(durak.CARDS, durak.REGISTERS)
    copy.copy(state)
    return copy


@pytest.mark.parametrize("hidden", [0, 1])
def test_before_the_last_draw_each_lead_is_worth_what_trying_everything_finds(hidden):
    for seed in range(DEALS):
        state, stock = deal("durak", seed, hidden)
        seat, moves = list_turn(state, False)
        perfect = Perfect(4_000_000, state)
        for move in moves:
            after = copied(state)
            durak.enact(after, unpack(move, seat, 0, Event()))
            assert perfect.after(state, stock, seat, move) == brute(after, stock), (seed, move)


def test_where_the_limit_is_small_nothing_is_said():
    state, stock = deal("durak", 1, 1)
    with pytest.raises(TooLong):
        Perfect(100, state).value(state, stock, False)


def test_a_play_is_the_best_only_if_none_is_better_in_any_deal():
    assert list_best({1: [1, -1], 2: [0, -1], 3: [1, -1]}) == [1, 3]
    assert list_best({1: [1, -1], 2: [-1, 1]}) == []


def test_one_hidden_card_from_the_end_no_best_play_is_scolded_and_no_sure_blunder_missed(monkeypatch):
    """Games of beginners. Guesses alone scold best plays of these and miss blunders. Compiled or from source, as many
    positions may be looked at: what the analysis itself takes from source is too few for most of them."""
    tasks = [reliability.Task("durak", 2, ("beginner",), seed, 12) for seed in (61009, 61010, 61020)]
    monkeypatch.setattr(judge, "LAST_NODES", 200_000)
    monkeypatch.setattr(exact_answers, "LONGEST", 200_000 // 4)  # as much as the analysis may look at
    every = [one for task in tasks for where, one in exact_answers.plant_exact(task) if where == exact_answers.HIDDEN]
    assert sum(one.is_blunder for one in every) >= 4 and len(every) >= 8
    assert all((one.kind != "") == one.is_blunder for one in every)


def test_exact_blunders_are_told_in_rows_and_refused_for_other_games(capsys):
    with contextlib.suppress(SystemExit):
        strength.main(["blunders", "--exact", "--games", "2", "--decisions", "2", "--jobs", "1"])
    rows = capsys.readouterr().out.splitlines()
    assert [row.split(" | ")[0] for row in rows[-4:]] == [f"| {place}" for place in exact_answers.PLACES]
