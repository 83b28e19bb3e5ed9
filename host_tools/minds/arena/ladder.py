"""The ladder: in each game all shipped players against each other, as one page in Markdown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from host_tools.base.languages import ENGLISH
from host_tools.judge.sentences import Sentences
from host_tools.judge.situations import list_games
from host_tools.minds.arena.plan import check_game, make_jobs, read_game
from host_tools.minds.arena.play import Results, run
from host_tools.minds.arena.report import between, figures
from host_tools.minds.arena.wording import Wording
from host_tools.minds.players import engine, list_players

GUESSES = {"search": "search:16"}  # by guesses it plays the same on every machine
LINES = {"bailiff": "bailiff move_limit=20"}  # by its own rules it seldom ends between careless players
HEAD = """# The ladder

Which virtual player is stronger, game by game. [Who they are](players.md), and \
[what else was measured](strength.md).

    {command}

writes this page again, the same from the same seed; `--engine "COMMAND"` adds [your own program](engine-protocol.md). \
All play against all, {deals} deals
in each game, each deal in all seatings. A score is the share of games that a player did not lose \
(of Cal's BS: that it won); the interval
says where it would lie after many more deals, 95 times of 100. Ratings are those of Bradley and Terry, by whole
deals: 1500 is the middle, and 400 points more are ten wins for each loss.
"""


def list_fields(engines: list[str]) -> list[tuple[str, int, list[str]]]:
    """(the `game:` line, seats, players) of each game that the table has."""
    found = []
    for name in list_games():
        line = LINES.get(name, name)
        game = read_game(line)
        players = [GUESSES.get(player, player) for player in list_players(game)] + engines
        found.append((line, game.SEAT_RANGE[0], players))
    return found


def play(fields: list[tuple[str, int, list[str]]], deals: int, seed: int, processes: int, results: Results,
         tell: Callable[[int, int], None]) -> list[dict[str, Any]]:
    """The figures of each game; tell(done, of). results: takes the sentences about engines. UnusableInput."""
    plans = [make_jobs(players, seats, deals, seed) for _, seats, players in fields]
    count, before, told = sum(map(len, plans)), 0, []
    for (line, seats, players), plan in zip(fields, plans, strict=True):
        check_game(line, seats, players)
        one = Results(None, {})
        run(line, seats, plan, one, partial(tell_more, tell, before, count), processes, engines=engine.commands)
        before += len(plan)
        results.troubles += one.troubles
        told.append(figures(line, seats, deals, plan, one.scores))
    return told


def tell_more(tell: Callable[[int, int], None], before: int, count: int, done: int) -> None:
    """So many games are done, those of the games before among them."""
    tell(before + done, count)


def write_page(told: list[dict[str, Any]], command: str) -> str:
    """The page: a table for each game, the best first."""
    words = Wording(ENGLISH)
    lines = [HEAD.format(command=command, deals=told[0]["deals"])]
    for one in told:
        title = Sentences(read_game(one["game"]), (), ENGLISH).title(one["game"])
        lines += [f"## {title}", "", f"`{one['game']}`, {one['seats']} seats, {one['games']} games.", "",
                  "| | player | rating | score, % | 95 % interval | surely ahead of |", "|---:|---|---:|---:|---|---|"]
        for place, row in enumerate(one["players"], 1):
            rating = "" if row["rating"] is None else row["rating"]
            lines.append(f"| {place} | `{row['name']}` | {rating} | {row['score']:.1f} | {between(row, words)} | "
                         f"{count_behind(one, row['name'])} |")
        lines.append("")
    return "\n".join(lines)


def count_behind(told: dict[str, Any], name: str) -> str:
    """How many players this one is ahead of with 95 %, by the games that both were in: `4 of 8`."""
    pairs = [row for row in told["ahead"] if row["player"] == name]
    return f"{sum(row['low'] is not None and row['low'] > 0 for row in pairs)} of {len(pairs)}"
