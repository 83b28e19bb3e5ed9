"""What measures players and analysis: best answers in a small Durak, chances against outcomes, planted blunders."""

import contextlib
import dataclasses
import json
import random
from itertools import combinations, pairwise

import pytest

from cardtable.catalogue import find_game
from cardtable.engine.setup import set_up
from cardtable.engine.state import OUTCOME, STOCK, find_place
from cardtable.games import durak
from host_tools.minds.analysis.chances import (
    NOWHERE, Bearing, Line, Lines, bend, features, find_lines, find_near, is_checked, load_lines, logistic,
)
from host_tools.minds.analysis import judge as judging
from host_tools.minds.analysis.shown import COUNT
from host_tools.minds.analysis.judge import GUESSES
from host_tools.lab.bench import fit_value, reliability, samples, solved_durak, strength, thinking_cost
from host_tools.lab.bench.small_durak import (
    SmallMemory, Table, draw_deal, is_known, list_turn, list_worlds, measure_deal, solve,
)
from host_tools.minds.players import find_player
from host_tools.sight.seen import look
from host_tools.minds.players.worlds import DurakWorlds, make_memory, make_worlds
from host_tools.base.random_play import Random, make_header

CARDS, HAND = 7, 2
OPPONENTS = ("random", "beginner", "card-counter", "small-attacker")


def lay(seed, player="beginner", first=None):
    """A deal by lot: its table, and all worlds that seat 1 takes for possible."""
    deal, hand = draw_deal(CARDS, HAND, seed)
    return Table(deal, find_player(player), seed, first and find_player(first)), list_worlds(deal, hand)


def test_worlds_are_all_deals_that_the_hand_allows():
    """Four unseen cards, two of them in the other hand, two in the stock in either order, the turned one below."""
    _, worlds = lay(1)
    assert len({(bytes(world.state.where), tuple(world.stock)) for world in worlds}) == len(worlds) == 6 * 2
    for world in worlds:
        assert durak.audit(world.state) in (0, world.state.register[OUTCOME])
        assert world.state.register[durak._LEFT] == CARDS - 2 * HAND == len(world.stock) + 1


@pytest.mark.parametrize("seed", range(6))
def test_nobody_wins_more_than_the_best_opponent_and_who_sees_all_cards_no_less(seed):
    table, worlds = lay(seed)
    best = table.best(worlds)
    assert best <= sum(table.best([world]) for world in worlds) + 1e-9
    for name in OPPONENTS:
        other, _ = lay(seed, "beginner", name)
        assert sum(other.plain(world) for world in worlds) <= best + 1e-9, name


def test_a_player_that_errs_is_exploited_and_one_that_searches_less():
    found = {name: [measure_deal((name, CARDS, HAND, 6, seed)) for seed in range(12)]
             for name in ("random", "search:20")}
    gains = {name: sum(one.best - one.plain for one in rows) for name, rows in found.items()}
    assert all(one.best >= one.plain - 1e-9 for rows in found.values() for one in rows)
    assert gains["random"] > 2 > 0.2 > gains["search:20"] >= -1e-9, gains


def test_hands_that_fill_to_two_keep_cards_hidden_for_several_bouts():
    """Filled to six the first bout empties the stock of a small game; filled to two it lasts, for players, too."""
    six, two = (measure_deal(("beginner", CARDS, HAND, fill, 1)) for fill in (6, 2))
    assert six.bouts == 1 and two.bouts > 2 and two.decisions > six.decisions
    deal, hand = draw_deal(CARDS, HAND, 1, 2)
    draws = 0
    for world in list_worlds(deal, hand):
        is_passed = False
        while not is_known(world.state):
            register = world.state.register
            if register[durak._PHASE] == durak._DRAWING:
                assert register[durak._HELD + register[durak._DRAWER]] < 2
                (world, _), is_passed, draws = world.drawn(), False, draws + 1
                continue
            seat, moves = list_turn(world.state, is_passed)
            is_passed = not moves[-1]
            world = world.after(seat, moves[-1]) if moves[-1] else world
    assert draws


