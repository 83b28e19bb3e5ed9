"""Formats, corrections, people who come and go, undo, backups: each is an event, and the state follows from the log."""

import random
import sqlite3
import threading

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.cli import run
from host_tools.club.tournament.backup import backup, restore
from host_tools.club.tournament.by_hand import correct_places
from host_tools.club.tournament.designed import rests_fairly
from host_tools.club.tournament.director import open_director
from host_tools.club.tournament.exported import make_files
from host_tools.club.tournament.intake import COUNTED, DISPUTED, offer, offer_all, orders
from host_tools.club.tournament.people import add_players
from host_tools.club.tournament.pages import evening
from host_tools.club.tournament.plan import COUNTS, FOOLS, KNOCK_OUT, WINNERS, Plan, check_plan
from host_tools.club.tournament.prizes import count_pool, find_prizes
from host_tools.club.tournament.recompute import read_rulings, recompute
from host_tools.club.tournament.results import Outcome
from host_tools.club.tournament.rehearse import play_at_random
from host_tools.club.tournament.roles import Visitor
from host_tools.club.tournament.site import do_close
from host_tools.club.tournament.rounds import find_misfits, is_over, next_round, seat_round, still_in
from host_tools.club.tournament.standings import Counted, score, standings, whole_points, write_csv
from host_tools.club.tournament.state import Unfit
from host_tools.club.tournament.teams import team_rows
from host_tools.club.tournament.wording import Wording
from tests.host_tools.tournament.made import NAMES, begin, enter_all, play_round, played


@pytest.mark.parametrize(("counts", "advance"), [(FOOLS, 0), (WINNERS, 0), (WINNERS, 1)])
def test_a_knock_out_ends_with_one_winner(tmp_path, counts, advance):
    """durak:262-264: many players, several stages, one winner."""
    director = begin(tmp_path / "x.sqlite", format=KNOCK_OUT, counts=counts, advance=advance, low=2, best=4, high=6)
    stages = []
    while not is_over(director.state):
        stages.append(set(still_in(director.state)))
        assert len(stages) < 12 and seat_round(director, "arbiter")
        enter_all(director)
    assert all(later < earlier for earlier, later in zip(stages, stages[1:], strict=False))
    assert still_in(director.state) == ["Anna"] == [director.standings()[0].name]
    with pytest.raises(Unfit, match="over: Anna won"):
        next_round(director.state)
    with pytest.raises(Unfit, match="nobody can join"):
        add_players(director, "arbiter", [("Late", "", "")])
    last = stages[-1]
    assert {row.name for row in director.standings()[: len(last)]} == last
    director.close()


def test_a_changed_result_of_an_earlier_stage_says_who_no_longer_fits_the_next_one(tmp_path, monkeypatch, capsys):
    """The next stage stayed as it was seated, and a correction said nothing about it."""
    director = begin(tmp_path / "x.sqlite", NAMES[:8], format=KNOCK_OUT, counts=FOOLS, low=2, best=4, high=4)
    seat_round(director, "arbiter")
    enter_all(director)
    director.act("arbiter", "player left", name="Anna", reason="ill", refund=False)
    seat_round(director, "arbiter")
    director.act("arbiter", "player back", name="Anna")
    assert find_misfits(director.state) == [], "who was away when it was seated is not missed there"
    groups = director.state.rounds[0].groups.items()
    table, group = next((table, group) for table, group in groups if "Anna" not in group)
    order = sorted(group, key=NAMES.index)
    out, through = order[0], order[-1]
    monkeypatch.setenv("CARDTABLE_DATABASE", str(tmp_path / "x.sqlite"))
    assert run(["tournament", "correct", table, "; ".join(reversed(order)), "--round", "1", "--reason", "misread"]) == 0
    told = capsys.readouterr().out
    assert f"Seated in round 2, but out by the results of round 1 as they are now: {out}.\n" in told
    assert f"Through by the results of round 1 as they are now, but not seated in round 2: {through}.\n" in told
    for visitor, is_told in ((Visitor("arbiter", "Olga"), True), (Visitor(), False)):
        page = evening(director.state, visitor, director.room, Wording("ru"))
        assert (f"не играют те, кто по нынешним результатам тура 1 проходит дальше: {through}." in page) is is_told
    assert run(["tournament", "undo", str(director.state.last)]) == 0
    assert "round 2" not in capsys.readouterr().out and find_misfits(director.state) == []
    director.close()


