"""The tree that the search grows in Bailiff: it finds the plays that win open ends, and leaves every state sound."""

import functools

from cardtable.engine.event import Event, pack, unpack
from cardtable.engine.session import Session
from cardtable.engine.state import HAND, OUTCOME, State
from cardtable.games import bailiff
from host_tools.minds.players import tree
from host_tools.minds.players.search import leave_out_vain, list_moves
from host_tools.sight.seen import look
from host_tools.minds.players.tree import Place, grow, list_plays, walk
from host_tools.minds.players.worlds import World, make_worlds, scorer_of
from host_tools.base.random_play import Random, make_header
from tests.host_tools.players.test_memory import questions


def end_of(hands, line="bailiff move_limit=8"):
    """Seat 1 leads, the stock is gone, and each hand holds those cards."""
    state = Session(bailiff, make_header(line, 2)).state
    for card in range(bailiff.CARDS):
        if state.where[card]:
            state.where[card] = bailiff._DISCARD
    for seat, cards in enumerate(hands, 1):
        for card in cards:
            state.where[card] = HAND + seat
    state.register[bailiff._PHASE], state.register[bailiff._TURN] = bailiff._PLAYING, 1
    bailiff.recount(state)
    return state


def copy_of(state):
    """The same state once more."""
    made = State(bailiff.CARDS, bailiff.REGISTERS)
    made.copy(state)
    return made


def after(state, move):
    """The state behind a move of the seat whose turn it is."""
    made = copy_of(state)
    bailiff.enact(made, unpack(move, state.register[bailiff._TURN], 0, Event()))
    return made


def is_won(state, seat):
    """Whether the seat wins this open end, by brute force."""

    @functools.cache
    def winner(key):
        here = State(bailiff.CARDS, bailiff.REGISTERS)
        here.load(key)
        if here.register[OUTCOME]:
            return 3 - here.register[bailiff._LOSER]
        turn = here.register[bailiff._TURN]
        found = (winner(after(here, move).save()) for move in list_plays(here).values())
        return turn if any(one == turn for one in found) else 3 - turn

    return winner(state.save()) == seat


class OpenEnd:
    """Guesses that hide nothing: each is the same end."""

    def __init__(self, state):
        self.state, self.event, self.scorer = state, Event(), scorer_of(bailiff)

    def deal(self, draw):
        return World(copy_of(self.state), [])

    def play_out(self, world, draw):
        return self.scorer.play_out(world, draw)

    def score(self, world, is_over, seat):
        return self.scorer.score(world, is_over, seat)


def test_b12_the_tree_finds_the_lead_that_wins_an_open_end():
    """B12: of random ends of four cards against four in which some leads win and some lose."""
    ends = found = 0
    draw = Random(3)
    cards = [card for card, place in enumerate(Session(bailiff, make_header("bailiff", 2)).state.where) if place]
    while ends < 30:
        draw.shuffle(cards)
        state = end_of((cards[:4], cards[4:8]))
        leads = list(list_plays(state).values())
        wins = [move for move in leads if is_won(after(state, move), 1)]
        if not wins or len(wins) == len(leads):
            continue
        grown = grow(OpenEnd(state), leads, ends, 400)
        ends += 1
        found += max(grown, key=lambda move: grown[move].visits) in wins
    assert found >= 28, f"{found} of {ends}"


def test_t1_every_line_of_the_tree_is_played_by_the_rules():
    """T1: each play is one that the engine accepts, and what it leads to audits clean."""
    lines = 0
    draw = Random(4)
    for match, seen, memory in questions("bailiff", 12):
        worlds = make_worlds(seen, memory)
        moves = leave_out_vain(seen, list_moves(seen))
        root, first = Place(), tree.by_rank(moves)
        for _ in range(20 if moves else 0):
            world = worlds.deal(draw)
            path = walk(root, first, world.state, world.stock, worlds.event)
            assert match.game.audit(world.state) == 0
            for place, _ in path:
                place.visits += 1
            turn, every = world.state.register[bailiff._TURN], []
            bailiff.moves(world.state, turn, 0, every)
            if not world.state.register[OUTCOME]:
                assert set(list_plays(world.state).values()) <= set(every)
            lines += 1
    assert lines > 500, lines


def test_b5_a_guess_takes_a_raise_back_that_cannot_be_finished():
    """B5: two cards are laid on a front of three, and the hand has no third; the guess ends all the same."""
    six, seven = 4, 5
    front = [six, six + 13, six + 26]
    state = end_of(((seven, seven + 13, 10), (11, 24)), "bailiff move_limit=20")
    for card in front:
        state.where[card] = bailiff._FRONT
    for card in (seven, seven + 13):
        state.where[card] = bailiff._RAISE
    bailiff.recount(state)
    world = World(state, [])
    assert list(list_plays(state).values()) == [pack(tree._UNLAY, seven)]
    assert scorer_of(bailiff).play_out(world, Random(1)) and state.register[OUTCOME]


def test_b5_the_search_weighs_whole_raises_and_one_card_of_each_rank():
    """B5, B8: on three sixes two sevens are no raise; three tens and an ace are, each weighed once. A begun raise is
    finished."""
    session = Session(bailiff, make_header("bailiff", 2))
    session.state.copy(end_of(((5, 18, 8, 21, 34, 12), (11, 24))))
    for card in (4, 17, 30):
        session.state.where[card] = bailiff._FRONT
    bailiff.recount(session.state)
    assert kept_moves(session) == {pack(tree._LAY, 8), pack(tree._LAY, 12), pack(tree._TAKE)}
    session.state.copy(after(session.state, pack(tree._LAY, 21)))
    assert kept_moves(session) == {pack(tree._LAY, 8)}


def kept_moves(session):
    """What the search weighs for seat 1."""
    seen = look(session, 1, 0)
    return set(leave_out_vain(seen, list_moves(seen)))
