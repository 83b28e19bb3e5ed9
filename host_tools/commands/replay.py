"""`cardtable replay`: how it is called."""

import click


@click.command(short_help="Judge recorded games again.")
@click.option(
    "--runtime", type=click.Choice(["cpython", "micropython", "both"]), default="cpython", show_default=True,
    help="The interpreter that runs the engine; `both` demands the same verdicts of the two, line by line.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show each line with its verdict.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
def command(runtime: str, verbose: bool, paths: tuple[str, ...]) -> int:
    """Judge recorded games again: every accepted event must be accepted, every refused one refused under one
    of the rules that its line names, and the result be the same.

    PATH is a record, or a folder whose *.rec files are replayed, with those of its folders. One line tells
    for each record `ok`, or the first line that differs. A file that is no record is an error, not a failure.

    Exit codes: 0 all passed, 1 some failed, 2 some are no records.
    """
    from host_tools import replay_report

    return replay_report.replay(runtime, verbose, paths)
