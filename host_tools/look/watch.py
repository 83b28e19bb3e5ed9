"""Shows a running table to many viewers: one process hears its public feed and tells every browser the same.

It knows the feed and nothing else, so it has no secret to tell. Viewers are spectators in the page's protocol
(docs/play-protocol.md); when the game has its result and its record is found, each of them gets it, and holds it
against what it saw.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from cardtable.engine.reading import read_time
from cardtable.engine.record import FORMAT
from host_tools.base import foreign
from host_tools.maker.device.ports import is_port
from host_tools.base.endings import end_tasks
from host_tools.base.errors import UnusableInput
from host_tools.base.project import PAGE
from host_tools.judge.records.public_record import LOST
from host_tools.sight.recorded import Recorded
from host_tools.sight.shadow import Shadow
from host_tools.look.wording import Wording
from host_tools.sight.viewer import Viewer, encode
from host_tools.play.web.choices import tell_rule, tell_summary
from host_tools.judge.sentences import Sentences, languages
from host_tools.play.acts import NotAllowed
from host_tools.play.web.desk import (
    CLIENT, PUT_OFF, QUESTIONS_BURST, QUESTIONS_RATE, Allowance, Connection, Protocol, read_message,
)
from host_tools.play.web.serve import NAMES, add_files, give_html, language_of, make_app
from host_tools.play.web.door import REFUSE
from host_tools.play.web.server import DESK, add_page, make_refusal, talk

VIEWERS = 2000
FIRST_LINES = 50  # of the feed that somebody who comes gets
RAW_LIMIT = 500  # lines of a feed that told of nothing yet
AGAIN_S = 2.0
RECORDS_LIMIT = 10_000


class Telling:
    """What viewers of one language are told. Each follows the feed by itself: less than a millisecond a line."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.shadow = Shadow(language)
        self.messages: dict[str, bytes] = {}
        self.lines: deque[dict[str, Any]] = deque(maxlen=400)


