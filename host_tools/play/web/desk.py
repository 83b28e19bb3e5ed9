"""The desk between browsers and table: connections, who each one is, what each has had, and which acts were taken.

It lives in the server's thread (asyncio); the table lives in its own. What crosses over is a piece of work (`post`) one
way, and finished bytes the other way.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.play.acts import Actor, NotAllowed, NO_ACTS, has_acts
from host_tools.play.table import LiveTable
from host_tools.sight.viewer import Viewer, encode
from host_tools.judge.sentences import Sentences, languages
from host_tools.sight.scene import Scene
from host_tools.play.web.coming import take_seat
from host_tools.play.web.near import is_here

MESSAGE_LIMIT = 2048  # bytes from a page
RATE = 20.0  # messages a second of one connection
BURST = 60  # at once
CROWD = ("public", "join")  # the roles of those who only watch, or have not chosen a seat yet
CROWD_RATE = 2.0  # messages a second of one of them
QUESTIONS_RATE = 50.0  # questions a second of all of them together; what comes beside these is put off
QUESTIONS_BURST = 200  # at once: everybody who comes asks what can be chosen
PUT_OFF = "too many ask at once: try again in a moment"
SPECTATORS = 200  # without a right secret, at once
ADDRESS_SPECTATORS = 100  # of them from one address that is not this machine
TOLD_AT_ONCE = 16  # spectators; then the loop looks whether a player has said something
PLACES = 8  # connections with the same right secret; one more ends the oldest
CODE_PLACES = 100  # the same of the one code that all phones scan: who has not chosen a seat yet, or only watches
CLIENTS = 60  # of one secret, whose acts are counted; the oldest is forgotten
ANSWERS = 32  # of a client's last acts, for one that asks again
LINES_LIMIT = 200  # of the feed that wait for a slow browser
CLIENT = re.compile(r"[A-Za-z0-9]{8,64}")


class Protocol(Exception):
    """A message that no page of ours sends; the connection is closed with this sentence."""


def read_message(text: str) -> dict[str, Any]:
    """A message of a page: an object with a type. Protocol."""
    try:
        message: dict[str, Any] = foreign.parse_json(text, {"type": str})
    except foreign.Misshapen as wrong:
        raise Protocol(str(wrong)) from None
    return message


class Allowance:
    """So many at once, and then as many a second as may come."""

    def __init__(self, most: int) -> None:
        self._most = self._left = float(most)
        self._told_s = time.monotonic()

    def spend(self, rate: float) -> bool:
        """One more comes; False if that is too many."""
        now_s = time.monotonic()
        self._left = min(self._most, self._left + (now_s - self._told_s) * rate)
        self._told_s = now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Client:
    """One open page across lost connections: the last act that was taken of it, and what was answered."""

    def __init__(self) -> None:
        self.done = 0
        self.answers: OrderedDict[int, bytes] = OrderedDict()

    def answer(self, number: int, why: str, is_taken: bool = False) -> bytes:
        """Keep the answer to an act and give it back. why: it was not taken, or what is to be said of it if it was."""
        told = encode({"type": "ack", "n": number, "ok": is_taken or not why, "why": why})
        self.answers[number] = told
        while len(self.answers) > ANSWERS:
            self.answers.popitem(last=False)
        return told


class Connection:
    """One WebSocket. `outbox` holds the newest message of each type until it can be sent: a slow browser skips some."""

    def __init__(self) -> None:
        self.secret = ""
        self.address = ""  # where it comes from
        self.why_ended = ""  # others need its place: the sentence that it gets
        self.role = "public"
        self.seats: list[int] = []
        self.client = Client()
        self.is_known = False
        self.is_awaited = False  # it has knocked as one with a right secret, and not yet said hello
        self.language = ""  # its own; empty: the table's
        self.is_wrong = False  # it came with a link that is no seat, or no seat any more
        self.outbox: dict[str, bytes] = {}
        self.replies: list[bytes] = []
        self.lines: list[dict[str, Any]] = []
        self.heard = 0  # the last line of the feed that it has had
        self.is_greeted = True  # all that there is to say has been said to it, else that is on its way
        self.ready = asyncio.Event()
        self._messages = Allowance(BURST)
        self.born_s = time.monotonic()

    @property
    def is_crowd(self) -> bool:
        """Whether it only watches, or has not chosen a seat yet."""
        return self.role in CROWD

    def spend(self) -> None:
        """One more message came. Protocol if that is too many."""
        if not self._messages.spend(CROWD_RATE if self.is_crowd else RATE):
            raise Protocol("too many messages")

    def speak(self, language: object) -> None:
        """From now on that browser reads this language, if it is one of ours; else the table's."""
        self.language = language if isinstance(language, str) and language in languages() else ""

    def end(self, why: str) -> None:
        """Tell it why, and hang up."""
        self.why_ended = why
        self.ready.set()

    def reply(self, message: bytes) -> None:
        """Send this, once."""
        self.replies.append(message)
        self.ready.set()

    def take(self) -> list[bytes]:
        """All that waits to be sent, in order."""
        found = self.replies + list(self.outbox.values())
        if self.lines:
            found.append(encode({"type": "feed", "lines": self.lines[-LINES_LIMIT:]}))
        self.replies, self.outbox, self.lines = [], {}, []
        self.ready.clear()
        return found


