"""Every record of every game in the catalogue is played at the virtual table, by tags and buttons: journal = record."""

from pathlib import Path

import pytest

from host_tools.virtual.table import Table, load_script

RECORDS = Path(__file__).parents[1] / "records"
GAMES = Path(__file__).parents[2] / "firmware" / "cardtable" / "games"


def records() -> list[Path]:
    """The records of the games that there are."""
    games = [path.stem.replace("_", "-") for path in sorted(GAMES.glob("[a-z]*.py"))]
    return [path for game in games for path in sorted((RECORDS / game).glob("*.rec"))]


@pytest.mark.sampled(4)  # the judge replays every one each time (test_replay_quick.py)
@pytest.mark.parametrize("path", records(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_firmware_writes_what_the_record_says(path):
    """The real firmware, inside CPython for speed, and played as fast as it can be; test_table.py plays two whole games
    under MicroPython, and waits for the lights."""
    game, script = load_script(path)
    outcome = Table(game, script, runtime="cpython", is_quick=True).run()
    assert outcome.difference == []
    assert outcome.accepted + outcome.refused == len(script.lines)
    assert outcome.result == script.result
