"""Seating: everybody once, sizes that fit, byes and seats fair, and the checker that says so of any plan."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host_tools.club.tournament.checking import Seated, check_round, shared
from host_tools.club.tournament.rounds import seat_round
from host_tools.club.tournament.seating import STEPS, Past, Person, Search, Wanted, choose_sizes, fewest_pairs, seat
from tests.host_tools.tournament.made import begin, enter_all

SIZES = st.tuples(st.integers(2, 6), st.integers(2, 6), st.integers(2, 6)).map(sorted)
REPEATS = 8  # rounds


def check_seating(names, groups, byes, wanted):
    return check_round(Seated(groups, byes), wanted.low, wanted.high, wanted.tables, names)


def crowd(count, clubs=0):
    return [Person(f"p{at}", f"c{at % clubs}" if clubs else "") for at in range(count)]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 50), SIZES, st.just(0) | st.integers(1, 8), st.integers(0, 9), st.booleans(), st.integers(0, 99))
def test_a_plan_always_comes_and_is_right(count, sizes, tables, clubs, by_standing, seed):
    people = crowd(count, clubs)
    wanted = Wanted(*sizes, tables, by_standing)
    past = Past()
    for number in range(2):
        made = seat(people, past, wanted, seed + number)
        assert check_seating([one.name for one in people], made.groups, made.byes, wanted) == []
        if tables == 0 and count >= wanted.low and wanted.low < wanted.high:
            assert len(made.byes) < wanted.low
        assert made == seat(people, past, wanted, seed + number), "the same facts and seed give the same plan"
        past.add(made.groups, made.byes)
        assert bool(made.byes) == any("out:" in line for line in made.gave_up)


@settings(max_examples=10, deadline=None)
@given(st.integers(2, 6), st.integers(5, 30), st.integers(0, 99))
def test_nobody_sits_out_twice_before_all_have(size, count, seed):
    people, past = crowd(count), Past()
    for number in range(REPEATS):
        made = seat(people, past, Wanted(size, size, size, 0, bool(number)), seed + number)
        past.add(made.groups, made.byes)
        times = [past.byes[one.name] for one in people]
        assert max(times) - min(times) <= 1


def test_a_seat_comes_to_everybody_in_turn():
    people, past = crowd(24), Past()
    for number in range(8):
        past.add(seat(people, past, Wanted(4, 4, 4, 0, False), number).groups)
    for one in people:
        assert max(past.seats[one.name].values()) - min(past.seats[one.name][at] for at in (1, 2, 3, 4)) <= 2


def test_nobody_meets_again_while_there_is_room():
    """16 players in fours have five such rounds; a greedy plan keeps three at least, and 32 players five."""
    for count, rounds in ((16, 3), (32, 5)):
        people, past = crowd(count), Past()
        for number in range(rounds):
            made = seat(people, past, Wanted(4, 4, 4, 0, False), number)
            past.add(made.groups)
            assert made.gave_up == [], (count, number)


@pytest.mark.parametrize("count, rounds, over", [(6, 4, 0), (7, 4, 0), (8, 4, 0), (9, 4, 0), (10, 4, 2), (11, 4, 2),
                                                 (12, 4, 0)])
def test_few_players_meet_again_no_more_often_than_they_must(count, rounds, over):
    """Tables of three or four. Each two rounds share so many pairs at least; over: how many more all rounds may. And
    the plan says how many nobody can avoid."""
    people, past, least = crowd(count), Past(), 0
    for number in range(rounds):
        made = seat(people, past, Wanted(3, 4, 4, 0, bool(number)), number)
        bounds = [shared(Seated(made.groups, made.byes), Seated(one)) for one in past.rounds]
        least += sum(bounds)
        if any(bounds):
            assert f"no plan has fewer than {max(bounds)}." in made.gave_up[0]
        past.add(made.groups)
    again = sum(times * (times - 1) // 2 for met in past.met.values() for times in met.values()) // 2
    assert least <= again <= least + over


def test_clubs_and_teams_are_kept_apart_and_the_rest_is_told():
    made = seat(crowd(24, 6), Past(), Wanted(4, 4, 4, 0, True), 1)
    assert made.gave_up == []
    crowded = [Person(f"p{at}", "all") for at in range(12)]
    made = seat(crowded, Past(), Wanted(4, 4, 4), 1)
    assert "18 pairs meet of one club" in made.gave_up[0] and "no plan has fewer than 18" in made.gave_up[0]
    assert fewest_pairs(Counter({"all": 5}), [(), (), ()]) == 2


def test_sizes():
    assert choose_sizes(10, Wanted(2, 4, 6)) == [4, 3, 3] or choose_sizes(10, Wanted(2, 4, 6)) == [5, 5]
    assert choose_sizes(7, Wanted(4, 4, 4)) == [4] and choose_sizes(1, Wanted(2, 4, 6)) == []
    assert choose_sizes(20, Wanted(2, 4, 6, tables=3)) == [6, 6, 6]


def test_a_thousand_tables_take_bounded_steps(monkeypatch):
    people, past, steps = crowd(4000, 40), Past(), []
    gain = Search.gain
    monkeypatch.setattr(Search, "gain", lambda search, one, other: steps.append(one) or gain(search, one, other))
    for number in range(2):
        steps.clear()
        made = seat(people, past, Wanted(4, 4, 4, 0, bool(number)), number)
        assert check_seating([one.name for one in people], made.groups, made.byes, Wanted(4, 4, 4)) == []
        past.add(made.groups)
        assert 0 < len(steps) <= STEPS + len(people), "what one player is tried with may go beyond"


def test_the_checker_finds_what_is_wrong():
    wanted = Wanted(2, 2, 3, tables=1)
    assert check_seating("ab", [("a", "b")], [], wanted) == []
    assert check_seating("abc", [("a", "b")], [], wanted) == ["c is there 0 times"]
    assert "a is there 2 times" in check_seating("ab", [("a", "b", "a")], [], wanted)
    assert check_seating("ab", [("a", "x")], ["b"], wanted) == ["x is not in the tournament"]
    assert check_seating("a", [("a",)], [], wanted) == ["a table has 1 players"]
    assert check_seating("abcd", [("a", "b"), ("c", "d")], [], wanted) == ["2 tables are used, and there are 1"]


def test_a_round_robin_of_pairs_meets_everybody_once(tmp_path):
    names = [f"player {at}" for at in range(7)]
    director = begin(tmp_path / "x.sqlite", names, format="round-robin", low=2, best=2, high=2, rounds=7,
                     game="malice")
    met, byes = Counter(), Counter()
    for _ in range(7):
        seat_round(director, "arbiter")
        enter_all(director, names.index)
        one = director.state.round
        met.update(frozenset(group) for group in one.groups.values())
        byes.update(one.byes)
    assert len(met) == 21 and set(met.values()) == {1} and set(byes.values()) == {1} and len(byes) == 7
    director.close()
