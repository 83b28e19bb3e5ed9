"""What a seat remembers is right: every card that it believes to know lies there, in games of any mix."""

from types import SimpleNamespace

import pytest

from cardtable.engine.event import AGREE, OWN_VERB, UNDO, find_verb
from cardtable.engine.state import HAND
from cardtable.games import bailiff, cals_bs, durak
from host_tools.judge.facts import cals_bs as cals_bs_facts
from host_tools.judge.facts import durak as durak_facts
from host_tools.minds.players import find_player
from host_tools.minds.players.cals_bs_memory import CalsBsMemory
from host_tools.sight.seen import Heard
from host_tools.minds.players.cals_bs_plans import list_plans
from host_tools.minds.players.memory import DurakMemory, Memory
from host_tools.judge.facts.cals_bs import CalsBsTable
from host_tools.minds.players.search import list_moves
from host_tools.minds.players.worlds import can_guess, make_memory, make_worlds
from host_tools.base.random_play import Random
from tests.host_tools.players.games import BEGINNER, GAMES, RANDOM, mixed_match, plain_match

GUESSED = [name for name, game in GAMES.items() if can_guess(game)]  # a new game plays without guesses


@pytest.mark.parametrize(
    ("name", "make"), [("durak", lambda: DurakMemory(durak)), ("bailiff", lambda: Memory(bailiff))]
)
def test_d48_what_is_remembered_is_where_the_cards_are(name, make):
    """Takes and the discard; every known card lies where it is believed to, and the log is never lost."""
    known = 0
    for seed in range(6):
        match = mixed_match(GAMES[name], seed, (BEGINNER,), 400)
        memories = [make() for _ in range(8)]
        while match.step():
            if match.session.is_over() or match.is_chance_due():
                continue
            for seat in range(1, match.seats + 1):
                memories[seat].recall(match.see(seat, 0))
                assert not memories[seat].is_lost
                for card, holder in memories[seat].known.items():
                    place = match.session.state.where[card]
                    assert place == (HAND + holder if holder else 2) or card in match.unseen[holder]
                    known += 1
    assert known > 3000


@pytest.mark.parametrize(("line", "verb", "seeds"), [
    ("durak start=six hand=10", "swap", (1, 5)), ("durak start=redeal hand=4 deck=24", "redeal", (12, 33))])
def test_d49_d50_what_comes_before_the_first_attack_is_followed(line, verb, seeds):
    """D49, D50: here it is asked who begins, as in a counted game; from then on the whole game was forgotten."""
    for seed in seeds:
        match, memory, known, was_early = plain_match(line, [RANDOM] * 2, seed, 300), DurakMemory(durak), 0, False
        while match.step() and not match.session.is_over():
            is_first = match.kept.register[durak_facts.FIRST_BOUT] > 0
            was_early = was_early or is_first and match.event.verb == find_verb(durak, verb)
            if match.is_chance_due():
                continue
            memory.recall(match.see(1, 0))
            assert not memory.is_lost
            for card, holder in memory.known.items():
                assert match.session.state.where[card] == (HAND + holder if holder else durak_facts.DISCARD)
                known += 1
        assert was_early and known > 20


@pytest.mark.parametrize("line", ["durak round=yes", "durak"])
def test_d42_where_hands_move_on_no_bout_says_what_a_seat_lacks_in_the_next_one(line):
    kept = 0
    for seed in range(6):
        match = plain_match(line, [BEGINNER] * 3, seed, 400)
        memory = DurakMemory(durak)
        while match.step() and not match.session.is_over():
            if match.is_chance_due():
                continue
            memory.recall(match.see(1, 0))
            if not match.session.state.register[durak_facts.ATTACKS]:
                kept += any(memory.hardly(seat) for seat in (1, 2, 3))
    assert bool(kept) == (line == "durak")


def questions(name, seeds, limit=250):
    """Positions in which a seat has to decide, one of three: the match and what the seat sees; and its memory."""
    for seed in range(seeds):
        match = mixed_match(GAMES[name], seed, (BEGINNER,), limit)
        memories = [make_memory(match.game) for _ in range(8)]
        while match.step():
            waits = bytearray(8)
            match.game.waiting(match.session.state, waits)
            seat = max((other for other in range(1, 8) if waits[other]), default=0)
            if seat and not match.is_chance_due() and not match.session.is_over() and match.event.at_ms % 3 == 0:
                yield match, match.see(seat, 0), memories[seat]


