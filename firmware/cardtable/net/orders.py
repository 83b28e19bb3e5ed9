"""Brings what the director wants played next to the lobby, which proposes it: players confirm it, or choose otherwise.

It reaches the table only while its lobby rests, and only as the game that was "played last". So it can be declined like
that one, and no game under way can be touched.
"""

import os

from cardtable.between.chosen import remember
from cardtable.between.files import read_lines, write_text
from cardtable.between.setup_files import read_setup

ORDER_FILE = "order.txt"  # the number of the order that came last: each is proposed once, or refused once
_NEW = "new.txt"  # as in between/chosen.py: whatever a power cut leaves of it, nobody reads it


def was_proposed(number: str) -> bool:
    """Whether this order was, or was refused: a broker brings it with every connection."""
    try:
        return read_lines(ORDER_FILE, lambda lines: [line.strip() for line in lines]) == [number]
    except ValueError:  # there is none yet
        return False


def propose(number: str, setup: str, places: int) -> None:
    """Let the lobby propose that set-up when it next opens. SetupError says why it cannot be played here; OSError."""
    if not setup.endswith("\n\n"):
        setup = setup.rstrip("\n") + "\n\n"
    write_text(_NEW, setup)
    try:
        header = read_setup(_NEW, places)
    except ValueError:
        os.remove(_NEW)
        write_text(ORDER_FILE, number + "\n")
        raise
    remember(header)
    write_text(ORDER_FILE, number + "\n")
