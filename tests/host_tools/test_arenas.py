"""One arena for all threads, and memory given back: where the C library knows it, and nowhere a failure; collections
of a server that look at nothing that was loaded."""

import asyncio
import ctypes
import os
import platform
import subprocess
import sys
import types

from host_tools.base import arenas
from host_tools.play.web import door, run, serve
from host_tools.play.web.place import Place
from tests.conftest import ROOT


def test_glibc_takes_it_and_others_are_let_be(monkeypatch):
    if platform.libc_ver()[0] == "glibc":
        assert arenas.share_one()
        assert arenas.give_back() in (False, True)  # there may be nothing to give
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert not arenas.share_one() and not arenas.give_back()


LOADED = """
import gc, aiohttp, host_tools.base.arenas
circles = [[] for _ in range(1000)]
host_tools.base.arenas.settle()
seen = []
gc.callbacks.append(lambda phase, told: seen.append(told["generation"]))
loaded, new = gc.get_freeze_count(), len(gc.get_objects())
kept = []
for number in range(30_000):
    kept.append([])
print(loaded > 20 * new, 2 in seen)
"""


def test_a_full_collection_looks_at_what_came_since_and_comes_soon():
    told = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, check=True, capture_output=True, text=True)
    assert told.stdout == "True True\n"


CROWD = """
import host_tools.base.arenas as arenas

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096

arenas.settle()
before = resident()
crowd = [bytes(99) for _ in range(300_000)]
most = resident() - before
kept = crowd[::1000]
del crowd
arenas.give_back()
print(most > 30_000_000, resident() - before < most // 4)
"""


def test_one_small_object_in_a_thousand_holds_no_memory_of_a_service():
    """R1: what players take while a crowd is there stays when it goes."""
    for path in sorted((ROOT / "docs" / "service").iterdir()):
        assert "PYTHONMALLOC=malloc" in path.read_text(encoding="utf-8"), path
    if platform.libc_ver()[0] == "glibc":
        told = subprocess.run([sys.executable, "-c", CROWD], cwd=ROOT, check=True, capture_output=True, text=True,
                              env={**os.environ, "PYTHONMALLOC": "malloc"})
        assert told.stdout == "True True\n"


def test_a_server_settles_before_its_address_is_said(monkeypatch):
    """A table, and the other servers of pages."""
    done = []

    async def told(say, ending, ended=None):
        done.append("told")

    async def serve_both():
        await serve.serve(serve.make_app(most_bytes=99), lambda line: done.append("said"), place=Place(), browser=False)
        table = types.SimpleNamespace(machine=types.SimpleNamespace(runtime="micropython"), language="en")
        await run.stay(table, types.SimpleNamespace(alone=False, browser=False), "http://h", done.append)

    for file in (serve, run):
        monkeypatch.setattr(file, "settle", lambda: done.append("settled"))
    monkeypatch.setattr(door, "until_told", told)
    monkeypatch.setattr(door, "listen", lambda: None)
    monkeypatch.setattr(run, "greet", lambda table, address, say: say("said"))
    asyncio.run(serve_both())
    assert done == ["settled", "said", "told"] * 2
