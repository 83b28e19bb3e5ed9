"""A heap that is made smaller step by step: the table says at the start that it is too small, or it plays rightly."""

import pytest

from host_tools.virtual import image
from host_tools.virtual.device import FIRMWARE_KB, HEAP, SHIMS_KB, Device, DeviceError
from host_tools.virtual.hands import deck_lines
from host_tools.virtual.table import BUILD, Table, load_script
from tests.conftest import ROOT

RECORD = ROOT / "tests" / "records" / "durak" / "scenario-38_trump_blocks.rec"
SIZES = range(FIRMWARE_KB, 20, -8)  # KB of 32-bit heap for the firmware


def play(size: int, tmp_path) -> str:
    """What came of the record on a heap of that size: right, or the words with which the table declined."""
    game, script = load_script(RECORD)
    table = Table(game, script)
    flash = tmp_path / str(size)
    flash.mkdir()
    (flash / "deck.txt").write_text("".join(deck_lines()))
    (flash / "setup.txt").write_text("\n".join(script.header.lines()) + "\n")
    lines: list[str] = []
    device = Device(table.world, flash, image.build("virtual", BUILD / "virtual"), image.build_shims(BUILD / "shims"),
                    heap=f"{size + SHIMS_KB}wK", on_line=lines.append)
    late_us = 60_000_000

    def is_over() -> bool:
        declined = any("too little memory" in line or "MemoryError" in line for line in lines)
        return declined or table.hands.is_done or table.world.now_us > late_us

    try:
        with device:
            device.run(until=is_over)
    except DeviceError as died:
        return "MemoryError" if "MemoryError" in str(died) else str(died)
    if table.hands.is_done:
        events = [line for line in lines if line[:1].isdigit() and " ! " not in line]
        wrong = table.hands.played != len(script.lines) or len(events) != sum(not line.rules for line in script.lines)
        return "wrong" if wrong else "right"
    return "MemoryError" if any("MemoryError" in line for line in lines) else " / ".join(lines[:1])


@pytest.mark.micropython
def test_a_heap_that_is_too_small_is_said_to_be_and_never_judges_wrongly(tmp_path):
    """T13: from the heap of a small ESP32 down to one in which nothing fits."""
    assert HEAP == f"{FIRMWARE_KB + SHIMS_KB}wK"
    came = {size: play(size, tmp_path) for size in SIZES}
    assert came[FIRMWARE_KB] == "right", came
    declined = [size for size in SIZES if came[size] != "right"]
    assert declined and max(declined) < FIRMWARE_KB
    for size in declined:
        assert "too little memory" in came[size] or came[size] == "MemoryError", came
    assert "set-up: too little memory" in came.values(), came