class Hub:
    """All viewers of one table. `take(line)` a line of its feed. It has a desk's words for play/web/server.py."""

    def __init__(self, language: str = "en", records: Path | None = None) -> None:
        """language: of who reads none of ours. records: a folder in which the record of a finished game will lie."""
        self.tellings = {one: Telling(one) for one in languages()}
        self.language, self.records = language, records
        own = self.tellings[language]
        self.shadow, self.lines = own.shadow, own.lines
        self.names: set[str] = set()
        self.connections: set[Connection] = set()
        self.count = int(time.time()) * 1000  # a page that was there before a restart takes the new lines as new
        self.score: dict[str, dict[str, int]] = {}
        self.games = 0
        self._counted: set[tuple[str, ...]] = set()  # the games that the score has
        self.refused = self.served = 0
        self._asked = Allowance(QUESTIONS_BURST)
        self._raw: list[str] = []
        self._proof = b""
        self._begun_s = time.monotonic()
        self._at_ms = 0
        self._is_over = False

    @property
    def messages(self) -> dict[str, bytes]:
        """What a viewer without a language of ours was told last."""
        return self.tellings[self.language].messages

    def language_of(self, connection: Connection) -> str:
        """What that browser reads: its own language, or the hub's."""
        return connection.language or self.language

    def say_why(self, refusal: NotAllowed, connection: Connection) -> str:
        """Why a page is sent away, in the viewer's language."""
        return Sentences(language=self.language_of(connection)).why(str(refusal))

    # --- the feed ---

    def take(self, line: str) -> None:
        """A line of the feed; every viewer is told what it changes."""
        line = line[: foreign.LINE_LIMIT]
        if line.startswith("resumed after: ") and self._raw and self._raw[-1][:1].isdigit():
            self._raw.pop()  # it told of nothing: the power failed in the middle of it
        self._raw = [*self._raw[-RAW_LIMIT:], line]
        heard = {one: telling.shadow.take(line) for one, telling in self.tellings.items()}
        fresh = {one: self.number(told) for one, told in heard.items()}
        if self.shadow.is_unread and self._raw[-1] == line:
            self._raw.pop()  # no record holds such a line
        if heard[self.language]:
            self.count += len(heard[self.language])
            self._raw = []
        if line == FORMAT and not self.shadow.is_resuming:
            self._raw, self._proof = [line], b""
            self._at_ms, self._begun_s, self._is_over = 0, time.monotonic(), False
        self.note_time(line)
        self.note_result(line)
        for one, lines in fresh.items():
            self.tellings[one].lines.extend(lines)
        self.tell(fresh)

    def number(self, told: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """As lines for pages: the first of them tells of all lines of the feed that told of nothing yet."""
        return [{"n": self.count + at, **one, "raw": [] if at > 1 else self._raw} for at, one in enumerate(told, 1)]

    def note_time(self, line: str) -> None:
        """When the last thing happened, on the table's clock and on this one."""
        at_ms = read_time(line.split(" ", 1)[0])
        if at_ms >= 0:
            self._at_ms, self._begun_s = at_ms, time.monotonic()

    def note_result(self, line: str) -> None:
        """Count who lost, or won, for the big score. After a lost connection a served table tells its newest game once
        more, which may be over: its header, the time of its last event and its result say that it is the same one."""
        if not line.startswith("result: "):
            return
        self._is_over = True
        if self.shadow.header is None:
            return
        game = (*self.shadow.header.lines(), str(self._at_ms), line)
        if game in self._counted:
            return
        self._counted.add(game)
        words = line[8:].split()
        names = self.shadow.header.seats
        with contextlib.suppress(ValueError, IndexError):
            seats = [int(number) for number in words[1].split("+")]
            kind = "wins" if words[0] == "winner" else "losses"
            if words[0] in ("winner", "fool", "loser", "team"):
                for seat in seats:
                    row = self.score.setdefault(names[seat - 1], {"wins": 0, "losses": 0})
                    row[kind] += 1
        self.games += 1

    def tell(self, fresh: dict[str, list[dict[str, Any]]]) -> None:
        """Give every viewer what is new; fresh: lines, by language."""
        news = {}
        for one, telling in self.tellings.items():
            messages = self.make_messages(telling)
            news[one] = {name: told for name, told in messages.items() if telling.messages.get(name) != told}
            telling.messages = messages
        for connection in self.connections:
            if connection.is_known:
                language = self.language_of(connection)
                connection.outbox.update(news[language])
                connection.lines += fresh.get(language, [])
                connection.ready.set()

    def make_messages(self, telling: Telling) -> dict[str, bytes]:
        """What a spectator of that language is told now."""
        shadow, language = telling.shadow, telling.language
        told: dict[str, dict[str, Any]] = {"score": {"type": "score", "rows": self.score, "games": self.games}}
        if shadow.course is None:
            told["table"] = empty_table(language, shadow)
            why = "gap" if shadow.has_gap else "lost" if shadow.is_lost else "missed"
            notice = Wording(language).say(why) if self.is_behind() else ""
            told["view"] = {"type": "view", "piles": [], "turn": [], "refusals": [], "notice": notice}
        else:
            viewer = Viewer(shadow.scene())
            told.update(table=viewer.tell_table(), view=viewer.tell_view(), lights=viewer.tell_lights())
        found = {name: encode(message) for name, message in told.items()}
        if self._proof:
            found["proof"] = self._proof
        return found

    def is_behind(self) -> bool:
        """Whether a game goes on that cannot be shown: it began before anybody listened, lines of it are missing, or
        nothing fits its feed."""
        return self.shadow.is_lost or self.shadow.is_joined or self.shadow.has_gap

    # --- the proof ---

    def look_for_record(self) -> None:
        """Once the game has its nonce, find its record and give it to all who watched."""
        nonce = self.shadow.nonce
        if not nonce or self._proof or self.records is None:
            return
        for path in sorted(self.records.glob("*.rec"), reverse=True)[:RECORDS_LIMIT]:  # the newest is named last
            with contextlib.suppress(UnusableInput):
                content = foreign.read_bytes(path)
                if f"nonce: {nonce}".encode("utf-8", "replace") not in content:
                    continue  # to read a thousand others as games takes seconds, in which no viewer is told anything
                record = Recorded(path.name, content)
                if record.is_over and dict(record.header.keys).get("nonce") == nonce:
                    text = record.content.decode("utf-8", "replace")
                    self._proof = encode({"type": "proof", "record": text, "digest": self.shadow.digest})
                    self.tell({})
                    return

    # --- viewers: as host_tools/play/web/desk.py has it ---

    def turns_away(self, knock: str, address: str) -> bool:
        """Whether there are too many."""
        return len(self.connections) >= VIEWERS

    def awaits(self, knock: str) -> bool:
        """Nobody has a secret here."""
        return False

    def join(self, connection: Connection) -> None:
        """Somebody opens a page."""
        self.connections.add(connection)

    def leave(self, connection: Connection) -> None:
        """Somebody is gone."""
        self.connections.discard(connection)

    def hear(self, connection: Connection, text: str) -> None:
        """A message from a page: hello, or a question. Protocol."""
        connection.spend()
        message = read_message(text)
        kind = message["type"]
        if kind == "hello" and not connection.is_known:
            if not CLIENT.fullmatch(str(message.get("client", ""))):
                raise Protocol("hello has a client of 8 to 64 letters and digits")
            connection.speak(message.get("language"))
            self.welcome(connection)
        elif kind in ("rule", "summary") and connection.is_known:
            connection.reply(encode({"type": kind, **self.answer(connection, message)}))
        elif kind == "speak" and connection.is_known:
            connection.speak(message.get("language"))
            self.welcome(connection)  # all is told again
        elif kind != "choices" or not connection.is_known:
            raise Protocol("a viewer says hello, and asks for rules")

    def answer(self, connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
        """A rule, or the game on one page, as the page's help shows it; or `why` not."""
        try:
            if not self._asked.spend(QUESTIONS_RATE):
                raise NotAllowed(PUT_OFF)
            if message["type"] == "rule":
                return tell_rule(message.get("rule"), self.language_of(connection))
            return tell_summary(message.get("game"), self.shadow.header, self.language_of(connection))
        except NotAllowed as refusal:
            return {"why": self.say_why(refusal, connection)}

    def welcome(self, connection: Connection) -> None:
        """Everything that there is to see, the clock too."""
        connection.is_known = True
        telling = self.tellings[self.language_of(connection)]
        connection.reply(encode({"type": "welcome", "version": 1, "role": "public", "seats": [], "done": 0,
                                 "language": telling.language}))
        since_ms = 0 if self._is_over else int((time.monotonic() - self._begun_s) * 1000)
        connection.reply(encode({"type": "time", "at": self._at_ms + since_ms, "over": self._is_over,
                                 "line": self.count}))
        connection.outbox.update(telling.messages or self.make_messages(telling))
        connection.lines = list(telling.lines)[-FIRST_LINES:]
        connection.ready.set()


def empty_table(language: str, shadow: Shadow) -> dict[str, Any]:
    """The message `table` where there is none to be shown."""
    header = shadow.header
    seats = [{"seat": seat, "place": header.places[seat - 1], "name": name, "who": "here", "there": True,
              "stands_in": False} for seat, name in enumerate(header.seats, 1)] if header else []
    return {"type": "table", "phase": "play" if header else "start", "game": " ".join(header.game) if header else "",
            "title": shadow.words.title(header.game) if header else "", "seats": seats,
            "dealer": header.dealer if header else 0, "places": len(seats), "language": language,
            "screen_language": language, "deal": "table", "free": False, "speed": 1.0, "result": "", "ending": "",
            "digest": "", "closed": False, "record": "",
            "proposals": [], "records": []}


def make_watch(hub: Hub, chosen: str = "") -> web.Application:
    """The pages for viewers. chosen: the language of screens, if somebody has said one."""
    app = make_app(most_bytes=2048)
    app[DESK], app[NAMES] = hub, hub.names  # type: ignore[misc]
    app[REFUSE] = make_refusal(hub.turns_away)
    app.router.add_get("/ws", talk)
    add_page(app)
    for page in ("overlay", "clock"):
        app.router.add_get(f"/{page}", functools.partial(give_page, page, chosen or hub.language, bool(chosen)))
    add_files(app)
    return app


async def give_page(name: str, language: str, is_chosen: bool, request: web.Request) -> web.StreamResponse:
    """A page for a screen, which has no settings. Its language is that of its address, else the one that was chosen,
    else the browser's, else the hub's."""
    if not is_chosen or request.query.get("language") in languages():
        language = language_of(request, language)
    page = (PAGE / f"{name}.html").read_text(encoding="utf-8")
    return give_html(page.replace('<html lang="en">', f'<html lang="{language}">', 1))


# --- where feeds come from ---


def is_url(source: str) -> bool:
    """Whether the feed comes from a table that is served."""
    return source.startswith(("http://", "https://"))


async def follow(source: str, on_trouble: Callable[[str], None]) -> AsyncIterator[str]:
    """The lines of a feed as they come: of a served table, of a serial port, of a file that grows. Tries again."""
    if is_url(source):
        async for line in follow_url(source.split("#")[0].rstrip("/"), on_trouble):
            yield line
        return
    queue: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(asyncio.to_thread(read_lines, source, on_trouble,
                                                 lambda line: loop.call_soon_threadsafe(queue.put_nowait, line)))
    try:
        while True:
            yield await queue.get()
    finally:
        _ended.add(source)
        task.cancel()


_ended: set[str] = set()  # sources without a follower: their threads end


async def follow_url(address: str, on_trouble: Callable[[str], None]) -> AsyncIterator[str]:
    """The feed of `cardtable play`. Each time it begins with the game's header, so a lost connection leaves no gap."""
    said = ""
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=10)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        while True:
            try:
                async with session.get(f"{address}/feed", headers={"Accept-Encoding": "identity"}) as response:
                    if response.status != 200:
                        raise aiohttp.ClientError(f"it answered {response.status}")
                    said = ""
                    async for raw in response.content:
                        if not raw.endswith(b"\n"):
                            break  # the connection ended within a line
                        yield raw.decode("utf-8", "replace").rstrip("\r\n")
            except (aiohttp.ClientError, asyncio.TimeoutError, OSError, ValueError) as wrong:
                if said != str(wrong):
                    said = str(wrong)
                    on_trouble(f"{address}: {foreign.shorten(said, 200)}; trying again")
            await asyncio.sleep(AGAIN_S)


def read_lines(source: str, on_trouble: Callable[[str], None], on_line: Callable[[str], object]) -> None:
    """The same of a port or a file, in a thread. What a table says while its port is away is lost, says LOST."""
    _ended.discard(source)
    said = ""
    has_heard = False
    while source not in _ended:
        try:
            lines = port_lines(source, has_heard) if is_port(source) else file_lines(source)
            for line in lines:
                has_heard = True
                on_line(line)
            return
        except (UnusableInput, OSError) as wrong:
            if str(wrong) != said:
                said = str(wrong)
                on_trouble(f"{foreign.shorten(said, 200)}; trying again")
        time.sleep(AGAIN_S)


def port_lines(source: str, is_behind_gap: bool = False) -> Iterator[str]:
    """What a table prints at its port, which was there before, or was not. The game goes on: nothing is ever sent to
    it."""
    from host_tools.maker.device.table import Table

    with Table(source) as table:
        if is_behind_gap:
            yield LOST
        while source not in _ended:
            yield from table.lines(1.0)


def file_lines(source: str) -> Iterator[str]:
    """A feed that somebody saves, from its beginning, and on as it grows."""
    path, count = Path(source), 0
    while source not in _ended:
        lines = foreign.read_lines(path)
        whole = lines if not lines or lines[-1].endswith("\n") else lines[:-1]
        if len(whole) < count:
            count = 0
        for line in whole[count:]:
            yield line.rstrip("\n")
        count = len(whole)
        time.sleep(0.25)


async def run_hub(hub: Hub, source: str, delay_s: float, on_trouble: Callable[[str], None]) -> None:
    """Feed the hub until it is cancelled; each line so much later than it was heard."""
    queue: asyncio.Queue[tuple[float, str]] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    async def hear() -> None:
        async for line in follow(source, on_trouble):
            queue.put_nowait((loop.time() + delay_s, line))

    async def prove() -> None:
        while True:
            await asyncio.sleep(AGAIN_S)
            hub.look_for_record()

    tasks = [asyncio.create_task(hear()), asyncio.create_task(prove())]
    try:
        while True:
            due_s, line = await queue.get()
            await asyncio.sleep(max(0.0, due_s - loop.time()))
            hub.take(line)
    finally:
        await end_tasks(tasks)
