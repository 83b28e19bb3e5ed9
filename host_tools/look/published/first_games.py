"""A visitor's first games. first.mjs plays them once when the site is made, in the browser's Python. The files that
they open and the functions of Python that they call go to a visitor first, all others follow; what the table says first
is kept for the page.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, cast

from host_tools.base.languages import list_languages
from host_tools.look.published.worker import Worker
from host_tools.minds.players import LEVELS
from host_tools.play.web.desk import ANSWERS

GAMES = (("durak throw-in", 4), ("cals-bs", 4), ("bailiff", 4), ("malice", 2))
ASKED = ({"type": "choices"}, {"type": "summary"}, {"type": "rule", "rule": "D7"})
GUESSES = {"search": "search:8"}  # a player that thinks for so long would play other games on a busy machine
LINES = 30  # of the public feed: by then everybody has played
SETTLE_US = 3_000_000  # by then the lobby's glass is drawn, and the buzzer silent
MOST_STEPS = 20_000


class Visitor:
    """Somebody opens a table and plays. `said`: the last message of each type; say: hears each of them, too."""

    def __init__(self, folder: str, language: str, say: Callable[[str], object] = lambda text: None) -> None:
        self.said: dict[str, dict[str, Any]] = {}
        self.say = say
        self.worker = Worker(folder, language, 7, self.hear, lambda: None)
        self.counter = self.worker.counter
        machine: Any = self.counter.table.machine
        machine.ahead_s = lambda: 0.0  # as fast as it can
        self.counter.open()
        self.tell({"type": "hello", "client": "firstvisitor", "language": language})
        self.live_until(lambda: self.said.get("table", {}).get("phase") == "lobby")
        self.settle()
        self.tell(ASKED[0])

    def settle(self) -> None:
        """Let the table live until its glass is drawn and its buzzer silent."""
        settled_us = self.counter.table.world.now_us + SETTLE_US
        self.live_until(lambda: self.counter.table.world.now_us > settled_us)

    def hear(self, text: str) -> None:
        """A message to the page."""
        self.say(text)
        message = json.loads(text)
        self.said[message["type"]] = message

    def tell(self, message: dict[str, Any]) -> None:
        """A message of the page."""
        self.counter.hear(json.dumps(message))

    def live_until(self, is_enough: Any) -> None:
        """Let the table live until that is true."""
        for _ in range(MOST_STEPS):
            if is_enough():
                return
            self.counter.live()
        raise AssertionError(f"the table stands still: {self.said.get('table')}")

    def start(self, game: str, players: list[str]) -> None:
        """Begin it with these virtual players; a person would sit at the first seat."""
        seats = [{"name": f"Вера {seat}", "who": f"bot:{player}"} for seat, player in enumerate(players, 1)]
        self.tell({"type": "act", "n": 1, "do": "start", "game": game, "seats": seats, "dealer": 1, "give_up": True})

    def play(self, game: str, count: int) -> None:
        """A game's first moments, with virtual players of each level."""
        players = [GUESSES.get(player, player) for player in LEVELS.values()]
        self.start(game, [players[seat % len(players)] for seat in range(1, count + 1)])
        for question in ASKED:
            self.tell(question)
        self.live_until(lambda: self.counter.table.known.feed.count > LINES and self.said["table"]["phase"] == "play")
        self.counter.close()

    def play_on(self, bring: Callable[[Callable[[Any], bytes]], object]) -> None:
        """What a visitor does whose line is gone behind the first card: a game to its end, many acts, the next game,
        and a module that cannot be brought."""
        with same_chance():
            self.start(GAMES[0][0], ["beginner"] * GAMES[0][1])
            for number in range(ANSWERS + 1):
                self.tell({"type": "act", "n": number + 2, "do": "press", "seat": 1, "key": "CALL"})
            self.live_until(lambda: self.said["table"]["records"])
            self.settle()
            self.tell({"type": "act", "n": ANSWERS + 3, "do": "next"})
            self.live_until(lambda: self.said["table"]["phase"] == "play")
        sys.meta_path.append(cast(Any, SimpleNamespace(find_spec=lambda *facts: bring(lambda packed: b""))))
        try:
            importlib.import_module("later")
        except Exception as gone:  # noqa: BLE001 - as Games.answer says it
            self.say(f"{type(gone).__name__}: {gone}")
        finally:
            sys.meta_path.pop()


@contextmanager
def same_chance() -> Iterator[None]:
    """The same bytes of chance each time: the same site is made of the same files."""
    count, real = [0], os.urandom

    def urandom(size: int) -> bytes:
        count[0] += 1
        return (hashlib.sha256(str(count[0]).encode()).digest() * (size // 32 + 1))[:size]

    os.urandom = urandom
    try:
        yield
    finally:
        os.urandom = real


def play_all() -> str:
    """Play them, in each language. JSON: by language, what the table says to a page that has just come."""
    lobby = {}
    with same_chance():
        for language in list_languages():
            for game, count in GAMES:
                with tempfile.TemporaryDirectory() as folder:
                    visitor = Visitor(folder, language)
                    lobby[language] = list(visitor.said.values())
                    visitor.play(game, count)
    return json.dumps(lobby, ensure_ascii=False)
