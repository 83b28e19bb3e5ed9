"""A flash that others have filled while a game goes on: no game may be locked in for ever (T9, T11, T13)."""

import pytest
from littlefs import LittleFS
from littlefs.context import UserContext
from littlefs.errors import LittleFSError

from tests.host_tools.flash_device import BLOCK
from tests.host_tools.test_power_cuts import BLOCKS, CARDS, Evening, draws

pytestmark = pytest.mark.micropython
TAPPED = 3  # cards before the power goes


def fill(evening, name):
    """Every block that is free holds a file of that name; the game's spare pages are gone."""
    assert not evening.device.is_on
    flash = evening.device.flash
    context = UserContext(buffer=bytearray(flash.read_bytes()))
    system = LittleFS(context=context, block_size=BLOCK, block_count=BLOCKS, mount=True)
    for page in system.listdir("/games/0001"):
        if not system.listdir(f"/games/0001/{page}"):
            system.rmdir(f"/games/0001/{page}")
    size = 0
    try:
        with system.open(f"/games/{name}", "wb", buffering=0) as file:
            while True:
                file.write(bytes(BLOCK))
                file.flush()
                size += BLOCK
    except LittleFSError:
        pass
    flash.write_bytes(bytes(context.buffer))
    assert size > 10 * BLOCK
    evening.lines.clear()


@pytest.fixture
def evening(tmp_path):
    """Some cards are dealt, and the power is off."""
    evening = Evening(tmp_path)
    assert evening.play(evening.deal(CARDS[:TAPPED]))
    evening.device.power_off()
    return evening


def test_t9_records_that_were_pulled_make_room_for_the_game_that_goes_on(evening):
    fill(evening, "0000.old")
    assert evening.play(evening.come_back())
    assert evening.play(evening.go_on(TAPPED))
    evening.device.power_off()
    assert evening.events() == draws(CARDS)


def test_t11_records_that_nobody_pulled_are_told_of_where_the_key_opens_the_prompt(evening):
    """Nothing could be written, so no arbiter could end the game, and no prompt would open as long as it goes on."""
    fill(evening, "0000.rec")
    assert evening.play(evening.come_back())
    assert "set-up: no room for this game: 1 records have to be pulled" in evening.lines
    assert evening.says("no room for this game")
    assert not [line for line in evening.lines if line.startswith("resumed")]
