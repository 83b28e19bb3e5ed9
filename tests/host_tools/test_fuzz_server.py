"""`cardtable fuzz --server`, small: a served table under attack, and figures that would tell of a bad one."""

import pytest

from host_tools.cli import run
from host_tools.lab.fuzz import server
from host_tools.lab.fuzz.server import Figures
from tests.conftest import ROOT

RECORD = ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec"


@pytest.mark.micropython
def test_players_get_in_and_are_answered_while_a_script_attacks(capsys, monkeypatch):
    """R1, R2, R7 and K1 in one. The bars of time are for a quiet machine: here everybody gets in, nothing is said."""
    for bar in ("GET_IN_MS", "ACK_MS", "PAGE_MS"):
        monkeypatch.setattr(server, bar, 1000 * server.ASK_S - 1)
    monkeypatch.setattr(server, "GROWTH", 100.0)  # the process for analyses stays until it has been idle for a minute
    monkeypatch.setattr(server, "MEMORY_MB", 1000.0)
    monkeypatch.setattr(server, "STORM_S", 2.0)
    code = run(["fuzz", "--server", "--hours", "0.001", "--sockets", "300", "--spectators", "30", "--visitors", "12",
                "--record", str(RECORD)])
    out, err = capsys.readouterr()
    assert (code, err) == (0, ""), out
    assert out.startswith("get in: host: median") and "lines on the terminal: 0\n" in out


@pytest.mark.parametrize(("change", "says"), [
    ({"waits": {"get in: host": [5.0, 1001.0]}}, "get in: host: 1001 ms"), ({"waits": {"ack": [60.0]}}, "ack: 60 ms"),
    ({"waits": {"page": [501.0]}}, "page: 501 ms"), ({"lines": ["x"] * 11}, "11 lines"),
    ({"lines": ["Traceback (most"]}, "no traceback"), ({"after_mb": 120.0}, "memory 100 MB before, 120 after"),
    ({"most_mb": 201.0}, "memory 201 MB"), ({"alive": False}, "the server has ended"),
], ids=lambda given: given if isinstance(given, str) else "")  # fmt: skip
def test_each_bar_that_is_missed_is_said(change, says):
    figures = Figures(before_mb=100.0, most_mb=100.0, after_mb=100.0)
    assert figures.wrong() == []
    for name, value in change.items():
        setattr(figures, name, value)
    assert len(figures.wrong()) == 1 and says in figures.wrong()[0]
