"""Games for programs that learn: every act has a number, observations are honest, and other people's tests pass."""

import copy
import importlib
import itertools
import os
import pickle
import re
import subprocess
import sys
import warnings
from array import array
from types import SimpleNamespace

import numpy as np
import pytest

from cardtable.catalogue import find_game
from cardtable.engine.event import OWN_VERB, find_verb, pack
from cardtable.engine.state import STOCK
from cardtable.games import durak
from host_tools.base.errors import UnusableInput
from host_tools.base.project import ROOT
from host_tools.base.random_play import Random
from host_tools.judge.situations import list_games
from host_tools.lab.bench import small_durak, solved_durak
from host_tools.minds.environments.acts import WAIT, Acts
from host_tools.minds.environments.batch import LEGAL_LIMIT, Games
from host_tools.minds.environments.steps import number_in, write_one
from host_tools.minds.environments.table import Table
from host_tools.sight.recorded import Recorded
from tests.games.random_games import Refused, start_game
from tests.host_tools.players.test_honesty import make_twin

LINES = (("durak throw-in", 3), ("durak transfer cheating=2 deal=counted", 2), ("cals-bs", 3), ("bailiff", 2),
         ("malice", 2))


def play(line, seats, seed, steps=400, each=lambda table: None):
    """A game of random acts; each(table) is asked before each of them."""
    draw, table = Random(seed), Table(line, seats, seed)
    for _ in range(steps):
        if not table.agent:
            break
        each(table)
        legal = table.legal()
        table.step(legal[draw.below(len(legal))])
    return table


@pytest.mark.parametrize("name", list_games())
def test_each_act_has_one_number_and_words(name):
    acts = Acts(find_game(name))
    assert len(set(acts.packed[1:])) == len(acts) - 1 == len(acts.numbers) - 1
    assert [number_in(acts.numbering, packed) for packed in acts.packed[1:]] == list(range(1, len(acts)))
    words = {acts.describe(number) for number in range(0, len(acts), 97)}
    assert len(words) == len(range(0, len(acts), 97)) and "wait" in words


@pytest.mark.parametrize(("line", "seats"), LINES)
def test_masks_shapes_and_records(line, seats):
    """The mask is what the table accepts, an observation has one length, and the record replays."""
    lengths = set()

    def look(table):
        mask = table.legal_mask()
        assert [number for number, bit in enumerate(mask) if bit] == sorted(table.legal())
        lengths.update(len(table.observe(seat)) for seat in range(1, seats + 1))
        assert mask[WAIT] == table.may_wait()

    table = play(line, seats, 3, 150, look)
    assert len(lengths) == 1
    assert Recorded("x", table.record().encode()).count == table.events


@pytest.mark.parametrize(("line", "seats"), [*LINES, ("durak throw-in cheating=1", 3)])
def test_d43_the_set_up_alone_settles_which_verbs_stay_secret(line, seats):
    """So `Steps` asks once for each game."""
    seen = set()

    def look(table):
        for verb in range(OWN_VERB, OWN_VERB + len(table.game.VERBS)):
            is_secret = table.by_secret >> verb & 1
            seen.add(is_secret)
            assert is_secret == (not table.game.shows(table.session.state, verb))

    play(line, seats, 5, 120, look)
    assert seen == ({0, 1} if "cheating" in line else {0})


@pytest.mark.parametrize("name", list_games())
@pytest.mark.parametrize("seed", [3, *(pytest.param(seed, marks=pytest.mark.everything) for seed in range(100, 130))])
def test_acts_are_those_that_every_player_is_offered(name, seed):
    """Any mix of house rules: the short way to the acts of a seat (steps.py) finds what `list_moves` finds."""
    header = start_game(find_game(name), seed, Refused()).header

    def look(table):
        offered = [table.acts.numbers[packed] for packed in table.seen.moves]
        assert table.legal() == [WAIT, *offered][not table.may_wait() :]

    table = play(" ".join(header.game), len(header.seats), seed, 120, look)
    assert Recorded("x", table.record().encode()).count == table.events


