"""An application in MicroPython's ROM partition, where it has one; the one on flash is what the loader goes back to."""

import pytest

from host_tools.maker.device import rom
from host_tools.maker.device.deploy import deploy, look
from host_tools.maker.device.table import Table
from host_tools.base.errors import UnusableInput
from tests.host_tools.device.toy import board as make_board
from tests.host_tools.device.toy import put, toy, version_after_power_cut

pytestmark = pytest.mark.micropython

FALLS = "def main(come_up):\n    raise ValueError('in ROM')\n"


@pytest.fixture
def board(tmp_path, shims, flash_with_one):
    """A board with a ROM partition of 64 KB."""
    board = make_board(tmp_path, shims, flash_with_one)
    board.rom_bytes = 65_536
    with board:
        board.wait_for("cardtable on toy, version 1")
        yield board


def put_rom(board, package):
    with Table(board.port) as table:
        table.is_left = True
        table.stop()
        rom.deploy(table, package, lambda text: None)


def test_it_is_written_compared_and_started_from_there(board):
    put_rom(board, toy(2))
    assert version_after_power_cut(board) == "2"
    with Table(board.port) as table:
        table.stop()
        installed = look(table)
        assert (installed.folder, installed.word, installed.kept) == ("rom", "good", "rom")
        assert set(installed.whole) == {"a", "rom"}


def test_one_that_does_not_start_makes_room_for_the_one_on_flash(board):
    put_rom(board, toy(2, FALLS))
    assert version_after_power_cut(board) == "1"


def test_a_later_deployment_to_flash_takes_over(board):
    put_rom(board, toy(2))
    assert version_after_power_cut(board) == "2"
    assert put(board.port, toy(3))
    assert version_after_power_cut(board) == "3"
    # And then the ROM can be written again.
    put_rom(board, toy(4))
    assert version_after_power_cut(board) == "4"


def test_the_same_application_leaves_the_rom_only_where_it_is_to_run_from_files(board):
    """`device deploy --files`; without it the table has this application already."""
    put_rom(board, toy(2))
    assert version_after_power_cut(board) == "2"
    assert not put(board.port, toy(2))
    assert put(board.port, toy(2), leaves_rom=True)
    assert version_after_power_cut(board) == "2"
    with Table(board.port) as table:
        table.stop()
        installed = look(table)
        assert (installed.folder, installed.word) == ("a", "good")
    assert not put(board.port, toy(2), leaves_rom=True)


def test_a_rom_that_is_in_use_is_not_written(board):
    put_rom(board, toy(2))
    assert version_after_power_cut(board) == "2"
    with pytest.raises(Exception, match="the table runs from its ROM"):
        put_rom(board, toy(3))


def test_too_small_a_partition_is_refused_with_its_size(board):
    big = toy(2)
    big.files["cardtable/words/big"] = bytes(70_000)
    with pytest.raises(UnusableInput, match="the ROM partition has 64 KB and the application needs 70 KB"):
        put_rom(board, big)
    assert version_after_power_cut(board) == "1"


def test_a_micropython_without_a_partition_is_told_of(tmp_path, shims, flash_with_one):
    with make_board(tmp_path, shims, flash_with_one) as board:
        board.wait_for("cardtable on toy, version 1")
        with pytest.raises(UnusableInput, match="has no ROM partition; the application runs from flash"):
            put_rom(board, toy(2))
        with Table(board.port) as table:
            table.stop()
            assert not deploy(table, toy(1), lambda text: None, lambda count: None)
