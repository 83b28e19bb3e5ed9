"""What the tests of a table at a serial port share: shims, and flashes on which something lies already."""

import pytest

from boards import virtual
from host_tools.maker.device.package import build_package
from host_tools.virtual import image
from host_tools.virtual.table import BUILD
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.world import World
from tests.host_tools.device import toy


@pytest.fixture(scope="session", autouse=True)
def patient_tables():
    """Whoever talks to a board here waits for as long as a busy machine may need."""
    with pytest.MonkeyPatch.context() as patched:
        toy.be_patient(patched)
        yield


@pytest.fixture(scope="session")
def shims():
    return image.build_shims(BUILD / "shims")


@pytest.fixture(scope="session")
def flash_with_one(tmp_path_factory, shims):
    """The flash of a table on which version 1 of the toy has come up, with files of its players."""
    folder = tmp_path_factory.mktemp("one")
    with toy.board(folder, shims) as board:
        toy.put(board.port, toy.toy(1))
        assert toy.version_after_power_cut(board) == "1"
        with toy.Table(board.port) as table:
            table.stop()
            table.call("make_folder", "/games")
            table.write("/deck.txt", b"04A1B2C3D4E580 6S\n")
            table.write("/games/0001.rec", b"cardtable 1\n")
            table.write("/key.bin", bytes(range(32)))
    return folder / "flash.bin"


@pytest.fixture(scope="session")
def deployed(tmp_path_factory, shims):
    """The flash of a table with the real firmware, to be copied."""
    folder = tmp_path_factory.mktemp("deployed")
    with SerialBoard(World(virtual), folder / "flash.bin", shims) as board:
        toy.put(board.port, build_package("virtual"))
    return folder / "flash.bin"


@pytest.fixture
def board(tmp_path, shims, flash_with_one):
    with toy.board(tmp_path, shims, flash_with_one) as board:
        board.wait_for("cardtable on toy, version 1")
        yield board
