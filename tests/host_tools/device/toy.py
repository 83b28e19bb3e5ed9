"""Toy applications for a virtual board behind a serial port, and tables whose connection is cut; no test."""

import shutil
from pathlib import Path

from boards import virtual
from host_tools.maker.device import deploy as deploying
from host_tools.maker.device.deploy import deploy
from host_tools.maker.device.package import Package
from host_tools.maker.device.table import Table, TableError
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.world import World

# How long a Table waits here. For the prompt it asks again, each time for longer: a Ctrl-C may come too early.
PROMPT_S = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
READ_S = 30.0
ANSWER_S = 240.0
SPEED = 20.0  # times real time: who waits is not to keep a processor busy
# The whole firmware takes a tenth of a processor's second for each of its own: who waits for it in real time pays that.
TABLE_SPEED = 5.0
BLOCKS = 128  # of flash: quick to copy
RUNS = """
import asyncio, micropython
from cardtable import VERSION
def main(come_up):
    print("cardtable on toy, version %d" % VERSION)
    come_up()
    micropython.kbd_intr(3)
    asyncio.run(wait())
async def wait():
    while True:
        await asyncio.sleep_ms(50)
"""


def be_patient(patched) -> None:
    """Let every Table wait as long as a busy machine may need."""
    patched.setattr(Table, "patience", PROMPT_S)
    patched.setattr(Table, "read_s", READ_S)
    patched.setattr(Table, "answer_s", ANSWER_S)
    patched.setattr(deploying, "UP_S", ANSWER_S)


def toy(version: int, main: str = RUNS) -> Package:
    """An application of three files, one of which never changes."""
    files = {
        "main.py": main.encode(),
        "cardtable/__init__.py": b"VERSION = %d\n" % version,
        "cardtable/words/table.en": b"T1=words that never change\n" * 20,
    }
    return Package("toy", files)


def board(tmp_path: Path, shims: Path, flash: Path | None = None) -> SerialBoard:
    """A small board; with `flash` it begins with a copy of that file."""
    if flash is not None:
        shutil.copyfile(flash, tmp_path / "flash.bin")
    return SerialBoard(World(virtual), tmp_path / "flash.bin", shims, blocks=BLOCKS, speed=SPEED)


def put(port: str, package: Package, table_class: type = Table, **more: bool) -> bool:
    """Deploy without a command line; leaves the table stopped."""
    with table_class(port) as table:
        table.is_left = True
        table.stop()
        return deploy(table, package, lambda text: None, lambda count: None, **more)


def version_after_power_cut(board: SerialBoard) -> str:
    """Take the power and give it back: the line with which the application comes up."""
    board.pull_plug()
    at = len(board.printed)
    board.plug_in()
    end = board.wait_for("\n", board.wait_for("cardtable on toy, version ", at))
    return bytes(board.printed[:end]).rsplit(b"version ", 1)[1].strip().decode()


def cut_at(step: int) -> type:
    """A Table whose connection is lost before what it would run as its `step`, from 1."""

    class CutTable(Table):
        steps = 0

        def run(self, code, on_text=None):
            CutTable.steps += 1
            if CutTable.steps == step:
                raise TableError("cut")
            return super().run(code, on_text)

    return CutTable
