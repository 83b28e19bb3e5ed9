"""`cardtable stats`: its command line; host_tools/minds/corpus/ counts."""

import contextlib
from pathlib import Path

import click

from host_tools.commands._place import jobs_option, language_option
from host_tools.base.foreign import PathName


@click.command(short_help="Count what a folder of games has in common.")
@click.argument("path", metavar="PATH", type=PathName(path_type=Path))
@click.option("--html", "page", type=PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              help="Write a page with plots.")
@jobs_option
@language_option()
def command(path: Path, page: Path | None, jobs: int, language: str) -> int:
    """Lengths, draws, who loses by seat, takes, refusals by rule, and in Cal's BS how often sets were false and doubts
    right, each with its 95 % interval. Records without a result are left out, and counted.

    Exit codes: 0 counted, 2 nothing to count, or something cannot be used.
    """
    from host_tools.base import foreign
    from host_tools.base.errors import UnusableInput
    from host_tools.base.files import write_file
    from host_tools.base.workers.bar import Bar
    from host_tools.minds.corpus.count import count, list_records
    from host_tools.minds.corpus.report import as_lines, as_page
    from host_tools.minds.corpus.wording import Wording

    words, paths = Wording(language), list_records(path)
    with contextlib.closing(Bar(words.say("reading"), len(paths))) as bar:
        found, left_out = count(paths, bar.step, jobs, language)
    if not found:
        raise UnusableInput(f"{path}: no finished game among {len(paths)} records")
    for name, counts in sorted(found.items()):
        for line in as_lines(name, counts, words):
            foreign.say(line)
    foreign.say(words.left_out(left_out))
    if page is not None:
        write_file(page, as_page(found, left_out, words).encode())
        foreign.say(str(page))
    return 0
