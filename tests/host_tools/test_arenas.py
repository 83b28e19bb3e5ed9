"""One arena for all threads: where the C library knows arenas, and nowhere a failure."""

import ctypes
import platform

from host_tools.base import arenas


def test_glibc_takes_it_and_others_are_let_be(monkeypatch):
    if platform.libc_ver()[0] == "glibc":
        assert arenas.share_one()
        assert arenas.give_back() in (False, True)  # there may be nothing to give
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert not arenas.share_one() and not arenas.give_back()
