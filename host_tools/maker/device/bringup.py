"""The first day of a table, step by step: each step can be taken again, and says what is wrong and where to look.

A step is a function that raises TableError or UnusableInput, or returns what to say. Nothing is kept between two steps
but what lies on the table itself, so a first day may take a week.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from cardtable.between.enrol import deck_cards
from cardtable.engine.deck import card_name
from cardtable.table.tags import ARBITER_KEY, TagError, Tags
from host_tools.maker.device import about, memory, ports, rom
from host_tools.maker.device import deploy as deploying
from host_tools.maker.device import flash as chips
from host_tools.maker.device.measure import say_where
from host_tools.maker.device.package import Package
from host_tools.maker.device.start import fit, start
from host_tools.maker.device.table import Table, TableError
from host_tools.base.errors import UnusableInput
from host_tools.base.languages import ENGLISH
from host_tools.base.wording import Templates, read_words

FOLDER = Path(__file__).parent  # of its words
TAGS = "/tags.txt"
LEARNED = "/learned.txt"  # of firmware/cardtable/between/learned.py
_MICROPYTHON = (1, 29)
_SMALLEST_DECK = 36
_TOLD = 12  # missing cards that are named
_HAND_S = 600.0  # how long people may take for the first hand
_EVENT = re.compile(r"\d+\.\d+ \d (\w+)")  # an accepted event of the feed: its verb; a refusal has a ! there
_DEALING = ("draw", "turn", "undo", "agree")


@dataclass
class Day:
    """What the steps need. `ask` shows a sentence and waits until the maker has done it; `say` shows a line."""

    board: Any
    port: str
    image: Path | None
    package: Package
    say: Callable[[str], object]
    ask: Callable[[str], object]
    patience_s: float = _HAND_S
    words: Templates = field(default_factory=lambda: read_day(ENGLISH))


def read_day(language: str) -> Templates:
    """The words of a first day."""
    return Templates(read_words(FOLDER, "bringup", language), language)


def take_port(day: Day) -> str:
    """Take the port that was named, or the only one with a USB device behind it."""
    if not day.port:
        found = ports.list_ports()
        if not found:
            raise UnusableInput(day.words.say("port.none"))
        if len(found) > 1:
            raise UnusableInput(day.words.say("port.several", ports=", ".join(found)))
        day.port = found[0]
    return day.words.say("port.is", port=day.port)


def find_chip(day: Day) -> str:
    """MicroPython answers at the port, and has enough memory. A chip without a prompt is offered MicroPython."""
    with Table(day.port) as table, contextlib.suppress(UnusableInput):
        table.stop()
        return look_at_chip(day, table)
    source = day.words.say("chip.from", image=day.image) if day.image else day.words.say("chip.fetched")
    day.ask(day.words.say("chip.ask", port=day.port, source=source))
    chip = chips.find_chip(day.board)
    chips.write(chip, day.port, day.image or chips.fetch(chips.look(chip, day.port)), False)
    with Table(day.port) as table:
        table.stop()
        return look_at_chip(day, table)


def look_at_chip(day: Day, table: Table) -> str:
    """The MicroPython of a stopped table, and whether its memory suffices."""
    python, name, *_ = table.call("describe")
    has, image = memory.ask(table), len(rom.make_image(day.package))
    if tuple(map(int, re.findall(r"\d+", python)[:2])) < _MICROPYTHON:
        raise TableError(day.words.say("chip.old", python=python, wanted=chips.MICROPYTHON))
    if not memory.suffices(has, image):
        raise TableError(memory.choose(has, image)[1])
    return day.words.say("chip.is", python=python, name=name, kb=has.most // 1024)


def deploy(day: Day) -> str:
    """The application is on the table, and comes up."""
    with Table(day.port) as table:
        table.stop()
        if about.running_games(table):
            return day.words.say("deploy.playing")
        package = fit(table, day.package, day.say)
        is_new = deploying.deploy(table, package, day.say, lambda count: None)
        start(table, package, is_new, day.say, day.say)
    return day.words.say("deploy.is")


def examine(day: Day) -> str:
    """The doctor's checks that need nobody."""
    return _examine(day, False)


def try_parts(day: Day) -> str:
    """The doctor's questions: every button, light, screen and reader."""
    day.ask(day.words.say("parts.ask"))
    return _examine(day, True)


