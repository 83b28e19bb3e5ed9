"""A chip without PSRAM: the definition of its MicroPython, and what `deploy` does where there is a ROM partition."""

import re
import shutil
from dataclasses import replace

import pytest

from boards import virtual
from host_tools.maker.board.load import load, names
from host_tools.maker.board.modules import MODULES
from host_tools.cli import run
from host_tools.maker.device import flash, memory, rom
from host_tools.maker.device.deploy import look
from host_tools.maker.device.package import Package, build_package
from host_tools.maker.device.start import fit
from host_tools.maker.device.table import Table
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.world import World
from tests.conftest import ROOT
from tests.host_tools.device.toy import TABLE_SPEED
from tests.patience import wait_for

FOLDER = ROOT / "boards" / "micropython" / "CARDTABLE_ESP32"
FLASH = 4 * 1024 * 1024
APP_ALIGN, DATA_ALIGN = 0x10000, 0x1000  # ESP-IDF, "Partition Tables"
SPARE = 32 * 1024  # that an application may grow by


def partitions():
    """(name, type, offset, size) of each."""
    rows = [line.split(",") for line in (FOLDER / "partitions.csv").read_text().splitlines() if line[:1] not in "#"]
    return [(name.strip(), kind.strip(), int(offset, 0), int(size, 0)) for name, kind, _, offset, size in rows]


def test_the_partitions_lie_one_behind_the_other_on_the_flash():
    end = 0x9000
    for name, kind, offset, size in partitions():
        align = APP_ALIGN if kind == "app" else DATA_ALIGN
        assert offset == end and offset % align == 0 and size % DATA_ALIGN == 0, name
        end = offset + size
    assert end == FLASH
    assert [name for name, *_ in partitions()] == ["nvs", "phy_init", "factory", "romfs", "vfs"]


def test_the_definition_names_its_files_and_wants_a_rom():
    assert f"boards/{FOLDER.name}/sdkconfig.board" in (FOLDER / "mpconfigboard.cmake").read_text()
    assert f'"boards/{FOLDER.name}/partitions.csv"' in (FOLDER / "sdkconfig.board").read_text()
    assert "#define MICROPY_VFS_ROM (1)" in (FOLDER / "mpconfigboard.h").read_text()


@pytest.mark.parametrize("name", [name for name in names() if not MODULES[load(name).MODULE].psram])
def test_every_board_without_psram_has_room_in_the_rom(name):
    room = {name: size for name, _, _, size in partitions()}["romfs"]
    assert len(rom.make_image(build_package(name))) + SPARE < room


def test_h10_what_an_image_of_128_kb_would_hold_is_on_the_page():
    """Each row of the table is what the firmware takes today; only the last two would fit."""
    board = "esp32_devkit_4seat"
    everything, lean = build_package(board).files, build_package(board, is_lean=True).files
    games = {name.rpartition("/")[2].partition(".")[0] for name in everything if "/games/" in name}
    others = {game for game in games if not game.startswith("durak") and not game.startswith("_")}
    spare = {f"d_{name}.mpy" for name in (
        "pn532", "screen_ssd1306", "screen_ssd1309", "switch_tca9548a")}
    assert spare < set(lean)
    english = {name: data for name, data in lean.items() if not name.endswith(".ru")}
    one = {name: data for name, data in english.items() if not any(game in name for game in others)}
    none = {name: data for name, data in one.items() if "durak" not in name}
    bare = {name: data for name, data in none.items() if name not in spare}
    is_kb = [len(rom.make_image(Package(board, files))) / 1024
             for files in (everything, lean, english, one, none, bare)]
    page = (ROOT / "docs" / "flashing.md").read_text(encoding="utf-8")
    rows = re.search(r"\| in the image \| KB \|\n.*\n((?:\|.*\n)+)", page)[1].splitlines()
    said = [int(row.split("|")[2]) for row in rows]
    assert all(abs(one - other) < 3 for one, other in zip(said, is_kb, strict=True)), is_kb
    assert [kb <= 128 for kb in said] == [False] * 4 + [True] * 2


def test_h10_the_pages_promise_what_the_command_does():
    """Heap by where the code lies, and the boards on which it has to be lean; none needs an image of its own."""
    pages = {name: (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("which-board.md", "flashing.md")}
    table = dict(re.findall(r"^\| (.+?) \| (\d+) KB to start \|$", pages["which-board.md"], re.MULTILINE))
    heaps = [memory.ROM_HEAP, memory.FILES_HEAP, memory.LEAN_HEAP]
    assert [int(kb) * 1024 for kb in table.values()] == heaps
    for heap in heaps[1:]:
        assert f"{heap // 1024} KB" in pages["flashing.md"]
    for name in sorted(set(names()) - {"virtual"}):
        (row,) = [line for line in pages["which-board.md"].splitlines() if f"(boards/{name}.md)" in line]
        is_lean = "no PSRAM: [the lean code]" in row or "| the same, for seven |" in row
        assert is_lean != bool(MODULES[load(name).MODULE].psram) and "build MicroPython" not in row, row


def test_h10_an_image_for_download_serves_every_chip(tmp_path, monkeypatch):
    monkeypatch.setattr(flash, "IMAGES", tmp_path)
    for name in names():
        board = load(name)
        chip = flash.find_chip(board)
        assert chip.has_psram == bool(MODULES[board.MODULE].psram)
        image = tmp_path / f"{chip.board}-v{flash.MICROPYTHON}.bin"
        image.write_bytes(b"")
        assert flash.fetch(chip) == image


SWEEP_US = 2_000_000  # the first sweep is over long before


@pytest.fixture
def with_rom(tmp_path, shims, deployed):
    """A board with the real firmware in files, and with the ROM partition of the definition, still empty."""
    shutil.copyfile(deployed, tmp_path / "flash.bin")
    room = {name: size for name, _, _, size in partitions()}["romfs"]
    # The partition lies in the heap here: 32-bit KB count twice.
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims, speed=TABLE_SPEED, room_kb=110 + room // 2048,
                     rom_bytes=room) as board:
        board.wait_for("cardtable on virtual")
        yield board


