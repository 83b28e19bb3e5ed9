"""How deep the firmware's calls go: an ESP32 gives Python 15 KB of stack, which is about 70 calls."""

import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.host_tools.players.games import GAMES
from tests.patience import PATIENCE_S

# ports/esp32/mpconfigport.h: 16 KB, checked to 15. On 32 bits a call takes two thirds of the 416 bytes that it takes on
# 64, and littlefs and ESP-IDF's flash functions need some 3 KB below the deepest one.
STACK, CALL, BELOW = 15 * 1024, 280, 3 * 1024
EVENTS = 60  # the deal and the first plays of a game's longest record


@pytest.mark.parametrize("name", GAMES)
def test_the_deepest_call_leaves_a_third_of_the_stack(name):
    """While a game of each kind is set up, begins, and is played."""
    record = max((ROOT / "tests" / "records" / name).glob("*.rec"), key=lambda path: (path.stat().st_size, path.name))
    command = [sys.executable, "-m", "tests.host_tools.stack_depth", str(record), str(EVENTS)]
    said = subprocess.run(command, cwd=ROOT, env=dict(os.environ, CARDTABLE_PURE="1"), capture_output=True, check=True,
                          text=True, timeout=2 * PATIENCE_S).stdout
    depth, _, where = said.partition(" ")
    assert 10 < int(depth) and int(depth) * CALL + BELOW < STACK * 2 // 3, said