@pytest.mark.parametrize(("line", "seed", "first"), [("malice", 2, "0.1 1 flip AD"), ("malice deal=counted", 4, ""),
                                                     ("durak", 2, "")])
def test_a_card_that_went_back_can_come_again(line, seed, first):
    """M2, M14: whenever somebody is asked, the deck and the untapped hands hold every card that lies where cards come
    from: in a stock that a full pile went into, in a payoff pile whose top was turned in vain (seed 2: two aces)."""
    grown = []

    def look(table):
        game, where = table.game, table.session.state.where
        names = {place: name for name, start, count in game.PLACES for place in range(start, start + count)}
        lying = {card for card, place in enumerate(where) if names.get(place) in at_first}
        assert lying == {*table.dealt.played.deck}.union(*table.dealt.unseen)
        grown.append(sum(place == STOCK for place in where))

    at_first = {"stock", "payoff"} if line.startswith("malice") else {"stock"}
    table = play(line, 2, seed, 600, look)
    assert first in table.record()
    if line == "malice":
        assert any(later > before for before, later in itertools.pairwise(grown)), "no pile was full"


@pytest.mark.parametrize(("line", "seats"), LINES)
def test_a_step_is_taken_back(line, seats):
    table, before, after = play(line, seats, 6, 40), play(line, seats, 6, 37), play(line, seats, 6, 40)
    done = table.done[37:]
    for _ in done:
        table.undo()
    assert (table.agent, table.legal(), table.record()) == (before.agent, before.legal(), before.record())
    for number in done:
        table.step(number)
    assert (table.agent, table.legal(), table.record()) == (after.agent, after.legal(), after.record())
    with pytest.raises(UnusableInput, match="no step has been done yet"):
        Table(line, seats).undo()


@pytest.mark.parametrize(("line", "seats"), LINES)
def test_a_batch_plays_the_games_that_are_played_one_at_a_time(line, seats):
    """Event by event, with the same legal acts and observations; a finished game begins again, and says who lost."""
    assert play_beside_a_batch(line, seats, 250) > 2


@pytest.mark.parametrize("name", list_games())
@pytest.mark.parametrize("seed", [4, *(pytest.param(seed, marks=pytest.mark.everything) for seed in range(200, 230))])
def test_a_batch_plays_any_mix(name, seed):
    header = start_game(find_game(name), seed, Refused()).header
    play_beside_a_batch(" ".join(header.game), len(header.seats), 120)


def play_beside_a_batch(line, seats, steps):
    """Random acts in three games of a batch and in the same three alone: all is equal. How many ended."""
    games = Games(line, seats, 3, seed=7, event_limit=150)
    alone = [Table(line, seats, 7 + index, 150) for index in range(3)]
    draw, ended = np.random.default_rng(4), 0
    for _ in range(steps):
        masks, numbers = games.masks(), games.draw(draw)
        for index, table in enumerate(alone):
            assert games.agents[index] == table.agent
            assert games.legal[index, : games.legal_counts[index]].tolist() == table.legal()
            assert masks[index].tobytes() == bytes(table.legal_mask())
            assert games.observations[index].tobytes() == table.observe(table.agent)
            assert games.record(index) == table.record()
        games.step(numbers)
        for index, table in enumerate(alone):
            table.step(int(numbers[index]))
            assert games.over[index] == (table.agent == 0)
            if not table.agent:
                ended += 1
                assert games.rewards[index].tolist() == pytest.approx(table.rewards())
                assert games.seeds[index] == 9 + ended  # behind the three at first: no deal comes twice
                alone[index] = Table(line, seats, 9 + ended, 150)
            else:
                assert not games.rewards[index].any()
    return ended


