"""Options that all commands of a tournament share: its database, and who acts."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput

if TYPE_CHECKING:
    from host_tools.club.tournament.director import Director

database = click.option(
    "--database", metavar="FILE|URL", envvar="CARDTABLE_DATABASE", show_envvar=True, default="tournament.sqlite",
    show_default=True, type=foreign.PathName(dir_okay=False, pipe_okay=False),
    help="A SQLite file, or postgresql://...",
)  # fmt: skip
ARBITER = "arbiter"


class Typed(click.ParamType):
    """A value that host_tools/club/tournament/typed.py reads."""

    def __init__(self, name: str, reader: str) -> None:
        self.name, self.reader = name, reader

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value, or one sentence."""
        if not isinstance(value, str):
            return value
        from host_tools.club.tournament import typed

        try:
            return getattr(typed, self.reader)(value)
        except UnusableInput as wrong:
            self.fail(str(wrong), param, ctx)


MONEY = Typed("money", "read_money")
SEATS = Typed("seats", "read_seats")
SHARES = Typed("shares", "read_shares")
LETTERS = Typed("letters", "read_letters")


def not_empty(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse an empty text, such as that of a shell's variable which is not set."""
    if value == "":
        raise click.BadParameter("it is empty", ctx, param)
    return value


@contextlib.contextmanager
def opened(name: str) -> Iterator[Director]:
    """The tournament in that database."""
    from host_tools.club.tournament.director import open_director

    director = open_director(name)
    try:
        yield director
    finally:
        director.close()


def say_misfits(director: Director) -> None:
    """Say which later stage of a knock-out no longer fits the results that it was seated from."""
    from host_tools.club.tournament.rounds import find_misfits

    with director.looking() as state:
        found = find_misfits(state)
    for one in found:
        foreign.say(str(one))


def count_things(count: int, one: str, many: str) -> str:
    """`1 game was`, `3 games were`."""
    return f"{count} {one if count == 1 else many}"


def commands(*functions: Callable[..., Any]) -> list[click.Command]:
    """They are commands by now; this says so to the reader, and to the types."""
    assert all(isinstance(function, click.Command) for function in functions)
    return list(functions)  # type: ignore[arg-type]
