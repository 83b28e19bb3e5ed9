"""`cardtable hall`: tables side by side, each with its port, folder and secrets; how they end, and with whom."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from host_tools.cli import run
from host_tools.play.start import Wishes
from host_tools.play.web import hall
from tests.conftest import ROOT
from tests.patience import PATIENCE_S, wait_for
from host_tools.base.ports import free_ports

LINK = re.compile(r"Table (\d): http://127\.0\.0\.1:(\d+)/#(\S+)")


@contextlib.contextmanager
def opened(folder, count=2, taken=0):
    """A hall, and {number of a table: (port, secret)}; taken: its first port, where no table can begin."""
    words = [sys.executable, "-m", "host_tools.cli", "hall", str(count), "--port", str(taken or free_ports(count)),
             "--games", str(folder), "--game", "durak throw-in", "--seats", "Anna,bot"]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            tables = {}
            while len(tables) < count - bool(taken):
                line = process.stdout.readline()
                assert line, process.stderr.read()
                if found := LINK.search(line):
                    tables[int(found[1])] = int(found[2]), found[3]
            yield process, tables
        finally:
            process.kill()  # its tables go with it


def page_of(port):
    """The first page of the table at that port; an empty text if none listens."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE_S) as answer:
            return answer.read().decode()
    except OSError:
        return ""


def children_of(pid):
    """Processes that it started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # another one has ended
            if path.read_text().rpartition(")")[2].split()[1] == str(pid):
                found.append(int(path.parent.name))
    return found


def test_tables_have_ports_folders_and_secrets_of_their_own_and_end_together(tmp_path):
    with opened(tmp_path) as (process, tables):
        ports, secrets = zip(*tables.values(), strict=True)
        assert len(set(ports)) == len(set(secrets)) == 2
        assert all("<title>" in page_of(port) for port in ports)
        assert {path.name for path in tmp_path.glob("table-*")} == {f"table-{port}" for port in ports}
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0 and process.stderr.read() == ""
        assert not any(map(page_of, ports))


def test_a_table_that_dies_is_named_and_the_others_play_on(tmp_path):
    with opened(tmp_path) as (process, tables):
        os.kill(children_of(process.pid)[0], signal.SIGKILL)  # of either table: numbers of processes begin again
        said = process.stderr.readline()
        dead = int(re.fullmatch(r"Table (\d) has ended by itself \(exit code -9\); the others play on\.\n", said)[1])
        assert not page_of(tables[dead][0]) and "<title>" in page_of(tables[3 - dead][0])
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 1


def test_a_hall_that_is_killed_leaves_no_table_behind(tmp_path):
    with opened(tmp_path) as (process, tables):
        process.kill()
        process.wait(PATIENCE_S)
        for port, _ in tables.values():
            wait_for(lambda port=port: not page_of(port), "the test", f"a table at {port} that ends")


@pytest.mark.parametrize(("words", "sentence"), [
    (["--game", "durrak"], "durrak"), (["--seats", "a,a"], "a"), (["--port", "65530"], "the last port is 65535"),
    (["--game", ""], "is empty"),
])
def test_what_no_table_can_do_is_one_sentence_before_there_is_one(tmp_path, capsys, monkeypatch, words, sentence):
    monkeypatch.setattr(hall, "serve", None)
    assert run(["hall", "12", "--games", str(tmp_path), *words]) == 2
    said = capsys.readouterr().err
    assert sentence in said and len(said.splitlines()) == 1


def test_a_table_whose_port_is_taken_says_so_and_the_others_begin(tmp_path):
    with socket.socket() as taken:
        first = free_ports(2)
        taken.bind(("127.0.0.1", first))
        taken.listen()
        with opened(tmp_path, 2, first) as (process, tables):
            assert list(tables) == [2] and "<title>" in page_of(first + 1)
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_S) == 2
            said = process.stderr.read()
    assert said == f"Table 1 cannot begin: port {first} cannot be used: Address already in use\n"


def test_tables_have_seeds_of_their_own():
    drawn = iter(range(100))
    wishes = hall.list_wishes(3, Wishes(port=9000), lambda: next(drawn))
    assert [(one.port, one.seed) for one in wishes] == [(9000, 0), (9001, 1), (9002, 2)]