@pytest.fixture(scope="module")
def solved():
    """A deal of six cards, hands filled to two: its tree, and what CFR+ comes to."""
    tree = solved_durak.Tree(draw_deal(6, HAND, 3, 2)[0])
    return tree, tree.solve(0.05, solved_durak.TURNS)[0]


def test_cfr_comes_to_the_value_of_a_small_game_and_nobody_gains_by_leaving_it(solved):
    """56.67 is what OpenSpiel's CFR+ comes to, too (test_environments.py)."""
    tree, best = solved
    assert tree.value(best) == pytest.approx(56.67, abs=0.1)
    assert -1e-9 <= tree.exploitability(best) <= 0.05 < 10 < tree.exploitability(tree.uniform())
    low, high = tree.best(best, 2), tree.best(best, 1)
    assert low <= tree.value(best) <= high <= low + 0.1
    for name in OPPONENTS:
        policy = tree.policy_of(name, 1)
        assert tree.best(policy, 2) - 0.1 <= tree.value(best) <= tree.best(policy, 1) + 0.1, name


@pytest.mark.parametrize("name", OPPONENTS)
def test_both_measures_of_the_best_opponent_agree(solved, name):
    """One follows the worlds that a seat cannot tell apart, the other folds a tree from its leaves."""
    tree, _ = solved
    unseen = [card for card in tree.deal.cards if card != tree.deal.turned]
    table = Table(tree.deal, find_player(name), 1)
    followed = sum(table.best(list_worlds(tree.deal, hand)) for hand in combinations(unseen, HAND))
    assert 100 * followed / len(tree.worlds) == pytest.approx(tree.best(tree.policy_of(name, 1), 1))


def test_what_stays_hidden_is_the_same_by_both_measures(solved):
    tree, _ = solved
    table = Table(tree.deal, find_player("beginner"), 1)
    for world in tree.worlds:
        table.plain(world)
    said = tree.hidden(tree.policy_of("beginner", 1))
    assert [one / len(tree.worlds) for one in table.hidden] == pytest.approx(said)


def test_open_ends_are_played_as_they_are_valued():
    """The player solves what the measure takes for solved: its lead there is a best one."""
    ends = 0
    for seed in range(12):
        table, worlds = lay(seed, "search:4")
        world, is_passed = worlds[0], False
        while not is_known(world.state):
            if world.state.register[durak._PHASE] == durak._DRAWING:
                world, _ = world.drawn()
                continue
            seat, _ = list_turn(world.state, is_passed)
            move = table.decide(world, seat)
            is_passed = not move
            world = world.after(seat, move) if move else world
        seat, moves = list_turn(world.state, False)
        if not world.state.register[OUTCOME] and len(moves) > 1:
            values = solve(world.state, seat, moves)
            assert values[table.decide(world, seat)] == max(values.values())
            ends += 1
    assert ends > 2


def test_chances_are_held_against_what_came():
    said = [reliability.Said(game, chance, came) for game, chance, came in
            ((1, 95, 100), (1, 91, 100), (2, 93, 0), (3, 5, 0), (4, 100, 100))]
    bins = reliability.fill_bins(said)
    assert [(one.count, one.chance, round(one.came.mean)) for one in bins] == [(1, 5, 0), (4, 94.75, 75)]
    assert reliability.mean_gap(said).mean == (5 + 9 - 93 - 5 + 0) / 5
    assert reliability.calibration_error(bins) == (5 + 4 * 19.75) / 5
    fair = [reliability.Said(game, 50, 100 * (game % 2)) for game in range(100)]  # an error of 5 points
    assert 3.9 < reliability.luck_alone(reliability.fill_bins(fair)) < 4.1


