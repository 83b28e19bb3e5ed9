"""Measures the players and the analysis; docs/strength.md says what came out.

    python -m host_tools.lab.bench.strength small-durak --player search:60 --cards 10 --hand 3
    python -m host_tools.lab.bench.strength solved-durak --cards 8 --hand 2 --players beginner,card-counter
    python -m host_tools.lab.bench.strength calibration --game durak --games 1000
    python -m host_tools.lab.bench.strength fit-value --game durak --game "durak transfer" --games 400 --seed 40001
    python -m host_tools.lab.bench.strength table --game durak --games 1000 --seed 50001
    python -m host_tools.lab.bench.strength forms --game durak --games 200 --seed 40001
    python -m host_tools.lab.bench.strength blunders --game durak --games 200 [--exact]
    python -m host_tools.lab.bench.strength stability --game durak --games 8 --decisions 60
    python -m host_tools.lab.bench.strength ends --game durak --game "durak transfer" --games 1000 --seed 70001
    python -m host_tools.lab.bench.strength cost
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import click

from host_tools.base import foreign, on_host
from host_tools.base.errors import UnusableInput
from host_tools.base.workers import pool
from host_tools.base.workers.bar import Bar

UNUSABLE, INTERRUPTED = 2, 130  # exit codes
FOLDS = 5  # one game in so many judges a line that was fitted to the others
SOON_S = 2.0  # of a processor: as long as an end may take in an analysis
_JOBS = click.option("--jobs", type=click.IntRange(0, 256), default=0, help="Processes; 0 is one on each core.")
_FILL = click.option("--fill", type=click.IntRange(2, 6), default=6, show_default=True,
                     help="To how many cards hands fill.")
_SEED = click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the first one.")


@click.group()
def main() -> None:
    """Measure the players and the analysis."""
    on_host.prepare()


def spread(work: Any, tasks: list[Any], jobs: int, what: str) -> Iterator[Any]:
    """The results, with a bar."""
    bar = Bar(what, len(tasks))
    try:
        for done, result in enumerate(pool.spread(work, tasks, jobs), 1):
            bar.step(done)
            yield result
    finally:
        bar.close()


def interval(share: Any, digits: int = 1) -> str:
    """`3.1 (2.0 to 4.2)`."""
    return f"{share.mean:.{digits}f} ({share.low:.{digits}f} to {share.high:.{digits}f})"


@main.command("small-durak")
@click.option("--player", default="search:60", show_default=True, help="Whose weakness is looked for.")
@click.option("--cards", type=click.IntRange(6, 12), default=10, show_default=True, help="Cards in play.")
@click.option("--hand", type=click.IntRange(1, 5), default=3, show_default=True, help="Cards of each hand at first.")
@click.option("--deals", type=click.IntRange(2), default=100, show_default=True)
@_FILL
@_SEED
@_JOBS
def small_durak(player: str, cards: int, hand: int, deals: int, fill: int, seed: int, jobs: int) -> None:
    """What a best possible opponent gains against a player in a Durak of a few cards."""
    from host_tools.minds.intervals import measure
    from host_tools.minds.players import find_player
    from host_tools.lab.bench.small_durak import measure_deal

    check_small(cards, hand)
    find_player(player)
    tasks = [(player, cards, hand, fill, seed + number) for number in range(deals)]
    found = list(spread(measure_deal, tasks, jobs, "Solving"))
    gain = measure([100 * (one.best - one.plain) for one in found])
    plain, bouts, decisions = (measure(values) for values in (
        [100 * one.plain for one in found], [one.bouts for one in found], [one.decisions for one in found]))
    untouched = sum(one.best == one.plain for one in found)
    foreign.say(f"{player}, {cards} cards, hands of {hand} filled to {fill}, {deals} deals: a best opponent gains "
                f"{interval(gain, 2)} points of 100; nothing in {untouched} deals, most "
                f"{100 * max(one.best - one.plain for one in found):.1f}")
    foreign.say(f"the player against itself: {interval(plain)}; in a deal {bouts.mean:.1f} bouts hide cards, with "
                f"{decisions.mean:.1f} decisions in them")


def check_small(cards: int, hand: int) -> None:
    """Refuse a game that hides nothing."""
    if 2 * hand + 2 > cards:
        raise click.UsageError("a stock needs two cards or more, or nothing is hidden")


@main.command("solved-durak")
@click.option("--cards", type=click.IntRange(6, 9), default=7, show_default=True, help="Cards in play.")
@click.option("--hand", type=click.IntRange(2, 3), default=2, show_default=True, help="Of each hand, and it fills to.")
@click.option("--players", default="beginner,card-counter", show_default=True, help="Whose weakness is looked for.")
@click.option("--enough", type=click.FloatRange(0.001), default=0.1, show_default=True, help="Points that may be left.")
@_SEED
def solved_durak(cards: int, hand: int, players: str, enough: float, seed: int) -> None:
    """The value of one deal of a few cards between players who err by no more than some points, and what a best
    opponent gains against others there; the rows of a page."""
    from host_tools.lab.bench.small_durak import draw_deal
    from host_tools.lab.bench.solved_durak import TURNS, Tree
    from host_tools.minds.players import find_player

    check_small(cards, hand)
    names = [name.strip() for name in players.split(",")]
    for name in names:  # before the minutes of the tree
        find_player(name)
    deal, _ = draw_deal(cards, hand, seed, hand)
    tree = Tree(deal)
    best, turns = tree.solve(enough, TURNS)
    foreign.say(f"{cards} cards, hands of {hand} filled to {hand}, seed {seed}: {tree.count} questions; value for who "
                f"begins {tree.value(best) if deal.first == 1 else 100 - tree.value(best):.2f}, {turns} turns of CFR+")
    foreign.say("| player | a best opponent gains | hidden bouts in a deal | hidden decisions |")
    foreign.say("|---|---|---|---|")
    named = [(name, tree.policy_of(name, seed)) for name in names]
    for name, policy in [("CFR+", best), ("all moves alike", tree.uniform()), *named]:
        bouts, decisions = tree.hidden(policy)
        foreign.say(f"| {name} | {tree.exploitability(policy):.2f} | {bouts:.1f} | {decisions:.1f} |")


def read_seats(line: str) -> int:
    """With how few seats that game is played."""
    from host_tools.minds.arena.plan import read_game

    fewest: int = read_game(line).SEAT_RANGE[0]
    return fewest


def make_tasks(line: str, seats: int | None, players: str, games: int, seed: int, decisions: int) -> list[Any]:
    """The games whose decisions are looked at."""
    from host_tools.minds.arena.plan import check_game
    from host_tools.lab.bench.reliability import KINDS, Task

    names = tuple(name.strip() for name in players.split(","))
    seats = seats or read_seats(line)
    check_game(line, seats, [*dict.fromkeys([*(name for name in names if name != KINDS), "random", "beginner"])])
    return [Task(line, seats, names, seed + number, decisions) for number in range(games)]


def game_options(command: Any) -> Any:
    """What calibration and blunders share."""
    for option in (
        click.option("--game", "line", default="durak", show_default=True),
        click.option("--seats", type=click.IntRange(2, 7)),
        click.option("--players", default="beginner", show_default=True, help="At the seats in turn; kinds: any."),
        click.option("--games", type=click.IntRange(2), default=1000, show_default=True),
        click.option("--decisions", type=click.IntRange(1), default=2, show_default=True, help="Of each game, by lot."),
        _SEED, _JOBS,
    ):  # fmt: skip
        command = option(command)
    return command


@main.command()
@game_options
def calibration(line: str, seats: int | None, players: str, games: int, decisions: int, seed: int, jobs: int) -> None:
    """Whether the chances of the analysis come true as often as they say."""
    from host_tools.lab.bench.reliability import calibration_error, fill_bins, mean_gap
    from host_tools.lab.bench.samples import tell

    tasks = make_tasks(line, seats, players, games, seed, decisions)
    every = [one for some in spread(tell, tasks, jobs, "Judging") for one in some]
    foreign.say(f"{line}, {players}: {len(every)} decisions of {len({one.game for one in every})} games")
    for is_exact, words in ((False, "guessed"), (True, "solved ends")):
        said = [one for one in every if one.is_exact is is_exact]
        bins = fill_bins(said)
        for one in bins:
            foreign.say(f"{words}: said {one.chance:5.1f}, came {interval(one.came)}, {one.count} decisions")
        if bins:
            foreign.say(f"{words}: what came is above what was said by {interval(mean_gap(said), 2)} points; "
                        f"mean distance {calibration_error(bins):.1f}")


def population_options(command: Any) -> Any:
    """What fit-value and table share."""
    for option in (
        click.option("--game", "lines", multiple=True, default=("durak",), show_default=True, help="Several of one."),
        click.option("--seats", type=click.IntRange(2, 7)),
        click.option("--games", type=click.IntRange(8), default=1000, show_default=True,
                     help="Of each population; with search half."),
        click.option("--decisions", type=click.IntRange(1), default=12, show_default=True, help="Of each, by lot."),
        _SEED, _JOBS,
    ):  # fmt: skip
        command = option(command)
    return command


def list_populations(lines: tuple[str, ...], seats: int | None, games: int, seed: int, decisions: int) -> list[Any]:
    """(line, players, tasks) of each population at each table; a search player takes a hundred times as long."""
    from host_tools.lab.bench.reliability import POPULATIONS

    return [(line, players, make_tasks(line, seats, players, games // 2 if "search" in players else games, seed,
                                       decisions)) for line in lines for players in POPULATIONS]


@main.command("fit-value")
@population_options
@click.option("--plain", "is_plain", is_flag=True, help="By the chance alone, and not by how its seat has played.")
@click.option("--units", type=click.IntRange(0, 64), default=0, help="Of a small net beside the facts; takes numpy.")
def fit_value(
    lines: tuple[str, ...], seats: int | None, games: int, decisions: int, seed: int, jobs: int, is_plain: bool,
    units: int,
) -> None:
    """Fit the correction of the chances at each table to all populations, each with the same weight, and keep it."""
    from host_tools.minds.analysis.chances import key_of
    from host_tools.lab.bench.fit_value import fit_lines, keep

    if units and is_plain:
        raise click.UsageError("by the chance alone there are no units")
    for line in lines:
        populations = gather_all((line,), seats, games, seed, decisions, jobs)
        bends = fit_lines(populations, is_plain, units)
        count = seats or read_seats(line)
        asked = f"--game {line!r}" + (f" --seats {seats}" if seats else "") + (" --plain" if is_plain else "")
        asked += f" --units {units}" if units else ""
        made = sum(map(len, populations))
        keep(key_of(line, count), bends, decisions=made,
             command=f"strength fit-value {asked} --games {games} --decisions {decisions} --seed {seed}")
        for what, bend in zip(("own cards", "open cards"), bends, strict=True):
            foreign.say(f"{key_of(line, count)}, {what}: {made} decisions, {len(bend.units)} units, "
                        f"{', '.join(f'{one:.4f}' for one in bend.coefficients)}")


def gather_all(
    lines: tuple[str, ...], seats: int | None, games: int, seed: int, decisions: int, jobs: int
) -> list[list[Any]]:
    """The guessed decisions of each population. UnusableInput if one has none."""
    from host_tools.lab.bench.samples import gather

    populations = []
    for line, players, tasks in list_populations(lines, seats, games, seed, decisions):
        populations.append([one for some in spread(gather, tasks, jobs, f"{line}, {players}") for one in some])
        if not populations[-1]:
            raise UnusableInput(f"{line}, {players}: no decision of {len(tasks)} games was guessed; name more games")
    return populations


@main.command()
@population_options
@click.option("--open", "is_open", is_flag=True, help="Those with open cards.")
def table(
    lines: tuple[str, ...], seats: int | None, games: int, decisions: int, seed: int, jobs: int, is_open: bool
) -> None:
    """Whether the chances come true in each population: the rows of a page."""
    from host_tools.lab.bench.reliability import calibration_error, fill_bins, luck_alone, mean_gap
    from host_tools.lab.bench.samples import tell, tell_open

    foreign.say("| game | seats | players | games | above what was said | mean distance | by luck alone |")
    foreign.say("|---|---|---|---|---|---|---|")
    for line, players, tasks in list_populations(lines, seats, games, seed, decisions):
        every = [one for some in spread(tell_open if is_open else tell, tasks, jobs, f"{line}, {players}")
                 for one in some]
        said = [one for one in every if not one.is_exact]
        if not said:
            foreign.say(f"| {line} | {tasks[0].seats} | {players} | 0 | | | |")  # every end was solved
            continue
        bins, count = fill_bins(said), len({one.game for one in said})
        foreign.say(f"| {line} | {tasks[0].seats} | {players} | {count} | {interval(mean_gap(said))} | "
                    f"{calibration_error(bins):.1f} | {luck_alone(bins):.1f} |")


@main.command()
@population_options
def forms(lines: tuple[str, ...], seats: int | None, games: int, decisions: int, seed: int, jobs: int) -> None:
    """Lines that take other facts of a decision, each fitted to four games in five and held against the fifth: of each
    population the mean distance, and after the stroke how badly it foretells (thousandths, less is better)."""
    from host_tools.lab.bench.fit_value import FORMS, foretell, miss
    from host_tools.lab.bench.reliability import POPULATIONS, calibration_error, fill_bins
    from host_tools.lab.bench.samples import say

    for line in lines:
        populations = gather_all((line,), seats, games, seed, decisions, jobs)
        foreign.say(f"| form: {line} | {' | '.join(POPULATIONS)} |")
        foreign.say(f"|---|{'---|' * len(POPULATIONS)}")
        for form, features in FORMS.items():
            cells = []
            for some, chances in zip(populations, foretell(populations, features, FOLDS), strict=True):
                said = [say(one, chance, one.mean) for one, chance in zip(some, chances, strict=True)]
                cells.append(f"{calibration_error(fill_bins(said)):.1f} / {miss(chances, some):.1f}")
            foreign.say(f"| {form} | {' | '.join(cells)} |")


@main.command()
@game_options
@click.option("--exact", "is_exact", is_flag=True, help="Durak for two: only where perfect play is known; rows.")
def blunders(line: str, seats: int | None, players: str, games: int, decisions: int, seed: int, jobs: int,
             is_exact: bool) -> None:
    """How many planted blunders of 20 points and more the analysis finds, and how many best moves it scolds."""
    from host_tools.lab.bench.reliability import plant

    tasks = make_tasks(line, seats, players, games, seed, decisions)
    if is_exact:
        tell_exact(tasks, players, jobs)
        return
    every = [one for some in spread(plant, tasks, jobs, "Planting") for one in some]
    bad, good = ([one for one in every if one.is_blunder is wanted] for wanted in (True, False))
    foreign.say(f"{line}: {len(bad)} planted blunders of 20 points and more, by 1000 guesses")
    found, called = sum(one.kind != "" for one in bad), sum(one.kind == "blunder" for one in bad)
    foreign.say(f"found as 5 points or more: {share_of(found, len(bad))}")
    foreign.say(f"found as 15 or more: {share_of(called, len(bad))}")
    scolded = sum(one.kind != "" for one in good)
    foreign.say(f"best moves that were scolded: {share_of(scolded, len(good))}")


def tell_exact(tasks: list[Any], players: str, jobs: int) -> None:
    """The same where perfect play is known: a row for each place."""
    from host_tools.lab.bench.exact_answers import PLACES, plant_exact

    if tasks[0].seats != 2 or not tasks[0].line.startswith("durak"):
        raise UnusableInput("only Durak for two is solved")
    every = [one for some in spread(plant_exact, tasks, jobs, "Planting") for one in some]
    foreign.say("| where | players | blunders found from 5 points on | from 15 on | best plays scolded |")
    foreign.say("|---|---|---|---|---|")
    for place in PLACES:
        bad, good = ([one for where, one in every if where == place and one.is_blunder is wanted]
                     for wanted in (True, False))
        cells = [share_of(sum(one.kind in kinds for one in those), len(those)) if those else "" for those, kinds in (
            (bad, ("mistake", "blunder")), (bad, ("blunder",)), (good, ("mistake", "blunder")))]
        foreign.say(f"| {place} | {players} | {' | '.join(cells)} |")


@main.command()
@game_options
def stability(line: str, seats: int | None, players: str, games: int, decisions: int, seed: int, jobs: int) -> None:
    """Whether other guesses find the same mistakes, of the same class."""
    from host_tools.lab.bench.reliability import flag

    tasks = make_tasks(line, seats, players, games, seed, decisions)
    every = [one for some in spread(flag, tasks, jobs, "Judging") for one in some]
    pairs = [(one[at], one[other]) for one in every for at in range(len(one)) for other in range(len(one))
             if at != other and one[at]]
    foreign.say(f"{line}, {players}: {len(every)} guessed decisions, {len(pairs)} pairs of a mistake and another seed")
    foreign.say(f"a mistake by the other seed, too: {share_of(sum(other != '' for _, other in pairs), len(pairs))}")
    foreign.say(f"of the same class: {share_of(sum(one == other for one, other in pairs), len(pairs))}")


@main.command()
@population_options
def ends(lines: tuple[str, ...], seats: int | None, games: int, decisions: int, seed: int, jobs: int) -> None:
    """How many open ends of Durak are solved, and how soon: the rows of a page."""
    from host_tools.lab.bench.reliability import LONGEST, solve_end
    from host_tools.minds.analysis.judge import END_NODES

    foreign.say(f"| game | players | ends | within 2 s | of {END_NODES // 4:,} positions | of {LONGEST:,} | "
                "positions a second |")
    foreign.say("|---|---|---|---|---|---|---|")
    for line, players, tasks in list_populations(lines, seats, games, seed, decisions):
        found = [one for some in spread(solve_end, tasks, jobs, f"{line}, {players}") for one in some]
        solved = [one for one in found if one.is_solved]
        shares = [share_of(len(those), len(found)) for those in (
            [one for one in solved if one.processor_s <= SOON_S],
            [one for one in solved if one.positions <= END_NODES // 4], solved)]
        rate = sum(one.positions for one in found) / max(sum(one.processor_s for one in found), 1e-9)
        foreign.say(f"| {line} | {players} | {len(found)} | {' | '.join(shares)} | {rate:,.0f} |")


def share_of(found: int, of: int) -> str:
    """A share in percent with its 95 % interval."""
    from host_tools.base.languages import ENGLISH
    from host_tools.minds.corpus.wording import Wording

    return f"{Wording(ENGLISH).share(found, of)}, {found} of {of}"


@main.command()
@click.option("--games", type=click.IntRange(1), default=4, show_default=True, help="Games of each cell.")
@click.option("--guesses", type=click.IntRange(1), default=60, show_default=True, help="Of players that search.")
def cost(games: int, guesses: int) -> None:
    """Decisions a second, and the memory that a game takes, of each player; each in a process of its own."""
    from host_tools.lab.bench.thinking_cost import list_cells

    foreign.say("| player | game | decisions/s | memory |")
    foreign.say("|---|---|---:|---:|")
    for name, line in list_cells(guesses):
        command = [sys.executable, "-m", "host_tools.lab.bench.thinking_cost", name, line, str(games)]
        foreign.say(subprocess.run(command, check=True, capture_output=True, text=True, timeout=600).stdout.strip())


def run() -> int:
    """As `cardtable` ends: bad input is one sentence."""
    try:
        main.main(standalone_mode=False)
    except (UnusableInput, click.ClickException) as wrong:
        foreign.say(str(getattr(wrong, "message", wrong)), err=True)
        return UNUSABLE
    except click.Abort:
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(run())
