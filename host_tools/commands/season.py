"""`cardtable season`: its command line; host_tools/club/season.py adds up."""

from pathlib import Path

import click

from host_tools.base import foreign
from host_tools.commands._place import language_option


class Same(click.ParamType):
    """`SPELLING=NAME`."""

    name = "spelling"

    def convert(self, value: str | tuple[str, str], param: click.Parameter | None, ctx: click.Context | None
                ) -> tuple[str, str]:
        """The two names, or one sentence."""
        if isinstance(value, tuple):
            return value
        one, _, other = value.partition("=")
        if not one.strip() or not other.strip():
            self.fail(f"{foreign.shorten(value)!r} is not SPELLING=NAME, such as 'Anna P=Anna Petrova'", param, ctx)
        return one.strip(), other.strip()


@click.command(short_help="Add up the evenings of a season.")
@click.argument("folders", metavar="FOLDER...", nargs=-1, required=True,
                type=foreign.PathName(path_type=Path, exists=True, file_okay=False))
@click.option("--best", type=click.IntRange(1, 999), default=None, metavar="N",
              help="Only the N best evenings of each player count.")
@click.option("--same", type=Same(), multiple=True, metavar="SPELLING=NAME",
              help="Two spellings are one person; as often as you like.")
@click.option("--csv", "sheet", type=foreign.PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              help="Write the table for a spreadsheet.")
@click.option("--html", "page", type=foreign.PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              help="Write a page.")
@language_option("Of the page.")
def command(folders: tuple[Path, ...], best: int | None, same: tuple[tuple[str, str], ...], sheet: Path | None,
            page: Path | None, language: str) -> int:
    """Add up a season: points, evenings, games, and a rating by every deal. Each FOLDER is one evening, as `cardtable
    tournament export` wrote it, in the order in which they were played; only its sealed records count, and its rulings
    if they are there.

    Exit codes: 0 every record counts, 1 one does not, 2 nothing can be added up.
    """
    from host_tools.club import season
    from host_tools.base.files import write_file

    evenings, notes = season.read_season(folders)
    members = season.add_up(evenings, dict(same), best or 0)
    width = max(6, *(len(member.name) for member in members))
    foreign.say(f"{'':>4} {'player':<{width}} points evenings games first lost rating")
    for member in members:
        rating = "" if member.rating is None else member.rating
        foreign.say(f"{member.rank:>4} {member.name:<{width}} {member.points:>6} {member.evenings:>8} {member.games:>5}"
                    f" {member.first:>5} {member.lost:>4} {rating:>6}")
    if sheet is not None:
        write_file(sheet, season.write_csv(members).encode())
    if page is not None:
        write_file(page, season.write_page(evenings, members, language).encode())
    for note in notes:
        foreign.say(foreign.shorten(note, 400), err=True)
    return int(bool(notes))
