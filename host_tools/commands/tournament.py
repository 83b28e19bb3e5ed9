"""`cardtable tournament`: finds its commands in tournament_parts/, a list `COMMANDS` in each file.

host_tools/club/tournament/ does the work."""

import functools
import importlib
from pathlib import Path

import click


PARTS = Path(__file__).parent / "tournament_parts"


@functools.cache
def parts() -> dict[str, click.Command]:
    """Every command by its name."""
    found: dict[str, click.Command] = {}
    for file in sorted(PARTS.glob("[a-z]*.py")):
        module = importlib.import_module(f"host_tools.commands.tournament_parts.{file.stem}")
        found.update({command.name: command for command in getattr(module, "COMMANDS", [])})
    return dict(sorted(found.items()))


class Parts(click.Group):
    """The group of those commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(parts())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return parts().get(cmd_name)


@click.group(cls=Parts, short_help="Direct a tournament: players, rounds, results, prizes.")
def command() -> None:
    """Direct a tournament: players, seating, rounds, results, standings, prizes. docs/tournament.md leads through an
    evening.

    Exit codes: 0 right, 1 something waits for the arbiter or does not count, 2 something cannot be used.
    """