def test_a_batch_refuses_what_is_not_legal():
    games = Games("durak", 2, 2)
    for wrong in (np.zeros(1, int), np.zeros((2, 1), int), np.zeros(2), ["a", "b"], 0):
        with pytest.raises(UnusableInput, match="a step of 2 games is as many whole numbers in a row"):
            games.step(wrong)
    with pytest.raises(UnusableInput, match="is not legal now"):
        games.step(np.array([3198, 3198]))
    with pytest.raises(ValueError, match="read-only"):
        games.legal[0, 0] = 3198
    with pytest.raises(UnusableInput, match="at least one game"):
        Games("durak", 2, 0)
    with pytest.raises(UnusableInput, match="0 seats play no game"):
        Games("durak", 0, 2)


def test_d43_a_batch_has_room_for_27_cards_that_may_each_be_laid_on_27():
    """Without it the step that leads there would be done in the games before that one, and in none behind it."""
    games = Games("durak throw-in cheating=1 late_limit=always deck=54", 2, 2)
    beats = [games.acts.numbers[pack(find_verb(durak, "beat"), card, target)]
             for card in range(27) for target in range(27, 54)]
    acts = [*beats, *range(2, 60)]
    is_row = isinstance(games._games[1].acts_now, bytearray)  # compiled
    games._games[1].acts_now = bytearray(array("i", acts)) if is_row else acts
    write_one(games._games[1], 1, games._rows, LEGAL_LIMIT, games._size)
    assert games.masks()[1].sum() == games.legal_counts[1] >= 27 * 27 + 58
    assert games.masks()[0].sum() == games.legal_counts[0] < 20


def test_a_refused_step_changes_no_game_of_a_batch():
    """Also where another game would have ended in that step."""
    games, draw, ended = Games("durak simple deck=24", 2, 8, seed=3), np.random.default_rng(1), 0
    for _ in range(200):
        numbers = games.draw(draw)
        illegal = numbers.copy()
        illegal[-1] = len(games.acts) - 1
        before = [games.record(index) for index in range(8)]
        with pytest.raises(UnusableInput, match="is not legal now"):
            games.step(illegal)
        assert [games.record(index) for index in range(8)] == before and games.agents.all()
        games.step(numbers)
        ended += int(games.over.sum())
    assert ended > 5


@pytest.mark.parametrize(("line", "seats"), [("durak throw-in cheating=2", 2), ("durak transfer cheating=1", 3)])
def test_d43_a_press_of_cheat_is_secret_from_the_other_seats(line, seats):
    """With it and without it they are asked the same, see the same, and hear the same at the same time."""
    alike = [press_or_not(Table(line, seats, seed, 400, True), Table(line, seats, seed, 400, True), Random(seed))
             for seed in range(20)]
    assert sum(alike) > 100, alike


def press_or_not(table, twin, draw):
    """Two games of the same acts, but that a seat presses at the twin, and waits from then on where it may. How often
    another seat was asked since."""
    presser = asked = 0
    while table.agent:
        if table.agent == presser and table.may_wait():
            table.step(WAIT)
            continue
        acts = {table.acts.describe(number): number for number in table.legal()}
        if not presser and "cheat" in acts:
            presser = table.agent
            twin.step(acts["cheat"])
        while twin.agent == presser and twin.may_wait():
            twin.step(WAIT)
        if table.agent == presser and table.may_wait():
            continue
        if twin.is_cut:
            break
        assert twin.agent == table.agent
        for seat in range(1, table.seats + 1):
            if presser and seat != presser:
                assert twin.logs[seat] == table.logs[seat] and twin.observe(seat) == table.observe(seat)
        if presser and table.agent != presser:
            assert twin.legal() == table.legal()
            asked += 1
        # Another press, an accusation: what follows is not the same any more, and all may see that.
        acts = {words: number for words, number in acts.items() if words.split()[0] not in ("cheat", "catch")}
        if not acts:
            break
        number = sorted(acts.values())[draw.below(len(acts))]
        table.step(number)
        twin.step(number)
    return asked