@pytest.mark.parametrize("name", GUESSED)
def test_t11_a_guess_is_a_game_that_the_seat_could_see(name):
    """Every guess has the counts and cards of the view, audits clean (T1), and can be played to an end."""
    guesses = ended = 0
    draw = Random(1)
    for match, seen, memory in questions(name, 20):
        world = make_worlds(seen, memory)
        guess = world.deal(draw)
        assert match.game.audit(guess.state) == 0, audit_words(match.game, guess.state)
        told, own = match.game.view(guess.state, seen.seat), list(seen.view)
        for card in seen.hand:
            own[card] = HAND + seen.seat  # of a counted game
        places = match.game.CARDS
        assert list(told[:places]) == own[:places]
        counted = {"durak": 10, "bailiff": 8, "cals-bs": 2, "malice": 3}[name]  # others' staged cards go back
        assert told[places : places + counted] == seen.view[places : places + counted]
        guesses += 1
        ended += world.play_out(guess, draw)
        assert match.game.audit(guess.state) == 0, audit_words(match.game, guess.state)
    assert guesses > 30 and (ended > guesses // 2 or name == "malice"), (guesses, ended)


@pytest.mark.parametrize("name", GUESSED)
def test_t1_a_move_in_a_guess_leaves_a_sound_state(name):
    """T1: every move that the search compares is enacted in a guess; places and counts still agree."""
    moved = 0
    draw = Random(2)
    for match, seen, memory in questions(name, 8):
        worlds = make_worlds(seen, memory)
        guess = worlds.deal(draw)
        is_cals_bs = name == "cals-bs"
        for move in list_plans(seen, CalsBsTable(seen)) if is_cals_bs else list_moves(seen):
            after = guess.copy()
            if is_cals_bs:
                worlds.enact_plan(after, move.cards, move.word)
            elif move >> 16 >= OWN_VERB:
                worlds.enact(after, move)
            assert match.game.audit(after.state) == 0, (move, audit_words(match.game, after.state))
            moved += 1
    assert moved > 60, moved


def audit_words(game, state):
    """What cannot be in that state, in words."""
    return [words for bit, words in enumerate(game.AUDIT) if game.audit(state) >> bit & 1]


@pytest.mark.parametrize("line", ["cals-bs", "cals-bs show=one", "cals-bs all_pass=discard", "cals-bs places=yes"])
def test_c7_c21_c22_what_was_opened_is_in_that_hand(line):
    """Also where one card of a doubted set is opened, where a pile is discarded, and where the others play on."""
    known = 0
    for seed in range(8):
        match = plain_match(line, [find_player("beginner")] * 4, seed, 900)
        memories = [CalsBsMemory() for _ in range(5)]
        while match.step():
            if match.session.is_over() or match.is_chance_due():
                continue
            where = match.session.state.where
            for seat in range(1, 5):
                memories[seat].recall(match.see(seat, 0))
                for card, holder in memories[seat].held.items():
                    assert where[card] in (HAND + holder, cals_bs_facts.STAGED + holder), (seed, seat, card)
                    known += 1
    assert known > 1000


def test_t7_a_set_that_was_taken_back_was_never_laid():
    """Who doubts afterwards doubts the set before it."""
    memory = CalsBsMemory()
    lay, claim, doubt = (find_verb(cals_bs, name) for name in ("lay", "claim", "doubt"))
    log = [Heard(0, 1, claim, target=3), Heard(1, 2, claim, target=3), Heard(2, 2, UNDO), Heard(3, 1, AGREE)]
    seen = SimpleNamespace(game=cals_bs, seat=3, seats=3, log=log, view=bytes(500))
    memory.recall(seen)
    assert memory.layer == 2, "one of two has agreed"
    log += [Heard(4, 3, AGREE), Heard(5, 3, doubt, opened=(0,))]  # an ace, and no four
    memory.recall(seen)
    assert memory.lies[1] == [1, 0] and memory.lies[2] == [0, 0]
    assert memory.laid[1:4] == [1, 0, 0] and memory.doubts[3] == [0, 1]
    log += [Heard(6, 3, UNDO), Heard(7, 1, AGREE), Heard(8, 2, AGREE)]
    memory.recall(seen)
    assert memory.lies[1] == [0, 0] == memory.doubts[3] and memory.laid[1] == 1, "the doubt was taken back"
    log += [Heard(9, 3, lay, card=0), Heard(10, 3, claim, target=3)]
    memory.recall(seen)
    assert memory.own == [1, 0] and memory.laid[3] == 1
    log += [Heard(11, 3, UNDO), Heard(12, 1, AGREE), Heard(13, 2, AGREE)]
    memory.recall(seen)
    assert memory.own == [0, 0] and memory.laid[3] == 0
