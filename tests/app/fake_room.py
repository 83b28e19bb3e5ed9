"""A panel among fake parts, with a flash of text files: for the tests of the lobby, of enrolment and of house rules."""

import os
import sys

from cardtable.between import chosen, decks, files, weak
from cardtable.engine.deck import STRANGER
from cardtable.table.readers import CAME, LEFT

from tests.app.fake_parts import Parts

OK, NO, CALL, MENU = range(4)
ENROL = "cardtable.between.enrol"


class Files:
    """Text files in a dict, with what between/files.py, between/decks.py and between/enrol.py ask of a flash."""

    def __init__(self):
        self.texts = {}

    def listdir(self) -> list:
        return list(self.texts)

    def stat(self, name: str) -> tuple:
        if name not in self.texts:
            return os.stat(name)  # there is none, or it comes with the firmware
        return (0, 0, 0, 0, 0, 0, len(self.texts[name]))

    def rename(self, old: str, new: str) -> None:
        self.texts[new] = self.texts.pop(old)

    def open(self, name: str, mode: str = "r"):
        if name.endswith("/profiles.txt"):
            return open(name)  # it comes with the firmware
        if mode == "w" or mode == "a" and name not in self.texts:
            self.texts[name] = ""
        if name not in self.texts:
            raise OSError(2)
        return File(self, name)

    def during(self, call, *arguments):
        """Call it with these files."""
        kept = decks.os
        # Enrolment where a test has it: it takes room that the lobby's tests need.
        opening = [chosen, decks, files, weak] + [sys.modules[name] for name in (ENROL,) if name in sys.modules]
        chosen.os = decks.os = files.os = self  # what else asks for files asks these
        for module in opening:
            module.open = self.open
        try:
            return call(*arguments)
        finally:
            chosen.os = decks.os = files.os = kept
            for module in opening:
                del module.open


class File:
    """One of them, open."""

    def __init__(self, files: Files, name: str):
        self.files = files
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def __iter__(self):
        text = self.files.texts[self.name]
        start = 0
        while start < len(text):  # one line at a time, as a file: the heap is that of the smallest board
            end = text.find("\n", start) + 1 or len(text)
            yield text[start:end]
            start = end

    def seek(self, at: int) -> None:
        self.at = at

    def read(self, size: int) -> bytes:
        return self.files.texts[self.name].encode()[self.at : self.at + size]

    def readline(self) -> str:
        for line in self:
            return line
        return ""

    def write(self, text: str) -> None:
        self.files.texts[self.name] += text


class Room:
    """A panel among fake parts, with an arbiter's key, a token of Vera and a set-up tag."""

    def __init__(self, make, files=None, tags=("04000000000001 arbiter", "04000000000002 player Vera",
                                               "04000000000003 setup transfer"), language="en"):
        self.parts = Parts("table", language)
        self.files = files or Files()
        self.parts.tags.load_others(tags)
        self.parts.tags.knows_others = True
        self.panel = self.run(make, self.parts)

    def run(self, call, *arguments):
        return self.parts.time.during(self.files.during, call, *arguments)

    def press(self, place: int, *keys: int) -> None:
        for key in keys:
            self.parts.buttons.presses.append(4 * (place - 1) + key)
            self.run(self.panel.step)

    def tap(self, place: int, card: int, uid: int = 0) -> None:
        self.lay(place, card, uid)
        self.lift(place, card)

    def lift(self, place: int, card: int) -> None:
        self.parts.readers.posts.append((LEFT, place, card))
        self.run(self.panel.step)

    def lay(self, place: int, card: int, uid: int = 0) -> None:
        self.parts.readers.uids[place] = bytes([4, 0, 0, 0, 0, uid >> 8, uid & 255, 0, 0, 0])
        self.parts.readers.posts.append((CAME, place, card))
        self.run(self.panel.step)

    def crowd(self, place: int, what: int) -> None:
        """CROWDED: several tags lie there; CLEARED: one or none."""
        self.parts.readers.posts.append((what, place, STRANGER))
        self.run(self.panel.step)

    def row(self, number: int) -> str:
        return self.parts.glass.rows[number]

    def light(self, place: int) -> int:
        self.parts.time.now_ms += 2000
        self.run(self.panel.step)
        return self.parts.lights.means[place - 1]