@pytest.mark.parametrize(("line", "seats"), LINES)
def test_what_a_seat_observes_tells_nothing_hidden(line, seats):
    """Where all that is hidden from a seat is dealt again, it observes the same bytes and the same acts."""
    draw, changed = Random(9), []

    def look(table):
        for seat in range(1, seats + 1):
            before = table.observe(seat), seat == table.agent and table.legal_mask()
            kept = table.session
            table.played.session, is_other = make_twin(kept, seat, table.dealt.unseen[seat], draw)
            if seat == table.agent:
                table.list_acts(seat, table.acts_now)
            changed.append(is_other)
            assert (table.observe(seat), seat == table.agent and table.legal_mask()) == before
            table.played.session = kept
            if seat == table.agent:
                table.list_acts(seat, table.acts_now)

    play(line, seats, 4, 60, look)
    assert sum(changed) > 20


def test_what_the_losers_lose_the_others_share():
    """The sum is 0: also with a draw, in teams, and in a game that is cut off."""
    found = {tuple(sorted(play(line, seats, seed).rewards())) for line, seats in (
        ("durak simple deck=24", 3), ("durak simple deck=24 teams=2x2", 4)) for seed in range(12)}
    assert {(-1, 0.5, 0.5), (-1, -1, 1, 1)} <= found <= {(-1, 0.5, 0.5), (-1, -1, 1, 1), (0, 0, 0), (0, 0, 0, 0)}
    assert Table("durak", 3, 1, event_limit=20).rewards() == [0, 0, 0]


def test_house_rules_can_be_keywords():
    """As they stand in a record, for one game, many, and the tools; a step back keeps them."""
    from host_tools.minds.environments.tools import CardtableAEC, CardtableEnv

    table = Table("durak transfer", 3, 4, deck=24, late_limit="always")
    same = Table("durak transfer deck=24 late_limit=always", 3, 4)
    assert table.record() == same.record() and "game: durak transfer deck=24 late_limit=always" in table.record()
    table.step(table.legal()[0])
    table.undo()
    assert table.record() == same.record()
    assert Games("durak transfer", 3, 1, seed=4, deck=24, late_limit="always").record(0) == same.record()
    environment = CardtableEnv("durak", ("random", "random"), deck=24)
    environment.reset(seed=1)
    for made in (CardtableAEC("durak", 3, deck=24).table, environment.table):
        assert made.header.game == ["durak", "deck=24"]
    with pytest.raises(UnusableInput, match="durak has no option decks"):
        Table("durak", decks=2)


def test_what_is_not_legal_is_one_sentence():
    table = Table("durak", 2, 1)
    illegal = next(number for number in range(len(table.acts)) if number not in table.legal())
    with pytest.raises(UnusableInput, match=f"act {illegal} is not legal now for seat {table.agent}"):
        table.step(illegal)
    with pytest.raises(UnusableInput):
        Table("chess", 2)


def test_what_no_table_can_be_asked_for_is_one_sentence():
    """A seat of 0 is not the public, and a number below 0 not an act from behind."""
    for wrong in ((None, 2, 1), ("durak", 2.5, 1), ("durak", "2", 1), ("durak", 2, None), ("durak", 2, 1.5)):
        with pytest.raises(UnusableInput, match="seats and seed are whole numbers"):
            Table(*wrong)
    table = play("durak", np.int64(2), np.int64(1))
    for seat in (-1, 0, 3):
        with pytest.raises(UnusableInput, match=f"there is no seat {seat}: they are 1 to 2"):
            table.observe(seat)
    for number in (-1, len(table.acts)):
        with pytest.raises(UnusableInput, match=f"no act has the number {number}"):
            table.acts.describe(number)
    assert not table.agent
    with pytest.raises(UnusableInput, match="the game is over"):
        table.step(WAIT)


def copies(one):
    return copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))


@pytest.mark.parametrize(("line", "seats"), LINES)
def test_a_copy_goes_on_by_itself(line, seats):
    """As a tree search or another process wants it."""
    table = play(line, seats, 6, 40)
    before = table.record()
    for copied in copies(table):
        assert (copied.agent, copied.legal(), copied.record()) == (table.agent, table.legal(), before)
        copied.step(copied.legal()[-1])
        assert copied.record() != before == table.record()