def test_a_decision_that_stands_for_three_counts_as_three():
    few = [reliability.Said(1, 40, 100), reliability.Said(2, 45, 0, weight=3.0), reliability.Said(3, 95, 100)]
    many = [few[0], *[dataclasses.replace(few[1], weight=1.0)] * 3, few[2]]
    bins = [reliability.fill_bins(said) for said in (few, many)]
    assert reliability.mean_gap(few) == pytest.approx(reliability.mean_gap(many))
    assert len({reliability.calibration_error(one) for one in bins}) == 1 == len(set(map(reliability.luck_alone, bins)))


def walk_about(game, draw):
    """A game whose chances are right: from 50 by steps of 10 to 0 or 100; twelve of its decisions by lot."""
    chance, told = 50, []
    while 0 < chance < 100:
        told.append(chance)
        chance += draw.choice((-10, 10))
    draw.shuffle(told)
    return [reliability.Said(game, one, chance, weight=max(1, len(told) / 12)) for one in told[:12]]


def test_right_chances_are_found_right_however_long_a_game_was():
    """A game is long or short by how it goes, so a mean of each game's mean is off by more than luck."""
    draw = random.Random(3)
    said = [one for game in range(2500) for one in walk_about(game, draw)]
    bins = reliability.fill_bins(said)
    gap = reliability.mean_gap(said)
    assert gap.low < 0 < gap.high and gap.half < 2.5
    assert reliability.calibration_error(bins) < 2 * reliability.luck_alone(bins) < 3
    games = {}
    for one in said:
        if one.chance == 90:
            games.setdefault(one.game, one.came)
    assert sum(games.values()) / len(games) > 92.5  # as it was told before


BEARINGS = [Bearing(draws, alike, near) for draws in (0.0, 0.3, 1.0) for alike in (0.0, 0.6, 1.0)
            for near in (NOWHERE, (0.5, 0.05), (0.1, 0.5))]
SHOWN = [Bearing(near=near, shown=shown) for near in ((0.5, 0.05), (0.1, 0.5), (0.02, 0.02)) for shown in (
    (0.0,) * COUNT, (1.0, 1.0, 0.5, -0.2, -0.6, 0.1, -0.5, 1.0), (-0.8, -0.6, 0.2, 0.4, 1.0, 0.1, 1.0, 0.7))]


def bearings_of(line):
    """Some that such a line may meet."""
    return BEARINGS if len(line.coefficients) == 2 * len(BEARINGS[0].sides) else SHOWN


EVERY = [line for game, seats in ((durak, 2), (durak, 3), (find_game("cals-bs"), 3))
         for lines in load_lines(game, seats).values() for line in (lines.closed, lines.opened) if line]


def find_lines_by(line, seats):
    game = find_game(line.split()[0])
    return find_lines(game, seats, set_up(game, make_header(line, seats)).register)


def test_chances_are_bent_but_keep_their_order():
    """The better of two moves stays the better one, nothing leaves 0 to 1, and a table that was not fitted keeps its
    chances. A guess is trusted more where the seat plays as its playouts do."""
    falling = Line((0.3, 0.0, 0.0, 0.0, 0.0, 0.0, -2.0, 1.0, -1.0, 0.5, 0.0, 0.0))
    assert len(EVERY) == 10 and {bool(line.units) for line in EVERY} == {False, True}
    for line in (*EVERY, falling):
        for bearing in bearings_of(line):
            bent = [bend(line, number / 192, 0.07, 192, bearing) for number in range(193)]
            assert all(0 < low[0] < high[0] < 1 for low, high in pairwise(bent)), line
            assert all(0 < half < (0.3 if line.units else 0.2) for _, half in bent), line
    loose, usual = (bend(find_lines_by("durak", 2).closed, 0.9, 0, 192, Bearing(0.2, alike))[0] for alike in (0.6, 1.0))
    assert loose < usual < 0.9
    assert bend(find_lines_by("durak", 5).closed, 0.6, 0.07, 192) == (0.6, 0.07)


