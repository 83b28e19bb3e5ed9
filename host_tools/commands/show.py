"""`cardtable show`: its command line; host_tools/look/ answers."""

from pathlib import Path

import click

from host_tools.commands._place import language_option
from host_tools.base import foreign


@click.command(short_help="Show the table at one line of a record, and why it ruled so.")
@click.option("--at", type=click.IntRange(1, 10_000_000), metavar="LINE", help="The line, as an editor counts.")
@click.option("--find", metavar="WORDS", help="Lines in which these words stand, in either language.")
@click.option("--seat", "seat_name", metavar="NAME", help="Lines of that player, by name or seat.")
@click.option("--refused", is_flag=True, help="Refused lines alone.")
@click.option("--as", "reader_name", metavar="SEAT|public|all",
              help="Who looks: a player, everybody, or somebody who sees every hand. A game without a result is "
              "shown as public only; a finished one as all.")
@click.option("--key", "key_path", metavar="FILE", type=foreign.PathName(path_type=Path), default=None,
              help="The table's key: with it the seals prove who wrote the record.")
@language_option()
@click.option("--json", "is_json", is_flag=True, help="Write JSON.")
@click.option("--html", "page", metavar="FILE", type=foreign.PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              help="Write one line's sheet, a page to print.")
@click.argument("path", metavar="RECORD", type=foreign.PathName(path_type=Path))
def command(path: Path, at: int | None, find: str | None, seat_name: str | None, refused: bool, reader_name: str | None,
            key_path: Path | None, language: str, is_json: bool, page: Path | None) -> int:
    """Answer a dispute: the table before a line, what was tried, the verdict with its rule and source, and what would
    have been allowed. If several lines fit, they are listed.

    Exit codes: 0 shown, 1 no line fits, 2 a record or a reader that cannot be used.
    """
    from host_tools.commands.verify import read_key
    from host_tools.base.errors import UnusableInput
    from host_tools.look import answer as answers
    from host_tools.sight.recorded import ALL, PUBLIC, read_record
    from host_tools.look.sheet import write_sheet
    from host_tools.look.wording import Wording

    if "" in (find, seat_name, reader_name):  # such as a shell's variable that is not set
        raise UnusableInput("--find, --seat or --as is empty")
    record = read_record(path, read_key(key_path) if key_path else None)
    reader = record.reader(reader_name or (ALL if record.is_over else PUBLIC))
    words = Wording(language)
    told = answers.Teller(record, reader, language).lines()
    others = answers.in_other_languages(record, reader, language) if find else []
    seat = record.find_seat(seat_name) if seat_name else 0
    try:
        chosen = answers.choose(told, at=at, find=find or "", seat=seat, refused=refused, others=others)
    except UnusableInput as wrong:
        if record.is_over:
            raise
        # `replay` and `verify` name lines of the file: of a forged record these are others.
        cause = f". It cannot be played further: {record.trouble}" if record.trouble else ""
        raise UnusableInput(f"{wrong}. The game has no result, so its events are counted as everybody heard them, not"
                            f" as lines of the file{cause}") from wrong
    if len(chosen) != 1:
        if page is not None:
            raise UnusableInput(f"{len(chosen)} lines fit, and a sheet shows one: name it with --at")
        list_lines(chosen, record, words, is_json)
        return 0 if chosen else 1
    found = answers.answer(record, reader, chosen[0].number, language)
    if page is not None:
        write_sheet(page, found)
        foreign.say(str(page))
    elif is_json:
        say_json(found)
    else:
        for line in answers.as_text(found, words):
            foreign.say(line)
    return 0


def list_lines(chosen, record, words, is_json: bool) -> None:
    """Several lines, or none: one sentence each."""
    from host_tools.look.answer import describe_game
    from host_tools.sight.recorded import clock

    found = describe_game(record, words.language)
    if is_json:
        lines = [{"line": one.number, "at_ms": one.at_ms, "seat": one.seat, "text": one.text, "rule": one.rule}
                 for one in chosen]
        say_json({**found, "lines": lines})
        return
    foreign.say(f"{found['title']}: {', '.join(found['players'])}. {found['result']}")
    foreign.say(found["sealed"])
    if found["trouble"]:
        foreign.say(found["trouble"])
    for one in chosen:
        foreign.say(f"{'!' if one.rule else ' '} {one.number:5} {clock(one.at_ms):>8}  {one.text}")
    hint = f": {words.say('choose')}" if chosen else ""
    foreign.say(f"{words.count('matches', len(chosen))}{hint}" if chosen else words.say("matches.none"))


def say_json(found) -> None:
    """One line of JSON in ASCII: no record can steer a terminal by it."""
    import json

    foreign.say(json.dumps(found))
