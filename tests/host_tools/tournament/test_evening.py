"""An evening planned as a whole: no repeats where none are needed, seats in turn, and the checker that counts."""

import pytest

from host_tools.club.tournament.checking import Seated, count_met, fewest_repeats, tell_rounds
from host_tools.club.tournament.designed import choose_groups, find_plan
from host_tools.club.tournament.evening import by_field, plan_evening, times
from host_tools.club.tournament.people import add_players
from host_tools.club.tournament.results import make_outcome
from host_tools.club.tournament.rounds import seat_round
from host_tools.club.tournament.seating import Past, Person, Wanted, seat
from host_tools.club.tournament.standings import Counted, standings
from tests.host_tools.tournament.made import begin, enter_all

FOURS = {"low": 4, "best": 4, "high": 4}
REPEATS, GAP, RUNNING = ("meetings of two who met before",
                         "the widest gap between how often a player had one seat and another",
                         "players with one seat three times running")


def crowd(count):
    return [f"player {at:02}" for at in range(count)]


def rounds_of(director):
    return [Seated(list(one.groups.values()), one.byes) for one in director.state.rounds]


def told(rounds, clubs=(), teams=()):
    return {one.what: one for one in tell_rounds(rounds, dict(clubs), dict(teams))}


def play(director, names, rounds):
    for _ in range(rounds):
        seat_round(director, "arbiter")
        enter_all(director, names.index)


@pytest.mark.parametrize("form", ["points", "round-robin"])
def test_sixteen_in_fours_meet_everybody_once_in_five_rounds(tmp_path, form):
    """The most common evening there is. Rounds that were found one after the other met a dead end: 8 repeats."""
    names = crowd(16)
    director = begin(tmp_path / "x.sqlite", names, format=form, **FOURS)
    play(director, names, 5)
    met = count_met(rounds_of(director))
    assert len(met) == 120 and set(met.values()) == {1}
    assert all(one.gave_up == [] for one in director.state.rounds)
    assert told(rounds_of(director))[REPEATS].tell() == f"{REPEATS}: 0"
    director.close()


def test_who_leaves_does_not_end_the_plan_and_who_joins_does(tmp_path):
    names = crowd(16)
    director = begin(tmp_path / "x.sqlite", names, low=3, best=4, high=4)
    play(director, names, 2)
    director.act("arbiter", "player left", name=names[3], reason="ill", refund=False)
    play(director, names, 1)
    assert max(count_met(rounds_of(director)).values()) == 1
    add_players(director, "arbiter", [("Late", "", "")])
    play(director, [*names, "Late"], 2)
    assert len(director.state.rounds) == 5 and told(rounds_of(director))[REPEATS].count <= 8
    director.close()


def test_clubs_stand_apart_within_the_plan():
    """Sixteen of four clubs over four rounds: they meet in the fifth class of the plane, which is not played."""
    everybody = [Person(f"p{at}", f"club {at % 4}") for at in range(16)]
    past, clubs = Past(), {one.name: one.club for one in everybody}
    for number in range(4):
        present = [one.name for one in everybody]
        groups = choose_groups(everybody, present, past, Wanted(4, 4, 4, 0, bool(number)), 4)
        past.add(groups)
    verdict = told([Seated(one) for one in past.rounds], clubs)
    assert verdict[REPEATS].count == 0 and verdict["meetings of two of one club"].count == 0
    mates = [Person(f"p{at}", "", f"team {at % 8}") for at in range(16)]
    assert choose_groups(mates, [one.name for one in mates], Past(), Wanted(4, 4, 4), 5) is None, "teams come first"


@pytest.mark.parametrize("tables", [3, 4, 5, 7, 8, 9, 16])
def test_a_field_gives_as_many_rounds_as_it_has_elements(tables):
    elements = range(tables)
    for a in elements[1:]:
        assert {times(a, b, tables) for b in elements} == set(elements), "a field has no divisors of zero"
    for size in range(2, min(tables, 5) + 1):
        for short in {0, 1, tables - 1}:
            sizes = [size] * (tables - short) + [size - 1] * short
            plan = by_field(sizes, tables)
            count = sum(sizes)
            assert all(sorted(label for table in one for label in table) == list(range(count)) for one in plan)
            assert all(sorted(map(len, one), reverse=True) == sizes for one in plan)
            assert max(count_met([Seated([list(map(str, table)) for table in one]) for one in plan]).values()) == 1
    assert by_field([4] * 6, 2) is None and by_field([5] * 4, 2) is None and by_field([4] * 5, 6) is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("count", "seats", "rounds", "most"), [
    (12, (4, 4, 4), 4, 15), (17, (4, 4, 4), 5, 2), (17, (3, 4, 5), 5, 10), (24, (4, 4, 4), 5, 0), (14, (3, 4, 5), 4, 0),
    (8, (4, 4, 4), 5, 32)])