def test_hands_tell_in_cals_bs_alone():
    """Its own hand with what is staged of it, and the smallest other one; in Durak a line has other facts."""
    record = reliability.play_game(reliability.Task("cals-bs", 3, ("beginner",), 5, 1))
    found, bs = {}, find_game("cals-bs")
    for step, before in reliability.pick(record, 5, 999)[0]:
        held = [sum(before.where.count(find_place(bs, name + str(seat))) for name in ("hand", "staged"))
                for seat in (1, 2, 3)]
        own = held.pop(step.seat - 1)
        found[find_near(step.seen)] = (1 / (1 + own), 1 / (1 + min(held)))
    assert len(found) > 20 and all(told == true for told, true in found.items())
    step, _ = reliability.pick(reliability.play_game(reliability.Task("durak", 2, ("kinds",), 3, 1)), 3, 1)[0][0]
    assert find_near(step.seen) == NOWHERE


def test_each_table_has_the_line_of_its_rules():
    """By other rules that of the usual ones; where none was fitted, none."""
    usual, small, transfer = (find_lines_by(line, 2) for line in ("durak", "durak deck=24", "durak transfer"))
    assert len({usual, small, transfer, find_lines_by("durak", 3)}) == 4
    assert find_lines_by("durak transfer first_transfer=yes", 2) == transfer
    assert find_lines_by("durak simple", 2) == find_lines_by("durak deck=54", 2) == usual
    assert find_lines_by("durak", 5) == find_lines_by("malice", 3) == Lines(None, None)


def test_both_chances_of_a_decision_are_bent_each_by_its_line(monkeypatch):
    record = reliability.play_game(reliability.Task("durak", 2, ("kinds",), 3, 1))
    step, before = next(one for one in reliability.pick(record, 3, 99)[0] if one[1].where.count(STOCK) > 9)

    def judge(closed, opened):
        line = find_lines_by("durak", 2)
        lines = Lines(line.closed if closed else None, line.opened if opened else None)
        monkeypatch.setattr(judging, "find_lines_for", lambda seen: lines)
        found = judging.judge(step, before, make_memory(durak), GUESSES)
        return found.chance, found.open_chance

    raw, own, cards = judge(False, False), judge(True, False), judge(False, True)
    assert own[0] != raw[0] and own[1] == raw[1] and cards[1] != raw[1] and cards[0] == raw[0]


def test_a_line_is_what_was_fitted_as_far_as_it_rises():
    for line in EVERY:
        for bearing in () if line.units else BEARINGS:
            chance = logistic(sum(a * b for a, b in zip(line.coefficients, features(0.7, 192, bearing), strict=True)))
            assert bend(line, 0.7, 0, 192, bearing)[0] == pytest.approx(chance)


def test_the_fit_finds_the_line_that_made_the_outcomes():
    """Outcomes drawn from a known line give it back; a feature that is always 0 gets 0."""
    draw = random.Random(1)
    rows, true = [], (-0.4, 0.5, 0.0, 0.3, 0.6, -0.8, 0.7, 0.8, 1.1, 0.4, 0.0, 1.5)
    for number in range(4000):
        row = features(draw.random(), 192, BEARINGS[number % len(BEARINGS)])
        chance = logistic(sum(a * b for a, b in zip(true, row, strict=True)))
        rows.append((row, float(draw.random() < chance)))
    found = fit_value.fit(rows, [1.0] * len(rows))
    for bearing in BEARINGS:
        for chance in (0.1, 0.4, 0.9):
            assert bend(Line(tuple(found)), chance, 0, 192, bearing)[0] == pytest.approx(
                bend(Line(true), chance, 0, 192, bearing)[0], abs=0.06)
    flat = [((1.0, 0.0, 0.0, 0.0, 0.0, 0.0, row[6], 0.0, 0.0, 0.0, 0.0, 0.0), came) for row, came in rows]
    line = fit_value.fit(flat, [1.0] * len(rows))
    assert (line[1:6], line[7:]) == ([0] * 5, [0] * 5)
    assert fit_value.fit(flat + rows, [0.0] * len(flat) + [1.0] * len(rows)) == pytest.approx(found, abs=1e-3)


