"""What a service needs: health and figures for this machine alone, lines with level and time, a unit that is right."""

import asyncio
import configparser
import shutil
import subprocess

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from host_tools.base import foreign
from host_tools.base.bugs import BugLog
from host_tools.base.errors import UnusableInput
from host_tools.cli import run
from host_tools.play.web import serve as ground
from host_tools.club.tournament.site import make_site
from host_tools.play.web.door import FILES
from tests.conftest import ROOT
from tests.host_tools.tournament.made import begin


def ask(director, *paths, **headers):
    """(status, text) of each page."""
    async def run():
        async with ground.opened(make_site(director)) as address, aiohttp.ClientSession() as session:
            found = []
            for path in paths:
                async with session.get(address + path, headers=headers) as answer:
                    found.append((answer.status, await answer.text()))
            return found

    return asyncio.run(run())


@pytest.fixture
def director(tmp_path):
    made = begin(tmp_path / "a.sqlite")
    yield made
    made.close()


def test_figures_as_prometheus_reads_them(director):
    (status, health), (_, text) = ask(director, "/health", "/metrics")
    assert (status, health) == (200, "ok\n")
    figures = {(sample.name, *sample.labels.values()): sample.value
               for family in text_string_to_metric_families(text) for sample in family.samples}
    assert figures["cardtable_disputes",] == figures["cardtable_results",] == figures["cardtable_aside_waiting",] == 0
    assert figures["cardtable_sockets", "asked"] == 1 and figures["cardtable_sockets", "known"] == 0


def test_a_database_that_is_away_is_said(director, monkeypatch):
    def fail():
        raise UnusableInput("a.sqlite: it is away")

    monkeypatch.setattr(director, "looking", fail)
    assert ask(director, "/health") == [(503, "a.sqlite: it is away\n")]


def test_a_figure_that_cannot_be_had_keeps_no_other_one_back(director, monkeypatch):
    def fail(self):
        raise UnusableInput("a.sqlite: it is away")

    monkeypatch.setattr(type(director), "state", property(fail))
    (status, text), = ask(director, "/metrics")
    assert status == 200 and "cardtable_disputes NaN" in text and "cardtable_aside_waiting 0.0" in text


def test_nobody_behind_a_proxy_sees_them(director):
    for headers in ({"X-Forwarded-For": "198.51.100.1"}, {"X-Forwarded-For": ""}):
        assert [status for status, _ in ask(director, "/health", "/metrics", **headers)] == [403, 403]


def test_without_the_package_one_sentence_says_which(director, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "prometheus_client", None)
    (status, text), (health, _) = ask(director, "/metrics", "/health")
    assert (status, health) == (501, 200) and "pip install 'cardtable[service]'" in text


@pytest.mark.parametrize(("level", "lines"), [("", 2), ("info", 2), ("ERROR", 1), ("nonsense", 2)])
def test_log_level(level, lines, monkeypatch, capsys):
    monkeypatch.setenv("LOG_LEVEL", level)
    foreign.log("INFO", "one\nline")
    BugLog(None).note(ValueError("x"))
    said = capsys.readouterr().err.splitlines()
    assert len(said) == lines and ("bug 1: ValueError" in said[-1])
    assert not level or all(line[:4].isdecimal() and line.split(" ")[1] in foreign.LEVELS for line in said)


@pytest.mark.parametrize("name", ["cardtable-tournament", "cardtable-play", "cardtable-bridge"])
def test_the_unit_is_right(name):
    """By systemd itself, where it is; its sections and the command that it starts everywhere."""
    unit = ROOT / "docs" / "service" / f"{name}.service"
    read = configparser.RawConfigParser(strict=False)
    read.optionxform = str
    read.read_string(unit.read_text())
    assert read.sections() == ["Unit", "Service", "Install"] and int(read["Service"]["LimitNOFILE"]) >= FILES
    words = read["Service"]["ExecStart"].split()[2:]
    assert run([*words, "--help"]) == 0
    if shutil.which("systemd-analyze"):
        found = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
        assert unit.name not in found.stderr, found.stderr
