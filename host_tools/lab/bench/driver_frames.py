"""Counts a reader driver's traffic on the bus, against the chip models.

    python -m host_tools.lab.bench.driver_frames

Times are modelled (see reader_rig.py): frames, air time, the 5 ms tick and the interpreter.
"""

import json

from cardtable.answers import EMPTY, PRESENT
from host_tools.lab.bench.reader_rig import Rig
from host_tools.virtual.chips.iso14443a import Tag

_UIDS = {4: "21a4c3f7", 7: "04a23b1c5d6e80", 10: "04a23b1c5d6e80914f77"}
_READERS = 7
_SWEEPS = 10
_APART_US = 60_000  # between two polls of one reader, as in a sweep: its tag loses power


def _count(rig: Rig, deed, expected) -> dict[str, int]:
    """Measure `deed`: `us` in all, `busy_us` without other tasks. ValueError if it goes wrong."""
    bus, clock = rig.bus, rig.clock
    before = bus.frames, bus.bytes, clock.now_us, clock.rested_us
    result = deed()
    after = bus.frames, bus.bytes, clock.now_us, clock.rested_us
    frames, byte_count, us, rested_us = (now - then for now, then in zip(after, before, strict=True))
    if result != expected:
        raise ValueError(f"the driver answers {result}, not {expected}")
    return {"frames": frames, "bytes": byte_count, "us": us, "busy_us": us - rested_us}


def _measure_poll(uid: str = "", known: bool = False) -> dict[str, int]:
    """One poll that begins on a tick of the clock."""
    rig = Rig()
    result = EMPTY
    if uid:
        rig.put(Tag(bytes.fromhex(uid)))
        result = PRESENT
    told = None
    if known:
        rig.poll()
        told = bytes(rig.readers[0].uid)
    rig.clock.now_us = (rig.clock.now_us // _APART_US + 2) * _APART_US
    return _count(rig, lambda: rig.poll(told), result)


def _measure_sweep(with_tags: bool, known: bool) -> dict[str, int]:
    """The slowest of some sweeps of all readers."""
    rig = Rig(_READERS)
    result = EMPTY
    if with_tags:
        result = PRESENT
        for number in range(_READERS):
            uid = bytearray(bytes.fromhex(_UIDS[7]))
            uid[6] = number
            rig.put(Tag(bytes(uid)), number)
    if known:
        rig.sweep()
    costs = [_count(rig, lambda: rig.sweep(known), [result] * _READERS) for _ in range(_SWEEPS)]
    return max(costs, key=lambda cost: cost["us"])


def measure() -> dict[str, dict[str, int]]:
    """A row for each deed: select frames, bytes, modelled `us` in all and `busy_us` without other tasks."""
    rig = Rig()
    rows = {
        "idle poll": _measure_poll(),
        "field on": _count(rig, lambda: rig.readers[0].field(True), None),
        "field off": _count(rig, lambda: rig.readers[0].field(False), None),
    }
    for length, uid in _UIDS.items():
        rows[f"first read of a {length}-byte UID"] = _measure_poll(uid)
    rows["look again at a known 7-byte UID"] = _measure_poll(_UIDS[7], known=True)
    rows["sweep of 7, all empty"] = _measure_sweep(with_tags=False, known=False)
    rows["sweep of 7, a known tag on each"] = _measure_sweep(with_tags=True, known=True)
    rows["sweep of 7, a new tag on each"] = _measure_sweep(with_tags=True, known=False)
    return rows


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