def test_by_other_rules_than_those_that_were_measured_chances_are_rough():
    def checks(line, seats):
        game = find_game(line.split()[0])
        return is_checked(game, seats, set_up(game, make_header(line, seats)).register)

    assert checks("durak", 2) and checks("malice", 2) and not checks("durak", 5)
    # By other rules something else is likely: measured 4 to 15 points off.
    for line in ("durak simple", "durak deck=54", "durak japanese-diamonds", "durak draws=no", "durak cheating=1",
                 "durak hand=10", "malice kings-wild", "bailiff raise_and_extend=yes"):
        assert not checks(line, 2), line
    for line in ("durak transfer=yes", "durak transfer first_transfer=yes",
                 "durak deck=24 throw_order=free throwers=attacker",
                 "bailiff move_limit=9", "malice stake=5"):
        assert checks(line, 2), line
    assert checks("durak throw_order=free", 3) and not checks("durak throwers=attacker", 3)
    assert checks("cals-bs ask_seconds=9", 3) and not checks("cals-bs places=yes", 3) and not checks("cals-bs cheat", 3)
    assert not checks("cals-bs cals-bs-plus", 3)  # C13b: its options are the same


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """An empty folder for samples."""
    monkeypatch.setattr(samples, "BUILD", tmp_path)
    return tmp_path / "samples"


def test_a_game_is_played_once_and_its_decisions_fit_a_line_and_judge_it(kept, monkeypatch):
    """The same decisions from the file; another number of them, or another source, is another question."""
    task = reliability.Task("durak", 2, ("beginner",), 3, 99)
    made = samples.keep(task)
    assert len(samples.gather(task)) == sum(one.kind == samples.GUESSED for one in made) > 10
    monkeypatch.setattr(samples, "take", lambda task: [])
    assert samples.keep(task) == made and len(list(kept.rglob("*.json"))) == 1
    assert len(samples.tell(task)) == len(samples.tell_open(task)) == len(made)
    assert samples.keep(dataclasses.replace(task, decisions=5)) == []
    monkeypatch.setattr(samples, "find_makers", lambda: "other")
    assert samples.keep(task) == []


def test_what_is_told_of_a_decision_is_what_the_analysis_says_of_it(kept):
    """A guess is bent as on the page, also with open cards; what ends the game is not."""
    task = reliability.Task("durak", 2, ("kinds",), 3, 400)
    every, said, opened = samples.keep(task), samples.tell(task), samples.tell_open(task)
    lines = find_lines_by("durak", 2)
    assert {one.came for one in said} <= {0, 100} and 0 < sum(one.is_exact for one in said) < len(said)
    for one, told, lies in zip(every, said, opened, strict=True):
        chances = one.mean, one.opened
        if one.kind == samples.GUESSED:
            chances = (bend(lines.closed, one.mean, 0, one.count, one.bearing)[0],
                       bend(lines.opened, one.opened, 0, GUESSES, one.bearing)[0])
        assert (told.chance, lies.chance) == pytest.approx(tuple(100 * chance for chance in chances))
        assert one.own + one.others + one.stock <= 36 and 0 <= one.whole <= 1 and 0 <= one.theirs <= 1
    assert {one.kind for one in every} == {samples.GUESSED, samples.SOLVED}
    few = samples.keep(dataclasses.replace(task, decisions=5))
    assert {one.weight for one in every} == {1} and sum(one.weight for one in few) == pytest.approx(len(every))
    others = reliability.Task("bailiff move_limit=20", 2, ("beginner",), 3, 400)
    last = [at for at, one in enumerate(samples.keep(others)) if one.kind == samples.ENDING]
    assert last and all(samples.tell(others)[at].chance == 100 * samples.keep(others)[at].mean for at in last)


