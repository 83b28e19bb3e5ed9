"""`cardtable bench`: its command line; host_tools/lab/bench/ measures."""

from pathlib import Path

import click

from host_tools.base import foreign
from host_tools.base.project import BUILD, find_in_clone

PAGE = "docs/figures.md"


@click.command(short_help="Measure the engine and the firmware.")
@click.option("--quick", is_flag=True, help="Take under 20 seconds: fewer repeats, and only the start of the game.")
@click.option("--json", "file", type=foreign.PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              default=BUILD / "bench.json",
              help="Write all figures here; by default build/bench.json.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the tables as Markdown.")
@click.option("--update-docs", is_flag=True, help="Put the tables into docs/figures.md too.")
@click.option("--taps", is_flag=True,
              help="Instead: how long a tap takes to its light at worst, for each game and board, and what takes it.")
@click.option("--heap", is_flag=True,
              help="Instead: what the largest games take of a heap of 32 bits, in npm's build of MicroPython, beside"
                   " what `device info` promises.")
@click.option("--hall", type=click.IntRange(1, 64), metavar="TABLES",
              help="Instead: what so many tables of `cardtable hall` take while virtual players play at them.")
def command(quick: bool, file: Path, as_markdown: bool, update_docs: bool, taps: bool, heap: bool,
            hall: int | None) -> None:
    """Measure the engine under CPython and MicroPython, a peer, the reader driver and the firmware on the virtual
    table, each beside a calibration loop of the same interpreter. docs/benchmarks.md explains every row.

    Exit codes: 0 measured, even if an aim is missed; 2 something that it needs is missing.
    """
    from host_tools.base.errors import UnusableInput
    from host_tools.lab.bench import report
    from host_tools.lab.bench.run import measure

    if taps + heap + bool(hall) + (quick or as_markdown or update_docs) > 1:
        raise UnusableInput("--taps, --heap and --hall take the place of the bench and its options: name one of them")
    if taps:
        from host_tools.lab.bench.taps import tell

        tell(foreign.say)
        return
    if hall:
        from host_tools.lab.bench.hall import tell as fill

        fill(hall, foreign.say)
        return
    find_in_clone("tests/records")
    if heap:
        from host_tools.lab.bench.heap import measure as weigh

        weigh(foreign.say)
        return
    page = find_in_clone(PAGE) if update_docs else None
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()  # a file that cannot be written is reported before the work, not after it
    console = report.make_console()
    if console.is_terminal:
        with console.status("") as status:
            results = measure(quick, lambda what: status.update(f"measuring {what}"))
    else:
        results = measure(quick, lambda what: None)
    report.write_json(file, results)
    if page:
        report.update_page(page, results)
    if as_markdown:
        foreign.say_lines(report.markdown(results))
    else:
        report.show(console, results)
