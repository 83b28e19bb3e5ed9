"""`cardtable perft`: its command line; host_tools/perft.py counts."""

import click

from host_tools.foreign import PathName


@click.command(short_help="Count what the rules allow from a position on.")
@click.option("--line", type=click.IntRange(1), metavar="N", help="The position behind line N of the record; by "
              "default behind its last.")
@click.option("--depth", type=click.IntRange(1, 60), default=3, show_default=True, metavar="D",
              help="Count sequences of 1, 2, ... D events.")
@click.argument("record", type=PathName(dir_okay=False))
def command(line: int | None, depth: int, record: str) -> None:
    """Count the sequences of D accepted events from a position on: all seats that may speak, in any order that the
    rules allow. The undo and the arbiter are left out, and time stands still. A card that comes by chance counts once
    for each card that could come. docs/perft.md has numbers for positions of every game and option, to check an engine
    with.

    Exit codes: 0 counted, 2 the record cannot be used.
    """
    import time

    from host_tools import foreign
    from host_tools.perft import count_sequences, make_room
    from host_tools.replay.position import play_to

    session, now_ms = play_to(record, line or 0)
    rooms = make_room(session.state, depth)
    spent_s = nodes = 0.0
    for one in range(1, depth + 1):
        begun_s = time.process_time()
        nodes = count_sequences(session.game, rooms, 0, one, now_ms)
        spent_s = time.process_time() - begun_s
        foreign.say(f"{one:3} {nodes:15,}")
    if spent_s > 0.01:
        foreign.say(f"{nodes / spent_s:,.0f} nodes/s")
