"""Bits of the flash flip while the power is off (B2): the flash is never formatted, and what is lost is named."""

import random
import tempfile
from pathlib import Path

import pytest
from littlefs import LittleFSError

from boards import virtual
from cardtable.record.journal import WITNESS
from host_tools.maker.device.table import SPOILT as CORRUPTED
from host_tools.virtual import image
from tests.host_tools.flash_device import BLOCK, FlashDevice
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.table import BUILD
from host_tools.virtual.world import World
from tests.host_tools.at_table import SECOND
from tests.host_tools.test_power_cuts import BLOCKS, CARDS, Evening, draws

NAMED = ("lost: ", "damaged: ", "set-up: ", "The filesystem")
FLIPS = 12
ROOT = (0, 1)  # blocks of the root folder: with an older state of that everything is older, and nothing is left to tell


def rest(us):
    """People wait."""
    yield us


@pytest.fixture(scope="module")
def dealt(tmp_path_factory):
    """An evening whose power went after eight cards, and a while for the table to note them: its bytes."""
    evening = Evening(tmp_path_factory.mktemp("dealt"))

    def deal():
        yield from evening.deal(CARDS)
        yield from rest(6 * SECOND)

    assert evening.play(deal())
    evening.device.power_off()
    assert evening.events() == draws(CARDS)
    return evening.device.flash.read_bytes()


def used_bytes(data):
    """A list for each block that has any: the places of bytes that were programmed."""
    blocks = [range(at, at + BLOCK) for at in range(0, len(data), BLOCK)]
    return [used for block in blocks if (used := [at for at in block if data[at] != 0xFF])]


def come_back(folder, data):
    """Switch a table with these bytes on for six seconds: the evening, switched off again."""
    evening = Evening(folder)
    evening.device.flash.write_bytes(data)
    evening.play(iter([6 * SECOND]))
    evening.device.power_off()
    return evening


def read_flash(evening):
    """The names in games/, the lines of the newest record, what the witness says; None if nobody can mount it."""
    with tempfile.TemporaryDirectory(dir=evening.folder) as pulled:
        folder = Path(pulled)
        try:
            evening.device.copy_files(folder)
        except LittleFSError:
            return None
        pieces = sorted(folder.glob("games/0001/*/*"), key=lambda path: (int(path.parent.name), int(path.name)))
        text = b"".join(path.read_bytes() for path in pieces)
        return text.splitlines(), (folder / WITNESS).read_text() if (folder / WITNESS).exists() else ""


@pytest.mark.micropython
@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(FLIPS))
def test_b2_a_flipped_bit_costs_nothing_without_a_word(seed, dealt, tmp_path):
    """Whichever block it is in: what was noted is there, or its loss is named, or nothing goes on at all."""
    rng = random.Random(seed)
    at = rng.choice(rng.choice([used for used in used_bytes(dealt) if used[0] // BLOCK not in ROOT]))
    data = bytearray(dealt)
    data[at] ^= 1 << rng.randrange(8)
    evening = come_back(tmp_path, bytes(data))
    after = evening.device.flash.read_bytes()
    if any(CORRUPTED in line for line in evening.lines):
        assert after == bytes(data)  # the flash is as it was, and may yet be read
        return
    found = read_flash(evening)
    assert found is not None
    lines, _ = found
    noted = 7 + len(CARDS)  # the header and eight draws
    assert len(lines) >= noted or any(line.startswith(NAMED) for line in evening.lines), (seed, at, evening.lines)


@pytest.mark.micropython
def test_b2_a_flash_that_cannot_be_mounted_is_never_formatted(dealt, tmp_path):
    """One bit in an empty spare page is enough for littlefs."""
    spare = next(used for used in used_bytes(dealt) if len(used) == 36)
    data = bytearray(dealt)
    data[spare[19]] ^= 4
    evening = come_back(tmp_path, bytes(data))
    assert any(CORRUPTED in line for line in evening.lines) and evening.device.flash.read_bytes() == bytes(data)


@pytest.mark.micropython
def test_b2_a_flash_that_cannot_be_mounted_has_no_prompt(dealt, tmp_path):
    """Ctrl-C leads nowhere, and nothing of the flash is said."""
    data = bytearray(dealt)
    data[next(used for used in used_bytes(dealt) if len(used) == 36)[19]] ^= 4
    flash = tmp_path / "flash.bin"
    flash.write_bytes(bytes(data))
    shims = image.build_shims(BUILD / "shims")
    with SerialBoard(World(virtual), flash, shims, room_kb=174, blocks=len(data) // 4096) as board:
        at = board.wait_for(CORRUPTED)
        with open(board.port, "wb", buffering=0) as line:
            line.write(b"\r\x03\x03\x03\x01")
        board.wait_for(CORRUPTED, at)
        assert b">" not in bytes(board.printed)


@pytest.mark.micropython
def test_b2_a_game_whose_folder_is_gone_is_named(dealt, tmp_path):
    """The table begins another one, and says which it has lost."""
    evening = Evening(tmp_path)
    evening.device.flash.write_bytes(dealt)
    edit(evening.device, lambda system: system.rename("/games/0001", "/somewhere"))
    evening.play(iter([6 * SECOND]))
    assert "lost: game 0001, all of it" in evening.lines and evening.says("The flash has lost game 0001")


@pytest.mark.micropython
def test_b2_a_record_that_is_shorter_than_it_was_is_named(dealt, tmp_path):
    """And the record says where, for the arbiter."""
    evening = Evening(tmp_path)
    evening.device.flash.write_bytes(dealt)

    def cut(system):
        pieces = sorted(name for _, _, names in system.walk("/games/0001/0") for name in names)
        system.remove(f"/games/0001/0/{max(pieces, key=int)}")

    edit(evening.device, cut)
    evening.play(iter([6 * SECOND]))
    evening.device.power_off()
    assert any(line.startswith("lost: game 0001, ") for line in evening.lines)
    assert any(line.startswith(b"; lost: ") for line in read_flash(evening)[0])


def edit(device: FlashDevice, change):
    """Change the files of a table without power."""
    from littlefs import LittleFS
    from littlefs.context import UserContext

    context = UserContext(buffer=bytearray(device.flash.read_bytes()))
    change(LittleFS(context=context, block_size=BLOCK, block_count=BLOCKS, mount=True))
    device.flash.write_bytes(bytes(context.buffer))
