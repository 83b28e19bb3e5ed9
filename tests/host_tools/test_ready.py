"""Waiting for pipes (host_tools/base/ready.py), also with more than a thousand files open."""

import os
import select
import shlex
import sys

import pytest

from host_tools.base import foreign, ready
from host_tools.base.ready import wait_ready
from host_tools.minds.players.engine_process import EngineProcess
from tests.conftest import ROOT
from tests.host_tools.high_pipes import HIGH, all_pipes_are_high


@pytest.fixture
def pipe():
    """A pipe whose ends have high numbers."""
    with all_pipes_are_high():
        reads, writes = os.pipe()
    assert min(reads, writes) >= HIGH
    ends = [open(reads, "rb", buffering=0), open(writes, "wb", buffering=0)]
    yield ends
    for end in ends:
        end.close()


def test_it_says_what_can_be_read_and_what_can_be_written(pipe):
    reads, writes = (end.fileno() for end in pipe)
    assert wait_ready([reads], [], 0) == ([], []) and wait_ready([reads], [writes], 0) == ([], [writes])
    os.write(writes, b"1")
    assert wait_ready([reads], [writes], 0) == ([reads], [writes]) and wait_ready([reads], [], 60) == ([reads], [])
    os.read(reads, 1)
    pipe[1].close()
    assert wait_ready([reads], [], 60) == ([reads], [])  # the other end is gone


def test_a_pipe_is_read_whatever_its_number(pipe, monkeypatch):
    monkeypatch.setattr(foreign, "PATIENCE_S", 0.05)
    os.write(pipe[1].fileno(), b"12345")
    with pytest.raises(TimeoutError):
        foreign._read_in_time(pipe[0], 10)
    os.write(pipe[1].fileno(), b"6")
    pipe[1].close()
    assert foreign._read_in_time(pipe[0], 10) == b"6"


def test_an_engine_is_asked_whatever_the_numbers_of_its_pipes():
    with all_pipes_are_high():
        engine = EngineProcess(shlex.join([sys.executable, f"{ROOT}/docs/engines/first_move.py"]))
    assert engine.name == "first-move" and engine._process.stdout.fileno() >= HIGH
    engine.close()


def test_where_only_sockets_can_be_waited_for_who_reads_waits(monkeypatch):
    monkeypatch.delattr(select, "poll")
    assert ready.wait_ready([3], [4], 0) == ([3], [4])
