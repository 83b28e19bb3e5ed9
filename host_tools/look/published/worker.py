"""Runs the table in the worker of the published page, and gives the answers that the server of `cardtable play` gives.

page/worker.js starts it, calls `live` when the table wants to live on, and keeps `folder` in the browser's storage.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.languages import list_languages
from host_tools.play.browser.counter import LIBRARY, Counter
from host_tools.play.library import list_names
from host_tools.play.told_games import tell_games

MOST_SEATS = 7
_LONGEST = 80  # characters of a name
SENTENCE = "This browser has no such record."


class Query:
    """The part of an address behind its question mark."""

    def __init__(self, text: str) -> None:
        self._found = parse_qs(text)

    def all(self, name: str) -> list[str]:
        """Every value of that name."""
        return self._found.get(name, [])

    def one(self, name: str) -> str:
        """The first; empty: there is none."""
        return (self.all(name) or [""])[0]

    def number(self, name: str, most: int) -> int:
        """A number up to `most`, else 0."""
        text = self.one(name)
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 and int(text) <= most else 0

    @property
    def language(self) -> str:
        """The language that is asked for."""
        return self.one("language") if self.one("language") in list_languages() else "en"


class Far(list[int]):
    """How far an analysis is, steps that are done and all of them: the page is told, which could not ask meanwhile."""

    def __init__(self, say: Callable[[int, int], object]) -> None:
        super().__init__([0, 0])
        self.say = say

    def __setitem__(self, at: Any, number: Any) -> None:
        super().__setitem__(at, number)
        if at == 1:
            self.say(*self)


class Games:
    """The finished games of this browser, and what a server would give of them. `folder`: where all is kept.
    say_far: hears how far an analysis is."""

    def __init__(self, folder: str, say_far: Callable[[int, int], object] = lambda done, of: None) -> None:
        self.say_far = say_far
        self.library = Path(folder) / LIBRARY
        self.library.mkdir(parents=True, exist_ok=True)
        self.brought: dict[str, bytes] = {}  # records that were dropped into the page, by name

    def bring(self, name: str, content: bytes) -> None:
        """Somebody looks at a record of their own; it is not kept."""
        self.brought[name] = bytes(content)

    def take_in(self, name: str, content: bytes) -> str:
        """A record of another browser is kept among the finished games; its name. UnusableInput."""
        from host_tools.sight.recorded import Recorded

        Recorded(name, bytes(content))
        safe = "".join(sign for sign in name.removesuffix(".rec") if sign.isalnum() or sign in "-_")[:76] or "game"
        path = self.library / f"{safe}.rec"
        number = 1
        while path.exists() and foreign.read_bytes(path) != bytes(content):
            number += 1
            path = self.library / f"{safe}-{number}.rec"
        path.write_bytes(bytes(content))
        return path.name

    def answer(self, address: str) -> str:
        """What a server would give under that address: JSON with `status`, `type` and `text`."""
        try:
            kind, text = self._answer(address)
        except UnusableInput as wrong:
            return json.dumps({"status": 404, "type": "text/plain", "text": f"{wrong}\n"})
        except Exception as bug:  # noqa: BLE001 - who asks is told in any case
            return json.dumps({"status": 500, "type": "text/plain", "text": f"{type(bug).__name__}: {bug}\n"})
        return json.dumps({"status": 200, "type": kind, "text": text})

    def _answer(self, address: str) -> tuple[str, str]:
        parts = urlsplit(address)
        query, steps = Query(parts.query), unquote(parts.path).split("/")
        if steps == ["records"]:
            names = list_names(self.library)
            told = tell_games(self.library, names, query.language, set(query.all("me")[:MOST_SEATS]))
            return "application/json", json.dumps({"games": told})
        if steps in (["game.json"], ["sheet"]):
            return self._tell(query.one("kept") or "game.rec", steps[0], query)
        if steps == ["hint"]:
            from host_tools.minds.hints.told import tell_hint  # here, not above: the first card does not wait for it
            from host_tools.sight.seen import read_seen

            hint = tell_hint(read_seen(query.one("seen")), json.loads(query.one("names")), query.language)
            return "application/json", json.dumps(hint, ensure_ascii=False)
        if steps[0] in ("puzzles", "drills.json", "my-games.json"):
            return "application/json", json.dumps(self._teach(steps, query), ensure_ascii=False)
        if steps[0] != "records" or len(steps) > 3:
            raise UnusableInput(SENTENCE)
        return self._tell(steps[1], steps[2] if len(steps) == 3 else "", query)

    def _tell(self, name: str, what: str, query: Query) -> tuple[str, str]:
        """Of one record: itself, its lesson, its frames, or the sheet of a line. UnusableInput."""
        content = self.find(name)
        analyses: Any = query.one("analyse") == "yes"
        if what == "lesson":
            from host_tools.look.lesson import lesson_text  # here, not above: the first card does not wait for it

            text = lesson_text(name, content, query.number("seat", MOST_SEATS), query.language, None)
            return "application/json", text
        if what in ("game.json", "sheet"):
            from host_tools.base.workers import progress
            from host_tools.look.outside import frames_text, sheet_text

            with progress.shared(Far(self.say_far)):
                if what == "game.json":
                    text = frames_text(name, content, query.language, "", analyses, None, None)
                    return "application/json", text.replace('"/page/cards/', '"cards/')
                text = sheet_text(name, content, query.number("line", 10**8), query.one("as"), query.language)
                return "text/html", text
        if what:
            raise UnusableInput(SENTENCE)
        return "text/plain", content.decode("utf-8", "replace")

    def _teach(self, steps: list[str], query: Query) -> dict[str, Any]:
        """What the pages to learn from ask, as look/learn.py answers on a server. UnusableInput."""
        from host_tools.look import learned
        from host_tools.look.drill import drills_text
        from host_tools.look.library import Library
        from host_tools.look.mine import tell_mine
        from host_tools.look.puzzle_told import answer_text, question_text
        from host_tools.look.wording import Wording

        if steps == ["my-games.json"]:
            mine = tell_mine(Library(self.library, query.language), query.one("name")[:_LONGEST], query.language)
            mine["mistakes"]["todo"] = []  # the second worker keeps nothing: judging changes nothing
            return mine
        if steps == ["drills.json"]:
            paths = [self.library / name for name in list_names(self.library)]
            seed = query.number("seed", 1000)
            told: dict[str, Any] = json.loads(drills_text(learned.read_games(paths, seed), query.language, seed))
            return told
        if steps[1:] == ["list.json"]:
            return learned.list_puzzles({})
        puzzle = learned.find_puzzle(steps[1].removesuffix(".json") if len(steps) > 1 else "", {})
        if puzzle is None:
            raise UnusableInput(Wording(query.language).say("puzzle.none"))
        if len(steps) == 2:
            asked: dict[str, Any] = json.loads(question_text(puzzle.line(), query.language))
            return asked
        text = answer_text(puzzle.line(), query.language, learned.number_of(query.one("choice")))
        return learned.add_rating(text, puzzle, query.one("mu"), query.one("sigma"))

    def find(self, name: str) -> bytes:
        """A finished game of this browser, or one that was brought. UnusableInput."""
        if name in self.brought:
            return self.brought[name]
        path = self.library / name
        if name not in list_names(self.library, 10**6) or not path.is_file():
            raise UnusableInput(SENTENCE)
        return foreign.read_bytes(path)


class Worker(Games):
    """The table of the page, too: `counter`."""

    def __init__(self, folder: str, language: str, seed: int, say: Callable[[str], object],
                 on_post: Callable[[], None], is_real: bool = False) -> None:
        super().__init__(folder)
        language = language if language in list_languages() else "en"
        self.counter = Counter(Path(folder), language, seed, say, on_post, is_real)

    def take_in(self, name: str, content: bytes) -> str:
        """As Games has it; the table lists it with its own. UnusableInput."""
        name = super().take_in(name, content)
        self.counter.table.known.records = list_names(self.library)
        return name
