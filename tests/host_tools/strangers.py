"""Attackers for tests of `cardtable fuzz --server`, as host_tools/lab/fuzz/stranger.py: each in a process of its own,
which imports nothing of the table."""

import signal

from host_tools.lab.fuzz.stranger import CROWD, SILENT


def end_at_once(*_):
    """One that does not live."""


def get_through(port, sockets, spectators, visitors, done):
    """One that attacks as soon as its process is there, which may be late."""
    done[SILENT] = done[CROWD] = 1
    signal.pause()
