"""What `device info` promises of the heap holds on real objects of 32 bits: npm's build of MicroPython under Node."""

import pytest
from click.testing import CliRunner

from host_tools.cli import cardtable
from host_tools.lab.bench import firmware, heap, micropython
from host_tools.maker.device import memory

GARBAGE = 4 * 1024  # what lies around at least when a game begins


def test_without_the_build_one_sentence_says_so(monkeypatch):
    monkeypatch.setattr(micropython, "find_webassembly", lambda may_install: "node is not installed")
    told = CliRunner().invoke(cardtable, ["bench", "--heap"])
    assert told.exit_code != 0 and "the 32-bit build cannot play: node is not installed" in str(told.exception)


@pytest.mark.micropython
@pytest.mark.npm_build
@pytest.mark.everything
def test_the_largest_game_keeps_the_promises():
    """H3: Durak of six, its code in ROM, in files, and lean in files; its session does not grow while it is played."""
    told = []
    (durak,) = heap.measure(told.append, firmware.GAMES[:1], events=firmware.QUICK_EVENTS)
    assert 50 * 1024 < durak.rom < memory.ROM_HEAP - GARBAGE, durak
    assert 100 * 1024 < durak.files < memory.FILES_HEAP - GARBAGE, durak
    assert 80 * 1024 < durak.lean < min(durak.files, memory.LEAN_HEAP - GARBAGE), durak
    assert 500 < durak.session < 3000 and 0 <= durak.grows < 100, durak
    assert told[0].startswith("Durak: ") and f"({memory.ROM_HEAP // 1024} promised)" in told[0]
    assert f"KB of lean code from files ({memory.LEAN_HEAP // 1024} promised)" in told[0]