def learn(day: Day) -> str:
    """The doctor measures what no eye sees, as `device doctor --learn` does, and the table keeps it. A weakness that it
    has measured ends no day; a reader that it could not measure does."""
    day.ask(day.words.say("learn.ask"))
    today = date.today().isoformat()
    findings = _hear_doctor(day, True, today)
    with Table(day.port) as table:
        table.stop()
        kept = table.call("read_text", LEARNED).splitlines()
    measured = sum(line.startswith("reader ") for line in kept)
    if f"date {today}" not in kept or measured < len(day.board.READERS):
        said = "\n".join(_with_places(day, findings))
        raise TableError(said or day.words.say("learn.nothing"))
    for told in _with_places(day, findings):
        day.say(told)
    return day.words.say("learn.is", count=len(findings))


def _examine(day: Day, asks: bool) -> str:
    findings = _hear_doctor(day, asks)
    if findings:
        raise TableError("\n".join(_with_places(day, findings)))
    return day.words.say("doctor.right")


def _hear_doctor(day: Day, asks: bool, learns: str = "") -> list[str]:
    """The findings of the doctor, each once; everything that it says is shown."""
    findings: list[str] = []

    def hear(line: str) -> None:
        day.say(line)
        if line.startswith("! ") and line[2:] not in findings:
            findings.append(line[2:])

    with Table(day.port) as table:
        table.stop()
        about.examine(table, asks, hear, learns)
    return findings


def _with_places(day: Day, findings: list[str]) -> list[str]:
    """Each finding, with where to hold the meter."""
    return [f"{finding}\n  {day.words.say('measure', where=where)}"
            if (where := say_where(day.board, finding, day.words)) else finding for finding in findings]


def register_key(day: Day) -> str:
    """The arbiter's key lies in tags.txt: a new table takes the first tag that is tapped."""
    tags = Tags()
    if not _has_key(_read(day, tags, TAGS)):
        day.ask(day.words.say("key.ask"))
        tags = Tags()
        if not _has_key(_read(day, tags, TAGS)):
            raise TableError(day.words.say("key.none"))
    return day.words.say("key.is")


def _has_key(tags: Tags) -> bool:
    return tags.has(ARBITER_KEY)


def _read(day: Day, tags: Tags, path: str) -> Tags:
    """The tags of a file of the table. TableError if it is spoilt."""
    with Table(day.port) as table:
        table.stop()
        text = table.call("read_text", path)
    try:
        (tags.load_others if path == TAGS else tags.load)(text.splitlines())
    except TagError as wrong:
        raise TableError(day.words.say("tags.spoilt", path=path, wrong=wrong)) from wrong
    return tags


def register_deck(day: Day) -> str:
    """Every card of the smallest deck has a tag."""
    missing = _missing(day)
    if missing:
        day.ask(day.words.say("deck.ask", count=len(missing)))
        missing = _missing(day)
    if missing:
        cards = " ".join(missing[:_TOLD]) + (" ..." if len(missing) > _TOLD else "")
        raise TableError(day.words.say("deck.missing", count=len(missing), cards=cards))
    return day.words.say("deck.is", count=_SMALLEST_DECK)


def _missing(day: Day) -> list[str]:
    tags = _read(day, Tags(), "/deck.txt")
    return [card_name(card) for card in deck_cards(_SMALLEST_DECK) if not tags.has(card)]


def play(day: Day) -> str:
    """A game is dealt, and the first card of it is laid: both come over the feed."""
    with Table(day.port) as table:
        table.stop()
        table.reset()
        day.ask(day.words.say("play.ask"))
        for line in table.lines(day.patience_s):
            day.say(line)
            event = _EVENT.match(line)
            if event and event[1] not in _DEALING:
                table.is_left = True
                return day.words.say("play.is")
            if line.startswith("fault: "):
                raise TableError(day.words.say("play.fault", line=line))
    raise TableError(day.words.say("play.none"))


STEPS: dict[str, Callable[[Day], str]] = {
    "port": take_port, "chip": find_chip, "deploy": deploy, "doctor": examine, "parts": try_parts, "learn": learn,
    "key": register_key, "deck": register_deck, "play": play,
}


def run(day: Day, first: str, only: bool) -> None:
    """Take the steps from `first` on, or that one alone. TableError, UnusableInput: why a step failed; how to take it
    again was said before."""
    names = list(STEPS)
    for name in [first] if only else names[names.index(first):]:
        day.say(day.words.say("step", number=names.index(name) + 1, count=len(names), name=name,
                              title=day.words.say(f"title.{name}")))
        if name != "port":
            take_port(day)
        try:
            day.say(f"   {STEPS[name](day)}.")
        except (TableError, UnusableInput):
            language = "" if day.words.language == ENGLISH else f" --language {day.words.language}"
            day.say(f"   {day.words.say('failed')}")
            day.say(f"   cardtable device bringup --board {day.board.NAME} --port {day.port or 'PORT'}{language}"
                    f" --step {name}")
            raise