def test_where_no_field_helps_a_search_over_all_rounds_comes_near_the_least(count, seats, rounds, most):
    """Rounds found one after the other repeat 17, 5, 13, 1, 1 and 32 meetings."""
    plan = find_plan(count, Wanted(*seats), rounds)
    named = [Seated([list(map(str, table)) for table in one],
                    sorted(set(map(str, range(count))) - {str(label) for table in one for label in table}))
             for one in plan]
    assert all(len(one.names) == len(set(one.names)) == count for one in named) and len(named) == rounds
    found = told(named)
    assert fewest_repeats(named) == found[REPEATS].least <= found[REPEATS].count <= most
    assert found["times that somebody sat out once more"].count == 0
    assert plan is plan_evening(count, tuple(map(len, plan[0])), rounds, found[REPEATS].least), "found once"


def test_a_large_hall_needs_no_plan():
    assert find_plan(64, Wanted(4, 4, 4), 5) is None and find_plan(65, Wanted(4, 4, 4, 0, False), 5) is None
    assert find_plan(4, Wanted(4, 4, 4), 5) is None


@pytest.mark.parametrize(("count", "form"), [(16, "points"), (17, "points"), (7, "round-robin"), (8, "round-robin")])
def test_pairs_have_both_seats_in_turn(tmp_path, count, form):
    """Nobody has one seat thrice running where that can be, or more than twice more often than the other."""
    names = crowd(count)
    director = begin(tmp_path / "x.sqlite", names, format=form, low=2, best=2, high=2, rounds=7, game="malice")
    play(director, names, 7)
    verdict = told(rounds_of(director))
    assert verdict[REPEATS].count == 0 and verdict[GAP].count <= 2 and verdict[RUNNING].count <= 1
    director.close()


def test_two_who_need_one_seat_are_not_paired():
    past = Past()
    for other in ("c", "d"):
        past.add([("a", other), ("b", "e" if other == "c" else "f")])
    made = seat([Person(name) for name in "abcdef"], past, Wanted(2, 2, 2), 1)
    assert not any({"a", "b"} == set(group) for group in made.groups)
    assert all(group[1] == name for group in made.groups for name in "ab" if name in group)


def test_the_checker_counts_by_hand_made_rounds():
    first = Seated([("a", "b", "c", "d"), ("e", "f", "g", "h")], ["i"])
    second = Seated([("a", "b", "e", "f"), ("c", "d", "g", "i")], ["h"])
    third = Seated([("a", "b", "e", "g"), ("c", "d", "f", "h")], ["i"])
    verdict = told([first, second, third], {"a": "North", "b": "North", "c": "South"}, {"c": "red", "d": "red"})
    assert verdict[REPEATS].count == 9 and "a and b (3 times)" in verdict[REPEATS].who
    assert verdict[REPEATS].least == 3 + 3, "one of eight was not seated before, and spares one pair"
    assert verdict["meetings of two of one club"].count == verdict["meetings of two of one team"].count == 3
    assert verdict["meetings of two of one club"].least == 0
    out = verdict["times that somebody sat out once more"]
    assert (out.count, out.least, out.who) == (1, 0, "i")
    assert verdict[GAP].count == 3 and "a" in verdict[RUNNING].who


def won(table, number, *names):
    return Counted(number, table, 1, "", make_outcome([[name] for name in names], [names[-1]]))


def test_ties_do_not_go_to_who_sat_at_a_larger_table():
    """The winner of a table of three is as good as that of a table of five; a sum over opponents put him behind."""
    results = [won("one", 1, *"abcde"), won("two", 1, *"fgh"), won("three", 1, *"ijkl")]
    rows = {row.name: row for row in standings(results, [], "places")}
    assert {name for name, row in rows.items() if row.rank == 1} == {"a", "f", "i"}
    assert {row.opponents for row in rows.values()} == {6000}


def test_opponents_are_measured_without_the_player():
    results = [won("one", 1, "a", "b"), won("two", 1, "c", "d"), won("one", 2, "a", "c"), won("two", 2, "b", "d")]
    rows = {row.name: row for row in standings(results, [], "places")}
    assert rows["a"].opponents == 12000, "b and c won their other games"
    assert rows["b"].opponents == (12000 + 0) // 2 and rows["d"].opponents == 0, 'neither b nor c won another one'
    assert rows["c"].opponents == (12000 + 0) // 2 and rows["d"].rank == 4
