"""The arena: each deal in all seatings, the same on one core and on two, going on from a file, and honest intervals."""

import json
import subprocess
import sys

import pytest
from distributed import LocalCluster

from host_tools.arena.plan import Job, list_seatings, make_jobs
from host_tools.arena.play import Results, run
from host_tools.arena.score import measure, rate, score_pairs, score_players, sure
from tests.conftest import ROOT


def arena(*more):
    words = [sys.executable, "-m", "host_tools.cli", "arena", "--game", "durak", "--players", "beginner,random", *more]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)


def test_each_deal_is_played_in_all_seatings():
    assert list_seatings(["a", "b"], 2) == [("a", "b"), ("b", "a")]
    assert len(list_seatings(["a", "b", "c"], 2)) == 6 and len(list_seatings(["a", "b", "c"], 3)) == 6
    assert set(list_seatings(["a", "b"], 3)) == {
        ("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a"), ("b", "a", "a"), ("a", "b", "a"), ("a", "a", "b"),
    }  # fmt: skip
    assert len(list_seatings([*"abcd"], 4)) == 4
    jobs = make_jobs(["a", "b"], 2, 3, 7)
    assert [job.deal for job in jobs] == [7, 7, 8, 8, 9, 9] and len({job.key for job in jobs}) == 6


def test_the_same_results_on_two_cores_and_from_a_file(tmp_path):
    """One process, two, and a file that was cut off in the middle of a line: the same figures."""
    alone = arena("--games", "6", "--jobs", "1", "--json")
    kept = tmp_path / "kept.jsonl"
    both = arena("--games", "6", "--jobs", "2", "--json", "--resume", str(kept))
    assert alone.returncode == both.returncode == 0 and alone.stdout == both.stdout
    lines = kept.read_text().splitlines()
    assert len(lines) == 13
    kept.write_text("\n".join(lines[:5]) + "\n" + lines[5][:9])
    again = arena("--games", "6", "--jobs", "1", "--json", "--resume", str(kept))
    assert again.stdout == alone.stdout
    other = arena("--games", "6", "--seed", "2", "--jobs", "1", "--resume", str(kept))
    assert other.returncode == 2 and "another arena" in other.stderr


def test_with_one_player_in_every_game(tmp_path):
    """`--with`: the others never meet, and each of them is compared with that one."""
    jobs = make_jobs(["a", "b", "c"], 2, 2, 1, "b")
    assert {job.seating for job in jobs} == {("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")}
    told = json.loads(arena("--players", "beginner,random,card-counter", "--with", "random", "--games", "2", "--jobs",
                            "1", "--json").stdout)
    assert told["games"] == 8 and {row["player"] for row in told["ahead"] if row["of"] != "random"} == {"random"}
    done = arena("--with", "nobody")
    assert done.returncode == 2 and done.stderr.count("\n") == 1


def test_a_cluster_plays_the_same_games(tmp_path):
    """The executor of `cardtable replay`: the workers of a Dask scheduler."""
    jobs = make_jobs(["beginner", "random"], 2, 5, 1)
    found = {}
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", host="127.0.0.1",
                      dashboard_address=None) as cluster:
        for address in ("", cluster.scheduler_address):
            results = Results(None, {})
            run("durak", 2, jobs, results, lambda done: None, 1, address)
            found[address] = results.scores
    assert len(set(map(str, found.values()))) == 1 and len(results.scores) == 10
    done = arena("--cluster", "127.0.0.1")
    assert done.returncode == 2 and "no address of a Dask scheduler" in done.stderr


def test_the_stronger_stands_first_with_its_interval():
    told = json.loads(arena("--games", "8", "--jobs", "1", "--json").stdout)
    first, second = told["players"]
    assert first["name"] == "beginner" and first["low"] > second["high"] and first["rating"] > 1500 > second["rating"]
    text = arena("--games", "8", "--jobs", "1").stdout
    assert "beginner is ahead of random by" in text and "95 % interval" in text


@pytest.mark.parametrize(
    "more",
    [("--players", "beginner"), ("--players", "beginner,beginner"), ("--players", "beginner,nobody"),
     ("--players", "beginner,doubter"), ("--game", "chess"), ("--game", "durak deck=7"),
     ("--game", "malice", "--seats", "3")],
)  # fmt: skip
def test_what_cannot_be_played_is_one_sentence(more):
    done = arena(*more)
    assert done.returncode == 2 and done.stderr.count("\n") == 1


def test_an_interval_holds_what_it_says():
    """Of means of 40 coin tosses about 95 in 100 intervals hold the half; few values are less sure; and cards that all
    had tell nothing."""
    from random import Random

    draw = Random(1)
    held = 0
    for _ in range(400):
        share = measure([float(draw.random() < 0.5) for _ in range(40)])
        held += share.low <= 0.5 <= share.high
    assert 0.9 < held / 400 < 0.98
    assert [round(sure(count), 2) for count in (2, 6, 11, 31, 1001)] == [12.71, 2.57, 2.24, 2.05, 1.96]
    jobs = [Job(deal, seating) for deal in range(4) for seating in (("a", "b"), ("b", "a"))]
    scores = {job.key: [1.0, 0.0] for job in jobs}  # who sits first wins
    assert score_players(jobs, scores)["a"].half == 0 and score_pairs(jobs, scores)["a", "b"].mean == 0
    assert abs(rate(jobs, scores)["a"] - rate(jobs, scores)["b"]) < 200
