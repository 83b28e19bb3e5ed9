"""Every record of every game in the catalogue is played at the virtual table, by tags and buttons: journal = record."""

import multiprocessing
import os
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

import pytest

from host_tools.virtual.table import Table, load_script

RECORDS = Path(__file__).parents[1] / "records"
GAMES = Path(__file__).parents[2] / "firmware" / "cardtable" / "games"
LIMIT_S = 1800  # for all of them together; on a quiet processor the longest takes twenty seconds


def records() -> list[Path]:
    """The records of the games that there are."""
    games = [path.stem.replace("_", "-") for path in sorted(GAMES.glob("[a-z]*.py"))]
    return [path for game in games for path in sorted((RECORDS / game).glob("*.rec"))]


def play(path: Path) -> tuple[list[str], int, int, str, str]:
    """The difference, how many events were compared, how many there are, the result, and the record's."""
    game, script = load_script(path)
    outcome = Table(game, script, runtime="cpython").run()
    return outcome.difference, outcome.accepted + outcome.refused, len(script.lines), outcome.result, script.result


@pytest.fixture(scope="module")
def played(request):
    """What will come of each record that is asked for: they are played side by side, a process for each processor."""
    wanted = {item.callspec.params["path"] for item in request.session.items
              if item.path == Path(__file__) and hasattr(item, "callspec")}
    pool = ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("fork"))
    # The longest first, so that none is left over at the end.
    longest = sorted(wanted, key=lambda path: path.stat().st_size, reverse=True)
    futures: dict[Path, Future] = {path: pool.submit(play, path) for path in longest}
    yield futures
    pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize("path", records(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_firmware_writes_what_the_record_says(path, played):
    """The real firmware, inside CPython for speed; test_table.py plays two whole games under MicroPython."""
    difference, compared, events, result, wanted = played[path].result(timeout=LIMIT_S)
    assert difference == []
    assert compared == events
    assert result == wanted
