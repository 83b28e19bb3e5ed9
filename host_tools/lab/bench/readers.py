"""The reader driver's cost on its bus, as rows; driver_frames.py counts it."""

from host_tools.lab.bench import driver_frames
from host_tools.lab.bench.results import Row
from host_tools.lab.bench.timing import Room

ROOM = "reader driver, modelled"
IDLE_POLL_FRAMES = 7 + 2  # 2 of them switch the field
READ_FRAMES = 70  # of a tag of 7 bytes
EMPTY_SWEEP_US, FULL_SWEEP_US = 60_000, 100_000


def measure() -> list[Row]:
    """Frames, bytes and modelled time of each deed."""
    room = Room(ROOM)
    for deed, cost in driver_frames.measure().items():
        frames = {"idle poll": IDLE_POLL_FRAMES, "first read of a 7-byte UID": READ_FRAMES}.get(deed)
        room.count(f"{deed}: chip-select frames", cost["frames"], "frames", frames)
        room.count(f"{deed}: bytes on the bus", cost["bytes"], "bytes")
        sweep_us = EMPTY_SWEEP_US if deed.endswith("empty") else FULL_SWEEP_US
        room.count(f"{deed}: time", cost["us"], "modelled us", sweep_us if deed.startswith("sweep") else None)
    return room.rows