def test_points_of_a_game():
    four = Outcome((("a",), ("b",), ("c",), ("d",)), ("d",))
    assert score(four, "places") == {"a": 120, "b": 80, "c": 40, "d": 0}
    assert score(four, "fools") == {"a": 120, "b": 120, "c": 120, "d": 0}
    assert score(four, "winners") == {"a": 120, "b": 0, "c": 0, "d": 0}
    assert score(Outcome((("a",), ("b", "c"))), "places") == {"a": 120, "b": 30, "c": 30}
    for count in range(2, 8):
        places = tuple((str(at),) for at in range(count))
        assert sum(score(Outcome(places), "places").values()) == 60 * count
        shared = score(Outcome((*places[:-2], tuple(name for place in places[-2:] for name in place))), "places")
        assert sum(shared.values()) == 60 * count, "a shared place loses nothing"


@pytest.mark.parametrize("counts", COUNTS)
def test_the_whole_points_are_those_of_the_standings(counts):
    """A knock-out asks for the points alone, in each round."""
    rng, results = random.Random(29), []
    for number in range(60):
        names = rng.sample("abcdefghijkl", rng.randrange(2, 8))
        places = tuple((name,) for name in names[:-2]) + (tuple(sorted(names[-2:])),)
        results.append(Counted(number // 3, f"t{number % 3}", 1, "", Outcome(places, tuple(names[:-3:-1]))))
    sat_out = [(number, rng.choice("abcdefghijklmn"), rng.randrange(1, 4)) for number in range(20)]
    rows = standings(results, sat_out, counts)
    assert {row.name: row.points for row in rows} == whole_points(results, sat_out, counts) and len(rows) > 12


def test_ties_are_broken_in_the_order_that_is_documented():
    def row(name, **facts):
        return Counted(1, name, 1, "", Outcome(((name,), (name + "'s opponent",)), **facts))

    found = standings([row("b", lost=("b",)), row("a"), row("c", marks=(("c", 2),))], [], "places")
    assert [one.name for one in found][:3] == ["a", "c", "b"] and [one.rank for one in found][:3] == [1, 2, 3]
    assert found[3].rank == found[4].rank == 4, "equal in all: they share the rank"


def test_people_come_late_leave_do_not_show_and_return(tmp_path):
    director = begin(tmp_path / "x.sqlite", NAMES[:9], low=3, best=3, high=3, rounds=5)
    seat_round(director, "arbiter")
    group = next(iter(director.state.round.groups.values()))
    director.act("arbiter", "no show", name=group[0])
    assert director.state.round.byes == group[1:], "two are no table of three: they sit out"
    enter_all(director)
    director.act("arbiter", "player left", name=group[0], reason="ill", refund=False)
    add_players(director, "arbiter", [("Late", "", "")])
    seat_round(director, "arbiter")
    seated = [name for one in director.state.round.groups.values() for name in one]
    assert "Late" in seated and group[0] not in seated and len(seated) == 9
    enter_all(director, lambda name: (NAMES.index(name) if name in NAMES else 99))
    director.act("arbiter", "player back", name=group[0])
    for again in (lambda: director.act("arbiter", "player back", name=group[0]),
                  lambda: director.act("arbiter", "player left", name="Nobody", reason="x", refund=False),
                  lambda: director.act("arbiter", "player left", name="Late", reason="x", refund=True),
                  lambda: add_players(director, "arbiter", [("New", "", ""), ("Anna", "", "")])):
        with pytest.raises(Unfit):
            again()
    assert "New" not in director.state.players, "all of them, or nobody"
    assert count_pool(director.state) == 0
    director.close()


def test_corrections_rulings_and_undo(tmp_path):
    director = begin(tmp_path / "x.sqlite", NAMES[:8], rounds=2)
    play_round(director)
    order_of = {table: list(group) for table, group in director.state.round.groups.items()}
    table = "table-1"
    places = "; ".join(reversed(order_of[table]))
    before = write_csv(director.standings())
    correct_places(director, "arbiter", (1, table, None), places, None, False, "seats were mixed up")
    assert write_csv(director.standings()) != before
    files = make_files(director)
    kept = [(name, content) for name, content in files.items() if name.endswith(".rec")]
    rows, _ = recompute(kept, read_rulings(files["rulings.json"].decode(), "rulings.json"))
    assert write_csv(rows).encode() == files["standings.csv"] == write_csv(director.standings()).encode()
    number = director.state.last
    director.undo("arbiter", number, "no, it was right")
    assert write_csv(director.standings()) == before
    director.undo("arbiter", number + 1, "it was wrong after all")
    assert write_csv(director.standings()) == write_csv(rows)
    seated = next(event.number for event in director.events if event.kind == "seated")
    with pytest.raises(Unfit, match="because of what came later"):
        director.undo("arbiter", seated, "x")
    for number in (1, 999):
        with pytest.raises(Unfit):
            director.undo("arbiter", number, "x")
    assert write_csv(director.standings()) == write_csv(rows) and director.state.last == len(director.events)
    director.close()


def test_an_undone_record_counts_when_it_comes_again(database):
    director = begin(database, NAMES[:4])
    seat_round(director, "arbiter")
    record = played(orders(director)[0])
    offer(director, record, "x")
    director.undo("arbiter", director.state.last, "too early")
    assert not director.state.results and offer(director, record, "x").status == COUNTED
    director.close()


def test_a_closed_round_takes_late_records_only_by_the_arbiter(tmp_path):
    director = begin(tmp_path / "x.sqlite", NAMES[:8])
    seat_round(director, "arbiter")
    one, two = orders(director)
    assert offer(director, played(one), "x").status == COUNTED
    with pytest.raises(Unfit, match="still lacks 1 game"):
        seat_round(director, "arbiter")
    director.act("arbiter", "closed", round=1, reason="a fire alarm")
    seat_round(director, "arbiter")
    late = offer(director, played(two), "x")
    assert late.status == DISPUTED and "fire alarm" in late.reason
    director.close()


def test_teams_never_meet_and_their_points_add_up(tmp_path):
    director = begin(tmp_path / "x.sqlite", NAMES, teams=("Reds", "Blues", "Greens", "Golds"), rounds=2)
    for _ in range(2):
        play_round(director)
        for group in director.state.round.groups.values():
            teams = [director.state.players[name].team for name in group]
            assert len(set(teams)) == len(teams)
    rows = director.standings()
    teams = team_rows(director.state, rows)
    assert sum(points for _, _, points, _ in teams) == sum(row.points for row in rows) and len(teams) == 4
    director.close()


def test_a_backup_restores_everything(database, tmp_path):
    director = begin(database, NAMES[:8], rounds=1, fee=500, added=1)
    play_round(director)
    copy = tmp_path / "copy.sqlite"
    events, records = backup(director.store, copy)
    assert (events, records) == (len(director.events), 2)
    assert [path.name for path in tmp_path.glob("copy*")] == [copy.name]
    with pytest.raises(UnusableInput, match="replaces nothing"):
        backup(director.store, copy)
    assert restore(copy, str(tmp_path / "new.sqlite")) == (events, records)
    with pytest.raises(UnusableInput, match="has a tournament already"):
        restore(copy, str(tmp_path / "new.sqlite"))
    again = open_director(str(tmp_path / "new.sqlite"))
    assert make_files(again) == make_files(director) and again.events == director.events
    prizes = find_prizes(count_pool(again.state), again.plan.prizes, again.standings())
    assert sum(prizes.values()) == 4001
    again.close()
    director.close()


@pytest.mark.parametrize(("plan", "why"), [
    (Plan("x", low=2, best=2, high=7), "takes 2 to 6 players"),
    (Plan("x", game="whist"), "whist"),
    (Plan("x", game="durak teams=2x2"), "with 2 players"),
    (Plan("x", format=KNOCK_OUT), "a knock-out counts"),
    (Plan("x", advance=1), "--advance belongs"),
    (Plan("x", format=KNOCK_OUT, counts=WINNERS, advance=2), "has to leave"),
    (Plan("x", is_duplicate=True), "one size"),
    (Plan("a\nb"), "no name"), (Plan(""), "is empty"), (Plan("x" * 61), "more than 60"),
])  # fmt: skip
def test_a_plan_that_cannot_be_is_one_sentence(plan, why):
    with pytest.raises(UnusableInput, match=why) as wrong:
        check_plan(plan)
    assert "\n" not in str(wrong.value)


@pytest.mark.parametrize(("column", "value"), [
    ("data", "{"), ("data", "[]"), ("data", '{"name": 1}'), ("kind", "nonsense"), ("data", '{"plan": {"x": 1}}'),
])  # fmt: skip
def test_a_log_that_somebody_else_wrote_is_one_sentence(tmp_path, column, value):
    path = tmp_path / "x.sqlite"
    begin(path, NAMES[:2]).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE events SET {column} = ?", (value,))
    connection.close()
    for work in (lambda: open_director(str(path)), lambda: restore(path, str(tmp_path / "new.sqlite"))):
        with pytest.raises(UnusableInput, match="log is damaged|there is no tournament"):
            work()
    assert not (tmp_path / "new.sqlite").exists()


@pytest.mark.parametrize("plan", [
    {"counts": "fools", "low": 2, "best": 2, "high": 2, "games": 2, "game": "durak throw-in"},
    {"counts": "winners", "low": 2, "best": 3, "high": 3, "games": 2},
    {"counts": "fools", "low": 3, "best": 4, "high": 5},
])  # fmt: skip
def test_who_wins_a_knock_out_stands_first_also_after_a_drawn_final(tmp_path, plan):
    """And it is over: a final of three leaves two, where tables take three."""
    for seed in range(8):
        director = begin(tmp_path / f"{seed}.sqlite", NAMES[:6], format="knock-out", **{**plan, "seed": seed})
        for _ in range(6):
            if is_over(director.state):
                break
            seat_round(director, "arbiter")
            while found := orders(director):
                offer_all(director, [(play_at_random(order, 100 * seed + order.round), "x") for order in found])
        assert is_over(director.state)
        won, first = still_in(director.state), [row.name for row in director.standings() if row.rank == 1]
        assert won and (set(won) >= set(first) or set(first) >= set(won)), (seed, won, first)
        with pytest.raises(Unfit, match="won"):
            seat_round(director, "arbiter")
        director.close()


def test_a_round_robin_of_two_tells_who_meets_again_when_people_come_late(tmp_path):
    """The circle turns for those who began; then the plan with the fewest repeats, which are told."""
    director = begin(tmp_path / "a.sqlite", NAMES[:8], format="round-robin", low=2, best=2, high=2, rounds=7)
    met = set()
    for number in range(1, 7):
        if number == 4:
            add_players(director, "arbiter", [("Vova", "", ""), ("Zina", "", "")])
        one = seat_round(director, "arbiter")
        pairs = {frozenset(group) for group in one.groups.values()}
        again = pairs & met
        assert not again or any("again" in line for line in one.gave_up), (number, again)
        met |= pairs
        enter_all(director, rank=lambda name: name)
    assert len(met) == 3 * 4 + 3 * 5, "27 pairs, and none twice"
    director.close()


def test_a_round_that_is_closed_twice_is_closed_once(tmp_path):
    """A double click, or two arbiters at one alarm; and behind the last round no other is asked for."""
    director = begin(tmp_path / "a.sqlite", rounds=2)
    seat_round(director, "arbiter")
    form = {"round": "1", "reason": "the alarm"}
    do_close(director, "Olga", form)
    with pytest.raises(Unfit):
        do_close(director, "Olga", form)
    assert [bool(one.closed) for one in director.state.rounds] == [True, False]
    do_close(director, "Olga", {**form, "round": "2"})
    assert is_over(director.state) and len(director.state.rounds) == 2
    director.close()


def test_a_round_is_closed_and_the_next_one_seated_at_once(tmp_path, monkeypatch):
    """They were written one after the other: a program that ended in between left a closed round and no other."""
    director = begin(tmp_path / "tournament.sqlite", rounds=3)
    seat_round(director, "arbiter")
    written = []
    append = type(director.store).append

    def note(store, connection, events, records):
        written.append([event.kind for event in events])
        append(store, connection, events, records)

    monkeypatch.setattr(type(director.store), "append", note)
    do_close(director, "Olga", {"round": "1", "reason": "the alarm"})
    assert run(["tournament", "round", "--close", "the rain", "--database", str(tmp_path / "tournament.sqlite")]) == 0
    assert written == [["closed", "seated"]] * 2
    assert [one.closed for one in director.state.rounds] == ["the alarm", "the rain", ""]
    director.close()


def test_a_round_behind_which_none_can_be_seated_is_closed_and_the_reason_told(tmp_path, capsys):
    """It was closed, and the command ended with an error that did not say so."""
    director = begin(tmp_path / "tournament.sqlite", NAMES[:3], rounds=3, low=3, best=3, high=3)
    seat_round(director, "arbiter")
    for name in NAMES[:2]:
        director.act("arbiter", "player left", name=name, reason="ill", refund=False)
    assert run(["tournament", "round", "--close", "all ill", "--database",
                    str(tmp_path / "tournament.sqlite")]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Round 1 is closed, and no other is seated: ") and "1" in out.partition("seated: ")[2], out
    assert director.state.rounds[0].closed == "all ill" and len(director.state.rounds) == 1
    director.close()


def test_nobody_sits_out_again_before_the_others_have():
    """A plan whose turn it is not, after a no-show has broken a table, is not taken; and it is told as it is."""
    assert rests_fairly([(0, True), (0, False), (1, False)]) and rests_fairly([(1, True), (1, True)])
    assert not rests_fairly([(1, True), (0, False), (1, False)])
    ru = Wording("ru")
    told = [ru.retell(f"Anna sat out before{end}") for end in (".", ": so has everybody else.")]
    assert len(set(told)) == 2 and all("sat out" not in one for one in told)


def test_standings_are_computed_while_no_result_can_come(tmp_path, monkeypatch):
    """A dictionary that grows meanwhile ended pages of large evenings in an error."""
    director = begin(tmp_path / "a.sqlite")
    got = []

    def look(*_):
        other = threading.Thread(target=lambda: got.append(director._lock.acquire(blocking=False)))
        other.start()
        other.join()
        return []

    monkeypatch.setattr("host_tools.club.tournament.director.standings", look)
    assert director.standings() == [] and got == [False]
    director.close()
