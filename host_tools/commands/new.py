"""`cardtable new`: its command line; host_tools/maker/new_game.py and new_record.py do the work."""

import click

from host_tools.base import foreign


@click.group(short_help="Write the files of a new game, to develop it.")
def command() -> None:
    """Write what a new part of this project begins with."""


@command.command(short_help="Write the files of a new game.")
@click.argument("name")
def game(name: str) -> int:
    """Write Crazy Eights under that NAME (a-z, digits and -): page, game, words, test and record. It plays and passes
    its tests as it is; change it rule by rule.

    Exit codes: 0 written, 2 the name cannot be used, or one of the files is there.
    """
    from host_tools.maker import new_game

    for path in new_game.write(name):
        foreign.say(str(path))
    return 0


@command.command(short_help="Write a record of a random game.")
@click.argument("line", metavar="GAME")
@click.option("--seats", type=click.IntRange(0), default=0, help="How many play; without it as few as can.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another number, another game.")
@click.option("--events", type=click.IntRange(1, 4000), default=4000, help="Stop after so many; without it at the end.")
def record(line: str, seats: int, seed: int, events: int) -> int:
    """Play GAME at random, with attempts that are refused among the events, and write the record to standard output.
    GAME is a record's game line, such as "cals-bs cheat places=yes". Read it before you keep it: it says what the
    engine does, not what is right.

    Exit codes: 0 written, 2 there is no such game or set-up.
    """
    from host_tools.maker import new_record

    for written in new_record.make_record(line, seats, seed, events).splitlines():
        foreign.say(written)
    return 0