def test_forms_of_a_line_are_held_against_games_that_no_line_saw(kept, monkeypatch, capsys):
    monkeypatch.setattr(reliability, "POPULATIONS", ("beginner",))
    with contextlib.suppress(SystemExit):
        strength.main(["forms", "--game", "bailiff move_limit=20", "--games", "8", "--decisions", "3", "--jobs", "1"])
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert head == "| form: bailiff move_limit=20 | beginner |" and len(rows) == len(fit_value.FORMS)
    assert all(row.startswith(f"| {form} | ") and " / " in row for form, row in zip(fit_value.FORMS, rows, strict=True))


def test_a_game_is_judged_by_a_line_that_never_saw_it(kept):
    """Its own outcome turned round changes what others are told, and not what it is told."""
    some = [one for seed in range(3, 8) for one in samples.keep(reliability.Task("durak", 2, ("beginner",), seed, 6))]
    turned = [dataclasses.replace(one, came=1 - one.came) if one.game == 3 else one for one in some]
    told, other = (fit_value.foretell([each], fit_value.closed, 5)[0] for each in (some, turned))
    assert all((one == two) == (sample.game == 3) for one, two, sample in zip(told, other, some, strict=True))
    assert fit_value.miss([0.5] * len(some), some) == pytest.approx(693.1, abs=0.1)