def test_a_copied_batch_writes_arrays_of_its_own():
    games, draw = Games("durak simple deck=24", 2, 4, seed=3), np.random.default_rng(1)
    for _ in range(60):
        games.step(games.draw(draw))
    before = games.legal.copy(), games.observations.copy(), games.seeds.copy()
    for copied in (copy.deepcopy(games), pickle.loads(pickle.dumps(games))):
        assert (copied.agents == games.agents).all() and (copied.seeds == games.seeds).all()
        for _ in range(60):
            numbers = copied.draw(np.random.default_rng(2))
            copied.step(numbers)
        assert not (copied.observations == games.observations).all()
        assert all((now == then).all() for now, then in zip(
            (games.legal, games.observations, games.seeds), before, strict=True))


def test_a_copied_environment_goes_on_as_it_would_have():
    """PettingZoo's and Gymnasium's; the virtual players of a copy answer as those that it was copied from."""
    from host_tools.minds.environments.tools import CardtableAEC, CardtableEnv

    def go_on(environment, seen):
        for _ in range(30):
            seen, _, is_over, is_cut, _ = environment.step(np.flatnonzero(seen["action_mask"])[-1])
            if is_over or is_cut:
                break
        return environment.table.record()

    environment = CardtableEnv("durak", ("beginner", "novice"))
    seen, _ = environment.reset(seed=3)
    for _ in range(4):
        seen, *_ = environment.step(np.flatnonzero(seen["action_mask"])[0])
    copied, pickled = copy.deepcopy(environment), pickle.loads(pickle.dumps(environment))
    assert go_on(copied, seen) == go_on(pickled, seen) == go_on(environment, seen)
    several = CardtableAEC("durak", 3)
    several.reset(seed=3)
    for copied in (copy.deepcopy(several), pickle.loads(pickle.dumps(several))):
        copied.step(several.table.legal()[-1])
        assert copied.table.record() != several.table.record()
    assert CardtableEnv("durak", "beginner").reset(seed=1)[0]["action_mask"].any()


def test_the_same_seed_is_the_same_game():
    assert play("durak", 2, 5).record() == play("durak", 2, 5).record() != play("durak", 2, 6).record()


@pytest.mark.everything
@pytest.mark.parametrize(("line", "seats"), LINES)
def test_pettingzoo_takes_it(line, seats):
    from pettingzoo.test import api_test, seed_test

    from host_tools.minds.environments.tools import CardtableAEC

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Observation")  # it would like it better without a mask beside it
        api_test(CardtableAEC(line, seats), num_cycles=300)
    seed_test(lambda: CardtableAEC(line, seats), num_cycles=100)


@pytest.mark.everything
@pytest.mark.parametrize(("line", "seats"), LINES)
def test_pettingzoos_bench_steps_it(line, seats, monkeypatch, capsys):
    """It stops by the clock, after 5 s; here a second passes with each look at it."""
    from pettingzoo.test import performance_benchmark

    from host_tools.minds.environments.tools import CardtableAEC

    looks = itertools.count()
    bench = importlib.import_module("pettingzoo.test.performance_benchmark")
    monkeypatch.setattr(bench, "time", SimpleNamespace(time=lambda: next(looks)))
    performance_benchmark(CardtableAEC(line, seats))
    assert "turns per second" in capsys.readouterr().out and next(looks) == 8


@pytest.mark.everything
@pytest.mark.parametrize(("line", "opponents"), [("durak", ("random", "beginner")), ("bailiff", ("sound",)),
                                                 ("malice", ("random",)), ("cals-bs", ("beginner", "random"))])
