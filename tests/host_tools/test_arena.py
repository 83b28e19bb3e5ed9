"""The arena: each deal in all seatings, the same on one core and on two, going on from a file, and honest intervals."""

import json
import re
import subprocess
import sys
from statistics import correlation

import pytest

from cardtable.games import cals_bs
from host_tools import cli
from host_tools.minds.arena import ladder
from host_tools.minds.arena.luck import has_draws, play_and_weigh
from host_tools.minds.arena.plan import Job, list_seatings, make_jobs
from host_tools.minds.arena.play import Results, run
from host_tools.minds.arena.report import figures, write_lines
from host_tools.minds.arena.score import rate, score_pairs, score_players, take_luck_out
from host_tools.minds.intervals import Share, measure, measure_within, sure
from host_tools.minds.players import find_player
from tests.conftest import ROOT
from tests.host_tools.dask_cluster import dask_cluster
from tests.host_tools.players.games import plain_match
from tests.patience import PATIENCE_S


ARENA = ("arena", "--game", "durak", "--players", "beginner,random")


def arena(*more):
    words = [sys.executable, "-m", "host_tools.cli", *ARENA, *more]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=2 * PATIENCE_S)


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
    with dask_cluster(2, threads=1) as cluster:
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
     ("--game", "malice", "--seats", "5")],
)  # fmt: skip
def test_what_cannot_be_played_is_one_sentence(more, capsys):
    assert cli.run([*ARENA, *more]) == 2
    assert capsys.readouterr().err.count("\n") == 1


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
    jobs = [Job(deal, seating) for deal in range(6) for seating in (("a", "b"), ("b", "a"))]
    scores = {job.key: [1.0, 0.0] for job in jobs}  # who sits first wins
    assert score_players(jobs, scores)["a"].mean == 0.5 and score_pairs(jobs, scores)["a", "b"].mean == 0
    assert abs(rate(jobs, scores)["a"] - rate(jobs, scores)["b"]) < 200


def test_an_interval_of_scores_lies_within_what_a_score_can_be():
    """Of skewed deals as few games bring them: inside of 0 to 100, as sure as it says, and none from four deals."""
    from random import Random

    draw = Random(3)
    for count in (6, 12, 30, 60):
        held = 0
        for _ in range(150):
            share = measure_within([draw.choice([1, 1, 1, 1, 0.5, 0]) for _ in range(count)], 0, 1)
            assert 0 <= share.low <= share.mean <= share.high <= 1
            held += share.low <= 0.75 <= share.high
        assert held / 150 > 0.87, (count, held)
    assert not measure_within([1, 0, 1, 1], 0, 1).is_known and measure_within([1, 0, 1, 1, 1], 0, 1).is_known
    assert measure_within([1.0] * 10, 0, 1) == Share(1.0, pytest.approx(0.7), 1.0, 10)
    assert measure_within([0.0] * 10, -1, 1).half == pytest.approx(0.6), "ten deals that came out alike prove little"


def test_ratings_come_from_deals_at_any_number_of_seats():
    """Three seats where a name sits twice, scores of 85 and 65 percent: the ratings differ, in any seats."""
    jobs = [Job(deal, seating) for deal in range(20) for seating in (("a", "b", "b"), ("b", "a", "b"), ("b", "b", "a"))]
    scores = {job.key: [0.85 if name == "a" else 0.65 for name in job.seating] for job in jobs}
    ratings = rate(jobs, scores)
    assert ratings["a"] > 1550 and ratings["b"] < 1450
    assert rate(jobs[:12], scores) == {}
    told = figures("durak", 3, 4, jobs[:12], scores)
    assert told["players"][0]["low"] is None and told["players"][0]["rating"] is None
    assert write_lines(told)[-1].startswith("Fewer than 5 deals")


def test_luck_taken_out_leaves_the_mean_and_narrows_the_interval():
    """Over 300 arenas of 24 deals, luck and noise as large as in Durak: what is left is as right as before, and nearer.
    No deal has a say in its own factor; few deals and a game without draws stay as they are."""
    from random import Random

    draw = Random(5)
    plain, left = [], []
    for _ in range(300):
        luck = [draw.gauss(0, 0.4) for _ in range(24)]
        values = [0.1 + one + draw.gauss(0, 0.3) for one in luck]
        guessed = [one + draw.gauss(0, 0.25) for one in luck]
        plain.append(measure(values))
        left.append(measure(take_luck_out(values, guessed)))
    for shares in (plain, left):
        assert measure([one.mean for one in shares]).low < 0.1 < measure([one.mean for one in shares]).high
        assert 0.9 < sum(one.low <= 0.1 <= one.high for one in shares) / len(shares) < 0.98
    assert sum(one.half for one in left) < 0.85 * sum(one.half for one in plain)
    values[3] += 100
    without = take_luck_out([*values[:3], 0.0, *values[4:]], guessed)[3]
    assert take_luck_out(values, guessed)[3] - values[3] == pytest.approx(without)
    assert take_luck_out(values[:5], guessed[:5]) == values[:5] and take_luck_out(values, [0.0] * 24) == values


