"""`cardtable fuzz`: its command line; host_tools/lab/fuzz/ has storms, players and figures."""

from pathlib import Path

import click

from host_tools.base import foreign
from host_tools.base.project import BUILD

KEPT = BUILD / "fuzz"
RULES_GAMES = 400


@click.command(short_help="Random games at a table in a storm.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Seed of the first game.")
@click.option("--hours", type=foreign.Number(0), default=0.05, show_default=True, help="Stop after this time.")
@click.option("--games", type=click.IntRange(1), default=None, help="Stop after this many games.")
@click.option("--game", "names", multiple=True, help="Only this game; can be repeated.")
@click.option("--keep", "folder", type=foreign.PathName(path_type=Path, file_okay=False), default=KEPT,
              help="Write records of failures here; by default build/fuzz.")
@click.option("--server", is_flag=True, help="Attack a served table instead: silent sockets, spectators, analyses.")
@click.option("--resting", is_flag=True,
              help="Instead: cards that rest on seven readers with bad wires and restless hands, for --hours of table"
                   " time each; every tap that nobody made is counted.")
@click.option("--scenario", type=foreign.PathName(path_type=Path, exists=True),
              help="Instead: play this file of weak points, or each of this folder, for --hours of table time, and tell"
                   " the wrong events an hour by cause; host_tools/lab/fuzz/scenarios has ten.")
@click.option("--jobs", type=click.IntRange(0, 256), default=0, metavar="N",
              help="With --scenario: how many processes; 0, the default, is one on each core.")
@click.option("--resume", type=foreign.PathName(path_type=Path, dir_okay=False),
              help="With --scenario: leave a mark in this file, and go on from it.")
@click.option("--rules", is_flag=True,
              help="Instead: play --games games of every mix without a table, and judge each again with every audit.")
@click.option("--runtime", type=click.Choice(["cpython", "micropython", "both"]), default="cpython", show_default=True,
              help="With --rules: the interpreter that judges.")
@click.option("--sockets", type=click.IntRange(0, 20_000), default=2000, show_default=True, help="With --server.")
@click.option("--spectators", type=click.IntRange(0, 5000), default=500, show_default=True, help="With --server.")
@click.option("--visitors", type=click.IntRange(0, 1000), default=40, show_default=True,
              help="With --server: who ask for the analysis of --record.")
@click.option("--record", type=foreign.PathName(path_type=Path, exists=True, dir_okay=False, pipe_okay=False),
              help="With --server: a finished game.")
def command(seed: int, hours: float, games: int | None, names: tuple[str, ...], folder: Path, server: bool,
            resting: bool, scenario: Path | None, jobs: int, resume: Path | None, rules: bool, runtime: str,
            sockets: int, spectators: int, visitors: int, record: Path | None) -> int:
    """Play random games on the real firmware while everything around it fails: noise, cards that flicker and bleed
    into the next reader, dead readers, open wires, buttons that bounce and stick, a dark screen, a full flash, a tick
    counter that wraps. A plain session judges every line of the record, and every card must get an answer.

    With --server it attacks a table that it serves by itself, for the time of --hours, and says how long its players
    waited meanwhile.

    With --rules nothing is modelled but the games: `cardtable fuzz --rules --games 10000`.

    A failing seed is played again with as little weather as it needs, and kept as a record.

    Exit codes: 0 nothing lost and nothing wrong, 1 something, 2 there is no such game.
    """
    from host_tools.base.errors import UnusableInput
    from host_tools.lab.fuzz import run

    if rules + server + resting + bool(scenario) > 1:
        raise UnusableInput("--rules, --server, --resting and --scenario exclude each other")
    if resting and (games or names):
        raise UnusableInput("--resting plays no games: it takes --hours alone")
    if resting:
        from host_tools.lab.fuzz.resting import measure

        return 1 if measure(hours, foreign.say) else 0
    if record and not server:
        raise UnusableInput("--record is for --server")
    if server:
        from host_tools.lab.fuzz.server import run as attack

        figures = attack(hours * 3600, sockets, spectators, visitors if record else 0, record)
        for line in [*figures.tell(), *figures.wrong()]:
            foreign.say(line)
        return 1 if figures.wrong() else 0
    known = run.list_games()
    for name in names:
        if name not in known:
            raise UnusableInput(f"--game {name}: there are {', '.join(known)}")
    if rules:
        from host_tools.lab.fuzz.rules import judge_games

        judged = judge_games(seed, games or RULES_GAMES, list(names) or known, runtime, folder, foreign.say)
        return 1 if judged.broken else 0
    if scenario:
        from host_tools.base.files import list_files
        from host_tools.lab.fuzz.scenario_run import play_all

        paths = list_files([scenario], ".txt")
        played = play_all(paths, seed, hours, list(names) or None, folder, jobs, resume, foreign.say)
        return 1 if any(one.wrong for one in played) else 0
    if resume:
        raise UnusableInput("--resume is for --scenario")
    report = run.fuzz(seed, hours, games, list(names) or None, folder, foreign.say)
    for line in report.lines():
        foreign.say(line)
    return 1 if report.wrong else 0
