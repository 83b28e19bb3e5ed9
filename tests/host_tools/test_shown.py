"""What the seats of Cal's BS have shown, and corrections that hang on it: lines with units, fitted to populations."""

import dataclasses
import json
import math
import random
import sys

import pytest

from cardtable.catalogue import find_game
from cardtable.engine.event import find_verb
from host_tools.base.errors import UnusableInput
from host_tools.lab.bench import fit_net, fit_value, reliability, samples
from host_tools.minds.analysis.chances import Bearing, Line, bend, find_near, read_line
from host_tools.minds.analysis.decisions import walk
from host_tools.minds.analysis.shown import COUNT, find_shown
from host_tools.minds.players.worlds import make_memory, make_worlds


def make_decisions(count, came):
    """Decisions of Cal's BS in which the facts that are shown are by lot; came: what comes, by the first and the
    fourth of them."""
    draw = random.Random(4)
    found = []
    for number in range(count):
        shown = tuple(draw.choice((-1.0, 1.0)) if at in (0, 3) else draw.random() for at in range(COUNT))
        found.append(samples.Sample(number, samples.GUESSED, draw.random(), 192, 0.0, 0.85, draw.random(),
                                    float(draw.random() < came(shown[0], shown[3])), 1, 3, 9, 20, 0, 0.85, 0.85, 1.0,
                                    0.1, 0.1, shown))
    return found


def test_units_find_what_one_fact_means_beside_another(monkeypatch):
    """A seat wins where it plays unlike the others, whichever way: no sum of both facts tells that."""
    monkeypatch.setattr(fit_net, "_STEPS", 250)
    monkeypatch.setattr(fit_net, "_SLOW_FROM", 150)
    some = make_decisions(3000, lambda own, others: 0.8 if own != others else 0.2)
    flat, net = (fit_value.fit_lines([some], False, units)[0] for units in (0, 4))
    assert not flat.units and len(net.units) == 4 and len(net.coefficients) == 2 * (len(some[0].bearing.sides) + 4)

    def misses(line):
        told = [(own != others, bend(line, 0.5, 0, 192, Bearing(near=(0.1, 0.1), shown=(
            own, 0.5, 0.5, others, 0.5, 0.5, 0.5, 0.5)))[0]) for own in (-1.0, 1.0) for others in (-1.0, 1.0)]
        return [abs(chance - (0.8 if is_unlike else 0.2)) for is_unlike, chance in told]

    assert max(misses(net)) < 0.1 < 0.2 < min(misses(flat))
    again = fit_value.fit_lines([some], False, 4)[0]
    assert again == net and fit_value.fit_lines([some], False, 4)[1] != net


def test_each_population_is_told_as_much_as_came_there(monkeypatch):
    """Two that what is known hardly tells apart: without its weight each is told a good deal of the other's mean."""
    monkeypatch.setattr(fit_net, "_STEPS", 250)
    monkeypatch.setattr(fit_net, "_SLOW_FROM", 150)
    both = [make_decisions(1500, lambda *_, share=share: share) for share in (0.3, 0.6)]
    draw = random.Random(5)
    both[1] = [dataclasses.replace(one, alike=0.85 - 0.3 * (draw.random() < 0.4)) for one in both[1]]
    gaps = {}
    for level in (0.0, 30.0):
        monkeypatch.setattr(fit_net, "_LEVEL", level)
        line = fit_value.fit_lines(both, False, 2)[0]
        told = [[one.came - bend(line, one.mean, 0, 192, one.bearing)[0] for one in some] for some in both]
        gaps[level] = [abs(sum(some) / len(some)) for some in told]
    assert min(gaps[0.0]) > 0.05 and max(gaps[30.0]) < min(gaps[0.0]) / 2


def test_a_net_is_kept_and_read_as_it_was(tmp_path, monkeypatch):
    line = Line((0.1, -0.25, 0.5, 1.5), ((0.3, -2.0),))
    monkeypatch.setattr(fit_value, "FILE", tmp_path / "chances.json")
    fit_value.keep("durak 2", [line, Line((0.0, 1.0))], command="none")
    row = json.loads((tmp_path / "chances.json").read_text())["durak 2"]
    assert read_line(row, "bend") == line and read_line(row, "open") == Line((0.0, 1.0))
    unit = math.tanh(0.3)  # of the first side, which is 1
    assert Line((0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 1.0, *(0.0,) * 5, 3.0), ((0.3, *(0.0,) * 5),)).at(
        Bearing()) == pytest.approx((0.1 + 2 * unit, 1 + 3 * unit))


def test_units_without_numpy_are_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "host_tools.lab.bench.fit_net", None)
    with pytest.raises(UnusableInput, match="takes numpy"):
        fit_value.fit_lines([make_decisions(9, lambda *_: 0.5)], False, 2)


def count_acts(record, upto):
    """[sets true, false, opened true, opened false, doubts right, wrong] of each seat before that line, by who sees all
    cards."""
    bs, last, counts = find_game("cals-bs"), 0, {seat: [0] * 6 for seat in (1, 2, 3)}
    for step in walk(record):
        if step.number >= upto:
            return counts
        if step.verb in [find_verb(bs, name) for name in ("claim", "fours")]:
            last, is_false = step.seat, not bs.is_set_true(step.state)
            counts[last][is_false] += 1
        elif step.verb == find_verb(bs, "plus"):
            last = 0
        elif step.verb == find_verb(bs, "doubt") and last:
            counts[last][2 + is_false] += 1
            counts[step.seat][5 - is_false] += 1
    return counts


def test_what_a_seat_has_shown_is_what_it_did():
    """Of its own sets all, of the others' those that a doubt opened, and who doubted how well."""
    seen = 0
    for seed in range(1, 4):
        record = reliability.play_game(reliability.Task("cals-bs", 3, ("beginner", "doubter"), seed, 1))
        for step, _ in reliability.pick(record, seed, 6)[0]:
            worlds = make_worlds(step.seen, make_memory(record.game))
            counts, memory = count_acts(record, step.number), worlds.memory
            assert memory.own == counts[step.seat][1::-1]
            for seat in (1, 2, 3):
                assert memory.lies[seat] == counts[seat][3:1:-1] and memory.doubts[seat] == counts[seat][5:3:-1]
            bearing = Bearing.of([0.0, 1.0], worlds)
            assert bearing.near == find_near(step.seen) and len(bearing.shown) == COUNT
            seen += sum(map(sum, memory.doubts))
    assert seen > 20


def test_who_tells_the_truth_and_doubts_much_is_like_those_who_search():
    class Memory:
        own, laid = [1, 9], [0, 10, 10, 10]
        lies, doubts = [[0, 0], [0, 0], [5, 1], [0, 0]], [[0, 0], [8, 3], [0, 1], [0, 0]]

    own = find_shown(Memory, 3, 1)
    assert len(own) == COUNT and own[0] > 0.3 and own[1] > 0.5 and own[2] > 0
    assert own[3] < 0 and own[4] < -0.3 and own[-1] == 1 and all(-1 <= one <= 1 for one in own)
    Memory.own = [9, 1]
    assert find_shown(Memory, 3, 1)[0] == -1 and find_shown(Memory, 3, 1)[1:] == own[1:]
    Memory.laid = [0, 3, 10, 10]
    assert find_shown(Memory, 3, 1)[1] == own[1], "nobody could doubt an own set"
