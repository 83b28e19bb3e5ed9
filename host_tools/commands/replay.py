"""`cardtable replay`: its command line; host_tools/replay/run.py does the work."""

import click


@click.command(short_help="Judge recorded games again.")
@click.option(
    "--runtime", type=click.Choice(["cpython", "micropython", "both"]), default="cpython", show_default=True,
    help="The interpreter that runs the engine; `both` demands the same verdicts from both, line by line.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show each line with its verdict.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
def command(runtime: str, verbose: bool, paths: tuple[str, ...]) -> int:
    """Judge recorded games again: the engine must accept every accepted event, refuse every refused one under one
    of the rules that its line names, and reach the same result.

    PATH is a record, or a folder: then all *.rec files in it and in its folders are replayed. Each record gets a line:
    `ok`, or the first line that differs. A file that is not a record is an error, not a failure.

    Exit codes: 0 all passed, 1 some failed, 2 some are not records.
    """
    from host_tools.replay import report

    return report.replay(runtime, verbose, paths)