def test_the_draws_bring_nothing_on_average_and_what_they_bring_decides_games():
    """The value function against 40 real games: no bias, and the result goes with the luck."""
    lucks, scores = [], []
    for seed in range(40):
        match = plain_match("durak", [find_player("beginner")] * 2, seed, 3000)
        luck = play_and_weigh(match, 16)
        lost = match.game.losers(match.session.state)
        lucks.append(luck[0])
        scores.append(0.5 if not lost else 1.0 - (lost >> 1 & 1))
    share = measure(lucks)
    assert share.low < 0 < share.high, share
    assert correlation(lucks, scores) > 0.3


def test_without_luck_the_plain_figures_stand_beside(tmp_path):
    """The games are the same ones; a file keeps the luck; Cal's BS draws nothing."""
    jobs = make_jobs(["beginner", "pair-collector"], 2, 12, 1)
    plain, weighed = Results(None, {}), Results(tmp_path / "kept.jsonl", {"guesses": 4})
    run("durak", 2, jobs, plain, lambda done: None, 1)
    run("durak", 2, jobs, weighed, lambda done: None, 1, "", 4)
    assert plain.scores == weighed.scores and not plain.lucks and set(weighed.lucks) == {job.key for job in jobs}
    again = Results(tmp_path / "kept.jsonl", {"guesses": 4})
    assert (again.scores, again.lucks) == (weighed.scores, weighed.lucks)
    told = [figures("durak", 2, 12, jobs, plain.scores, lucks) for lucks in ({}, again.lucks)]
    for old, new in zip(told[0]["ahead"], told[1]["ahead"], strict=True):
        assert new["plain"] == old["plain"] == {key: old[key] for key in new["plain"]} and new["score"] != old["score"]
    assert "; with luck " in write_lines(told[1])[-1] and "; with luck " not in write_lines(told[0])[-1]
    assert "without the luck of the draws" in write_lines(told[1])[0] and told[0]["players"] != told[1]["players"]
    done = arena("--game", "cals-bs", "--without-luck", "4")
    assert done.returncode == 2 and "no card is drawn" in done.stderr and not has_draws(cals_bs)


def test_the_ladder_is_a_page_of_all_games(tmp_path, monkeypatch):
    """Every player of every game stands in the fields; the page says place, rating, interval, and its own command."""
    fields = ladder.list_fields(["engine:first-move"])
    assert {line.split()[0]: len(players) for line, _, players in fields} == {
        "bailiff": 6, "cals-bs": 7, "durak": 10, "malice": 6}
    assert all("search:16" in players and players[-1] == "engine:first-move" for _, _, players in fields)
    small = [("bailiff move_limit=20", 2, ["beginner", "random"]),
             ("durak deck=24", 2, ["beginner", "novice", "random"])]
    monkeypatch.setattr(ladder, "list_fields", lambda engines: small)
    path = tmp_path / "ladder.md"
    words = ["arena", "--ladder", str(path), "--games", "6", "--jobs", "1"]
    pages = []
    for _ in range(2):
        assert cli.run(words) == 0
        pages.append(path.read_text())
    assert pages[0] == pages[1] and f"arena --ladder {path} --games 6 --seed 1\n" in pages[0]
    rows = [line for line in pages[0].splitlines() if re.match(r"\| [0-9]", line)]
    assert [row.split(" | ")[0] for row in rows] == ["| 1", "| 2", "| 1", "| 2", "| 3"]
    assert re.fullmatch(r"\| 1 \| `beginner` \| 1[5-9]\d\d \| \d+\.\d \| \d+\.\d to \d+\.\d \| [01] of 1 \|", rows[0])
    assert rows[-1].startswith("| 3 | `random`") and "## Bailiff" in pages[0] and "`durak deck=24`, 2 seats" in pages[0]


def test_what_does_not_go_with_a_ladder_is_one_sentence(tmp_path, capsys):
    for more in (["--players", "beginner,random"], ["--game", "malice"], ["--json"]):
        assert cli.run(["arena", "--ladder", str(tmp_path / "ladder.md"), *more]) == 2
        assert capsys.readouterr().err.count("\n") == 1