@pytest.mark.micropython
def test_deploy_takes_the_rom_where_there_is_one_and_not_twice(with_rom, capsys):
    words = ["device", "deploy", "--board", "virtual", "--port", with_rom.port]
    assert run(words) == 0
    assert "to the ROM partition" in capsys.readouterr().out
    begun_us = with_rom.world.now_us
    wait_for(lambda: with_rom.world.now_us > begun_us + SWEEP_US, "the test", "the first sweep of readers")
    with Table(with_rom.port) as table:
        table.stop()
        installed = look(table)
        assert (installed.folder, installed.word) == ("rom", "good")
    assert run(words) == 0
    said = capsys.readouterr().out
    assert "has this application already" in said and "to the ROM partition" not in said
    with_rom.wait_for("cardtable on virtual")


@pytest.mark.micropython
def test_deploy_leaves_the_rom_alone_if_told(with_rom, capsys):
    assert run(["device", "deploy", "--board", "virtual", "--port", with_rom.port, "--files"]) == 0
    said = capsys.readouterr()
    assert "to the ROM partition" not in said.out and "KB of heap" not in said.err


STOCK = memory.Memory(heap=56_000, split=55_936, idf_free=90_000, idf_largest=60_000, rom=0)
LESS = replace(STOCK, split=40_000)


def test_the_chip_decides_where_the_code_runs_from():
    """By what it says of itself, not by its name; the sentence has the numbers."""
    assert memory.choose(STOCK, 160_000) == (False, "") and memory.is_tight(STOCK, 160_000), "the lean code fits"
    assert memory.choose(LESS, 160_000) == (False, (
        "This chip has 54 KB of heap and can add 39 KB; with its code in files the largest game needs 100 KB, and the"
        " table will say that it has too little memory. docs/flashing.md, \"A chip without PSRAM\", says what helps."))
    assert memory.choose(replace(STOCK, rom=200_000), 160_000) == (True, "")
    assert memory.choose(replace(STOCK, split=8_000_000), 160_000) == (False, "")
    assert replace(STOCK, split=8_000_000).has_psram and not STOCK.has_psram
    small = memory.choose(replace(STOCK, rom=131_072, split=8_000_000), 160_000)
    assert small == (False, "The ROM partition has 128 KB and the application needs 157: it runs from files.")


def test_a_tight_heap_gets_the_lean_application(monkeypatch):
    """Where the code lies in files, and the chip says that it has little more than that takes."""
    package, said = build_package("virtual"), []
    for has, uses_rom, is_lean in (
        (STOCK, None, True), (replace(STOCK, split=8_000_000), None, False),
        (replace(STOCK, rom=400_000), None, False), (replace(STOCK, rom=400_000), False, True),
    ):
        monkeypatch.setattr(memory, "ask", lambda table, has=has: has)
        assert (fit(None, package, said.append, uses_rom).size < package.size) == is_lean
    assert len(said) == 2 and said[0].startswith("This chip has 109 KB of heap at most: ")


@pytest.mark.micropython
def test_info_and_deploy_tell_what_a_small_chip_lacks(tmp_path, shims, deployed, capsys):
    shutil.copyfile(deployed, tmp_path / "flash.bin")
    stock = SerialBoard(World(virtual), tmp_path / "flash.bin", shims, speed=TABLE_SPEED)
    stock.chip_heap = "56000 40000"
    with stock:
        stock.wait_for("cardtable on virtual")
        assert run(["device", "info", "--port", stock.port]) == 0
        said = capsys.readouterr().out
        assert "54 KB, and one more area of 39 KB at most" in said
        assert "no partition" in said and "100 KB of heap" in said
        assert run(["device", "deploy", "--board", "virtual", "--port", stock.port]) == 0
        assert "can add 39 KB; with its code in files the largest game needs 100 KB" in capsys.readouterr().err


@pytest.mark.micropython
def test_h10_a_stock_chip_gets_the_lean_code_and_a_computer_speaks_to_it(tmp_path, shims, deployed, capsys):
    """What a computer says at its prompt finds its modules, which lie elsewhere there."""
    shutil.copyfile(deployed, tmp_path / "flash.bin")
    stock = SerialBoard(World(virtual), tmp_path / "flash.bin", shims, speed=TABLE_SPEED)
    stock.chip_heap = "56000 55936"
    with stock:
        stock.wait_for("cardtable on virtual")
        assert run(["device", "deploy", "--board", "virtual", "--port", stock.port]) == 0
        said = capsys.readouterr()
        assert "This chip has 109 KB of heap at most: it gets the application without line numbers" in said.out
        assert "too little memory" not in said.err
        begun_us = stock.world.now_us
        wait_for(lambda: stock.world.now_us > begun_us + SWEEP_US, "the test", "the first sweep of readers")
        assert run(["device", "info", "--port", stock.port]) == 0
        said = capsys.readouterr().out
        assert "rulebook" in said
        assert run(["device", "doctor", "--port", stock.port, "--quick"]) == 0
        assert run(["device", "pull", "--port", stock.port, "--to", str(tmp_path / "records")]) == 0
        stock.wait_for("cardtable on virtual")
