"""Attacks a served table like a stranger with a script, in a process of its own that imports nothing of the table."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import resource
import secrets
from typing import Any

import aiohttp

HOST = "127.0.0.1"
WORKS = ("silent sockets", "spectators", "visitors")
SILENT, CROWD, ASKS = range(len(WORKS))
HALF = b"GET / HTTP/1.1\r\nHost: x"
AGAIN_S = 2.0  # until a socket that was cut comes again
TALK_S = 0.5  # between two messages of a spectator: who says more is cut
SAYS = ({"type": "act", "do": "tap"}, {"type": "summary", "game": "durak transfer"}, {"type": "choices"},
        {"type": "speak", "language": "en"}, {"type": "join", "seat": 1}, {"type": "hint", "seat": 1})


async def hold_silent(port: int, count: int, done: Any) -> None:
    """So many sockets that say nothing, or half a header; one that is cut comes again."""
    async def hold(number: int) -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(HOST, port)
                done[SILENT] += 1
                writer.write(HALF if number % 2 else b"")
                with contextlib.suppress(OSError):
                    await reader.read()
                writer.close()
            await asyncio.sleep(AGAIN_S)

    await asyncio.gather(*(hold(number) for number in range(count)))


async def crowd(port: int, count: int, done: Any) -> None:
    """So many spectators, who read what they are told, and talk; one that is refused comes again."""
    async def talk(socket: aiohttp.ClientWebSocketResponse) -> None:
        with contextlib.suppress(aiohttp.ClientError, OSError):
            for number in itertools.count(1):
                await asyncio.sleep(TALK_S)
                await socket.send_json({**SAYS[number % len(SAYS)], "n": number})

    async def watch(session: aiohttp.ClientSession) -> None:
        while True:
            with contextlib.suppress(aiohttp.ClientError, OSError, TypeError):
                async with session.ws_connect(f"http://{HOST}:{port}/ws") as socket:
                    done[CROWD] += 1
                    await socket.send_json({"type": "hello", "secret": "", "client": secrets.token_hex(8)})
                    talking = asyncio.create_task(talk(socket))
                    async for _ in socket:
                        pass
                    talking.cancel()
            await asyncio.sleep(AGAIN_S)

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        await asyncio.gather(*(watch(session) for _ in range(count)))


async def ask_for_analyses(port: int, count: int, done: Any) -> None:
    """So many visitors ask for the analysis of the record, again and again."""
    async def ask(session: aiohttp.ClientSession) -> None:
        while True:
            with contextlib.suppress(aiohttp.ClientError, OSError, asyncio.TimeoutError):
                async with session.get(f"http://{HOST}:{port}/records/longest.rec/game.json?analyse=yes") as answer:
                    await answer.read()
            await asyncio.sleep(0.5)

    async def note_one(*_: object) -> None:
        done[ASKS] += 1

    asked = aiohttp.TraceConfig()
    asked.on_request_headers_sent.append(note_one)  # a busy computer answers the first of them late
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), trace_configs=[asked]) as session:
        await asyncio.gather(*(ask(session) for _ in range(count)))


def storm(port: int, sockets: int, spectators: int, visitors: int, done: Any) -> None:
    """The attack, in a process of its own: who is measured does not wait for it. done: how often each of WORKS got
    through."""
    os.nice(10)
    wanted = sockets + spectators + visitors + 256
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted and (wanted <= hard or hard == resource.RLIM_INFINITY):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

    async def work() -> None:
        works = ((hold_silent, sockets), (crowd, spectators), (ask_for_analyses, visitors))
        await asyncio.gather(*(work(port, count, done) for work, count in works if count))

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(work())
