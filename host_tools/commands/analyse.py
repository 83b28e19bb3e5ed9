"""`cardtable analyse`: its command line; host_tools/minds/analysis/ judges."""

from pathlib import Path

import click

from host_tools.base.foreign import PathName
from host_tools.commands._place import language_option


@click.command(short_help="After a game: where it was lost, and what the better play was.")
@click.argument("path", metavar="RECORD", type=PathName(path_type=Path, dir_okay=False))
@click.option("--guesses", type=click.IntRange(2, 10_000), default=96, show_default=True,
              help="How often each play is played on; more is slower and surer.")
@click.option("--json", "is_json", is_flag=True, help="Print the figures as JSON.")
@language_option()
@click.option("--html", "page", type=PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              help="Write one page to send to a friend.")
@click.option("--engine", "engine_command", metavar="COMMAND",
              help="Ask this program, too, what it would have played (docs/engine-protocol.md).")
def command(path: Path, guesses: int, language: str, is_json: bool, page: Path | None,
            engine_command: str | None) -> int:
    """Judge each decision of a finished game by what its seat could know then, and say what would have been better.

    A chance is that of not being the fool, or not losing (of Cal's BS: of winning), if all went on playing simply.
    Chances with all cards open stand beside it: they judge luck, not play. A game under way is never analysed.

    --engine: the program sees what the seat saw, and its play is judged as the seat's was.

    Exit codes: 0 analysed, 2 a record that cannot be.
    """
    import sys

    from rich.progress import Progress

    from host_tools.base import foreign
    from host_tools.base.errors import UnusableInput
    from host_tools.base.files import write_file
    from host_tools.look.bundle import bundle
    from host_tools.look.frames import make_frames
    from host_tools.minds.analysis import lines, report, second
    from host_tools.minds.analysis.judge import analyse
    from host_tools.minds.analysis.sentences import Told
    from host_tools.minds.analysis.served import find_folder, make_figures
    from host_tools.minds.corpus.wording import Wording
    from host_tools.minds.players import engine
    from host_tools.sight.recorded import read_record

    if engine_command is not None and page is not None:
        raise UnusableInput("--engine: its plays stand in the text and in --json, not on the page of --html")
    record = read_record(path)
    name = None if engine_command is None else engine.register(engine_command)
    with Progress(transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(Wording(language).say("analysing"), total=record.count)

        def tell(done: int, of: int) -> None:
            progress.update(task, completed=done, total=of)

        if name is None:
            told = make_figures(record, find_folder(path), guesses, tell)
        else:
            found = analyse(record, guesses, tell)
            told = {**report.figures(found), "engine": second.ask(found, name, guesses, tell)}
    if page is not None:
        write_file(page, bundle("view", {**make_frames(record, language, None, told), "opens": True}).encode())
        foreign.say(str(page))
    elif is_json:
        foreign.say_lines(report.as_json(told))
    else:
        for line in lines.as_text(told, Told(record, language)):
            foreign.say(line)
    return 0
