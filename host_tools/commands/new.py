"""`cardtable new`: its command line; host_tools/maker/new_game.py does the work."""

import click

from host_tools.base import foreign


@click.group(short_help="Write the files of a new game, to develop it.")
def command() -> None:
    """Write what a new part of this project begins with."""


@command.command(short_help="Write the files of a new game.")
@click.argument("name")
def game(name: str) -> int:
    """Write the smallest whole game under that NAME (a-z, digits and -): page, game, words, test and record. It plays
    and passes its tests as it is; change it rule by rule.

    Exit codes: 0 written, 2 the name cannot be used, or one of the files is there.
    """
    from host_tools.maker import new_game

    for path in new_game.write(name):
        foreign.say(str(path))
    return 0
