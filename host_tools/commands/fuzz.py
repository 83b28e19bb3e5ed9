"""`cardtable fuzz`: how it is called; storms, players and figures are in host_tools/fuzz/."""

from pathlib import Path

import click

from host_tools import foreign

KEPT = Path(__file__).parents[2] / "build" / "fuzz"


@click.command(short_help="Random games at a table in a storm.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the first game.")
@click.option("--hours", type=foreign.Number(0), default=0.05, show_default=True, help="How long.")
@click.option("--games", type=click.IntRange(1), default=None, help="How many games at most.")
@click.option("--game", "names", multiple=True, help="Only this game; may be said more than once.")
@click.option("--keep", "folder", type=foreign.PathName(path_type=Path, file_okay=False), default=KEPT,
              help="Where the records of failures are written; build/fuzz of the project by default.")
def command(seed: int, hours: float, games: int | None, names: tuple[str, ...], folder: Path) -> int:
    """Play random games on the real firmware while everything around it fails: noise, cards that flicker and bleed
    into the next reader, dead readers, open wires, buttons that bounce and stick, a dark screen, a full flash, a tick
    counter that begins anew. Every line of the record is judged by a plain session; every card must be answered.

    A failing seed is played again without each kind of weather that it does not need, and kept as a record.

    Exit codes: 0 nothing lost and nothing wrong, 1 something, 2 there is no such game.
    """
    from host_tools.errors import UnusableInput
    from host_tools.fuzz import run

    known = run.list_games()
    for name in names:
        if name not in known:
            raise UnusableInput(f"--game {name}: there are {', '.join(known)}")
    report = run.fuzz(seed, hours, games, list(names) or None, folder, foreign.say)
    for line in report.lines():
        foreign.say(line)
    return 1 if report.wrong else 0