class Desk:
    """All connections of one table."""

    def __init__(self, table: LiveTable, loop: asyncio.AbstractEventLoop,
                 on_line: Callable[[dict[str, Any]], None] | None = None) -> None:
        """on_line: told each line of the public feed, in this thread."""
        self.table = table
        self.loop = loop
        self.on_line = on_line or (lambda line: None)
        self.names: set[str] = set()  # what a browser may call this host (`name:port`)
        self.connections: set[Connection] = set()
        self.clients: dict[str, OrderedDict[str, Client]] = {}  # by secret and name; of right secrets alone
        self.questions: dict[str, Callable[[Connection, dict[str, Any]], dict[str, Any]]] = {}
        # Questions that are answered in the table's thread, and later.
        self.at_table: dict[str, Callable[[Connection, dict[str, Any]], None]] = {}
        self._asked = Allowance(QUESTIONS_BURST)  # by the crowd
        self._sent: dict[tuple[str, tuple[int, ...], str], dict[str, bytes]] = {}  # viewer: what it was told last
        self._heard = table.known.feed.count
        self._seated = table.seating.changes
        self._present: tuple[set[int], set[int]] = (set(), set())  # as the table was told last
        self._pages: frozenset[object] = frozenset()  # likewise: the open pages of those who play
        self.address = ""  # under which phones reach this table
        self.is_open = True  # to the network, and not to this computer alone
        self.on_act: Callable[[float], object] = lambda seconds: None  # told how long each act took to its ack
        self.refused = 0  # messages that ended a connection
        self.served = 0  # messages sent
        table.watch.on_change = self.table_changed

    # --- in the table's thread ---

    def table_changed(self) -> None:
        """Something may have changed: make each viewer's messages, and hand over those that are."""
        if self.table.seating.changes != self._seated:  # a game begins with other people, behind the act that said so
            self._seated = self.table.seating.changes
            self.loop.call_soon_threadsafe(self.look_round)  # before anything is delivered
        seats = {self.key_of(one) for one in tuple(self.connections) if one.is_known}
        scenes = self.scenes({language for _, _, language in seats}) if seats else {}
        news = {}
        for key in seats:
            role, own, language = key
            told = Viewer(scenes[language], role, own).messages()
            before = self._sent.get(key, {})
            news[key] = {name: message for name, message in told.items() if before.get(name) != message}
            self._sent[key] = told
        self._sent = {key: told for key, told in self._sent.items() if key in seats}
        is_news = self.table.known.feed.count != self._heard
        lines = {one: self.table.known.feed.since(self._heard, one) for one in ("", *scenes)} if is_news else {}
        self._heard = self.table.known.feed.count
        if lines or any(news.values()):
            self.loop.call_soon_threadsafe(self.deliver, news, lines)

    def scenes(self, wanted: Collection[str]) -> dict[str, Scene]:
        """The table at this moment, in each of those languages."""
        scene = self.table.scene()
        return {one: scene if one == scene.language else replace(scene, language=one) for one in wanted}

    def language_of(self, connection: Connection) -> str:
        """What that browser reads: its own language, or the table's."""
        return connection.language or self.table.language

    def key_of(self, connection: Connection) -> tuple[str, tuple[int, ...], str]:
        """What its messages depend on."""
        return connection.role, tuple(connection.seats), self.language_of(connection)

    def welcome(self, connection: Connection) -> None:
        """A connection that is known now is told everything; a spectator what the others were told last."""
        key = role, own, language = self.key_of(connection)
        told = self._sent.get(key, {}) if role == "public" else {}
        if not told:
            told = Viewer(self.scenes([language])[language], role, own).messages()
            self._sent.setdefault(key, told)  # another page of that player has still the older ones
        lines = self.table.known.feed.since(connection.heard, language)
        self.loop.call_soon_threadsafe(self.deliver_all, connection, told, lines)

    def act(self, connection: Connection, message: dict[str, Any], begun_s: float) -> None:
        """Take an act, once. begun_s: when it came."""
        client, number = connection.client, message["n"]
        if number <= client.done:
            answer = client.answers.get(number) or encode({"type": "ack", "n": number, "ok": True, "why": ""})
        else:
            why, is_taken = "", False
            try:
                said = Actor(self.table, connection.role, connection.seats, client,
                             lambda uid, text: self.write(connection, uid, text)).do(message)
                why, is_taken = said and self.say_why(NotAllowed(said), connection), True
            except NotAllowed as refusal:
                why = self.say_why(refusal, connection)
            except OSError as wrong:  # a full disk, or one that can only be read
                why = self.say_why(NotAllowed(f"it cannot be written down: {wrong.strerror or wrong}"), connection)
            except Exception as bug:  # noqa: BLE001 - whoever acts is told in any case
                why = self.say_why(NotAllowed(self.table.bugs.note(bug)), connection)
            client.done = number
            answer = client.answer(number, why, is_taken)
            if is_taken or self.table.lesson is not None:  # a lesson has a sentence on what it does not take, too
                self.table_changed()  # before the answer: a page that has it knows that the seat's hands are busy
        self.loop.call_soon_threadsafe(connection.reply, answer)
        self.on_act(time.monotonic() - begun_s)
        self.loop.call_soon_threadsafe(self.look_round)

    def write(self, connection: Connection, uid: bytes, text: str) -> None:
        """A tag that this page read was written by the table: the page writes the real one."""
        told = encode({"type": "write", "uid": uid.hex().upper(), "text": text})
        self.loop.call_soon_threadsafe(connection.reply, told)

    def say_why(self, refusal: NotAllowed, connection: Connection) -> str:
        """Why something was not taken, in the language of who asked."""
        return Sentences(language=self.language_of(connection)).why(str(refusal))

    # --- in the server's thread ---

    def deliver(self, news: dict[Any, dict[str, bytes]], lines: dict[str, list[dict[str, Any]]]) -> None:
        """Put what is new into the outboxes; lines: of the feed, by language, those of the table's own under ""."""
        later = []
        for connection in self.connections:
            if not connection.is_known:
                continue
            connection.outbox.update(news.get(self.key_of(connection), {}))
            if connection.is_greeted:  # else these lines come behind the earlier ones
                self.add_lines(connection, lines.get(self.language_of(connection), []))
            if connection.role == "public":
                later.append(connection)
            else:
                connection.ready.set()
        self.wake(later)
        for line in lines.get("", []):
            self.on_line(line)

    def wake(self, waiting: list[Connection]) -> None:
        """Let these send what they have, some at a time: a player's act does not wait for all of them."""
        for connection in waiting[:TOLD_AT_ONCE]:
            connection.ready.set()
        if len(waiting) > TOLD_AT_ONCE:
            self.loop.call_soon(self.wake, waiting[TOLD_AT_ONCE:])

    def deliver_all(self, connection: Connection, told: dict[str, bytes], lines: list[dict[str, Any]]) -> None:
        """Put everything into one outbox."""
        connection.outbox.update(told)
        connection.is_greeted = True
        self.add_lines(connection, lines)
        connection.ready.set()

    def add_lines(self, connection: Connection, lines: list[dict[str, Any]]) -> None:
        """Lines of the feed that the connection has not had."""
        fresh = [line for line in lines if line["n"] > connection.heard]
        if fresh:
            connection.lines = (connection.lines + fresh)[-LINES_LIMIT:]
            connection.heard = fresh[-1]["n"]

    def count(self, role: str) -> int:
        """How many of that role are here."""
        return sum(one.is_known and one.role == role for one in self.connections)

    def turns_away(self, knock: str, address: str) -> bool:
        """Whether a page from there is refused before its handshake: every place of spectators is taken, and it does
        not knock as one with a right secret."""
        return bool(self.why_full(address, self.connections)) and not self.awaits(knock)

    def awaits(self, knock: str) -> bool:
        """Whether a right secret begins so."""
        return self.table.seating.is_knock(knock)

    def join(self, connection: Connection) -> None:
        """Somebody opens the page; who it is, it says with hello."""
        self.connections.add(connection)

    def leave(self, connection: Connection) -> None:
        """The connection is gone; the seat keeps its place."""
        self.connections.discard(connection)
        if connection.role != "public":  # of spectators nobody asks who is there
            self.look_round()

    def hear(self, connection: Connection, text: str) -> None:
        """A message from a page. Protocol."""
        connection.spend()
        message = read_message(text)
        kind = message["type"]
        if not connection.is_known:
            if kind != "hello":
                raise Protocol("a page says hello first")
            self.know(connection, message)
        elif kind == "act":
            self.hear_act(connection, message)
        elif connection.is_crowd and not self._asked.spend(QUESTIONS_RATE):
            connection.reply(encode({"type": kind, "why": self.say_why(NotAllowed(PUT_OFF), connection)}))
        elif kind == "speak":
            connection.speak(message.get("language"))
            connection.heard = 0
            self.greet(connection)
        elif kind == "join":
            self.table.post(lambda: self.take_seat(connection, message))
        elif kind in self.at_table:
            self.table.post(lambda: self.at_table[kind](connection, message))
        elif kind in self.questions:
            self.ask(connection, kind, message)
        else:
            raise Protocol("there is no message of that type")

    def hear_act(self, connection: Connection, message: dict[str, Any]) -> None:
        """The table does it; nobody troubles it with an act of somebody who has none. Protocol."""
        number, begun_s = message.get("n"), time.monotonic()
        if not isinstance(number, int) or isinstance(number, bool) or not 0 < number < 1 << 53:
            raise Protocol("an act has a number from 1")
        if has_acts(self.table, connection.role):
            self.table.post(lambda: self.act(connection, message, begun_s))
        else:
            why = self.say_why(NotAllowed(NO_ACTS), connection)
            connection.reply(encode({"type": "ack", "n": number, "ok": False, "why": why}))

    def take_seat(self, connection: Connection, message: dict[str, Any]) -> None:
        """In the table's thread: somebody who came by the code chooses a seat, and gets its secret."""
        try:
            answer = {"secret": take_seat(self.table, connection.role, message)}
            self.table_changed()
        except (NotAllowed, UnusableInput) as refusal:
            answer = {"why": self.say_why(NotAllowed(str(refusal)), connection)}
        self.loop.call_soon_threadsafe(connection.reply, encode({"type": "join", **answer}))

    def ask(self, connection: Connection, kind: str, message: dict[str, Any]) -> None:
        """Answer a question."""
        try:
            answer = self.questions[kind](connection, message)
        except NotAllowed as refusal:
            answer = {"why": self.say_why(refusal, connection)}
        except Exception as bug:  # noqa: BLE001 - whoever asks is told in any case
            answer = {"why": self.say_why(NotAllowed(self.table.bugs.note(bug)), connection)}
        connection.reply(encode({"type": kind, **answer}))

    def know(self, connection: Connection, message: dict[str, Any]) -> None:
        """Hello: who it is, and which acts it has done before. Protocol."""
        secret, name = message.get("secret", ""), message.get("client", "")
        if not isinstance(secret, str) or not isinstance(name, str) or not CLIENT.fullmatch(name) or len(secret) > 64:
            raise Protocol("hello has a secret and a client of 8 to 64 letters and digits")
        connection.role, connection.seats = self.table.seating.of_secret(secret)
        connection.is_awaited = False
        connection.is_wrong = bool(secret) and connection.role == "public"
        connection.speak(message.get("language"))
        if connection.role == "public":
            self.count_spectators(connection)
        else:
            self.make_place(secret, CODE_PLACES if connection.role == "join" else PLACES)
            connection.client = self.remember_client(secret, name)
        connection.secret = secret
        connection.is_known = True
        self.greet(connection)
        self.look_round()

    def count_spectators(self, connection: Connection) -> None:
        """Protocol if there are too many, in all or from that address."""
        why = self.why_full(connection.address, [one for one in self.connections if one.is_known])
        if why:
            raise Protocol(why)

    def why_full(self, address: str, among: Collection[Connection]) -> str:
        """Why no further spectator from there has a place beside those; who has not said hello counts as one."""
        others = [one for one in among if one.role == "public" and not one.is_awaited]
        if len(others) >= SPECTATORS:
            return "too many spectators"
        if not is_here(address) and sum(one.address == address for one in others) >= ADDRESS_SPECTATORS:
            return "too many spectators from one address"
        return ""

    def make_place(self, secret: str, places: int) -> None:
        """End the connections that have been there for longest with that secret, so that one more has its place."""
        same = sorted((one for one in self.connections if one.is_known and one.secret == secret),
                      key=lambda one: one.born_s)
        for old in same[: max(0, len(same) - places + 1)]:
            old.end(self.say_why(NotAllowed("this link was opened too many times"), old))
            self.connections.discard(old)

    def remember_client(self, secret: str, name: str) -> Client:
        """What the page of that name has done with this right secret. Links that no longer count are forgotten."""
        for old in [old for old in self.clients if self.table.seating.of_secret(old)[0] == "public"]:
            del self.clients[old]
        clients = self.clients.setdefault(secret, OrderedDict())
        client = clients.setdefault(name, Client())
        clients.move_to_end(name)
        while len(clients) > CLIENTS:
            clients.popitem(last=False)
        return client

    def greet(self, connection: Connection) -> None:
        """Tell it who it is, then everything."""
        connection.is_greeted = False
        connection.reply(encode({
            "type": "welcome", "version": 1, "role": connection.role, "seats": connection.seats,
            "done": connection.client.done, "language": self.language_of(connection), "wrong": connection.is_wrong}))
        self.table.post(lambda: self.welcome(connection))

    def look_round(self) -> None:
        """See who is there: a phone whose link has ended becomes a spectator, one that is back gets its seat."""
        for connection in self.connections:
            if connection.is_known:
                role, seats = self.table.seating.of_secret(connection.secret)
                if (role, seats) != (connection.role, connection.seats):
                    connection.is_wrong = bool(connection.secret) and role == "public"
                    connection.role, connection.seats = role, seats
                    self.greet(connection)
        known = [one for one in self.connections if one.is_known]
        present = {seat for one in known for seat in one.seats}
        phones = [(seat, one.client) for one in known if one.role == "seat" for seat in one.seats]
        crowded = {seat for seat, client in phones if any(seat == other and client is not two for other, two in phones)}
        pages = frozenset(one.client for one in known if not one.is_crowd)
        if pages != self._pages:
            self._pages = pages
            self.table.post(lambda: self.table.note_pages(pages))
        if (present, crowded) != self._present:
            self._present = (present, crowded)
            self.table.post(lambda: self.set_present(present, crowded))

    def set_present(self, present: set[int], crowded: Collection[int] = ()) -> None:
        """In the table's thread: these seats have somebody, those two phones. Whose page has gone holds no button: one
        that stayed down would stop the table."""
        for place in filter(None, map(self.table.place_of, self.table.seating.present - present)):
            self.table.hands[place].let_go()
        self.table.seating.present, self.table.seating.crowded = present, set(crowded)
        self.table.seating.note_came(present)
        for seat in present:
            self.table.seating.proposals.pop(seat, None)
        self.table_changed()
