"""A folder given out to a browser, with a chip at the other end of its serial port: `serial_stand_in.js` is this end's
counterpart in the page. The chip's loader is rom_loader.py; what it starts is the project's virtual serial board.
"""

import asyncio
import contextlib
import json
import os
import random
import struct
import threading
from hashlib import sha256
from pathlib import Path

from aiohttp import WSMsgType, web

from host_tools.maker.board.load import load
from host_tools.virtual import image
from host_tools.virtual.maker import Maker
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.table import BUILD
from host_tools.virtual.world import World
from tests.host_tools.published.rom_loader import Lost, RomLoader

FILES_AT = 0x200000
SPEED = 10.0
ROOM_KB = 400  # some of what a chip with PSRAM has
STAND_IN = Path(__file__).with_name("serial_stand_in.js")


def make_part(size: int, chip: int, text: bytes = b"") -> bytes:
    """An image of Espressif's form with its two sums: one segment of bytes that do not compress."""
    body = text + random.Random(size).randbytes(size - len(text))
    made = struct.pack("<BBBBIB3sHB4s4sB", 0xE9, 1, 2, 0x3F, 0x40370000, 0xEE, bytes(3), chip, 0, bytes(4), bytes(4), 1)
    made += struct.pack("<II", 0x3FC90000, len(body)) + body
    made += bytes(15 - len(made) % 16)
    total = 0xEF
    for byte in body:
        total ^= byte
    made += bytes([total])
    return made + sha256(made).digest()


def make_python(chip: int, loads_at: int, files_at: int | None = None, size: int = 120_000,
                text: bytes = b"MicroPython v1.29.0 on 2026-06-01; ESP32") -> bytes:
    """A file in the form of MicroPython's: the second boot stage, the table of partitions, the application."""
    rows = [(1, 2, 0x9000, 0x6000, b"nvs"), (0, 0, 0x10000, 0x1F0000 if not files_at else 0x1D0000, b"factory")]
    if files_at:
        rows.append((1, 0x81, files_at, 0x1D0000, b"vfs"))
    table = b"".join(struct.pack("<HBBII16sI", 0x50AA, kind, sub, at, room, label, 0)
                     for kind, sub, at, room, label in rows)
    made = make_part(9000, chip).ljust(0x8000 - loads_at, b"\xff") + table
    return made.ljust(0x10000 - loads_at, b"\xff") + make_part(size, chip, text)


async def send(socket, data):
    """To a page that may be gone."""
    with contextlib.suppress(ConnectionError):
        await socket.send_bytes(data)


class ChipServer:
    """`address` gives out `files` {path: bytes}; `/chip` is the cable to `chip`. Use as a context manager."""

    def __init__(self, files, folder, kind="ESP32-S3", flash_mb=8, board="esp32s3_7seat", psram=2):
        self.files, self.folder, self.board_name = files, folder, board
        self.chip = RomLoader(kind, flash_mb, self.say, self.start, psram)
        self.board = self.maker = self.socket = None
        self.bauds = []
        self.is_plugged = True
        self._tty = -1
        self._loop = asyncio.new_event_loop()
        self._is_up = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self):
        self._thread.start()
        self._is_up.wait()
        return self

    def __exit__(self, *_):
        self.cut()  # a page's console may be open, for which the server would wait two minutes
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self.stop_board()

    def _serve(self):
        asyncio.set_event_loop(self._loop)
        app = web.Application()
        app.router.add_get("/chip", self._cable)
        app.router.add_get("/{path:.*}", self._file)
        runner = web.AppRunner(app)
        self._loop.run_until_complete(runner.setup())
        site = web.TCPSite(runner, "127.0.0.1", 0)
        self._loop.run_until_complete(site.start())
        self.address = f"http://127.0.0.1:{runner.addresses[0][1]}/"
        self._is_up.set()
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())

    async def _file(self, request):
        name = request.match_info["path"]
        name += "index.html" if not name or name.endswith("/") else ""
        if name not in self.files:
            raise web.HTTPNotFound
        kinds = {"html": "text/html", "js": "text/javascript", "css": "text/css", "json": "application/json",
                 "svg": "image/svg+xml"}
        kind = kinds.get(name.rpartition(".")[2], "application/octet-stream")
        return web.Response(body=self.files[name], content_type=kind)

    async def _cable(self, request):
        if not self.is_plugged:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        self.socket = socket
        self.bauds.append(int(request.query["baud"]))
        try:
            async for message in socket:
                if message.type == WSMsgType.TEXT:
                    self.chip.set_lines(*json.loads(message.data))
                elif self.chip.is_loader:
                    self.chip.feed(message.data)
                elif self._tty >= 0:
                    os.write(self._tty, message.data)
        except Lost:
            self.chip.power_up()
            self.chip.cut_at = 0
            self.stop_board()
        if self.socket is socket:
            self.socket = None
        with contextlib.suppress(ConnectionError):
            await socket.close()
        return socket

    def say(self, data):
        """To the port, if anybody has it open."""
        if self.socket is not None and not self.socket.closed:
            self._loop.create_task(send(self.socket, bytes(data)))

    # --- what runs on the chip ---

    def start(self):
        """The chip starts what lies on its flash: MicroPython, with these files, if both are there."""
        self.stop_board()
        flash = self.chip.flash
        if flash[0] != 0xE9 or flash[FILES_AT:FILES_AT + 4] == b"\xff" * 4:
            return
        path = self.folder / "flash.bin"
        path.write_bytes(flash[FILES_AT:])
        world = World(load(self.board_name))
        self.board = SerialBoard(world, path, image.build_shims(BUILD / "shims"), speed=SPEED, room_kb=ROOM_KB,
                                 blocks=(len(flash) - FILES_AT) // 4096)
        self.maker = Maker(world)
        self.board.on_line = self.maker.hear
        world.people.add(self.maker.play())
        self._tty = os.open(self.board.port, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
        self._loop.add_reader(self._tty, self._hear)
        self.board.__enter__()

    def _hear(self):
        with contextlib.suppress(BlockingIOError):
            self.say(os.read(self._tty, 4096))

    def stop_board(self):
        """It has no power any more."""
        if self.board is not None:
            if not self._loop.is_closed():
                self._loop.remove_reader(self._tty)
            os.close(self._tty)
            self._tty = -1
            self.board.__exit__()
            self.board = None

    def cut(self):
        """Pull the cable, which is the power, too."""
        asyncio.run_coroutine_threadsafe(self._cut(), self._loop).result()

    async def _cut(self):
        self.stop_board()
        self.chip.power_up()
        if self.socket is not None:
            await self.socket.close()
