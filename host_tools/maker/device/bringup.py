"""The first day of a table, step by step: each step can be taken again, and says what is wrong and where to look.

A step is a function that raises TableError or UnusableInput, or returns what to say. Nothing is kept between two steps
but what lies on the table itself, so a first day may take a week.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from dataclasses import dataclass
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

TAGS = "/tags.txt"
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


def take_port(day: Day) -> str:
    """Take the port that was named, or the only one with a USB device behind it."""
    if not day.port:
        found = ports.list_ports()
        if not found:
            raise UnusableInput("there is no serial port with a USB device. Take a cable that carries data, and the"
                                " socket marked UART; on Linux your user has to be in the group dialout.")
        if len(found) > 1:
            raise UnusableInput(f"there are several ports: {', '.join(found)}. Name the table's with --port.")
        day.port = found[0]
    return f"the table is at {day.port}"


def find_chip(day: Day) -> str:
    """MicroPython answers at the port, and has enough memory. A chip without a prompt is offered MicroPython."""
    with Table(day.port) as table, contextlib.suppress(UnusableInput):
        table.stop()
        return look_at_chip(day, table)
    source = f"from {day.image}" if day.image else "fetched by mpflash"
    day.ask(f"No MicroPython answers at {day.port}. A game under way keeps the prompt closed, too: end it first. If the"
            f" chip is new, Enter writes MicroPython to it, {source}; Ctrl-C leaves it as it is.")
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
        raise TableError(f"MicroPython {python} is too old: `cardtable device flash` writes {chips.MICROPYTHON}.")
    if not memory.suffices(has, image):
        raise TableError(memory.choose(has, image)[1])
    return f"MicroPython {python} on {name}, {has.most // 1024} KB of heap at most"


def deploy(day: Day) -> str:
    """The application is on the table, and comes up."""
    with Table(day.port) as table:
        table.stop()
        if about.running_games(table):
            return "a game is under way, so the application stays as it is"
        package = fit(table, day.package, day.say)
        is_new = deploying.deploy(table, package, day.say, lambda count: None)
        start(table, package, is_new, day.say, day.say)
    return "the application has come up"


def examine(day: Day) -> str:
    """The doctor's checks that need nobody."""
    return _examine(day, False)


def try_parts(day: Day) -> str:
    """The doctor's questions: every button, light, screen and reader."""
    day.ask("Go to the table: the doctor asks for every button, looks and a card. Its screen says so too.")
    return _examine(day, True)


def _examine(day: Day, asks: bool) -> str:
    findings: list[str] = []

    def hear(line: str) -> None:
        day.say(line)
        if line.startswith("! ") and line[2:] not in findings:
            findings.append(line[2:])

    with Table(day.port) as table:
        table.stop()
        about.examine(table, asks, hear)
    if findings:
        told = [f"{finding}\n  Measure: {where}" if (where := say_where(day.board, finding)) else finding
                for finding in findings]
        raise TableError("\n".join(told))
    return "the doctor found nothing wrong"


def register_key(day: Day) -> str:
    """The arbiter's key lies in tags.txt: a new table takes the first tag that is tapped."""
    tags = Tags()
    if not _has_key(_read(day, tags, TAGS)):
        day.ask("Lay the tag that is to be the arbiter's key on any reader. When the screen says `No key yet`, take it"
                " away, wait two seconds, and lay it there again: the light turns green.")
        tags = Tags()
        if not _has_key(_read(day, tags, TAGS)):
            raise TableError("The table has no key yet. If the screen never said `No key yet`, no reader has seen the"
                             " tag: `--step parts` tries each reader. If its light turned red, the tag is a card"
                             " of the deck already: take another one.")
    return "the table has an arbiter's key"


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
        raise TableError(f"{path}, {wrong}: correct it on this computer and copy it back.") from wrong
    return tags


def register_deck(day: Day) -> str:
    """Every card of the smallest deck has a tag."""
    missing = _missing(day)
    if missing:
        day.ask(f"{len(missing)} cards have no tag. At the table: tap the key, step with MENU to `new deck of` or `go"
                " on with deck`, press OK, and tap each card where the screen asks for it.")
        missing = _missing(day)
    if missing:
        more = " ..." if len(missing) > _TOLD else ""
        raise TableError(
            f"{len(missing)} cards have no tag yet: {' '.join(missing[:_TOLD])}{more}. A tag that no reader sees: hold"
            " it flat on the coil, away from metal, and try it on every reader. A tag that one reader sees and another"
            " does not is too small for the other's coil.")
    return f"{_SMALLEST_DECK} cards and more have a tag"


def _missing(day: Day) -> list[str]:
    tags = _read(day, Tags(), "/deck.txt")
    return [card_name(card) for card in deck_cards(_SMALLEST_DECK) if not tags.has(card)]


def play(day: Day) -> str:
    """A game is dealt, and the first card of it is laid: both come over the feed."""
    with Table(day.port) as table:
        table.stop()
        table.reset()
        day.ask("At the table: choose a game with MENU and OK, deal as the screen says, and lay the first card.")
        for line in table.lines(day.patience_s):
            day.say(line)
            event = _EVENT.match(line)
            if event and event[1] not in _DEALING:
                table.is_left = True
                return "the table plays"
            if line.startswith("fault: "):
                raise TableError(f"The table has a {line}. `--step doctor` looks at its parts.")
    raise TableError("No card was accepted. If a light was red, the screen says why. If no light came on, `--step"
                     " parts` tries the readers. If there is no game, the bottom line of the screen says what is"
                     " missing.")


STEPS: dict[str, tuple[str, Callable[[Day], str]]] = {
    "port": ("Find the port", take_port),
    "chip": ("Ask the chip, and write MicroPython if it has none", find_chip),
    "deploy": ("Bring the application", deploy),
    "doctor": ("Let the doctor look at the parts", examine),
    "parts": ("Try every button, light, screen and reader", try_parts),
    "key": ("Register the arbiter's key", register_key),
    "deck": ("Register the cards", register_deck),
    "play": ("Play the first hand", play),
}


def run(day: Day, first: str, only: bool) -> None:
    """Take the steps from `first` on, or that one alone. TableError, UnusableInput: why a step failed; how to take it
    again was said before."""
    names = list(STEPS)
    for name in [first] if only else names[names.index(first):]:
        title, act = STEPS[name]
        day.say(f"== {names.index(name) + 1} of {len(names)}, {name}: {title}")
        if name != "port":
            take_port(day)
        try:
            day.say(f"   {act(day)}.")
        except (TableError, UnusableInput):
            day.say("   This step failed, and the reason follows. Go on with:")
            day.say(f"   cardtable device bringup --board {day.board.NAME} --port {day.port or 'PORT'} --step {name}")
            raise