def test_gymnasium_takes_it(line, opponents):
    from gymnasium.utils.env_checker import check_env

    from host_tools.minds.environments.tools import CardtableEnv

    env = CardtableEnv(line, opponents, step_limit=300)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)
    _, facts = env.reset(seed=3)
    draw, rewards = Random(1), []
    for _ in range(3000):
        legal = env.table.legal()
        _, reward, is_over, is_cut, facts = env.step(legal[draw.below(len(legal))])
        assert not facts["refused"]
        if is_over or is_cut:
            rewards.append(reward)
            break
    assert rewards


@pytest.mark.everything
@pytest.mark.parametrize(("name", "said"), [
    ("durak", {"options": "transfer deck=24", "deals": 8}), ("bailiff", {"options": "move_limit=20", "deals": 8}),
    ("malice", {"deals": 4, "event_limit": 150}), ("cals_bs", {"players": 3, "deals": 4, "event_limit": 100})])
def test_openspiel_takes_it(name, said, capsys):
    """Its own test of a game, its bots, and one of its algorithms; the same deal and acts are the same table."""
    import pyspiel

    from host_tools.minds.environments import spiel

    game = pyspiel.load_game(spiel.name_of(name), said)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    state = game.new_initial_state()
    bots = [pyspiel.make_uniform_random_bot(player, 3) for player in range(game.num_players())]
    gained = pyspiel.evaluate_bots(state, bots, 5)
    assert sum(gained) == pytest.approx(0)
    deal, *acts = state.history()
    table = Table(game.line, game.seats, deal, game.event_limit)
    for number in acts:
        table.step(number)
    assert str(state) == table.record() and state.returns() == table.rewards()
    solver = pyspiel.OutcomeSamplingMCCFRSolver(game)
    for _ in range(3):
        solver.run_iteration()


@pytest.mark.everything
def test_what_openspiel_is_told_is_what_the_seat_knows():
    import pyspiel

    from host_tools.minds.environments import spiel

    state = pyspiel.load_game(spiel.name_of("durak"), {"deals": 2}).new_initial_state()
    state.apply_action(1)
    draw = Random(2)
    while not state.is_terminal() and len(state.history()) < 30:
        for player in range(2):
            told = np.array(state.observation_tensor(player)) * 255
            assert bytes(told.round().astype(np.uint8)) == state.table.observe(player + 1)
            assert state.observation_string(player) in state.information_state_string(player)
            assert state.information_state_string(player).count("\n") == 1 + len(state.table.logs[player + 1])
        legal = state.legal_actions()
        state.apply_action(legal[draw.below(len(legal))])


@pytest.mark.everything
def test_the_example_of_the_docs_beats_random(tmp_path):
    """As it stands there, in a process of its own, from any folder."""
    page = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    example = page.partition("```python\n")[2].partition("```")[0]
    told = re.search(r"It says `(lost .*)` and takes", page)[1]
    done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.stdout == told + "\n", done.stderr


@pytest.mark.everything
def test_openspiel_and_our_own_solver_agree_on_a_small_durak():
    """A Durak of six cards, hands filled to two. OpenSpiel finds the same gain against players that play at random and
    against ours, which leaves it less than 0.1 of a point of 100; and its own CFR+ comes to the same value."""
    import pyspiel
    from open_spiel.python import policy
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    from tests.host_tools.environments import small_spiel

    game = pyspiel.load_game(small_spiel.NAME)
    tree = solved_durak.Tree(small_durak.draw_deal(small_spiel.CARDS, small_spiel.SIZE, small_spiel.SEED, 2)[0])
    uniform = policy.UniformRandomPolicy(game)
    assert 50 * exploitability.exploitability(game, uniform) == pytest.approx(tree.exploitability(tree.uniform()))
    best, _ = tree.solve(0.05, solved_durak.TURNS)
    assert tree.exploitability(tree.uniform()) > 10 > 0.05 >= tree.exploitability(best) >= -1e-9
    solver = cfr.CFRPlusSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    assert 50 * exploitability.exploitability(game, found) < 0.1
    gained = expected_game_score.policy_value(game.new_initial_state(), [found, found])[0]
    assert 50 + 50 * gained == pytest.approx(tree.value(best), abs=0.2)
