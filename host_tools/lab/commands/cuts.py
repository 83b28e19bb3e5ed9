"""`cardtable cuts`: its command line; host_tools/lab/cuts/ does the work."""

from pathlib import Path

import click

from host_tools.base import foreign
from host_tools.base.project import find_in_clone

SHORT = 2200  # bytes at least, some 120 lines: enough for a game to fill pages
RECORD = foreign.PathName(path_type=Path, pipe_okay=False)


def find_records() -> list[Path]:
    """Of each game the shortest record that is long enough, else the longest there is."""
    def order(path: Path) -> tuple[bool, int]:
        size = path.stat().st_size
        return size < SHORT, size if size >= SHORT else -size

    folders = sorted(find_in_clone("tests/records").iterdir())
    every = [list(folder.glob("*.rec")) for folder in folders if folder.is_dir()]
    return [min(paths, key=order) for paths in every if paths]


@click.command(short_help="Cut the power at every flash operation.")
@click.option("--step", type=click.IntRange(1), default=1, show_default=True,
              help="Cut within every N-th operation only.")
@click.option("--twice", is_flag=True, help="Cut once more while the table starts up again.")
@click.option("--ways", "shows_ways", is_flag=True, help="Instead, measure the ways to keep a record.")
@click.argument("records", metavar="[RECORD]...", nargs=-1, type=RECORD)
def command(step: int, twice: bool, shows_ways: bool, records: tuple[Path, ...]) -> int:
    """Play recorded games through the firmware's journal on MicroPython's littlefs, and cut the power within
    every flash operation and at its end: torn programs, half erases. After each cut, mount the flash again and check
    the game: no event with a green light is missing, no event was invented, and the game goes on. Without a RECORD,
    cut a game of each kind.

    Exit codes: 0 nothing was lost or invented, 1 something was, 2 a record cannot be used, or MicroPython is missing.
    """
    from host_tools.lab.cuts import run

    every = find_records()  # which only developers have, as this command is for them alone
    chosen = list(records) or every
    if shows_ways:
        for record in chosen:
            foreign.say(f"{record.parent.name}/{record.name}, for each event:")
            for found in run.measure(record):
                foreign.say("  {way:36} erases {erases:.3f}, waited for {waited:.3f}, worst stall {worst_ms} ms "
                           "({calm_ms} ms in calm moments), programs {programs:.2f}, bytes {bytes:.0f}, "
                           "reads {reads:.0f}; blocks {blocks}".format(**found))
        return 0
    cut = run.cut(chosen, {"step": step, "twice": twice})
    for one in cut:
        name = f"{one.path.parent.name}/{one.path.name}"
        foreign.say("{name}: {events} events, {operations} operations; {cuts} cuts: lost {lost}, invented {invented}, "
                   "broken {broken}; {erases} erases, waited for by an event {waited}, in a moment that was not "
                   "calm {late}; at most {longest} lines between two calm moments, and at least {least_spares} pages "
                   "left".format(name=name, **one.figures))
        for sentence in one.said:
            foreign.say("  " + sentence)
    cuts = sum(one.figures["cuts"] for one in cut)
    wrong = sum(not one.is_right for one in cut)
    verdict = f"{wrong} games wrong" if wrong else "nothing lost or invented"
    foreign.say(f"{cuts} cuts in {len(cut)} games: {verdict}")
    return 1 if wrong else 0
