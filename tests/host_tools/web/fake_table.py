"""A table that plays nothing: it serves the page and answers with canned messages, for tests of the page alone.

The secret of a link picks what it says: `SCENE.LANGUAGE.ROLE`, such as `durak.en.host`. Run it to look at them:
`python -m tests.host_tools.web.fake_table 8800`.
"""

import asyncio
import contextlib
import json
import sys
import threading
from pathlib import Path

from aiohttp import WSMsgType, web

from tests.host_tools.web import canned  # before what needs the firmware
from host_tools.play.web.choices import tell_summary  # isort: skip
from host_tools.play.web.serve import add_files  # isort: skip
from tests.patience import PATIENCE_S, hear

PAGE = Path(__file__).resolve().parents[3] / "host_tools" / "play" / "web" / "page"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
GREETED = 1  # `heard` of the last message of a greeting
# A page whose body is so has got all of the greeting; what is pushed earlier may be undone by the rest of it.
IS_GREETED = f"body[data-open=yes][data-heard='{GREETED}']"
RULE = {
    "type": "rule",
    "language": "en",
    "rule": "D7",
    "title": "Durak",
    "source": "durak:25, 166",
    "readings": ["A joker beats every card, trumps too."],
    "text": "A card is beaten by a higher card of its suit, or by any trump if it is not a trump.",
}


class FakeTable:
    """A server in a thread of its own; `acts` are those that it took, each once, as (client, message)."""

    def __init__(self, port: int = 0):
        self.port = port
        self.acts: list[tuple[str, dict]] = []
        self.seen: list[tuple[str, dict]] = []
        self.questions: list[dict] = []
        self.requests: list[str] = []
        self.hellos: list[dict] = []
        self.taken: dict[str, int] = {}
        self.deaf = self.away = False
        self.refuse = ""
        self.sockets: set[web.WebSocketResponse] = set()
        self.loop = asyncio.new_event_loop()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self.thread.start()
        hear(self.ready, "the test", "a canned table that listens")
        return self

    def __exit__(self, *_):
        asyncio.run_coroutine_threadsafe(self._end(), self.loop).result(PATIENCE_S)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(PATIENCE_S)

    def url(self, scene: str = "", language: str = "en", role: str = "host") -> str:
        """The address of a page that shows that scene."""
        return f"http://127.0.0.1:{self.port}/#{scene}.{language}.{role}"

    def push(self, message: dict) -> None:
        """Send a message to every page."""
        asyncio.run_coroutine_threadsafe(self._push(message), self.loop).result(PATIENCE_S)

    def cut(self) -> None:
        """Tear every connection."""
        asyncio.run_coroutine_threadsafe(self._cut(), self.loop).result(PATIENCE_S)

    def done(self, verb: str) -> list[dict]:
        """The acts of that name that were taken."""
        return [act for _, act in list(self.acts) if act["do"] == verb]

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self._start())
        self.ready.set()
        self.loop.run_forever()

    async def _start(self) -> None:
        app = web.Application(middlewares=[self._note])
        app.router.add_get("/ws", self._talk)
        app.router.add_get("/", self._index)
        app.router.add_get("/records", self._games)
        app.router.add_get("/records/{name}/lesson", self._lesson)
        app.router.add_get("/records/{name}/luck", self._luck)
        add_files(app)
        self.runner = web.AppRunner(app)
        await self.runner.setup()
        site = web.TCPSite(self.runner, "127.0.0.1", self.port)
        await site.start()
        self.port = self.runner.addresses[0][1]

    async def _end(self) -> None:
        await self._cut()
        await self.runner.cleanup()

    @web.middleware
    async def _note(self, request, handler):
        self.requests.append(request.path)
        response = await handler(request)
        if not response.prepared:
            response.headers["Content-Security-Policy"] = POLICY
        return response

    async def _index(self, _request):
        return web.FileResponse(PAGE / "index.html")

    async def _games(self, request):
        return web.json_response({"games": [{"name": "0002.rec", "when": "2026-11-23T15:15", "game": "Durak, simple",
                                             "players": ["You", "Vera"], "result": "you lost to Vera", "seat": 1}]})

    async def _lesson(self, request):
        return web.json_response(canned.lesson(request.query["language"]))

    async def _luck(self, request):
        return web.json_response(canned.luck(request.query["language"]))

    async def _push(self, message: dict) -> None:
        for socket in list(self.sockets):
            await socket.send_json(message)

    async def _cut(self) -> None:
        for socket in list(self.sockets):
            transport = socket._req.transport if socket._req else None
            if transport:
                transport.abort()
        self.sockets.clear()

    async def _talk(self, request):
        if self.away:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        hello = json.loads((await socket.receive()).data)
        self.hellos.append(hello)
        self.sockets.add(socket)
        with contextlib.suppress(ConnectionError):
            await self._greet(socket, hello)
            async for raw in socket:
                if raw.type == WSMsgType.TEXT:
                    await self._hear(socket, hello["client"], json.loads(raw.data))
        self.sockets.discard(socket)
        return socket

    async def _greet(self, socket, hello: dict) -> None:
        scene, language, role = ([*hello["secret"].split("."), "", "", ""])[:3]
        role = role or "public"
        done = self.taken.get(hello["client"], 0)
        own = [] if role == "public" else [1]
        await socket.send_json(
            {"type": "welcome", "version": 1, "role": role, "seats": own, "done": done, "language": language or "en"}
        )
        messages = canned.for_role(canned.SCENES[scene or "durak"](language or "en"), role)
        for message in messages + [{**one, "heard": GREETED} for one in messages if one["type"] == "view"]:
            await socket.send_json(message)

    async def _hear(self, socket, client: str, message: dict) -> None:
        if message["type"] == "rule":
            await socket.send_json({**RULE, "rule": message["rule"]})
        elif message["type"] == "summary":
            line = message.get("game", "durak transfer hand=4")
            await socket.send_json({"type": "summary", **tell_summary(line, None, "en")})
        elif message["type"] == "choices":
            await socket.send_json(canned.choices("en"))
        elif message["type"] == "link":
            await socket.send_json(
                {
                    "type": "link",
                    "seat": message["seat"],
                    "url": "http://table/#abc",
                    "qr": "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 4'><path d='M0 0h2v2H0z'/></svg>",
                }
            )
        if message["type"] != "act":
            self.questions.append(message)
            return
        is_deaf = self.deaf  # once a test sees the message it lets the table hear again
        self.seen.append((client, message))
        if is_deaf:
            return
        if message["n"] == self.taken.get(client, 0) + 1:
            self.taken[client] = message["n"]
            self.acts.append((client, message))
        await socket.send_json({"type": "ack", "n": message["n"], "ok": not self.refuse, "why": self.refuse})


if __name__ == "__main__":
    with FakeTable(int(sys.argv[1]) if len(sys.argv) > 1 else 8800) as fake:
        print(*(fake.url(scene) for scene in canned.SCENES), sep="\n", flush=True)
        fake.thread.join()
