"""The heap of a small ESP32 holds the firmware and any game; made smaller step by step, the table says so at the start,
or it plays rightly."""

import pytest

from cardtable.between import prompt
from host_tools.virtual import image
from host_tools.virtual.device import ROM_KB, Device, DeviceError
from host_tools.virtual.fingers import deck_lines
from host_tools.virtual.table import BUILD, Table, load_script
from tests.conftest import ROOT

RECORDS = ROOT / "tests" / "records"
SMALL = RECORDS / "durak" / "scenario-38_trump_blocks.rec"
# Of each game the record with the most seats or cards; Malice has 108 tags.
LARGE = ("durak/throw-in-0000", "cals-bs/variant-seven-seats", "bailiff/variant-six-seats", "malice/game-0000")
EVENTS = 60  # of a large one: after its start a game takes next to nothing more; the bench plays whole ones
STEP_KB = 8
LATE_US = 600_000_000


def play(path, room_kb, tmp_path, events=None, flash=None) -> str:
    """What came of the record on a heap with that room for the firmware: right, or the words that declined it.

    flash: a folder in which a game lies already; else a new one.
    """
    game, script = load_script(path)
    if events:
        del script.lines[events:]
        script.result = ""
    table = Table(game, script)
    if flash is None:
        flash = tmp_path / str(room_kb)
        flash.mkdir()
        (flash / "deck.txt").write_text("".join(deck_lines()))
        (flash / "setup.txt").write_text("\n".join(script.header.lines()) + "\n")
    lines: list[str] = []
    rom = image.build_rom("virtual", BUILD / "virtual")
    device = Device(table.world, flash, rom, image.build_shims(BUILD / "shims"), room_kb=room_kb, on_line=lines.append)

    def is_over() -> bool:
        declined = any("too little memory" in line or "MemoryError" in line for line in lines)
        return declined or table.hands.is_done or table.world.now_us > LATE_US

    try:
        with device:
            device.run(until=is_over)
    except DeviceError as died:
        return "MemoryError" if "MemoryError" in str(died) else str(died)
    if table.hands.is_done:
        played = [line for line in lines if line[:1].isdigit() and " ! " not in line]
        wrong = table.hands.played != len(script.lines) or len(played) != sum(not line.rules for line in script.lines)
        return "wrong" if wrong else "right"
    return "MemoryError" if any("MemoryError" in line for line in lines) else " / ".join(lines[:1])


@pytest.mark.micropython
@pytest.mark.parametrize("name", LARGE)
def test_every_game_stays_inside_the_budget_of_the_heap(name, tmp_path):
    """With MicroPython's code in ROM, as a chip without PSRAM has it."""
    assert play(RECORDS / f"{name}.rec", ROM_KB, tmp_path, EVENTS) == "right"


@pytest.mark.micropython
def test_a_heap_that_is_too_small_is_said_to_be_and_never_judges_wrongly(tmp_path):
    """T13: from the heap of a small ESP32 down to one in which nothing fits."""
    sizes = range(ROM_KB, 16, -STEP_KB)
    came = {size: play(SMALL, size, tmp_path) for size in sizes}
    assert came[ROM_KB] == "right", came
    declined = [size for size in sizes if came[size] != "right"]
    assert declined and max(declined) < ROM_KB
    for size in declined:
        assert "too little memory" in came[size] or came[size] == "MemoryError", came
    assert "set-up: too little memory" in came.values(), came


@pytest.mark.micropython
def test_a_small_heap_is_a_notice_and_not_a_bug(tmp_path):
    """T13: at 50 KB MicroPython's table of names is nearly full when the notice comes, and would not fit twice."""
    assert play(SMALL, 50, tmp_path) == "set-up: too little memory"


@pytest.mark.micropython
def test_t11_a_small_heap_with_a_game_on_flash_is_a_notice_too(tmp_path):
    """The panel that keeps the prompt closed has to fit as well."""
    assert play(SMALL, ROM_KB, tmp_path, 3) == "right"
    assert prompt.has_unfinished(str(tmp_path / str(ROM_KB) / "games"))
    assert play(SMALL, 50, tmp_path, flash=tmp_path / str(ROM_KB)) == "set-up: too little memory"
