"""`cardtable perft`: its command line; judge/perft.py counts, judge/position_line.py writes positions."""

import click

from host_tools.base.foreign import PathName


@click.command(short_help="Count what the rules allow from a position on.")
@click.option("--line", type=click.IntRange(1), metavar="N", help="The position behind line N of the record; by "
              "default behind its last.")
@click.option("--depth", type=click.IntRange(1, 60), default=3, show_default=True, metavar="D",
              help="Count sequences of 1, 2, ... D events.")
@click.option("--divide", "is_divided", is_flag=True, help="Count for each first event what begins with it.")
@click.option("--presses", is_flag=True, help="Where cards are laid ready (Cal's BS): a set with its word counts once.")
@click.option("--write", "is_written", is_flag=True, help="Write the position as one line instead.")
@click.option("--position", metavar="LINE", help="Begin at this position instead of a record's.")
@click.argument("record", type=PathName(dir_okay=False), required=False)
def command(
    line: int | None, depth: int, is_divided: bool, presses: bool, is_written: bool, position: str | None,
    record: str | None,
) -> None:
    """Count the sequences of D accepted events from a position on: all seats that may speak, in any order that the
    rules allow. The undo and the arbiter are left out, and time stands still. A card that comes by chance counts once
    for each card that could come. docs/perft.md has numbers for positions of every game and option, to check an engine
    with, and tells how a position is written.

    Exit codes: 0 counted, 2 the record or the position cannot be used.
    """
    import time

    from cardtable.engine.event import Event, unpack
    from cardtable.engine.record import write_event
    from host_tools.base import foreign
    from host_tools.base.errors import UnusableInput
    from host_tools.judge.perft import count_sequences, divide, make_room
    from host_tools.judge.presses import check, count_presses
    from host_tools.judge.position_line import read_position, write_position
    from host_tools.judge.replay.position import play_to, read_head

    if (record is None) == (position is None):
        raise UnusableInput("Name a record, or give a --position.")
    session, now_ms = play_to(record, line or 0) if record else read_position(position or "")
    if is_written:
        foreign.say(write_position(session, read_head(record), now_ms) if record else position or "")
        return
    if presses:
        check(session.game)
        for one in range(1, depth + 1):
            foreign.say(f"{one:3} {count_presses(session.game, session.state, one, now_ms):15,}")
        return
    rooms = make_room(session.state, depth)
    if is_divided:
        total = 0
        for seat, packed, count in divide(session.game, rooms, depth, now_ms):
            text = write_event(session.game, unpack(packed, seat, now_ms, Event()))
            foreign.say(f"{count:15,}  {text.split(' ', 1)[1]}")
            total += count
        foreign.say(f"{total:15,}")
        return
    spent_s = nodes = 0.0
    for one in range(1, depth + 1):
        begun_s = time.process_time()
        nodes = count_sequences(session.game, rooms, 0, one, now_ms)
        spent_s = time.process_time() - begun_s
        foreign.say(f"{one:3} {nodes:15,}")
    if spent_s > 0.01:
        foreign.say(f"{nodes / spent_s:,.0f} nodes/s")
