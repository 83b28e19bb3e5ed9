"""`cardtable fuzz --server`, small: a served table under attack, and figures that would tell of a bad one."""

import asyncio
import multiprocessing

import pytest

from host_tools.cli import run
from host_tools.lab.fuzz import server
from host_tools.lab.fuzz.server import Figures
from tests.conftest import ROOT
from tests.host_tools.strangers import end_at_once, get_through

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
    ({"is_attacked": False}, "the attack ended"), ({"did": {"visitors": 0}}, "visitors never got through"),
    ({"most_mb": 0.0}, "memory: nothing was measured"),
], ids=lambda given: given if isinstance(given, str) else "")  # fmt: skip
def test_each_bar_that_is_missed_is_said(change, says):
    figures = Figures(dict.fromkeys(("get in: host", "ack", "rule", "page"), [1.0]), before_mb=100.0, most_mb=100.0,
                      after_mb=100.0, did={"visitors": 1})
    assert figures.wrong() == []
    for name, value in change.items():
        setattr(figures, name, {**figures.waits, **value} if name == "waits" else value)
    assert len(figures.wrong()) == 1 and says in figures.wrong()[0]


def test_nothing_that_was_measured_meets_no_bar():
    """Nor does a memory that the kernel does not tell."""
    said = " ".join(Figures().wrong())
    assert all(what in said for what in ("get in", "ack", "page", "rule", "memory: nothing was measured"))


class Quiet:
    """A target that nobody asks anything."""

    def __init__(self):
        self.port, self.process = 1, self

    def memory_mb(self):
        return 1.0

    def poll(self):
        return None

    def lines(self):
        return []


def attack_with(storm, monkeypatch):
    """What is wrong with an attack by that stranger, in which nobody plays."""
    async def measure(target, figures, seconds):
        for child in multiprocessing.active_children() if storm is end_at_once else ():
            child.join()

    monkeypatch.setattr(server, "storm", storm)
    monkeypatch.setattr(server, "STORM_S", 0.0)
    monkeypatch.setattr(server, "play_meanwhile", measure)
    return asyncio.run(server.attack(Quiet(), 0.0, 1, 1, 0)).wrong()


def test_an_attack_is_measured_once_it_has_begun(monkeypatch):
    """A busy computer starts its process late: then it had done nothing, and that was called a missed bar."""
    assert not [one for one in attack_with(get_through, monkeypatch) if "attack" in one]


def test_a_stranger_that_does_not_live_is_no_attack(monkeypatch):
    said = attack_with(end_at_once, monkeypatch)
    assert "the attack ended before its time" in said
    assert [one for one in said if "got through" in one] == [
        f"the attack did nothing: {what} never got through" for what in ("silent sockets", "spectators")]
