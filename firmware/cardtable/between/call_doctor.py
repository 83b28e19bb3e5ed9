"""Calls the doctor, who is in memory only meanwhile."""

import asyncio

from cardtable.rooms import forget, load


def examine(parts, asks: bool = True, learns: str = "") -> None:
    """Let the doctor look at the table. learns: the date, if it is to learn."""
    wires = load("between", "wiring").name_wires()
    forget("between", "board", "version")
    doctor = load("between", "doctor").Doctor(parts, wires)
    doctor.say = print  # somebody waits for each line, and it must not rest
    asyncio.run(doctor.examine(asks, learns))
    forget("between", "board")