def test_a_fit_keeps_lines_of_each_table_that_is_named(kept, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(reliability, "POPULATIONS", ("beginner",))
    monkeypatch.setattr(fit_value, "FILE", tmp_path / "chances.json")
    asked = ["--game", "durak", "--game", "durak deck=24", "--games", "8", "--decisions", "3", "--jobs", "1"]
    with contextlib.suppress(SystemExit):
        strength.main(["fit-value", *asked])
    rows = json.loads((tmp_path / "chances.json").read_text())
    assert list(rows) == ["durak 2", "durak deck=24 2"] and "durak 2, open cards: " in capsys.readouterr().out
    assert all(len(row["bend"]) == len(row["open"]) == 12 for row in rows.values())
    assert rows["durak 2"]["command"] == "strength fit-value --game 'durak' --games 8 --decisions 3 --seed 1"
    with contextlib.suppress(SystemExit):
        strength.main(["fit-value", "--plain", *asked])
    again = json.loads((tmp_path / "chances.json").read_text())["durak 2"]
    assert [at for at, value in enumerate(again["bend"]) if value] == [0, 6] and "--plain" in again["command"]
    assert rows["durak 2"]["bend"][1]  # else the games tell nothing of it


def test_any_kinds_are_more_than_the_beginner_in_each_game():
    """Else rows of any kinds would be the beginners' again."""
    for name in ("durak", "cals-bs", "bailiff", "malice"):
        assert len(reliability.list_kinds(find_game(name))) > 1, name


def test_every_kind_of_player_sits_in_the_games_that_are_asked_and_other_seeds_are_asked_for_a_class():
    found = reliability.flag(reliability.Task("durak", 2, ("high-collector", "random"), 5, 6))
    assert found and all(len(kinds) == reliability.SALTS for kinds in found) and any(any(kinds) for kinds in found)


def test_planted_blunders_are_found():
    task = reliability.Task("durak", 2, ("beginner",), 3, 12)
    planted = reliability.plant(task)
    bad = [one for one in planted if one.is_blunder]
    assert bad and all(one.loss >= reliability.BLUNDER for one in bad) and bad[0].kind
    assert sum(one.kind != "" for one in planted if not one.is_blunder) < len(planted) / 3
    assert strength.share_of(95, 100) == "95.0 % (88.8 to 97.8), 95 of 100"


def test_nothing_is_planted_where_the_analysis_solves(monkeypatch):
    """There it asks no guesses, and those that size a blunder may be wrong."""
    judge = reliability.judge
    monkeypatch.setattr(reliability, "judge", lambda *of: dataclasses.replace(judge(*of), is_exact=True))
    assert not reliability.plant(reliability.Task("durak", 2, ("beginner",), 3, 3))


@pytest.mark.parametrize("words, said", [
    (("small-durak", "--player", "nobody", "--jobs", "1", "--deals", "2"), "no player is called nobody"),
    (("small-durak", "--cards", "6", "--hand", "3"), "a stock needs two cards or more"),
    (("solved-durak", "--players", "nobody"), "no player is called nobody"),
    (("calibration", "--game", "chess"), "chess"),
])
def test_what_cannot_be_measured_is_one_sentence(monkeypatch, capsys, words, said):
    monkeypatch.setattr(strength.sys, "argv", ["strength", *words])
    assert strength.run() == strength.UNUSABLE
    told = capsys.readouterr().err
    assert said in told and told.strip().count("\n") == 0


def test_every_player_has_its_cells():
    cells = set(thinking_cost.list_cells(2))
    assert {("search:2", line) for line in thinking_cost.LINES} <= cells and ("sound:2", "malice") in cells
    pace, memory = thinking_cost.measure("beginner", "durak", 1)
    assert pace > 1 and memory >= 0


def test_with_few_cards_a_guess_ends_in_a_solved_end():
    """The fool of a guess is the one that best play makes it; with a card more in play guesses are played out."""
    deal, hand = draw_deal(10, 3, 4)
    world = list_worlds(deal, hand)[0]
    table = Table(deal, find_player("search:2"), 4)
    table.session.state = world.state
    seen = look(table.session, 1, 0)
    worlds = DurakWorlds(seen, SmallMemory(deal))
    assert worlds.is_small and not worlds.solves  # an analysis says what happens among people
    worlds.solves = True
    found = 0
    for seed in range(20):
        guess = worlds.deal(Random(seed))
        assert worlds.play_out(guess, Random(seed))
        if guess.fool >= 0:
            found += 1
            assert is_known(guess.state) and not guess.state.register[OUTCOME]
            assert worlds.score(guess, True, 1) == table.value(guess.state)
            assert worlds.score(guess, True, 1) + worlds.score(guess, True, 2) == 1
    assert found > 10
    larger, hand = draw_deal(13, 3, 4)
    other = [card for card in larger.cards if card not in (*hand, larger.turned)][:3]
    table.session.state = larger.begin({1: hand, 2: other})
    assert not DurakWorlds(look(table.session, 1, 0), SmallMemory(larger)).is_small


def test_d40_guesses_of_the_analysis_are_played_to_the_last_card():
    """The same deal: nothing is solved there, and a draw counts a half for each."""
    deal, hand = draw_deal(10, 3, 14)
    world = list_worlds(deal, hand)[0]
    table = Table(deal, find_player("search:2"), 14)
    table.session.state = world.state
    worlds = make_worlds(look(table.session, 1, 0), SmallMemory(deal))
    assert worlds.is_small
    scores = []
    for seed in range(20):
        guess = worlds.deal(Random(seed))
        assert worlds.play_out(guess, Random(seed)) and guess.fool < 0 and guess.state.register[OUTCOME]
        scores.append(worlds.score(guess, True, 1))
        assert scores[-1] + worlds.score(guess, True, 2) == 1
    assert {0.5, 1.0} <= set(scores)


def test_an_open_end_is_solved_within_its_limit_or_told_as_not_solved(monkeypatch):
    """Of a game that has one; a limit too small for it is told, too."""
    [solved] = reliability.solve_end(reliability.Task("durak", 2, ("beginner",), 3, 1))
    assert solved.is_solved and 0 < solved.positions <= reliability.LONGEST and 2 <= solved.cards <= 36
    monkeypatch.setattr(reliability, "LONGEST", 3)
    [given_up] = reliability.solve_end(reliability.Task("durak", 2, ("beginner",), 3, 1))
    assert not given_up.is_solved and given_up.cards == solved.cards


def test_the_rows_of_ends_say_how_many_of_how_many(capsys, monkeypatch):
    monkeypatch.setattr(reliability, "POPULATIONS", ("beginner",))
    with contextlib.suppress(SystemExit):
        strength.main(["ends", "--games", "8", "--jobs", "1"])
    row = capsys.readouterr().out.splitlines()[-1]
    assert row.startswith("| durak | beginner | 8 |") and row.count(" of 8 |") == 3
