"""`cardtable replay`: its command line; host_tools/judge/replay/ does the work."""

from pathlib import Path

import click

from host_tools.base.foreign import PathName
from host_tools.commands._place import jobs_option


@click.command(short_help="Judge recorded games again (also: judge).")
@click.option(
    "--runtime", type=click.Choice(["cpython", "micropython", "both"]), default="cpython", show_default=True,
    help="The interpreter that runs the engine; `both` demands the same verdicts from both, line by line.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show each line with its verdict.")
@click.option("-q", "--quiet", is_flag=True, help="Show only records that do not pass, and the count.")
@click.option(
    "--audit", type=click.Choice(["all", "moved", "none"]), default="moved", show_default=True,
    help="What is checked beyond the verdicts: the whole state after each event, the cards that moved, or nothing.",
)
@jobs_option
@click.option("--cluster", default="", metavar="ADDRESS", help="Let the workers of this Dask scheduler do it.")
@click.option("--resume", type=PathName(path_type=Path, dir_okay=False, pipe_okay=False), metavar="FILE",
              help="Keep in FILE how far the run has come, and go on from there.")
@click.option("--json", "summary", type=PathName(path_type=Path, dir_okay=False, pipe_okay=False), metavar="FILE",
              help="Write the counts, and the first hundred records that do not pass.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
def command(runtime: str, verbose: bool, quiet: bool, audit: str, jobs: int, cluster: str, resume: Path | None,
            summary: Path | None, paths: tuple[str, ...]) -> int:
    """Judge recorded games again: the engine must accept every accepted event, refuse every refused one under one
    of the rules that its line names, and reach the same result.

    PATH is a record; a folder, whose *.rec files are replayed, in its folders too; or a file that holds many: .tar
    (also .gz, .xz, .bz2, .zst), .zip or .sqlite, as `cardtable pack` makes it. Each record gets a line: `ok`, or the
    first line that differs. A file that is not a record is an error, not a failure.

    Exit codes: 0 all passed, 1 some failed, 2 some are not records.
    """
    from host_tools.judge.replay import report

    wishes = report.Wishes(runtime, verbose, quiet, audit, jobs, cluster, resume, summary)
    return report.replay(wishes, paths)
