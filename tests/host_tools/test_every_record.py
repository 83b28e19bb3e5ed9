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


def case(path: Path):
    """The shortest of each game, of the scenarios one in sixteen, of whole games and variants one in forty for every
    change: the engine replays them all anyway, under both interpreters."""
    name = f"{path.parent.name}-{path.stem}"
    if path == min(path.parent.glob("*.rec"), key=lambda one: (one.stat().st_size, one.name)):
        return pytest.param(path, id=name)
    is_short = path.stem.startswith("scenario") or path.stem == "demo"
    return pytest.param(path, id=name, marks=pytest.mark.sampled(16 if is_short else 40))


@pytest.mark.parametrize("path", [case(path) for path in records()])
def test_the_firmware_writes_what_the_record_says(path):
    """The real firmware, inside CPython for speed, and played as fast as it can be; test_table.py plays two whole games
    under MicroPython, and waits for the lights."""
    game, script = load_script(path)
    outcome = Table(game, script, runtime="cpython", is_quick=True).run()
    assert outcome.difference == []
    assert outcome.accepted + outcome.refused == len(script.lines)
    assert outcome.result == script.result
