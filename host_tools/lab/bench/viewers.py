"""Measures what a thousand spectators of one table cost the one process that serves them.

The spectators are WebSockets of a second process; each counts the lines of the feed that it got.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import resource
import time
from pathlib import Path
from typing import Any

import aiohttp

from host_tools.base.endings import end_tasks
from host_tools.base.errors import UnusableInput
from host_tools.lab.bench.results import Row
from host_tools.base.project import ROOT

ROOM = "viewers"
VIEWERS = 1000
LINES = 150  # of a recorded game, at this pace
PAUSE_S = 0.2
PATIENCE_S = 120.0
RECORD = ROOT / "tests" / "records" / "durak" / "throw-in-0001.rec"
SLOWEST_MS = 2000
MOST_KB = 200


def measure(viewers: int = VIEWERS, lines: int = LINES) -> list[Row]:
    """All rows of this room; about a minute."""
    return asyncio.run(serve(viewers, lines))


def raise_limit() -> None:
    """Two thousand open connections are more than a process usually may have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4 * VIEWERS
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(wanted, hard) if hard > 0 else wanted), hard))


def memory_kb() -> int:
    """What this process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


async def seat(hub: Any, viewers: int, clients: Any) -> None:
    """Wait until all of them are known. UnusableInput where some never come: the figures would be of fewer."""
    late_s = time.monotonic() + PATIENCE_S
    while (known := sum(one.is_known for one in hub.connections)) < viewers:
        if time.monotonic() > late_s or clients.exitcode is not None:
            clients.kill()
            raise UnusableInput(f"{known} of {viewers} viewers came: so many open files may be more than this machine"
                                " allows")
        await asyncio.sleep(0.1)


async def serve(viewers: int, count: int) -> list[Row]:
    """One table, so many viewers, five events a second."""
    from host_tools.look import watch  # only here: the viewers' process has no firmware to import
    from host_tools.judge.records import public_record
    from host_tools.play.web.serve import opened

    raise_limit()
    header, said = public_record.make_feed(RECORD.read_bytes(), "")
    feed = header + [line for _, line in said]
    hub = watch.Hub()
    for line in feed[: len(header)]:
        hub.take(line)
    before_kb, cpu_s = memory_kb(), time.process_time()
    async with opened(watch.make_watch(hub)) as address:
        here, there = multiprocessing.get_context("spawn").Pipe()
        clients = multiprocessing.get_context("spawn").Process(target=look_on, args=(address, viewers, there))
        clients.start()
        there.close()  # here: so nobody waits for the word of a process that has crashed
        await seat(hub, viewers, clients)
        each_kb = (memory_kb() - before_kb) / viewers
        served, cpu_s, begun_s = hub.served, time.process_time(), time.monotonic()
        for line in feed[len(header) : len(header) + count]:
            hub.take(line)
            await asyncio.sleep(PAUSE_S)
        last = hub.lines[-1]["n"]
        busy = 100 * (time.process_time() - cpu_s) / (time.monotonic() - begun_s)
        await asyncio.sleep(1.0)
        here.send(last)
        try:
            lost, slowest_ms = await asyncio.to_thread(here.recv)
        except EOFError:
            raise UnusableInput(f"the process of {viewers} viewers has crashed") from None
        await asyncio.to_thread(clients.join, PATIENCE_S)
    return [
        Row(ROOM, f"{viewers} viewers: lines that any of them missed", lost, "", at_most=0),
        Row(ROOM, f"{viewers} viewers: messages sent", hub.served - served, ""),
        Row(ROOM, f"{viewers} viewers: from the first that has a line to the last", slowest_ms, "ms",
            at_most=SLOWEST_MS),
        Row(ROOM, f"{viewers} viewers: one more costs", each_kb, "KB", at_most=MOST_KB),
        Row(ROOM, f"{viewers} viewers: the server is busy", busy, "% of a core", at_most=100),
    ]


# --- the viewers, in a process of their own ---


def look_on(address: str, count: int, pipe: Any) -> None:
    """Open so many spectators; tell how many lines were missed, and how long the slowest took through all of them."""
    raise_limit()
    pipe.send(asyncio.run(look(address, count, pipe)))


async def look(address: str, count: int, pipe: Any) -> tuple[int, float]:
    """All viewers until the server names the last line."""
    heard: list[list[int]] = [[] for _ in range(count)]
    first: dict[int, float] = {}
    slowest = 0.0

    async def one(session: aiohttp.ClientSession, lines: list[int]) -> None:
        nonlocal slowest
        async with session.ws_connect(f"{address}/ws", max_msg_size=1 << 20) as socket:
            await socket.send_json({"type": "hello", "client": "viewer0123456789"})
            async for message in socket:
                if message.type == aiohttp.WSMsgType.TEXT and '"type":"feed"' in message.data[:20]:
                    now_s = time.monotonic()
                    is_greeting = not lines  # what was said before it came
                    for line in json.loads(message.data)["lines"]:
                        lines.append(line["n"])
                        if is_greeting:
                            continue
                        slowest = max(slowest, now_s - first.setdefault(line["n"], now_s))

    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        tasks = []
        for lines in heard:
            tasks.append(asyncio.create_task(one(session, lines)))
            if len(tasks) % 50 == 0:
                await asyncio.sleep(0.05)
        last = await asyncio.to_thread(pipe.recv)
        late_s = time.monotonic() + PATIENCE_S
        while any(not lines or lines[-1] < last for lines in heard) and time.monotonic() < late_s:
            await asyncio.sleep(0.05)
        await end_tasks(tasks)
    lost = sum(last - (lines[0] if lines else last) + 1 - len(set(lines)) for lines in heard)
    return lost, 1000 * slowest
