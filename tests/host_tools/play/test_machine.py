"""The machine of a live table: work that is posted, power that goes, and a disk that is full meanwhile."""

import pytest

from host_tools.play.browser.table import SteppedTable


@pytest.fixture
def table(tmp_path):
    table = SteppedTable(tmp_path / "table", seed=1, library=tmp_path)
    table.machine.ahead_s = lambda: 0.0
    yield table
    table.close()


def test_what_comes_while_work_is_done_waits_for_the_device(table):
    """Acts that came faster than they were refused kept the device from running."""
    done = []

    def work():
        done.append(1)
        if len(done) < 10:
            table.post(work)

    table.post(work)
    table.post(lambda: done.append(2))
    table.machine._drain()
    assert done == [1, 2]
    table.machine._drain()
    assert done == [1, 2, 1]
